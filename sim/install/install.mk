# SPDX-License-Identifier: Apache-2.0
#
# What other people's machines get: libraries, the command with its data, lists for their tools. Included by the Makefile.

# The golden models, and the analytic models, which know nothing of them.
MAJOR := $(firstword $(subst ., ,$(VERSION)))
STATIC := $(B)/libballast.a $(B)/libballast_analytic.a
SHARED := $(STATIC:%.a=%.so.$(VERSION))
# For other people's programs: no link-time code, position independent. What is stepped in every cycle once more, with -O3.
$(B)/lib/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -O3 $(PIC) -MMD -MP -c $< -o $@
LIB_OBJS = $(foreach c,$(1),$(if $(filter $(c),$(TOGETHER)),$(B)/lib,$(OBJ_opt))/$(c:.c=.o))

$(B)/libballast.a $(B)/libballast.so.$(VERSION): $(call LIB_OBJS,$(MODEL_SRC) $(CLIENT_SRC))
$(B)/libballast_analytic.a $(B)/libballast_analytic.so.$(VERSION): $(call LIB_OBJS,$(ANALYTIC_SRC))
$(STATIC):
	@rm -f $@
	@ar rcs $@ $^
	@echo "$@"
$(SHARED):
	@$(CC) -shared -Wl,-soname,$(patsubst %.$(VERSION),%,$(@F)).$(MAJOR) -Wl,--no-undefined -o $@ $^ -lm
	@echo "$@"

.PHONY: lib install uninstall dist
lib: ready ## the C models as libraries: golden models, analytic models (static and shared), golden models by name for benches
	@$(MAKE) -j$(JOBS) $(STATIC) $(SHARED) $(REFERENCE)

install: ready ## the command with its data, libraries, headers, RTL, man pages to PREFIX (/usr/local; DESTDIR= to pack them)
	@$(MAKE) -j$(JOBS) build $(STATIC) $(SHARED) $(REFERENCE)
	@python3 sim/install/install.py --build $(B) --version $(VERSION) --prefix $(PREFIX) --destdir '$(DESTDIR)'

uninstall: ## what 'make install' has put to PREFIX, and nothing else
	@python3 sim/install/install.py --uninstall --prefix $(PREFIX) --destdir '$(DESTDIR)'

# The lists of RTL files are no files of the tree: a new block has none to be added to.
XZ_LEVEL ?= 6
DIST := ballast-$(VERSION)
dist: ## the committed tree and the lists of its RTL as build/ballast-VERSION.tar.xz, with a checksum
	@[ -e .git ] || { echo "make: dist packs a clone of the repository, and this is none" >&2; exit 2; }
	@mkdir -p build
	@python3 sim/install/rtl_lists.py $(VERSION) build/lists
	@git archive -o build/$(DIST).tar --prefix=$(DIST)/rtl/ $(addprefix --add-file=build/lists/rtl/,ballast.f ballast.core instances.sv) \
	  --prefix=$(DIST)/ --add-file=build/lists/Bender.yml HEAD
	@xz -$(XZ_LEVEL) -f build/$(DIST).tar
	@cd build && sha256sum $(DIST).tar.xz | tee $(DIST).tar.xz.sha256
