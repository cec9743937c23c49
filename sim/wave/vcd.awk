# SPDX-License-Identifier: Apache-2.0
#
# Reads a waveform as fst2vcd prints it. -v what=
#   names    every signal: SM0.lcs.rtl.limit_q[3:0]
#   span     the first and the last time
#   changes  -v signal=NAME (without range): "time value" of every change; texts with their spaces
#   texts    -v signal=NAME: the same with the recording's cycle instead of the time, and without empty texts

function scope_name(    i, name) {
    for (i = 1; i <= depth; i++)
        name = name scopes[i] "."
    return name
}

function value_changed(code, value) {
    if (code == cycle_code)
        cycle = number(value)
    if (code != wanted)
        return
    if (what == "changes")
        print time, value
    else if (what == "texts" && value != "")
        pending = value
}

function number(bits,    i, n) {
    for (i = 1; i <= length(bits); i++)
        n = 2 * n + substr(bits, i, 1)
    return n
}

# The cycle's number may follow its texts.
function end_of_time() {
    if (pending != "")
        print cycle, pending
    pending = ""
}

$1 == "$scope" { scopes[++depth] = $3 }
$1 == "$upscope" { depth-- }
$1 == "$var" {
    name = scope_name() $5
    if (what == "names")
        print name ($2 != "string" && $2 != "integer" && $3 > 1 ? "[" $3 - 1 ":0]" : "")
    if (name == signal)
        wanted = $4
    if (depth == 1 && $5 == "cycle")
        cycle_code = $4
}
/^#[0-9]/ {
    end_of_time()
    time = substr($0, 2) + 0
    if (!seen++)
        first = time
}
/^b/ { value_changed($2, substr($1, 2)) }
/^[01]/ { value_changed(substr($0, 2), substr($0, 1, 1)) }
/^s/ {
    text = substr($1, 2)
    if (NF == 1) {
        text = ""
        $2 = $1
    }
    gsub(/\\040/, " ", text)
    value_changed($2, text)
}
END {
    end_of_time()
    if (what == "span")
        print first, time
}
