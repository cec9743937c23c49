# SPDX-License-Identifier: Apache-2.0
#
# Sourced by setup.sh and doctor.sh: reads sim/env/packages.

package_list=$(dirname "${BASH_SOURCE[0]}")/packages

# Of any version: the flows say when there is not the one that LLVM= asks for.
llvm_folder() { # PROOF
    # shellcheck disable=SC2086 # an option or none
    LLVM='' "$(dirname "$package_list")/llvm.sh" ${1#LLVM} 2>/dev/null
}

# Targets that need no Verilated block and no command.
plain_targets=" lib install wheel setup portability "

# A tool is there when one of its proofs is: a file by its path, a command by its name.
present() { # PROOF|PROOF
    local proof
    local -a proofs
    IFS='|' read -ra proofs <<<"$1"
    for proof in "${proofs[@]}"; do
        case $proof in
        LLVM*) llvm_folder "$proof" >/dev/null && return 0 ;;
        /*) compgen -G "$proof" >/dev/null && return 0 ;;
        *) command -v "$proof" >/dev/null 2>&1 && return 0 ;;
        esac
    done
    return 1
}

# Whether one of the targets that are made needs a package; without any, all packages are needed.
needed() { # TARGETS-OF-PACKAGE MADE...
    local made targets=",$1,"
    shift
    [ $# -gt 0 ] || return 0
    [ "$targets" != ,all, ] || return 0
    for made in "$@"; do
        case $targets in
        *,"${made%%-*}",*) return 0 ;;
        *,build,*) [[ $plain_targets == *" $made "* ]] || return 0 ;;
        esac
    done
    return 1
}

# Calls FUNCTION package proof least targets purpose, for each line of the list.
for_each_package() { # FUNCTION
    local package proof least targets purpose
    while read -r package proof least targets purpose; do
        case $package in '' | '#'*) continue ;; esac
        "$1" "$package" "$proof" "$least" "$targets" "$purpose"
    done <"$package_list"
}
