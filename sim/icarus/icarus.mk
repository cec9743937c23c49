# SPDX-License-Identifier: Apache-2.0
#
# The lockstep in Icarus Verilog: engine, models and replaying commands as one module that vvp loads. Included by the Makefile.

ICARUS := $(B)/icarus

.PHONY: icarus
icarus: ready ## every block in lockstep in a second simulator, Icarus, which has X (BLOCKS="lcs ..." TRACE=RECORDING)
	@$(MAKE) -j$(JOBS) $(ICARUS)/ballast.vpi
	@sim/icarus/icarus.sh --config $(CONFIG) $(if $(TRACE),--recording '$(TRACE)') $(BLOCKS)

# A shared object: the C once more, position independent. Only what replays.
$(eval $(call FLAVOUR,vpi,-O2 -fPIC))
ICARUS_SRC := $(filter-out $(TEST_SRC) $(FIXTURE_SRC),$(MODEL_SRC) $(ENGINE_SRC) $(wildcard sim/trace/*.c sim/player/*.c sim/session/*.c sim/wave/*.c) \
              sim/import/csv.c $(addprefix sim/ballast/,cmd_lockstep.c cmd_family.c cmd_chip.c cmd_random.c explained.c replay.c replay_options.c table.c) tb/icarus/icarus_rtl.c \
              tb/icarus/handover.c tb/icarus/module.c)
ICARUS_OBJS = $(ICARUS_SRC:%.c=$(B)/vpi/%.o) $(call GLUE,vpi) $(ICARUS)/registry.o $(addprefix $(ICARUS)/,fstapi.o fst_lz4.o fst_fastlz.o)
-include $(shell find $(B)/vpi -name '*.d' 2>/dev/null)

$(ICARUS)/fst%.o: $(VINC)/gtkwave/fst%.c
	@mkdir -p $(@D)
	@$(CC) -O2 -fPIC -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -c $< -o $@
$(ICARUS)/fst_%.o: $(VINC)/gtkwave/%.c
	@mkdir -p $(@D)
	@$(CC) -O2 -fPIC -w -c $< -o $@

$(ICARUS)/registry.c: $(B)/blocks.mk sim/icarus/icarus.mk
	@mkdir -p $(@D)
	@{ echo '/* made from blocks.mk */'; echo '#include "icarus/icarus_rtl.h"'; echo '#include <string.h>'; \
	  $(foreach v,$(VARIANTS),echo 'ICARUS_BLOCK($(v), $($(v)_STEM), "$($(v)_PARAMS)")';) \
	  echo 'const block *const block_registry[] = {'; for v in $(VARIANTS); do echo "    &$${v}_block,"; done; echo '    NULL};'; } >$@
$(ICARUS)/registry.o: $(ICARUS)/registry.c tb/icarus/icarus_rtl.h $(SHIM_ENGINE)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -fPIC -c $< -o $@

$(ICARUS)/ballast.vpi: $$(ICARUS_OBJS)
	@echo "  link      $@"
	@$(CC) -shared -o $@.tmp $^ $(LIBS) && mv $@.tmp $@
