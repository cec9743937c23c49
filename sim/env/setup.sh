#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh [--quiet]: installs the Debian packages of sim/env/packages that are missing, and only those. Says which; with
# --quiet it says nothing when there is nothing to do.
set -euo pipefail
. "$(dirname "$0")/tools.sh"

die() { echo "setup.sh: $*" >&2; exit 1; }

missing=()
note_missing() { present "$2" || missing+=("$1"); }
find_missing() { missing=(); for_each_package note_missing; }

find_missing
if [ ${#missing[@]} -eq 0 ]; then
    [ "${1:-}" = --quiet ] || echo "setup: all tools are there, nothing to install"
    exit 0
fi
command -v apt-get >/dev/null ||
    die "missing: ${missing[*]} (Debian package names); there is no apt-get here, install them by hand and run 'make doctor'"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    command -v sudo >/dev/null || die "not root and no sudo; run as root: $by_hand"
    # Without a terminal a password prompt would hang.
    [ -t 0 ] || sudo -n true 2>/dev/null || die "sudo asks for a password and there is no terminal; run as root: $by_hand"
fi

# One set-up at a time; who waited finds the work done.
exec 9>"${TMPDIR:-/tmp}/ballast-setup.$(id -u).lock"
flock 9
find_missing
[ ${#missing[@]} -gt 0 ] || { echo "setup: all tools are there, nothing to install"; exit 0; }

echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
        "$@" </dev/null >"$log" 2>&1 9>&-; then
        tail -n 20 "$log" >&2
        die "'apt-get $*' failed (its last lines are above); repair what they name and run 'make setup' again"
    fi
}
apt update
apt install -y --no-install-recommends "${missing[@]}"

asked=("${missing[@]}")
hash -r
find_missing
[ ${#missing[@]} -eq 0 ] ||
    die "installed ${asked[*]}, but ${missing[*]} still cannot be found; run 'make doctor'"
echo "setup: done"
