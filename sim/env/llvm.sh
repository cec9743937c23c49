#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# llvm.sh [--fuzz] [--all]: prints the folder of the newest LLVM from 14 to 19 that is installed as a whole: clang, llvm-link, opt,
# the C headers and libLLVM of one version. LLVM=16 in the environment asks for that version and no other.
#   --fuzz   it must have libFuzzer, too
#   --all    prints all of them, newest first
# LLVM_IN is where the versions stand (default /usr/lib, as Debian has them: /usr/lib/llvm-16).
#
# Exit 2 when there is none. Makefiles, flows, lint, set-up and doctor ask this script and look nowhere else.
set -euo pipefail

FIRST=14 LAST=19
die() { echo "llvm.sh: $*" >&2; exit 2; }

fuzz='' all=''
for option in "$@"; do
    case $option in
    --fuzz) fuzz=yes ;;
    --all) all=yes ;;
    *) die "unknown option '$option'; there are --fuzz and --all" ;;
    esac
done

there() { compgen -G "$1" >/dev/null; }

# Prints what a version lacks; nothing when it is there as a whole.
lacks() { # FOLDER
    local part
    for part in bin/clang bin/clang++ bin/llvm-link bin/opt include/llvm-c/Core.h "lib/libLLVM-${1##*llvm-}.so" \
        ${fuzz:+'lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a'}; do
        there "$1/$part" || { echo "$part"; return; }
    done
}

wanted=${LLVM:-}
if [ -n "$wanted" ] && ! [[ $wanted =~ ^[0-9]+$ && $wanted -ge $FIRST && $wanted -le $LAST ]]; then
    die "LLVM=$wanted is no version from $FIRST to $LAST"
fi
found=''
for ((version = LAST; version >= FIRST; version--)); do
    [ -z "$wanted" ] || [ "$wanted" = "$version" ] || continue
    folder=${LLVM_IN:-/usr/lib}/llvm-$version
    [ -z "$(lacks "$folder")" ] || continue
    found=yes
    echo "$folder"
    [ -n "$all" ] || exit 0
done
[ -n "$found" ] && exit 0
if [ -n "$wanted" ]; then
    folder=${LLVM_IN:-/usr/lib}/llvm-$wanted
    die "LLVM $wanted is not there as a whole: no $folder/$(lacks "$folder"); Debian packages clang-$wanted and llvm-$wanted-dev"
fi
die "no LLVM from $FIRST to $LAST is there as a whole; 'make setup' installs one"
