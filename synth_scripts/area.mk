# SPDX-License-Identifier: Apache-2.0
#
# What the blocks cost. Included by the Makefile.

.PHONY: area
area: ready ## cells and flip-flops of every block, against the recorded baseline
	@synth_scripts/area.sh
