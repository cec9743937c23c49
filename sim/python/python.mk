# SPDX-License-Identifier: Apache-2.0
#
# The Python package: one shared library of models, recordings and simulator, without RTL, and Python over it. Included by the Makefile.

KIT := $(B)/python/libballast_kit.so
WHEEL := $(B)/python/ballast-$(VERSION)-py3-none-linux_$(shell uname -m).whl
KIT_SRC := $(wildcard sim/python/*.c)
# Of these rooms the linker takes what is called.
KIT_PARTS := $(ENGINE_SRC) $(filter $(addprefix sim/,files/% recording/% replay/% wave/marks.c policy/% gpu/% kernels/%) $(CHIPS)/%,$(SIM_SRC)) \
             $(addprefix sim/cli/,names.c sim_report.c) tb/dpi/named_model.c $(ANALYTIC_SRC) $(MODEL_SRC) $(MODEL_TABLE)
$(B)/lib/glue_%.o: tb/shim/model_glue.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O3 $(PIC) -DBLOCK_PORTS='"blocks/$*/ports.h"' -MMD -MP -c $< -o $@

$(B)/python/parts.a: $(call LIB_OBJS,$(KIT_PARTS)) $(BLOCK_NAMES:%=$(B)/lib/glue_%.o)
	@mkdir -p $(@D)
	@rm -f $@.$$$$ && ar qcs $@.$$$$ $^ && mv $@.$$$$ $@
$(KIT): $(KIT_SRC:%.c=$(B)/lib/%.o) $(B)/python/parts.a sim/python/exports.map
	@$(CC) -shared -Wl,--no-undefined,--as-needed -Wl,--version-script=sim/python/exports.map -o $@.$$$$ $(filter %.o %.a,$^) $(LIBS) && mv $@.$$$$ $@
$(WHEEL): $(KIT) $(wildcard sim/python/*.py sim/python/ballast/*)
	@python3 sim/python/wheel.py --library $(KIT) --version $(VERSION) $@
	@echo "$@"

.PHONY: wheel
wheel: ready ## the Python package for this machine: models, recordings, replays, simulator (pip install build/fermi/python/*.whl)
	@$(MAKE) -j$(JOBS) $(WHEEL)
