# SPDX-License-Identifier: Apache-2.0
#
# What each vector of a campaign is worth. Input: lines "block,vector,kind,mutant,cycle"; others are skipped. Output, for every
# vector that kills something: how many mutants it kills, how many of them nothing else kills, and "redundant" if a greedy choice
# of vectors - always the one that kills most of what is left - does without it. A recording counts over all blocks.
BEGIN { FS = ","; print "vector,block,kind,kills,alone,redundant" }

NF != 5 { next }
{
    # A test is its block's, a recording plays for all.
    vector = $2
    if (!(vector in kind)) { kind[vector] = $3; order[++num] = vector; block[vector] = $3 == "test" && vector !~ /^test_lockstep:/ ? $1 : "all" }
    mutant = $1 "," $4
    if ((vector, mutant) in seen) next
    seen[vector, mutant] = 1
    kills[vector] = kills[vector] mutant "\n"
    count[vector]++
    killers[mutant]++
}
END {
    for (v = 1; v <= num; v++) {
        n = split(kills[order[v]], of, "\n") - 1
        for (i = 1; i <= n; i++) alone[order[v]] += killers[of[i]] == 1
        fresh[order[v]] = count[order[v]]
    }
    for (;;) {
        best = ""
        for (v = 1; v <= num; v++)
            if (!(order[v] in taken) && fresh[order[v]] > 0 && (best == "" || fresh[order[v]] > fresh[best])) best = order[v]
        if (best == "") break
        # What counted before may have been killed since: count anew, and take it only if it is still the most.
        n = split(kills[best], of, "\n") - 1
        left = 0
        for (i = 1; i <= n; i++) left += !(of[i] in dead)
        if (left < fresh[best]) { fresh[best] = left; continue }
        taken[best] = 1
        for (i = 1; i <= n; i++) dead[of[i]] = 1
    }
    for (v = 1; v <= num; v++)
        print order[v] "," block[order[v]] "," kind[order[v]] "," count[order[v]] "," alone[order[v]] + 0 "," (order[v] in taken ? "" : "redundant")
}
