# SPDX-License-Identifier: Apache-2.0
#
# What the blocks cost. Included by the Makefile. CONFIG_AREA="fermi kepler" chooses configurations (default: all).

CONFIG_AREA ?=

.PHONY: area area-update area-recipes-update area-scaling area-scaling-update libraries
area: ready ## flip-flops, area, LUTs and longest path of every block, against the recorded baseline (CONFIG_AREA=..., BLOCKS="lcs ...")
	@python3 synth_scripts/area/area.py $(if $(BLOCKS),,--out build/area) $(addprefix --block ,$(BLOCKS)) $(CONFIG_AREA)

area-update: ready ## the same, and record it as the baseline (BLOCKS="lcs ...": the rows of these)
	@python3 synth_scripts/area/area.py $(if $(BLOCKS),,--out build/area) --update $(addprefix --block ,$(BLOCKS))

area-recipes-update: ready # the synthesis recipe beside others, into the page
	@python3 synth_scripts/area/area_recipes.py --page

area-scaling: ready ## area and longest path over warps, CTA slots, widths, SMs: table and picture
	@python3 synth_scripts/area/area_scaling.py --out build/area

area-scaling-update: ready # the same into the page, with the picture
	@python3 synth_scripts/area/area_scaling.py --out build/area --page
	@cp build/area/scaling.svg doc/use/area_scaling.svg

libraries: ready ## how far the built-in library of cells is from osu018: the table of doc/use/area.md
	@python3 synth_scripts/area/area_libraries.py --page
