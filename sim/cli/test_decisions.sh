#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_decisions.sh BALLAST: the decision logs of real recordings as data. Every line is a record, the words are those of
# the log, limits and levels go on from record to record, every rule and every event is on its block's page. Run from
# the repository root; prints a line per check, exit status 1 if any failed.
set -uo pipefail

die() { echo "test_decisions.sh: $*" >&2; exit 2; }

[ $# -eq 1 ] || die "name the ballast program"
ballast=$1
[ -x "$ballast" ] || die "$ballast is no program; 'make build' makes it"
[ -f vectors/MANIFEST.csv ] || die "no vectors/MANIFEST.csv here; run it from the repository root"
command -v jq >/dev/null || die "jq is not there; sim/env/setup.sh installs it"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source tb/report.sh

# ---- one log ------------------------------------------------------------------------------------

findings() { # PREFIX.SIDE
    jq -nRr --rawfile log "$1.log" -f sim/replay/decision_check.jq "$1.jsonl" 2>&1
}

has_rule() { grep -qE "(^|[^A-Z0-9-])$2([^0-9a-z]|\$)" "$1"; } # PAGE RULE

events_of() { sed -n '/^## Decision log/,/^## [^D]/s/^| `/&/p' "$1"; } # PAGE: the rows of its events

# A rule is a name of the block's page; the event's row names all of its rules.
undocumented() { # JSONL
    local block event rule row
    jq -r '[.block, .event, .rule] | @tsv' "$1" | sort -u | while read -r block event rule; do
        has_rule "doc/blocks/$block.md" "$rule" || echo "doc/blocks/$block.md does not know $rule"
        row=$(events_of "doc/blocks/$block.md" | grep "^| \`$event\` |") || echo "doc/blocks/$block.md has no event $event"
        has_rule <(echo "$row") "$rule" || echo "doc/blocks/$block.md does not name $rule for $event"
    done
}

sides_differ() { # PREFIX
    cmp "$1.model.jsonl" "$1.rtl.jsonl" 2>&1 || true
    cmp "$1.model.log" "$1.rtl.log" 2>&1 || true
}

check_log() { # NAME PREFIX LEAST-RECORDS
    local n
    n=$(wc -l <"$2.model.jsonl")
    report "$1: records" "$([ "$n" -ge "$3" ] || echo "$n of them, at least $3 expected")"
    report "$1: sound" "$(findings "$2.model" | head -n 2)"
    report "$1: documented" "$(undocumented "$2.model.jsonl" | head -n 2)"
    report "$1: the same on both sides" "$(sides_differ "$2" | head -n 1)"
}

play() { # NAME LEAST-RECORDS ARGUMENT...: everything that the run logs
    local name=$1 least=$2 log
    shift 2
    rm -rf "$work/out"
    timeout 60 "$ballast" "$@" --out "$work/out" >"$work/stdout" 2>"$work/stderr" </dev/null ||
        report "$name" "exit status $?: $(head -n 1 "$work/stderr")"
    for log in "$work"/out/*.model.jsonl; do
        [ -f "$log" ] || { report "$name" "no log"; return; }
        check_log "$name, $(basename "$log" .model.jsonl)" "${log%.model.jsonl}" "$least"
    done
    cat "$work"/out/*.model.jsonl >>"$work/all.jsonl"
}

# ---- runs ---------------------------------------------------------------------------------------

check_blocks() {
    play "all blocks" 100 lockstep --sm 0 --max-cycles 60000 vectors/bfs.n1.blt
    play "perfsat" 5 family vectors/pathlong.n*.blt
    play "lcs" 4 lockstep --block lcs --sm 0 vectors/pathfinder.n8.blt
    play "dyncta" 5 lockstep --block stall_classifier,dyncta --sm 0 vectors/chase.n8.blt
    play "cta_throttle" 5 lockstep --block eq_counters,eq_decision,cta_throttle --sm 0 vectors/chase.n8.blt
}

check_policies() {
    local policy
    for policy in static perfsat lcs equalizer dyncta; do
        play "sm_governor, $policy" 1 family --max-laps 2 --block sm_governor --set "sm_governor.policy=$policy" \
            --set sm_governor.static_limit=2 vectors/hotspot.n*.blt
    done
    play "sm_governor, two launches of a kernel" 3 lockstep --block sm_governor --sm 0 vectors/bfs.n4.blt
}

check_chips() {
    play "chip" 5 chip --max-cycles 14000 vectors/chase.n8.blt
    play "chip, energy" 5 chip --max-cycles 14000 --set ballast_chip.mode=ENERGY vectors/pathfinder.n8.blt
    play "chip, dyncta" 10 chip --max-cycles 9000 --set ballast_chip.policy=dyncta vectors/pathfinder.n8.blt
    play "chip, one SM measures" 2 chip --block ballast_chip_bcast --max-cycles 20000 --set ballast_chip_bcast.policy=lcs vectors/pathfinder.n8.blt
}

# The closed loop writes the same with the models alone.
check_closed_loop() {
    local machine=fermi sim=(--policy equalizer --log --max-cycles 13000 sim/kernels/recorded/chase.kernel)
    case $ballast in *kepler*) machine=kepler ;; *hopper*) machine=hopper ;; esac
    play "sim" 5 sim --machine $machine --side rtl "${sim[@]}"
    timeout 60 "$ballast" sim --machine $machine --out "$work/models" "${sim[@]}" >"$work/stdout" 2>"$work/stderr" ||
        report "sim, models" "exit status $?: $(head -n 1 "$work/stderr")"
    report "sim, models: the same records" "$(cmp "$work"/models/*.model.jsonl "$work"/out/*.model.jsonl 2>&1)"
    report "sim, models: the same words" "$(cmp "$work"/models/*.model.log "$work"/out/*.model.log 2>&1)"
    report "sim, models: no RTL's log" "$(find "$work/models" -name '*.rtl.*')"
}

# All of these runs together have what the blocks can decide, but for what recordings do not show.
check_events() {
    local rare=" broadcast denied granted withdrawn " missing page block event
    missing=$(for page in doc/blocks/*.md; do
        block=$(basename "$page" .md)
        events_of "$page" | cut -d '`' -f 2 | while read -r event; do
            [[ $rare == *" $event "* ]] || grep -qF "\"block\":\"$block\"" <(grep -F "\"event\":\"$event\"" "$work/all.jsonl") || echo "$block $event"
        done
    done)
    report "every event of the blocks' pages was seen" "$(xargs <<<"$missing")"
}

# ---- the checks can fail ------------------------------------------------------------------------

damaged() { # NAME WORDS SED-SCRIPT [log]: a copy of a sound log with this damage is found out
    cp "$work/sound.log" "$work/broken.log"
    cp "$work/sound.jsonl" "$work/broken.jsonl"
    sed -i -E "$3" "$work/broken.${4:-jsonl}"
    report "found out: $1" "$(cmp -s "$work/sound.${4:-jsonl}" "$work/broken.${4:-jsonl}" && echo "no damage was done"
        findings "$work/broken" | grep -F "$2" >/dev/null || echo "said: $(findings "$work/broken" | head -n 1)")"
}

check_the_checks() {
    rm -rf "$work/out"
    "$ballast" chip --max-cycles 14000 --out "$work/out" vectors/chase.n8.blt >/dev/null
    cp "$work/out/chase.n8.chip.model.log" "$work/sound.log"
    cp "$work/out/chase.n8.chip.model.jsonl" "$work/sound.jsonl"
    report "the log to damage is sound" "$(findings "$work/sound")"
    damaged "a line that is no JSON" "line 3 is no JSON object" '3s/}$//'
    damaged "two records on a line" "line 3 is no JSON object" '3s/$/{}/'
    damaged "a field that is missing" "line 1 has the fields" '1s/"rule":"[^"]*",//'
    damaged "an empty rule" "line 1 has an empty text" '1s/"rule":"[^"]*"/"rule":""/'
    damaged "a number as a text" "line 1 has no number" '1s/"cycle":([0-9]+)/"cycle":"\1"/'
    damaged "a value that is null" "line 1 has a value" '1s/"limit":0/"limit":null/'
    damaged "a limit from elsewhere" "limit of SM 0 of ballast_chip is 3, it was left at 0" '1s/"before":\{"limit":0/"before":{"limit":3/'
    damaged "a limit that is left elsewhere" "limit of SM 0 of ballast_chip is" '1s/"after":\{"limit":[0-9]+/"after":{"limit":9/'
    damaged "a level from elsewhere" "level of domain memory of ballast_chip is low, it was left at normal" \
        's/("domain":"memory".*"before":\{"level":")normal/\1low/'
    damaged "other words" "the words differ" '2s/"words":"/"words":"x/'
    damaged "a record that is missing" "the words differ" '$d'
    damaged "other words in the log" "the words differ" '2s/$/ and more/' log
    cp "$work/sound.jsonl" "$work/broken.jsonl"
    sed -i '1s/"rule":"[^"]*"/"rule":"PS-99"/; 2s/"event":"[^"]*"/"event":"party"/' "$work/broken.jsonl"
    report "found out: a rule that no page knows" "$(undocumented "$work/broken.jsonl" | grep -F 'does not know PS-99' >/dev/null || echo "nothing said")"
    report "found out: an event without a row" "$(undocumented "$work/broken.jsonl" | grep -F 'no event party' >/dev/null || echo "nothing said")"
}

check_blocks
check_policies
check_chips
check_closed_loop
check_events
check_the_checks
exit $failed
