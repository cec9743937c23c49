#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check_config.sh CONFIG: a named configuration builds, its twins agree on random input, and its chip passes on
# recordings. In a build folder of its own, without the parameter variants of the per-SM blocks, and without optimization: to compile
# takes longer than to run.
set -euo pipefail

config=${1:?usage: check_config.sh CONFIG}
build=build/$config-base
make --no-print-directory "CONFIG=$config" "B=$build" BASE=1 OPT=-O0 LARGE= "$build/test/ballast" "$build/test/test_lockstep"
"$build/test/test_lockstep" twins_agree_on_random_input
"$build/test/ballast" lockstep --out "$build/out" vectors/pathfinder.n8.blt
"$build/test/ballast" chip --out "$build/out" --max-cycles 12000 vectors/srad.n3.blt
"$build/test/ballast" chip --out "$build/out" --block chip_governor_top --set chip_governor_top.mode=ENERGY vectors/hotspot.n8.blt
