# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What area.sh, area_scaling.sh and area_one.sh share. Sourced after synth.sh, from the repository root.

area_me=${area_me:-area.sh}
export area_me

area_die() { echo "$area_me: $*" >&2; exit 2; }

area_need_tools() {
    local tool
    for tool in yosys berkeley-abc sta jq gnuplot; do
        command -v "$tool" >/dev/null || area_die "$tool is missing; 'make setup' installs it"
    done
}

# Yosys commands for the iCE40; no place and route: the ports of most blocks are more than a package has pins.
area_ice40() { echo "synth_ice40 -flatten -dff -top $1"; } # STEM

# FO4's netlist: a chain of inverters, three more at every output, so that each drives four (area_fo4.tcl).
area_fo4_chain() {
    local i from=a to
    echo "module fo4 (a, y);"
    echo "  input a;"
    echo "  output y;"
    for i in 0 1 2 3 4 5 6 7; do
        to=n$i
        if [ "$i" -eq 7 ]; then to=y; else echo "  wire $to;"; fi
        echo "  INVX1 s$i (.A($from), .Y($to));"
        for load in 1 2 3; do echo "  INVX1 l${i}_$load (.A($to), .Y());"; done
        from=$to
    done
    echo "  INVX1 l7_4 (.A(y), .Y());"
    echo "endmodule"
}

# Lines "cell area is-flip-flop is-latch" of a liberty.
area_cells() { # LIBERTY
    awk '
        function put() { if (name != "") print name, area, ff, latch }
        /^[ \t]*cell[ \t]*\(/ { put(); name = $0; gsub(/.*\([ \t"]*|[ \t"]*\).*/, "", name); area = ff = latch = 0 }
        /^[ \t]*area[ \t]*:/ { area = $0; gsub(/.*:[ \t]*|[ \t]*;.*/, "", area) }
        /^[ \t]*ff[ \t]*\(/ { ff = 1 }
        /^[ \t]*latch[ \t]*\(/ { latch = 1 }
        END { put() }' "$1"
}

# The facts of a liberty as one JSON object: cells, FO4 and the load of four inverters, measured with OpenSTA.
area_facts() { # LIBERTY WORK
    local said
    area_fo4_chain >"$2/fo4.v"
    printf 'set library %s\nset netlist %s\nsource synth_scripts/area/area_fo4.tcl\n' "$1" "$2/fo4.v" >"$2/fo4.tcl"
    said=$(timeout 60 sta -no_splash -exit "$2/fo4.tcl" 2>&1) || true
    grep -q '^fo4 [0-9.]*$' <<<"$said" && grep -q '^load [0-9.]*$' <<<"$said" ||
        area_die "$1: FO4 of INVX1 cannot be measured: $(grep -m 1 -E 'rror' <<<"$said" || echo 'sta said nothing')"
    area_cells "$1" | jq -R -s --arg liberty "$1" --arg said "$said" '
        def number(name): $said | capture("(^|\n)" + name + " (?<n>[0-9.]+)").n | tonumber;
        {liberty: $liberty, fo4_ns: number("fo4"), load_pf: number("load"),
         cells: (split("\n") | map(select(. != "") | split(" ")
             | {key: .[0], value: {area: (.[1] | tonumber), ff: (.[2] == "1"), latch: (.[3] == "1")}}) | from_entries)}' >"$2/facts.json"
    jq -e '.fo4_ns > 0 and .load_pf > 0 and .cells.NAND2X1.area > 0 and ([.cells[] | select(.ff)] | length > 0)' "$2/facts.json" >/dev/null ||
        area_die "$1: has no NAND2X1 with an area, or no flip-flops; is it an OSU liberty?"
}

# What a result depends on besides the RTL. The recipe's sum stands for synth_read, synth_map, their constraints and the timing set-up.
area_tools() { # LIBERTY
    local recipe
    recipe=$( { declare -f synth_read; synth_map BLOCK LIBERTY; area_ice40 BLOCK
        cat synth_scripts/{synth.constr,area_timing.tcl,area_fo4.tcl}; area_fo4_chain; } | sha256sum | cut -c1-16)
    jq -n --arg yosys "$(yosys -V | head -n 1)" --arg abc "$(berkeley-abc -c version 2>&1 | grep -m 1 'ABC [0-9]' || echo unknown)" \
        --arg sta "$(sta -version | head -n 1)" --arg liberty "$(basename "$1") $(sha256sum <"$1" | cut -c1-16)" --arg recipe "$recipe" \
        '{yosys: $yosys, abc: $abc, opensta: $sta, liberty: $liberty, recipe: $recipe}'
}

# Jobs end in any order; each counts itself.
area_progress() { # WORK WHAT
    echo "$2" >>"$1/done"
    [ -n "${AREA_TTY:-}" ] || return 0
    printf '\r\033[K%s: %d of %d: %s' "$area_me" "$(wc -l <"$1/done")" "$(wc -l <"$1/jobs")" "$2" >&2
}

# Runs WORK/jobs, a line of area_one.sh's arguments each, as many at a time as there are processors.
area_run_jobs() { # WORK
    local status=0
    : >"$1/done"
    if [ -t 2 ]; then export AREA_TTY=1; fi
    xargs -P "${JOBS:-$(nproc)}" -L 1 synth_scripts/area/area_one.sh "$1" <"$1/jobs" || status=$?
    [ -z "${AREA_TTY:-}" ] || printf '\r\033[K' >&2
    [ $status -eq 0 ] || exit 2
}
