#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_install.sh BUILD_DIR: `make install` into a folder of its own, and a program against each of the two libraries
# there as another project would build it. Neither library may need the other.
set -euo pipefail

build=${1:?usage: test_install.sh BUILD_DIR}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig

die() { echo "test_install.sh: $*" >&2; exit 1; }

expect() { # LIBRARY TEXT: the program on the standard input, linked with LIBRARY alone, prints TEXT
    local said flags
    read -ra flags < <(pkg-config --cflags --libs "$1")
    cat >"$work/$1.c"
    ${CC:-cc} -std=c11 -Wall -Werror -o "$work/$1" "$work/$1.c" "${flags[@]}"
    said=$("$work/$1")
    [ "$said" = "$2" ] || die "$1: the program says '$said', not '$2'"
    ${CXX:-c++} -fsyntax-only "${flags[@]}" -x c++ <(grep '^#include' "$work/$1.c")
    echo "ok $1"
}

! grep -n '^#include "analytic/' cmodel/ballast.h || die "the line above includes a file of the other library"
make --no-print-directory "B=$build" "PREFIX=$work/usr" install >"$work/log" 2>&1 || { cat "$work/log"; die "make install failed"; }

expect ballast "limit 4" <<'END'
#include <ballast.h>
#include <stdio.h>

int main(void)
{
    const perfsat_cfg cfg = perfsat_cfg_default();
    const perfsat_in in = {.enable = 1, .kernel_start = 1, .nmax = 8};
    perfsat_state state;
    perfsat_out out = {0};

    perfsat_reset(&state, &cfg);
    for (int cycle = 0; cycle < 2; cycle++)
        perfsat_step(&state, &cfg, &in, &out);
    printf("limit %u\n", out.limit);
    return 0;
}
END

expect ballast_analytic "case 3, CPI 4.589" <<'END'
#include <analytic/analytic.h>
#include <stdio.h>

int main(void)
{
    mwp_cwp_kernel k = mwp_cwp_kernel_default();
    mwp_cwp_result r;
    analytic_err err;

    k.threads_per_block = 256;
    k.blocks = 480;
    k.active_blocks_per_sm = 3;
    k.comp_insts = 29;
    k.coal_mem_insts = 1;
    k.load_bytes_per_warp = 128;
    if (!mwp_cwp_compute(mwp_cwp_gpu_find("FX5600"), &k, NULL, &r, &err))
        puts(err.text);
    else
        printf("case %d, CPI %.3f\n", (int)r.case_number, r.cpi);
    return 0;
}
END
