# SPDX-License-Identifier: Apache-2.0
#
# The rules of properties.h and history.h beside running blocks. Included by the Makefile.

RULES = $(BLOCK_NAMES:%=$(OBJ_$(1))/rules_%.o) $(OBJ_$(1))/tb/rules/watch.o $(B)/$(1)/rules_registry.o

define RULES_FLAVOUR
$(OBJ_$(1))/rules_%.o: tb/rules/glue.c Makefile tb/rules/rules.mk
	@mkdir -p $$(@D)
	@$$(CC) $$(CPPFLAGS) $$(CFLAGS) -Wno-type-limits $(2) -MMD -MP -DBLOCK_PORTS='"blocks/$$*/ports.h"' -c $$< -o $$@
$(B)/$(1)/rules_registry.o: $(B)/rules_registry.c
	@mkdir -p $$(@D)
	@$$(CC) $$(CPPFLAGS) $$(CFLAGS) $(2) -c $$< -o $$@
endef
$(eval $(call RULES_FLAVOUR,san,$(SAN)))
$(eval $(call RULES_FLAVOUR,opt,$(OPT)))

$(B)/rules_registry.c: $(B)/blocks.mk tb/rules/rules.mk
	@{ echo '/* made from blocks.mk */'; echo '#include "rules/block_rules.h"'; \
	  for b in $(BLOCK_NAMES); do echo "extern const block_rules $${b}_rules;"; done; \
	  echo 'const block_rules *const rules_registry[] = {'; \
	  for b in $(BLOCK_NAMES); do echo "    &$${b}_rules,"; done; echo '    NULL};'; } >$@

$(B)/test/rooms/tb_rules: $(call RULES,san)

# For test_rules.py: everything but the models, which it compiles anew one at a time; how to compile, how to link.
RULES_OBJ = $(patsubst %.c,$(OBJ_opt)/%.o,$(ENGINE_SRC) $(MODEL_TABLE) tb/rules/model_run.c) $(call GLUE,opt) $(call RULES,opt)
RULES_MODELS = $(MODEL_SRC:%.c=$(OBJ_opt)/%.o)
.PHONY: $(B)/rules.objects
$(B)/rules.objects: $(RULES_OBJ) $(RULES_MODELS)
	@{ echo '$(RULES_OBJ)'; echo '$(RULES_MODELS)'; echo '$(CC) $(CPPFLAGS) $(CFLAGS) -O2'; } >$@.$$$$ && mv $@.$$$$ $@.list
