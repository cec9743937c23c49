# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What formal.sh proves: targets and their parameters. Sourced behind synth.sh; $config is the configuration.

num_sms() { grep -o 'NumSms=[0-9]*' "rtl/configs/$config" | cut -d= -f2; }
part_of() { if [ "$1" = ballast_chip ]; then echo sm_governor; fi; } # STEM: what is proved apart from it

# A target is a block, or a block with another parameter: the memory's VF domain.
stem_of() { case $1 in vf_domain_mem) echo vf_domain ;; *) echo "$1" ;; esac; }
params_of() { # TARGET
    local params
    params=$(synth_params "$(stem_of "$1")" "$config")
    if [ "$1" = vf_domain_mem ]; then params+=" Domain=1"; fi
    if [ "$1" = ballast_chip ]; then params=${params/NumSms=1/NumSms=$(num_sms)}; fi
    echo "${params# }"
}
