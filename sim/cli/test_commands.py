# SPDX-License-Identifier: Apache-2.0
"""What the command line says to bad input, and the promises that only whole commands can keep.

  python3 sim/cli/test_commands.py BALLAST

A refusal has the right exit status (2 usage, 3 bad input), exactly one line on stderr, which names what is wrong, and leaves no
half-written file. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import filecmp
import hashlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect, timeless
from refusals import BAD, FLIPPED, MISMATCH, POLICIES, PROFILE, STOPPED, make_files, refusals

# ---- what is printed: name, command line, lines of CSV or None, patterns ------------------------------


def row(name: str, cycles: int, limit: int) -> str:
    """Of the table of verdicts: it passed."""
    return rf"^{name} +\w+ .* {cycles} +[0-9]+ pass +{limit} "


def signal(block: str, kind: str, name: str) -> str:
    """Of the list of blocks."""
    return rf"^{block}:.*(\n .*)*\n +{kind} +{re.escape(name)} "


PRINTED = [
    ("blocks: lists settings", "blocks", None,
     [signal("sm_governor", "setting", name) for name in ("policy_i", "static_limit_i", "t_idle_i")]
     + [signal("sm_governor", "input", "nmax_i"), signal("sm_governor", "output", "limit_o"), signal("sm_governor", "register", "lcs.limit_q"),
        signal("chip_governor", "setting", "policy_i"), signal("chip_governor", "setting", "mode_i"), signal("chip_governor", "input", "sm[0].nmax_i"),
        signal("chip_governor", "output", "sm[0].limit_o"), signal("chip_governor", "register", "sm[0].lcs.limit_q"),
        signal("perfsat", "setting", "enable_i")]),
    # By name and by number; the last one counts.
    *((f"policy: --set {setting}", f"{{governor}} --sm 0 --max-cycles 100 --log --set {setting} {{sound}}", None, [f"kernel start: {policy}, "])
      for number, policy in enumerate(POLICIES)
      for setting in (f"sm_governor.policy=0 --set sm_governor.policy={policy}", f"sm_governor.policy={number}")),
    ("analytic predict says all", "analytic predict {profile}", None,
     ["^fma on fermi: 240 CTAs of 128 threads$", r"fits +8 CTAs per SM", r"^ +[1-8]\* ", "best limit +[1-8]:", "best SMs +[0-9]+ of 15",
      "work per joule", "bottleneck +category", "suggestion"]),
    ("analytic predict, all that are shipped", "analytic predict --csv sim/kernels/recorded/*.kernel", 61, []),
    ("analytic predict on a GPU without power: empty fields", "analytic predict --gpu 8800GTX --csv {profile}", 7,
     ["^fma,8800gtx,1,([^,]+,){7},,"]),
    ("analytic predict on the GPU of a file", "analytic predict --gpu {work}/slow.gpu {profile}", None, ["^fma on slow:"]),
    ("analytic gpus", "analytic gpus", None, [r"^gtx280 +30 +1.300 +141.7 +450 +yes", "^8800gt +14 .* no ", "^fermi +15 "]),
    ("analytic slowdown: both tables", "analytic slowdown", None, ["^S1-S2 ", "^PFL-LUD "]),
    ("analytic slowdown, CSV of both tables", "analytic slowdown --csv --reading FILL=DF", None, ["^S1-S2,", "^PFL-LUD,"]),
    ("analytic readings and the switches", "analytic readings", None, [r"^QC-A1 +COND2", r"^ +FILL +\[RR\] DF "]),
    ("analytic readings, CSV", "analytic readings --csv", None, ["^rule,option,example,printed,reading,value,default$", "^MC-"]),
    ("analytic extract: the launch", "analytic extract {sound}", None,
     ["^# hotspot.n2, .* with 2 CTAs per SM: ", "^blocks = 256; threads_per_block = 256; regs_per_thread = 35; shared_per_block = 3072;$"]),
    ("analytic extract: that launch and SM of two recordings", "analytic extract --launch 12 --sm 1 vectors/bfs.n1.blt vectors/bfs.n2.blt",
     None, ["^# bfs.n1, _Z7Kernel2.* with 1 CTAs per SM: 48 warps", "^# bfs.n2, _Z7Kernel2.* with 2 "]),
    ("analytic compare, CSV", "analytic compare --csv {manifest}", 61, []),
    ("analytic compare: what policies chose", "analytic compare --policies {work}/good.csv {manifest}", None,
     ["^kernel .* dyncta +scout *$", r"^chase .* -  +-  +-  +-  +-  +- *$",
      r"^fma .* 8 +100%  +3 +[0-9]+%  +-  +5 +[0-9]+%  +2 +[0-9]+%  +4 +[0-9]+% *$"]),
    ("analytic compare: policies as CSV", "analytic compare --csv --policies {work}/good.csv {manifest}", 61, ["^fma,1,.*,8,3,0,5,2,4$"]),
    ("family: LCS decides", "family --log --block sm_governor --set sm_governor.policy=lcs {family}", None, ["T_new [0-9]", "kernel start: lcs, "]),
    ("a limit that software sets", "{governor} --sm 0 --max-cycles 100 --set sm_governor.policy=static --set sm_governor.static_limit=2 {sound}",
     None, [row("hotspot.n2", 100, 2)]),
    # SM 0 has 31347 cycles, SM 1 has 32303; on 15 SMs, SM 13 is the sixth after SM 1.
    ("chip: all SMs at once: as long as the longer SM", "chip --skew 0 {sound}", None, [row("hotspot.n2", 32303, 3)]),
    ("chip: one after the other: until the last SM has finished", "chip --skew 100 {sound}", None, [row("hotspot.n2", 32903, 3)]),
    ("chip: a smaller one ends earlier", "chip --block chip_governor_top --skew 2000 {sound}", None, [row("hotspot.n2", 33347, 3)]),
    ("chip: a row for each recording", "chip --max-cycles 3000 {sound} vectors/fma.n1.blt", None,
     [row("hotspot.n2", 3000, 3), row("fma.n1", 3000, 8)]),
    ("chip: saving energy", "chip --max-cycles 6000 --set chip_governor.mode=ENERGY {sound}", None, ["^hotspot.n2 .* pass "]),
    ("dispatch: every CTA but the first of a kernel", "dispatch --by-kernel vectors/ctas/srad.n* vectors/ctas/fma.n*", None,
     [r"^srad +10 +2560 +2555 +99\.8047% ", "^    5: first CTA of a kernel: ", r"^fma +8 +1920 +1920 +100\.0000% +633 +112$", r"^all +18 +4480 +4475 "]),
    ("dispatch: a difference by name", "dispatch --differences vectors/ctas/srad.n2", None,
     [r"^srad\.n2 launch 2 cycle 33913: CTA 0 to SM 5 slot 0, gwde's CTA 0 to SM 0: start$", r"^srad\.n2 +2 +512 +511 "]),
    ("dispatch: another reading", "dispatch --fill DF {ctas}", None, [r"^ +\d+: gwde's SM has got a CTA in the same cycle$"]),
    ("dispatch: CSV", "dispatch --csv vectors/ctas/bfs.n1", 23,
     ["^recording,launch,kernel,grid,limit,ctas,same,start,limit,room,more,once,fresh,order,other_slot,other_cta,later,latest$",
      r"^bfs\.n1,22,_Z7Kernel2PbS_S_S_i,96,1,96,95,1,0,0,0,0,0,0,0,0,\d+,14$"]),
    ("ctas: the recorder's launches", "ctas {ctas}", 257, ["^sm,slot,start,end,cta,kernel,pair$", r"^0,0,1,\d+,0,hotspot\.n2,$", r"^14,1,2,\d+,29,hotspot\.n2,$"]),
    ("ctas: a kernel has a name for each launch", "ctas --by GWDE vectors/ctas/bfs.n8", 2113, [r",bfs\.n8 22,$"]),
    ("sim: the defaults", "sim --machine {machine} --max-cycles 100 {workload}", None,
     [": policy static, mode performance, seed 1, C models in the loop; cut off", "^cycles +100 "]),
    ("sim: --set has the last word",
     "sim --machine {machine} --side rtl --set chip_governor.policy=equalizer --log --max-cycles 9000 {workload}", None, ["CompAction"]),
    ("sim: two kernels, their quotas and their share",
     "sim --machine fermi --max-cycles 9000 --with sim/kernels/recorded/fma.kernel --quota 2,1 {workload}", None,
     [r"^hotspot \+ fma on fermi, 15 SMs: .*; cut off", "^dispatch +quotas$", r"^  hotspot +2 +9000 +[1-9]\d* +\d+ +[0-9.]+  not ended$",
      r"^  fma +1 +9000 +[1-9]\d* +\d+ +[0-9.]+  not ended$"]),
    ("sim: what LCS decides for each", "sim --csv --machine fermi --sms 5 --with sim/kernels/lcs/CP.kernel --dispatch apart --quota lcs sim/kernels/lcs/MUM.kernel",
     3, [r"^kernel,machine,sms,dispatch,least_quota,most_quota,", r"^MUM,fermi,5,apart,\d,\d,0,1,model,1,\d+,2508800,196,", r"^CP,fermi,5,apart,\d,\d,0,1,model,1,\d+,3276800,1024,"]),
]

# ---- refusals --------------------------------------------------------------------------------------

def refuses(test: Planted, ballast: Ballast) -> None:
    for name, status, word, line in refusals(ballast.parameters):
        with test.case(name):
            ballast.run(line)
            ballast.says(status, word)
            left = [path for pattern in ("out/*.log", "out/*.jsonl", "*.out*", "*.svg", "x.blt*", "f.n*", "import/*") for path in test.work.glob(pattern)]
            expect(not left, f"left behind: {left}")
            expect(not line.startswith("analytic") or not ballast.out, "it prints something")
    with test.case("lockstep: no files of a damaged SM"):
        ballast.run("lockstep --wave {work}/flipped.blt")
        ballast.says(BAD, FLIPPED)
        expect(not list(test.out.glob("*sm0*")), "files of SM 0")
    with test.case("--salvage says where the damage is, and replays what precedes it"):
        ballast.run("lockstep --salvage --sm 0 --block stall_classifier,perfsat {work}/truncated.blt")
        ballast.says(0, "{work}/truncated.blt:")
        ballast.prints(row("truncated", 16384, 2))  # the SM's first frame is intact: so many of its 31347 cycles
    with test.case("import: a sound recording"):
        ballast.passes("import --dir {work}/raw --out {work}/import/x.blt")
        ballast.passes("info --verify {work}/import/x.blt")
    with test.case("import: registers in the machine's granularity, and the limit in force has the last word"):
        raw = (test.work / "raw/ker.csv").read_text()
        shutil.copytree(test.work / "raw", test.work / "raw42")
        (test.work / "raw42/ker.csv").write_text(raw.replace("1,64,2,20,0,", "1,128,2,42,0,").replace(",128,2,", ",64,2,"))
        for option, nmax in (("--registers 21504 --register-unit 1", 8), ("--registers 21504", 7)):  # 8 x 42 x 64, 7.6 x 44 x 64
            ballast.passes(f"import --dir {{work}}/raw42 --out {{work}}/import/y.blt {option}")
            ballast.passes("info {work}/import/y.blt")
            ballast.prints(f" Nmax {nmax}, limit 1")
        ballast.run("import --dir {work}/raw42 --out {work}/import/y.blt --limit 4")
        expect(ballast.status == 0 and "1 CTAs ran though 4 were configured, so Nmax is 1" in ballast.err, "no warning")
        ballast.passes("info {work}/import/y.blt")
        ballast.prints(" Nmax 1, limit 1")


def folders(test: Planted, ballast: Ballast) -> None:
    folder = test.work / "raws"
    for name in ("tiny.n1", "other.n1"):
        shutil.copytree(test.work / "raw", folder / name)
    (test.work / "words.csv").write_text('kernel,program\ntiny,"a tiny one, of two warps"\n')
    with test.case("import-folder: a manifest of what is there, which runs"):
        ballast.passes("import-folder --out {work}/raws.out --programs {work}/words.csv {work}/raws")
        lines = (test.work / "raws.out/MANIFEST.csv").read_text().splitlines()
        digests = [hashlib.sha256((test.work / f"raws.out/{name}.n1.blt").read_bytes()).hexdigest() for name in ("other", "tiny")]
        expect([line.rsplit(",", 1)[1] for line in lines] == ["sha256", *digests], "other digests")
        expect(lines[2].startswith('tiny.n1.blt,tiny,"a tiny one, of two warps",'), lines[2])
        test.command(0, "sim/recording/check_vectors.sh", test.work / "raws.out")
    with test.case("import-folder: the widths of grids come with the words"):
        (test.work / "wide.csv").write_text("grid_x,kernel,program\n1,tiny,a\n,other,b\n")
        ballast.passes("import-folder --out {work}/raws.out --programs {work}/wide.csv {work}/raws")
        ballast.passes("info {work}/raws.out/tiny.n1.blt")
        ballast.prints("limit 1, 2-D grid with 1 CTAs in a row$")
        ballast.passes("info {work}/raws.out/other.n1.blt")
        ballast.prints("limit 1$")
        (test.work / "wide.csv").write_text("grid_x,kernel,program\nwide,tiny,a\n")
        ballast.run("import-folder --out {work}/raws.out --programs {work}/wide.csv {work}/raws")
        ballast.says(BAD, "{work}/wide.csv: line 2: column grid_x is \"wide\"")
    with test.case("grid: recordings and the digests of their manifest"):
        ballast.passes("import-folder --out {work}/raws.out --programs {work}/words.csv {work}/raws")
        before = [path.read_bytes() for path in sorted((test.work / "raws.out").iterdir())]
        for width, words in ((1, "limit 1, 2-D grid with 1 CTAs in a row$"), (0, "limit 1$")):
            ballast.passes(f"grid --grid-x {width} --manifest {{work}}/raws.out/MANIFEST.csv {{work}}/raws.out/tiny.n1.blt")
            test.command(0, "sim/recording/check_vectors.sh", test.work / "raws.out")
            ballast.passes("info --verify {work}/raws.out/tiny.n1.blt")
            ballast.prints(words)
        expect(before == [path.read_bytes() for path in sorted((test.work / "raws.out").iterdir())], "something else has changed")
    with test.case("grid: through links, which stay, and with the permissions of the files"):
        (test.work / "raws.out/tiny.n1.blt").chmod(0o640)
        for name in ("tiny.n1.blt", "MANIFEST.csv"):
            (test.work / "raws.out" / name).rename(test.work / name)
            (test.work / "raws.out" / name).symlink_to(f"../{name}")
        ballast.passes("grid --grid-x 1 --manifest {work}/raws.out/MANIFEST.csv {work}/raws.out/tiny.n1.blt")
        test.command(0, "sim/recording/check_vectors.sh", test.work / "raws.out")
        for name, mode in (("tiny.n1.blt", 0o640), ("MANIFEST.csv", 0o644)):
            link, file = test.work / "raws.out" / name, test.work / name
            expect(link.is_symlink() and not file.is_symlink() and file.stat().st_mode & 0o777 == mode, f"{name}: no link, or other permissions")
            link.unlink()
    with test.case("import-folder: a folder per kernel, its limits by their numbers"):
        for limit in (1, 2, 12):
            shutil.copytree(test.work / "raw", test.work / f"nested/tiny/n{limit}")
        ballast.run("import-folder --out {work}/nested.out {work}/nested")  # which warns that one CTA ran though 2 and 12 were allowed
        expect(ballast.status == 0, "it fails")
        lines = (test.work / "nested.out/MANIFEST.csv").read_text().splitlines()[1:]
        expect([line.split(",")[0] for line in lines] == [f"tiny.n{limit}.blt" for limit in (1, 2, 12)], f"other rows: {lines}")
        expect([line.split(",")[5] for line in lines] == ["1", "2", "12"], f"other limits: {lines}")
    with test.case("import-folder: a folder of another name is named, the others are imported"):
        shutil.copytree(test.work / "raw", folder / "nothing")
        ballast.run("import-folder --out {work}/raws.out {work}/raws")
        ballast.says(BAD, "{work}/raws/nothing: left out")
        expect("2 recordings" in ballast.out, "not two")


# ---- what is printed -------------------------------------------------------------------------------


def prints(test: Planted, ballast: Ballast) -> None:
    for name, line, csv_lines, patterns in PRINTED:
        with test.case(name):
            ballast.passes(line)
            ballast.prints(*patterns)
            if csv_lines:
                ballast.prints_csv(csv_lines)


def compares(test: Planted, ballast: Ballast) -> None:
    kernels = [path.stem for path in Path("sim/kernels/recorded").glob("*.kernel")]
    with test.case("analytic compare: every profile and every recorded kernel"):
        ballast.passes("analytic compare {manifest}")
        expect(sorted(row.split()[0] for row in ballast.out.splitlines()[1:]) == sorted(kernels), "other kernels")
    profiles = test.work / "profiles"
    profiles.mkdir()
    shutil.copy(PROFILE, profiles)
    with test.case("analytic compare: kernels without a profile are left out"):
        ballast.run("analytic compare --kernels {work}/profiles {manifest}")
        out, err = ballast.out.splitlines(), ballast.err.splitlines()
        expect(ballast.status == 0 and len(out) == 2 and len(err) == 9, f"status {ballast.status}, {len(out)} and {len(err)} lines")
        expect(all(re.search(f"no profile {profiles}/.*, left out$", line) for line in err), "another reason")
    with test.case("analytic compare: a broken profile, the others are compared"):
        for path in Path("sim/kernels/recorded").glob("*.kernel"):
            shutil.copy(path, profiles)
        (profiles / "fma.kernel").write_text("blocks = ;\n")
        ballast.run("analytic compare --kernels {work}/profiles {manifest}")
        ballast.says(BAD, "{work}/profiles/fma.kernel:1: syntax error")
        expect(ballast.out.count("\n") == 10, "not 10 lines")
    with test.case("analytic predict: a missing profile among others, which are printed"):
        ballast.run("analytic predict --csv {profile} {work}/none.kernel {profile}")
        ballast.says(BAD, "{work}/none.kernel")
        ballast.prints_csv(17)
    with test.case("analytic predict: another reading counts"):
        ballast.passes("analytic predict --csv sim/kernels/recorded/invmap.kernel")
        before = ballast.out
        ballast.passes("analytic predict --csv --reading eq1=0 --reading Eq1=1 sim/kernels/recorded/invmap.kernel")
        expect(ballast.out != before, "the same numbers")
    with test.case("analytic extract: is a profile"):
        ballast.passes("analytic extract {sound}")
        (test.work / "hotspot.kernel").write_text(ballast.out)
        ballast.passes("analytic predict {work}/hotspot.kernel")


def draws(test: Planted, ballast: Ballast) -> None:
    for picture, line in (("none/x.svg", "predict {profile}"), ("none/x.svg", "compare {manifest}"), ("it's.svg", "predict {profile}")):
        with test.case(f"analytic {line}: the picture {picture} cannot be written, the text nevertheless"):
            ballast.run(f'analytic {line} --plot "{{work}}/{picture}"')
            ballast.says(BAD, f"{{work}}/{picture}: not drawn")
            ballast.prints("^fma ")
    if not shutil.which("gnuplot"):
        return
    for name, line in (("predict", "predict {profile}"), ("no_power", "predict --gpu fx5600 {profile}"),
                       ("compare", "compare --policies {work}/good.csv {manifest}")):
        with test.case(f"analytic: {name}.svg is complete"):
            ballast.passes(f"analytic --plot {{work}}/{name}.svg {line}")
            expect((test.work / f"{name}.svg").read_text().rstrip().endswith("</svg>"), "no end")


# ---- promises --------------------------------------------------------------------------------------

def logs_are_equal(test: Planted) -> None:
    models = list(test.out.glob("*.model.log"))
    expect(models and all(path.stat().st_size for path in models), "no logs")
    for model in models:
        expect(filecmp.cmp(model, str(model).replace(".model.", ".rtl."), shallow=False), f"{model} differs")


def logs(test: Planted, ballast: Ballast) -> None:
    with test.case("lockstep: both sides' logs are equal"):
        ballast.run("lockstep {sound}")
        logs_are_equal(test)
    with test.case("family: both sides' logs are equal, and printed"):
        ballast.run("family --log {family}")
        logs_are_equal(test)
        expect((test.out / "hotspot.sm0.model.log").read_text().splitlines()[-1] in ballast.out.splitlines(), "the last line is not printed")
    with test.case("chip: a waveform, and both sides' logs are equal"):
        ballast.passes("chip --skew 100 --wave {sound}")
        logs_are_equal(test)
        expect((test.out / "hotspot.n2.chip.fst").stat().st_size, "no waveform")
    with test.case("chip: the limit slows a family down"):
        cycles = []
        for limit in (1, 0):
            ballast.passes(f"chip --family --max-laps 1 --set chip_governor.policy=static --set chip_governor.static_limit={limit} {{family}}")
            cycles += [int(row.split()[5]) for row in ballast.out.splitlines() if " chip f " in row]
        expect(len(cycles) == 2 and cycles[0] >= 1.3 * cycles[1], f"cycles {cycles}")


def difference(report: str) -> list[str]:
    """What differs and how."""
    return re.findall(r"^  (?:register|output|an assertion).*(?:\n.*){0,2}", report, re.M)


def injects(test: Planted, ballast: Ballast, fault: str, line: str) -> None:
    """The fault is found, and the line that the report gives finds it again, pasted into a folder of its own, because it writes to build/out."""
    with test.case(f"--inject {fault} is found, and again by the pasted line"):
        command, rest = line.split(" ", 1)
        ballast.run(f"{command} --inject {fault} {rest}")
        ballast.says(MISMATCH, "{out}/")
        again = [text for text in ballast.out.splitlines() if f"{ballast.program} lockstep " in text or f"{ballast.program} chip " in text]
        program = test.work / "paste" / ballast.program
        program.parent.mkdir(parents=True, exist_ok=True)
        if not program.exists():
            program.symlink_to(Path(ballast.program).resolve())
        pasted = subprocess.run("\n".join(again), shell=True, cwd=test.work / "paste", stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=60, check=False)
        expect(pasted.returncode == MISMATCH, f"exit status {pasted.returncode} of {again}")
        expect(difference(ballast.out) and difference(pasted.stdout) == difference(ballast.out), f"another difference: {difference(pasted.stdout)}")


def injections(test: Planted, ballast: Ballast) -> None:
    injects(test, ballast, "rtl:perfsat.limit_q[1]@20000", "lockstep --sm 0 vectors/pathfinder.n3.blt")
    injects(test, ballast, "model:stall_classifier.ps_class_o[0]@0", "lockstep --sm 0 {sound}")
    injects(test, ballast, "rtl:chip_governor.sm[3].throttle.num_blocks_q[0]@5000", "chip {sound}")
    with test.case("chip: the report names register, SM and cycle, and shows this SM alone"):
        expect(re.findall("^MISMATCH.*", ballast.out, re.M)[-1] == "MISMATCH in chip_governor on SM3, cycle 5000 (cycle 5000 of the run)",
               "another headline")
        expect(difference(ballast.out)[0].startswith("  register sm[3].throttle.num_blocks_q after this cycle's rising edge\n"), "another register")
        ballast.prints(r"^ +sm\[3\]\.throttle\.num_blocks_q .*<--$")
        expect(set(re.findall(r"^ +(sm\[\d+\])", ballast.out, re.M)) == {"sm[3]"}, "other SMs")
    # While some SMs have started their kernel and others have not; across kernels; and with what software sets.
    injects(test, ballast, "model:chip_governor.sm[14].throttle.num_blocks_q[1]@20", "chip {sound}")
    injects(test, ballast, "rtl:chip_governor.mem_domain.timer_q[3]@9000", "chip --family --set chip_governor.mode=ENERGY {family}")
    with test.case("chip: no SM is named that has no part in it"):
        ballast.prints("^MISMATCH in chip_governor, cycle 9000 ")
    injects(test, ballast, "rtl:chip_governor_top.sm[2].limit_o[1]@300", "chip --block chip_governor_top --set chip_governor_top.policy=dyncta {sound}")
    injects(test, ballast, "rtl:chip_governor.sm[3].throttle.num_blocks_q[0]@5000",
            "sim --side rtl --machine {machine} --policy equalizer --record {work}/x.blt {workload}")
    with test.case("sim: no recording after a mismatch"):
        expect(not list(test.work.glob("x.blt*")), "it is there")
    injects(test, ballast, "model:chip_governor.sm[1].limit_o[1]@700", "sim --side rtl --machine {machine} --mode energy --seed 5 {workload}")


def wanted_replays(manifest: Path, kernels: Path) -> list[str]:
    """What a run has to play, "NAME MODE" each: every recorded SM; every family under Perf-Sat, each policy and each mode of the chip."""
    with open(manifest, encoding="utf-8") as file:
        recorded = list(csv.DictReader(file))
    with open(kernels, encoding="utf-8") as file:
        families = list(csv.DictReader(file))
    expect({row["kernel"].partition(".")[0] for row in families} == {row["kernel"] for row in recorded}, "other families")
    found = [f"{row['file'].removesuffix('.blt')} open" for row in recorded for _ in row["sms"].split()]
    for row in families:
        found += [f"{row['kernel']} family", *(f"{row['kernel']}.{policy} family" for policy in POLICIES),
                  *(f"{row['kernel']}.{mode} chip f" for mode in ("energy", "performance"))]
    return sorted(found)


def side_by_side(test: Planted, ballast: Ballast) -> None:
    with test.case("run: however many replays at once, the result is the same"):
        results = []
        for jobs in (1, 3):
            ballast.passes(f"run -j {jobs} --max-cycles 2000 {{manifest}}")
            own = ("report.html", "run.json", "table.txt")  # times stand in there, and in waveforms
            files = {path.name: timeless(path) for path in test.out.iterdir() if path.name not in own and path.suffix != ".fst"}
            rows = [line.split()[:-1] for line in (test.out / "table.txt").read_text().splitlines()]
            results.append((files, rows, sorted(path.name for path in test.out.iterdir())))
        expect(len(results[0][0]) > 20 and results[0] == results[1],
               f"another result: {[name for name, text in results[0][0].items() if text != results[1][0].get(name)]}")
    with test.case("run: plays every recorded SM, and every family in every way, once"):
        with open(test.out / "verdicts.csv", encoding="utf-8") as file:
            played = sorted(f"{row['recording']} {row['mode']}" for row in csv.DictReader(file))
        expect(played == wanted_replays(Path("vectors/MANIFEST.csv"), test.out / "kernels.csv"), f"{len(played)} replays")


def as_csv(test: Planted, ballast: Ballast) -> None:
    """--csv says what the text says, and nothing else."""
    with test.case("family --csv: the table's rows, for several policies and for one with a setting"):
        ballast.passes("family --policy all --max-cycles 30000 {family}")
        rows = [re.split("  +", line) for line in ballast.out.splitlines()[3:]]
        ballast.passes("family --csv --policy all --max-cycles 30000 {family}")
        found = list(csv.DictReader(ballast.out.splitlines()))
        text = [[row["policy"], row["limit"], f"{float(row['cost_percent']):.1f} %"] for row in found]
        expect(len(found) == len(POLICIES) and text == [row[:3] for row in rows], f"{text} {rows}")
        expect([row["cycles"] for row in found] == [row[4] for row in rows], "other cycles")
        ballast.passes("family --csv --policy static --set sm_governor.static_limit=1 --max-cycles 30000 {family}")
        [row] = csv.DictReader(ballast.out.splitlines())
        expect((row["policy"], row["limit"]) == ("static", "1"), f"{row}")
    for command in ("lockstep --max-cycles 2000 {sound}", "chip --max-cycles 300 {sound}"):
        with test.case(f"{command.split()[0]} --csv: the table's rows"):
            ballast.passes(command)
            rows = [line.split() for line in ballast.out.splitlines()[1:]]
            ballast.passes(command.replace(" ", " --csv ", 1))
            found = [list(row.values())[:7] for row in csv.DictReader(ballast.out.splitlines())]
            expect(found and found == [row[:7] for row in rows], f"{found} {rows}")


def interrupts(test: Planted, ballast: Ballast) -> None:
    with test.case("run: an interrupt stops it, and there is no report"):
        ballast.interrupt("run {manifest}", "{out}/unfinished/table.txt")
        ballast.says(STOPPED, "stopped")
        expect((test.out / "unfinished/table.txt").exists(), "it had not begun")
        expect([path.name for path in test.out.iterdir()] == ["unfinished"], "there is a result")
    with test.case("random: an interrupt stops it, and there are no files"):
        ballast.interrupt("random --wave --max-cycles 4000000000", "{out}/*")  # no machine is there first
        ballast.says(STOPPED, "stopped")
        expect(not list(test.out.iterdir()), "files are there")


# ---- sim -------------------------------------------------------------------------------------------

def sides(test: Planted, ballast: Ballast, policy: str, mode: str) -> None:
    with test.case(f"sim: both sides run, print and record alike, policy {policy}, mode {mode}"):
        said, decided = [], []
        for side in ("model", "rtl"):
            line = f"sim --machine {{machine}} --side {side} --policy {policy} --mode {mode} --max-cycles 9000"
            ballast.passes(f"{line} --record {{work}}/{side}.blt --record-sms 0,1 --csv {{workload}}")
            said.append(ballast.out.replace(f",{side},", ",SIDE,"))
            ballast.passes(f"{line} --log {{workload}}")
            decided.append(re.findall("^cycle [0-9]* chip .*", ballast.out, re.M))
        expect(said[0] == said[1], "other results")
        expect(f",{policy},{mode},0,1,SIDE,0,9000," in said[1], "it is not what was asked for")
        expect(decided[0] and decided[0] == decided[1], "other decisions")
        expect(filecmp.cmp(test.work / "model.blt", test.work / "rtl.blt", shallow=False), "another recording")
    with test.case(f"sim: its recording is sound and passes in lockstep, policy {policy}, mode {mode}"):
        ballast.passes("info --verify {work}/rtl.blt")
        ballast.passes("lockstep {work}/rtl.blt")


def sim_mix(test: Planted, ballast: Ballast) -> None:
    line = "sim --machine {machine} --max-cycles 9000 --csv --with sim/kernels/recorded/fma.kernel --ctas {work}/ctas.csv"
    for mode in ("quotas", "leftover", "apart", "queue"):
        with test.case(f"sim: both sides run two kernels alike, {mode}"):
            said, ctas = [], []
            for side in ("model", "rtl"):
                ballast.passes(f"{line} --dispatch {mode} --quota 2,2 --side {side} {{workload}}")
                said.append(ballast.out.replace(f",{side},", ",SIDE,"))
                ctas.append((test.work / "ctas.csv").read_text())
            expect(said[0] == said[1], "other results")
            expect(ctas[0] == ctas[1], "other CTAs")
            expect(f",{mode},2,2," in said[0], "it is not what was asked for")
            rows = [row.split(",") for row in ctas[0].splitlines()]
            expect(rows[0] == "sm,slot,start,end,cta,kernel,pair".split(","), "another heading")
            where = {name: {int(row[0]) for row in rows[1:] if row[5] == name} for name in ("hotspot", "fma")}
            expect(bool(where["hotspot"]), "no CTA of the first kernel")
            expect((where["hotspot"] & where["fma"] == set()) == (mode in ("apart", "queue")), f"SMs are shared or not: {where}")
    (test.work / "ctas.csv").unlink()


def sim_family(test: Planted, ballast: Ballast) -> None:
    line = "sim --machine {machine} --record-family {work}/sim --record-sms 0,1"

    def members() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in test.work.glob("sim.*")}

    with test.case("sim: a family: what is best, a recording for every limit"):
        ballast.passes(f"{line} {{workload}}")
        ballast.prints("^ +1 +[0-9]+", r"^the fewest CTAs that no higher limit beats by 2 %: [0-9]+ \(PS-E4\)$")
        before = members()
        expect(len(before) == len(re.findall("^ +[0-9]+ ", ballast.out, re.M)), f"other files: {list(before)}")
        ballast.run("info {work}/sim.n2.blt")
        ballast.prints(" Nmax [0-9]+, limit 2,")
    with test.case("sim: the family plays"):
        ballast.passes("family {work}/sim.n*.blt")
    with test.case("sim: the same family again"):
        ballast.passes(f"{line} --jobs 1 --csv {{workload}}")
        expect(members() == before, "other bytes")
    with test.case("sim: an interrupt stops a family; the one from before is still there"):
        ballast.interrupt("sim --record-family {work}/sim {work}/long.kernel", "{work}/sim.*.new*")
        ballast.says(STOPPED, "stopped")
        expect(members() == before, "other files")
    with test.case("sim: an interrupt stops it, and there is no recording"):
        ballast.interrupt("sim --record {work}/long.blt {work}/long.kernel", "{work}/long.blt*")
        ballast.says(STOPPED, "stopped")
        expect(not list(test.work.glob("long.blt*")), "it is there")
    with test.case("sim: a family's place is taken, nothing half done is left"):
        (test.work / "taken.n2.blt").mkdir()
        ballast.run("sim --record-family {work}/taken {workload}")
        ballast.says(BAD, "{work}/taken.n2.blt")
        expect(not list(test.work.glob("*.new")), "half a family")
    with test.case("sim: each of a family has its own logs"):
        ballast.run("sim --machine {machine} --side rtl --max-cycles 50 --record-family {work}/sim {workload}")
        expect((test.out / "hotspot.n2.chip.rtl.log").exists(), "no log of limit 2")
    with test.case("dispatch: the simulator's own dispatcher, of a recording with all SMs"):
        ballast.passes("sim --machine fermi --max-cycles 4000 --record {work}/whole.blt {workload}")
        ballast.passes("dispatch --free-after 3 {work}/whole.blt")
        ballast.prints(r"^whole +1 +(\d+) +\1 +100\.0000% ")
    with test.case("sim: a family's optimum: the fewest CTAs that no higher limit beats by 2 %, from the printed rates"):
        ballast.passes("sim --machine fermi --sms 5 --record-family {work}/best --record-sms 0 sim/kernels/recorded/chase.kernel")
        rates = [float(row.split()[3]) for row in ballast.out.splitlines() if re.match(" +[0-9]+ ", row)]
        best = next(limit for limit, rate in enumerate(rates, 1) if all(more < 1.02 * rate for more in rates[limit:]))
        ballast.prints(rf": {best} \(PS-E4\)$")


def ctas(test: Planted, ballast: Ballast) -> None:
    """Lists of CTAs, each held against what the dispatcher's page promises."""
    def spans(line: str) -> list[dict[str, str]]:
        ballast.passes(line)
        return sorted(csv.DictReader(io.StringIO(ballast.out)), key=lambda row: (int(row["start"]), int(row["cta"])))

    with test.case("ctas: recorder and gwde agree on the SM of every CTA, as ballast dispatch says, until places come free"):
        recorded, played = spans("ctas {ctas}"), spans("ctas --by GWDE {ctas}")
        expect([row["sm"] for row in recorded[:30]] == [row["sm"] for row in played[:30]], "another order")
        expect(sorted(int(row["cta"]) for row in played) == list(range(256)), "not every CTA once")
        lengths = [{row["cta"]: int(row["end"]) - int(row["start"]) for row in rows} for rows in (recorded, played)]
        expect(lengths[0] == lengths[1], "other lengths")
    with test.case("ctas: BCS-1: both CTAs of a pair on one SM, in two cycles that follow each other"):
        rows = spans("ctas --by BCS --grid-x 16 vectors/ctas/hotspot.n8")
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            expect((first["sm"], first["pair"], int(first["start"]) + 1) == (second["sm"], second["pair"], int(second["start"])), f"{first} {second}")
            expect(int(first["cta"]) // 2 == int(first["pair"]), f"not its pair: {first}")
    with test.case("ctas: CKE-1: the first kernel's quota holds on every SM"):
        mixed = [row for row in spans("ctas --by MCKE --quota 2 vectors/ctas/hotspot.n8 vectors/ctas/bfs.n8") if row["kernel"] == "hotspot.n8"]
        expect(len(mixed) == 256, f"{len(mixed)} CTAs")
        for row in mixed:
            at = int(row["start"])
            held = sum(one["sm"] == row["sm"] and int(one["start"]) <= at < int(one["end"]) for one in mixed)
            expect(held <= 2, f"{held} CTAs on SM {row['sm']} in cycle {at}")
    with test.case("ctas: the picture of a recording is that of its list"):
        ballast.passes("ctas --grid-x 16 {ctas}")
        (test.work / "list.csv").write_text(ballast.out)
        for name, what in (("list", "{work}/list.csv"), ("own", "--grid-x 16 {ctas}")):
            ballast.passes(f"ctas --picture {{work}}/{name}.svg {what}")
            ballast.prints("svg: all 256 CTAs, cycles 0 to [0-9]+$")
        picture = (test.work / "own.svg").read_text()
        expect(picture == (test.work / "list.svg").read_text(), "they differ")
        expect(picture.count("h-") == 256, "not a bar per CTA")
        ballast.passes("ctas --most 100 --picture {work}/own.svg {work}/list.csv")
        ballast.prints("svg: (9[0-9]|100) of 256 CTAs, ")
        for path in test.work.glob("*.svg"):
            path.unlink()


def one_test(test: Planted, ballast: Ballast) -> None:
    program = Path(ballast.program).with_name("test_lockstep")
    with test.case("a test program without the test that was asked for: one line"):
        test.command(2, program, "nosuchtest")
        test.one_line("test_lockstep: no test nosuchtest")


def shipped(test: Planted, ballast: Ballast) -> None:
    """The command that users have lacks the variants that only tests want: it must have what its own commands put together."""
    program = Path(ballast.program).parents[1] / "ballast"
    for sms in (1, 15, 132):
        with test.case(f"bench-chip of the command as it is shipped: {sms} SMs"):
            test.command(0, program, "bench-chip", "--cycles", 2000, "vectors/fma.n8.blt")
            expect(re.search(rf"(?m)^ +{sms} +\d+ ", test.said), test.said)


def main() -> int:
    with Planted("", sys.argv[1]) as test:
        ballast = Ballast(test, sys.argv[1])
        ballast.names |= make_files(test.work)
        for cases in (refuses, folders, prints, ctas, compares, draws, logs, injections, side_by_side, as_csv, interrupts, one_test, shipped):
            cases(test, ballast)
        for policy, mode in [*((policy, "performance") for policy in POLICIES), ("equalizer", "energy")]:
            sides(test, ballast, policy, mode)
        sim_family(test, ballast)
        sim_mix(test, ballast)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
