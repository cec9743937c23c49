# SPDX-License-Identifier: Apache-2.0
#
# What is made from the lists of registers. Included by the Makefile.

.PHONY: registers
registers: ## write anew what is made from rtl/registers/*.csv: RTL package, C header, SystemRDL, the page's table
	@python3 synth_scripts/registers/registers.py
