# SPDX-License-Identifier: Apache-2.0
#
# make EXTERN=FOLDER GOAL...: the same goals in a tree of this repository's files and the blocks in FOLDER. The Makefile is this file then.

.PHONY: extern $(MAKECMDGOALS)
$(or $(MAKECMDGOALS),help): extern ;
extern:
	@tree=$$(python3 tb/extern/tree.py '$(EXTERN)' '$(or $(CONFIG),fermi)') && echo "in $$tree:" && $(MAKE) --no-print-directory -C "$$tree" EXTERN= $(MAKECMDGOALS)
