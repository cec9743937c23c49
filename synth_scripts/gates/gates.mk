# SPDX-License-Identifier: Apache-2.0
#
# The synthesized netlists in lockstep, and proved equal to the RTL. Included by the Makefile.

.PHONY: gates gates-update
gates: ready ## the synthesized netlists in lockstep with the models, and proved equal to the RTL (BLOCKS="lcs ...")
	@python3 synth_scripts/gates/gates.py --config $(CONFIG) $(BLOCKS)

gates-update: ready ## the same, and the rows go into doc/verification/gates.md
	@python3 synth_scripts/gates/gates.py --config $(CONFIG) --page doc/verification/gates.md $(BLOCKS)

# For gates.py: everything of the command but the blocks, and the RTL of those that it names; then their list. The
# reproducer writes registers, which a netlist does not allow: synth_scripts/gates has its own words for that.
GATES_OBJS = $(filter-out $(B)/opt/registry.o $(OBJ_opt)/sim/replay/reproduce.o,$(call OBJS,opt)) $(call MAIN,opt) \
             $(addprefix $(B)/verilator/,runtime.o parts.o verilated.o verilated_threads.o) $(GATES_RTL:%=$(B)/rtl/%/shim.o)
.PHONY: $(B)/gates.objects
$(B)/gates.objects:
	@$(MAKE) $(GATES_OBJS)
	@echo "$(GATES_OBJS) $(LIBS)" >$@.tmp && mv $@.tmp $@
