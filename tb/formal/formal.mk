# SPDX-License-Identifier: Apache-2.0
#
# One step of each C model, proved equal to one step of the RTL. Included by the Makefile.

.PHONY: formal formal-update formal-changed
formal: ready ## prove that a step of each C model is a step of the RTL, from every state (BLOCKS="lcs lcs_ceil ...", VARIANTS=1, RESUME=1 after an interrupt, PROVED_PARTS=1: parts as the page tells, LIMIT=900 seconds of processor time for a question)
	@python3 tb/formal/formal.py --config $(CONFIG) $(if $(VARIANTS),--variants) $(if $(RESUME),--resume) $(if $(PROVED_PARTS),--proved-parts) $(if $(LIMIT),--seconds $(LIMIT)) $(BLOCKS)

formal-update: ready ## the same, and the results go into doc/verification/proofs.md, beside what it has of others; with VARIANTS=1 and all blocks no others are left
	@python3 tb/formal/formal.py --config $(CONFIG) $(if $(VARIANTS),--variants) $(if $(RESUME),--resume) $(if $(PROVED_PARTS),--proved-parts) $(if $(LIMIT),--seconds $(LIMIT)) --record --page doc/verification/proofs.md $(BLOCKS)

formal-changed: # below the page's tables, which rows are of sources that have changed since, and what has none
	@python3 tb/formal/page.py

# The tools of formal.py. words.c knows the blocks by their models.
STEPIR_SRC := $(addprefix tb/formal/,aig.c aig_files.c bits.c ir.c ir_instructions.c ir_shape.c ir_values.c memory.c patterns.c stepir.c vec.c)
# What is linked with LLVM has a folder per version.
LLVM_LINK = -isystem $(LLVM_DIR)/include -L$(LLVM_DIR)/lib -Wl,-rpath,$(LLVM_DIR)/lib -lLLVM-$(patsubst llvm-%,%,$(notdir $(LLVM_DIR))) -ldl
$(B)/formal/llvm-%/stepir: $(STEPIR_SRC) $(wildcard tb/formal/*.h) Makefile tb/formal/formal.mk
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -o $@ $(STEPIR_SRC) $(LLVM_LINK)
$(B)/formal/llvm-%/unknowns: tb/formal/unknowns.c tb/formal/assigned.c tb/formal/assigned.h Makefile tb/formal/formal.mk
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O2 -o $@ $(filter %.c,$^) $(LLVM_LINK)

# Objects and blocks are known further down in the Makefile.
WORDS_OBJ = $(patsubst %.c,$(OBJ_opt)/%.o,$(MODEL_SRC) $(MODEL_TABLE) tb/engine/decision.c tb/engine/port.c) $(call GLUE,opt)
REPLAY_OBJ = $(OBJ_opt)/tb/engine/dut.o $(patsubst %,$(B)/verilator/%.o,runtime parts verilated verilated_threads)
.PHONY: $(B)/formal.tools
$(B)/formal.tools:
	@$(MAKE) $(addprefix $(B)/formal/$(notdir $(LLVM_DIR))/,stepir unknowns) $(WORDS_OBJ) $(REPLAY_OBJ)
	@[ -z "$$(find $(WORDS_OBJ) tb/formal/words.c -newer $(B)/formal/words 2>&1)" ] || \
	  $(CC) $(CPPFLAGS) $(CFLAGS) -O1 -o $(B)/formal/words tb/formal/words.c $(WORDS_OBJ) -lm
