# SPDX-License-Identifier: Apache-2.0
#
# Completion of 'ballast' for bash: commands, their options, files. The command itself says which there are.
_ballast() {
    local current=${COMP_WORDS[COMP_CWORD]} words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="help --help --version --data $(ballast help --commands 2>/dev/null)"
    elif [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; then
        words=$(ballast help --commands 2>/dev/null)
    elif [[ $current == -* ]]; then
        words=$(ballast help --options "${COMP_WORDS[1]}" 2>/dev/null | cut -d' ' -f1)
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o filenames -F _ballast ballast
