#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_area.sh: does `area.sh` say what it has to say? Works on a copy of RTL and scripts, with a baseline of that copy, plants
# faults there and reads the answers. Run from the repository root. Last line "N passed, N failed".
set -euo pipefail

[ -f synth_scripts/area/area.sh ] && [ -d rtl ] || { echo "test_area.sh: no rtl here; run it from the repository root" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/tree"
repo=$PWD
cp -r rtl synth_scripts "$work/tree"
cd "$work/tree"
cp -r rtl "$work/rtl"
mkdir "$work/tmp"
export TMPDIR=$work/tmp
base=synth_scripts/area/area_baseline.json

passed=0 failed=0
report() { # NAME STATUS
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "FAILED: $1"
    sed 's/^/    /' "$work/said"
}

# Status, and a line of what was said; with "one" as the first word, nothing but that line.
expect() { # NAME STATUS PATTERN COMMAND...
    local name=$1 want=$2 pattern=$3 status=0 good=0
    shift 3
    "$@" >"$work/said" 2>&1 || status=$?
    [ $status -eq "$want" ] || { good=1; echo "status $status, not $want" >>"$work/said"; }
    if [[ $pattern == "one "* ]]; then
        pattern=${pattern#one }
        [ "$(wc -l <"$work/said")" -eq 1 ] || good=1
    fi
    grep -qE -- "$pattern" "$work/said" || { good=1; echo "no line like: $pattern" >>"$work/said"; }
    report "$name" $good
}

area() { synth_scripts/area/area.sh "$@"; }
quick() { AREA_ICE40='' area "$@"; } # without LUTs, which that test does not need
restore() { rm -rf rtl && cp -r "$work/rtl" rtl && cp "$work/base.json" $base; }
edit_base() { jq "$1" "$work/base.json" >$base; }

# ---- refusals: one line, status 2 -----------------------------------------------------------
rm -f $base
expect "no baseline" 2 "one no $base .*make area-update" area --block vf_domain fermi
echo '{"tools": {"yosys": "Yo' >$base
expect "baseline cut off" 2 "one $base is damaged" area --block vf_domain fermi
echo '{"tools": {"yosys": "x"}, "rows": [{"config": "fermi", "block": "vf_domain", "flip_flops": "many"}]}' >$base
expect "baseline without numbers" 2 "one $base is damaged" area --block vf_domain fermi
expect "unknown configuration" 2 "one no configuration 'volta'; there are: fermi" area --block vf_domain volta
expect "unknown block" 2 "one no block 'nosuch'; there are: .*vf_vote" area --block nosuch fermi
expect "unknown option" 2 "one unknown option '--nosuch'" area --nosuch
expect "liberty missing" 2 "one /nowhere.lib: no such liberty" area --library /nowhere.lib --block vf_domain fermi
echo 'library(empty) { }' >"$work/empty.lib"
expect "liberty without cells" 2 "one $work/empty.lib: FO4 of INVX1 cannot be measured" \
    area --library "$work/empty.lib" --block vf_domain fermi
expect "update of a part" 2 "one --update records all" area --update fermi
expect "not in the repository" 2 "one no rtl/configs here" bash -c "cd /; '$PWD/synth_scripts/area.sh'"
# A path with everything but one tool.
for tool in yosys sta; do
    mkdir "$work/no-$tool"
    for dir in /usr/bin /bin; do ln -sf $dir/* "$work/no-$tool/" 2>/dev/null || true; done
    rm -f "$work/no-$tool/$tool"
    expect "$tool missing" 2 "one $tool is missing; 'make setup' installs it" env PATH="$work/no-$tool" \
        synth_scripts/area/area.sh --block vf_domain fermi
done

# ---- the copy's own baseline, from a run's JSON ------------------------------------------------
# A run needs a baseline; this one knows nothing of it.
echo '{"tools": {"yosys": "none"},
    "rows": [{"config": "x", "block": "x", "parameters": "", "flip_flops": 1, "area_um2": 1, "fo4": 1, "lut4": 1}]}' >$base
area --block vf_domain --block eq_counters --out "$work/first" fermi >"$work/said" 2>&1 || true
[ -f "$work/first/area.json" ] || { cat "$work/said"; echo "test_area.sh: no first run, so nothing can be compared" >&2; exit 1; }
jq '{tools, rows: [.rows[] | del(.verdict, .why)]}' "$work/first/area.json" >"$work/base.json"
cp "$work/base.json" $base

csv_agrees() { # as many rows in CSV as in JSON, a picture, and flip-flops that are not 0
    [ "$(($(wc -l <"$work/first/area.csv") - 1))" -eq "$(jq '.rows | length' "$work/first/area.json")" ] &&
        grep -q '^"fermi","eq_counters",".*",56,' "$work/first/area.csv" && grep -q '</svg>' "$work/first/area.svg"
}
expect "CSV, JSON, picture" 0 . bash -c "$(declare -f csv_agrees); work='$work'; csv_agrees && echo yes"

# ---- verdicts ----------------------------------------------------------------------------------
expect "nothing changed: same" 0 '^baseline: 2 same$' area --block vf_domain --block eq_counters fermi

# A register more in the way of an output, and nothing else.
plant() { # FILE FROM TO: replaces text, which must be there
    grep -qF "$2" "$1" || { echo "test_area.sh: $1 has no '$2' any more; choose another place for the fault" >&2; exit 1; }
    FROM=$2 TO=$3 perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$1"
}
plant rtl/chip/vf_domain.sv 'assign stall_o = busy_o' "logic planted_q;
  always_ff @(posedge clk_i) planted_q <= busy_o;
  assign stall_o = planted_q"
plant rtl/chip/vf_domain.sv 'assign busy_o  = timer_q != '"'0;" 'assign busy_o  = timer_q != '"'0 && !planted_q;"
expect "planted register: worse, by name" 1 'worse: vf_domain \(fermi\): 14 -> 15 flip-flops' quick --block vf_domain fermi
restore

# The paper's number is a claim of its own, also while the baseline is stale.
plant rtl/sm/eq_counters.sv 'assign epoch_end_o =' "logic planted_q;
  always_ff @(posedge clk_i) planted_q <= kernel_start_i;
  assign epoch_end_o = !planted_q &&"
edit_base '.tools.yosys = "Yosys 0.1"'
expect "planted register: EQ-5 does not hold" 1 'eq_counters \(fermi\) has 57 flip-flops, EQ-5 says 56' quick --block eq_counters fermi
restore

edit_base '.tools.yosys = "Yosys 0.1"'
expect "other tool version: stale" 0 'area.sh: stale, not compared.*yosys: Yosys 0.1 there, Yosys .* here.*make area-update' \
    quick --block vf_domain fermi
edit_base '.tools.recipe = "0"'
expect "other recipe: stale" 0 'stale, not compared.*recipe: 0 there' quick --block vf_domain fermi
edit_base '(.rows[] | select(.block == "eq_counters") | .parameters) = "NumWarps=32"'
expect "other parameters: stale" 0 'stale, not compared, 1 of them: recorded with NumWarps=32, now NumWarps=48' \
    quick --block eq_counters fermi
edit_base '.rows |= map(select(.block != "vf_domain"))'
expect "block without a row: new" 1 'new: vf_domain \(fermi\): not in the baseline' quick --block vf_domain fermi
edit_base '.rows[0] as $r | .rows += [$r + {block: "perfdog"}]'
expect "row without a block: gone" 1 'gone: perfdog \(fermi\)' quick --block vf_domain fermi
edit_base '(.rows[] | select(.block == "vf_domain")).area_um2 *= 0.9'
expect "more area: worse" 1 'worse: vf_domain \(fermi\): .* um2' quick --block vf_domain fermi
edit_base '(.rows[] | select(.block == "vf_domain")).fo4 *= 0.9'
expect "longer path: worse" 1 'worse: vf_domain \(fermi\): .* FO4' quick --block vf_domain fermi
edit_base '(.rows[] | select(.block == "vf_domain")) |= (.fo4 *= 1.03 | .area_um2 *= 0.97)'
expect "within 5 %: same" 0 '^baseline: 1 same$' quick --block vf_domain fermi
edit_base '(.rows[] | select(.block == "vf_domain")) |= (.flip_flops += 2 | .lut4 *= 2)'
expect "fewer: better" 0 '^baseline: 1 better$' area --block vf_domain fermi
restore

# ---- what may not be there ---------------------------------------------------------------------
plant rtl/chip/vf_domain.sv 'assign busy_o  = timer_q != '"'0;" "logic planted;
  always_latch if (mode_i) planted = timer_q != '0;
  assign busy_o = planted;"
expect "a latch" 2 'one vf_domain \(fermi\): [1-9] latches' quick --block vf_domain fermi
restore
for slow in '*' '/' '%'; do
    plant rtl/chip/vf_domain.sv 'assign busy_o  = timer_q != '"'0;" "assign busy_o = (timer_q $slow level_o) != '0;"
    expect "a multiplier or divider: $slow" 2 'one vf_domain \(fermi\): a multiplier or divider: vf_domain/' quick --block vf_domain fermi
    restore
done
plant rtl/chip/vf_domain.sv 'assign stall_o = busy_o' 'assign stall_o = busy_o &&& '
expect "RTL that Yosys cannot read" 2 'one vf_domain \(fermi\): yosys failed: .*syntax error' quick --block vf_domain fermi
restore
expect "a tool that hangs" 2 'one eq_counters \(fermi\): yosys did not end within 0.1 s' \
    env AREA_LIMIT=0.1 synth_scripts/area/area.sh --block eq_counters fermi
sed -i -e 's/fermi:  {registers: 32768/fermi:  {registers: 64/' \
    -e 's/l1_shared_kib: 64,  source: "GF100/l1_shared_kib: 0,  source: "GF100/' synth_scripts/area/area_sm.jq
expect "a governor too large for its SM" 1 'sm_governor \(fermi\) is [0-9.]+ % of its SM.s storage' quick --block sm_governor fermi
cp "$repo/synth_scripts/area_sm.jq" synth_scripts/

# ---- an update that is stopped leaves the baseline as it was --------------------------------------
cp $base "$work/before"
set -m
synth_scripts/area/area.sh --update >"$work/said" 2>&1 &
job=$!
set +m
sleep 2
kill -INT -- -$job 2>/dev/null || true
wait $job || true
left=$(find synth_scripts -name '*.tmp'; ls "$work/tmp")
stopped=0
cmp -s $base "$work/before" && [ -z "$left" ] || { stopped=1; echo "left behind: $left" >>"$work/said"; }
report "update stopped: nothing changed, nothing left" $stopped

# ---- scaling -------------------------------------------------------------------------------------
expect "scaling: not a list" 2 "one 'NumSms' is not NAME=VALUE" synth_scripts/area/area_scaling.sh NumSms
expect "scaling: unknown parameter" 2 'one no block has a parameter NumDogs' synth_scripts/area/area_scaling.sh NumDogs=1,2
expect "scaling: more SMs, more area" 0 'written: .*scaling.csv' synth_scripts/area/area_scaling.sh --out "$work/scaling" NumSms=3,15
grows() { awk -F, 'NR > 1 { n[$2] = $7 } END { exit !(n[3] > 0 && n[15] > n[3]) }' "$1"; }
status=0
grows "$work/scaling/scaling.csv" || status=1
report "scaling: the CSV says so, too" $status

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
