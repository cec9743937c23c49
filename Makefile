# SPDX-License-Identifier: Apache-2.0
#
# Ballast: one entry for everything. `make help` lists the targets.

# Blocks in a folder of somebody else's: the whole Makefile for them is in there.
ifneq ($(EXTERN),)
include tb/extern/extern.mk
else

CONFIG ?= fermi
CONFIGS := $(notdir $(shell grep -l '^rtl' rtl/configs/*))
ifeq ($(filter $(CONFIG),$(CONFIGS)),)
$(error there is no configuration '$(CONFIG)'; rtl/configs has $(CONFIGS))
endif
B := build/$(CONFIG)
OUT ?= build/run
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
VERSION := 0.1.0
BENCH_RECORDINGS ?= $(addprefix vectors/,pathfinder.n3.blt bfs.n4.blt hotspot.n2.blt srad.n3.blt invmap.n4.blt)
BALLAST := $(B)/ballast
# The recordings of this configuration, or the Fermi ones, which every SM can play; the machine that made them, if it has a name.
VECTORS := $(patsubst %/MANIFEST.csv,%,$(firstword $(wildcard vectors/$(CONFIG)/MANIFEST.csv) vectors/MANIFEST.csv))
RECORDED_ON := $(addprefix --machine ,$(shell cat $(VECTORS)/machine 2>/dev/null))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-print-directory

CC := gcc
CXX := g++
CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Icmodel -Itb -Isim
# One buffer holds the struct of any block: doc/inside/architecture.md says why aliasing is not strict.
CFLAGS := -std=c11 -g -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-format-truncation -Werror -fno-strict-aliasing
# LTO=1 links the command as one program: 'make bench' does, in a folder of its own. Without, it builds in half the time.
OPT := -O2$(if $(LTO), -O3 -flto=auto)
# Where variables are in optimized code a debugger may want to know; to find it out takes a third of the time to compile.
SAN := -O1 -fno-var-tracking -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# The newest LLVM that is there as a whole, or LLVM=16 (sim/env/llvm.sh): a folder, asked for when a recipe wants it. FUZZ_LLVM has
# libFuzzer, too.
LLVM ?=
llvm_folder = $(or $(shell LLVM=$(LLVM) sim/env/llvm.sh $(1)),$(error no LLVM as a whole, see above))
LLVM_DIR = $(eval LLVM_DIR := $(call llvm_folder))$(LLVM_DIR)
FUZZ_LLVM = $(eval FUZZ_LLVM := $(call llvm_folder,--fuzz))$(FUZZ_LLVM)

# GTKWave's FST writer in C, asked for when a recipe wants it; FST=DIR is another one (sim/env/fst.sh).
FST ?=
FST_DIR = $(eval FST_DIR := $(or $(shell FST='$(FST)' VERILATOR_ROOT='$(VERILATOR_ROOT)' sim/env/fst.sh),$(error no FST writer, see above)))$(FST_DIR)

# Set-up installs these; the targets below need them in place.
VERILATOR_ROOT ?= $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null)
VINC := $(VERILATOR_ROOT)/include
VDEFS := -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 -DVL_USER_STOP \
         -DVL_PRINTF=rtl_printf -include tb/shim/rtl_printf.h
LIBS := -lconfig -lcjson -lzstd -lxxhash -llzma -lz -lm

# Tables of the chips: gpus for the analytic models, machines for the simulator.
CHIPS := build/chips
# The script of the report as C text, with its checksum.
REPORT_SCRIPT := build/report_script.c
MODEL_SRC := $(wildcard cmodel/common/*.c cmodel/sm/*.c cmodel/chip/*.c)
# The sources that the command replays, as a sum, and their commit: a run says of which it is.
BUILT_FROM := build/built_from.c
# The models of all blocks by name (tb/engine/block_models.h), for programs without RTL.
MODEL_TABLE := build/models.c
# A block that is a policy of its own, as the shared object that --policy loads (doc/use/own_policy.md).
POLICIES := $(patsubst tb/blocks/%/policy.c,$(B)/policy/%.so,$(wildcard tb/blocks/*/policy.c))
# For simulators of other people: what feeds the models, in the same library.
CLIENT_SRC := $(wildcard cmodel/ballast/*.c)
ANALYTIC_SRC := $(wildcard cmodel/analytic/*.c) $(CHIPS)/gpus.c
TEST_SRC := $(wildcard tb/*/test_*.c tb/blocks/*/test_*.c sim/*/test_*.c)
# What fuzzing does with an input: the tests replay the inputs that were kept.
FUZZ_SRC := $(filter-out %_main.c tb/fuzz/test_%,$(wildcard tb/fuzz/*.c))
FIXTURE_SRC := $(wildcard tb/*/*_fixture.c sim/*/*_fixture.c) $(FUZZ_SRC)
ENGINE_SRC := $(filter-out $(TEST_SRC) $(FIXTURE_SRC),$(wildcard tb/engine/*.c))
SIM_SRC := $(filter-out %/main.c sim/python/% $(TEST_SRC) $(FIXTURE_SRC),$(wildcard sim/*/*.c)) $(CHIPS)/machines.c $(REPORT_SCRIPT) $(BUILT_FROM)
RTL_COMMON := $(wildcard rtl/common/*.sv)

# ---- set-up ----------------------------------------------------------------------------
# A target that builds re-enters make once the tools are there, so that everything below may
# ask them where they live.

.PHONY: help setup ready portability doctor run report test build tests lint area waves pictures bench agree agree-update analytic validate validate-update expectations-update search-update residuals residuals-update run-update integration clean
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(filter-out %.d,$(MAKEFILE_LIST))
	@echo "  CONFIG=`echo $(sort $(CONFIGS)) | tr ' ' '|'` chooses the geometry (default fermi), OUT=DIR where 'make run' writes."
	@echo "  LLVM=14..19 chooses the LLVM of proofs and fuzzing (default the newest that is installed)."
	@echo "  EXTERN=FOLDER takes blocks of a folder of your own (doc/use/own_block.md)."

setup: ## install the Debian packages that are missing (says which)
	@sim/env/setup.sh

ready: # the same for targets that need the tools: says something only if it installs something
	@sim/env/setup.sh --quiet $(MAKECMDGOALS)

portability: ready ## 'make run' of the committed tree on a bare Debian 12 and a bare Debian 13, in chroots (SYSTEMS=trixie TARGETS="run test")
	@python3 sim/env/portability.py $(if $(SYSTEMS),--systems "$(SYSTEMS)") $(TARGETS)

doctor: ## say which tools are there, which versions, what is missing
	@sim/env/doctor.sh

run: ready ## the main job: all recordings through all blocks in lockstep; table, logs, waveforms, report
	@$(MAKE) -j$(JOBS) build
	@sim/recording/check_vectors.sh $(VECTORS)
	@$(BALLAST) run --out $(OUT) $(VECTORS)/MANIFEST.csv

report: ready ## write the page of the last "make run" anew, e.g. after "make area" (OUT=DIR)
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) report --out $(OUT)

test: ready ## all tests, or those of BLOCK=lcs alone, in seconds once they are built; LONG=1 plants all faults in what checks; ends with "N passed, N failed"
	@$(if $(BLOCK),[ -d tb/blocks/$(BLOCK) ] || { echo "make: there is no block $(BLOCK) in tb/blocks" >&2; exit 2; })
	@$(MAKE) -j$(JOBS) build $(if $(BLOCK),$(patsubst %.c,$(B)/test/%,$(notdir $(wildcard tb/blocks/$(BLOCK)/test_*.c))),tests)
	@python3 tb/run_tests.py $(B) $(BLOCK)

waves: ready ## open a waveform of the last 'make run' (BLOCK=lcs; FAMILY=pathlong), or of TRACE=RECORDING (LAUNCH=; FROM=, TO= cycles); PNG=FILE for a picture
	@$(if $(TRACE),$(MAKE) -j$(JOBS) build)
	@BLOCK='$(or $(BLK),$(BLOCK))' TRACE='$(TRACE)' FAMILY='$(FAMILY)' LAUNCH='$(LAUNCH)' FROM='$(FROM)' TO='$(TO)' PNG='$(PNG)' \
	  sim/wave/waves.sh $(BALLAST) $(OUT)

pictures: ready ## make the documentation's waveform pictures anew (doc/blocks/*_waveform.png)
	@$(MAKE) -j$(JOBS) build
	@sim/wave/pictures.sh $(BALLAST) doc/blocks

bench: ready ## speed of RTL, lockstep, models, decoder, Icarus and whole chips, as ratios in one run
	@$(MAKE) -j$(JOBS) B=build/lto/$(CONFIG) LTO=1 build
	@python3 tb/icarus/bench.py build/lto/$(CONFIG)/ballast $(BENCH_RECORDINGS)

agree: ready ## how often stall_classifier's class, and gwde's choice of an SM, is the recorder's own
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) agree $(VECTORS)/*.blt
	@echo; $(BALLAST) dispatch $(RECORDED_ON) $(VECTORS)/ctas/*.n*

agree-update: ready # the same into the page of the dispatcher
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) dispatch --by-kernel vectors/ctas/*.n* | sed 's/^/    /' | python3 tb/flow/pages.py doc/use/dispatch.md results "make agree-update"
	@for reading in "" "--rr-advance EVERY_CYCLE" "--fill DF"; do \
	  $(BALLAST) dispatch $$reading vectors/ctas/*.n* | sed -n "s/^all  */    $$(printf '%-24s' "$${reading:---rr-advance AFTER_GRANT}") /p"; done | \
	  python3 tb/flow/pages.py doc/use/dispatch.md readings "make agree-update"

run-update: ready # what the pages say of the recordings of another configuration than Fermi: make CONFIG=volta run-update
	@$(if $(filter vectors,$(VECTORS)),{ echo "make: $(CONFIG) has no recordings of its own in vectors" >&2; exit 2; })
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) run --out $(OUT) $(VECTORS)/MANIFEST.csv >build/run.txt
	@sed -n '/^CTA limit that/,/^as data/{/^as data/d;/^CTA limit/d;s/ *$$//;s/^/    /;p}' build/run.txt | \
	  python3 tb/flow/pages.py doc/use/policies.md $(CONFIG) "make CONFIG=$(CONFIG) run-update"
	@$(BALLAST) agree $(VECTORS)/*.blt | sed 's/^/    /' | python3 tb/flow/pages.py doc/use/agreement.md $(CONFIG) "make CONFIG=$(CONFIG) run-update"
	@$(BALLAST) dispatch --by-kernel $(RECORDED_ON) $(VECTORS)/ctas/*.n* | sed 's/^/    /' | \
	  python3 tb/flow/pages.py doc/use/dispatch.md $(CONFIG) "make CONFIG=$(CONFIG) run-update"

analytic: ready ## the analytic models: the papers' tables, predictions, comparison with recordings and policies
	@$(MAKE) -j$(JOBS) build
	@mkdir -p build/analytic
	@$(BALLAST) analytic slowdown
	@echo; $(BALLAST) analytic predict $(wildcard sim/kernels/recorded/*.kernel)
	@echo; $(BALLAST) analytic compare $(addprefix --policies ,$(wildcard $(OUT)/policies.csv)) --plot build/analytic/compare.svg vectors/MANIFEST.csv
	@echo "picture: build/analytic/compare.svg$(if $(wildcard $(OUT)/policies.csv),, (after 'make run' also with what the policies chose))"

validate: ready ## the activity simulator beside the recordings
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) validate vectors/MANIFEST.csv

validate-update: ready # the same into its page: a line per kernel, two kernels in full, the picture
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) validate --plot doc/papers/validation.svg vectors/MANIFEST.csv >build/validate.txt
	@sed -n 's/^\([^ ].*: best limit\)/    \1/p' build/validate.txt | python3 tb/flow/pages.py doc/papers/validation.md kernels "make validate-update"
	@for kernel in pathlong invmap; do awk -v kernel="$$kernel:" '$$1 == kernel {on = 1} /^[^ ]/ && $$1 != kernel {on = 0} on && NF {sub(/ +$$/, ""); print "    " $$0} END {print ""}' build/validate.txt; done | \
	  python3 tb/flow/pages.py doc/papers/validation.md in-full "make validate-update"

expectations-update: ready # the policies on short kernels into their page
	@$(MAKE) -j$(JOBS) build
	@python3 sim/studies/short_kernels.py $(BALLAST) | sed 's/^/    /' | python3 tb/flow/pages.py doc/use/expectations.md short "make expectations-update"

# All policies on the recordings of this configuration, and with Fermi's on the papers' kernels, into the page of the one that searches.
ABLATIONS = back=0 verify=0 doubt=0 back=0,verify=0,doubt=0
OTHERWISE = doubt=0 settle=1 window=16 settle=1,doubt=0 window=16,settle=1 slice=2048,settle=1,doubt=0
SEARCH_PAGE = sed 's/^./    &/' | python3 tb/flow/pages.py doc/use/search_policy.md $(1) "make $(if $(2),CONFIG=$(2) )search-update"
search-update: ready
	@$(MAKE) -j$(JOBS) build
ifneq ($(VECTORS),vectors)
	@python3 sim/studies/search_policies.py families $(BALLAST) $(POLICIES) --manifest $(VECTORS)/MANIFEST.csv | $(call SEARCH_PAGE,$(CONFIG),$(CONFIG))
else
	@python3 sim/studies/search_policies.py families $(BALLAST) $(POLICIES) | $(call SEARCH_PAGE,families)
	@python3 sim/studies/search_policies.py noise $(BALLAST) $(POLICIES) | $(call SEARCH_PAGE,noise)
	@python3 sim/studies/search_policies.py vf $(BALLAST) $(POLICIES) | $(call SEARCH_PAGE,vf)
	@python3 sim/studies/search_variants.py $(BALLAST) $(POLICIES) $(foreach p,$(POLICIES),$(OTHERWISE:%=$p:%)) | $(call SEARCH_PAGE,variants)
	@for p in $(POLICIES); do python3 sim/studies/search_variants.py $(BALLAST) $$p --begun; done | $(call SEARCH_PAGE,chance)
	@python3 sim/studies/search_policies.py kernels $(BALLAST) $(POLICIES) $(foreach p,$(POLICIES),$(ABLATIONS:%=$p:%)) | $(call SEARCH_PAGE,kernels)
endif

PUBLISHED = $(filter-out sim/kernels/recorded/%,$(sort $(wildcard sim/kernels/*/*.kernel)))
residuals: ready ## how far the simulated kernels are from the published optima
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) calibrate --check $(PUBLISHED)

residuals-update: ready # the same into the page of the workloads
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) calibrate --check $(PUBLISHED) | sed 's/^./    &/' | python3 tb/flow/pages.py doc/use/workloads.md residuals "make residuals-update"

integration: ready ## the example of a whole chip: SMs, a bench on the bus, two kernels at once; in Icarus and in Verilator
	@python3 $(wildcard tb/blocks/*/integration.py)

lint: ready ## every tool that reads the sources has nothing to say: silent when clean
	@for check in check_consistency.py lint_rtl.py lint_c.sh; do \
	  said=$$(synth_scripts/lint/$$check) || { echo "$$said"; exit 1; }; done

build: $(BALLAST) $(POLICIES)
	@:

clean: ## remove everything that was built
	@rm -rf build

include $(sort $(wildcard synth_scripts/*/*.mk))

.SECONDEXPANSION:

$(CHIPS)/%.c: tb/flow/chips.py tb/flow/tools.py sim/gpu/machine.h $(wildcard rtl/configs/*)
	@mkdir -p $(@D)
	@python3 tb/flow/chips.py $* >$@.$$$$ && mv $@.$$$$ $@

$(REPORT_SCRIPT): sim/report/script.py sim/report/script.js
	@mkdir -p $(@D)
	@python3 $^ >$@.$$$$ && mv $@.$$$$ $@

$(BUILT_FROM): sim/report/built_from.py tb/formal/subject.py $(wildcard tb/flow/*.py rtl/*/*.sv cmodel/*/*.[ch] tb/blocks/*/*.h)
	@mkdir -p $(@D)
	@python3 $< >$@.$$$$ && mv $@.$$$$ $@

# ---- blocks: Verilated RTL + shim, one per variant ----------------------------------------

ifneq ($(filter build tests lib shims $(B)/% bench-inner,$(MAKECMDGOALS)),)
$(B)/blocks.mk: $(wildcard tb/flow/*.py) rtl/configs/$(CONFIG) $(wildcard rtl/*/*.sv tb/blocks/*/variants tb/blocks/*/targets tb/blocks/*/ports.h)
	@python3 tb/flow/blocks.py $(CONFIG) $(@D) $(ONLY)
include $(B)/blocks.mk
endif

# What the RTL shims include of the engine: how decisions are told is none of their business.
SHIM_ENGINE := $(addprefix tb/engine/,block.h port.h random.h)

RTL_DIR = $(B)/rtl/$*
# To C++ (--cc) or SystemC (--sc), and one file that includes all of it, and nothing of an earlier version that had more files. In C++
# a module is around the block (tb/flow/one_edge.py).
define VERILATE
@echo "  verilate  $* ($($*_PARAMS))"
@mkdir -p $(@D) && rm -f $(@D)/V$*.cpp $(@D)/V$*__*.cpp
$(if $(filter --cc,$(1)),@python3 tb/flow/one_edge.py $($*_SV) $(@D)/$($*_BLOCK)_edge.sv)
@verilator $(1) -Wall --assert -f tb/shim/verilator.args --top-module $($*_BLOCK)$(if $(filter --cc,$(1)),_edge) \
  --prefix V$* --Mdir $(@D) $(addprefix -G,$($*_PARAMS)) -y rtl/common -y rtl/sm -y rtl/chip \
  tb/$(if $(filter --cc,$(1)),shim,systemc)/public.vlt $(wildcard rtl/common/*_pkg.sv) $($*_SV) \
  $(if $(filter --cc,$(1)),$(@D)/$($*_BLOCK)_edge.sv) $(2) >$(@D)/verilator.log
@cd $(@D) && for f in V$*.cpp V$*__*.cpp; do echo "#include \"$$f\""; done >verilated_all.inc
endef
.PRECIOUS: $(B)/rtl/%/verilated_all.inc
$(B)/rtl/%/params: $(B)/blocks.mk ;
$(B)/rtl/%/verilated_all.inc: $(RTL_COMMON) $$($$*_SOURCES) tb/shim/public.vlt tb/shim/verilator.args tb/flow/one_edge.py $(B)/rtl/%/params
	$(call VERILATE,--cc)

# To read what every Verilated model includes takes longer than to compile most of them: it is read once for each way to compile.
# -O2 takes three times as long as -O1 for a Verilated model of more than 1 MB, minutes and a gigabyte for a dispatcher with 132 SMs. What
# only tests have, and all with RTL_QUICK=1, is compiled in less time than optimization would save them, and by clang: without optimization it
# takes a quarter of g++'s time for such C++. (For g++ a number that may be too large for a field is a warning, for clang an error.)
cxx_for = $(if $(filter -O0,$(1)),$(LLVM_DIR)/bin/clang++ -Wno-c++11-narrowing,$(CXX))
RTL_CXXFLAGS = -std=gnu++17 $(1) -w -I$(VINC) -I$(VINC)/vltstd $(VDEFS) $(CPPFLAGS)
LARGE = $$([ $$(cat $(RTL_DIR)/V$**.cpp | wc -c) -le 1000000 ] || echo -O1)
COMMAND_READ := $(B)/verilator/command/shim/rtl_header.h.gch
TESTS_READ := $(B)/verilator/tests/rtl_header.pch
$(COMMAND_READ): RTL_CXX = $(CXX) $(call RTL_CXXFLAGS,$(OPT))
$(TESTS_READ): RTL_CXX = $(call cxx_for,-O0) $(call RTL_CXXFLAGS,-O0)
$(COMMAND_READ) $(TESTS_READ): $(wildcard tb/shim/*.h $(VINC)/*.h $(VINC)/*/*.h) Makefile
	@mkdir -p $(@D)
	@$(RTL_CXX) -x c++-header tb/shim/rtl_header.h -o $@.$$$$ && mv $@.$$$$ $@

OPTIMIZED = $(if $(RTL_QUICK),,$(filter $(1),$(COMMAND_VARIANTS)))
# g++ takes what it has read where its options and macros are the same, and else reads the header itself.
COMPILE_RTL = $(if $(OPTIMIZED),$(CXX) $(call RTL_CXXFLAGS,$(OPT) $(LARGE)) -I$(B)/verilator/command -include shim/rtl_header.h,\
  $(call cxx_for,-O0) $(call RTL_CXXFLAGS,-O0) -include-pch $(TESTS_READ))
$(B)/rtl/%/shim.o: $(B)/rtl/%/verilated_all.inc tb/shim/rtl_shim.cpp $$(if $$(call OPTIMIZED,$$*),$$(COMMAND_READ),$$(TESTS_READ)) Makefile
	@echo "  compile   $* (RTL)"
	@$(call COMPILE_RTL,$*) -I$(RTL_DIR) \
	  -DBLOCK_PORTS='"blocks/$($*_BLOCK)/ports.h"' -DVARIANT=$* -DVARIANT_PARAMS='"$($*_PARAMS)"' \
	  -MMD -MP -c tb/shim/rtl_shim.cpp -o $@

# A block with a shim.c of its own: the chip of full size, which is put together from its blocks' Verilated models.
OWN_SHIMS := $(patsubst tb/blocks/%/shim.c,%,$(wildcard tb/blocks/*/shim.c))
$(OWN_SHIMS:%=$(B)/rtl/%/shim.o): $(B)/rtl/%/shim.o: tb/blocks/%/shim.c Makefile $(B)/blocks.mk $(SHIM_ENGINE) $(wildcard cmodel/*/*.h)
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(OPT) -DVARIANT_PARAMS='"$($*_PARAMS)"' -c $< -o $@

RUNTIME_OPT = $(if $(RTL_QUICK),-O0,$(OPT))
$(B)/verilator/runtime.o $(B)/verilator/parts.o: $(B)/verilator/%.o: tb/shim/rtl_%.cpp $(SHIM_ENGINE) $(wildcard tb/shim/*.h) Makefile
	@mkdir -p $(@D)
	@$(call cxx_for,$(RUNTIME_OPT)) -std=gnu++17 $(RUNTIME_OPT) -w -I$(VINC) -I$(VINC)/vltstd $(VDEFS) $(CPPFLAGS) -c $< -o $@

$(B)/verilator/%.o: $(VINC)/%.cpp Makefile
	@mkdir -p $(@D)
	@$(call cxx_for,$(RUNTIME_OPT)) -std=gnu++17 $(RUNTIME_OPT) -w -I$(VINC) -I$(VINC)/vltstd $(VDEFS) -c $< -o $@

define REGISTRY
@{ echo '/* made from blocks.mk */'; echo '#include <string.h>'; echo '#include "engine/block.h"'; \
  for v in $(1); do echo "extern const block $${v}_block;"; done; \
  echo 'const block *const block_registry[] = {'; \
  for v in $(1); do echo "    &$${v}_block,"; done; echo '    NULL};'; } >$@
endef
# Tests have all variants, the command just the blocks (tb/blocks/*/targets): the variants are most of a first build.
$(B)/registry.c: $(B)/blocks.mk
	$(call REGISTRY,$(VARIANTS))
$(B)/command/registry.c: $(B)/blocks.mk
	@mkdir -p $(@D)
	$(call REGISTRY,$(COMMAND_VARIANTS))
$(B)/command/registry.o: $(B)/command/registry.c
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(OPT) -c $< -o $@

RUNTIME := $(addprefix $(B)/verilator/,runtime.o parts.o verilated.o verilated_threads.o)
COMMAND_SHIMS = $(COMMAND_VARIANTS:%=$(B)/rtl/%/shim.o) $(RUNTIME)
SHIMS = $(VARIANTS:%=$(B)/rtl/%/shim.o) $(RUNTIME)

$(MODEL_TABLE): $(wildcard tb/blocks/*/ports.h) Makefile
	@{ echo '/* made by the Makefile */'; echo '#include "engine/block_models.h"'; for b in $(BLOCK_NAMES); do echo "extern const block_model $${b}_model;"; done; \
	  echo 'const block_model *const block_models[] = {'; for b in $(BLOCK_NAMES); do echo "    &$${b}_model,"; done; echo '    NULL};'; } >$@.$$$$ && mv $@.$$$$ $@

# ---- C, in two flavours: fast, and with the sanitizers for the tests ------------------------
# What is fast is the same for all configurations, but for main.c, and position independent: command, libraries and the module of Icarus
# have the same objects. The tests are those of one. Two makes of two configurations may compile
# the same file: each object appears as a whole.

PIC := -fPIC -fno-semantic-interposition
OBJ_opt := $(if $(LTO),$(B),build)/opt
OBJ_san := $(B)/san
WHOLE = -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ && mv $@.$$$$ $@

GLUE = $(BLOCK_NAMES:%=$(OBJ_$(1))/glue_%.o)
OBJS = $(patsubst %.c,$(OBJ_$(1))/%.o,$(MODEL_SRC) $(CLIENT_SRC) $(ANALYTIC_SRC) $(ENGINE_SRC) $(SIM_SRC)) $(call GLUE,$(1)) \
       $(B)/$(1)/registry.o $(addprefix $(OBJ_opt)/,fstapi.o fst_lz4.o fst_fastlz.o)

define FLAVOUR
$(OBJ_$(1))/%.o: %.c Makefile
	@mkdir -p $$(@D)
	@$$(CC) $$(CPPFLAGS) $$(CFLAGS) $(2) $$(UNDER) -I$$(FST_DIR) $$(WHOLE)
$(OBJ_$(1))/glue_%.o: tb/shim/model_glue.c Makefile
	@mkdir -p $$(@D)
	@$$(CC) $$(CPPFLAGS) $$(CFLAGS) $(2) -DBLOCK_PORTS='"blocks/$$*/ports.h"' $$(WHOLE)
$(B)/$(1)/registry.o: $(B)/registry.c
	@mkdir -p $$(@D)
	@$$(CC) $$(CPPFLAGS) $$(CFLAGS) $(2) -c $$< -o $$@
endef
$(eval $(call FLAVOUR,opt,$(OPT) $(PIC)))
$(eval $(call FLAVOUR,san,$(SAN)))
-include $(shell find $(OBJ_opt) $(OBJ_san) $(B)/opt $(B)/san $(B)/plain $(B)/rtl $(B)/lib -name '*.d' 2>/dev/null)

# The writer's files are ours, so that a full disk is an error and not a SIGBUS.
FSTAPI := -w -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DFST_CONFIG_INCLUDE='"fst_config.h"' -Isim -include wave/fst_files.h
$(OBJ_opt)/fst_%.o: sim/env/fst.sh Makefile
	@mkdir -p $(@D)
	@$(CC) -O3 -w $(PIC) -c $(FST_DIR)/$*.c -o $@
$(OBJ_opt)/fstapi.o: sim/wave/fst_files.h sim/env/fst.sh Makefile
	@mkdir -p $(@D)
	@$(CC) -O3 $(PIC) $(FSTAPI) -c $(FST_DIR)/fstapi.c -o $@

# The simulator steps models and SMs by calls of small functions in other files, some hundred in a cycle. So the command has what is stepped
# in every cycle as one program, as it has all of itself with LTO=1: a third more cycles per second, for three seconds more of each link.
TOGETHER := $(MODEL_SRC) $(filter $(addprefix sim/gpu/,sm.c sm_%.c cache.c memory.c ccws.c dispatcher.c chip_sim.c governed.c),$(SIM_SRC))
$(OBJ_opt)/together/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O3 -flto $(WHOLE)
COMMAND_OBJS = $(if $(LTO),$(call OBJS,opt),$(filter-out $(TOGETHER:%.c=$(OBJ_opt)/%.o),$(call OBJS,opt)) $(TOGETHER:%.c=$(OBJ_opt)/together/%.o))

MAIN = $(B)/$(1)/main.o
$(call MAIN,%): sim/cli/main.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) -DBALLAST_VERSION='"$(VERSION)"' -DBALLAST_CONFIG='"$(CONFIG)"' $(CFLAGS) $(if $(filter san,$*),$(SAN),$(OPT)) -MMD -MP -c $< -o $@
$(BALLAST): $(filter-out $(B)/opt/registry.o,$(COMMAND_OBJS)) $(B)/command/registry.o $(call MAIN,opt) $$(COMMAND_SHIMS)
$(B)/test/ballast: $(COMMAND_OBJS) $(call MAIN,opt) $$(SHIMS)
$(BALLAST) $(B)/test/ballast:
	@echo "  link      $@"
	@mkdir -p $(@D)
	@$(CXX) $(OPT) -flto=auto -o $@ $^ $(LIBS)

# Blocks that are policies of their own, as shared objects.
$(B)/policy/%.so: tb/blocks/%/policy.c $(MODEL_SRC) $(wildcard cmodel/*/*.h) Makefile
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(OPT) -fPIC -fvisibility=hidden -shared -o $@.$$$$ $< $(wildcard cmodel/*/$*.c cmodel/*/*_$*.c) && mv $@.$$$$ $@

# ---- tests --------------------------------------------------------------------------------
# One program per test_*.c; the C under test carries the sanitizers, the Verilated side is fast.

TESTS := $(patsubst %.c,$(B)/test/%,$(notdir $(TEST_SRC)))
# A main of its own gets a name of its own (tb/room_of_tests.c). The tests themselves, most of them tables and long functions that call what they
# test, take longer to optimize than they run.
$(patsubst %.c,$(OBJ_san)/%.o,$(TEST_SRC)): private UNDER = -Dmain=main_$(*F) -O0
$(patsubst %.c,$(OBJ_opt)/%.o,$(TEST_SRC)): private UNDER = -O0
TEST_OBJ = $(filter %/$(1).o,$(patsubst %.c,$(OBJ_san)/%.o,$(TEST_SRC)))

tests: $(TESTS) $(B)/test/ballast $(POLICIES)
	@$(MAKE) $(B)/formal.tools $(B)/mutate.objects $(B)/rules.objects >/dev/null # several of the checks want them at once
	@echo $(notdir $(TESTS)) >$(B)/test/programs # an older build may have left others

# What was made for it as a program with these tests.
LINK_TESTS = $(CC) $(CPPFLAGS) $(CFLAGS) $(SAN) -DTESTS='$(patsubst %,T(%),$(1))' -c tb/room_of_tests.c -o $@.o && \
  $(CXX) -fsanitize=address,undefined -o $@ $@.o $(filter %.o,$^) $(LIBS) -lcmocka

# The tests of a room are linked as one program, which has a name for each of them: to link each alone takes longer than to compile it.
room = $(B)/test/rooms/$(subst /,_,$(patsubst %/,%,$(dir $(1))))
ROOM_OF = $(call room,$(filter %/$(1).c,$(TEST_SRC)))
TESTS_OF = $(foreach src,$(TEST_SRC),$(if $(filter $(1),$(call room,$(src))),$(src)))
TESTS_OBJ = $(patsubst %.c,$(OBJ_san)/%.o,$(call TESTS_OF,$(1)))
$(TESTS): $(B)/test/%: $$(call ROOM_OF,$$*)
	@ln -f $< $@
$(sort $(foreach src,$(TEST_SRC),$(call room,$(src)))): $$(call TESTS_OBJ,$$@) $(FIXTURE_SRC:%.c=$(OBJ_san)/%.o) $(call OBJS,san) $$(SHIMS) tb/room_of_tests.c
	@echo "  link      $@"
	@mkdir -p $(@D)
	@$(call LINK_TESTS,$(basename $(notdir $(call TESTS_OF,$@))))

include sim/install/install.mk sim/sweep/sweep.mk sim/studies/studies.mk sim/python/python.mk sim/adapters/adapters.mk tb/rules/rules.mk tb/systemc/sysc.mk tb/icarus/icarus.mk tb/dpi/dpi.mk tb/cover/cover.mk tb/fuzz/fuzz.mk tb/formal/formal.mk tb/cross/cross.mk tb/mutate/mutate.mk

endif
