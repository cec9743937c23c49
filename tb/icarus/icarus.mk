# SPDX-License-Identifier: Apache-2.0
#
# The lockstep in Icarus Verilog: engine, models and replaying commands as one module that vvp loads. Included by the Makefile.

ICARUS := $(B)/icarus

.PHONY: icarus icarus-update
icarus: ready ## every block in lockstep in a second simulator, Icarus, which has X (BLOCKS="lcs ..." TRACE=RECORDING)
	@$(MAKE) -j$(JOBS) $(ICARUS)/ballast.vpi
	@python3 tb/icarus/icarus.py --config $(CONFIG) $(if $(TRACE),--recording '$(TRACE)') $(BLOCKS)

icarus-update: ready # the same of all blocks, and the table goes into its page
	@[ "$(CONFIG)" = fermi ] || { echo "make: doc/verification/icarus.md has the table of fermi; leave CONFIG out" >&2; exit 2; }
	@$(MAKE) -j$(JOBS) $(ICARUS)/ballast.vpi
	@said=$$(python3 tb/icarus/icarus.py --config $(CONFIG)) || { echo "$$said"; exit 1; }; \
	  echo "$$said" | sed -n '/^block/,/runs in Icarus/p' | sed 's/^./    &/; s/; what they said.*//' | \
	  python3 tb/flow/pages.py doc/verification/icarus.md results "make icarus-update"

# A shared object. Only what replays.
ICARUS_SRC := $(filter-out $(TEST_SRC) $(FIXTURE_SRC),$(MODEL_SRC) $(ENGINE_SRC) $(wildcard sim/files/*.c sim/recording/*.c sim/replay/*.c sim/policy/*.c sim/wave/*.c) \
              $(addprefix sim/cli/,cmd_replay.c family_models.c family_policies.c names.c options.c policies.c policy_choice.c replay.c replay_options.c run_data.c say.c suggest.c table.c) \
              $(addprefix tb/icarus/,icarus_rtl.c handover.c module.c) $(BUILT_FROM))
ICARUS_OBJS = $(ICARUS_SRC:%.c=$(OBJ_opt)/%.o) $(call GLUE,opt) $(ICARUS)/registry.o $(addprefix $(OBJ_opt)/,fstapi.o fst_lz4.o fst_fastlz.o)

$(ICARUS)/registry.c: $(B)/blocks.mk tb/icarus/icarus.mk
	@mkdir -p $(@D)
	@{ echo '/* made from blocks.mk */'; echo '#include "icarus/icarus_rtl.h"'; echo '#include <string.h>'; \
	  $(foreach v,$(VARIANTS),echo 'ICARUS_BLOCK($(v), $($(v)_BLOCK), "$($(v)_PARAMS)")';) \
	  echo 'const block *const block_registry[] = {'; for v in $(VARIANTS); do echo "    &$${v}_block,"; done; echo '    NULL};'; } >$@
$(ICARUS)/registry.o: $(ICARUS)/registry.c tb/icarus/icarus_rtl.h $(SHIM_ENGINE)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -fPIC -c $< -o $@

$(ICARUS)/ballast.vpi: $$(ICARUS_OBJS)
	@echo "  link      $@"
	@$(CC) -shared -o $@.tmp $^ $(LIBS) && mv $@.tmp $@

# For the test: one block Verilated, with the same C, so that a fault can be planted into the RTL of both simulators.
.PHONY: $(ICARUS)/fault/ballast
$(ICARUS)/fault/ballast: $(ICARUS)/ballast.vpi
	@rm -rf $(@D) && mkdir -p $(@D)
	@{ echo '#include "engine/block.h"'; echo 'extern const block $(ICARUS_VARIANT)_block; const block *const block_registry[] = {&$(ICARUS_VARIANT)_block, NULL};'; \
	  echo 'int cmd_lockstep(int argc, char **argv);'; echo 'int main(int argc, char **argv) { return cmd_lockstep(argc - 1, argv + 1); }'; } >$(@D)/registry.c
	@$(CC) $(CPPFLAGS) -O1 -c $(@D)/registry.c -o $(@D)/registry.o
	@python3 tb/flow/one_edge.py $($(ICARUS_VARIANT)_SV) $(@D)/$($(ICARUS_VARIANT)_BLOCK)_edge.sv
	@verilator --cc -Wno-fatal -Wno-lint -f tb/shim/verilator.args --top-module $($(ICARUS_VARIANT)_BLOCK)_edge --prefix V$(ICARUS_VARIANT) --Mdir $(@D)/cpp \
	  $(addprefix -G,$($(ICARUS_VARIANT)_PARAMS)) -y rtl/common -y rtl/sm -y rtl/chip tb/shim/public.vlt $(wildcard rtl/common/*_pkg.sv) $($(ICARUS_VARIANT)_SV) $(@D)/$($(ICARUS_VARIANT)_BLOCK)_edge.sv
	@cd $(@D)/cpp && for f in V*.cpp; do echo "#include \"$$f\""; done >verilated_all.inc
	@$(call cxx_for,-O0) -std=gnu++17 -O0 -w -I$(@D)/cpp -I$(VINC) -I$(VINC)/vltstd $(VDEFS) $(CPPFLAGS) -DBLOCK_PORTS='"blocks/$($(ICARUS_VARIANT)_BLOCK)/ports.h"' \
	  -DVARIANT=$(ICARUS_VARIANT) -DVARIANT_PARAMS='"$($(ICARUS_VARIANT)_PARAMS)"' -c tb/shim/rtl_shim.cpp -o $(@D)/shim.o
	@$(CXX) -o $@ $(filter-out %/icarus_rtl.o %/handover.o %/module.o $(ICARUS)/registry.o,$(ICARUS_OBJS)) $(@D)/registry.o $(@D)/shim.o \
	  $(addprefix $(B)/verilator/,runtime.o parts.o verilated.o verilated_threads.o) $(LIBS)
