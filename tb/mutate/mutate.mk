# SPDX-License-Identifier: Apache-2.0
#
# How strong the tests are: mutants of every block through recordings and tests. Included by the Makefile.

.PHONY: mutate
mutate: ready ## mutants of every block through recordings and tests: killed, survived, equivalent (BLOCKS="lcs ...", N= per block)
	@python3 tb/mutate/mutate.py --config $(CONFIG) $(if $(N),--mutants $(N)) $(BLOCKS)

# For mutate.py: all C of the command and of the blocks' tests, the shims of all variants; their lists, a line each, and how to compile
# one more file.
MUTATE_TESTS = $(patsubst %.c,$(B)/opt/%.o,$(filter tb/engine/test_lockstep.c $(foreach s,$(BLOCK_NAMES),tb/blocks/$(s)/%),$(TEST_SRC)))
MUTATE_OWN := tb/mutate/watch_run.c tb/mutate/campaign.c
MUTATE_OBJS = $(call OBJS,opt) $(patsubst %.c,$(B)/opt/%.o,$(FIXTURE_SRC) $(filter-out $(MUTATE_OWN),$(wildcard tb/mutate/*.c)))
MUTATE_MAINS = $(addprefix $(B)/opt/,sim/cli/main.o tb/mutate/watch_run.o tb/mutate/campaign.o)
.PHONY: $(B)/mutate.objects
$(B)/mutate.objects:
	@$(MAKE) $(MUTATE_OBJS) $(MUTATE_MAINS) $(MUTATE_TESTS) $(SHIMS)
	@[ -f $(B)/mutate.a ] && [ -z "$$(find $(MUTATE_OBJS) -newer $(B)/mutate.a)" ] || { rm -f $(B)/mutate.a; ar qcs $(B)/mutate.a $(MUTATE_OBJS); }
	@{ echo 'shims $(SHIMS)'; echo 'compile $(CC) $(CPPFLAGS) $(CFLAGS) -O2'; echo 'libs $(LIBS)'; } >$@.tmp && mv $@.tmp $@
