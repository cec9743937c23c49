#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_commands.sh BALLAST: what the command line says to bad input, and the promises that only whole commands can keep.
# Run from the repository root. Prints a line per check, "ok - name" or "not ok - name: why"; exit status 1 if any failed.
#
# A refusal has the right exit status (2 usage, 3 bad input), exactly one line on stderr, which names what is wrong, and
# leaves no half-written file.
set -uo pipefail

usage=2
bad=3

die() { echo "test_commands.sh: $*" >&2; exit 2; }

[ $# -eq 1 ] || die "name the ballast program"
ballast=$1
[ -x "$ballast" ] || die "$ballast is no program; 'make build' makes it"
[ -f vectors/MANIFEST.csv ] || die "no vectors/MANIFEST.csv here; run it from the repository root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out
source tb/report.sh

run() { # ARGUMENT...: fills $status, $work/stdout, $work/stderr
    rm -rf "$out"
    timeout 20 "$ballast" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
}

# GNU argp adds "Try ... --help" to its own complaints, in one line or two.
stderr_lines() { awk '/^Try `/ { exit } { n++ } END { print n + 0 }' "$work/stderr"; }

leftovers() { find "$out" "$work/import" \( -name '*.tmp*' -o -name '*.hier' -o -name '*.fst' -size -2 \) 2>/dev/null; }

why_not() { # STATUS WORD: of the last run
    if [ "$status" -ne "$1" ]; then echo "exit status $status instead of $1: $(head -n 2 "$work/stderr")"
    elif [ "$(stderr_lines)" -ne 1 ]; then echo "$(stderr_lines) lines on stderr: $(head -n 3 "$work/stderr")"
    elif ! head -n 1 "$work/stderr" | grep -qF -- "$2"; then echo "'$2' is not in: $(cat "$work/stderr")"
    elif [ -n "$(leftovers)" ]; then echo "left behind: $(leftovers | xargs)"
    fi
}

refused() { # NAME STATUS WORD ARGUMENT...
    local name=$1 want=$2 word=$3
    shift 3
    run "$@"
    report "$name" "$(why_not "$want" "$word")"
}

passes() { # NAME ARGUMENT...
    local name=$1
    shift
    run "$@"
    report "$name" "$([ $status -eq 0 ] && [ ! -s "$work/stderr" ] || echo "exit status $status: $(cat "$work/stderr")")"
}

# The last run's table: name, cycles, verdict and limit of each row.
rows() {
    awk '$2 ~ /^(open|family|chip)$/ { end = NF - ($(NF - 1) == "(open)"); print $1, $(end - 4), $(end - 2), $(end - 1) }' "$work/stdout"
}

expect_rows() { # NAME ROWS
    report "$1" "$([ "$(rows)" = "$2" ] || rows)"
}

# ---- files to stumble over -------------------------------------------------------------------

sound=vectors/hotspot.n2.blt
family=(vectors/hotspot.n1.blt vectors/hotspot.n2.blt vectors/hotspot.n8.blt)

overwrite() { printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; } # FILE OFFSET BYTES

damaged_files() {
    : >"$work/empty.blt"
    yes 'This is no recording.' | head -n 400 >"$work/text.blt"
    head -c 60000 "$sound" >"$work/truncated.blt"
    for name in flipped version; do cp "$sound" "$work/$name.blt"; done
    overwrite "$work/flipped.blt" 60000 '\x55\xaa\x55'
    overwrite "$work/version.blt" 8 '\x02'
    echo 'in the way' >"$work/file"
}

# Three cycles of an SM with 64 warps and 8 CTA slots, and with 48 and 32: trace_writer, packed with gzip. The import
# makes none so large.
large_files() {
    base64 -d <<'END' | gzip -dc >"$work/warps.blt"
H4sIAAAAAAACA+t08gnh5ZLiYmRgYHADYgcGDgZGMIQAxmwQhvEUQCKMIAQBz9NL54lomfc6+bgF/YSKMYPUQDEugE8OG2AFYj4s
4kJALM1APaCxVf+vAqsmA8N/EALzhCYyQPz7HwqYwJ57axCwjv/tJCcfzwhY0IEAqYFws0a+cVbMXENgLLj6ufBy2UM1eEDV/Cpc
Iy751dgGAEc66+OnAQAA
END
    base64 -d <<'END' | gzip -dc >"$work/slots.blt"
H4sIAAAAAAACA+t08gnh5ZLiYmRgYHADYgMGBQZGMIQAxmwQhvEUQCKMIAQBcQE7dj7hO1/o5OMW9BIqxgxSA8W4AD45bIAViPmw
iAsBsTQD+UBjq/5fBVZNBob/IATmCU1kgPjvPxgwMDCBOCtvpB17M0f2pZOPZwQsqECAVE/PtbhTrm1+YDYw1F39XHi59KEaPKBq
JHe/ePgvyF0YAJ8RV/uXAQAA
END
}

# One SM, one CTA of two warps, cycles 10 to 29.
raw_recording() { # DIR
    mkdir -p "$1"
    local cycle state after finished
    for cycle in {10..29}; do
        state='\x44' after='\x01' finished='\x00'
        if [ "$cycle" = 29 ]; then state='\x90' after='\x00' finished='\x01'; fi
        printf '%b' "\\x$(printf %02x "$cycle")\\0\\0\\0\\0\\x30$after$finished$state"
        head -c 23 /dev/zero
    done >"$1/cyc.bin"
    cat >"$1/ker.csv" <<'END'
kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle
1,tiny,1,64,2,20,0,1,10
END
    cat >"$1/cta.csv" <<'END'
cycle,sm,slot,event,kernel,warps_per_cta
10,0,0,launch,1,2
29,0,0,done,1,2
END
}

# ---- usage -------------------------------------------------------------------------------------

check_usage() {
    local command
    refused "unknown command" $usage "'nothing'" nothing
    for command in run report lockstep family chip agree blocks info import bench analytic; do
        refused "$command: unknown option" $usage "--nothing" $command --nothing
    done
    for command in run lockstep family chip agree info import bench analytic; do
        refused "$command: nothing to work on" $usage "$command" $command
    done
    refused "blocks: an argument" $usage "extra" blocks extra
    refused "report: an argument" $usage "extra" report extra
    refused "report: no run" $bad "$out/run.json: there is no finished run" report --out "$out"
    refused "run: two manifests" $usage "one manifest" run --out "$out" vectors/MANIFEST.csv vectors/MANIFEST.csv
    refused "run: no number of laps" $usage "--max-laps" run --out "$out" --max-laps 0 vectors/MANIFEST.csv
    refused "run: rubbish behind a number" $usage "5x" run --out "$out" --max-laps 5x --views tb/blocks "$work/none.csv"
    refused "family: launch 0" $usage "'0'" family --out "$out" --launch 0 "${family[@]}"
    refused "family: unknown progress" $usage "miles" family --out "$out" --progress miles "${family[@]}"
    refused "family: unknown restart" $usage "never" family --out "$out" --restart never "${family[@]}"
    refused "family: no laps" $usage "'0'" family --out "$out" --max-laps 0 "${family[@]}"
     refused "chip: launch 0" $usage "'0'" chip --out "$out" --family --launch 0 "${family[@]}"
    refused "chip: a launch of no family" $usage "--launch" chip --out "$out" --launch 1 "$sound"
    refused "chip: laps of no family" $usage "--max-laps" chip --out "$out" --max-laps 2 "$sound"
    refused "chip: too large a skew" $usage "'100001'" chip --out "$out" --skew 100001 "$sound"
    refused "chip: a negative skew" $usage "'-1'" chip --out "$out" --skew -1 "$sound"
    refused "chip: one SM" $usage "--sm" chip --out "$out" --sm 3 "$sound"
    refused "import: a number that is none" $usage "many" import --dir "$work/raw" --out "$work/x.blt" --slots many
}

check_replay_options() {
    local options=(lockstep --out "$out" "$sound")
    refused "a block that is not there" $usage "'nothing'" "${options[@]}" --block nothing
    refused "a block without the one that it needs" $usage "stall_classifier" "${options[@]}" --block perfsat
    refused "a block before the one that it needs" $usage "stall_classifier" "${options[@]}" --block perfsat,stall_classifier
    refused "a block named twice" $usage "perfsat" "${options[@]}" --block stall_classifier,perfsat,perfsat
    refused "no block" $usage "--block" "${options[@]}" --block ,
    refused "lockstep: a chip" $usage "'ballast chip'" "${options[@]}" --block ballast_chip
    refused "family: a chip" $usage "'ballast chip'" family --out "$out" --block ballast_chip_top "${family[@]}"
    refused "run: a chip" $usage "'ballast chip'" run --out "$out" --block ballast_chip vectors/MANIFEST.csv
    refused "chip: chips of two sizes" $usage "15" chip --out "$out" --block ballast_chip_top,ballast_chip "$sound"
    refused "a fault that is none" $usage "'rubbish'" "${options[@]}" --inject rubbish
    refused "a fault in a missing block" $usage "rtl:nothing.limit_q[0]@5" "${options[@]}" --inject 'rtl:nothing.limit_q[0]@5'
    refused "a fault in a missing register" $usage "limits_q" "${options[@]}" --inject 'rtl:perfsat.limits_q[0]@5'
    refused "a fault in a missing output" $usage "limits_o" "${options[@]}" --inject 'model:perfsat.limits_o[0]@5'
    refused "a fault in a bit too high" $usage "limit_q[40]" "${options[@]}" --inject 'rtl:perfsat.limit_q[40]@5'
    refused "a fault in a missing SM" $usage "sm[15]" chip --out "$out" --inject 'rtl:ballast_chip.sm[15].lcs.limit_q[0]@5' "$sound"
    refused "run: a fault in a missing register" $usage "limits_q" run --out "$out" --inject 'rtl:perfsat.limits_q[0]@5' vectors/MANIFEST.csv
    refused "a number of cycles that is none" $usage "'x'" "${options[@]}" --max-cycles x
    refused "a negative number of cycles" $usage "'-5'" "${options[@]}" --max-cycles -5
    refused "too long a history" $usage "'65'" "${options[@]}" --history 65
    refused "an SM number too high" $usage "'900'" "${options[@]}" --sm 900
    refused "lockstep: an SM that is not there" $bad "SM 9" "${options[@]}" --sm 9
    refused "family: an SM that is not there" $bad "SM 9" family --out "$out" --sm 9 "${family[@]}"
    refused "a missing state file" $bad "$work/none.state" "${options[@]}" --state "$work/none.state"
    refused "a state file that is none" $bad "$work/text.blt:1:" "${options[@]}" --state "$work/text.blt"
    refused "an empty state file" $bad "$work/empty.blt" "${options[@]}" --state "$work/empty.blt"
    refused "run: a missing state file" $bad "$work/none.state" run --out "$out" --state "$work/none.state" vectors/MANIFEST.csv
}

check_out() {
    local command
    for command in lockstep family chip; do
        refused "$command: a file in the way of --out" $bad "$work/file:" $command --out "$work/file" "${family[@]}"
        refused "$command: a file in the way of a folder of --out" $bad "$work/file/sub:" $command --out "$work/file/sub" "${family[@]}"
    done
    refused "run: a file in the way of --out" $bad "$work/file:" run --out "$work/file" vectors/MANIFEST.csv
    # Folders where files are to be written: the line names the file, the folders stay.
    mkdir -p "$work/taken/hotspot.n2.sm0.fst" "$work/taken/report.html.tmp" "$work/taken/hotspot.n2.sm1.rtl.log"
    refused "lockstep: a folder in the way of a log" $bad "$work/taken/hotspot.n2.sm1" lockstep --out "$work/taken" --sm 1 "$sound"
    refused "lockstep: a folder in the way of a waveform" $bad "$work/taken/hotspot.n2.sm0.fst" lockstep --out "$work/taken" --sm 0 --wave "$sound"
    refused "run: a folder in the way of the report" $bad "$work/taken" run --out "$work/taken" vectors/MANIFEST.csv
    refused "bench: hex words that cannot be written" $bad "$work/file/x" bench --write-hex "$work/file/x" "$sound"
    refused "bench: raw records that cannot be written" $bad "$work/file/x" bench --write-raw "$work/file/x" "$sound"
}

# ---- recordings -----------------------------------------------------------------------------------

check_recordings() {
    local kind file
    for kind in none empty text truncated version; do
        file=$work/$kind.blt
        refused "lockstep: $kind" $bad "$file:" lockstep --out "$out" --wave "$file"
        refused "family: $kind" $bad "$file:" family --out "$out" "$file" "${family[@]}"
        refused "chip: $kind" $bad "$file:" chip --out "$out" --wave "$file"
        refused "agree: $kind" $bad "$file:" agree "$file"
        refused "info: $kind" $bad "$file:" info "$file"
        refused "bench: $kind" $bad "$file:" bench "$file"
        refused "bench --write-raw: $kind" $bad "$file:" bench --write-raw "$work/raw.out" "$file"
        refused "bench --write-hex: $kind" $bad "$file:" bench --write-hex "$work/hex.out" "$file"
        report "bench: writes nothing for $kind" "$(find "$work" -maxdepth 1 -name '*.out*')"
    done
    file=$work/flipped.blt
    refused "lockstep: flipped" $bad "$file:" lockstep --out "$out" --wave "$file"
    report "lockstep: no files of the damaged SM" "$(find "$out" -name '*sm0*')"
    refused "family: flipped" $bad "$file:" family --out "$out" --wave vectors/hotspot.n1.blt "$file" vectors/hotspot.n8.blt
    report "family: no files of a damaged member" "$(ls "$out")"
    refused "chip: flipped" $bad "$file:" chip --out "$out" --wave "$file"
    report "chip: no files of the damaged recording" "$(ls "$out")"
    refused "chip: a flipped member" $bad "$file:" chip --out "$out" --family --set ballast_chip.policy=static --set ballast_chip.static_limit=2 \
        vectors/hotspot.n1.blt "$file" vectors/hotspot.n8.blt
    refused "agree: flipped" $bad "$file:" agree "$file"
    refused "info --verify: flipped" $bad "$file:" info --verify "$file"
    refused "bench: flipped" $bad "$file:" bench "$file"
    refused "lockstep: a folder" $bad "$work" lockstep --out "$out" "$work"
}

check_salvage() {
    run lockstep --out "$out" --salvage --sm 0 --block stall_classifier,perfsat "$work/truncated.blt"
    report "--salvage says where the damage is" "$(why_not 0 "$work/truncated.blt:")"
    # the SM's first frame is intact: 16384 of its 31347 cycles
    expect_rows "--salvage replays what precedes it" "truncated 16384 pass 2"
}

parameter() { "$ballast" blocks | sed -nE "s/^[a-z_]+:.* ?$1=([0-9]+).*/\1/p" | head -n 1; } # NAME: this build's

check_geometry() {
    if [ "$(parameter NumWarps)" -lt 64 ]; then
        refused "lockstep: more warps than the build" $bad "64 warps" lockstep --out "$out" --wave "$work/warps.blt"
        refused "chip: more warps than the build" $bad "64 warps" chip --out "$out" --wave "$work/warps.blt"
        refused "family: more warps than the build" $bad "64 warps" family --out "$out" --wave "$work/warps.blt"
    fi
    if [ "$(parameter NumSlots)" -lt 32 ]; then
        refused "lockstep: more CTA slots than the build" $bad "32 CTA slots" lockstep --out "$out" --wave "$work/slots.blt"
        refused "bench: more CTA slots than the build" $bad "32 CTA slots" bench "$work/slots.blt"
    fi
}

check_family() {
    refused "family: a missing member" $bad "limit 2;" family --out "$out" vectors/hotspot.n1.blt vectors/hotspot.n8.blt
    refused "family: two kernels" $bad "vectors/fma.n2.blt:" family --out "$out" "${family[@]}" vectors/fma.n2.blt
    refused "family: a launch that is not there" $bad "launch number 9" family --out "$out" --launch 9 "${family[@]}"
    refused "chip: a missing member" $bad "limit 2;" chip --out "$out" --family vectors/hotspot.n1.blt vectors/hotspot.n8.blt
    refused "chip: two kernels" $bad "vectors/fma.n2.blt:" chip --out "$out" --family "${family[@]}" vectors/fma.n2.blt
    refused "chip: a launch that is not there" $bad "launch number 9" chip --out "$out" --family --launch 9 "${family[@]}"
}

# ---- what software sets ------------------------------------------------------------------------------

governor=(lockstep --out "$out" --block sm_governor)

check_settings() {
    local names="static perfsat lcs equalizer dyncta" name number=0 why=
    refused "a setting that is none" $usage "'rubbish'" "${governor[@]}" --set rubbish "$sound"
    refused "a setting without a value" $usage "'sm_governor.policy='" "${governor[@]}" --set sm_governor.policy= "$sound"
    refused "a setting of a missing block" $usage "no block ballast_chip" "${governor[@]}" --set ballast_chip.policy=lcs "$sound"
    refused "a missing setting" $usage "sm_governor.police=lcs" "${governor[@]}" --set sm_governor.police=lcs "$sound"
    refused "an input of the SM as a setting" $usage "sm_governor.nmax=2" "${governor[@]}" --set sm_governor.nmax=2 "$sound"
    refused "an unknown policy" $usage "'fastest'" "${governor[@]}" --set sm_governor.policy=fastest "$sound"
    refused "a value too large" $usage "'8'" "${governor[@]}" --set sm_governor.policy=8 "$sound"
    refused "a value with rubbish behind it" $usage "'1x'" "${governor[@]}" --set sm_governor.t_idle=1x "$sound"
    refused "run: an unknown policy" $usage "'fastest'" run --out "$out" --set sm_governor.policy=fastest vectors/MANIFEST.csv
    # The last one counts.
    for name in $names; do
        run "${governor[@]}" --sm 0 --max-cycles 100 --log --set sm_governor.policy=0 --set "sm_governor.policy=$name" "$sound"
        grep -q "kernel start: $name, " "$work/stdout" || why+=" $name: $(cat "$work/stderr")"
        run "${governor[@]}" --sm 0 --max-cycles 100 --log --set "sm_governor.policy=$number" "$sound"
        grep -q "kernel start: $name, " "$work/stdout" || why+=" $number: $(cat "$work/stderr")"
        number=$((number + 1))
    done
    report "policies by name and by number" "$why"
    run "${governor[@]}" --sm 0 --max-cycles 100 --set sm_governor.policy=static --set sm_governor.static_limit=2 "$sound"
    expect_rows "a limit that software sets" "hotspot.n2 100 pass 2"
    passes "family: LCS" family --out "$out" --log --block sm_governor --set sm_governor.policy=lcs "${family[@]}"
    grep -qE 'T_new [0-9]' "$work/stdout" || why="no decision: $(cat "$work/stdout")"
    grep -q "kernel start: lcs, " "$work/stdout" || why="another policy: $(cat "$work/stdout")"
    report "family: LCS decides" "$why"
}

# The lines of one block.
listed() { awk -v name="$1:" '/^[a-z]/ { here = $1 == name } here { print $1, $2 }' "$work/stdout"; } # BLOCK

check_blocks() {
    local signal why=
    passes "blocks" blocks
    for signal in "setting policy_i" "setting static_limit_i" "setting t_idle_i" "input nmax_i" "output limit_o" "register lcs.limit_q"; do
        listed sm_governor | grep -qxF "$signal" || why+=" sm_governor: $signal;"
    done
    for signal in "setting policy_i" "setting mode_i" "input sm[0].nmax_i" "output sm[0].limit_o" "register sm[0].lcs.limit_q"; do
        listed ballast_chip | grep -qxF "$signal" || why+=" ballast_chip: $signal;"
    done
    listed perfsat | grep -qxF "setting enable_i" || why+=" perfsat: setting enable_i;"
    report "blocks: lists settings" "${why:+missing:$why}"
}

# ---- a chip ------------------------------------------------------------------------------------------

check_chip() {
    local model why=
    # SM 0 has 31347 cycles, SM 1 has 32303; on 15 SMs, SM 13 is the sixth after SM 1.
    passes "chip: all SMs at once" chip --out "$out" --skew 0 "$sound"
    expect_rows "chip: as long as the longer SM" "hotspot.n2 32303 pass 3"
    passes "chip: one after the other" chip --out "$out" --skew 100 --wave "$sound"
    expect_rows "chip: until the last SM has finished" "hotspot.n2 32903 pass 3"
    [ -s "$out/hotspot.n2.chip.fst" ] || why="no waveform"
    for model in "$out"/*.model.log; do
        [ -s "$model" ] && cmp -s "$model" "${model%.model.log}.rtl.log" || why="$model"
    done
    report "chip: both sides' logs are equal" "$why"
    passes "chip: a smaller one" chip --out "$out" --block ballast_chip_top --skew 2000 "$sound"
    expect_rows "chip: a smaller one ends earlier" "hotspot.n2 33347 pass 3"
    passes "chip: two recordings" chip --out "$out" --max-cycles 3000 "$sound" vectors/fma.n1.blt
    expect_rows "chip: a row for each recording" "hotspot.n2 3000 pass 3"$'\n'"fma.n1 3000 pass 8"
    passes "chip: a family" chip --out "$out" --family --max-laps 1 --set ballast_chip.policy=static --set ballast_chip.static_limit=1 "${family[@]}"
    why=$(cat "$work/stdout")
    passes "chip: a family unthrottled" chip --out "$out" --family --max-laps 1 --set ballast_chip.policy=static "${family[@]}"
    why=$(awk '/chip f/ { cycles[++n] = $6 } END { if (n != 2 || cycles[1] < 1.3 * cycles[2]) print cycles[1], cycles[2] }' \
        <(echo "$why") "$work/stdout")
    report "chip: the limit slows a family down" "$why"
    passes "chip: saving energy" chip --out "$out" --max-cycles 6000 --set ballast_chip.mode=ENERGY "$sound"
    refused "chip: an unknown mode" $usage "'FASTER'" chip --out "$out" --set ballast_chip.mode=FASTER "$sound"
}

# ---- manifests and imports -----------------------------------------------------------------------------

check_manifest() {
    refused "run: a missing manifest" $bad "$work/none.csv" run --out "$out" "$work/none.csv"
    refused "run: an empty manifest" $bad "$work/empty.blt" run --out "$out" "$work/empty.blt"
    refused "run: a text that is no manifest" $bad "$work/text.blt" run --out "$out" "$work/text.blt"
    refused "run: a recording as manifest" $bad "$sound" run --out "$out" "$sound"
    printf 'name,limit\r\nhotspot,2\r\n' >"$work/dos.csv"
    refused "run: other columns, DOS lines" $bad "$work/dos.csv" run --out "$out" "$work/dos.csv"
    printf 'file,kernel\n' >"$work/bare.csv"
    refused "run: a manifest without recordings" $bad "$work/bare.csv" run --out "$out" "$work/bare.csv"
    printf 'file,kernel\nnone.blt,none\n' >"$work/lost.csv"
    refused "run: a manifest that names a missing recording" $bad "$work/none.blt" run --out "$out" "$work/lost.csv"
}

check_import() {
    local file target=$work/import/x.blt
    mkdir -p "$work/import"
    raw_recording "$work/raw"
    run import --dir "$work/raw" --out "$target"
    report "import: a sound recording" "$(cat "$work/stderr"; "$ballast" info --verify "$target" 2>&1 >/dev/null)"
    rm -f "$target"
    refused "import: no folder" $bad "$work/none/" import --dir "$work/none" --out "$target"
    refused "import: --out in no folder" $bad "$work/none/x.blt" import --dir "$work/raw" --out "$work/none/x.blt"
    refused "import: too many warps" $bad "48 warps" import --dir "$work/raw" --out "$target" --warps 64
    refused "import: an SM that is not there" $bad "$work/raw/cyc.bin" import --dir "$work/raw" --out "$target" --sm 5
    for file in cyc.bin ker.csv cta.csv; do
        rm -rf "$work/broken"
        cp -r "$work/raw" "$work/broken"
        rm "$work/broken/$file"
        refused "import: no $file" $bad "$work/broken/$file" import --dir "$work/broken" --out "$target"
        : >"$work/broken/$file"
        refused "import: an empty $file" $bad "$work/broken/$file" import --dir "$work/broken" --out "$target"
        head -c -5 "$work/raw/$file" >"$work/broken/$file"
        refused "import: the end of $file is missing" $bad "$work/broken/" import --dir "$work/broken" --out "$target"
        head -c 5000 /dev/zero | tr '\0' 'z' >"$work/broken/$file"
        refused "import: rubbish in $file" $bad "$work/broken/$file" import --dir "$work/broken" --out "$target"
    done
    report "import: no file of a broken recording" "$(ls "$work/import")"
}

# ---- analytic models --------------------------------------------------------------------------------

profile=sim/kernels/recorded/fma.kernel

printed() { # NAME PATTERN...: each matches a line that the last run printed
    local name=$1 pattern why=
    shift
    for pattern in "$@"; do
        grep -qE -- "$pattern" "$work/stdout" || why+=" '$pattern'"
    done
    report "$name" "${why:+nothing like$why in: $(head -n 3 "$work/stdout")}"
}

is_csv() { # NAME LINES: what the last run printed, each with as many fields as the first, none of which is quoted
    report "$1" "$(awk -F, -v lines="$2" 'NR == 1 { n = NF } NF != n { print "line", NR, "has", NF, "fields, not", n }
        END { if (NR != lines) print NR, "lines instead of", lines }' "$work/stdout")"
}

check_analytic_usage() {
    local action option
    refused "analytic: unknown action" $usage "'nothing'" analytic nothing
    refused "analytic: an option alone" $usage "name an action" analytic --csv
    for action in predict compare extract; do refused "analytic $action: no file" $usage "$action: name" analytic $action; done
    for action in slowdown readings gpus; do
        refused "analytic $action: a file" $usage "$action: name no file" analytic $action "$profile"
    done
    refused "analytic compare: two manifests" $usage "one manifest" analytic compare vectors/MANIFEST.csv vectors/MANIFEST.csv
    for option in --kernels=x --policies=x --launch=1 --sm=0; do
        refused "analytic predict: $option" $usage "${option%=*}: not with predict" analytic predict $option "$profile"
    done
    for option in --launch=1 --sm=0; do
        refused "analytic compare: $option" $usage "${option%=*}: not with compare" analytic compare $option vectors/MANIFEST.csv
    done
    for option in --gpu=fermi --plot=x.svg --kernels=x --policies=x --launch=1 --sm=0; do
        refused "analytic slowdown: $option" $usage "${option%=*}: not with slowdown" analytic slowdown $option
        refused "analytic readings: $option" $usage "${option%=*}: not with readings" analytic readings $option
    done
    for option in --gpu=fermi --reading=FILL=DF --csv --plot=x.svg --kernels=x --policies=x; do
        refused "analytic extract: $option" $usage "${option%%=*}: not with extract" analytic extract $option "$sound"
        refused "analytic gpus: $option" $usage "${option%%=*}: not with gpus" analytic gpus $option
    done
    refused "analytic predict: two kernels, one picture" $usage "--plot" analytic predict --plot "$work/x.svg" "$profile" "$profile"
    refused "analytic: a reading that is none" $usage "'NOTHING=1'" analytic predict --reading NOTHING=1 "$profile"
    refused "analytic: a reading without a value" $usage "'FILL'" analytic slowdown --reading FILL
    refused "analytic: a reading with another value" $usage "it has RR, DF" analytic slowdown --reading FILL=XX
    refused "analytic extract: launch 0" $usage "'0'" analytic extract --launch 0 "$sound"
    refused "analytic extract: launch 4097" $usage "'4097'" analytic extract --launch 4097 "$sound"
    refused "analytic extract: an SM number too high" $usage "'900'" analytic extract --sm 900 "$sound"
    report "analytic: nothing is drawn" "$(find "$work" -name '*.svg')"
}

check_analytic_files() {
    refused "analytic predict: a missing profile" $bad "$work/none.kernel: No such file" analytic predict "$work/none.kernel"
    refused "analytic predict: a folder" $bad "sim/kernels/recorded: Is a directory" analytic predict sim/kernels/recorded
    refused "analytic predict: an empty profile" $bad "$work/empty.blt: name is missing" analytic predict "$work/empty.blt"
    refused "analytic predict: a text that is no profile" $bad "$work/text.blt:1: syntax error" analytic predict "$work/text.blt"
    refused "analytic predict: a recording as profile" $bad "$sound:1: syntax error" analytic predict "$sound"
    sed 's/^ *arithmetic/arithmetics/' "$profile" >"$work/key.kernel"
    refused "analytic predict: an unknown key" $bad "$work/key.kernel:$(grep -n ^arithmetics "$work/key.kernel" | cut -d : -f 1): arithmetics" \
        analytic predict "$work/key.kernel"
    sed 's/threads_per_block = 128/threads_per_block = 2048/' "$profile" >"$work/large.kernel"
    refused "analytic predict: a block larger than an SM" $bad "$work/large.kernel on fermi: threads_per_block is 2048" \
        analytic predict "$work/large.kernel"
    run analytic predict --csv "$profile" "$work/none.kernel" "$profile"
    report "analytic predict: a missing profile among others" "$(why_not $bad "$work/none.kernel")"
    is_csv "analytic predict: the others are printed" 17
    refused "analytic: a missing GPU" $bad "no GPU 'gtx999'" analytic predict --gpu gtx999 "$profile"
    refused "analytic: a missing GPU file" $bad "$work/none.gpu: No such file" analytic predict --gpu "$work/none.gpu" "$profile"
    refused "analytic: a folder as GPU" $bad "$work: Is a directory" analytic predict --gpu "$work" "$profile"
    refused "analytic: a profile as GPU" $bad "$profile: base is missing" analytic predict --gpu "$profile" "$profile"
    refused "analytic extract: a missing recording" $bad "$work/none.blt:" analytic extract "$work/none.blt"
    refused "analytic extract: a truncated recording" $bad "$work/truncated.blt:" analytic extract "$work/truncated.blt"
    refused "analytic extract: a launch that is not there" $bad "$sound: has 1 launches, no launch 2" analytic extract --launch 2 "$sound"
    refused "analytic extract: an SM that is not there" $bad "SM 9" analytic extract --sm 9 "$sound"
    refused "analytic compare: a missing manifest" $bad "$work/none.csv" analytic compare "$work/none.csv"
    refused "analytic compare: a recording as manifest" $bad "$sound" analytic compare "$sound"
}

check_analytic_predict() {
    passes "analytic predict" analytic predict "$profile"
    printed "analytic predict: says all" '^fma on fermi: 240 CTAs of 128 threads$' 'fits +8 CTAs per SM' '^ +[1-8]\* ' \
        'best limit +[1-8]:' 'best SMs +[0-9]+ of 15' 'work per joule' 'bottleneck +category' 'suggestion'
    passes "analytic predict: all that are shipped" analytic predict --csv sim/kernels/recorded/*.kernel
    is_csv "analytic predict: a table" 61
    passes "analytic predict: on a GPU without power" analytic predict --gpu 8800GTX --csv "$profile"
    is_csv "analytic predict: a table without power" 7
    printed "analytic predict: no power, empty fields" '^fma,8800gtx,1,[^,]+,[^,]+,[^,]+,[^,]+,[^,]+,[^,]+,[^,]+,,,'
    printf 'name = "slow"; base = "fermi";\nfreq_ghz = 0.35; power = { idle_power = 0.0; };\n' >"$work/slow.gpu"
    passes "analytic predict: on a GPU of a file" analytic predict --gpu "$work/slow.gpu" "$profile"
    printed "analytic predict: is on the GPU of the file" '^fma on slow:'
    run analytic predict --csv sim/kernels/recorded/invmap.kernel
    mv "$work/stdout" "$work/before"
    passes "analytic predict: another reading" analytic predict --csv --reading eq1=0 --reading Eq1=1 sim/kernels/recorded/invmap.kernel
    report "analytic predict: the reading counts" "$(if cmp -s "$work/before" "$work/stdout"; then echo "the same numbers"; fi)"
    passes "analytic gpus" analytic gpus
    printed "analytic gpus: lists them" '^gtx280 +30 +1.300 +141.7 +450 +yes' '^8800gt +14 .* no ' '^fermi +15 '
    passes "analytic slowdown" analytic slowdown
    printed "analytic slowdown: both tables" '^S1-S2 ' '^PFL-LUD '
    passes "analytic slowdown: CSV" analytic slowdown --csv --reading FILL=DF
    printed "analytic slowdown: CSV of both tables" '^S1-S2,' '^PFL-LUD,'
    passes "analytic readings" analytic readings
    printed "analytic readings: and the switches" '^QC-A1 +COND2' '^ +FILL +\[RR\] DF '
    passes "analytic readings: CSV" analytic readings --csv
    printed "analytic readings: CSV" '^rule,option,example,printed,reading,value,default$' '^MC-'
}

check_analytic_extract() {
    passes "analytic extract" analytic extract "$sound"
    printed "analytic extract: the launch" '^# hotspot.n2, .* with 2 CTAs per SM: ' \
        '^blocks = 256; threads_per_block = 256; regs_per_thread = 35; shared_per_block = 3072;$'
    cp "$work/stdout" "$work/hotspot.kernel"
    passes "analytic extract: is a profile" analytic predict "$work/hotspot.kernel"
    passes "analytic extract: two recordings" analytic extract --launch 12 --sm 1 vectors/bfs.n1.blt vectors/bfs.n2.blt
    printed "analytic extract: that launch, that SM" '^# bfs.n1, _Z7Kernel2.* with 1 CTAs per SM: 48 warps' '^# bfs.n2, _Z7Kernel2.* with 2 '
}

policies_file() { # NAME SED: a policies.csv, changed
    printf '%s\n' kernel,static_limit,perfsat_limit,lcs_limit,equalizer_limit,dyncta_limit fma,8,3,0,5,2 other,1,1,1,1,1 |
        sed "$2" >"$work/$1.csv"
}

check_analytic_compare() {
    local kernels kernel why
    passes "analytic compare" analytic compare vectors/MANIFEST.csv
    kernels=$(basename -s .kernel -a sim/kernels/recorded/*.kernel | sort)
    why=$(awk 'NR > 1 { print $1 }' "$work/stdout" | sort | comm -3 - <(echo "$kernels"))
    report "analytic compare: every profile and every recorded kernel" "$(xargs <<<"$why")"
    passes "analytic compare: CSV" analytic compare --csv vectors/MANIFEST.csv
    is_csv "analytic compare: a table" 61
    policies_file good ''
    passes "analytic compare: with policies" analytic compare --policies "$work/good.csv" vectors/MANIFEST.csv
    printed "analytic compare: what they chose" '^kernel .* dyncta *$' '^chase .* -  +-  +-  +-  +- *$' \
        '^fma .* 8 +100%  +3 +[0-9]+%  +-  +5 +[0-9]+%  +2 +[0-9]+% *$'
    passes "analytic compare: policies as CSV" analytic compare --csv --policies "$work/good.csv" vectors/MANIFEST.csv
    is_csv "analytic compare: a table with policies" 61
    printed "analytic compare: policies in the table" '^fma,1,.*,8,3,0,5,2$'
    policies_file column 's/lcs_limit/lcs/'
    refused "analytic compare: policies without a column" $bad "$work/column.csv: line 1: no column \"lcs_limit\"" \
        analytic compare --policies "$work/column.csv" vectors/MANIFEST.csv
    policies_file number 's/fma,8,/fma,many,/'
    refused "analytic compare: policies with a word for a number" $bad "$work/number.csv: line 2: column static_limit is \"many\"" \
        analytic compare --policies "$work/number.csv" vectors/MANIFEST.csv
    policies_file range 's/fma,8,3,/fma,8,33,/'
    refused "analytic compare: policies with a limit too high" $bad "perfsat_limit is \"33\"" \
        analytic compare --policies "$work/range.csv" vectors/MANIFEST.csv
    policies_file short 's/fma,8,3.*/fma,8,3/'
    refused "analytic compare: policies with a short line" $bad "$work/short.csv: line 2:" \
        analytic compare --policies "$work/short.csv" vectors/MANIFEST.csv
    report "analytic compare: nothing is printed with damaged policies" "$(cat "$work/stdout")"
    refused "analytic compare: missing policies" $bad "$work/none.csv" \
        analytic compare --policies "$work/none.csv" vectors/MANIFEST.csv
    refused "analytic compare: empty policies" $bad "$work/empty.blt" \
        analytic compare --policies "$work/empty.blt" vectors/MANIFEST.csv
    # One profile alone, and one that is broken.
    mkdir -p "$work/profiles"
    cp "$profile" "$work/profiles"
    run analytic compare --kernels "$work/profiles" vectors/MANIFEST.csv
    why=
    if [ $status -ne 0 ]; then why="exit status $status;"; fi
    why+=$(grep -v "no profile $work/profiles/.*, left out$" "$work/stderr")
    why+=$(awk 'END { if (NR != 9) print NR, "lines on stderr" }' "$work/stderr")
    why+=$(awk 'END { if (NR != 2) print NR, "lines on stdout" }' "$work/stdout")
    report "analytic compare: kernels without a profile are left out" "$why"
    for kernel in sim/kernels/recorded/*.kernel; do cp "$kernel" "$work/profiles"; done
    echo 'blocks = ;' >"$work/profiles/fma.kernel"
    refused "analytic compare: a broken profile" $bad "$work/profiles/fma.kernel:1: syntax error" \
        analytic compare --kernels "$work/profiles" vectors/MANIFEST.csv
    report "analytic compare: the others are compared" "$(awk 'END { if (NR != 10) print NR, "lines" }' "$work/stdout")"
}

check_analytic_pictures() {
    local file no_folder=$work/none/x.svg
    refused "analytic predict: a picture that cannot be written" $bad "$no_folder: not drawn" \
        analytic predict --plot "$no_folder" "$profile"
    printed "analytic predict: the text nevertheless" '^fma on fermi:'
    refused "analytic compare: a picture that cannot be written" $bad "$no_folder: not drawn" \
        analytic compare --plot "$no_folder" vectors/MANIFEST.csv
    refused "analytic predict: a quote in the picture's name" $bad "not drawn" analytic predict --plot "$work/it's.svg" "$profile"
    command -v gnuplot >/dev/null || return
    passes "analytic predict: a picture" analytic predict --plot "$work/predict.svg" "$profile"
    passes "analytic predict: a picture without power" analytic predict --gpu fx5600 --plot "$work/no_power.svg" "$profile"
    passes "analytic compare: a picture" \
        analytic compare --plot "$work/compare.svg" --policies "$work/good.csv" vectors/MANIFEST.csv
    for file in predict no_power compare; do
        report "analytic: $file.svg is complete" "$(tail -n 1 "$work/$file.svg" 2>&1 | grep -v '^</svg>')"
    done
}

# ---- promises -----------------------------------------------------------------------------------------

check_logs() {
    local model why=
    run lockstep --out "$out" "$sound"
    for model in "$out"/*.model.log; do
        [ -s "$model" ] && cmp -s "$model" "${model%.model.log}.rtl.log" || why="$model"
    done
    report "lockstep: both sides' logs are equal" "$why"
    run family --log --out "$out" "${family[@]}"
    cmp -s "$out/hotspot.sm0.model.log" "$out/hotspot.sm0.rtl.log" || why="differ"
    grep -qxF "$(tail -n 1 "$out/hotspot.sm0.model.log")" "$work/stdout" || why="its last line was not printed"
    report "family: both sides' logs are equal" "$why"
}

# The line is pasted into a folder of its own, because it writes to build/out.
paste() { # LINE
    mkdir -p "$work/paste/$(dirname "$ballast")"
    case $ballast in
        /*) ;;
        *) ln -sf "$PWD/$ballast" "$work/paste/$ballast" ;;
    esac
    (cd "$work/paste" && timeout 20 bash -c "$1" >"$work/again" 2>/dev/null)
}

difference() { grep -A 2 -E '^  (register|output|an assertion)' "$1"; } # FILE: what differs and how

check_injection() { # FAULT COMMAND ARGUMENT...
    local fault=$1 line why=
    shift
    run "$@" --out "$out" --inject "$fault"
    report "--inject $fault is found" "$(why_not 1 "$out/")"
    line=$(grep -F -e "$ballast lockstep " -e "$ballast chip " "$work/stdout")
    paste "$line"
    status=$?
    if [ $status -ne 1 ]; then why="exit status $status of: $line"
    elif [ "$(difference "$work/stdout")" != "$(difference "$work/again")" ]; then why="another difference: $(difference "$work/again")"
    fi
    report "--inject $fault: the pasted line fails again" "$why"
}

# Of a chip, SM 3 alone is to be shown.
check_chip_injection() {
    local why=
    check_injection 'rtl:ballast_chip.sm[3].throttle.num_blocks_q[0]@5000' chip "$sound"
    [ "$(grep MISMATCH "$work/stdout" | tail -n 1)" = "MISMATCH in ballast_chip on SM3, cycle 5000 (cycle 5000 of the run)" ] || why="another headline;"
    [ "$(difference "$work/stdout" | head -n 1)" = "  register sm[3].throttle.num_blocks_q after this cycle's rising edge" ] || why+="another register;"
    grep -qE '^ +sm\[3\]\.throttle\.num_blocks_q .*<--$' "$work/stdout" || why+="the register is not marked;"
    if grep -E '^ +sm\[[0-9]+\]' "$work/stdout" | grep -qv 'sm\[3\]'; then why+="other SMs;"; fi
    report "chip: the report names register, SM and cycle" "$why"
    # While some SMs have started their kernel and others have not; across kernels; and with what software sets.
    check_injection 'model:ballast_chip.sm[14].throttle.num_blocks_q[1]@20' chip "$sound"
    check_injection 'rtl:ballast_chip.mem_domain.timer_q[3]@9000' chip --family --set ballast_chip.mode=ENERGY "${family[@]}"
    report "chip: no SM is named that has no part in it" "$(grep -q '^MISMATCH in ballast_chip, cycle 9000 ' "$work/stdout" || grep MISMATCH "$work/stdout")"
    check_injection 'rtl:ballast_chip_top.sm[2].limit_o[1]@300' chip --block ballast_chip_top --set ballast_chip_top.policy=dyncta "$sound"
}

# Ctrl-C at a moment that does not depend on the machine's speed: as soon as the first file of the work under way is there.
interrupt_at() { # FILES ARGUMENT...
    local files=$1 program
    shift
    env --default-signal=INT "$ballast" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null &
    program=$!
    until compgen -G "$files" >/dev/null || ! kill -0 $program 2>/dev/null; do :; done
    kill -INT $program
    wait $program
    status=$?
}

check_interrupt() {
    local why=
    rm -rf "$out"
    interrupt_at "$out/table.txt" run --out "$out" vectors/MANIFEST.csv
    report "run: an interrupt stops it" "$(why_not 130 "stopped")"
    [ -f "$out/table.txt" ] || why="it had not begun"
    [ ! -e "$out/report.html" ] || why="report.html is there"
    report "run: no report after an interrupt" "$why"
    rm -rf "$out"
    interrupt_at "$out/*" random --wave --out "$out" --max-cycles 4000000000 # no machine is there first
    report "random: an interrupt stops it" "$(why_not 130 "stopped")"
    report "random: no files after an interrupt" "$(ls "$out")"
}

# ---- sim ----------------------------------------------------------------------------------------------

workload=sim/kernels/recorded/hotspot.kernel

# The machine that is like the chip of this build.
machine_of_build() {
    case $("$ballast" blocks | grep -oE '^ballast_chip: NumSms=[0-9]+') in
        *=14) echo kepler ;;
        *=132) echo hopper ;;
        *) echo fermi ;;
    esac
}

check_sim_usage() {
    local option
    refused "sim: no workload" $usage "name a workload" sim
    refused "sim: two workloads" $usage "one workload only" sim "$workload" "$workload"
    refused "sim: unknown machine" $usage "'gtx280'" sim --machine gtx280 "$workload"
    refused "sim: unknown policy" $usage "--policy: no 'best'" sim --policy best "$workload"
    refused "sim: unknown mode" $usage "--mode: no 'eco'" sim --mode eco "$workload"
    refused "sim: unknown side" $usage "--side: no 'left'" sim --side left "$workload"
    for option in --limit=0 --limit=33 --sms=0 --sms=257 --jobs=0 --seed=-1 --record-sms=256; do
        refused "sim: $option" $usage "'${option#*=}'" sim "$option" "$workload"
    done
    refused "sim: a limit for a policy that finds it" $usage "only with --policy static" sim --limit 2 --policy perfsat "$workload"
    refused "sim: a family of a policy" $usage "only with --policy static" sim --record-family "$work/f" --policy lcs "$workload"
    refused "sim: a family at one limit" $usage "--limit" sim --record-family "$work/f" --limit 2 "$workload"
    refused "sim: a family and a file" $usage "not with --record" sim --record-family "$work/f" --record "$work/x.blt" "$workload"
    refused "sim: a family's decisions" $usage "--log" sim --record-family "$work/f" --log "$workload"
    refused "sim: SMs of no recording" $usage "only with --record" sim --record-sms 0 "$workload"
    refused "sim: no SMs of a recording" $usage "needs a number" sim --record "$work/x.blt" --record-sms , "$workload"
    refused "sim: two blocks" $usage "--block" sim --block stall_classifier,perfsat "$workload"
    for option in --wave --set=ballast_chip.mode=ENERGY --inject=rtl:ballast_chip.sm_level_o[0]@1; do
        refused "sim: ${option%%=*} without RTL" $usage "only with --side rtl" sim "$option" "$workload"
    done
}

check_sim_files() {
    refused "sim: no such workload" $bad "$work/none.workload" sim "$work/none.workload"
    refused "sim: a folder for a workload" $bad "$work" sim "$work"
    : >"$work/empty.kernel"
    refused "sim: an empty workload" $bad "$work/empty.kernel" sim "$work/empty.kernel"
    sed 's/shared_per_block = [0-9]*/shared_per_block = 1000000/' "$workload" >"$work/large.kernel"
    refused "sim: a CTA larger than an SM" $bad "shared" sim "$work/large.kernel"
    refused "sim: a family of one" $bad "shared" sim --record-family "$work/f" "$work/large.kernel"
    refused "sim: SMs without their part of the memory" $bad "4 of 15 SMs" sim --sms 4 "$workload"
    refused "sim: a block that is no chip" $bad "sm_governor is no chip" sim --block sm_governor "$workload"
    refused "sim: another machine than the chip" $bad "block ballast_chip has" sim --machine lcs --side rtl "$workload"
    refused "sim: a recording in no folder" $bad "$work/none/x.blt" sim --record "$work/none/x.blt" "$workload"
    refused "sim: a family in no folder" $bad "$work/none/f.n1.blt" sim --record-family "$work/none/f" "$workload"
    refused "sim: an SM that is not there" $bad "no SM 15" sim --machine fermi --record "$work/x.blt" --record-sms 0,15 "$workload"
    refused "sim: --out under a file" $bad "$work/empty.kernel/out" sim --machine "$(machine_of_build)" --side rtl \
        --out "$work/empty.kernel/out" "$workload"
    report "sim: none of them has left a file" "$(find "$work" -maxdepth 1 \( -name 'x.blt*' -o -name 'f.n*' \))"
}

check_sim_sides() { # POLICY MODE: both sides run alike, print alike, record alike
    local policy=$1 mode=$2 machine why=
    machine=$(machine_of_build)
    for side in model rtl; do
        run sim --machine "$machine" --side $side --policy "$policy" --mode "$mode" --out "$out" --max-cycles 9000 --record "$work/$side.blt" \
            --record-sms 0,1 --csv "$workload"
        [ $status -eq 0 ] || why+=" $side: $(cat "$work/stderr")"
        sed "s/,$side,/,SIDE,/" "$work/stdout" >"$work/$side.csv"
        run sim --machine "$machine" --side $side --policy "$policy" --mode "$mode" --out "$out" --max-cycles 9000 --log "$workload"
        grep '^cycle [0-9]* chip ' "$work/stdout" >"$work/$side.log"
    done
    cmp "$work/model.csv" "$work/rtl.csv" >&2 || why+=" other results"
    cmp "$work/model.blt" "$work/rtl.blt" >&2 || why+=" another recording"
    cmp "$work/model.log" "$work/rtl.log" >&2 || why+=" other decisions"
    [ -s "$work/model.log" ] || why+=" no decisions"
    grep -q ",$policy,$mode,0,1,SIDE,0,9000," "$work/rtl.csv" || why+=" it is not what was asked for"
    report "sim: the same run on both sides, policy $policy" "$why"
    run info --verify "$work/rtl.blt"
    report "sim: its recording is sound, policy $policy" "$(cat "$work/stderr")"
    run lockstep --out "$out" "$work/rtl.blt"
    report "sim: its recording passes in lockstep, policy $policy" "$(cat "$work/stderr")"
    rm -f "$work"/{model,rtl}.*
}

check_sim_settings() {
    local machine
    machine=$(machine_of_build)
    run sim --machine "$machine" --max-cycles 100 "$workload"
    printed "sim: the defaults" ': policy static, mode performance, seed 1, C models in the loop; cut off' '^cycles +100 '
    run sim --machine "$machine" --side rtl --out "$out" --set ballast_chip.policy=equalizer --log --max-cycles 9000 "$workload"
    printed "sim: --set has the last word" 'CompAction'
}

check_sim_family() {
    local machine before why=
    machine=$(machine_of_build)
    run sim --machine "$machine" --record-family "$work/sim" --record-sms 0,1 "$workload"
    printed "sim: a family says what is best" '^ +1 +[0-9]+' '^the fewest CTAs that no higher limit beats by 2 %: [0-9]+ \(PS-E4\)$'
    [ "$(find "$work" -name 'sim.n*.blt' | wc -l)" -eq "$(grep -cE '^ +[0-9]+ ' "$work/stdout")" ] || why="other files: $(ls "$work")"
    report "sim: a recording for every limit" "$why"
    run info "$work/sim.n2.blt"
    printed "sim: at its own limit" ' Nmax [0-9]+, limit 2,'
    run family --out "$out" "$work"/sim.n*.blt
    report "sim: the family plays" "$(cat "$work/stderr")"
    before=$(cat "$work"/sim.n*.blt | md5sum)
    run sim --machine "$machine" --record-family "$work/sim" --record-sms 0,1 --jobs 1 --csv "$workload"
    [ "$before" = "$(cat "$work"/sim.n*.blt | md5sum)" ] || why="other bytes"
    report "sim: the same family again" "$why"
    sed 's/^blocks = [0-9]*/blocks = 200000/' "$workload" >"$work/long.kernel"
    interrupt_at "$work/sim.*.new*" sim --record-family "$work/sim" "$work/long.kernel"
    report "sim: an interrupt stops a family" "$(why_not 130 "stopped")"
    [ "$before" = "$(cat "$work"/sim.n*.blt | md5sum)" ] || why="other bytes"
    report "sim: the family from before is still there" "$why$(find "$work" -name 'sim.*.new*')"
    interrupt_at "$work/long.blt*" sim --record "$work/long.blt" "$work/long.kernel"
    report "sim: an interrupt stops it" "$(why_not 130 "stopped")"
    report "sim: no recording after an interrupt" "$(find "$work" -name 'long.blt*')"
    mkdir "$work/taken.n2.blt"
    refused "sim: a family's place is taken" $bad "$work/taken.n2.blt" sim --record-family "$work/taken" "$workload"
    report "sim: nothing half done is left" "$(find "$work" -name '*.new')"
    run sim --machine "$machine" --side rtl --out "$out" --max-cycles 50 --record-family "$work/sim" "$workload"
    report "sim: each of a family has its own logs" "$([ -f "$out/hotspot.n2.chip.rtl.log" ] || ls "$out")"
    rm -rf "$work"/sim.n*.blt "$work"/taken.n* "$work/long.kernel"
}

# The fewest CTAs that no higher limit beats by 2 %, from the printed rates.
check_sim_optimum() {
    local want
    run sim --machine fermi --sms 5 --record-family "$work/best" --record-sms 0 sim/kernels/recorded/chase.kernel
    want=$(awk '/^ +[0-9]+ / { ipc[++n] = $4 }
        END { for (i = 1; i <= n; i++) { beaten = 0; for (k = i + 1; k <= n; k++) beaten += ipc[k] >= 1.02 * ipc[i]; if (!beaten) { print i; exit } } }' "$work/stdout")
    printed "sim: a family's optimum" ": $want \\(PS-E4\\)$"
    rm -f "$work"/best.n*.blt
}

check_sim_injection() {
    local machine
    machine=$(machine_of_build)
    check_injection 'rtl:ballast_chip.sm[3].throttle.num_blocks_q[0]@5000' sim --side rtl --machine "$machine" --policy equalizer \
        --record "$work/x.blt" "$workload"
    report "sim: no recording after a mismatch" "$(find "$work" -name 'x.blt*')"
    check_injection 'model:ballast_chip.sm[1].limit_o[1]@700' sim --side rtl --machine "$machine" --mode energy --seed 5 "$workload"
}

damaged_files
large_files
check_usage
check_replay_options
check_out
check_recordings
check_salvage
check_geometry
check_family
check_settings
check_blocks
check_chip
check_manifest
check_import
check_analytic_usage
check_analytic_files
check_analytic_predict
check_analytic_extract
check_analytic_compare
check_analytic_pictures
check_logs
check_injection 'rtl:perfsat.limit_q[1]@20000' lockstep --sm 0 vectors/pathfinder.n3.blt
check_injection 'model:stall_classifier.ps_class_o[0]@0' lockstep --sm 0 "$sound"
check_chip_injection
check_interrupt
check_sim_usage
check_sim_files
for policy in static perfsat lcs equalizer dyncta; do check_sim_sides $policy performance; done
check_sim_sides equalizer energy
check_sim_settings
check_sim_optimum
check_sim_family
check_sim_injection
exit $failed
