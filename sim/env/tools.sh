# SPDX-License-Identifier: Apache-2.0
#
# Sourced by setup.sh and doctor.sh: reads sim/env/packages.

package_list=$(dirname "${BASH_SOURCE[0]}")/packages

# Of any version: the flows say when there is not the one that LLVM= asks for.
llvm_folder() { # PROOF
    # shellcheck disable=SC2086 # an option or none
    LLVM='' "$(dirname "$package_list")/llvm.sh" ${1#LLVM} 2>/dev/null
}

# A tool is there when its proof is: a file by its path, a command by its name.
present() { # PROOF
    case $1 in
    LLVM*) llvm_folder "$1" >/dev/null ;;
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# Calls FUNCTION package proof least targets purpose, for each line of the list.
for_each_package() { # FUNCTION
    local package proof least targets purpose
    while read -r package proof least targets purpose; do
        case $package in '' | '#'*) continue ;; esac
        "$1" "$package" "$proof" "$least" "$targets" "$purpose"
    done <"$package_list"
}
