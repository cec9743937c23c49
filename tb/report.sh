# SPDX-License-Identifier: Apache-2.0
#
# Cases of a test script, a line each. Sourced from the repository root.
# shellcheck shell=bash
failed=0 # read by the script that sources this

report() { # NAME WHY: an empty WHY is a success
    if [ -z "$2" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: $2"
        failed=1
    fi
}
