#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_waves.sh BALLAST: waveforms and views of all blocks, read back. What a view names is in the waveform, markers stand
# at decisions, the words are those of the decision log, a window holds its cycles only, a size limit ends a file that
# can be read, `differs` is 1 where a planted fault is. Run from the repository root; prints a line per check.
set -uo pipefail

die() { echo "test_waves.sh: $*" >&2; exit 2; }

[ $# -eq 1 ] || die "name the ballast program"
ballast=$1
[ -x "$ballast" ] || die "$ballast is no program; 'make build' makes it"
[ -f vectors/MANIFEST.csv ] || die "no vectors/MANIFEST.csv here; run it from the repository root"
for tool in fst2vcd jq; do command -v $tool >/dev/null || die "$tool is not there; sim/env/setup.sh installs it"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
failed=0

report() { # NAME WHY: an empty WHY is a success
    if [ -z "$2" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: ${2//$'\n'/; }"
        failed=1
    fi
}

first_difference() { diff "$1" "$2" | head -n 3; } # FILE FILE
read_vcd() { awk -f sim/wave/vcd.awk "${@:2}" "$1"; }                        # VCD -v NAME=VALUE...
changes() { read_vcd "$1" -v what=changes -v signal="$2"; }                  # VCD SIGNAL
waves() { "$ballast" waves --out "$work/out" "$@" 2>"$work/stderr" | tail -n 1; } # prints the view

# ---- views and markers ---------------------------------------------------------------------------

# A trace is a line that names a signal: with another name ("+{label} signal") or without.
signals_of() { sed -nE 's/^\+\{[^}]*\} (.*)$/\1/p; /^[A-Za-z][A-Za-z0-9_.]*\.[^ ]*$/p' "$1"; } # VIEW

unknown_signals() { # VIEW VCD
    comm -23 <(signals_of "$1" | sort -u) <(read_vcd "$2" -v what=names | sort -u) | head -n 3
}

marker_times() { sed -nE 's/^\*[-0-9.]+ [0-9]+ (.*)/\1/p' "$1" | tr ' ' '\n' | grep -v '^-1$'; } # VIEW

decision_times() { # VCD: of any block of the run
    read_vcd "$1" -v what=names | grep '\.model\.decision$' | while read -r name; do changes "$1" "$name"; done |
        awk 'NF > 1 { print $1 }' | sort -u
}

stray_markers() { # VIEW VCD
    comm -23 <(marker_times "$1" | sort -u) <(decision_times "$2") | head -n 3
}

# ---- words ------------------------------------------------------------------------------------------

# "cycle words" as the records of the log say; of the single SMs of a chip four are told.
told_by_log() { # JSONL INSTANCE
    jq -rn --arg instance "$2" '[inputs | select(.instance == $instance)] | group_by(.cycle)[] |
        (([.[] | select(.sm != null and .where == "chip")] | length) as $sms |
        .[0].cycle as $cycle | reduce .[] as $d ({texts: [], sms: 0};
            if $d.sm != null and $d.where == "chip" then
                .sms += 1 | if .sms > 4 then . else .texts += ["\($d.rule): \($d.words)"] end
            else .texts += ["\($d.rule): \($d.words)"] end) |
        "\($cycle) " + (.texts | join("; ")) + (if $sms > 4 then "; \($sms - 4) more SMs" else "" end))' "$1"
}

words_differ() { # FST-PREFIX VCD
    local name side instance
    while read -r name; do
        IFS=. read -r _ instance side _ <<<"$name"
        told_by_log "$1.$side.jsonl" "$instance" >"$work/log"
        read_vcd "$2" -v what=texts -v signal="$name" >"$work/words"
        first_difference "$work/log" "$work/words"
    done < <(read_vcd "$2" -v what=names | grep '\.decision$')
}

check_block() { # BLOCK CYCLES LEAST-DECISIONS RECORDING...
    local block=$1 side view base markers vcd=$work/$1.vcd
    view=$(waves --max-cycles "$2" "$block" "${@:4}")
    report "$block: a view" "$([ -s "$view" ] || head -n 1 "$work/stderr")"
    [ -s "$view" ] || return
    base=${view%.gtkw}
    fst2vcd "$base.fst" >"$vcd"
    report "$block: every signal of the view is in the waveform" "$(unknown_signals "$view" "$vcd")"
    for side in rtl model; do
        report "$block: signals of side $side" "$(grep -q "\.$side\." <(signals_of "$view") || echo none)"
    done
    report "$block: markers at decisions" "$(stray_markers "$view" "$vcd")"
    markers=$(marker_times "$view" | wc -l)
    report "$block: markers" "$([ "$markers" -ge "$3" ] || echo "$markers, at least $3 expected")"
    report "$block: the log's words" "$(words_differ "$base" "$vcd" | head -n 3)"
    report "$block: the sides never differ" "$(changes "$vcd" "$(read_vcd "$vcd" -v what=names | grep '\.differs$' | head -n 1)" |
        grep -vx '0 0')"
}

pathlong=(vectors/pathlong.n*.blt)
chase=(vectors/chase.n*.blt)
check_block perfsat 300000 4 "${pathlong[@]}"
check_block stall_classifier 130000 3 "${pathlong[@]}"
check_block lcs 30000 2 "${pathlong[@]}"
check_block dyncta 12500 5 "${chase[@]}"
check_block eq_counters 20000 4 "${chase[@]}"
check_block eq_decision 20000 4 "${chase[@]}"
check_block cta_throttle 20000 4 "${chase[@]}"
check_block sm_governor 20000 4 "${chase[@]}"
check_block vf_vote 6000 2 "${chase[@]}"
check_block vf_domain 6000 2 "${chase[@]}"
check_block ballast_chip 13000 3 "${chase[@]}"

# ---- a window -----------------------------------------------------------------------------------------

recording=vectors/pathfinder.n3.blt

# What a run writes in a window is what it writes there without one: from the first change of each signal on.
window() {
    local view whole=$work/whole.vcd part=$work/part.vcd signal=SM0.lcs.rtl.inst_q_0
    view=$(waves lcs "$recording")
    fst2vcd "${view%.gtkw}.fst" >"$whole"
    view=$(waves --wave-from 1000 --wave-to 9000 lcs "$recording")
    fst2vcd "${view%.gtkw}.fst" >"$part"
    report "window: its cycles only" "$([ "$(read_vcd "$part" -v what=span)" = "1000 9000" ] || read_vcd "$part" -v what=span)"
    changes "$whole" $signal | awk '$1 > 1000 && $1 <= 9000' >"$work/a"
    changes "$part" $signal | awk '$1 > 1000' >"$work/b"
    report "window: values as without" "$([ -s "$work/a" ] || echo none)$(first_difference "$work/a" "$work/b")"
    report "window: what was decided before stands at its beginning" \
        "$(changes "$part" SM0.lcs.rtl.decision | grep -q '^1000 LCS-5: kernel start' || changes "$part" SM0.lcs.rtl.decision)"
    report "window: the view opens on it" "$(grep -qx '\[timestart\] 1000' "$view" || echo "$view")"
    report "window: no marker for what was before" "$(marker_times "$view")"
}
window

# ---- a size limit -----------------------------------------------------------------------------------

size_limit() {
    local view last bytes fst span part=$work/limited.vcd
    view=$(waves --wave-limit 1 perfsat "${pathlong[@]}")
    fst=${view%.gtkw}.fst
    bytes=$(stat -c %s "$fst")
    last=$(sed -nE 's/.* full, shows cycles 0 to ([0-9]+);.*/\1/p' "$work/stderr")
    report "size limit: kept" "$([ "$bytes" -le 1048576 ] || echo "$bytes bytes")"
    report "size limit: used" "$([ "$bytes" -ge 700000 ] || echo "$bytes bytes")"
    report "size limit: one line" "$([ "$(wc -l <"$work/stderr")" -eq 1 ] || cat "$work/stderr")"
    report "size limit: how to go on" "$(grep -q -- "--wave-from $((last + 1))" "$work/stderr" || cat "$work/stderr")"
    fst2vcd "$fst" >"$part"
    span=$(read_vcd "$part" -v what=span)
    report "size limit: the file reaches as far as told" "$([ "$span" = "0 $last" ] || echo "$span")"
    changes "$part" SM0.perfsat.rtl.stalled_q >"$work/a"
    view=$(waves --wave-to "$last" perfsat "${pathlong[@]}")
    fst2vcd "${view%.gtkw}.fst" >"$work/unlimited.vcd"
    changes "$work/unlimited.vcd" SM0.perfsat.rtl.stalled_q >"$work/b"
    report "size limit: values as without" "$([ -s "$work/a" ] || echo none)$(first_difference "$work/a" "$work/b")"
}
size_limit

# ---- a difference ------------------------------------------------------------------------------------

differs() { # NAME FAULT SIGNAL EXPECTED-CHANGES
    rm -rf "$work/fault"
    "$ballast" lockstep --sm 0 --block stall_classifier,perfsat,lcs --out "$work/fault" --inject "$2" "$recording" >/dev/null 2>&1
    fst2vcd "$work"/fault/*.mismatch.fst >"$work/fault.vcd" 2>"$work/stderr"
    report "differs: $1" "$(first_difference <(changes "$work/fault.vcd" "$3" | tr '\n' ' ') <(echo -n "$4 "))"
}
differs "a register of the RTL, from the next cycle on" 'rtl:perfsat.nmax_q[0]@9000' SM0.perfsat.differs "8937 0 9001 1"
differs "of the model as well" 'model:perfsat.nmax_q[0]@9000' SM0.perfsat.differs "8937 0 9001 1"
differs "an output, in its cycle only" 'rtl:perfsat.done_o[0]@9000' SM0.perfsat.differs "8937 0 9000 1 9001 0"
differs "not in another block" 'rtl:perfsat.nmax_q[0]@9000' SM0.lcs.differs "8937 0"

# ---- what is refused ------------------------------------------------------------------------------------

refused() { # NAME STATUS WORDS COMMAND...
    local status lines
    "${@:4}" >"$work/stdout" 2>"$work/stderr"
    status=$?
    lines=$(grep -vc '^Try ' "$work/stderr")
    report "refused: $1" "$([ $status -eq "$2" ] && [ "$lines" -eq 1 ] && grep -qF -- "$3" "$work/stderr" ||
        echo "status $status: $(head -n 3 "$work/stderr")")"
}
refused_waves() { # NAME WORDS VARIABLE=VALUE...: what make waves does
    refused "make waves: $1" 1 "$2" env -u BLOCK -u TRACE WAVES="$work/waves" "${@:3}" sim/wave/waves.sh "$ballast" "$work/run"
}
view() { # LINE...: a view of perfsat with these lines
    rm -rf "$work/views"
    mkdir -p "$work/views/perfsat"
    printf '%s\n' "$@" >"$work/views/perfsat/view"
}
refused "unknown block" 2 "no view of a block 'lsc'" "$ballast" waves --out "$work/no" lsc "$recording"
refused "no recording" 2 "name a block and a recording" "$ballast" waves --out "$work/no" lcs
refused "window backwards" 2 "--wave-from 9 is after --wave-to 8" "$ballast" waves --out "$work/no" --wave-from 9 --wave-to 8 lcs "$recording"
refused "window beyond the end" 3 "reaches beyond the end of the run" "$ballast" waves --out "$work/no" --wave-from 9 --wave-to 99999999 lcs "$recording"
report "refused: nothing half-written" "$(find "$work/no" -name '*.fst*' -o -name '*.gtkw*' 2>/dev/null)"
refused "no size" 2 "--wave-limit" "$ballast" waves --out "$work/no" --wave-limit 0 lcs "$recording"
for line in "value rtl limt_q x" "value in limit_q x" "value both nmax_i x" "value side limit_q x" "value rtl" "vallue rtl limit_q" \
    "why lcs" "differs nothing" "value lcs.rtl limit_q" "groups lcs"; do
    view "$line"
    refused "view: $line" 3 "perfsat/view:1: " "$ballast" waves --views "$work/views" --out "$work/no" perfsat "$recording"
done
refused_waves "unknown block" "no block 'lsc'" BLOCK=lsc
refused_waves "no run" "'make run' writes the views" BLOCK=lcs
refused_waves "no recording" "vectors/nothing.blt: no such recording" BLOCK=lcs TRACE=vectors/nothing.blt
refused_waves "window of nothing" "FROM and TO are cycles of a recording" BLOCK=lcs FROM=1
refused_waves "no number" "FROM=x is no cycle" BLOCK=lcs TRACE="$recording" FROM=x

exit $failed
