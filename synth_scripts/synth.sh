# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The one synthesis recipe: what area.sh measures is what gates.sh verifies. Sourced, from the repository root.

synth_osu018=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
synth_osu035=/usr/share/qflow/tech/osu035/osu035_stdcells.lib

synth_blocks() { # stems, one a line
    local file
    for file in rtl/sm/*.sv rtl/chip/*.sv; do basename "$file" .sv; done
}

synth_file() { ls rtl/sm/"$1".sv rtl/chip/"$1".sv 2>/dev/null; } # STEM

# The blocks whose outputs a block reads.
synth_needs() { # STEM
    sed -n 's/^#define BLOCK_NEEDS(N)//p' "tb/blocks/$1/ports.h" | grep -o 'N([a-z0-9_]*)' | sed 's/N(//; s/)//' | xargs
}

# The parameters of a configuration that the block has, as NAME=VALUE ... A chip is measured with one SM: the rest
# is that many times an SM.
synth_params() { # STEM CONFIG
    local pair file
    file=$(synth_file "$1")
    for pair in $(cat "rtl/configs/$2"); do
        [ "$1" != ballast_chip ] || pair=${pair/#NumSms=*/NumSms=1}
        if grep -Eq "parameter +int +(unsigned +)?${pair%%=*}\b" "$file"; then printf '%s ' "$pair"; fi
    done | sed 's/ $//'
}

# Yosys commands that read the RTL and elaborate the block with the given parameters.
synth_read() { # STEM [NAME=VALUE...]
    local stem=$1 pair set_all=
    shift
    echo "read_verilog -sv $(echo rtl/common/*.sv rtl/sm/*.sv rtl/chip/*.sv)"
    # One chparam for all: each makes a module with new names inside, and names move abc's choices by some percent.
    for pair in "$@"; do set_all+=" -set ${pair%%=*} ${pair#*=}"; done
    [ -z "$set_all" ] || echo "chparam$set_all $stem"
    echo "hierarchy -check -top $stem"
    echo "setattr -set register 1 w:*_q w:*_q[*] %u" # so that registers keep their names and bits
}

# How abc maps: for delay, then buffers and sizes. `if -g` balances by depth, `map -B 0.5` counts less of a net's readers in
# than usual (area for delay), `buffer -N 3` splits nets with many readers, upsize and dnsize choose sizes with the library's
# own tables. The file synth.constr says what drives inputs and flip-flops and what outputs drive: without it abc takes a
# register with a hundred readers for free. doc/use/area.md has the recipes that were tried. Yosys wants commas for blanks.
synth_abc="strash;ifraig;scorr;dc2;strash;if,-g,-K,6;strash;dch;map,-B,0.5;topo;buffer,-c,-N,3;topo;upsize,{D};dnsize,{D}"

# Yosys commands that map what was read onto the cells of a liberty; names of registers stay. One pass of abc only: a
# generic one before (synth's own) hides structure from it. Delay target 1 ps: as fast as it gets.
synth_map() { # STEM LIBERTY
    cat <<YS
synth -flatten -noabc -top $1
dfflibmap -liberty $2
abc -D 1 -constr synth_scripts/synth.constr -liberty $2 -script +$synth_abc
opt_clean -purge
YS
}
