#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh [--quiet] [TARGET...]: installs the Debian packages of sim/env/packages that are missing and that these make targets
# need (default: all packages), and only those. Says which; with --quiet it says nothing when there is nothing to do.
#
# A package that the system does not offer ends the set-up of a target. Without targets, and for 'test', the rest is installed,
# and what is not there is named.
set -euo pipefail
. "$(dirname "$0")/tools.sh"

die() { echo "setup.sh: $*" >&2; exit 1; }

quiet=
[ "${1:-}" != --quiet ] || { quiet=1; shift; }
made=("$@")
tolerant=
[ $# -gt 0 ] && [[ " $* " != *" test "* ]] || tolerant=1

missing=()
note_missing() { ! needed "$4" "${made[@]}" || present "$2" || missing+=("$1"); }
find_missing() { missing=(); for_each_package note_missing; }
done_already() { [ -n "$quiet" ] || echo "setup: all tools are there, nothing to install"; exit 0; }

find_missing
[ ${#missing[@]} -gt 0 ] || done_already
command -v apt-get >/dev/null ||
    die "missing: ${missing[*]} (Debian package names); there is no apt-get here, install them by hand and run 'make doctor'"

# ---- what of it the system offers -------------------------------------------------------

lists=${BALLAST_APT_LISTS:-/var/lib/apt/lists}

offered() { [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[^\(]* ]]; }

# Fills 'install' and 'absent' from 'missing'.
choose_packages() {
    local line package
    local -a choices
    install=() absent=()
    for line in "${missing[@]}"; do
        IFS='|' read -ra choices <<<"$line"
        for package in "${choices[@]}"; do
            offered "$package" && install+=("$package") && continue 2
        done
        absent+=("${line//|/ or }")
    done
}

# Lists of today know what there is, unless they are the few lines that debootstrap leaves.
lists_are_new() { offered g++ && [ -n "$(find "$lists" -maxdepth 1 -name '*_Packages*' -mtime -1 -print -quit 2>/dev/null)" ]; }

say_absent() {
    [ ${#absent[@]} -gt 0 ] || return 0
    local list
    printf -v list '%s, ' "${absent[@]}"
    [ -n "$tolerant" ] || die "this system has no package ${list%, }, which 'make ${made[*]}' needs"
    echo "setup: this system has no package ${list%, }: what needs it does not run ('make doctor' says what)"
}

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]%%|*}"
    command -v sudo >/dev/null || die "not root and no sudo; run as root: $by_hand"
    # Without a terminal a password prompt would hang.
    [ -t 0 ] || sudo -n true 2>/dev/null || die "sudo asks for a password and there is no terminal; run as root: $by_hand"
fi

# One set-up at a time; who waited finds the work done.
exec 9>"${TMPDIR:-/tmp}/ballast-setup.$(id -u).lock"
flock 9
find_missing
[ ${#missing[@]} -gt 0 ] || done_already

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
        "$@" </dev/null >"$log" 2>&1 9>&-; then
        tail -n 20 "$log" >&2
        die "'apt-get $*' failed (its last lines are above); repair what they name and run 'make setup' again"
    fi
}

choose_packages
if ! lists_are_new; then
    echo "setup: asking what packages there are"
    apt update
    choose_packages
fi
say_absent
[ ${#install[@]} -gt 0 ] || exit 0
echo "setup: installing ${install[*]}"
apt install -y --no-install-recommends "${install[@]}"

hash -r
find_missing
[ ${#missing[@]} -eq ${#absent[@]} ] ||
    die "installed ${install[*]}, but ${missing[*]} still cannot be found; run 'make doctor'"
echo "setup: done"
