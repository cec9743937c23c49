#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# (Re)creates the recordings and the manifest of vectors/ from a folder of raw recordings, one sub-folder <kernel>.n<N> each
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
