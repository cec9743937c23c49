# SPDX-License-Identifier: Apache-2.0
#
# Sweeps. Included by the Makefile.

.PHONY: sweep sweep-update
sweep: ready ## all points of a study that are not done yet, into build/sweep.sqlite (STUDY=FILE.toml, default sim/sweep/policies.toml)
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) sweep $(or $(STUDY),sim/sweep/policies.toml)

FIRST := --study policies --where "fixed IS NULL AND t_idle IS NULL"
INTO := > build/sweep.said && sed 's/^[^|]/    &/' build/sweep.said | python3 tb/flow/pages.py doc/use/sweep.md
sweep-update: ready # sim/sweep/policies.toml from nothing, killed twice and resumed, and what the page of sweeps says of it
	@$(MAKE) -j$(JOBS) build
	@rm -rf build/sweep.sqlite*
	@(sweep="$(BALLAST) sweep sim/sweep/policies.toml"; \
		for call in 1 2; do timeout -s KILL 180 $$sweep; [ $$? != 137 ] || echo "kill -9"; done; \
		$$sweep && $(BALLAST) query studies) $(INTO) kills "make $@"
	@($(BALLAST) query summary $(FIRST) && echo && $(BALLAST) query best $(FIRST)) $(INTO) policies "make $@"
	@$(BALLAST) query picture $(FIRST) --out doc/use/sweep.svg && rm doc/use/sweep.csv
	@python3 sim/studies/sweep_page.py build/sweep.sqlite $(INTO) plan "make $@"
