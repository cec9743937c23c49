# SPDX-License-Identifier: Apache-2.0
#
# Studies. Included by the Makefile.

.PHONY: sweep sweep-update experiments experiments-update left-out-update
sweep: ready ## all points of a study that are not done yet, into build/sweep.sqlite (STUDY=FILE.toml, default sim/sweep/policies.toml)
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) sweep $(or $(STUDY),sim/sweep/policies.toml)

FIRST := --study policies --where "fixed IS NULL AND t_idle IS NULL"
INTO := | sed 's/^[^|]/    &/' | python3 tb/flow/pages.py doc/use/sweep.md
sweep-update: sweep # and what the page of sweeps says of it
	@$(BALLAST) query sql "SELECT count(*) AS points, round(sum(seconds)) AS seconds, max(seconds) AS longest FROM point WHERE status = 'done'" $(INTO) sweep "make $@"
	@($(BALLAST) query summary $(FIRST) && echo && $(BALLAST) query best $(FIRST)) $(INTO) policies "make $@"
	@$(BALLAST) query picture $(FIRST) --out doc/use/sweep.svg && rm doc/use/sweep.csv
	@python3 sim/sweep/page.py build/sweep.sqlite $(INTO) plan "make $@"

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
