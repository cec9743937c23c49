# SPDX-License-Identifier: Apache-2.0
#
# What the blocks take of energy, and what the policies save. Included by the Makefile.

ENERGY_RECORDING = $(addprefix --recording ,$(RECORDING))
# A recording of each kernel.
ENERGY_KERNELS = pathlong.n3 bfs.n4 chase.n4 fma.n6 hotspot.n2 invmap.n4 pathfinder.n3 srad.n3

.PHONY: energy energy-update
energy: ready ## energy of the blocks' netlists under a recording, and what the policies save beside it (BLOCKS="lcs ...", RECORDING=FILE)
	@$(MAKE) -j$(JOBS) build
	@python3 synth_scripts/energy/energy.py --config $(CONFIG) --out build/energy --saving recorded $(ENERGY_RECORDING) $(BLOCKS)

energy-update: ready # the same on a recording of each kernel, and all of the papers' kernels, into the page
	@$(MAKE) -j$(JOBS) build
	@python3 synth_scripts/energy/energy.py --out build/energy --saving recorded --saving equalizer --page $(ENERGY_KERNELS:%=--recording vectors/%.blt)
