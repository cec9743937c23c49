# SPDX-License-Identifier: Apache-2.0
#
# Coverage of the RTL. Included by the Makefile. The blocks are Verilated once more, with counters in them; models,
# engine and tests are the objects of $(B).

C := build/cover/$(CONFIG)
# Of a block with parts all of them, of another one its own.
COVER_SV = $(wildcard tb/blocks/$(if $($($(1)_BLOCK)_PARTS),*,$($(1)_BLOCK))/cover.sv)

.PHONY: cover cover-update
cover: ready ## line, toggle and functional coverage of the RTL, by the recordings alone and by the whole suite (BLOCKS="lcs ...")
	@python3 tb/cover/cover.py --config $(CONFIG) $(BLOCKS)

cover-update: ready # the same of all blocks, and the table goes into its page
	@[ "$(CONFIG)" = fermi ] || { echo "make: doc/verification/cover.md has the table of fermi; leave CONFIG out" >&2; exit 2; }
	@said=$$(python3 tb/cover/cover.py --config $(CONFIG)) || { echo "$$said"; exit 1; }; \
	  echo "$$said" | sed -n '/^ *line %/,/^rec\.:/p' | sed 's/^./    &/; s/ *$$//' | \
	  python3 tb/flow/pages.py doc/verification/cover.md results "make cover-update"

ifneq ($(filter $(C)/%,$(MAKECMDGOALS)),)
include $(C)/blocks.mk # cover.py writes it
endif

# The signals of the block itself are open to whoever counts their toggles, name by name: on genvars Verilator trips. The
# increments need not be atomic, there is one thread. --coverage-line for lines and branches, --coverage-user for cover
# properties.
.PRECIOUS: $(C)/rtl/%/verilated_all.inc
$(C)/rtl/%/params: ; # cover.py writes it, too
$(C)/rtl/%/verilated_all.inc: $(RTL_COMMON) $$($$*_SOURCES) $$(call COVER_SV,$$*) tb/cover/cover.svh tb/shim/public.vlt tb/flow/one_edge.py $(C)/rtl/%/params
	@mkdir -p $(@D)
	@{ echo '`verilator_config'; sed "s://.*::" $($*_SV) | grep -oE "\b[a-z][a-z0-9_]+\b|\bn\b" | sort -u | \
	  sed 's#.*#public_flat_rd -module "$($*_BLOCK)" -var "&"#'; } >$(@D)/open.vlt
	$(call VERILATE,--cc --coverage-line --coverage-user -Itb/cover $(@D)/open.vlt,-Wno-WIDTH -Wno-CMPCONST -Wno-DECLFILENAME $(call COVER_SV,$*))
	@sed -i -E 's/(vlSymsp->__Vcoverage\[[0-9]+\])\.fetch_add\(1, std::memory_order_relaxed\)/\1.store(\1.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed)/' $(@D)/*.cpp

COVER_CXX = $(CXX) -std=gnu++17 -O1 -w -I$(VINC) -I$(VINC)/vltstd $(subst -DVM_COVERAGE=0,-DVM_COVERAGE=1,$(VDEFS)) $(CPPFLAGS)
$(C)/rtl/%/shim.o: $(C)/rtl/%/verilated_all.inc tb/shim/rtl_shim.cpp $(SHIM_ENGINE) $(wildcard tb/shim/*.h tb/blocks/*/ports.h tb/blocks/*/bind.h cmodel/*/*.h)
	@echo "  compile   $* (RTL, with counters)"
	@$(COVER_CXX) -I$(@D) -DBLOCK_PORTS='"blocks/$($*_BLOCK)/ports.h"' -DVARIANT=$* -DVARIANT_PARAMS='"$($*_PARAMS)"' \
	  -c tb/shim/rtl_shim.cpp -o $@

$(OWN_SHIMS:%=$(C)/rtl/%/shim.o): $(C)/rtl/%/shim.o: tb/blocks/%/shim.c $(C)/blocks.mk $(SHIM_ENGINE) $(wildcard cmodel/*/*.h)
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -DVARIANT_PARAMS='"$($*_PARAMS)"' -c $< -o $@

COVER_PARTS = $(addprefix $(C)/verilator/,runtime.o parts.o cover.o verilated.o verilated_cov.o verilated_threads.o)
$(C)/verilator/runtime.o $(C)/verilator/parts.o $(C)/verilator/cover.o: $(C)/verilator/%.o: tb/shim/rtl_%.cpp $(SHIM_ENGINE) $(wildcard tb/shim/*.h)
	@mkdir -p $(@D)
	@$(COVER_CXX) -c $< -o $@
$(C)/verilator/%.o: $(VINC)/%.cpp
	@mkdir -p $(@D)
	@$(COVER_CXX) -c $< -o $@

$(C)/registry.c: $(C)/blocks.mk
	$(call REGISTRY,$(VARIANTS))
$(C)/registry.o: $(C)/registry.c
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -c $< -o $@

COVER_SHIMS = $(VARIANTS:%=$(C)/rtl/%/shim.o) $(COVER_PARTS) $(C)/registry.o
COVER_OBJS = $(filter-out $(B)/$(1)/registry.o,$(call OBJS,$(1)))

# Recordings and tests alike with the objects that carry the sanitizers: nothing is compiled a second time.
$(C)/ballast: $$(call COVER_OBJS,san) $(call MAIN,san) $$(COVER_SHIMS)
	@echo "  link      $@"
	@$(CXX) -fsanitize=address,undefined -o $@ $^ $(LIBS)
$(C)/test/%: $$(call TEST_OBJ,$$*) $(FIXTURE_SRC:%.c=$(OBJ_san)/%.o) $$(call COVER_OBJS,san) $$(COVER_SHIMS) tb/room_of_tests.c
	@echo "  link      $@"
	@mkdir -p $(@D)
	@$(call LINK_TESTS,$*)
