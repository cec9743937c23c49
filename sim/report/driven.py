# SPDX-License-Identifier: Apache-2.0
"""What test_report.py does with a page in a browser that runs scripts: it types, points, presses keys and buttons, and holds what then is there
against the run's files."""
from __future__ import annotations

import base64
import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path

LEFT, PLOT, LEAST_SHOWN = 190, 740, 60  # of the pictures; decisions that a table shows
HOVERED = 0.37  # of a lane
WORDS = "ps-8"
STEPPED = "scout"  # moves its limit more than once there
NAMES = ("static", "perfsat", "lcs", "equalizer", "dyncta", "scout", "performance", "energy")
LEVELS = ("low", "normal", "high")

# Everything is done with the first kernel.
SCRIPT = """<script>addEventListener("load", async () => {
const all = (what, where = document) => [...where.querySelectorAll(what)], one = what => document.querySelector(what);
const clean = e => e.textContent.replace(/\\u202f/g, "").replace(/\\s+/g, " ").trim();
const rows = () => all("[id$=-moves] tbody tr,[id$=-others] tbody tr,#replays-table tbody tr,#proofs-table tbody tr,#rules-table tbody tr," +
                       "#area-table tbody tr,[id^=gates-table] tbody tr");
const seen = () => rows().filter(row => row.checkVisibility()).map(row => row.closest("table").id);
const open = () => all("main details").filter(e => e.open).length;
const press = (e, key) => e.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const type = words => { one("#search").value = words; one("#search").dispatchEvent(new Event("input")); };
const flip = name => { const box = all(".switches label").find(e => clean(e) === name).querySelector("input"); box.focus(); box.click(); };
const done = {rows: rows().length, closed: open(), found: {}};
type("PS-8"); done.search = seen(); done.left = clean(one("#left"));
type("no such words"); done.none = seen().length; done.nothing = clean(one("#left"));
type("PS-6"); done.folded = seen(); type(""); done.cleared = [rows().filter(row => row.closest("[data-lost]")).length, open(), clean(one("#left"))];

done.hover = all("#k0-limits .lane").map(lane => { const box = lane.getBoundingClientRect();
  lane.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + %HOVERED% * box.width, clientY: box.top + 5}));
  const shown = {run: lane.dataset.run, tip: clean(one(".tip")), seen: one(".tip").checkVisibility(), now: Number(lane.getAttribute("aria-valuenow")),
                 last: Number(lane.getAttribute("aria-valuemax")), text: lane.getAttribute("aria-valuetext").replace(/\\u202f/g, ""),
                 label: lane.getAttribute("aria-label")};
  lane.dispatchEvent(new PointerEvent("pointerleave"));
  return {...shown, gone: !one(".tip").checkVisibility()}; });
const lane = one("#k0-limits .lane[data-run=%STEPPED%]"); lane.focus(); done.stops = [];
for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End"]) {
  press(lane, key); done.stops.push(Number(lane.getAttribute("aria-valuenow"))); }
done.tipByKey = one(".tip").checkVisibility(); press(lane, "Escape"); done.tipAfterEscape = one(".tip").checkVisibility();

const buttons = all("#k0 .zoom button"), near = e => Number(e.getAttribute("x"));
const picture = () => { const drawn = one("#k0 .drawn"), texts = drawn ? all(":scope>text[text-anchor=middle]", drawn) : [];
  return {drawn: Boolean(drawn), whole: one("#k0-limits svg").checkVisibility(), closeUp: Boolean(one("#k0-close")?.checkVisibility()), told: clean(one("#k0 .zoom output")),
          axis: texts.filter(e => /^[0-9]+$/.test(clean(e))).map(e => [near(e), Number(clean(e))]),
          lanes: drawn ? all("svg", drawn).map(e => e.querySelector("path").getAttribute("d")) : [],
          max: Number(one("#k0-limits .lane").getAttribute("aria-valuemax"))}; };
done.names = buttons.map(e => e.getAttribute("aria-label"));
done.before = picture(); buttons[0].click(); buttons[2].click(); buttons[2].click(); done.enlarged = picture();
buttons[3].click(); done.later = picture().told; buttons[4].click(); done.whole = picture();
const box = lane.getBoundingClientRect();
const wheel = ctrlKey => !lane.dispatchEvent(new WheelEvent("wheel", {ctrlKey, deltaY: -1, clientX: box.left, cancelable: true}));
done.scrolls = [wheel(false), picture().told]; done.wheel = [wheel(true), picture().told];
lane.dispatchEvent(new PointerEvent("pointermove", {buttons: 1, movementX: -box.width / 4, clientX: box.left}));
done.dragged = picture().told; buttons[4].click();

const runs = () => all("#k0 .run").filter(e => e.checkVisibility()).map(e => e.dataset.run);
const heads = () => all("#overview thead th").filter(e => e.checkVisibility()).map(clean);
const keyed = () => all("#k0-policies tbody th").filter(e => e.checkVisibility()).map(clean);
const covers = () => all("#k0-limits .cover").filter(e => e.checkVisibility()).map(e => e.dataset.run);
const state = () => ({runs: runs(), heads: heads(), keyed: keyed(), covers: covers(), kernels: all(".kernel").filter(e => e.checkVisibility()).length,
                      links: all('nav a[href="#k1"]').filter(e => e.checkVisibility()).length, rows: all("#overview tbody tr").filter(e => e.checkVisibility()).length});
done.on = state(); const second = clean(one('nav a[href="#k1"]')); flip("Perf-Sat"); flip(second); done.off = state();
type("PS-8"); done.searchOff = seen().length; type(""); flip("Perf-Sat"); flip(second); done.again = state();

const button = one("#k0-perfsat-moves .g button"); button.click(); await new Promise(after => setTimeout(after, 100));
done.command = clean(one(".told code")); done.toldSeen = one(".told").checkVisibility(); done.title = button.title;
done.others = all("#k1 .g button").length; done.bare = all("button,input").filter(e => !clean(e) && !e.labels?.length && !e.ariaLabel).length;
document.body.innerHTML = ""; const pre = document.createElement("pre");
pre.textContent = "PROBE" + JSON.stringify(done) + "END"; document.body.append(pre); });</script>""".replace("%HOVERED%", str(HOVERED)).replace("%STEPPED%", STEPPED)

# What is planted in the page's script or data; words of the complaint.
FAULTS = [
    ("a search that hides nothing", "const here = text.includes(words);", "const here = true;", "search: "),
    ("a search that counts all", "found += here;", "found += 1;", "search: says"),
    ("a search that leaves tables open", "fold.open = false;", "", "search: cleared"),
    ("a tip with another cycle", "const words = `cycle ${spaced(at)}", "const words = `cycle ${spaced(at + 1)}", "hover: "),
    ("a tip with a later decision", "rows.filter(row => row.cycle <= cycle).pop()", "rows.find(row => row.cycle >= cycle)", "hover: "),
    ("a tip that is only for the mouse", 'slider.setAttribute(`aria-${name}`, value);', "if (name !== 'valuetext') slider.setAttribute(`aria-${name}`, value);",
     "the script fails"),
    ("a tip that stays", "tip.hidden = true;\n  }\n\n  // Arrows", "}\n\n  // Arrows", "hover: "),
    ("a track that is not the run's", 'data-track="2 ', 'data-track="2 8" data-old="', "hover: "),
    ("an arrow that goes elsewhere", 'case "ArrowRight": return stops.find(', 'case "ArrowRight": return stops.findLast(', "keys: "),
    ("an axis with other cycles", 'label(x(cycle), bottom + 22, "middle", spaced(cycle))', 'label(x(cycle), bottom + 22, "middle", spaced(cycle + 700))', "zoom: axis"),
    ("enlarged steps in another place", "i ? `H${x(cycle).toFixed(2)}", "i ? `H${x(cycle + 900).toFixed(2)}", "zoom: steps"),
    ("a wheel that always enlarges", "if (!event.ctrlKey)", "if (false)", "zoom: wheel"),
    ("a policy that stays", "part.hidden = !on;", "", "switches: off"),
    ("a lane that stays", "cover.hidden = on;", "", "switches: off"),
    ("a kernel that stays", "section.hidden = !on;", "", "switches: off"),
    ("a window after the decision", "Math.max(0, cycle - before)", "cycle", "waveform: "),
]


def wrong_scripts(page: str, script: str) -> list[str]:
    """One script, the page's own, which the page lets run, and nothing else that could; no control that needs it."""
    found, rest = re.findall("(?s)<script>(.*?)</script>", page), re.sub("(?s)<script>.*?</script>", "", page)
    checksum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    wrong = {"other scripts than its own": found != [script], "a script without its checksum": f"script-src 'sha256-{checksum}'\">" not in page,
             "more of a script": re.search(r"(?i)<script|javascript:|<[^>]*\son[a-z]+=", rest), "controls without scripts": re.search("<(button|input)", rest)}
    return [words for words, is_so in wrong.items() if is_so]


class Files:
    """The run's files of the first kernel."""

    def __init__(self, out: Path, kernel: str):
        self.out, self.kernel = out, kernel
        self.logs = {name: [json.loads(text) for text in self._log(name).read_text().splitlines()] for name in NAMES}

    def _log(self, name: str) -> Path:
        return self.out / f"{self.kernel}.{name}.{'chip' if name in NAMES[-2:] else 'sm0'}.model.jsonl"

    def track(self, name: str) -> list[tuple[int, int]]:
        numbers = list(map(int, (self.out / f"{self.kernel}.{name}.dat").read_text().split()))
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def value(self, name: str, cycle: int) -> int:
        track = self.track(name)
        return next((value for at, value in reversed(track) if at <= cycle), track[0][1])

    def state(self, name: str, cycle: int) -> str:
        if name in NAMES[-2:]:
            return f"SMs {LEVELS[self.value(f'{name}.sm', cycle)]}, memory {LEVELS[self.value(f'{name}.mem', cycle)]}"
        return f"limit {self.value(name, cycle)}"

    def moves(self, name: str) -> list[dict]:
        key = "level" if name in NAMES[-2:] else "limit"
        return [one for one in self.logs[name] if one["event"] != "kernel_start" and one["before"].get(key) is not None
                and one["before"][key] != one["after"].get(key)]

    def decision(self, name: str, cycle: int) -> str:
        """What the tip has to say of the last decision that moved something, or else of the last one that is shown."""
        moves = self.moves(name)
        numbers = [n for n, one in enumerate(moves) if one["cycle"] <= cycle]
        if numbers:
            last = moves[numbers[-1]]
            return f"Decision {numbers[-1] + 1} in cycle {last['cycle']}, rule {last['rule']}:"
        last = [one for one in [one for one in self.logs[name] if one not in moves][:40] if one["cycle"] <= cycle][-1]
        return f"Decided in cycle {last['cycle']}, rule {last['rule']}: {last['words']}"


def wrong_search(done: dict, files: Files, kernels: int) -> list[str]:
    rows = sum(one["rule"].lower() == WORDS for one in files.logs["perfsat"])
    found, wrong = done["search"], []
    if not rows or len(found) != kernels * rows or any("-perfsat-" not in table for table in found):
        wrong.append(f"search: {found} instead of {kernels} times {rows} rows of Perf-Sat")
    if done["left"] != f"{kernels * rows} of {done['rows']} rows" or done["nothing"] != f"0 of {done['rows']} rows":
        wrong.append(f"search: says '{done['left']}', '{done['nothing']}' of {done['rows']}")
    if len(done["folded"]) != kernels or any(not table.endswith("-perfsat-others") for table in done["folded"]):
        wrong.append(f"search: in tables that are folded: {done['folded']}")
    if done["none"] or done["cleared"] != [0, done["closed"], ""]:
        wrong.append(f"search: cleared: {done['none']}, {done['cleared']}, {done['closed']} open before")
    return wrong


def wrong_hover(done: dict, files: Files) -> list[str]:
    wrong = []
    for lane in done["hover"]:
        name, now = lane["run"], lane["now"]
        track = files.track(f"{name}.sm" if name in NAMES[-2:] else name)
        state = files.state(name, now)
        watched = now <= track[-1][0]
        text = f"cycle {now}: {state}" if watched or "which stays" in lane["tip"] else f"cycle {now}: "
        right = abs(now - HOVERED * lane["last"]) < 0.01 * lane["last"] and lane["label"] and lane["seen"] and lane["gone"]
        if not right or text not in lane["tip"] or files.decision(name, now) not in lane["tip"] or text not in lane["text"] \
                or (not watched and "not watched any more" not in lane["tip"]):
            wrong.append(f"hover: {lane} instead of {text}; {files.decision(name, now)}")
    if [lane["run"] for lane in done["hover"]] != list(NAMES):
        wrong.append("hover: not every lane")
    first, second = [one["cycle"] for one in files.moves(STEPPED)][:2]
    if done["stops"] != [0, first, second, first, done["before"]["max"]] or not done["tipByKey"] or done["tipAfterEscape"]:
        wrong.append(f"keys: {done['stops']} instead of {first}, {second}; tip {done['tipByKey']}, {done['tipAfterEscape']}")
    return wrong


def wrong_zoom(done: dict, files: Files) -> list[str]:
    """Enlarged once and moved to the beginning: the first half, with its cycles at the right places."""
    last, enlarged, wrong = done["before"]["max"], done["enlarged"], []
    half = round(last / 2)
    # To the nearest cycle, twice.
    to = int(enlarged["told"].split()[-1])
    if not enlarged["drawn"] or enlarged["whole"] or enlarged["closeUp"] or enlarged["told"] != f"Cycles 0 to {to}" or abs(to - half) > 1:
        wrong.append(f"zoom: {enlarged['told']} of {last}")
    if len(enlarged["axis"]) < 4 or any(abs(at - LEFT - PLOT * cycle / to) > 0.02 for at, cycle in enlarged["axis"]):
        wrong.append(f"zoom: axis {enlarged['axis']} up to {to}")
    at = [float(text) for text in re.findall(r"[MH]([-\d.]+)", (enlarged["lanes"] or ["", ""])[1])]
    cycles = [cycle for cycle, _ in files.track("perfsat")]
    if len(at) != len(cycles) or any(abs(x - PLOT * cycle / to) > 0.02 for x, cycle in zip(at, cycles, strict=True)):
        wrong.append(f"zoom: steps at {at}, of cycles {cycles}")
    if done["before"] != done["whole"] or done["before"]["drawn"] or not done["before"]["whole"]:
        wrong.append(f"zoom: the whole run is another one: {done['before']}, {done['whole']}")
    if done["scrolls"] != [False, "The whole run"] or done["wheel"] != [True, f"Cycles 0 to {to}"]:
        wrong.append(f"zoom: wheel: {done['scrolls']}, {done['wheel']}")
    begins = [int(re.findall(r"\d+", text)[0]) for text in (done["wheel"][1] + " 0", done["dragged"] + " 0", done["later"] + " 0")]
    if not all(before < after for before, after in pairwise(begins)) or len(set(done["names"])) != 5:
        wrong.append(f"zoom: dragged: {done['dragged']}, later: {done['later']}")
    return wrong


def wrong_switches(done: dict) -> list[str]:
    on, off, wrong = done["on"], done["off"], []
    wanted = {"runs": [run for run in on["runs"] if run != "perfsat"], "heads": [head for head in on["heads"] if head != "Perf-Sat"],
              "keyed": [head for head in on["keyed"] if head != "Perf-Sat"], "covers": ["perfsat"], "kernels": on["kernels"] - 1, "links": 0,
              "rows": on["rows"] - 1}
    if off != wanted or len(off["runs"]) == len(on["runs"]) or done["searchOff"]:
        wrong.append(f"switches: off: {off} instead of {wanted}; {done['searchOff']} rows of Perf-Sat")
    if done["again"] != on:
        wrong.append("switches: on again is another page")
    return wrong


def wrong_waveform(done: dict, files: Files, folder: Path) -> list[str]:
    cycle = files.moves("perfsat")[0]["cycle"]
    command = f'make waves BLOCK=perfsat TRACE="{folder}/{files.kernel}.n*.blt" FROM={max(0, cycle - 2000)} TO={cycle + 500}'
    if done["command"] != command or done["title"] != command or not done["toldSeen"] or done["others"] or done["bare"]:
        return [f"waveform: '{done['command']}' instead of '{command}'; {done['others']} without recordings, {done['bare']} controls without names"]
    return []


def problems(done: dict, out: Path, kernel: str, kernels: int, folder: Path) -> list[str]:
    files = Files(out, kernel)
    return [*wrong_search(done, files, kernels), *wrong_hover(done, files), *wrong_zoom(done, files), *wrong_switches(done),
            *wrong_waveform(done, files, folder)]
