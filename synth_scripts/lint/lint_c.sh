#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lint_c.sh [--quick] [FILE.c...]: clang-tidy (.clang-tidy) and cppcheck over the C code of cmodel, tb and sim, or over the files
# named. Run from the repository root. Both must have nothing to say. --quick, for 'make test', leaves out clang's analyzer, which
# takes most of the time, and reads the glue with the port lists of three blocks only. With a smaller limit of its own the analyzer is wrong
# about correct code. 'make lint' has both.
#
# A file that was clean, with all that were read with it, is not read again while nothing has changed that they see of it: build/lint remembers a sum of the file as
# preprocessed with its comments, of both programs' versions and of what they are told here.
#
# A waiver stands in the code, names the rule and gives the reason:
#   clang-tidy: // NOLINTNEXTLINE(rule): reason          cppcheck: // cppcheck-suppress rule ; reason
set -euo pipefail

die() { echo "lint_c.sh: $*" >&2; exit 2; }

CLEAN=build/lint

# Whether both tools have nothing to say of files, with the flags in `flags`.
are_clean() {
    local fail=0 said
    said=$(mktemp)
    clang-tidy --quiet --config-file=.clang-tidy ${CHECKS:+"$CHECKS"} "$@" -- -std=c11 "${flags[@]}" >"$said" 2>"$said.err" || fail=1
    if [ -s "$said" ]; then fail=1; cat "$said"; elif [ $fail -ne 0 ]; then cat "$said.err"; fi
    # cppcheck 2.10 cannot expand the glue's macros: it counts the arguments of ADD_IN before PLAIN and NAMES become two.
    if [ "${1##*/}" != model_glue.c ]; then
        # It takes an #error for C++ in LLVM's headers for one of C, so it does without them.
        cppcheck -q --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
            "${flags[@]/-I*llvm*/-DNO_LLVM}" "$@" >"$said" 2>&1 || fail=1
        cat "$said"
        [ ! -s "$said" ] || fail=1
    fi
    rm -f "$said" "$said.err"
    return $fail
}

if [ "${1:-}" = --some ]; then # FLAG... -- FILE..., for xargs below: to start clang-tidy takes as long as to read a small file
    shift
    flags=() files=() sums=()
    while [ "$1" != -- ]; do
        flags+=("$1")
        shift
    done
    shift
    for file; do
        sum=$({ echo "$VERSIONS $CHECKS ${flags[*]}"; cat .clang-tidy "$0"; "${CC:-cc}" -E -C -dD -std=c11 "${flags[@]}" "$file"; } | sha256sum)
        [ ! -f "$CLEAN/${sum%% *}" ] || continue
        files+=("$file")
        sums+=("$CLEAN/${sum%% *}")
    done
    [ ${#files[@]} -ne 0 ] || exit 0
    are_clean "${files[@]}" || exit 1
    touch "${sums[@]}"
    exit
fi

[ -f .clang-tidy ] || die "no .clang-tidy here; run it from the repository root"
LLVM_DIR=$(sim/env/llvm.sh) || die "no LLVM; 'make setup' installs one"
for tool in clang-tidy cppcheck; do
    command -v $tool >/dev/null || die "$tool is missing; 'make setup' installs it"
done
FST_DIR=$(sim/env/fst.sh) || die "no FST writer; 'make setup' installs verilator"
VERSIONS=$(clang-tidy --version; cppcheck --version)
export VERSIONS
mkdir -p $CLEAN
find $CLEAN -type f -mtime +30 -delete

export CHECKS=""
if [ "${1:-}" = --quick ]; then
    CHECKS="--checks=-clang-analyzer-*"
    shift
fi
flags="-D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Icmodel -Itb -Isim -I$FST_DIR -I$LLVM_DIR/include"
if [ $# -gt 0 ]; then
    files=("$@")
else
    # tb/formal/step.c, properties.c and part.c need headers that formal.py makes.
    mapfile -t files < <(find cmodel tb sim -name '*.c' ! -path tb/formal/step.c ! -path tb/formal/properties.c ! -path tb/formal/part.c | sort)
fi

# Lines of words: flags and files. The glue is compiled once per block.
jobs_of() {
    local file ports plain=()
    for file in "${files[@]}"; do
        [ -r "$file" ] || die "$file: cannot be read"
        case $file in
        */model_glue.c | */rules/glue.c) ;;
        *)
            plain+=("$file")
            continue
            ;;
        esac
        for ports in $(ls tb/blocks/*/ports.h | if [ -n "$CHECKS" ]; then tail -n 3; else cat; fi); do
            echo "$flags -DBLOCK_PORTS=\\\"${ports#tb/}\\\" -- $file"
        done
    done
    # The analyzer of clang 14 knows va_list only in the first file of a process.
    [ ${#plain[@]} -eq 0 ] || xargs -n "$([ -n "$CHECKS" ] && echo 12 || echo 1)" echo "$flags --" <<<"${plain[*]}"
}

jobs=$(jobs_of)
if ! xargs -P "$(nproc)" -L 1 "$0" --some <<<"$jobs" >&2; then
    echo "lint_c.sh: the findings are above; repair them, or waive one in its place with rule and reason" >&2
    exit 1
fi
echo "c lint: ${#files[@]} files clean"
