#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_report.sh BALLAST: runs a small manifest, opens its report in headless Chromium and holds what is on the page
# against the run's files; plants faults in copies of the page, which must be found; damages the files, which must be
# refused. Run from the repository root. Prints a line per check, "ok - name" or "not ok - name: why"; exit status 1 if
# any failed. With --keep DIR, pages and pictures stay there.
set -uo pipefail

die() { echo "test_report.sh: $*" >&2; exit 2; }

keep=
if [ "${1:-}" = --keep ]; then keep=${2:?} && shift 2; fi
[ $# -eq 1 ] || die "name the ballast program"
ballast=$(realpath -- "$1") || exit 2
[ -x "$ballast" ] || die "$ballast is no program; 'make build' makes it"
[ -f vectors/MANIFEST.csv ] || die "no vectors/MANIFEST.csv here; run it from the repository root"
for tool in chromium jq convert gnuplot; do
    command -v $tool >/dev/null || die "$tool is missing; 'make setup' installs it"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out
page=$out/report.html
failed=0

report() { # NAME WHY: an empty WHY is a success
    if [ -z "$2" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: $(head -n 8 <<<"$2")"
        failed=1
    fi
}

# ---- a run -------------------------------------------------------------------------------------

# One family twice: under its own name, for which there is a profile, and under one that a careless page would take
# for markup.
odd='hot<i>spot & co'
make_run() {
    {
        echo 'file,kernel,program'
        for n in 1 2 8; do echo "$PWD/vectors/hotspot.n$n.blt,hotspot,\"plain, with a comma\""; done
        for n in 1 2 8; do echo "$PWD/vectors/hotspot.n$n.blt,$odd,a <b>bold</b> kernel"; done
    } | sed 's#^/#../../../../../../../../#' >"$work/manifest.csv"
    mkdir -p "$work/build/area" "$work/build/formal" "$work/build/gates/fermi"
    cat >"$work/build/area/area.csv" <<'END'
"config","block","parameters","flip_flops","cells","nand2","area_um2","lut4","ice40_flip_flops","ice40_carries","depth","ns","fo4","kind","start","end","verdict","why"
"fermi","lcs","NumSlots=8",338,3062,4462,107084,933,338,25,25,3.88,39.1,"reg-reg","a","b","same",""
END
    cat >"$work/build/formal/status.json" <<'END'
{"tool": "a prover", "blocks": [
 {"block": "lcs", "proof": "step", "status": "proved", "bound": "full size", "states": "invariant", "seconds": 12.3},
 {"block": "lcs", "proof": "LCS-2: 1 <= limit", "status": "proved", "bound": "full size", "states": "reset", "seconds": 1},
 {"block": "lcs", "proof": "LCS-6: T_new > 0", "status": "open", "bound": "full size", "states": "reset", "seconds": 1}]}
END
    cat >"$work/build/gates/fermi/gates.csv" <<'END'
netlist,cells,flip_flops,register_bits,constant_bits,recording,cycles,lockstep,proof,proof_seconds
lcs,3062,338,338,0,fma.n6,21590,pass,proved,7
END
    "$ballast" run --out "$out" --build "$work/build" "$work/manifest.csv" >"$work/stdout" 2>"$work/stderr"
    report "the run passes and writes its page" "$([ $? -eq 0 ] && [ -s "$page" ] || cat "$work/stderr" "$work/stdout")"
    [ -s "$page" ] || exit 1
}

# ---- the browser ---------------------------------------------------------------------------------

browse() { # ARGUMENT...
    timeout 30 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
        --disable-background-networking --user-data-dir="$work/profile" "$@" 2>"$work/chromium.log"
}

# The page says what it has become: a copy with a script of the test's own, which takes the place of what the page
# forbids. Lines "table <tab> cell <tab> cell", and measures.
script='<script>addEventListener("load", () => {
const clean = e => e.textContent.replace(/[\u202f]/g, "").replace(/\s+/g, " ").trim(), lines = [];
for (const row of document.querySelectorAll("table tr"))
  lines.push([row.closest("table").id, ...[...row.cells].map(clean)].join("\t"));
for (const e of document.querySelectorAll("h1,h2,h3,h4,.kernel>p,.verdict strong")) lines.push(e.tagName + "\t" + clean(e));
const sizes = [...document.querySelectorAll("svg")].map(e => e.getBoundingClientRect());
lines.push("pictures\t" + sizes.length, "empty\t" + sizes.filter(s => s.width < 200 || s.height < 100).length);
lines.push("curves\t" + Math.min(...[...document.querySelectorAll("svg")].map(e => e.querySelectorAll("path").length)));
lines.push("overflow\t" + (document.documentElement.scrollWidth - innerWidth), "width\t" + innerWidth);
lines.push("fetched\t" + performance.getEntriesByType("resource").length);
const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
lines.push("twice\t" + (ids.length - new Set(ids).size));
const links = [...document.querySelectorAll("a[href]")], tables = [...document.querySelectorAll("table")];
lines.push("dangling\t" + links.filter(a => !document.getElementById(a.hash.slice(1))).length);
lines.push("bare\t" + tables.filter(t => !t.caption || !t.querySelector("th[scope]")).length);
lines.push("height\t" + document.documentElement.scrollHeight);
document.body.innerHTML = ""; const pre = document.createElement("pre"); pre.id = "probe";
pre.textContent = "\nPROBE\n" + lines.join("\n") + "\nEND\n"; document.body.append(pre); });</script>'

probe() { # PAGE WIDTH: fills $work/probe
    { sed '/http-equiv="Content-Security-Policy"/d' "$1"; echo "$script"; } >"$work/probe.html"
    browse --window-size="$2",900 --virtual-time-budget=5000 --dump-dom "file://$work/probe.html" |
        sed -n '/^PROBE$/,/^END$/p' | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >"$work/probe"
}

measure() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/probe"; } # NAME
rows() { awk -F '\t' -v name="$1" '$1 == name' "$work/probe" | sed 1d; }        # TABLE

# ---- what must be on the page -----------------------------------------------------------------------

same() { # TABLE EXPECTED: its rows
    [ -n "$2" ] || { echo "$1: nothing is expected of it"; return; }
    diff <(rows "$1") <(printf '%s\n' "$2") >"$work/diff" && return
    echo "$1: page (<) and files (>) differ"
    grep '^[<>]' "$work/diff" | head -n 4
}

expect_replays() {
    awk -F, -v OFS='\t' 'NR > 1 { print "replays-table", $1, $2, $3, $4, $5, $6, $7, $8, ($9 ? "" : "open") }' "$out/verdicts.csv"
}

expect_overview() {
    awk -F, -v OFS='\t' 'NR > 1 {
        line = "overview" OFS $1 OFS $2 OFS $3 OFS ($4 ? $4 : "–")
        for (i = 5; i <= NF; i += 4) line = line OFS $i " " $(i + 1) " % " ($(i + 2) ? "@" $(i + 3) : "moving")
        print line }' "$out/policies.csv"
}

expect_policies() { # INDEX KERNEL
    awk -F, -v OFS='\t' -v table="k$1-policies" -v kernel="$2" '
        FNR == 1 { for (i = 1; i <= NF; i++) name[FILENAME, i] = $i; next }
        $1 != kernel { next }
        FILENAME ~ /policies/ { for (i = 1; i <= NF; i++) value[name[FILENAME, i]] = $i; next }
        $3 == "sm0" { title["static"] = "Static"; title["perfsat"] = "Perf-Sat"; title["lcs"] = "LCS"
            title["equalizer"] = "Equalizer"; title["dyncta"] = "DYNCTA"
            print table, title[$2], value[$2 "_limit"], value[$2 "_percent"],
                value[$2 "_settled"] ? value[$2 "_cycle"] : "moving", $7, $5, $4 }' "$out/policies.csv" "$out/runs.csv"
}

expect_stalls() { # INDEX KERNEL
    local best
    best=$(awk -F, -v kernel="$2" '$1 == kernel { print $NF }' "$out/kernels.csv")
    awk -F, -v OFS='\t' -v table="k$1-stalls" -v kernel="$2" -v best="$best" '
        $1 == kernel { n++; for (i = 2; i <= NF; i++) v[n, i] = $i; ipc = $4 / $3; if (ipc > most) most = ipc }
        END { for (r = 1; r <= n; r++) {
            line = table OFS v[r, 2] (v[r, 2] == best ? " best" : "") OFS sprintf("%.3f", v[r, 4] / v[r, 3])
            line = line OFS sprintf("%.1f", 100 * v[r, 4] / v[r, 3] / most)
            for (i = 5; i <= 10; i++) line = line OFS sprintf("%.1f", 100 * v[r, i] / v[r, 3])
            print line, v[r, 3] } }' "$out/stalls.csv"
}

expect_models() {
    local best
    best=$(awk -F, 'NR > 1 && $4 { print $3 "," $4; exit }' "$out/policies.csv")
    awk -F, -v OFS='\t' -v best="${best%,*}" -v model="${best#*,}" 'NR > 1 {
        why = ($2 == best ? "best recorded " : "") ($2 == model ? "best by the model" : ""); sub(/ $/, "", why)
        print "models-table", $1, $2, $3, $4, $5, sprintf("%.1f", $6), sprintf("%.3f", 1000 * $7), why }' "$out/model.csv"
}

moves='select(.event != "kernel_start") | select(.before[$key] != null and .before[$key] != .after[$key])'

# Number, cycle and rule of every decision that moved something; the page's row has more between them. As many as
# shown, and the heading's count of all.
check_decisions() { # INDEX KERNEL RUN SCOPE TITLE
    local file="$out/$2.$3.$4.model.jsonl" key=limit what='the limit' moved all
    if [ "$4" = chip ]; then key=level what='a VF level'; fi
    all=$(wc -l <"$file")
    moved=$(jq -r --arg key $key "$moves | [.cycle, .rule, .words] | @tsv" "$file")
    [ "$(awk -F '\t' -v table="k$1-$3-moves" '$1 == table && $2 + 0 { n = split($4, w, "; "); print $3 "\t" $6 }' "$work/probe")" = \
        "$(head -n 60 <<<"$moved" | cut -f 1,2)" ] || echo "$2 $3: other moves than in $file"
    while IFS=$'\t' read -r _ _ words; do
        [ -z "$words" ] || grep -qF -- "$words" <(rows "k$1-$3-moves") || echo "$2 $3: '$words' is not there"
    done < <(head -n 60 <<<"$moved")
    grep -qxF "H4"$'\t'"$5: $(grep -c . <<<"$moved") of $all decisions moved $what" "$work/probe" || echo "$2 $3: the heading counts otherwise"
    if [ "$4" = sm0 ] && [ "$(grep -c . <<<"$moved")" != "$(awk -F, -v k="$2" -v r="$3" '$1 == k && $2 == r { print $7 }' "$out/runs.csv")" ]; then
        echo "$2 $3: as many decisions moved the limit as it has moved? log and track differ"
    fi
}

check_kernel() { # INDEX KERNEL WORDS
    same "k$1-policies" "$(expect_policies "$1" "$2")"
    same "k$1-stalls" "$(expect_stalls "$1" "$2")"
    grep -qxF "H2"$'\t'"Kernel $2" "$work/probe" || echo "no heading 'Kernel $2'"
    grep -qF "P"$'\t'"$3. An SM" "$work/probe" || echo "'$3' is not there"
    check_decisions "$1" "$2" static sm0 Static
    check_decisions "$1" "$2" perfsat sm0 Perf-Sat
    check_decisions "$1" "$2" lcs sm0 LCS
    check_decisions "$1" "$2" equalizer sm0 Equalizer
    check_decisions "$1" "$2" dyncta sm0 DYNCTA
    check_decisions "$1" "$2" performance chip "Chip, performance mode"
    check_decisions "$1" "$2" energy chip "Chip, energy mode"
}

check_numbers() {
    local passed all
    all=$(($(wc -l <"$out/verdicts.csv") - 1))
    passed=$(grep -c ',pass,' "$out/verdicts.csv")
    [ "$passed" -eq "$all" ] && [ "$all" -gt 10 ] || echo "the run itself: $passed of $all"
    grep -qxF "STRONG"$'\t'"$all replays, all equal." "$work/probe" || echo "the verdict is not '$all replays, all equal.'"
    same replays-table "$(expect_replays)"
    same overview "$(expect_overview)"
    check_kernel 0 hotspot 'plain, with a comma'
    check_kernel 1 "$odd" 'a <b>bold</b> kernel'
    same models-table "$(expect_models)"
    same area-table "$(printf 'area-table\tlcs\tfermi\t338\t3062\t4462\t107084\t933\t39.1\tsame')"
    same proofs-table "$(printf 'proofs-table\tlcs\tproved\tfull size\tinvariant\t12.3')"
    same rules-table "$(printf 'rules-table\tlcs\tproved\tfull size\treset\tLCS-2: 1 <= limit\nrules-table\tlcs\topen\tfull size\treset\tLCS-6: T_new > 0')"
    grep -q '<summary>Rules of the papers, proved of the RTL: 1 of 2</summary>' "$page" || echo "the rules are not counted"
    same gates-table-0 "$(printf 'gates-table-0\tlcs\t3062\t338\tfma.n6\t21590\tpass\tproved\t7')"
}

check_measures() { # PICTURES
    [ -s "$work/probe" ] || { echo "the browser shows nothing: $(head -n 3 "$work/chromium.log")"; return; }
    [ "$(measure pictures)" = "$1" ] || echo "$(measure pictures) pictures instead of $1"
    [ "$(measure empty)" = 0 ] || echo "$(measure empty) pictures without a size"
    [ "$(measure curves)" -gt 10 ] || echo "a picture with $(measure curves) lines"
    [ "$(measure overflow)" -le 0 ] || echo "$(measure overflow) pixels wider than the window of $(measure width)"
    [ "$(measure fetched)" = 0 ] || echo "$(measure fetched) files fetched"
    [ "$(measure twice)" = 0 ] || echo "$(measure twice) ids are there twice"
    [ "$(measure dangling)" = 0 ] || echo "$(measure dangling) links lead nowhere"
    [ "$(measure bare)" = 0 ] || echo "$(measure bare) tables without caption or heads"
    [ "$(grep -c '^H1' "$work/probe")" = 1 ] || echo "not one heading of the first level"
}

# Whatever would reach out of the page.
check_references() { # PAGE
    grep -oiE "(src|href|srcset|poster|action|data)=[\"'][^#\"'][^\"']*|url\([\"']?[^#\"')][^)]*|@import|<(script|link|iframe|object|embed|img|base)\b" "$1"
}

problems() { # PAGE WIDTH: all that is wrong with it
    probe "$1" "$2"
    check_measures 5
    check_numbers
    check_references "$1"
}

# ---- faults -------------------------------------------------------------------------------------------

plant() { # NAME SED WORD: the page with that fault is found out, for that reason
    local found
    sed -E "$2" "$page" >"$work/fault.html"
    if cmp -s "$page" "$work/fault.html"; then report "planted: $1" "nothing was changed"; return; fi
    found=$(problems "$work/fault.html" 390)
    report "planted: $1" "$(grep -qF -- "$3" <<<"$found" || echo "not found; instead: $found")"
}

plant_all() {
    local n
    n=$(grep -n 'id="k0-stalls"' "$page" | cut -d: -f1)
    plant "a share of the breakdown" "$n,\$s#(<td class=\"n\">)([0-9]+)\.([0-9])</td>#\1\2.\3\3</td>#; " "k0-stalls: page"
    plant "a replay's cycles" '/id="replays-table"/,$s#(<td class="n">)(4.{0,3}9.{0,3}1.{0,3}1)9#\18#' "replays-table: page"
    plant "the verdict's count" 's#<strong>[0-9]#<strong>9#' "the verdict is not"
    plant "the cycle of a decision" \
        '/id="k0-perfsat-moves"/,/<\/table>/s#(class="moved"><td class="n">1</td><td class="n">)[0-9]#\17#' \
        "hotspot perfsat: other moves"
    plant "a name that is markup" 's#&lt;i&gt;#<i>#g' "no heading"
    plant "a picture from elsewhere" 's#</main>#<img src="http://example.org/x.png" alt="x"></main>#' "example.org"
    plant "something too wide" 's#</main>#<div style="width:900px">x</div></main>#' "pixels wider"
    plant "a picture without a size" 's#(<svg role="img")#\1 style="height:0"#' "pictures without a size"
}

# ---- how it looks -----------------------------------------------------------------------------------------

shoot() { # NAME WIDTH SCHEME: 0 dark, 1 light
    browse --window-size="$2",1400 --blink-settings=preferredColorScheme="$3" --screenshot="$work/$1.png" "file://$page" >/dev/null
}

check_picture() { # NAME WIDTH SCHEME
    local colors mean
    shoot "$@"
    [ -s "$work/$1.png" ] || { report "screenshot: $1" "there is none: $(head -n 3 "$work/chromium.log")"; return; }
    read -r colors mean < <(convert "$work/$1.png" -format '%k %[fx:int(100*mean)]\n' info:)
    report "screenshot: $1" "$([ "$colors" -gt 60 ] || echo "only $colors colours")$(
        if [ "$3" = 1 ]; then [ "$mean" -gt 70 ] || echo "too dark: $mean %"; else [ "$mean" -lt 30 ] || echo "too bright: $mean %"; fi)"
}

check_print() {
    local pages
    browse --no-pdf-header-footer --print-to-pdf="$work/report.pdf" "file://$page" >/dev/null
    pages=$(grep -ac '/Type */Page\b' "$work/report.pdf")
    report "print: some pages" "$([ "$pages" -ge 4 ] || echo "$pages pages")"
}

# ---- damage -------------------------------------------------------------------------------------------------

remake() { "$ballast" report --out "$1" --build "$2" >"$work/stdout" 2>"$work/stderr"; } # OUT BUILD

refuses() { # NAME WORD: damaged files in $work/bad; one line, the old page stays
    local status why=
    remake "$work/bad" "$work/bad/build"
    status=$?
    [ $status -eq 3 ] || why="exit status $status;"
    [ "$(wc -l <"$work/stderr")" -eq 1 ] || why+="$(wc -l <"$work/stderr") lines;"
    grep -qF -- "$2" "$work/stderr" || why+="'$2' is not in: $(cat "$work/stderr");"
    cmp -s "$page" "$work/bad/report.html" || why+="another page;"
    [ ! -e "$work/bad/report.html.tmp" ] || why+="a half-written page is left"
    report "damaged: $1" "$why"
}

damage() { # NAME WORD FILE SED: or FILE - to remove it
    rm -rf "$work/bad"
    mkdir "$work/bad"
    find "$out" -maxdepth 1 -type f ! -name '*.fst' -exec cp -t "$work/bad" {} +
    cp -r "$work/build" "$work/bad/build"
    if [ "$4" = - ]; then rm "$work/bad/$3"; else sed -i -E "$4" "$work/bad/$3"; fi
    refuses "$1" "$2"
}

check_damage() {
    damage "no finished run" "run.json: there is no finished run" run.json -
    damage "run.json is none" "run.json" run.json 's:"finished":finished:'
    damage "no verdicts" "verdicts.csv" verdicts.csv -
    damage "a verdict's cycles" "verdicts.csv: line 3" verdicts.csv '3s/,open,0,/,open,x,/; 3s/,open,1,/,open,x,/'
    damage "a column is missing" "\"moves\"" runs.csv '1s/moves/mov/'
    damage "an unknown run" "runs.csv: line 2" runs.csv '2s/static/none/'
    damage "a limit above Nmax" "policies.csv: line 2" policies.csv '2s/^hotspot,3,3,3,3,/hotspot,3,3,3,99,/'
    damage "parts that do not add up" "stalls.csv: line 4" stalls.csv '4s/$/0/'
    damage "a kernel that is not there" "stalls.csv: line 2" stalls.csv '2s/^hotspot/hotspots/'
    damage "no track" "hotspot.lcs.dat" hotspot.lcs.dat -
    damage "a track that goes back" "hotspot.lcs.dat" hotspot.lcs.dat '2s/^/0 1\n/; 1s/^/9/'
    damage "no log" "hotspot.dyncta.sm0.model.jsonl" hotspot.dyncta.sm0.model.jsonl -
    damage "a line of a log" "hotspot.dyncta.sm0.model.jsonl: line 3" hotspot.dyncta.sm0.model.jsonl '3s/.$//'
    damage "a prediction" "model.csv: line 2" model.csv '2s/0\./zero./'
    damage "area" "area.csv: line 2" build/area/area.csv '2s/,338,/,many,/'
    damage "proofs" "status.json" build/formal/status.json 's/"blocks"/"block"/'
    damage "a proof" "status.json" build/formal/status.json 's/"status"/"state"/'
    damage "netlists" "gates.csv" build/gates/fermi/gates.csv '1s/lockstep/step/'
}

check_remade() {
    local why=
    cp "$page" "$work/before.html"
    remake "$out" "$work/build" || why=$(cat "$work/stderr")
    cmp -s "$page" "$work/before.html" || why+="another page"
    report "ballast report writes the same page again" "$why"
    mkdir -p "$work/empty"
    remake "$out" "$work/empty" || why=$(cat "$work/stderr")
    grep -q 'make area' "$page" || why+="no word on make area;"
    ! grep -qE 'id="(proofs|gates|area)-table' "$page" || why+="tables from nowhere"
    report "without area, gates and proofs" "$why"
    PATH=$work/empty remake "$out" "$work/build" || why=$(cat "$work/stderr")
    [ "$(grep -c 'No picture: gnuplot' "$page")" -ge 5 ] || why+="does not say so;"
    ! grep -q '<svg' "$page" || why+="pictures from nowhere"
    report "without gnuplot" "$why"
    cp "$work/before.html" "$page"
}

check_mismatch() {
    local why=
    head -n 4 "$work/manifest.csv" >"$work/plain.csv"
    "$ballast" run --out "$work/differs" --inject 'rtl:perfsat.limit_q[0]@5000' "$work/plain.csv" >"$work/stdout" 2>"$work/stderr" &&
        why="exit status 0;"
    grep -qE '<section class="verdict bad"' "$work/differs/report.html" || why+="no bad verdict;"
    grep -qE "[0-9]+ of $(($(wc -l <"$work/differs/verdicts.csv") - 1)) replays did not pass" "$work/differs/report.html" || why+="another count;"
    grep -qF 'MISMATCH in perfsat on SM0, cycle 5001 (cycle 5000 of the run). First: register limit_q' "$work/differs/report.html" ||
        why+="does not say where"
    report "a run that fails: which replays, and where" "$why"
}

make_run
check_remade
check_mismatch
for width in 390 1200; do report "numbers, references and layout at $width pixels" "$(problems "$page" $width)"; done
plant_all
check_picture light-1200 1200 1
check_picture dark-1200 1200 0
check_picture light-390 390 1
check_picture dark-390 390 0
check_print
check_damage
if [ -n "$keep" ]; then mkdir -p "$keep" && cp "$page" "$work"/*.png "$work/report.pdf" "$work/probe" "$keep"; fi
exit $failed
