#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_cover.sh BUILD_DIR: coverage of two blocks in a copy of the tree with a planted point that nothing reaches: it is
# named as a hole; an exclusion with a reason settles it; a stale one is refused; without a test's counts there is less
# covered; damaged counts are refused; the page shows what the files say. Prints a line per case, "ok - name" or
# "not ok - name: why"; exit status 1 if any failed.
set -uo pipefail

build=$(realpath -- "${1:?usage: test_cover.sh BUILD_DIR}") || exit 2
repository=$PWD
[ -f vectors/MANIFEST.csv ] || { echo "test_cover.sh: no vectors/MANIFEST.csv here; run it from the repository root" >&2; exit 2; }
make "${build#"$repository/"}/cover-report" >/dev/null || { echo "test_cover.sh: $build/cover-report cannot be made" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

report() { # NAME WHY: an empty WHY is a success
    if [ -z "$2" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: $(head -n 8 <<<"$2")"
        failed=1
    fi
}

# A copy to plant things in; what is built already is used as it is.
mkdir "$work/tree" "$work/tree/build"
cp -a Makefile rtl tb cmodel sim synth_scripts "$work/tree"
ln -s "$repository/vectors" "$work/tree/vectors"
ln -s "$build" "$work/tree/build/$(basename "$build")"
cd "$work/tree" || exit 2
config=$(basename "$build")
out=build/cover/part
excluded=tb/blocks/dyncta/cover.exclude
cover_sv=tb/blocks/dyncta/cover.sv

# The report once more from the counts that are there: $status, $work/said.
again() { # [TESTS_DIR]
    "build/$config/cover-report" --out $out $out/recordings "${1:-$out/tests}" dyncta stall_classifier >"$work/said" 2>&1
    status=$?
}
expect() { # STATUS WORD...: what is wrong with the last one
    local word
    [ $status -eq "$1" ] || echo "exit status $status instead of $1: $(tail -n 3 "$work/said")"
    shift
    for word in "$@"; do grep -qF -- "$word" "$work/said" || echo "'$word' is not in: $(tail -n 5 "$work/said")"; done
}
functional() { jq -r --arg b "$1" --arg s "$2" '.blocks[] | select(.block == $b) | .functional[$s].hit' $out/status.json; } # BLOCK SUITE

sed -i 's#^endmodule#  // a point that nothing reaches\n  `P(Planted, dyncta.sample_end_o \&\& !dyncta.enable_i)\n&#' $cover_sv
at=$(grep -n 'P(Planted' $cover_sv | cut -d: -f1)
JOBS=2 tb/cover/cover.sh --config "$config" --report "build/$config/cover-report" --recordings "vectors/hotspot.n2.blt" dyncta stall_classifier >"$work/said" 2>&1
status=$?
report "a point that nothing reaches is a hole, by name and place" "$(expect 1 "hole: $cover_sv:$at: Planted: a point that nothing reaches")"
report "no other hole" "$([ "$(grep -c "^hole:" "$work/said")" = 1 ] || grep "^hole:" "$work/said")"
[ -s $out/status.json ] || { cat "$work/said"; exit 1; }

report "recordings alone reach less than recordings and tests" "$(
    [ "$(functional dyncta recordings)" -gt 5 ] || echo "recordings: $(functional dyncta recordings)"
    [ "$(functional dyncta recordings)" -lt "$(functional dyncta whole)" ] || echo "as much: $(functional dyncta whole)")"
report "the page names the hole and carries the source" "$(
    grep -q 'class="verdict bad"' $out/index.html || echo 'no bad verdict'
    grep -qF '<th scope="row">Planted</th>' $out/index.html || echo 'no row Planted'
    grep -q 'id="dyncta-100"' $out/index.html || echo 'no line 100 of dyncta.sv'
    grep -oiE "(src|srcset|data)=[\"'][^#]|url\(|@import|<(script|link|iframe|img|base)\b" $out/index.html)"
report "CSV and JSON agree" "$([ "$(functional dyncta whole)" = "$(awk -F, '$1 == "dyncta" && $2 == "functional" && $3 == "whole" { print $4 }' $out/cover.csv)" ] || echo "they differ")"

before=$(functional dyncta whole)
old=$(cat $excluded 2>/dev/null)
printf '%s\n%s\n' "$old" 'functional Planted -- a sample does not end without the enable: EnableEvents' >$excluded
again
report "an exclusion with a reason settles it" "$(expect 0; grep -q 'EnableEvents' $out/index.html || echo 'the page does not give the reason')"
printf '%s\n%s\n' "$old" 'functional DYN_3_down -- never' >$excluded
again
report "an exclusion of what is hit is refused" "$(expect 3 "'functional DYN_3_down' is hit")"
printf '%s\n%s\n' "$old" 'functional Nowhere -- never' >$excluded
again
report "an exclusion of what does not exist is refused" "$(expect 3 "'functional Nowhere' does not exist")"
printf '%s\n%s\n' "$old" 'line else nothing like this -- never' >$excluded
again
report "the same for a line" "$(expect 3 "does not exist")"
printf '%s\n%s\n' "$old" 'functional Planted' >$excluded
again
report "an exclusion without a reason is refused" "$(expect 3 "no reason")"
if [ -n "$old" ]; then echo "$old" >$excluded; else rm $excluded; fi

mkdir "$work/fewer"
cp $out/tests/test_stall* "$work/fewer"
again "$work/fewer"
report "without a test's counts less is covered, and the holes are named" "$(expect 1 "hole: $cover_sv" "hole: rtl/sm/dyncta.sv"
    [ "$(functional dyncta whole)" -lt "$before" ] || echo "$before before, $(functional dyncta whole) now")"

for file in $out/tests/test_dyncta.*; do
    cp "$file" "$work/whole"
    head -c $(($(stat -c %s "$file") / 2)) "$work/whole" >"$file"
    again
    report "a file of counts that ends early is refused: ${file##*.}" "$(expect 3 'is damaged')"
    cp "$work/whole" "$file"
done
mkdir "$work/empty"
"build/$config/cover-report" --out $out "$work/empty" "$work/empty" >"$work/said" 2>&1
status=$?
report "no counts at all are refused" "$(expect 3 'no counts at all')"
tb/cover/cover.sh --report "build/$config/cover-report" nonsense >"$work/said" 2>&1
status=$?
report "an unknown block is refused" "$(expect 2 "there is no block 'nonsense'")"
exit $failed
