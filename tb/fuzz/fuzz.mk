# SPDX-License-Identifier: Apache-2.0
#
# Coverage-guided fuzzing: a libFuzzer program per block variant that blocks name for it. Included by the Makefile. RTL and models
# are compiled with clang's coverage; the rest is that of the command, as it is. doc/verification/fuzz.md

FCC = $(FUZZ_LLVM)/bin/clang
FCXX = $(FUZZ_LLVM)/bin/clang++
FUZZ := $(B)/fuzz
FUZZ_COVERAGE := -fsanitize=fuzzer-no-link
FUZZ_WARNINGS := -Wno-unknown-warning-option -Wno-gnu-folding-constant

# The C sources of a block's program. What it does with a finding needs the writer of recordings.
FUZZ_MODELS := $(wildcard cmodel/common/*.c cmodel/sm/*.c cmodel/chip/*.c)
FUZZ_PLAIN := $(ENGINE_SRC) $(addprefix tb/fuzz/,block_run.c decode.c fields.c finding.c) \
              $(filter-out $(TEST_SRC) $(FIXTURE_SRC),$(wildcard sim/recording/*.c sim/files/*.c)) \
              $(addprefix sim/replay/,open.c paste.c reproduce.c state_file.c)
FUZZ_C = $(FUZZ_MODELS:%.c=$(FUZZ)/cov/%.o) $(BLOCK_NAMES:%=$(FUZZ)/cov/glue_%.o) $(FUZZ_PLAIN:%.c=$(OBJ_opt)/%.o)

# The variant after the base variants of what its block reads.
fuzz_chain = $(foreach n,$($(1)_NEEDS),$(call fuzz_chain,$(n)) $(n))
fuzz_blocks = $(sort $(call fuzz_chain,$($(1)_BLOCK))) $(1)

$(FUZZ)/cov/%.o: %.c Makefile tb/fuzz/fuzz.mk
	@mkdir -p $(@D)
	@$(FCC) $(CPPFLAGS) $(CFLAGS) $(FUZZ_WARNINGS) -O2 $(FUZZ_COVERAGE) -MMD -MP -c $< -o $@
$(FUZZ)/cov/glue_%.o: tb/shim/model_glue.c Makefile tb/fuzz/fuzz.mk $(wildcard tb/blocks/*/ports.h tb/blocks/*/bind.h)
	@mkdir -p $(@D)
	@$(FCC) $(CPPFLAGS) $(CFLAGS) $(FUZZ_WARNINGS) -O2 $(FUZZ_COVERAGE) -DBLOCK_PORTS='"blocks/$*/ports.h"' -c $< -o $@
-include $(shell find $(FUZZ) -name '*.d' 2>/dev/null)

$(FUZZ)/rtl/%.o: $(B)/rtl/%/verilated_all.inc tb/shim/rtl_shim.cpp Makefile tb/fuzz/fuzz.mk $(SHIM_ENGINE) $(wildcard tb/shim/*.h tb/blocks/*/ports.h tb/blocks/*/bind.h cmodel/*/*.h)
	@echo "  compile   $* (RTL, for fuzzing)"
	@mkdir -p $(@D)
	@$(FCXX) -std=gnu++17 -O2 $(FUZZ_COVERAGE) -w -I$(RTL_DIR) -I$(VINC) -I$(VINC)/vltstd $(VDEFS) $(CPPFLAGS) \
	  -DBLOCK_PORTS='"blocks/$($*_BLOCK)/ports.h"' -DVARIANT=$* -DVARIANT_PARAMS='"$($*_PARAMS)"' \
	  -c tb/shim/rtl_shim.cpp -o $@

$(FUZZ)/%.registry.c: $(B)/blocks.mk tb/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call REGISTRY,$(call fuzz_blocks,$*))

.SECONDARY:
$(FUZZ)/fuzz_%: tb/fuzz/block_main.c $(FUZZ)/%.registry.c $$(call fuzz_rtl,$$*) $(FUZZ_C) $(RUNTIME)
	@echo "  link      $@"
	@$(FCC) $(CPPFLAGS) $(CFLAGS) $(FUZZ_WARNINGS) -O2 -DFUZZ_VARIANT='"$*"' -c tb/fuzz/block_main.c -o $@.main.o
	@$(FCC) $(CPPFLAGS) $(CFLAGS) $(FUZZ_WARNINGS) -O2 -c $(FUZZ)/$*.registry.c -o $@.registry.o
	@$(FCXX) -fsanitize=fuzzer -o $@ $@.main.o $@.registry.o $(filter %.o,$^) -lzstd -lxxhash -llzma -latomic
fuzz_rtl = $(patsubst %,$(FUZZ)/rtl/%.o,$(call fuzz_blocks,$(1)))

# ---- the readers of files, with the sanitizers ----------------------------------------------

FUZZ_SAN := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# What each program needs of the sources, linked from an archive.
FUZZ_FILES := $(MODEL_SRC) $(ANALYTIC_SRC) $(addprefix tb/fuzz/,files.c trace_parts.c) \
              $(filter-out $(TEST_SRC) $(FIXTURE_SRC),$(wildcard sim/recording/*.c sim/files/*.c sim/dump/*.c)) sim/wave/fst_files.c \
              $(addprefix sim/kernels/,fields.c kernel_file.c) sim/analytic/gpu_file.c \
              $(addprefix sim/gpu/,machine.c program.c workload.c) $(CHIPS)/machines.c sim/cli/manifest.c

$(FUZZ)/san/%.o: %.c Makefile tb/fuzz/fuzz.mk
	@mkdir -p $(@D)
	@$(FCC) $(CPPFLAGS) $(CFLAGS) $(FUZZ_WARNINGS) $(FUZZ_SAN) -I$(FST_DIR) -MMD -MP -c $< -o $@

$(FUZZ)/fuzz_files: tb/fuzz/files_main.c $(FUZZ_FILES:%.c=$(FUZZ)/san/%.o) $(OBJ_opt)/fstapi.o $(OBJ_opt)/fst_lz4.o $(OBJ_opt)/fst_fastlz.o
	@echo "  link      $@"
	@$(FCC) $(CPPFLAGS) $(CFLAGS) $(FUZZ_WARNINGS) $(FUZZ_SAN) -c $< -o $@.main.o
	@$(FCXX) -fsanitize=fuzzer,address,undefined -o $@ $@.main.o $(filter %.o,$^) -lconfig -lzstd -lxxhash -llzma -lz -lm -latomic

# ---- the inputs that are kept ----------------------------------------------------------------

# The folders, too: an archive may have gone.
FUZZ_KEPT := $(wildcard tb/fuzz/corpus tb/fuzz/corpus/* tb/blocks/* tb/blocks/*/corpus.tar.xz tb/blocks/*/targets)
$(FUZZ)/corpus/targets: $(FUZZ_KEPT) $(wildcard tb/flow/*.py tb/fuzz/*.py)
	@python3 tb/fuzz/fuzz.py $(B) unpack
$(B)/test/test_fuzz_corpus: | $(FUZZ)/corpus/targets
$(OBJ_san)/tb/fuzz/test_fuzz_corpus.o: CPPFLAGS += -DFUZZ_CORPUS='"$(FUZZ)/corpus"'

# ---- targets --------------------------------------------------------------------------------

SECONDS ?= 60

.PHONY: fuzz fuzz-update
fuzz: ready ## coverage-guided fuzzing, SECONDS=60 for each block and reader of files (BLOCKS="lcs perfsat parts"); Ctrl-C keeps what was found
	@programs=$$(python3 tb/fuzz/fuzz.py $(B) programs $(BLOCKS)) && $(MAKE) -j$(JOBS) $$programs
	@python3 tb/fuzz/fuzz.py $(B) run $(SECONDS) $(BLOCKS)

fuzz-update: ready ## keep new inputs of 'make fuzz' with the blocks and readers, the fewest that reach the same
	@programs=$$(python3 tb/fuzz/fuzz.py $(B) programs $(BLOCKS)) && $(MAKE) -j$(JOBS) $$programs
	@python3 tb/fuzz/fuzz.py $(B) update $(BLOCKS)
