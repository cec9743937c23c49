# SPDX-License-Identifier: Apache-2.0
#
# The papers' experiments. Included by the Makefile.

.PHONY: experiments experiments-update left-out-update

# The runs are a study; the tables, which are means over kernels, are made of what the store has.
EXPERIMENTS := build/experiments
define run_experiments
@$(MAKE) -j$(JOBS) build
$(if $(EXPERIMENT),,@$(BALLAST) sweep --store $(EXPERIMENTS).sqlite sim/sweep/experiments.toml)
$(if $(EXPERIMENT),,@$(BALLAST) query --store $(EXPERIMENTS).sqlite table --out $(EXPERIMENTS).csv)
@$(BALLAST) experiment $(or $(EXPERIMENT),all) --runs $(EXPERIMENTS).csv --out $(EXPERIMENTS)
endef

experiments: ready ## the papers' experiments in the activity simulator, into build/experiments (EXPERIMENT=lcs-bcs: that one); a study, what is done is not run again
	$(run_experiments)

experiments-update: ready # the same, and the tables with the papers' numbers go into their page
	$(run_experiments) >$(EXPERIMENTS).txt
	@python3 sim/studies/experiments_page.py $(if $(EXPERIMENT),--keep) <$(EXPERIMENTS).txt

left-out-update: ready # kernels of the experiments with all their CTAs, too; how far they differ goes into the same page
	@$(MAKE) -j$(JOBS) build
	@python3 sim/studies/left_out_page.py $(BALLAST)
