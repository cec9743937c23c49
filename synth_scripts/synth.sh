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

# The parameters of a configuration that the block has, as NAME=VALUE ... A chip is measured with one SM: the rest
# is that many times an SM.
synth_params() { # STEM CONFIG
    local pair file
    file=$(synth_file "$1")
    for pair in $(cat "rtl/configs/$2"); do
        [ "$1" != ballast ] || pair=${pair/#NumSms=*/NumSms=1}
        if grep -Eq "parameter +int +(unsigned +)?${pair%%=*}\b" "$file"; then printf '%s ' "$pair"; fi
    done | sed 's/ $//'
}

# Yosys commands that read the RTL and elaborate the block with the given parameters.
synth_read() { # STEM [NAME=VALUE...]
    local stem=$1 pair
    shift
    echo "read_verilog -sv $(echo rtl/common/*_pkg.sv rtl/sm/*.sv rtl/chip/*.sv)"
    for pair in "$@"; do echo "chparam -set ${pair%%=*} ${pair#*=} $stem"; done
    echo "hierarchy -check -top $stem"
}

# Yosys commands that map what was read onto the cells of a liberty; names of registers stay.
synth_map() { # STEM LIBERTY
    cat <<YS
synth -flatten -top $1
dfflibmap -liberty $2
abc -D 2000 -liberty $2
opt_clean -purge
YS
}
