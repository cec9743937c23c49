# SPDX-License-Identifier: Apache-2.0
#
# The reference models by name as a shared library of their own, for benches of other people. Included by the Makefile.

REFERENCE := $(B)/libballast_reference.so.$(VERSION)
# Nothing of the models shows but the functions of reference.h.
REFERENCE_OBJS = $(patsubst %.c,$(OBJ_opt)/%.o,$(MODEL_SRC) $(MODEL_TABLE) $(addprefix tb/engine/,decision.c port.c ranges.c rtl_name.c) $(addprefix tb/dpi/,reference.c named_model.c pins.c)) \
                 $(call GLUE,opt)

$(REFERENCE): $$(REFERENCE_OBJS) tb/dpi/exports.map
	@$(CC) -shared -Wl,-soname,libballast_reference.so.$(MAJOR) -Wl,--no-undefined -Wl,--version-script=tb/dpi/exports.map -o $@ $(filter %.o,$^)
	@echo "$@"
