#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# (Re)creates vectors/ from a folder of raw recordings, one sub-folder <kernel>.n<N> each
# (doc/use/import_raw.md). Usage: sim/recording/make_vectors.sh RECORDINGS_DIR [OUT_DIR]
# $BALLAST is the command to use, build/fermi/ballast unless set.
set -euo pipefail
export LC_ALL=C

recordings=${1:?usage: make_vectors.sh RECORDINGS_DIR [OUT_DIR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=${2:-$root/vectors}
ballast=${BALLAST:-$root/build/fermi/ballast}
recorder="GPGPU-Sim 4.2.0 (accel-sim/gpgpu-sim_distribution 667834cf)"

# kernel -> the program it comes from and its input
declare -A program=(
  [bfs]="Rodinia bfs, random graph of 24576 nodes, blocks of 256"
  [chase]="own: chains of dependent loads"
  [fma]="own: arithmetic, ALU bound"
  [hotspot]="Rodinia hotspot, 192x192, pyramid height 2, 2 iterations"
  [invmap]="Rodinia kmeans, kernel invert_mapping"
  [pathfinder]="Rodinia pathfinder, 20000x21, pyramid height 20"
  [pathlong]="Rodinia pathfinder, 200000x21, pyramid height 20"
  [srad]="Rodinia srad_v2, 256x256, 1 iteration"
)

mkdir -p "$out"
manifest=$out/MANIFEST.csv
echo "file,kernel,program,configuration,recorder,limit,sms,cycles,launches,sha256" > "$manifest.tmp"
trap 'rm -f "$manifest.tmp"' EXIT

for dir in "$recordings"/*.n*/; do
  name=$(basename "$dir")
  kernel=${name%.n*}
  limit=${name##*.n}
  [ -n "${program[$kernel]:-}" ] || continue
  file=$name.blt
  "$ballast" import --dir "$dir" --out "$out/$file" --kernel "$kernel" --limit "$limit" \
    --config "SM2_GTX480 with -gpgpu_shader_cta $limit" --recorder "$recorder"
  IFS=, read -r _ _ config who at sms cycles launches _ < <("$ballast" info --verify --csv "$out/$file")
  sum=$(sha256sum "$out/$file")
  echo "$file,$kernel,\"${program[$kernel]}\",$config,$who,$at,$sms,$cycles,$launches,${sum%% *}" >> "$manifest.tmp"
done
mv "$manifest.tmp" "$manifest"

cat > "$out/README.md" <<'EOF'
# Recorded SM activity of real kernels

One file per kernel and CTA limit: `<kernel>.n<N>.blt` was recorded with N configured as the most CTAs per SM (`limit` in
`MANIFEST.csv`). The limit in force is the smaller of N and Nmax, the number that fits; it stands in the file for each
launch (`ballast info FILE`). The largest N, 8, is "as many as fit". All limits of one kernel form a family: the same work,
so a player can change between them at equal progress. `MANIFEST.csv` lists every file with its program, configuration and
SHA-256; `doc/use/trace_format.md` describes the bytes.

| kernel | launches | CTAs per launch, warps per CTA | Nmax | N recorded |
|---|---|---|---|---|
| bfs | 22, two kernels in turn | 96 of 8 | 6 | 1 2 3 4 5 8 |
| chase | 1 | 240 of 4 | 8 | 1 to 8 |
| fma | 1 | 240 of 4 | 8 | 1 to 8 |
| hotspot | 1 | 256 of 8 | 3 | 1 2 8 |
| invmap | 1 | 180 of 4 | 8 | 1 to 8 |
| pathfinder | 1 | 93 of 8 | 6 | 1 2 3 4 5 8 |
| pathlong | 1 | 926 of 8 | 6 | 1 2 3 4 5 8 |
| srad | 2, two kernels | 256 of 8 | 5 and 4 | 1 2 3 4 8 |

Every limit from 1 to Nmax is there; that of the n8 files is Nmax itself.

## How they were recorded

* Simulator: accel-sim/gpgpu-sim_distribution, `dev` at 667834cf (4.2.0), execution-driven PTX mode, with local patches
  that record and do not change the simulated cycle counts.
* Configuration: `SM2_GTX480` (15 SMs, 48 warps and 8 CTA slots per SM, two GTO schedulers per SM for even and odd warps,
  32768 registers, 48 KiB shared memory, 16 KiB L1D, 6 memory channels, 700 MHz core clock); only `-gpgpu_shader_cta` was
  changed, to N.
* Compiler: nvcc 13.0 to PTX 9.0 for sm_75, `.target` rewritten to sm_20. Registers per thread are those of ptxas for
  sm_75, so the resource limit Nmax is not exactly a Fermi's.
* Kernels: bfs, hotspot, pathfinder, srad_v2 and `invert_mapping` of kmeans (as invmap) from Rodinia; chase and fma were
  written for these recordings. pathlong is pathfinder with ten times the input.
* Recorded: every cycle of SM 0 and SM 1 (pathlong: SM 0), from the first kernel start to the SM's last CTA. Cycles in
  which the SM held no CTA have all warps EMPTY.

Know the limits of the material: the grids are small (1 to 20 CTAs per SM and launch; pathlong 61 or 62), so the tail of a
grid, when SMs run empty, shows. Latencies are the simulator's. The recorder did not note the shape of the grids: `is_2d` is
0 in all launches, although those of hotspot and srad are 2-D. The results of chase and invmap were checked on the host,
those of the others were not.

## To make them again

`sim/recording/make_vectors.sh RECORDINGS_DIR` converts a folder of raw recordings (`doc/use/import_raw.md`) and writes
`MANIFEST.csv` and this file. `sim/recording/check_vectors.sh vectors` compares the files with their digests.

## Licence

The recordings were made by this project and are dedicated under CC0-1.0
(<https://creativecommons.org/publicdomain/zero/1.0/>) or, at your choice, licensed under Apache-2.0 (`LICENSE`). They hold
the activity of the kernels only, no program code.
EOF
