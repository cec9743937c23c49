#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check_house.sh: a stem is one block everywhere. Run from the repository root. Reports every block of rtl/sm and rtl/chip
# that lacks its model, port list, tests, view or page; every one of those without a block; every port, register and
# parameter of a port list that RTL or page do not know; defaults on a page that are not the RTL's; files without a licence.
set -euo pipefail

# What is no block although it lies among them.
no_block_docs=" README architecture import_raw mismatch papers replay timing trace_format verification performance agreement "
no_block_tb=" engine shim "

if [ ! -d rtl ] || [ ! -d cmodel ]; then
    echo "check_house.sh: no rtl and cmodel here; run it from the repository root" >&2
    exit 2
fi
shopt -s nullglob

findings=0
finding() { echo "check_house.sh: $*" >&2; findings=$((findings + 1)); }
need() { [ -f "$1" ] || finding "$1 is missing: $2 needs it"; } # FILE BLOCK

# The page's words, with `ws0_i` .. `ws3_i` written out.
page_of() { # STEM
    awk '{
        print
        while (match($0, /`[a-z_]+[0-9]+_[ioq]` \.\. `[a-z_]+[0-9]+_[ioq]`/)) {
            range = substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH)
            split(range, end, " .. ")
            stem = end[1]; sub(/[0-9]+_[ioq]`$/, "", stem)
            suffix = end[1]; sub(/^.*[0-9]/, "", suffix)
            from = substr(end[1], length(stem) + 1) + 0
            to = substr(end[2], length(stem) + 1) + 0
            for (i = from; i <= to; i++) print stem i suffix
        }
    }' "doc/$1.md"
}

# Lines "kind name" of a port list: param, or the suffix of the signal.
signals_of() { # PORTS.h
    awk '
        /^#define/ { kind = "" }
        /^#define BLOCK_PARAMS/ { kind = "param" }
        /^#define BLOCK_INPUTS/ { kind = "i" }
        /^#define BLOCK_OUTPUTS/ { kind = "o" }
        /^#define BLOCK_REGISTERS/ { kind = "q" }
        /^#define/ { next }
        /^\/\*/ { kind = "" }
        kind != "" && match($0, /^ +[XP]\([A-Za-z0-9_]+/) {
            name = substr($0, 1, RLENGTH)
            sub(/^ +[XP]\(/, "", name)
            print kind, name
        }' "$1"
}

rtl_default() { sed -nE "s/.*parameter +int +(unsigned +)?$2 *= *([0-9]+).*/\2/p" "$1" | head -n 1; }        # SV NAME
page_default() { sed -nE "s/^\| *\`$2\` *\| *([0-9]+) *\|.*/\1/p" "doc/$1.md" | head -n 1; }              # STEM NAME

check_names() { # STEM SV
    local page kind name of_rtl of_page ports=tb/$1/$1_ports.h
    page=$(page_of "$1")
    while read -r kind name; do
        if [ "$kind" = param ]; then
            of_rtl=$(rtl_default "$2" "$name")
            of_page=$(page_default "$1" "$name")
            if [ -z "$of_rtl" ]; then finding "$2: has no 'parameter int $name = NUMBER', which $ports names"
            elif [ -z "$of_page" ]; then finding "doc/$1.md: its parameter table has no row '| \`$name\` | $of_rtl | ...'"
            elif [ "$of_rtl" != "$of_page" ]; then finding "doc/$1.md: default of $name is $of_page, in $2 it is $of_rtl"
            fi
        else
            grep -qw "${name}_$kind" "$2" || finding "$2: has no ${name}_$kind, which $ports names"
            grep -qF "\`${name}_$kind\`" <<<"$page" || finding "doc/$1.md: says nothing of \`${name}_$kind\`"
        fi
    done < <(signals_of "$ports")
    # The other way: what the RTL has and the list does not.
    for name in $(grep -oE '\bparameter +int +(unsigned +)?[A-Za-z0-9_]+' "$2" | awk '{ print $NF }'); do
        signals_of "$ports" | grep -qx "param $name" || finding "$ports: lacks parameter $name of $2"
    done
    for name in $(grep -oE '^ *(input|output) .*' "$2" | sed -E 's://.*$::; s/[, ]*$//' | awk '{ print $NF }'); do
        case $name in clk_i | rst_ni) continue ;; esac
        signals_of "$ports" | grep -qx "${name##*_} ${name%_*}" || finding "$ports: lacks port $name of $2"
    done
    for name in $(grep -oE '^ *[a-z][a-z0-9_]*_q +<=' "$2" | awk '{ print $1 }' | sort -u); do
        signals_of "$ports" | grep -qx "q ${name%_q}" || finding "$ports: lacks register $name of $2"
    done
}

blocks=" "
count=0
for sv in rtl/sm/*.sv rtl/chip/*.sv; do
    stem=$(basename "$sv" .sv)
    folder=$(basename "$(dirname "$sv")")
    blocks+="$stem "
    count=$((count + 1))
    for file in "cmodel/$folder/$stem.c" "cmodel/$folder/$stem.h" "tb/$stem/${stem}_ports.h" "tb/$stem/${stem}_bind.h" \
        "tb/$stem/test_$stem.c" "sim/views/$stem.gtkw" "doc/$stem.md"; do
        need "$file" "$sv"
    done
    if [ -f "tb/$stem/${stem}_ports.h" ] && [ -f "doc/$stem.md" ]; then check_names "$stem" "$sv"; fi
done
[ $count -gt 0 ] || finding "no blocks in rtl/sm and rtl/chip"

orphan() { [[ $blocks == *" $2 "* ]] || finding "$1 belongs to no block of rtl/sm or rtl/chip"; } # FILE STEM
for file in cmodel/sm/*.[ch] cmodel/chip/*.[ch]; do
    stem=$(basename "${file%.*}")
    folder=$(basename "$(dirname "$file")")
    [ -f "rtl/$folder/$stem.sv" ] || finding "$file: there is no rtl/$folder/$stem.sv"
done
for file in tb/*/; do
    stem=$(basename "$file")
    [[ $no_block_tb == *" $stem "* ]] || orphan "tb/$stem" "$stem"
done
for file in sim/views/*.gtkw; do orphan "$file" "$(basename "$file" .gtkw)"; done
for file in doc/*.md; do
    stem=$(basename "$file" .md)
    [[ $no_block_docs == *" $stem "* ]] || orphan "$file" "$stem"
done

while read -r file; do
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier: ' || finding "$file: no SPDX-License-Identifier in its first lines"
done < <(find . \( -path ./build -o -path ./.git \) -prune -o -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.sv' \
    -o -name '*.sh' -o -name '*.vlt' -o -name '*.gtkw' -o -name '*.mk' -o -name Makefile -o -path './.ci/run' \) -print | sed 's:^\./::' | sort)

[ $findings -eq 0 ] || exit 1
echo "house: $count blocks complete"
