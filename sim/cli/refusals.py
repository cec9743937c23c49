# SPDX-License-Identifier: Apache-2.0
"""Bad input for the command line: for each kind of it the command line, its exit status and what its one line must have, and the
files that it stumbles over. test_commands.py runs them.
"""
from __future__ import annotations

import base64
import gzip
import re
import shutil
from pathlib import Path

USAGE, BAD, STOPPED, MISMATCH = 2, 3, 130, 1
FAMILY = "vectors/hotspot.n1.blt vectors/hotspot.n2.blt vectors/hotspot.n8.blt"
PROFILE = "sim/kernels/recorded/fma.kernel"
WORKLOAD = "sim/kernels/recorded/hotspot.kernel"
POLICIES = ("static", "perfsat", "lcs", "equalizer", "dyncta", "scout")

# ---- refusals: name, exit status, what the line must have, the command line -------------------------

TAKE_OPTIONS = ("run", "report", "diff", "figure", "trend", "lockstep", "family", "chip", "agree", "dispatch", "ctas", "blocks", "info", "import", "import-folder", "export", "grid", "bench", "analytic")
NEED_FILES = [command for command in TAKE_OPTIONS if command not in ("report", "blocks", "figure")]

ARGUMENTS = [
    ("unknown command", USAGE, "'nothing'", "nothing"),
    *((f"{command}: unknown option", USAGE, "--nothing", f"{command} --nothing") for command in TAKE_OPTIONS),
    *((f"{command}: nothing to work on", USAGE, command, command) for command in NEED_FILES),
    ("blocks: an argument", USAGE, "extra", "blocks extra"),
    ("trend: no run", BAD, "{work}/nowhere: No such file or directory; name runs", "trend {work}/nowhere"),
    ("trend: a folder without runs", BAD, "vectors: there is no finished run, nor one in a folder of it", "trend vectors"),
    ("figure: two names", USAGE, "extra", "figure costs extra"),
    ("figure: a file of another form", USAGE, "--out x.jpg: its name is to end with .svg, .pdf or .png", "figure --out x.jpg costs"),
    ("figure: a file without a picture", USAGE, "--out without a picture", "figure --out x.svg"),
    ("figure: another size", USAGE, "poster", "figure --size poster costs"),
    ("figure: no run", BAD, "{work}/nowhere/run.json: there is no finished run", "figure --run {work}/nowhere costs"),
    ("report: an argument", USAGE, "extra", "report extra"),
    ("report: no run", BAD, "{out}/run.json: there is no finished run", "report"),
    ("run: two manifests", USAGE, "one manifest", "run {manifest} {manifest}"),
    ("run: no number of laps", USAGE, "--max-laps", "run --max-laps 0 {manifest}"),
    ("run: rubbish behind a number", USAGE, "5x", "run --max-laps 5x --views tb/blocks {work}/none.csv"),
    ("family: CSV and a waveform", USAGE, "--wave", "family --csv --wave {family}"),
    ("family: CSV and a log", USAGE, "--log", "family --csv --log {family}"),
    ("figure: a table and a name", USAGE, "--table", "figure --table x.csv --out x.svg costs"),
    ("figure: a table that is not there", BAD, "No such file", "figure --table {work}/none.csv --out {work}/x.svg"),
    ("experiment: one of a list that is none", USAGE, "no experiment 'nosuch'", "experiment lcs,nosuch"),
    ("experiment: an empty name in a list", USAGE, "no experiment ''", "experiment lcs,"),
    ("experiment: kernels for one of a list that has its own", USAGE, "leftover has kernels of its own", "experiment lcs,leftover sim/kernels/lcs/KMN.kernel"),
    ("experiment: one picture of a list", USAGE, "--plot", "experiment lcs,lcs-bcs --plot {work}/x.svg"),
    ("experiment: runs in a folder that is not there", BAD, "x.csv: cannot be written (No such file", "experiment lcs --runs {work}/nowhere/x.csv"),
    ("experiment: runs in another table", BAD, 'MANIFEST.csv: line 1: no column "key"', "experiment lcs --runs vectors/MANIFEST.csv"),
    ("family: launch 0", USAGE, "'0'", "family --launch 0 {family}"),
    ("family: unknown progress", USAGE, "miles", "family --progress miles {family}"),
    ("family: unknown restart", USAGE, "never", "family --restart never {family}"),
    ("family: no laps", USAGE, "'0'", "family --max-laps 0 {family}"),
    ("chip: launch 0", USAGE, "'0'", "chip --family --launch 0 {family}"),
    ("chip: a launch of no family", USAGE, "--launch", "chip --launch 1 {sound}"),
    ("chip: laps of no family", USAGE, "--max-laps", "chip --max-laps 2 {sound}"),
    ("chip: too large a skew", USAGE, "'100001'", "chip --skew 100001 {sound}"),
    ("chip: a negative skew", USAGE, "'-1'", "chip --skew -1 {sound}"),
    ("chip: one SM", USAGE, "--sm", "chip --sm 3 {sound}"),
    ("bench: hex words of two recordings", USAGE, "one recording", "bench --write-hex {work}/hex.out {sound} {sound}"),
    ("import: records and text", USAGE, "--text", "import --dir {work}/raw --cyc {work}/raw/cyc.bin --text {work}/x.csv --out {work}/x.blt"),
    ("import: no machine", USAGE, "no machine 'none'", "import --machine none --dir {work}/raw --out {work}/x.blt"),
    ("import: version 3", USAGE, "'3'", "import --format 3 --dir {work}/raw --out {work}/x.blt"),
    ("import: a waveform without a map", USAGE, "x.vcd: a waveform needs --map FILE", "import {work}/x.vcd --ker {work}/raw/ker.csv --out {work}/x.blt"),
    ("import: a waveform without kernels", USAGE, "x.vcd: a waveform needs --ker FILE", "import {work}/x.vcd --map doc/use/exported.map --out {work}/x.blt"),
    ("import: a map without a waveform", USAGE, "name a VCD or FST", "import --map doc/use/exported.map --dir {work}/raw --out {work}/x.blt"),
    ("import: a waveform and records", USAGE, "takes the place of --cyc", "import {work}/x.vcd --map doc/use/exported.map --dir {work}/raw --cyc {work}/raw/cyc.bin --out {work}/x.blt"),
    ("import: two waveforms", USAGE, "one waveform only", "import {work}/x.vcd {work}/y.vcd --map doc/use/exported.map --dir {work}/raw --out {work}/x.blt"),
    ("import: no such waveform", BAD, "{work}/none.vcd: cannot open it", "import {work}/none.vcd --map doc/use/exported.map --dir {work}/raw --out {work}/x.blt"),
    ("import: a waveform that is none", BAD, "ker.csv: line 1: ", "import {work}/raw/ker.csv --map doc/use/exported.map --dir {work}/raw --out {work}/x.blt"),
    ("import: a folder as map", BAD, "{work}/import: Is a directory", "import {work}/none.vcd --map {work}/import --dir {work}/raw --out {work}/x.blt"),
    ("export: kernels of no waveform", USAGE, "--ker goes with --to vcd", "export --to raw --ker {work}/k.out --out {work}/f.out {sound}"),
    ("export: kernels to no folder", BAD, "{work}/none/k.out: cannot write", "export --to vcd --ker {work}/none/k.out --out {work}/f.out {sound}"),
    ("export: no form", USAGE, "no --to", "export --out {work}/f.out {sound}"),
    ("export: a form that is none", USAGE, "'wav'", "export --to wav --out {work}/f.out {sound}"),
    ("export: no --out", USAGE, "no --out", "export --to vcd {sound}"),
    ("export: two recordings", USAGE, "--to raw takes one", "export --to raw --out {work}/f.out {sound} {sound}"),
    ("export: no such recording", BAD, "{work}/none.blt", "export --to vcd --out {work}/f.out {work}/none.blt"),
    ("export: a damaged recording", BAD, "{work}/flipped.blt:", "export --to vcd --out {work}/f.out {work}/flipped.blt"),
    ("export: a folder of a damaged recording", BAD, "{work}/flipped.blt:", "export --to raw --out {work}/import {work}/flipped.blt"),
    ("export: to no folder", BAD, "{work}/none/f.out: cannot write", "export --to vcd --out {work}/none/f.out {sound}"),
    ("export: a log that is none", BAD, "{work}/bad.jsonl: line 2: no JSON object", "export --to perfetto --out {work}/f.out {work}/bad.jsonl"),
    ("export: a log without cycles", BAD, "{work}/other.jsonl: line 1: no cycle, where, rule or event",
     "export --to perfetto --out {work}/f.out {work}/other.jsonl"),
    ("import-folder: no --out", USAGE, "--out", "import-folder {work}/raw"),
    ("import-folder: nothing in it", BAD, "no recording in it", "import-folder --out {work}/import {work}/taken/hotspot.n2.sm0.fst"),
    ("grid: no width", USAGE, "--grid-x", "grid {sound}"),
    ("grid: launch 0", USAGE, "'0'", "grid --grid-x 16 --launch 0 {work}/truncated.blt"),
    ("grid: a launch that is not there", BAD, "it has 1 launches", "grid --grid-x 16 --launch 2 {work}/whole.blt"),
    ("grid: half a row", BAD, "not whole rows", "grid --grid-x 24 {work}/whole.blt"),
    ("grid: no such manifest", BAD, "{work}/none.csv: cannot open", "grid --grid-x 0 --manifest {work}/none.csv {work}/whole.blt"),
    ("grid: a folder as manifest", BAD, "{work}/import: cannot open", "grid --grid-x 0 --manifest {work}/import {work}/whole.blt"),
    ("grid: a manifest in no folder", BAD, "{work}/none: cannot be opened", "grid --grid-x 0 --manifest {work}/none/m.csv {work}/whole.blt"),
    ("grid: a manifest with DOS lines", BAD, "{work}/dos.csv: no manifest with digests", "grid --grid-x 0 --manifest {work}/dos.csv {work}/whole.blt"),
    ("grid: a manifest without digests", BAD, "{work}/bare.csv: no manifest with digests", "grid --grid-x 0 --manifest {work}/bare.csv {work}/whole.blt"),
    ("grid: a manifest that does not list it", BAD, "does not list {work}/whole.blt", "grid --grid-x 0 --manifest {manifest} {work}/whole.blt"),
    ("import: half a row", BAD, "ker.csv: line 2: 1 CTAs are not whole rows", "import --dir {work}/raw --out {work}/x.blt --grid-x 2"),
    ("dispatch: a recording of some SMs", BAD, "hotspot.n2: left out, it has 2 of 15 SMs", "dispatch {sound}"),
    ("dispatch: CSV and more", USAGE, "--csv", "dispatch --csv --differences {ctas}"),
    ("dispatch: a reading that is none", USAGE, "'ZZ'", "dispatch --fill ZZ {ctas}"),
    ("dispatch: a folder without tables", BAD, "{work}/import/ker.csv: cannot open", "dispatch {work}/import"),
    ("dispatch: a CTA that ends before it begins", BAD, "{work}/backwards: SM 0, slot 0, cycle 10: a CTA ends in a slot that holds none", "dispatch {work}/backwards"),
    ("dispatch: a cycle before that of the last line", BAD, "{work}/disordered/cta.csv: line 3: cycle 10 is earlier", "dispatch {work}/disordered"),
    ("dispatch: no CTAs", BAD, "{work}/bare: no CTA is launched in it", "dispatch {work}/bare"),
    ("dispatch: a kernel that has not begun", BAD, "{work}/early/cta.csv: line 2: cycle 9 is before kernel 1 begins", "dispatch {work}/early"),
    ("dispatch: a slot that no SM has", BAD, "{work}/slot/cta.csv: line 2: column slot is", "dispatch {work}/slot"),
    ("dispatch: an SM that no chip has", BAD, "{work}/sm/cta.csv: line 2: column sm is", "dispatch {work}/sm"),
    ("dispatch: a row that is cut off", BAD, "{work}/cut/cta.csv: line 3: column warps_per_cta is \"\"", "dispatch {work}/cut"),
    ("ctas: two recordings where one is wanted", USAGE, "--by RECORDER takes 1 recording", "ctas {ctas} {ctas}"),
    ("ctas: one recording where two are wanted", USAGE, "--by MCKE takes 2 recordings", "ctas --by MCKE {ctas}"),
    ("ctas: a list under another dispatcher", USAGE, "does not say what they need", "ctas --by GWDE {work}/bare.csv"),
    ("ctas: a quota without mcke", USAGE, "--mode and --quota are for --by MCKE", "ctas --quota 2 {ctas}"),
    ("ctas: a window that ends before it begins", USAGE, "--to must be above --from", "ctas --from 9 --to 9 {ctas}"),
    ("ctas: nothing in the window", BAD, "no CTA runs from cycle 99999999", "ctas --from 99999999 --picture {work}/x.svg {ctas}"),
    ("ctas: a picture where none can be", BAD, "{work}/nowhere/x.svg: cannot write it", "ctas --picture {work}/nowhere/x.svg {ctas}"),
    ("ctas: rows that are not whole", BAD, "not whole rows of a 2-D grid", "ctas --grid-x 7 {ctas}"),
    ("ctas: CSV that is no list", BAD, '{work}/bare.csv: line 1: no column "sm"', "ctas {work}/bare.csv"),
    ("ctas: a recording of some SMs", BAD, "hotspot.n2: left out, it has 2 of 15 SMs", "ctas {sound}"),
    ("ctas: a CTA that ends before it begins", BAD, "{work}/backwards: SM 0, slot 0, cycle 10: a CTA ends in a slot that holds none", "ctas {work}/backwards"),
    ("dispatch: no SMs", BAD, "1 to 256 SMs", "dispatch --sms 0 {ctas}"),
    ("dispatch: too few SMs", BAD, "cta.csv", "dispatch --sms 3 {ctas}"),
    ("import: no warps", BAD, "--warps", "import --dir {work}/raw --out {work}/x.blt --warps=0"),
    ("import: a number that is none", USAGE, "many", "import --dir {work}/raw --out {work}/x.blt --slots many"),
    ("a block that is not there", USAGE, "'nothing'", "lockstep {sound} --block nothing"),
    *((f"{command}: no cycles", USAGE, "--max-cycles: '0'", f"{command} --max-cycles=0 {{sound}}") for command in ("lockstep", "run", "chip")),
    ("validate: no workloads", BAD, "--workloads", "validate --workloads={work}/none {manifest}"),
    ("salvage: nothing precedes the damage", BAD, "nothing precedes it", "info --salvage {work}/stub.blt"),
    ("a block named twice", USAGE, "perfsat", "lockstep {sound} --block stall_classifier,perfsat,perfsat"),
    ("no block", USAGE, "--block", "lockstep {sound} --block ,"),
    ("lockstep: a chip", USAGE, "'ballast chip'", "lockstep {sound} --block chip_governor"),
    ("family: a chip", USAGE, "'ballast chip'", "family --block chip_governor_top {family}"),
    ("run: a chip", USAGE, "'ballast chip'", "run --block chip_governor {manifest}"),
    ("chip: chips of two sizes", USAGE, "15", "chip --block chip_governor_top,chip_governor {sound}"),
    ("a fault that is none", USAGE, "'rubbish'", "lockstep {sound} --inject rubbish"),
    ("a fault in a missing block", USAGE, "rtl:nothing.limit_q[0]@5", "lockstep {sound} --inject rtl:nothing.limit_q[0]@5"),
    ("a fault in a missing register", USAGE, "limits_q", "lockstep {sound} --inject rtl:perfsat.limits_q[0]@5"),
    ("a fault in a missing output", USAGE, "limits_o", "lockstep {sound} --inject model:perfsat.limits_o[0]@5"),
    ("a fault in a bit too high", USAGE, "limit_q[40]", "lockstep {sound} --inject rtl:perfsat.limit_q[40]@5"),
    ("a fault in a missing SM", USAGE, "sm[15]", "chip --inject rtl:chip_governor.sm[15].lcs.limit_q[0]@5 {sound}"),
    ("run: a fault in a missing register", USAGE, "limits_q", "run --inject rtl:perfsat.limits_q[0]@5 {manifest}"),
    *((f"{command}: a fault after the end", USAGE, f"rtl:{where}: not injected, because the run ends after ", f"{line} --inject rtl:{where}")
      for command, where, line in (
          ("lockstep", "perfsat.limit_q[0]@99999999", "lockstep --sm 0 --wave {sound}"),
          ("lockstep, by a cycle", "perfsat.limit_q[0]@30", "lockstep --sm 0 --max-cycles 30 {sound}"),
          ("family", "sm_governor.limit_o[0]@2000", "family --block sm_governor --set sm_governor.policy=static "
           "--set sm_governor.static_limit=2 --max-cycles 2000 {family}"),
          ("chip", "chip_governor.sm[3].limit_o[0]@300", "chip --max-cycles 300 {sound}"),
          ("random", "lcs.limit_q[0]@300", "random --block lcs --max-cycles 300"),
          ("sim", "chip_governor.sm_level_o[0]@300", "sim --side rtl --machine {machine} --max-cycles 300 {workload}"))),
    ("a number of cycles that is none", USAGE, "'x'", "lockstep {sound} --max-cycles x"),
    ("a negative number of cycles", USAGE, "'-5'", "lockstep {sound} --max-cycles -5"),
    ("too long a history", USAGE, "'65'", "lockstep {sound} --history 65"),
    ("an SM number too high", USAGE, "'900'", "lockstep {sound} --sm 900"),
    ("lockstep: an SM that is not there", BAD, "SM 9", "lockstep {sound} --sm 9"),
    ("family: an SM that is not there", BAD, "SM 9", "family --sm 9 {family}"),
    ("a missing state file", BAD, "{work}/none.state", "lockstep {sound} --state {work}/none.state"),
    ("a state file that is none", BAD, "{work}/text.blt:1:", "lockstep {sound} --state {work}/text.blt"),
    ("an empty state file", BAD, "{work}/empty.blt", "lockstep {sound} --state {work}/empty.blt"),
    ("run: a missing state file", BAD, "{work}/none.state", "run --state {work}/none.state {manifest}"),
]

# Files in the way of folders, and folders in the way of files: the line names the file.
PLACES = [
    *((f"{command}: a file in the way of {what} --out", BAD, f"{path}:", f"{command} --out {path} {{family}}")
      for command in ("lockstep", "family", "chip") for what, path in (("", "{work}/file"), ("a folder of", "{work}/file/sub"))),
    ("run: a file in the way of --out", BAD, "{work}/file:", "run --out {work}/file {manifest}"),
    ("lockstep: a folder in the way of a log", BAD, "{work}/taken/hotspot.n2.sm1", "lockstep --out {work}/taken --sm 1 {sound}"),
    ("lockstep: a folder in the way of a waveform", BAD, "{work}/taken/hotspot.n2.sm0.fst",
     "lockstep --out {work}/taken --sm 0 --wave {sound}"),
    ("run: a folder in the way of the report", BAD, "{work}/taken", "run --out {work}/taken {manifest}"),
    ("bench: hex words that cannot be written", BAD, "{work}/file/x", "bench --write-hex {work}/file/x {sound}"),
    ("bench: raw records that cannot be written", BAD, "{work}/file/x", "bench --write-raw {work}/file/x {sound}"),
]

READERS = {"lockstep": "lockstep --wave {file}", "family": "family {file} {{family}}", "chip": "chip --wave {file}", "agree": "agree {file}",
           "info": "info {file}", "grid": "grid --grid-x 16 {file}", "dispatch": "dispatch {file}", "ctas": "ctas {file}", "bench": "bench {file}", "bench --write-raw": "bench --write-raw {{work}}/raw.out {file}",
           "bench --write-hex": "bench --write-hex {{work}}/hex.out {file}"}
FLIPPED = "{work}/flipped.blt"

# Of these no file stays in --out.
RECORDINGS = [
    *((f"{reader}: {kind}", BAD, f"{{work}}/{kind}.blt:", line.format(file=f"{{work}}/{kind}.blt"))
      for kind in ("none", "empty", "text", "truncated", "version") for reader, line in READERS.items()),
    ("family: flipped", BAD, FLIPPED, "family --wave vectors/hotspot.n1.blt {work}/flipped.blt vectors/hotspot.n8.blt"),
    ("chip: flipped", BAD, FLIPPED, "chip --wave {work}/flipped.blt"),
    ("chip: a flipped member", BAD, FLIPPED, "chip --family --set chip_governor.policy=static --set chip_governor.static_limit=2 "
     "vectors/hotspot.n1.blt {work}/flipped.blt vectors/hotspot.n8.blt"),
    ("agree: flipped", BAD, FLIPPED, "agree {work}/flipped.blt"),
    ("grid: flipped", BAD, FLIPPED, "grid --grid-x 16 {work}/flipped.blt"),
    ("info --verify: flipped", BAD, FLIPPED, "info --verify {work}/flipped.blt"),
    ("bench: flipped", BAD, FLIPPED, "bench {work}/flipped.blt"),
    ("lockstep: a folder", BAD, "{work}", "lockstep {work}"),
    ("family: a missing member", BAD, "limit 3;", "family vectors/hotspot.n1.blt vectors/hotspot.n2.blt"),
    ("family: two kernels", BAD, "vectors/fma.n2.blt:", "family {family} vectors/fma.n2.blt"),
    ("family: a launch that is not there", BAD, "launch number 9", "family --launch 9 {family}"),
    ("chip: a missing member", BAD, "limit 3;", "chip --family vectors/hotspot.n1.blt vectors/hotspot.n2.blt"),
    ("chip: two kernels", BAD, "vectors/fma.n2.blt:", "chip --family {family} vectors/fma.n2.blt"),
    ("chip: a launch that is not there", BAD, "launch number 9", "chip --family --launch 9 {family}"),
]

# Recordings that some builds are too small for: by parameter, and the least that would do.
LARGE = {("NumWarps", 64): [(f"{command}: more warps than the build", BAD, "64 warps", f"{command} --wave {{work}}/warps.blt")
                            for command in ("lockstep", "chip", "family")],
         ("NumSlots", 32): [(f"{command}: more CTA slots than the build", BAD, "32 CTA slots", f"{command} {{work}}/slots.blt")
                            for command in ("lockstep", "bench")]}

SETTINGS = [(name, USAGE, word, f"{{governor}} --set {setting} {{sound}}") for name, word, setting in (
    ("a setting that is none", "'rubbish'", "rubbish"),
    ("a setting without a value", "'sm_governor.policy='", "sm_governor.policy="),
    ("a setting of a missing block", "no block chip_governor", "chip_governor.policy=lcs"),
    ("a missing setting", "sm_governor.police=lcs", "sm_governor.police=lcs"),
    ("an input of the SM as a setting", "sm_governor.nmax=2", "sm_governor.nmax=2"),
    ("an unknown policy", "'fastest'", "sm_governor.policy=fastest"),
    ("a value too large", "'8'", "sm_governor.policy=8"),
    ("a value with rubbish behind it", "'1x'", "sm_governor.t_idle=1x"))]
SETTINGS += [("run: an unknown policy", USAGE, "'fastest'", "run --set sm_governor.policy=fastest {manifest}"),
             ("chip: an unknown mode", USAGE, "'FASTER'", "chip --set chip_governor.mode=FASTER {sound}")]

MANIFESTS = [(f"run: {name}", BAD, word, f"run {path}") for name, word, path in (
    ("a missing manifest", "{work}/none.csv", "{work}/none.csv"),
    ("an empty manifest", "{work}/empty.blt", "{work}/empty.blt"),
    ("a text that is no manifest", "{work}/text.blt", "{work}/text.blt"),
    ("a recording as manifest", "{sound}", "{sound}"),
    ("other columns, DOS lines", "{work}/dos.csv", "{work}/dos.csv"),
    ("a manifest without recordings", "{work}/bare.csv", "{work}/bare.csv"),
    ("a manifest that names a missing recording", "{work}/none.blt", "{work}/lost.csv"))]

# What is wrong with a file of a raw recording, and what the file then holds; None: it is not there.
RAW_DAMAGES = {"no": lambda sound: None, "an empty": lambda sound: b"", "rubbish in": lambda sound: b"z" * 5000,
               "the end is missing in": lambda sound: sound[:-5]}
RAW_FILES = ("cyc.bin", "ker.csv", "cta.csv")

IMPORTS = [(f"import: {name}", BAD, word, f"import --out {{work}}/import/x.blt {line}") for name, word, line in (
    ("no folder", "{work}/none/", "--dir {work}/none"),
    ("--out in no folder", "{work}/none/x.blt", "--dir {work}/raw --out {work}/none/x.blt"),
    ("too many warps", "1 to 64 warps", "--dir {work}/raw --warps 65"),
    ("too many warps for version 1", "1 to 48 warps", "--dir {work}/raw --warps 64 --format 1"),
    ("records of another version", "{work}/raw/cyc.bin", "--dir {work}/raw --format 2"),
    ("text that is none", "{work}/raw/cyc.bin: line ", "--dir {work}/raw --text {work}/raw/cyc.bin"),
    ("an SM that is not there", "{work}/raw/cyc.bin", "--dir {work}/raw --sm 5"),
    *((f"{name} {file}", f"{{work}}/{name} {file}/{'' if 'missing' in name else file}", f"--dir '{{work}}/{name} {file}'")
      for name in RAW_DAMAGES for file in RAW_FILES))]

# An option of `analytic` belongs to some of its actions.
FOREIGN = {"predict {profile}": "kernels=x policies=x launch=1 sm=0", "compare {manifest}": "launch=1 sm=0",
           "slowdown": "gpu=fermi plot=x.svg kernels=x policies=x launch=1 sm=0",
           "readings": "gpu=fermi plot=x.svg kernels=x policies=x launch=1 sm=0",
           "extract {sound}": "gpu=fermi reading=FILL=DF csv plot=x.svg kernels=x policies=x",
           "gpus": "gpu=fermi reading=FILL=DF csv plot=x.svg kernels=x policies=x"}

# Damaged policies by file: what is done to the columns, and what is said.
CHOICES = "kernel,static_limit,perfsat_limit,lcs_limit,equalizer_limit,dyncta_limit,scout_limit\nfma,8,3,0,5,2,4\nother,1,1,1,1,1,1\n"
DAMAGED_CHOICES = {"column": ("lcs_limit", "lcs", "column.csv: line 1: no column \"lcs_limit\""),
                   "number": ("fma,8,", "fma,many,", "number.csv: line 2: column static_limit is \"many\""),
                   "range": ("fma,8,3,", "fma,8,33,", "perfsat_limit is \"33\""), "short": ("fma,8,3,0,5,2,4", "fma,8,3", "short.csv: line 2:")}

# Nothing is printed but the refusal.
ANALYTIC = [(f"analytic {name}", status, word, f"analytic {line}") for name, status, word, line in (
    ("nothing", USAGE, "'nothing'", "nothing"),
    ("with an option alone", USAGE, "name an action", "--csv"),
    *((f"{action}: no file", USAGE, f"{action}: name", action) for action in ("predict", "compare", "extract")),
    *((f"{action}: a file", USAGE, f"{action}: name no file", f"{action} {{profile}}") for action in ("slowdown", "readings", "gpus")),
    *((f"{line.split()[0]}: --{option}", USAGE, f"--{option.split('=')[0]}: not with {line.split()[0]}", f"--{option} {line}")
      for line, options in FOREIGN.items() for option in options.split()),
    ("compare: two manifests", USAGE, "one manifest", "compare {manifest} {manifest}"),
    ("predict: two kernels, one picture", USAGE, "--plot", "predict --plot {work}/x.svg {profile} {profile}"),
    ("predict: a reading that is none", USAGE, "'NOTHING=1'", "predict --reading NOTHING=1 {profile}"),
    ("slowdown: a reading without a value", USAGE, "'FILL'", "slowdown --reading FILL"),
    ("slowdown: a reading with another value", USAGE, "it has RR, DF", "slowdown --reading FILL=XX"),
    ("extract: launch 0", USAGE, "'0'", "extract --launch 0 {sound}"),
    ("extract: launch 4097", USAGE, "'4097'", "extract --launch 4097 {sound}"),
    ("extract: an SM number too high", USAGE, "'900'", "extract --sm 900 {sound}"),
    ("predict: a missing profile", BAD, "{work}/none.kernel: No such file", "predict {work}/none.kernel"),
    ("predict: a folder", BAD, "sim/kernels/recorded: Is a directory", "predict sim/kernels/recorded"),
    ("predict: an empty profile", BAD, "{work}/empty.blt: name is missing", "predict {work}/empty.blt"),
    ("predict: a text that is no profile", BAD, "{work}/text.blt:1: syntax error", "predict {work}/text.blt"),
    ("predict: a recording as profile", BAD, "{sound}:1: syntax error", "predict {sound}"),
    ("predict: an unknown key", BAD, "{work}/key.kernel:{key_line}: arithmetics", "predict {work}/key.kernel"),
    ("predict: a block larger than an SM", BAD, "{work}/large.kernel on fermi: threads_per_block is 2048", "predict {work}/large.kernel"),
    ("predict: a missing GPU", BAD, "no GPU 'gtx999'", "predict --gpu gtx999 {profile}"),
    ("predict: a missing GPU file", BAD, "{work}/none.gpu: No such file", "predict --gpu {work}/none.gpu {profile}"),
    ("predict: a folder as GPU", BAD, "{work}: Is a directory", "predict --gpu {work} {profile}"),
    ("predict: a profile as GPU", BAD, "{profile}: base is missing", "predict --gpu {profile} {profile}"),
    ("extract: a missing recording", BAD, "{work}/none.blt:", "extract {work}/none.blt"),
    ("extract: a truncated recording", BAD, "{work}/truncated.blt:", "extract {work}/truncated.blt"),
    ("extract: a launch that is not there", BAD, "{sound}: has 1 launches, no launch 2", "extract --launch 2 {sound}"),
    ("extract: an SM that is not there", BAD, "SM 9", "extract --sm 9 {sound}"),
    ("compare: a missing manifest", BAD, "{work}/none.csv", "compare {work}/none.csv"),
    ("compare: a recording as manifest", BAD, "{sound}", "compare {sound}"),
    ("compare: policies that are missing", BAD, "{work}/none.csv", "compare --policies {work}/none.csv {manifest}"),
    ("compare: policies that are empty", BAD, "{work}/empty.blt", "compare --policies {work}/empty.blt {manifest}"),
    *((f"compare: policies with a damaged {name}", BAD, said, f"compare --policies {{work}}/{name}.csv {{manifest}}")
      for name, (_, _, said) in DAMAGED_CHOICES.items()))]

SIM = [(f"sim: {name}", status, word, f"sim {line}") for name, status, word, line in (
    ("no workload", USAGE, "name a workload", ""),
    ("two workloads", USAGE, "one workload only", "{workload} {workload}"),
    ("unknown machine", USAGE, "'gtx280'", "--machine gtx280 {workload}"),
    ("unknown policy", USAGE, "--policy: no 'best'", "--policy best {workload}"),
    ("unknown mode", USAGE, "--mode: no 'eco'", "--mode eco {workload}"),
    ("unknown side", USAGE, "--side: no 'left'", "--side left {workload}"),
    *((option, USAGE, f"'{option.split('=')[1]}'", f"{option} {{workload}}")
      for option in "--limit=0 --limit=33 --sms=0 --sms=257 --jobs=0 --seed=-1 --record-sms=256".split()),
    ("one SM", USAGE, "--sm", "--sm 3 {workload}"),
    ("a limit for a policy that finds it", USAGE, "only with --policy static", "--limit 2 --policy perfsat {workload}"),
    ("a family of a policy", USAGE, "only with --policy static", "--record-family {work}/f --policy lcs {workload}"),
    ("a family at one limit", USAGE, "--limit", "--record-family {work}/f --limit 2 {workload}"),
    ("a family and a file", USAGE, "not with --record", "--record-family {work}/f --record {work}/x.blt {workload}"),
    ("a family's decisions", USAGE, "--log", "--record-family {work}/f --log {workload}"),
    ("SMs of no recording", USAGE, "only with --record", "--record-sms 0 {workload}"),
    ("no SMs of a recording", USAGE, "needs a number", "--record {work}/x.blt --record-sms , {workload}"),
    ("two blocks", USAGE, "--block", "--block stall_classifier,perfsat {workload}"),
    *((f"{option.split('=')[0]} without RTL", USAGE, "only with --side rtl", f"{option} {{workload}}")
      for option in "--wave --set=chip_governor.mode=ENERGY --inject=rtl:chip_governor.sm_level_o[0]@1".split()),
    ("no such workload", BAD, "{work}/none.workload", "{work}/none.workload"),
    ("a folder for a workload", BAD, "{work}", "{work}"),
    ("an empty workload", BAD, "{work}/empty.blt", "{work}/empty.blt"),
    ("a CTA larger than an SM", BAD, "shared", "{work}/shared.kernel"),
    ("a family of one", BAD, "shared", "--record-family {work}/f {work}/shared.kernel"),
    ("SMs without their part of the memory", BAD, "4 of 15 SMs", "--sms 4 {workload}"),
    ("a block that is no chip", BAD, "sm_governor is no chip", "--block sm_governor {workload}"),
    ("another machine than the chip", BAD, "block chip_governor has", "--machine lcs --side rtl {workload}"),
    ("a recording in no folder", BAD, "{work}/none/x.blt", "--record {work}/none/x.blt {workload}"),
    ("a family in no folder", BAD, "{work}/none/f.n1.blt", "--record-family {work}/none/f {workload}"),
    ("an SM that is not there", BAD, "no SM 15", "--machine fermi --record {work}/x.blt --record-sms 0,15 {workload}"),
    ("a mode of one kernel", USAGE, "only with --with", "--dispatch apart {workload}"),
    ("a quota of one kernel", USAGE, "only with --with", "--quota 3 {workload}"),
    ("an unknown mode of dispatch", USAGE, "--dispatch: no 'best'", "--with {workload} --dispatch best {workload}"),
    ("a quota of nobody", USAGE, "'0'", "--with {workload} --quota 1,0 {workload}"),
    ("no number in a quota", USAGE, "needs a number", "--with {workload} --quota , {workload}"),
    ("too many quotas", USAGE, "more than 4", "--with {workload} --quota 1,1,1,1,1 {workload}"),
    ("five kernels", USAGE, "4 kernels", "--with {workload} --with {workload} --with {workload} --with {workload} {workload}"),
    ("a mix under a policy", USAGE, "--quota lcs", "--with {workload} --policy lcs {workload}"),
    ("pairs in a mix", USAGE, "not dispatched in pairs", "--bcs --with {workload} {workload}"),
    ("a recording of a mix", USAGE, "not recorded", "--with {workload} --record {work}/x.blt {workload}"),
    ("a family of a mix", USAGE, "not recorded", "--with {workload} --record-family {work}/f {workload}"),
    ("a family's CTAs", USAGE, "--ctas", "--ctas {work}/x.csv --record-family {work}/f {workload}"),
    ("fewer quotas than kernels", BAD, "each of the 3 kernels", "--with {workload} --with {workload} --quota 1,2 {workload}"),
    ("another kernel that is not there", BAD, "{work}/none.workload", "--with {work}/none.workload {workload}"),
    ("another CTA larger than an SM", BAD, "shared", "--with {work}/shared.kernel {workload}"),
    ("LCS that has not decided", BAD, "LCS has not decided on SM 0", "--machine fermi --with {workload} --quota lcs --max-cycles 100 {workload}"),
    ("CTAs in no folder", BAD, "{work}/none/x.csv", "--ctas {work}/none/x.csv {workload}"),
    ("CTAs on a device", BAD, "/dev/full", "--ctas /dev/full {workload}"),
    ("three kernels' RTL", BAD, "no RTL of mcke", "--machine {machine} --side rtl --with {workload} --with {workload} {workload}"),
    ("--out under a file", BAD, "{work}/file/out", "--machine {machine} --side rtl --out {work}/file/out {workload}"))]


def refusals(parameters: dict[str, int]) -> list[tuple[str, int, str, str]]:
    """Name, exit status, what the line must have, the command line. `parameters`: of the build."""
    large = [row for (parameter, least), rows in LARGE.items() if parameters[parameter] < least for row in rows]
    return [*ARGUMENTS, *PLACES, *RECORDINGS, *large, *SETTINGS, *MANIFESTS, *IMPORTS, *ANALYTIC, *SIM]


# ---- files to stumble over -------------------------------------------------------------------------

# Three cycles of an SM with 64 warps and 8 CTA slots, and with 48 and 32: trace_writer, packed with gzip. The import
# makes none so large.
WARPS = """H4sIAAAAAAACA+t08gnh5ZLiYmRgYHADYgcGDgZGMIQAxmwQhvEUQCKMIAQBz9NL54lomfc6+bgF/YSKMYPUQDEugE8OG2AFYj4s
4kJALM1APaCxVf+vAqsmA8N/EALzhCYyQPz7HwqYwJ57axCwjv/tJCcfzwhY0IEAqYFws0a+cVbMXENgLLj6ufBy2UM1eEDV/Cpc
Iy751dgGAEc66+OnAQAA"""
SLOTS = """H4sIAAAAAAACA+t08gnh5ZLiYmRgYHADYgMGBQZGMIQAxmwQhvEUQCKMIAQBcQE7dj7hO1/o5OMW9BIqxgxSA8W4AD45bIAViPmw
iAsBsTQD+UBjq/5fBVZNBob/IATmCU1kgPjvPxgwMDCBOCtvpB17M0f2pZOPZwQsqECAVE/PtbhTrm1+YDYw1F39XHi59KEaPKBq
JHe/ePgvyF0YAJ8RV/uXAQAA"""


# Lists of CTAs that cannot be, for ballast dispatch.
LAUNCH, EXIT = "10,0,0,launch,1,2\n", "29,0,0,done,1,2\n"
CTA_LISTS = {"backwards": "10,0,0,done,1,2\n29,0,0,launch,1,2\n", "disordered": EXIT + LAUNCH, "bare": "", "early": LAUNCH.replace("10", "9") + EXIT,
             "slot": LAUNCH.replace(",0,0", ",0,8"), "sm": LAUNCH.replace(",0,0", ",132,0"), "cut": LAUNCH + EXIT[:-3]}


def make_raw(folder: Path) -> None:
    """One SM, one CTA of two warps, cycles 10 to 29."""
    folder.mkdir()
    last = 29
    cycles = [bytes([cycle, 0, 0, 0, 0, 0x30, cycle != last, cycle == last, 0x90 if cycle == last else 0x44]) + bytes(23) for cycle in range(10, last + 1)]
    (folder / "cyc.bin").write_bytes(b"".join(cycles))
    (folder / "ker.csv").write_text("kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n1,tiny,1,64,2,20,0,1,10\n")
    (folder / "cta.csv").write_text("cycle,sm,slot,event,kernel,warps_per_cta\n10,0,0,launch,1,2\n29,0,0,done,1,2\n")


def make_files(work: Path) -> dict[str, object]:
    sound, profile = Path("vectors/hotspot.n2.blt").read_bytes(), Path(PROFILE).read_text()
    files: dict[str, str | bytes] = {
        "empty.blt": b"", "whole.blt": sound, "text.blt": "This is no recording.\n" * 400, "truncated.blt": sound[:60000], "stub.blt": sound[:2000],
        "flipped.blt": sound[:60000] + b"\x55\xaa\x55" + sound[60003:], "version.blt": sound[:8] + b"\x09" + sound[9:],
        "warps.blt": gzip.decompress(base64.b64decode(WARPS)), "slots.blt": gzip.decompress(base64.b64decode(SLOTS)),
        "bad.jsonl": '{"cycle":1,"where":"SM0","rule":"PS-5","event":"kernel_start"}\n{"cycle":2,\n', "other.jsonl": '{"words":"nothing"}\n',
        "file": "in the way\n", "dos.csv": b"name,limit\r\nhotspot,2\r\n", "bare.csv": "file,kernel\n", "lost.csv": "file,kernel\nnone.blt,none\n",
        "key.kernel": re.sub("^ *arithmetic", "arithmetics", profile, flags=re.M),
        "large.kernel": profile.replace("threads_per_block = 128", "threads_per_block = 2048"),
        "shared.kernel": re.sub("shared_per_block = [0-9]*", "shared_per_block = 1000000", Path(WORKLOAD).read_text()),
        "long.kernel": re.sub("^blocks = [0-9]*", "blocks = 200000", Path(WORKLOAD).read_text(), flags=re.M),
        "slow.gpu": 'name = "slow"; base = "fermi";\nfreq_ghz = 0.35; power = { idle_power = 0.0; };\n', "good.csv": CHOICES,
    }
    for name, (old, new, _) in DAMAGED_CHOICES.items():
        files[f"{name}.csv"] = CHOICES.replace(old, new)
    for name, text in files.items():
        (work / name).write_bytes(text.encode() if isinstance(text, str) else text)
    for folder in ("taken/hotspot.n2.sm0.fst", "taken/report.html.tmp", "taken/hotspot.n2.sm1.rtl.log", "import"):
        (work / folder).mkdir(parents=True)
    make_raw(work / "raw")
    for name, rows in CTA_LISTS.items():
        shutil.copytree(work / "raw", work / name)
        (work / name / "cta.csv").write_text("cycle,sm,slot,event,kernel,warps_per_cta\n" + rows)
    for damage, hold in RAW_DAMAGES.items():
        for file in RAW_FILES:
            shutil.copytree(work / "raw", work / f"{damage} {file}")
            text = hold((work / "raw" / file).read_bytes())
            (work / f"{damage} {file}" / file).unlink()
            if text is not None:
                (work / f"{damage} {file}" / file).write_bytes(text)
    key_line = next(number for number, line in enumerate(str(files["key.kernel"]).splitlines(), 1) if line.startswith("arithmetics"))
    return {"sound": "vectors/hotspot.n2.blt", "ctas": "vectors/ctas/hotspot.n2", "family": FAMILY, "profile": PROFILE, "workload": WORKLOAD, "key_line": key_line,
            "governor": "lockstep --block sm_governor"}
