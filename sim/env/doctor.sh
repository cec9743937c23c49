#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# doctor.sh: says which tools are there, in which version, and what is missing or too old.
# Exit status 1 when something is.
set -euo pipefail
. "$(dirname "$0")/tools.sh"

declare -A packaged=()
if command -v dpkg-query >/dev/null; then
    while read -r status package version; do
        [ "$status" != installed ] || packaged[$package]=$version
    done < <(dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n')
fi

# The upstream part of a Debian version: no epoch, no revision, no repacking suffix.
upstream() { sed -E 's/^[0-9]+://; s/-[^-]*$//; s/[+~].*$//' <<<"$1"; }

version_of() { # PACKAGE PROOF
    local text=
    case $2 in
    # These say it best themselves: Debian's g++, gcc, pkg-config only point to others.
    gcc | g++) "$2" -dumpfullversion && return ;;
    gtkwave | Xvfb | /*) ;; # no version without a display, or no command
    iverilog) text=$(iverilog -V 2>/dev/null | head -n 1) || true ;;
    *) text=$("$2" --version 2>/dev/null </dev/null | grep -m1 -E '[0-9]+\.[0-9]+') || true ;;
    esac
    if [ -n "${packaged[$1]:-}" ]; then
        upstream "${packaged[$1]}"
    else
        grep -oE '[0-9]+(\.[0-9]+)+' <<<"$text" | head -n 1 || echo '?'
    fi
}

older() { [ "$1" != '?' ] && [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

row() { printf '%-18s %-14s %-8s %-45s %s\n' "$@"; }

# Of several packages or proofs the one that is there, else the first.
chosen() { # a|b PREDICATE
    local choice
    for choice in ${1//|/ }; do
        "$2" "$choice" && echo "$choice" && return
    done
    echo "${1%%|*}"
}
installed() { [ -n "${packaged[$1]:-}" ]; }

install=() upgrade=() targets_hit=()
report() {
    local version state=OK package
    package=$(chosen "$1" installed)
    if ! present "$2"; then
        version=- state=MISSING
        install+=("${1//|/ or }")
        targets_hit+=("$4")
    else
        version=$(version_of "$package" "$(chosen "$2" present)")
        if [ "$3" != - ] && older "$version" "$3"; then
            state="TOO OLD, needs $3"
            upgrade+=("$package")
            targets_hit+=("$4")
        fi
    fi
    row "$package" "$version" "$state" "$5" "${4//,/, }"
}

row tool version state 'what for' 'needed by'
for_each_package report
[ ${#targets_hit[@]} -eq 0 ] && exit 0

affected=$(tr ', ' '\n\n' <<<"${targets_hit[*]}" | sed -e 's/^all$/run/' -e 's/^build$/run/' -e 's/^/make /' | sort -u | paste -sd, | sed 's/,/, /g')
[ ${#install[@]} -eq 0 ] || echo "doctor.sh: missing ${install[*]}; 'make setup' installs them" >&2
[ ${#upgrade[@]} -eq 0 ] || echo "doctor.sh: too old ${upgrade[*]}; install newer ones by hand" >&2
echo "doctor.sh: these will not work: $affected" >&2
exit 1
