# SPDX-License-Identifier: Apache-2.0
#
# Second opinions on the proofs. Included by the Makefile. doc/verification/cross.md

.PHONY: formal-cross
formal-cross: ready ## second opinions on what 'make formal' left: another front end, another solver (SECONDS=60 an output, BLOCKS="lcs ...")
	@python3 tb/cross/cross.py --config $(CONFIG) --seconds $(SECONDS) $(if $(BLOCKS),$(BLOCKS),--page doc/verification/cross.md)
