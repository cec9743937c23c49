# SPDX-License-Identifier: Apache-2.0
#
# Studies. Included by the Makefile.

.PHONY: sweep sweep-update
sweep: ready ## all points of a study that are not done yet, into build/sweep.sqlite (STUDY=FILE.toml, default sim/sweep/policies.toml)
	@$(MAKE) -j$(JOBS) build
	@$(BALLAST) sweep $(or $(STUDY),sim/sweep/policies.toml)

sweep-update: ready # the same from nothing, killed twice and resumed, and what the page of sweeps says of it
	@$(MAKE) -j$(JOBS) build
	@python3 sim/sweep/page.py kills $(BALLAST)
	@python3 sim/sweep/page.py plan
