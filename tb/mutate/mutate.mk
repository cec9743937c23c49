# SPDX-License-Identifier: Apache-2.0
#
# How strong the tests are: mutants of every block through recordings and tests. Included by the Makefile.

.PHONY: mutate mutate-update
mutate: ready ## mutants of every block through recordings and tests: killed, survived, equivalent (BLOCKS="lcs ...", N= per block)
	@python3 tb/mutate/mutate.py --config $(CONFIG) $(if $(N),--mutants $(N)) $(BLOCKS)

mutate-update: ready ## the same, and the rows go into doc/verification/mutate.md
	@python3 tb/mutate/mutate.py --config $(CONFIG) $(if $(N),--mutants $(N)) --page doc/verification/mutate.md $(BLOCKS)

.PHONY: mutate-checkers mutate-checkers-update
mutate-checkers: ready ## mutants of the checkers through their own tests (hours; FILES="tb/flow/prover.py ...", N= per file)
	@python3 tb/mutate/checkers.py --build $(B) $(if $(N),--mutants $(N)) $(if $(QUICK),--quick) $(FILES)

mutate-checkers-update: ready ## the same, and the table goes into doc/verification/mutate.md
	@python3 tb/mutate/checkers.py --build $(B) $(if $(N),--mutants $(N)) $(if $(QUICK),--quick) --page doc/verification/mutate.md $(FILES)

.PHONY: mutate-common mutate-common-update
mutate-common: ready ## the same mutants in RTL and reference model alike: only rule tests and proved rules judge (BLOCKS=, N=)
	@python3 tb/mutate/common_mode.py --config $(CONFIG) $(if $(N),--mutants $(N)) $(BLOCKS)

mutate-common-update: ready ## the same, and the rows go into doc/verification/mutate.md
	@python3 tb/mutate/common_mode.py --config $(CONFIG) $(if $(N),--mutants $(N)) --page doc/verification/mutate.md $(BLOCKS)

# For both: all C of the command and of the blocks' tests, the shims of all variants; their lists, a line each, and how to compile
# one more file.
MUTATE_TESTS = $(patsubst %.c,$(OBJ_opt)/%.o,$(filter tb/engine/test_lockstep.c $(foreach s,$(BLOCK_NAMES),tb/blocks/$(s)/%),$(TEST_SRC)))
MUTATE_OWN := tb/mutate/watch_run.c tb/mutate/campaign.c tb/mutate/judge.c tb/mutate/planted.c
MUTATE_OBJS = $(call OBJS,opt) $(patsubst %.c,$(OBJ_opt)/%.o,$(FIXTURE_SRC) $(filter-out $(MUTATE_OWN),$(wildcard tb/mutate/*.c)))
MUTATE_MAINS = $(call MAIN,opt) $(addprefix $(OBJ_opt)/tb/mutate/,watch_run.o campaign.o judge.o)
.PHONY: $(B)/mutate.objects
$(B)/mutate.objects:
	@$(MAKE) $(MUTATE_OBJS) $(MUTATE_MAINS) $(MUTATE_TESTS) $(SHIMS)
	@[ -f $(B)/mutate.a ] && [ -z "$$(find $(MUTATE_OBJS) -newer $(B)/mutate.a)" ] || { rm -f $(B)/mutate.a; ar qcs $(B)/mutate.a $(MUTATE_OBJS); }
	@{ echo 'shims $(SHIMS)'; echo 'compile $(CC) $(CPPFLAGS) $(CFLAGS) -O2'; echo 'libs $(LIBS)'; } >$@.$$$$ && mv $@.$$$$ $@
