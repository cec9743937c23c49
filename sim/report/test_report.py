# SPDX-License-Identifier: Apache-2.0
"""test_report.py BUILD_DIR: runs a small manifest, opens its report in headless Chromium and holds what is on
the page against the run's files; plants faults in copies of the page, which must be found (without LONG a part of them: each is a start of the
browser); damages the files, which must be refused. Run from the repository root."""
from __future__ import annotations

import csv
import html
import json
import re
import shutil
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import accessible  # noqa: E402
import driven  # noqa: E402
from planted import Planted, expect, some  # noqa: E402
from tools import ToolFailed, need, run  # noqa: E402

# One family twice: under its own name, for which there is a profile, and under one that a careless page would take for
# markup. What is said of each.
KERNELS = {"hotspot": "plain, with a comma", "hot<i>spot & co": "a <b>bold</b> kernel"}
TITLES = {"static": "Static", "perfsat": "Perf-Sat", "lcs": "LCS", "equalizer": "Equalizer", "dyncta": "DYNCTA", "scout": "Scout",
          "performance": "Chip, performance mode", "energy": "Chip, energy mode"}
CHIP = ("performance", "energy")
SHOWN = 60  # of the decisions that moved something
PICTURES = 9  # that gnuplot draws; two are close-ups, since scout takes longer than the others
DISPATCH = ("recorder", "gwde", "bcs")  # of CTA dispatch: the manifest has no 1-D kernel
DRAWN = len(DISPATCH) + 1  # without gnuplot: these, and the costs
SEGMENTS = 16  # of a launch

BUILT = {
    "area/area.csv":
        '"config","block","parameters","flip_flops","cells","ge","area","lut4","ice40_flip_flops","ice40_carries",'
        '"depth","ns","fo4","kind","start","end","verdict","why","library"\n'
        '"fermi","lcs","NumSlots=8",338,3062,4462,107084,933,338,25,25,3.88,39.1,"reg-reg","a","b","same","","osu018"\n',
    "area/policies.csv": "config,policy,blocks,flip_flops,ge,fo4,slowest\nfermi,lcs,lcs cta_throttle,386,6791,32.8,lcs\n",
    "area/chips.csv": "config,sms,flip_flops,ge,fo4,block,kind,start,end\nfermi,15,9879,230186,33.6,sm_governor,reg-reg,a,b\n",
    "energy/energy.csv":
        "config,block,policy,recording,cycles,decisions,ge,pj_per_cycle,pj_per_cycle_resting,pj_per_decision,technology\n"
        "fermi,sm_governor,lcs,pathlong.n3,131072,2,14859,9.06,1.56,593800.5,x45\nfermi,lcs,,pathlong.n3,131072,0,5265,4.4,0.5,,x45\n",
    "energy/saving.csv":
        "group,kernel,policy,sm_cycles,joules_static,joules,saved,pj_per_cycle,cost,cost_resting,cost_percent,recording\n"
        "recorded,fma,lcs,500,0.5,0.25,0.25,9,0.0005,0.0001,0.2,fma.n6\n",
    "formal/status.json": json.dumps({"tool": "a prover", "blocks": [
        {"block": "lcs", "proof": proof, "status": status, "bound": "full size", "states": states, "seconds": seconds}
        for proof, status, states, seconds in [("step", "proved", "invariant", 12.3), ("LCS-2: 1 <= limit", "proved", "reset", 1),
                                               ("LCS-6: T_new > 0", "open", "reset", 1)]]}),
    "gates/fermi/gates.csv":
        "netlist,cells,flip_flops,register_bits,constant_bits,recording,cycles,lockstep,proof,proof_seconds\n"
        "lcs,3062,338,338,0,fma.n6,21590,pass,proved,7\n",
}
TABLES = {
    "area-table": [["lcs", "fermi", "338", "3062", "4462", "933", "39.1", "a", "b", "osu018", "same"]],
    "policy-cost-table": [["lcs", "fermi", "386", "6791", "32.8", "lcs", "lcs cta_throttle"]],
    "chip-cost-table": [["fermi", "15", "9879", "230186", "33.6", "sm_governor", "a", "b"]],
    "energy-table": [["sm_governor", "lcs", "pathlong.n3", "131072", "2", "9.06", "1.56", "593800.5", "x45"],
                     ["lcs", "", "pathlong.n3", "131072", "0", "4.4", "0.5", "", "x45"]],
    "saving-table": [["fma", "lcs", "0.5", "0.25", "0.25", "0.0005", "0.2"]],
    "proofs-table": [["lcs", "proved", "full size", "invariant", "12.3"]],
    "rules-table": [["lcs", "proved", "full size", "reset", "LCS-2: 1 <= limit"],
                    ["lcs", "open", "full size", "reset", "LCS-6: T_new > 0"]],
    "gates-table-0": [["lcs", "3062", "338", "fma.n6", "21590", "pass", "proved", "7"]],
}

TRIES = 3  # a browser on a busy machine may end before the script does; a script that fails does so each time

# The page says what it has become: a copy with a script of the test's own, which takes the place of what the page forbids.
SCRIPT = """<script>addEventListener("load", () => {
const all = what => [...document.querySelectorAll(what)], ids = all("[id]").map(e => e.id);
const clean = e => e.textContent.replace(/[\\u202f]/g, "").replace(/\\s+/g, " ").trim();
const sizes = all("svg").map(e => e.getBoundingClientRect());
const page = {
  tables: Object.fromEntries(all("table").map(t => [t.id, [...t.rows].slice(1).map(row => [...row.cells].map(clean))])),
  texts: all("h1,h2,h3,h4,.kernel>p,.verdict strong").map(e => e.tagName + " " + clean(e)),
  pictures: sizes.length, empty: sizes.filter(s => s.width < 200 || s.height < 100).length,
  curves: Math.min(...all("svg").map(e => [...e.querySelectorAll("path")].map(p => (p.getAttribute("d") || "").split("M").length - 1)
    .reduce((a, b) => a + b, 0))),
  bars: all("#dispatch svg").map(e => [...e.querySelectorAll("path[fill]")].map(p => p.getAttribute("d").split("h-").length - 1)
    .reduce((a, b) => a + b, 0)),
  banner: all(".verdict .evidence li").map(e => [e.querySelector("a").hash, clean(e)]),
  costs: all("#costs svg g[fill] > text").map(clean),
  overflow: document.documentElement.scrollWidth - innerWidth,
  fetched: performance.getEntriesByType("resource").length,
  twice: ids.length - new Set(ids).size,
  dangling: all("a[href]").filter(a => !document.getElementById(a.hash.slice(1))).length,
  bare: all("table").filter(t => !t.caption || !t.querySelector("th[scope]")).length};
document.body.innerHTML = ""; const pre = document.createElement("pre");
pre.textContent = "PROBE" + JSON.stringify(page) + "END"; document.body.append(pre); });</script>"""

# Whatever would reach out of the page; for scripts there is driven.wrong_scripts.
REFERENCES = (r"""(?i)(?:src|href|srcset|poster|action|data)=["'][^#"'][^"']*|url\(["']?[^#"')][^)]*|@import"""
              r"|<(?:link|iframe|object|embed|img|base)\b")

# What is planted behind which words of the page: pattern, replacement; words of the complaint.
FAULTS = [
    ("a share of the breakdown", 'id="k0-stalls"', r'(<td class="n">\d+\.)(\d)</td>', r"\1\2\2</td>", "k0-stalls: page"),
    ("a replay's cycles", 'id="replays-table"', "(<td class=\"n\">)(\\d+\u202f)", r"\g<1>1\2", "replays-table: page"),
    ("the verdict's count", "", r"<strong>(\d)", r"<strong>9\1", "the verdict is not"),
    ("a state in the banner", 'class="evidence"', r"<b class=\"\w+\">\w+</b>", '<b class="pass">certain</b>', "the banner and evidence.csv"),
    ("a link of the banner", 'class="evidence"', r'href="#proofs"', 'href="#area"', "the banner and evidence.csv"),
    ("a commit", 'id="evidence-table"', r"(<td>)[0-9a-f]{8}", r"\g<1>fffffff0", "evidence-table: page"),
    ("a pass over the kernel", 'id="k0-policies"', r" \(pass\u00a0\d+\)", "", "k0-policies: page"),
    ("the cycle of a decision", 'id="k0-perfsat-moves"', r'(class="moved"><td class="n">1</td><td class="n">)', r"\g<1>7",
     "hotspot perfsat: other moves"),
    ("a CTA on another SM", 'id="dispatch-1-table"', r"(<td class=\"w\"> 0) ", r"\g<1> 1 ", "dispatch-1-table: page"),
    ("a bar that is missing", 'id="dispatch-2"', r'(<path fill="#[0-9A-F]+" d=")M[^z]*z', r"\1", "CTAs in the pictures of dispatch"),
    ("a cost", 'id="costs"', r'">-?(\d+)\.(\d)</text></g>', r'">7\1.\2</text></g>', "costs: page"),
    ("a kernel's regret that is missing", 'id="k1-regret"', r"(?s)<svg.*?</svg>", "", "pictures instead of"),
    ("a name that is markup", "", r"<h2>Kernel hot&lt;i&gt;", "<h2>Kernel hot<i>", "no heading"),
    ("a picture from elsewhere", "", "</main>", '<img src="http://example.org/x.png" alt="x"></main>', "example.org"),
    ("a second script", "", "</main>", "<script>0</script></main>", "other scripts than its own"),
    ("a script of an attribute", "", "<main>", '<main onclick="0">', "more of a script"),
    ("a changed script", "", '"use strict";', "", "other scripts than its own"),
    ("another script that may run", "", "script-src 'sha256-", "script-src 'unsafe-inline' 'sha256-", "without its checksum"),
    ("something too wide", "", "</main>", '<div style="width:900px">x</div></main>', "pixels wider"),
    ("a picture without a size", "", '<svg role="img"', '<svg role="img" style="height:0"', "pictures without a size"),
]

# What is damaged: in a line of a file (0: in all) a pattern that is replaced; words of the refusal. test_report_data.c damages
# the rest of the run's files.
DAMAGES = [
    ("a limit above Nmax", "policies.csv", (2, "^hotspot,3,3,3,3,", "hotspot,3,3,3,99,"), "policies.csv: line 2"),
    ("a prediction", "model.csv", (2, r"0\.", "zero."), "model.csv: line 2"),
    ("a list of CTAs", "hotspot.bcs.ctas.csv", (3, "^[0-9]+,", "x,"), "hotspot.bcs.ctas.csv: line 3"),
    ("a list that is named elsewhere", "dispatch.csv", (2, "^hotspot", "../hotspot"), "dispatch.csv: line 2"),
    ("area", "build/area/area.csv", (2, ",338,", ",many,"), "area.csv: line 2"),
    ("energy", "build/energy/energy.csv", (2, ",131072,", ",many,"), "energy.csv: line 2"),
    ("the cost of a policy", "build/area/policies.csv", (1, "slowest", "other"), "policies.csv"),
    ("the cost of a chip", "build/area/chips.csv", (2, ",9879,", ",,x"), "chips.csv: line 2"),
    ("proofs", "build/formal/status.json", (0, '"blocks"', '"block"'), "status.json"),
    ("a proof", "build/formal/status.json", (0, '"status"', '"state"'), "status.json"),
    ("netlists", "build/gates/fermi/gates.csv", (1, "lockstep", "step"), "gates.csv"),
]


CHIPS = {"chip_governor": {"sm_governor", "vf_vote", "vf_domain"}, "ballast_chip": {"ballast_regs", "mcke"}}  # whose parts decide


class Report:
    """A run, its files and its page."""

    def __init__(self, test: Planted):
        self.test, self.ballast = test, test.build / "ballast"
        self.built, self.manifest = test.work / "build", test.work / "manifest.csv"
        self.page = test.out / "report.html"

    def make_run(self) -> None:
        # Long paths, which must not be cut short.
        vectors = "../" * 8 + str(Path("vectors").resolve())
        with open(self.manifest, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["file", "kernel", "program"])
            rows.writerows([f"{vectors}/hotspot.n{n}.blt", kernel, words] for kernel, words in KERNELS.items() for n in (1, 2, 8))
        for n in (1, 2, 8):  # beside the manifest, where the page looks for what 'make waves' may play
            (self.test.work / f"hotspot.n{n}.blt").symlink_to(Path(f"vectors/hotspot.n{n}.blt").resolve())
        for name, text in BUILT.items():
            (self.built / name).parent.mkdir(parents=True, exist_ok=True)
            (self.built / name).write_text(text)
        with self.test.case("the run passes and writes its page"):
            self.test.command(0, self.ballast, "run", "--out", self.test.out, "--build", self.built, self.manifest)
        expect(self.page.is_file(), "without a page there is nothing to test")

    def shown(self) -> None:
        """For each block that has a run to itself to look at: that it decides something there."""
        logs = sorted(self.test.out.glob("shown.*.model.jsonl"))
        with self.test.case("the waveforms to look at: a run for each block"):
            expect(len(logs) >= 17, f"{len(logs)} runs")
        for log in logs:
            block = log.name.split(".")[1]
            with self.test.case(f"{block}: its run to look at has decisions of its own, and its view"):
                told = {one["block"] for one in map(json.loads, log.read_text().splitlines())}
                expect(CHIPS.get(block, {block}) <= told, f"only of {sorted(told)}")
                expect((self.test.out / f"{block}.gtkw").is_file(), "no view")

    def remake(self, status: int, out: Path, built: Path, env: dict[str, str] | None = None) -> None:
        self.test.command(status, self.ballast, "report", "--out", out, "--build", built, env=env)

    def rows(self, name: str, kernel: str = "") -> list[dict[str, str]]:
        """Of a CSV file of the run: all rows, or those of a kernel."""
        with open(self.test.out / name, encoding="utf-8") as file:
            return [row for row in csv.DictReader(file) if kernel in ("", row.get("kernel"))]

    def browse(self, *arguments: str) -> str:
        try:
            return run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                        "--no-first-run", "--disable-background-networking", f"--user-data-dir={self.test.work}/profile",
                        *arguments], seconds=30).stdout
        except ToolFailed as failure:
            raise AssertionError(f"the browser shows nothing: {failure}") from None

    def probe(self, page: Path, width: int, script: str = SCRIPT, *more: str) -> dict:
        copy = self.test.work / "probe.html"
        lines = [line for line in page.read_text().split("\n") if 'http-equiv="Content-Security-Policy"' not in line]
        copy.write_text("\n".join([*lines, script]))
        for _ in range(TRIES):
            dom = self.browse(*more, f"--window-size={width},900", "--virtual-time-budget=5000", "--dump-dom", f"file://{copy}")
            found = re.search("PROBE({.*})END</pre>", dom, re.DOTALL)
            if found:
                return json.loads(html.unescape(found[1]))
        raise AssertionError("the browser shows nothing, or the script fails")

    # ---- what must be on the page ------------------------------------------------------------------

    def tables(self) -> dict[str, list[list[str]]]:
        policies = self.rows("policies.csv")
        names = [name for name in TITLES if name not in CHIP]

        def when(row: dict[str, str], name: str) -> str:
            passes = int(row[f"{name}_pass"])
            later = f" (pass {passes})" if passes > 1 else ""
            return f"cycle {row[f'{name}_cycle']}{later}" if int(row[f"{name}_settled"]) else "moving"
        tables = {**TABLES, **self.dispatch()}
        tables["replays-table"] = [[*list(row.values())[:8], "" if int(row["converged"]) else "open"]
                                   for row in self.rows("verdicts.csv")]
        tables["overview"] = [
            [row["kernel"], row["nmax"], row["best"], row["model_limit"] if int(row["model_limit"]) else "–",
             *(f"{row[f'{name}_limit']} {row[f'{name}_percent']} % "
               f"{when(row, name)}" for name in names)] for row in policies]
        best = {row["kernel"]: (row["best"], row["model_limit"]) for row in policies}
        tables["models-table"] = [
            [row["kernel"], row["limit"], row["recorded_ipc"], row["model_ipc"], row["model_cycles"],
             f"{float(row['model_watts']):.1f}", f"{1000 * float(row['model_joules']):.3f}",
             " ".join(words for words, limit in zip(("best recorded", "best by the model"), best[row["kernel"]], strict=True)
                      if limit == row["limit"])] for row in self.rows("model.csv")]
        tables["evidence-table"] = [[one["item"].removesuffix("_ge").capitalize(), one["state"], one["finished"] or "–", one["commit"] or "–", one["words"], one["page"]]
                                    for one in self.rows("evidence.csv")]
        for k, (kernel, row) in enumerate(zip(KERNELS, policies, strict=True)):
            tables[f"k{k}-policies"] = [
                [TITLES[one["run"]], row[f"{one['run']}_limit"], row[f"{one['run']}_percent"],
                 when(row, one["run"]), one["moves"], one["last_limit"],
                 one["cycles"]] for one in self.rows("runs.csv", kernel) if one["scope"] == "sm0"]
            tables[f"k{k}-stalls"] = self.stalls(kernel, row["best"])
        return tables

    def banner(self) -> list[list[str]]:
        """A line for each item, with the part of the page that it leads to."""
        parts = ("replays", "proofs", "evidence-mutation", "evidence-coverage", "area")
        return [[f"#{part}", f"{one['item'].removesuffix('_ge').capitalize()} {one['state']} {one['finished'] or 'date not known'}{', ' * bool(one['commit'])}{one['commit']}"]
                for part, one in zip(parts, self.rows("evidence.csv"), strict=True)]

    def costs(self) -> list[str]:
        """Row by row, with mean and worst; then the key."""
        rows = {(row["kernel"], row["policy"]): float(row["cost"]) for row in self.rows("regret.csv")}
        cells = []
        for policy in ("oracle", *(name for name in TITLES if name not in CHIP)):
            costs = [rows[kernel, policy] for kernel in KERNELS]
            cells += [f"{cost:.1f}".replace("-0.0", "0.0") for cost in (*costs, sum(costs) / len(costs), max(costs))]
        return [*cells, "0", "5", "20", "50", "100 or more"]

    def wrong_regret(self, kernel: str) -> list[str]:
        """What was lost by the end of the first launch is in both files, and makes the cost; the fixed limit of static loses in no segment."""
        points, (first, *rows) = self.rows(f"{kernel}.regret.csv"), self.rows("regret.csv", kernel)
        numbers = list(map(int, (self.test.out / f"{kernel}.oracle.dat").read_text().split()))
        cycles, wrong = numbers[::2], [f"{kernel}: {numbers}"] * (not set(numbers[1::2]) <= {1, 2, 3})
        for row in rows:
            lost = [int(point["regret"]) for point in points if point["policy"] == row["policy"]]
            cost = (100 + float(row["regret"])) * (100 + float(first["cost"])) / 100 - 100
            if row["regret"] != f"{100 * lost[SEGMENTS - 1] / cycles[-1]:.1f}" or abs(cost - float(row["cost"])) > 0.2 or \
                    (row["policy"] == "static" and lost != sorted([0, *lost])[1:]):
                wrong.append(f"{kernel} {row['policy']}: {row}, {lost}")
        return wrong

    def dispatch(self) -> dict[str, list[list[str]]]:
        """Of every list: the CTAs of each SM in the order of their launches."""
        tables = {}
        for n, name in enumerate(DISPATCH):
            rows = sorted(self.rows(f"hotspot.{name}.ctas.csv"), key=lambda row: (int(row["start"]), int(row["slot"])))
            tables[f"dispatch-{n}-table"] = [[str(sm), " ".join(row["cta"] for row in rows if row["sm"] == str(sm))] for sm in range(15)]
        return tables

    def stalls(self, kernel: str, best: str) -> list[list[str]]:
        rows = [[int(value) for value in list(row.values())[1:]] for row in self.rows("stalls.csv", kernel)]
        most = max(instructions / cycles for _, cycles, instructions, *_ in rows)
        return [[f"{limit} best" if str(limit) == best else str(limit), f"{instructions / cycles:.3f}",
                 f"{100 * (instructions / cycles) / most:.1f}", *(f"{100 * part / cycles:.1f}" for part in parts), str(cycles)]
                for limit, cycles, instructions, *parts in rows]

    def wrong_decisions(self, page: dict, k: int, kernel: str, name: str) -> list[str]:
        """Number, cycle and rule of every decision that moved something, as many as are shown, and the heading's counts."""
        scope, key, what = ("chip", "level", "a VF level") if name in CHIP else ("sm0", "limit", "the limit")
        log = (self.test.out / f"{kernel}.{name}.{scope}.model.jsonl").read_text()
        decisions = [json.loads(line) for line in log.splitlines()]
        moves = [one for one in decisions if one["event"] != "kernel_start" and one["before"].get(key) is not None
                 and one["before"][key] != one["after"].get(key)]
        shown = page["tables"].get(f"k{k}-{name}-moves", [])
        wrong = [f"'{move['words']}' is not there" for move in moves[:SHOWN] if not any(move["words"] in row[2] for row in shown)]
        if [(row[1], row[4]) for row in shown] != [(str(move["cycle"]), move["rule"]) for move in moves[:SHOWN]]:
            wrong.append("other moves than in its log")
        if f"H4 {TITLES[name]}: {len(moves)} of {len(decisions)} decisions moved {what}" not in page["texts"]:
            wrong.append("the heading counts otherwise")
        told = [int(row["moves"]) for row in self.rows("runs.csv", kernel) if row["run"] == name]
        if name not in CHIP and told != [len(moves)]:
            wrong.append("as many decisions moved the limit as it has moved? log and track differ")
        return [f"{kernel} {name}: {words}" for words in wrong]

    def wrong_numbers(self, page: dict) -> list[str]:
        wrong = []
        for name, rows in self.tables().items():
            shown = page["tables"].get(name, [])
            if not rows or shown != rows:
                differ = next((pair for pair in zip(shown, rows, strict=False) if pair[0] != pair[1]), (len(shown), len(rows)))
                wrong.append(f"{name}: page and files differ: {differ}")
        verdicts = [row["verdict"] for row in self.rows("verdicts.csv")]
        if len(verdicts) <= 10 or set(verdicts) != {"pass"}:
            wrong.append(f"the run itself: {verdicts}")
        if f"STRONG {len(verdicts)} replays, all equal." not in page["texts"]:
            wrong.append(f"the verdict is not '{len(verdicts)} replays, all equal.'")
        if "<summary>Rules of the papers, proved of the RTL: 1 of 2</summary>" not in self.page.read_text():
            wrong.append("the rules are not counted")
        if page["banner"] != self.banner():
            wrong.append(f"the banner and evidence.csv differ: {page['banner']}, {self.banner()}")
        if page["costs"] != self.costs():
            wrong.append(f"costs: page and files differ: {page['costs']}, {self.costs()}")
        for k, (kernel, words) in enumerate(KERNELS.items()):
            wrong += self.wrong_regret(kernel)
            if f"H2 Kernel {kernel}" not in page["texts"]:
                wrong.append(f"no heading 'Kernel {kernel}'")
            if not any(text.startswith(f"P {words}. An SM") for text in page["texts"]):
                wrong.append(f"'{words}' is not there")
            for name in TITLES:
                wrong += self.wrong_decisions(page, k, kernel, name)
        return wrong

    def problems(self, path: Path, width: int) -> str:
        """All that is wrong with a page."""
        page = self.probe(path, width)
        measures = {
            f"{page['pictures']} pictures instead of {PICTURES + DRAWN}": page["pictures"] != PICTURES + DRAWN,
            f"{page['bars']} CTAs in the pictures of dispatch": page["bars"] != [256] * len(DISPATCH),
            f"{page['empty']} pictures without a size": page["empty"],
            f"a picture with {page['curves']} lines": page["curves"] <= 10,
            f"{page['overflow']} pixels wider than the window": page["overflow"] > 0,
            f"{page['fetched']} files fetched": page["fetched"],
            f"{page['twice']} ids are there twice": page["twice"],
            f"{page['dangling']} links lead nowhere": page["dangling"],
            f"{page['bare']} tables without caption or heads": page["bare"],
            "not one heading of the first level": sum(text.startswith("H1 ") for text in page["texts"]) != 1,
        }
        return "\n".join([*(words for words, wrong in measures.items() if wrong), *self.wrong_numbers(page),
                          *driven.wrong_scripts(path.read_text(), Path("sim/report/script.js").read_text()),
                          *re.findall(REFERENCES, path.read_text())])

    def accessible(self, path: Path, width: int, dark: bool) -> str:
        """All that is wrong with a page for those who do not see it as others do."""
        try:
            found = self.probe(path, width, accessible.SCRIPT, f"--blink-settings=preferredColorScheme={int(not dark)}")
        except AssertionError as failure:
            return str(failure)
        return "\n".join(accessible.problems(found, width))

    def driven(self, path: Path, width: int) -> str:
        """All that is wrong with a page that is used."""
        try:
            done = self.probe(path, width, driven.SCRIPT)
        except AssertionError as failure:
            return str(failure)
        return "\n".join(driven.problems(done, self.test.out, "hotspot", len(KERNELS), self.manifest.parent))


# ---- the page as it is -----------------------------------------------------------------------------

def remade(test: Planted, report: Report) -> None:
    before = report.page.read_text()
    with test.case("ballast report writes the same page again"):
        report.remake(0, test.out, report.built)
        expect(report.page.read_text() == before, "another page")
    empty = test.work / "empty"
    empty.mkdir()
    with test.case("without area, gates and proofs"):
        report.remake(0, test.out, empty)
        page = report.page.read_text()
        expect("make area" in page and "make energy" in page, "no word on make area or make energy")
        expect(not re.search('id="(proofs|gates|area|policy-cost|chip-cost|energy|saving)-table', page), "tables from nowhere")
        expect(all(f'id="{part}"' in page for part in ("proofs", "gates", "area")), "a link that leads nowhere")
    with test.case("without the script that looks: nothing is known, and nothing of an earlier look is left"):
        report.remake(0, test.out, report.built, env={"PATH": str(empty)})
        page = report.page.read_text()
        expect(page.count('<b class="soft">unknown</b>') == 5, "another state")
        expect(not (test.out / "evidence.csv").exists(), "evidence.csv is left")
    with test.case("without gnuplot"):
        report.remake(0, test.out, report.built, env={"PATH": str(empty)})
        page = report.page.read_text()
        expect(page.count("No picture: gnuplot") >= PICTURES, "does not say so")
        expect(page.count("<svg") == DRAWN, "other pictures than those that need no gnuplot")
    report.remake(0, test.out, report.built)


def a_mismatch(test: Planted, report: Report) -> None:
    with test.case("a run that fails: which replays, and where"):
        plain, out = test.work / "plain.csv", test.work / "differs"
        plain.write_text("".join(report.manifest.read_text().splitlines(keepends=True)[:4]))
        # Of a chip there is no such register: the fault is refused, which is the worse status.
        test.command(3, report.ballast, "run", "--out", out, "--inject", "rtl:perfsat.limit_q[0]@5000", plain)
        page = (out / "report.html").read_text()
        replays = len((out / "verdicts.csv").read_text().splitlines()) - 1
        for pattern in ('<section class="verdict bad"', rf"\d+ of {replays} replays did not pass",
                        r"MISMATCH in perfsat on SM0, cycle 5001 \(cycle 5000 of the run\)\. First: register limit_q"):
            expect(re.search(pattern, page), f"no {pattern}")


def numbers_and_faults(test: Planted, report: Report) -> None:
    for width in (390, 1200):
        with test.case(f"numbers, references and layout at {width} pixels"):
            expect(not (wrong := report.problems(report.page, width)), wrong)
    page = report.page.read_text()
    for name, behind, pattern, replacement, words in some(FAULTS, 8):
        with test.case(f"planted: {name}"):
            at = page.index(behind)
            fault = test.work / "fault.html"
            fault.write_text(page[:at] + re.sub(pattern, replacement, page[at:], count=1))
            expect(fault.read_text() != page, "nothing was changed")
            expect(words in (found := report.problems(fault, 390)), f"not found; instead: {found}")


def used(test: Planted, report: Report) -> None:
    with test.case("the page lets its script run"):
        expect('class="scripted"' in report.browse("--dump-dom", f"file://{report.page}"), "it does not")
    for width in (390, 1200):
        with test.case(f"search, switches, limits and commands at {width} pixels"):
            expect(not (wrong := report.driven(report.page, width)), wrong)
    page = report.page.read_text()
    for name, text, replacement, words in some(driven.FAULTS, 6):
        with test.case(f"planted: {name}"):
            fault = test.work / "fault.html"
            expect(text in page, "nothing was changed")
            fault.write_text(page.replace(text, replacement, 1))
            expect(words in (found := report.driven(fault, 1200)), f"not found; instead: {found}")


def for_everybody(test: Planted, report: Report) -> None:
    for width in (390, 1200):
        for dark in (False, True):
            with test.case(f"headings, names, contrast, keys at {width} pixels, {'dark' if dark else 'light'}"):
                expect(not (wrong := report.accessible(report.page, width, dark)), wrong)
    page = report.page.read_text()
    for name, text, replacement, words in some(accessible.FAULTS, 4):
        with test.case(f"planted: {name}"):
            fault = test.work / "fault.html"
            expect(text in page, "nothing was changed")
            fault.write_text(page.replace(text, replacement))
            expect(words in (found := report.accessible(fault, 390, False)), f"not found; instead: {found}")


def looks(test: Planted, report: Report) -> None:
    for scheme, dark in (("light", False), ("dark", True)):
        for width in (1200, 390):
            with test.case(f"screenshot: {scheme}-{width}"):
                picture = test.work / f"{scheme}-{width}.png"
                report.browse(f"--window-size={width},1400", f"--blink-settings=preferredColorScheme={int(not dark)}",
                              f"--screenshot={picture}", f"file://{report.page}")
                colors, mean = map(int, run(["convert", picture, "-format", "%k %[fx:int(100*mean)]", "info:"]).stdout.split())
                expect(colors > 60, f"only {colors} colours")
                expect(mean < 30 if dark else mean > 70, f"brightness {mean} %")
    with test.case("print: some pages"):
        pdf = test.work / "report.pdf"
        report.browse("--no-pdf-header-footer", f"--print-to-pdf={pdf}", f"file://{report.page}")
        pages = len(re.findall(rb"/Type */Page\b", pdf.read_bytes()))
        expect(pages >= 4, f"{pages} pages")


# ---- damage ----------------------------------------------------------------------------------------

def edit(path: Path, line: int, pattern: str, replacement: str) -> None:
    lines = path.read_text().splitlines()
    wanted = range(len(lines)) if line == 0 else [line - 1]
    changed = [re.sub(pattern, replacement, text, count=1) if n in wanted else text for n, text in enumerate(lines)]
    expect(changed != lines, "nothing was changed")
    path.write_text("\n".join(changed) + "\n")


def damage(test: Planted, report: Report) -> None:
    bad = test.work / "bad"
    for name, file, change, words in DAMAGES:
        with test.case(f"damaged: {name}"):
            shutil.rmtree(bad, ignore_errors=True)
            shutil.copytree(test.out, bad, ignore=shutil.ignore_patterns("*.fst"))
            shutil.copytree(report.built, bad / "build")
            edit(bad / file, *change)
            report.remake(3, bad, bad / "build")
            test.one_line(re.escape(words))
            expect((bad / "report.html").read_text() == report.page.read_text(), "another page")
            expect(not (bad / "report.html.tmp").exists(), "a half-written page is left")


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("test_report.py: name the build folder")
    with Planted("", sys.argv[1]) as test:
        need("chromium", "convert", "gnuplot")
        report = Report(test)
        report.make_run()
        report.shown()
        for part in (remade, a_mismatch, numbers_and_faults, used, for_everybody, looks, damage):
            part(test, report)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
