# SPDX-License-Identifier: Apache-2.0
#
# One mutant of a block as formal.sh has the RTL: its inputs and outputs under the labels of `bits` (tb/formal/words.c).
#   awk -v mutant=N -f mutate_step.awk BITS core.aag >rtl.aag        N = 0: the block itself

# "i00012.perfsat.state_q[3]" and "perfsat.state_q.next[3]" are here u_perfsat.state_q[3] and u_perfsat.state_q.next[3],
# "sm[1].lcs.limit_q[0]" is gen_sm[1].u_sm.u_lcs.limit_q[0]. What each SM has of a port, "sm[1].limit_o[2]", stands in it side by side.
function rtl_name(label, n, part, i, name) {
    sub(/^i[0-9]+[.]/, "", label)
    if (label ~ SM_PORT) {
        match(label, /\].[a-z0-9_]+_[io]/)
        name = substr(label, RSTART + 2, RLENGTH - 2)
        return name "[" number_after(label, "sm[") * width[name] + number_after(label, name "[") "]"
    }
    n = split(label, part, ".")
    for (i = 1; i <= n; i++) {
        if (i < n && part[i + 1] !~ /^next(\[|$)/) part[i] = part[i] ~ /\]$/ ? "gen_" part[i] ".u_" substr(part[i], 1, index(part[i], "[") - 1) : "u_" part[i]
        name = name (i > 1 ? "." : "") part[i]
    }
    return name
}
function number_after(text, what) { return substr(text, index(text, what) + length(what)) + 0 }
function label_of(name) { return name in label ? label[name] : name "[0]" in label ? label[name "[0]"] : "" }
function constant(lit) { return lit - lit % 2 in value ? (lit % 2 ? 1 - value[lit - lit % 2] : value[lit - lit % 2]) : lit }

BEGIN { SM_PORT = "^sm\\[[0-9]+\\][.][a-z0-9_]+_[io]\\[[0-9]+\\]$" }
NR == FNR {
    if ($1 !~ /^(in|out|next)$/) next
    listed[++labels] = $4
    name = $4
    sub(/^i[0-9]+[.]/, "", name)
    if (name ~ SM_PORT) {
        sub(/^sm\[[0-9]+\][.]/, "", name)
        bit = number_after(name, "[") + 1
        sub(/\[.*/, "", name)
        if (bit > width[name]) width[name] = bit
    }
    next
}
FNR == 1 { for (i = 1; i <= labels; i++) label[rtl_name(listed[i])] = listed[i] }
FNR == 1 { inputs = $3; outputs = $5; ands = $6; header = $2; next }
{ line[FNR] = $0 }
END {
    first = 2; last = first + inputs + outputs + ands
    for (i = last; i in line; i++) {
        split(line[i], word, " ")
        kind = substr(word[1], 1, 1); number = substr(word[1], 2) + 0
        if (kind == "i") input[number] = word[2]
        else if (kind == "o") output[number] = word[2]
        else break
    }
    for (i = 0; i < inputs; i++) {
        if (input[i] ~ /^mut_/) value[line[first + i] + 0] = (input[i] == "mut_" mutant) ? 1 : 0
        else if ((name = label_of(input[i])) != "") { kept[++n] = line[first + i]; symbols = symbols "i" (n - 1) " " name "\n" }
        else { print "mutate: there is no " input[i] " in the port list" >"/dev/stderr"; exit 2 }
    }
    print "aag", header, n, 0, outputs, ands
    for (i = 1; i <= n; i++) print kept[i]
    for (i = 0; i < outputs; i++) print constant(line[first + inputs + i])
    for (i = 0; i < ands; i++) { split(line[first + inputs + outputs + i], word, " "); print word[1], constant(word[2]), constant(word[3]) }
    printf "%s", symbols
    for (i = 0; i < outputs; i++) {
        if ((name = label_of(output[i])) == "") { print "mutate: there is no " output[i] " in the port list" >"/dev/stderr"; exit 2 }
        print "o" i, name
    }
}
