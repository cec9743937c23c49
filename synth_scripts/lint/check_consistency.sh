#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check_consistency.sh: a stem is one block everywhere. Run from the repository root. Reports every block of rtl/sm and rtl/chip
# that lacks its model, port list, tests, view or page; every one of those without a block; every port, register, part and
# parameter of a port list that RTL or page do not know, and the other way round; defaults on a page that are not the
# RTL's; files without a licence.
set -euo pipefail

if [ ! -d rtl ] || [ ! -d cmodel ]; then
    echo "check_consistency.sh: no rtl and cmodel here; run it from the repository root" >&2
    exit 2
fi
shopt -s nullglob

findings=0
finding() { echo "check_consistency.sh: $*" >&2; findings=$((findings + 1)); }
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
    }' "doc/blocks/$1.md"
}

# Lines "kind name" of a port list (tb/shim/ports.h has the lists): param, part, or the suffix of the signal.
signals_of() { # PORTS.h
    awk '
        BEGIN {
            kinds["PARAMS"] = "param"; kinds["PARTS"] = kinds["PART_ARRAYS"] = "part"
            kinds["INPUTS"] = kinds["WIDE_INPUTS"] = kinds["LANE_INPUTS"] = "i"
            kinds["OUTPUTS"] = kinds["LANE_OUTPUTS"] = "o"
            kinds["REGISTERS"] = kinds["REGISTER_ARRAYS"] = "q"
        }
        /^\/\*/ { kind = "" }
        /^#/ {
            list = ""
            if (match($0, /^#define BLOCK_[A-Z_]+\([A-Z]\)/)) {
                list = substr($0, 15, RLENGTH - 17)
                $0 = substr($0, RLENGTH + 1)
            }
            kind = kinds[list]
        }
        kind != "" {
            while (match($0, / [XPAWL]\([A-Za-z0-9_]+/)) {
                print kind, substr($0, RSTART + 3, RLENGTH - 3)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$1"
}

# The module without comments and without what only assertions need.
design_of() { sed -E '/^`ifdef VERILATOR/,/^`endif/d; s://.*$::' "$1"; } # SV
header_of() { design_of "$1" | sed '/^);/q'; }                           # SV: parameters and ports

# Lines "module instance".
instances_of() { # SV
    design_of "$1" | awk '
        match($0, /^ *[a-z][a-z0-9_]* #\(/) { module = $1 }
        match($0, /^ *[a-z][a-z0-9_]* u_[a-z0-9_]+ \(/) { print $1, $2 }
        match($0, /^ *\) u_[a-z0-9_]+ \(/) { print module, $2 }'
}

rtl_default() { sed -nE "s/.*parameter +int +(unsigned +)?$2 *= *([0-9]+).*/\2/p" "$1" | head -n 1; }        # SV NAME
page_default() { sed -nE "s/^\| *\`$2\` *\| *([0-9]+) *\|.*/\1/p" "doc/blocks/$1.md" | head -n 1; }              # STEM NAME

check_names() { # STEM SV
    local page design listed kind name module of_rtl of_page ports=tb/blocks/$1/ports.h
    page=$(page_of "$1")
    design=$(design_of "$2")
    listed=$(signals_of "$ports")
    while read -r kind name; do
        case $kind in
        param)
            of_rtl=$(rtl_default "$2" "$name")
            of_page=$(page_default "$1" "$name")
            if [ -z "$of_rtl" ]; then finding "$2: has no 'parameter int $name = NUMBER', which $ports names"
            elif [ -z "$of_page" ]; then finding "doc/blocks/$1.md: its parameter table has no row '| \`$name\` | $of_rtl | ...'"
            elif [ "$of_rtl" != "$of_page" ]; then finding "doc/blocks/$1.md: default of $name is $of_page, in $2 it is $of_rtl"
            fi
            ;;
        part)
            grep -qw "u_$name" <<<"$design" || finding "$2: has no instance u_$name, which $ports names"
            grep -qE "\`(gen_$name\[i\]\.)?u_$name\`" <<<"$page" || finding "doc/blocks/$1.md: says nothing of \`u_$name\`"
            ;;
        *)
            grep -qw "${name}_$kind" <<<"$design" || finding "$2: has no ${name}_$kind, which $ports names"
            grep -qF "\`${name}_$kind\`" <<<"$page" || finding "doc/blocks/$1.md: says nothing of \`${name}_$kind\`"
            ;;
        esac
    done <<<"$listed"
    # The other way: what the RTL has and the list does not.
    for name in $(header_of "$2" | grep -oE '\bparameter +int +(unsigned +)?[A-Za-z0-9_]+' | awk '{ print $NF }'); do
        grep -qx "param $name" <<<"$listed" || finding "$ports: lacks parameter $name of $2"
    done
    for name in $(header_of "$2" | grep -oE '^ *(input|output) .*' | sed -E 's/[, ]*$//' | awk '{ print $NF }'); do
        case $name in clk_i | rst_ni) continue ;; esac
        grep -qx "${name##*_} ${name%_*}" <<<"$listed" || finding "$ports: lacks port $name of $2"
    done
    for name in $(grep -oE '\b[a-z][a-z0-9_]*_q\b' <<<"$design" | sort -u); do
        grep -qx "q ${name%_q}" <<<"$listed" || finding "$ports: lacks register $name of $2"
    done
    while read -r module name; do
        [ -f "tb/blocks/$module/ports.h" ] || continue
        signals_of "tb/blocks/$module/ports.h" | grep -qE '^(q|part) ' || continue
        grep -qx "part ${name#u_}" <<<"$listed" || finding "$ports: lacks part $name of $2, which has registers"
    done < <(instances_of "$2")
}

blocks=" "
count=0
for sv in rtl/sm/*.sv rtl/chip/*.sv; do
    stem=$(basename "$sv" .sv)
    folder=$(basename "$(dirname "$sv")")
    blocks+="$stem "
    count=$((count + 1))
    for file in "cmodel/$folder/$stem.c" "cmodel/$folder/$stem.h" "tb/blocks/$stem/ports.h" "tb/blocks/$stem/bind.h" "tb/blocks/$stem/decisions.h" \
        "tb/blocks/$stem/test_$stem.c" "tb/blocks/$stem/view" "doc/blocks/$stem.md"; do
        need "$file" "$sv"
    done
    if [ -f "tb/blocks/$stem/ports.h" ] && [ -f "doc/blocks/$stem.md" ]; then check_names "$stem" "$sv"; fi
done
[ $count -gt 0 ] || finding "no blocks in rtl/sm and rtl/chip"

orphan() { [[ $blocks == *" $2 "* ]] || finding "$1 belongs to no block of rtl/sm or rtl/chip"; } # FILE STEM
for file in cmodel/sm/*.[ch] cmodel/chip/*.[ch]; do
    stem=$(basename "${file%.*}")
    folder=$(basename "$(dirname "$file")")
    [ -f "rtl/$folder/$stem.sv" ] || finding "$file: there is no rtl/$folder/$stem.sv"
done
for file in tb/blocks/*/; do orphan "$file" "$(basename "$file")"; done
for file in doc/blocks/*.md; do
    stem=$(basename "$file" .md)
    [ "$stem" = timing ] || orphan "$file" "$stem"
done

while read -r file; do
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier: ' || finding "$file: no SPDX-License-Identifier in its first lines"
done < <(find . \( -path ./build -o -path ./.git \) -prune -o -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.sv' \
    -o -name '*.sh' -o -name '*.vlt' -o -name '*.view' -o -name '*.mk' -o -name Makefile -o -path './.ci/run' \) -print | sed 's:^\./::' | sort)

[ $findings -eq 0 ] || exit 1
echo "house: $count blocks complete"
