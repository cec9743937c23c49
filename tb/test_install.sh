#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_install.sh BUILD_DIR: `make install` into a folder of its own, and the pages' program against each of the two libraries there as
# another project would build it. Neither library may need the other.
set -euo pipefail

build=${1:?usage: test_install.sh BUILD_DIR}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig

die() { echo "test_install.sh: $*" >&2; exit 1; }

expect() { # LIBRARY PAGE TEXT: the page's program, linked with LIBRARY alone, prints TEXT last
    local said flags
    read -ra flags < <(pkg-config --cflags --libs "$1")
    sed -n '/^```c$/,/^```$/{/^```/!p}' "$2" >"$work/$1.c"
    ${CC:-cc} -std=c11 -Wall -Werror -o "$work/$1" "$work/$1.c" "${flags[@]}"
    said=$("$work/$1" | tail -n 1)
    [ "$said" = "$3" ] || die "$1: the program of $2 says '$said', not '$3'"
    ${CXX:-c++} -fsyntax-only "${flags[@]}" -x c++ <(grep '^#include' "$work/$1.c")
    echo "ok $1"
}

! grep -n '^#include "analytic/' cmodel/ballast.h || die "the line above includes a file of the other library"
make --no-print-directory "B=$build" "PREFIX=$work/usr" install >"$work/log" 2>&1 || { cat "$work/log"; die "make install failed"; }
expect ballast README.md "cycle 4852: limit 6"
expect ballast_analytic doc/use/analytic.md "4 CTAs per SM: 58265 cycles, 178 W"
