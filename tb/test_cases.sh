# SPDX-License-Identifier: Apache-2.0
#
# What the tests of the scripts share; sourced with the build folder as $1. Cases run one of the scripts into $work/out, look at
# what it said in $work/said, and end with `verdict NAME`.
# shellcheck shell=bash
build=${1:-build/fermi} # read by the script that sources this
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

verdict() { # NAME: of the last command's status
    if [ $? -eq 0 ]; then passed=$((passed + 1)); echo "ok    $1"
    else failed=$((failed + 1)); echo "FAIL  $1"; sed 's/^/        /' "$work/said" | head -n 20; fi
}

run_script() { # SCRIPT STATUS ARGUMENT...: wants that exit status
    local script=$1 want=$2 got=0
    shift 2
    "synth_scripts/$script" --build "$build" --out "$work/out" "$@" >"$work/said" 2>&1 </dev/null || got=$?
    [ $got -eq "$want" ] || { echo "exit status $got, not $want" >>"$work/said"; return 1; }
}
says() { grep -Eq -- "$1" "$work/said"; }
one_line() { [ "$(wc -l <"$work/said")" -eq 1 ]; }
