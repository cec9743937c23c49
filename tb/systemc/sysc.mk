# SPDX-License-Identifier: Apache-2.0
#
# Blocks as SystemC modules, in a SystemC bench beside their models: those with a header for it (tb/blocks/X/sc.h), SYSC_VARIANTS
# of blocks.mk. Included by the Makefile.

SYSC := $(B)/sysc
SYSC_DEFS = $(subst -DVM_SC=0,-DVM_SC=1,$(VDEFS))
SYSC_INC := $(wildcard tb/systemc/*.h)
# SystemC 2.3.4 of Debian 12 links with C++17 only. Tests are short, and set SYSC_OPT=-O0: to optimize takes longer than it saves.
SYSC_OPT = -O2
SYSC_CXX = $(call cxx_for,$(SYSC_OPT)) -std=gnu++17 $(SYSC_OPT) -w -I$(VINC) -I$(VINC)/vltstd $(SYSC_DEFS) $(CPPFLAGS)

.PHONY: sysc
sysc: ready ## governor and chip in a SystemC bench: verdicts and logs against 'ballast lockstep', VCD
	@$(MAKE) -j$(JOBS) $(B)/test/ballast $(SYSC)/ballast-sc
	@python3 tb/systemc/sysc.py --build $(B)

.PRECIOUS: $(SYSC)/%/verilated_all.inc
$(SYSC)/%/verilated_all.inc: $(RTL_COMMON) $$($$*_SOURCES) tb/systemc/public.vlt tb/shim/verilator.args $(B)/rtl/%/params
	$(call VERILATE,--sc)

$(SYSC)/%/bench.o: $(SYSC)/%/verilated_all.inc tb/systemc/bench.cpp $(SYSC_INC) Makefile tb/systemc/sysc.mk $(wildcard tb/shim/*.h tb/engine/*.h tb/blocks/*/ports.h tb/blocks/*/bind.h cmodel/*/*.h)
	@echo "  compile   $* (SystemC)"
	@$(SYSC_CXX) -I$(@D) -DBLOCK_PORTS='"blocks/$($*_BLOCK)/ports.h"' -DBLOCK_SC='"blocks/$($*_BLOCK)/sc.h"' \
	  -DVERILATED_H='"V$*.h"' -DVARIANT=$* -DVARIANT_PARAMS='"$($*_PARAMS)"' -c tb/systemc/bench.cpp -o $@

$(SYSC)/run/runtime.o $(SYSC)/run/parts.o: $(SYSC)/run/%.o: tb/shim/rtl_%.cpp $(wildcard tb/shim/*.h tb/engine/*.h) tb/systemc/sysc.mk
	@mkdir -p $(@D)
	@$(SYSC_CXX) -c $< -o $@

$(SYSC)/run/verilated.o $(SYSC)/run/verilated_threads.o: $(SYSC)/run/%.o: $(VINC)/%.cpp tb/systemc/sysc.mk
	@mkdir -p $(@D)
	@$(SYSC_CXX) -c $< -o $@

$(SYSC)/run/main.o $(SYSC)/run/vcd.o: $(SYSC)/run/%.o: tb/systemc/%.cpp $(SYSC_INC) tb/systemc/sysc.mk
	@mkdir -p $(@D)
	@$(SYSC_CXX) -c $< -o $@

$(SYSC)/registry.c: $(B)/blocks.mk tb/systemc/sysc.mk
	@mkdir -p $(@D)
	$(call REGISTRY,$(SYSC_VARIANTS))

$(SYSC)/registry.o: $(SYSC)/registry.c
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -c $< -o $@

SYSC_OBJS = $(filter-out $(B)/opt/registry.o,$(call OBJS,opt)) $(SYSC)/registry.o $(SYSC_VARIANTS:%=$(SYSC)/%/bench.o) \
            $(addprefix $(SYSC)/run/,main.o vcd.o runtime.o parts.o verilated.o verilated_threads.o)
$(SYSC)/ballast-sc: $$(SYSC_OBJS)
	@echo "  link      $@"
	@$(CXX) -o $@ $^ $(LIBS) -lsystemc

# A virtual platform of somebody else's, as doc/use/systemc.md shows it.
$(SYSC)/%/example: tb/blocks/%/sc_example.cpp $(SYSC)/%/verilated_all.inc $(SYSC_INC) $(addprefix $(SYSC)/run/,runtime.o parts.o verilated.o verilated_threads.o) $(B)/libballast.a
	@echo "  link      $@"
	@$(SYSC_CXX) -I$(@D) -o $@ $< -include $(@D)/verilated_all.inc $(filter %.o %.a,$^) -lsystemc
