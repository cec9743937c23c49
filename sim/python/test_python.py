# SPDX-License-Identifier: Apache-2.0
"""The Python package from 'make wheel' to its page: installed, compared with the command and with the reference library, fed what is no good.
Faults are planted in its tables; each has to be found.

  python3 sim/python/test_python.py BUILD_DIR

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tb/flow")]
import blocks
import wheel
from planted import Planted, expect

CHASE = sorted(map(str, Path("vectors").glob("chase.n*.blt")))
PATHFINDER = sorted(map(str, Path("vectors").glob("pathfinder.n*.blt")))
KERNEL = "sim/kernels/recorded/pathlong.kernel"
FAMILY = [f"vectors/pathlong.n{limit}.blt" for limit in (1, 2, 3, 4, 5, 8)]
OLDEST = "python3.9"
RUNS = {"JOB": "1", "PYTHONDONTWRITEBYTECODE": "1"}

# Every block's model beside the reference library's, on random inputs: inputs too large where they are read become 0.
TWINS = """
import random, re, sys
import ballast, ballast_reference
from ballast import _library, model
PLANTED
def word(name, kind):
    name, index = re.fullmatch(r"(.*?)(?:\\[(\\d+)\\])?", name).groups()
    return name + {"in": "_i", "out": "_o", "state": "_q"}[kind], int(index or 0)
def put(m, reference, values, words):
    for name, value in values.items():
        lane = re.fullmatch(r"sm\\[(\\d+)\\]\\.(\\w+)", name)
        port = m.ports["in"][name]
        pin, index = word(lane[2] if lane else name, "in")
        at = int(lane[1]) * port.width if lane else index * 64
        words[pin] = words.get(pin, 0) | value << at
def compare(m, reference, kind, got):
    for name, value in got.items():
        lane, port = re.fullmatch(r"sm\\[(\\d+)\\]\\.(\\w+)", name), m.ports[kind][name]
        if "." in name and kind == "state":
            continue  # a part is a block itself
        pin, index = word(lane[2] if lane else name, kind)
        whole = reference.get(pin) if lane or not index else reference.get(pin, index)
        want = whole >> (int(lane[1]) * port.width if lane else 0) & (1 << port.width) - 1
        assert value == want, f"{m.block}: {name} is {value}, in the reference library {want}"
def cycle(m, reference, draw):
    values = {name: draw.getrandbits(port.width) if draw.random() < .7 else 0 for name, port in m.ports["in"].items()}
    while True:
        try:
            out = m.step(values)
            break
        except ballast.Error as error:
            values[re.match(r"\\w+: (\\S+) is", str(error))[1]] = 0
    words = {}
    put(m, reference, values, words)
    for pin, value in words.items():
        reference.put(pin, value)
    reference.step()
    compare(m, reference, "out", out)
    compare(m, reference, "state", m.state)
ports = 0
for block in BLOCKS:
    m, reference, draw = ballast.Model(block), ballast_reference.Model(block), random.Random(block)
    for pin in reference.pins():
        if not pin.endswith("_q"):
            reference.connect(pin, reference.width(pin))
        else:
            reference._words[pin] = reference._lib.ballast_reference_connect(reference._handle, pin.encode(), reference.width(pin))
    for n in range(CYCLES):
        cycle(m, reference, draw)
    ports += sum(map(len, m.ports.values()))
print(ports, "ports")
"""
# One field further up, in a block's own input, output and register.
PLANTS = [("an input", "in", "ps_class"), ("an output", "out", "limit"), ("a register", "state", "limit")]
PLANT = """
plain = model.Port.__new__
model.Port.__new__ = lambda cls, **f: plain(cls, **{**f, "offset": f["offset"] + (f["kind"] == "%s" and f["name"] == "%s")})
"""

# What is no good, what it is refused with, the words. T is a folder with files that are no good.
HOSTILE = [
    ("no block", "ballast.Model('nonsense')", "UnknownName", "there is no block 'nonsense'"),
    ("no parameter", "ballast.Model('lcs', slots=3)", "UnknownName", "lcs has no parameter 'slots'"),
    ("a parameter too large", "ballast.Model('lcs', num_slots=10 ** 30)", "Error", "64 bits"),
    ("a parameter without a model", "ballast.Model('lcs', num_slots=999)", "Error", "no model for these parameters"),
    ("a model that is copied", "import copy; copy.copy(ballast.Model('lcs'))", "TypeError", "a model is not copied"),
    ("a model that goes into a file", "import pickle; pickle.dumps(ballast.Model('lcs'))", "TypeError", "a model is not copied"),
    ("a step that is refused changes no setting", "m = ballast.Model('perfsat')\ntry: m.step(enable=0, nonsense=1)\n"
     "except ballast.Error: exit(70 + m._inputs['enable'])", "SystemExit", "71"),
    ("parameters of 0", "for b in ballast.blocks():\n for p in ballast.Model(b).parameters:\n  try: ballast.Model(b, **{p: 0})\n"
     "  except ballast.Error as e: assert 'no model' in str(e), e\nexit(77)", "SystemExit", "77"),
    ("no input", "ballast.Model('lcs').step(nonsense=1)", "UnknownName", "lcs has no input 'nonsense'"),
    ("a value too large", "ballast.Model('lcs').step(nmax=1 << 70000)", "Error", "64 bits"),
    ("a value below 0", "ballast.Model('lcs').step(nmax=-1)", "Error", "is -1, where 0 to 15"),
    ("a value beyond its range", "ballast.Model('lcs').step(kernel_start=1, nmax=9)", "Error", "at most 8 where it is read"),
    ("a value of a wrong type", "ballast.Model('lcs').step(nmax=2.5)", "TypeError", "whole number"),
    ("a value without such a name", "ballast.Model('perfsat').step(ps_class='LOUD')", "Error", "no value 'LOUD'; there are IDLE"),
    ("no register", "ballast.Model('lcs').state['nonsense']", "UnknownName", "lcs has no register"),
    ("a register that goes", "ballast.Model('lcs').state.pop('limit')", "TypeError", "does not lose"),
    ("a register too large", "ballast.Model('lcs').state.update(limit=99)", "Error", "0 to 15"),
    ("no recording", "ballast.Recording('nowhere.blt')", "Error", "nowhere.blt"),
    ("a folder as a recording", "ballast.Recording('vectors')", "Error", "vectors"),
    ("an empty recording", "ballast.Recording(T + '/empty.blt')", "Error", "empty.blt"),
    ("a recording that is cut", "ballast.Recording(T + '/cut.blt')", "Error", "cut.blt"),
    ("a recording with a wrong byte", "ballast.Recording(T + '/wrong.blt').arrays()", "Error", "wrong.blt"),
    ("a recording of a wrong type", "ballast.Recording(17)", "TypeError", ""),
    ("a name with a NUL", "ballast.Recording('a\\0b')", "Error", "NUL"),
    ("a closed recording", "r = ballast.Recording(R); r.close(); r.arrays()", "Error", "is closed"),
    ("a recording closed amid a loop", "r = ballast.Recording(R); i = iter(r); next(i); r.close(); next(iter(r))", "Error", "is closed"),
    ("no SM", "ballast.Recording(R).arrays(sm=7)", "Error", "has no SM 7; there are 0"),
    ("decisions of no SM", "ballast.decisions(R, 'perfsat', sm=99)", "Error", "has no SM 99"),
    ("decisions of a block smaller than the SM", "ballast.decisions(R, 'perfsat', num_slots=4)", "Error", "8 CTA slots per SM, the block has 48 and 4"),
    ("decisions of a chip", "ballast.decisions(R, 'ballast_chip')", "Error", "belongs to a chip"),
    ("no setting", "ballast.decisions(R, 'perfsat', settings={'x': 1})", "Error", "no such setting"),
    ("no value of a setting", "ballast.decisions(R, 'sm_governor', settings={'policy': 'x'})", "Error", "none of static"),
    ("decisions of a cut recording", "ballast.decisions(T + '/cut.blt', 'perfsat')", "Error", "cut.blt"),
    ("an empty family", "ballast.family([])", "Error", "no recording"),
    ("half a family", "ballast.family(R)", "Error", "no recording at CTA limit"),
    ("no launch", "ballast.family(F, launch=9)", "Error", "has no launch number 9"),
    ("a family of no policy", "ballast.family(F, policy='x')", "Error", "none of static"),
    ("no kernel", "ballast.simulate('nowhere.kernel')", "Error", "nowhere.kernel"),
    ("no machine", "ballast.simulate(K, machine='x')", "Error", "there are"),
    ("no policy", "ballast.simulate(K, policy='x')", "Error", "there are static, perfsat"),
    ("no scheduler", "ballast.simulate(K, scheduler='x')", "Error", "there are gto"),
    ("no mode", "ballast.simulate(K, mode='x')", "Error", "there are"),
    ("a limit under another policy", "ballast.simulate(K, policy='lcs', limit=3)", "Error", "only under the policy static"),
    ("a part of a machine that cannot be", "ballast.simulate(K, sms=7)", "Error", "7"),
    ("a policy's file that is none", "ballast.simulate(K, policy='./nowhere.so')", "Error", "nowhere.so: cannot open"),
    ("a policy in C that faults", "ballast.simulate(K, policy=T + '/fault.so')", "Error", "died (Segmentation fault) in step"),
    ("a policy in C that ends the process", "ballast.family(F, policy=T + '/ends.so')", "Error", "the run's process ended with 3"),
    ("a policy in Python that fails", "ballast.simulate(K, policy=policy('1 / 0'))", "ZeroDivisionError", "division"),
    ("a policy in Python that fails at its start", "ballast.family(F, policy=lambda: {}['x'])", "KeyError", "x"),
    ("a policy in Python that exits", "ballast.family(F, policy=policy('raise SystemExit(3)'))", "SystemExit", "3"),
    ("a policy in Python without a limit", "ballast.family(F, policy=policy('return None'))", "TypeError", "whole number"),
    ("a policy in Python with a limit too large", "ballast.family(F, policy=policy('return 10 ** 40'))", "Error", "64 bits"),
    ("a policy in Python with a limit beyond Nmax", "ballast.simulate(K, policy=policy('return sm.nmax + 1'))", "Error", "limit 7 in step, SM 0"),
    ("a policy that is a class of something else", "ballast.simulate(K, policy=int)", "Error", "int has no functions start and step"),
    ("a policy that is a number", "ballast.simulate(K, policy=3)", "TypeError", "policy"),
    ("a policy in Python that says a number", "ballast.family(F, policy=policy('return 1', 'return 5'))", "TypeError", "SM 0: what the policy says: a text or None"),
    ("a policy in Python that fails in its words", "ballast.family(F, policy=policy('return 1', '1 / 0'))", "ZeroDivisionError", "division"),
    ("words that are not asked for", "ballast.simulate(K, policy=policy('return 1', '1 / 0'), max_cycles=99) and exit(77)", "SystemExit", "77"),
    ("a chip that tells too few", "ballast.chip(R, policy=policy('return 1', chip='return [1]'), sms=2)", "Error", "chip says 1 words for 2 SMs"),
    ("a chip that tells a number too large", "ballast.chip(R, policy=policy('return 1', chip='return [0, 1 << 32]'), sms=2)", "Error", "SM 1: what it hears of the policy is 4294967296"),
    ("a chip that fails", "ballast.simulate(K, policy=policy('return 1', chip='1 / 0'))", "ZeroDivisionError", "division"),
    ("a share that is too large", "ballast.chip(R, policy=policy('return ballast.Answer(1, share=-1)'), sms=2)", "Error", "SM 0: what the policy shares is -1"),
    ("a chip of no recording", "ballast.chip([])", "Error", "no recording"),
    ("a chip of several recordings", "ballast.chip(F)", "Error", "a family, which a chip plays as one"),
    ("a chip of half a family", "ballast.chip(R, family=True)", "Error", "no recording at CTA limit"),
    ("a chip too large", "ballast.chip(R, sms=257)", "Error", "sms is 257"),
    ("a chip too far apart", "ballast.chip(R, skew=100001)", "Error", "100001 cycles between SMs"),
    ("a chip of another size than is played", "ballast.chip(R, sms=4, num_sms=5)", "Error", "4 SMs are played, the block has 5"),
    ("a chip smaller than the SMs", "ballast.chip(R, num_slots=4)", "Error", "8 CTA slots per SM, the block has 48 and 4"),
    ("a launch of what is played as recorded", "ballast.chip(R, launch=1)", "Error", "a launch is chosen of a family"),
    ("a chip of a cut recording", "ballast.chip(T + '/cut.blt')", "Error", "cut.blt"),
    ("a chip of no policy", "ballast.chip(R, 'x')", "Error", "none of static"),
    ("a chip with settings of a policy of one's own", "ballast.chip(R, policy('return 1'), settings={'mode': 0})", "Error", "chip: settings and parameters are those of blocks"),
    ("a view that is written and kept", "ballast.family(F, policy=policy('self.v = sm; sm.nmax = 99; sm.warp_slot = 8; return 1'), max_cycles=5) and exit(77)", "SystemExit", "77"),
]
HOSTILE_START = """
import ballast, sys
T, R, K, F = sys.argv[1], "vectors/pathlong.n3.blt", "sim/kernels/recorded/pathlong.kernel", FAMILY
def policy(line, describe=None, chip=None):
    names = {"ballast": ballast}
    more = "".join(f"\\n  def {name}:\\n    {body}" for name, body in (("describe(self, sm, answer)", describe), ("chip(self, said)", chip)) if body)
    exec(f"class P:\\n  def start(self, place): pass\\n  def step(self, sm):\\n    {line}{more}", names)
    return names["P"]
def one(name, job, kind, words):
    try:
        exec(job, globals())
        said = "nothing"
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    good = said.startswith(kind + ":") and words in said and "\\n" not in said
    print("ok" if good else "WRONG", name, "" if good else said, sep="|", flush=True)
"""
BAD_POLICY = """#include <ballast/policy.h>
#include <unistd.h>
#include <signal.h>
static void reset(void *s, const void *c) { (void)s, (void)c; }
static void step(void *s, const void *c, const ballast_policy_in *in, ballast_policy_out *out) { (void)s, (void)c; out->limit = in->nmax; WHAT; }
BALLAST_POLICY_EXPORT const ballast_policy_functions ballast_policy_entry = {BALLAST_POLICY_INTERFACE, .name = "bad", .reset = reset, .step = step};
"""

THREADS = """
import threading, ballast
class Half(ballast.Policy):
    def step(self, sm):
        return max(1, sm.nmax // 2)
class Nested(Half):
    def start(self, place):
        self.inner = ballast.family(FAMILY, policy=Half, max_cycles=3000).cycles if place.sm == 0 else 3000
        assert self.inner == 3000
results = []
def job(policy):
    results.append(ballast.simulate(KERNEL, sms=5, policy=policy, max_cycles=4000).ipc)
threads = [threading.Thread(target=job, args=[policy]) for policy in (Half, Nested, Half, "lcs")]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(results) == 4 and len(set(results)) <= 2, results
"""

# A limit that moves has words of its own where the policy has none.
WORDS = """
import ballast
class Speaks:
    def start(self, place):
        self.cycles = 0
    def step(self, sm):
        self.cycles += 1
        return max(1, sm.nmax - (self.cycles > 60))
    def describe(self, sm, answer):
        assert sm.warp_slot and answer.limit <= max(1, sm.nmax), answer
        return {10: 'a "quote" \\\\', 20: "two\\nlines", 30: "\\u00fc" * 300, 40: "", 50: "a\\0b", 55: "\\udc80"}.get(self.cycles)
class Silent:
    start, step = Speaks.start, Speaks.step
long = "\\u00fc" * 127
want = [(9, 'a "quote" \\\\'), (19, "two lines"), (29, long), (39, ""), (49, "a b"), (54, "?"), (60, "limit 6 -> 5")]
for policy in (Speaks, lambda: Speaks()):
    found = [(d.cycle - 1, d.words) for d in ballast.family(FAMILY, policy=policy, max_cycles=80).decisions]
    assert [one for one in found if one[0] > 5] == want, found
found = [d.words for d in ballast.family(FAMILY, policy=Silent, max_cycles=80).decisions]
assert found == ["limit 0 -> 6", "limit 6 -> 5"], found
"""

HEARD = """
import ballast
class Heard(ballast.Policy):
    def start(self, place):
        self.sm, self.cycles = place.sm, 0
    def step(self, sm):
        want = 0 if self.cycles == 0 else 3 * self.sm + (7 if self.cycles > 40 else 1)
        assert sm.heard == want, (self.sm, self.cycles, sm.heard)
        self.cycles += 1
        return ballast.Answer(1, share=self.cycles * 10 + self.sm)
    def chip(self, said):
        assert said == tuple(self.cycles * 10 + sm for sm in range(3)), said
        return None if self.cycles not in (1, 41) else [3 * sm + (1 if self.cycles == 1 else 7) for sm in range(3)]
assert ballast.chip(FAMILY[2], policy=Heard, sms=3, max_cycles=60).cycles == 60
"""

INTERRUPT = """
import ballast, os, signal, threading, time
class Half(ballast.Policy):
    def step(self, sm):
        return max(1, sm.nmax // 2)
for policy in ("perfsat", Half):
    threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
    start = time.monotonic()
    try:
        while time.monotonic() - start < 20:
            ballast.simulate(KERNEL, policy=policy)
    except KeyboardInterrupt:
        assert time.monotonic() - start < 5
    else:
        raise AssertionError("not interrupted")
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        continue
    raise AssertionError("a process is left")
"""

NUMPY = """
import array, sys
NONE
import ballast
arrays = ballast.Recording("vectors/pathlong.n3.blt").arrays()
kind = type(arrays["cycle"])
assert kind.__name__ == NAME, kind
cycles = list(ballast.Recording("vectors/pathlong.n3.blt"))
assert all(list(column) == [cycle[n] for cycle in cycles] for n, column in enumerate(arrays.values()))
print(len(cycles), "cycles")
"""


class Python(Planted):
    """`site` has the installed package."""

    def make(self, *targets: object) -> None:
        self.command(0, "make", "--no-print-directory", *targets, f"B={self.build}")

    def python(self, program: str, *arguments: object, status: int = 0, python: str = sys.executable, site: Path | None = None) -> str:
        env = {"PYTHONPATH": f"{site or self.site}:tb/dpi", "PYTHONDONTWRITEBYTECODE": "1",
               "BALLAST_REFERENCE": str(next(self.build.resolve().glob("libballast_reference.so.*"), ""))}
        self.command(status, python, "-c", program.replace("FAMILY", repr(FAMILY)).replace("KERNEL", repr(KERNEL)), *arguments, env=env, seconds=100)
        return self.said

    def ballast(self, *words: object) -> str:
        self.command(0, self.build / "ballast", *words)
        return self.said

    def skip(self, what: str) -> None:
        print(f"skip  {what}", flush=True)

    def mine(self, expression: str) -> object:
        """What the package says, as JSON."""
        return json.loads(self.python(f"import ballast, json, dataclasses\nprint(json.dumps({expression}, default=dataclasses.asdict))").splitlines()[-1])


# ---- the wheel ---------------------------------------------------------------------------------------

def has(program: str, code: str) -> bool:
    return shutil.which(program) is not None and subprocess.run([program, "-c", code], capture_output=True, check=False).returncode == 0


def the_wheel(test: Python) -> None:
    test.make("wheel")
    path = next((test.build / "python").glob("*.whl"))
    test.site = test.work / "site"
    with test.case("the wheel has what it says, and is the same when it is made again"):
        with zipfile.ZipFile(path) as packed:
            packed.extractall(test.site)
            names = packed.namelist()
        info = next(test.site.glob("*.dist-info"))
        rows = [row.split(",") for row in (info / "RECORD").read_text().splitlines()]
        expect([row[0] for row in rows] == names, "RECORD has other names")
        made = wheel.contents(test.build / "python/libballast_kit.so", info.name.split("-")[1].removesuffix(".dist"), path.stem.split("-", 2)[2])
        expect({name: (test.site / name).read_bytes() for name in names} == made, "other bytes")
        expect("ballast/py.typed" in names and not any("test" in name for name in names), "other files")
    library = test.build / "python/libballast_kit.so"
    with test.case("a wheel that cannot be made leaves the one that was there, and says so in a line"):
        old, limited = test.work / path.name, "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); sys.argv[:1] = []; " \
            "runpy.run_path(sys.argv[0], run_name='__main__')"
        old.write_text("old")
        for command, library_is in ((["-c", limited], library), ([], test.work / "nowhere.so")):
            test.command(2 if command else 3, sys.executable, *command, "sim/python/wheel.py", "--library", library_is, "--version", "0.1.0", old)
            expect(test.said.count("\n") == 1 and (str(old) if command else "nowhere.so") in test.said, "not one line that names the file")
            expect([one for one in test.work.glob("*.whl*")] == [old] and old.read_text() == "old", "not the old one alone")
    if has(sys.executable, "import pip"):
        with test.case("pip installs it"):
            test.command(0, sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", test.work / "pip", path)
            test.python("import ballast; assert ballast.blocks()", site=test.work / "pip")
    else:
        test.skip("pip: not installed")
    if has(OLDEST, "0"):
        with test.case(f"{OLDEST} runs models, recordings and runs"):
            test.python("import ballast; ballast.Model('lcs').step(); ballast.decisions(FAMILY[0], 'lcs'); ballast.simulate(KERNEL, max_cycles=99)", python=OLDEST)
    else:
        test.skip(f"{OLDEST}: not installed")
    with test.case("arrays without numpy"):
        test.python(NUMPY.replace("NONE", "sys.modules['numpy'] = None").replace("NAME", "'array'"))
    for name, program in (("numpy", NUMPY.replace("NONE", "").replace("NAME", "'ndarray'")),
                          ("pandas", "import ballast; f = ballast.Recording(FAMILY[0]).to_pandas(); assert f.index.name == 'cycle' and len(f) > 1000")):
        if has(sys.executable, f"import {name}"):
            with test.case(f"with {name}"):
                test.python(program)
        else:
            test.skip(f"{name}: not installed")


# ---- tables ------------------------------------------------------------------------------------------

def tables(test: Python) -> None:
    with test.case("all blocks are there"):
        expect(test.mine("ballast.blocks()") == sorted(blocks.blocks()), "others")
    with test.case("the structs of a policy have the fields of <ballast/policy.h>"):
        header = re.sub(r"/\*.*?\*/", "", Path("cmodel/ballast/policy.h").read_text(), flags=re.S)
        for name in ("place", "in", "out"):
            body = re.search(rf"typedef struct ballast_policy_{name} {{(.*?)}}", header, re.S)[1]
            fields = re.findall(r"(\w+)(?:\[\w+\])?\s*[,;]", body)
            got = test.mine(f"[f['name'] for f in __import__('ballast._library')._library.STRUCTS['ballast_policy_{name}']['fields']]")
            expect(got == fields, f"{name}: {got}, not {fields}")
    with test.case("planted: a field of a struct elsewhere is found"):
        test.python("import json, ctypes, ballast._library as l\nl.STRUCTS['ballast_policy_in']['fields'][3]['offset'] += 4\nl.struct('ballast_policy_in')", status=1)
        test.says("ImportError: ballast: the library's table of ballast_policy_in")
    test.make(test.build / f"libballast_reference.so.{next(test.site.glob('*.dist-info')).name.split('-')[1].removesuffix('.dist')}")
    with test.case("models do what the reference library's do, in every port"):
        test.python(TWINS.replace("PLANTED", "").replace("BLOCKS", "ballast.blocks()").replace("CYCLES", "25"))
    for name, kind, port in PLANTS:
        with test.case(f"planted: {name} elsewhere is found"):
            test.python(TWINS.replace("PLANTED", PLANT % (kind, port)).replace("BLOCKS", "['perfsat']").replace("CYCLES", "300"), status=1)
            test.says("AssertionError: perfsat: .*, in the reference library")


# ---- beside the command ------------------------------------------------------------------------------

def logged(test: Python, *words: object) -> list[dict]:
    """The decisions of a run of the command."""
    shutil.rmtree(test.out, ignore_errors=True)
    test.ballast(*words, "--out", test.out)
    return [json.loads(line) for path in test.out.glob("*.model.jsonl") for line in path.read_text().splitlines()]


def replays(test: Python) -> None:
    for block, needs, setting in (("perfsat", "stall_classifier,", {}), ("lcs", "", {}), ("sm_governor", "", {"policy": "equalizer"})):
        with test.case(f"decisions of {block}"):
            settings = [word for name, value in setting.items() for word in ("--set", f"{block}.{name}={value}")]
            want = logged(test, "lockstep", "--block", needs + block, *settings, FAMILY[2])
            got = test.mine(f"ballast.decisions({FAMILY[2]!r}, {block!r}, settings={setting})")
            expect(got == want and want, "other decisions")
    for policy in ("perfsat", "lcs", "dyncta", str(test.descend)):
        with test.case(f"family under {Path(policy).name}"):
            want = logged(test, "family", "--log", "--policy", policy, "--max-cycles", 250000, *FAMILY)
            told = test.said
            got = test.mine(f"ballast.family({FAMILY}, {policy!r}, max_cycles=250000)")
            expect(got["decisions"] == want and want, "other decisions")
            expect(re.search(rf"instructions per cycle.*{got['ipc'][6]:.3f}; .*: {got['best_limit']} ", told), "another search")


def chips(test: Python) -> None:
    """As recorded and as a family."""
    for policy, family, words, keys in (("equalizer", CHASE[-1:], "--max-cycles 6000", "max_cycles=6000"), ("equalizer", CHASE, "--family --max-cycles 9000", "family=True, max_cycles=9000"),
                                        ("lcs", CHASE[-1:], "--max-cycles 30000 --skew 0", "max_cycles=30000, skew=0"),
                                        ("scout", PATHFINDER, "--family --launch 1 --max-cycles 30000", "family=True, launch=1, max_cycles=30000")):
        with test.case(f"a chip under {policy} {words}"):
            want = logged(test, "chip", "--log", *words.split(), "--set", f"chip_governor.policy={policy}", *family)
            got = test.mine(f"ballast.chip({family}, {policy!r}, {keys})")
            expect(got["decisions"] == want and len(want) > 15, "other decisions")
            expect(got["sms"] == len(got["limits"]) == len(got["decided"]) == 15, "another chip")
    with test.case("the limits of a chip's SMs are those of their last decisions"):
        got = test.mine(f"ballast.chip({PATHFINDER}, 'dyncta', family=True, sms=6, max_cycles=40000)")
        last = {one["sm"]: one["after"]["limit"] for one in got["decisions"] if "limit" in one["after"]}
        expect(got["limits"] == [last[sm] for sm in range(6)] and len(set(got["limits"])) > 1, "others")
    with test.case("a chip's levels are those of its last decision"):
        got = test.mine(f"ballast.chip({CHASE[-1]!r}, 'equalizer', max_cycles=6000)")
        expect((got["sm_level"], got["memory_level"]) == (1, 2) and "memory domain is at high" in [one["words"] for one in got["decisions"]], "others")
    with test.case("a setting of a chip"):
        modes = [test.mine(f"ballast.chip({CHASE[-1]!r}, 'equalizer', max_cycles=6000, settings={{'mode': {mode!r}}})") for mode in ("PERFORMANCE", "ENERGY")]
        expect(modes[0] != modes[1], "changes nothing")


def simulations(test: Python) -> None:
    for words, keys in (("--policy static --limit 3", "limit=3"), ("--policy perfsat --sms 5", "policy='perfsat', sms=5"), ("--scheduler lrr --seed 7", "scheduler='lrr', seed=7"),
                        ("--policy equalizer --mode energy", "policy='equalizer', mode='energy'"), (f"--policy {test.descend}:window=2000", f"policy='{test.descend}:window=2000'")):
        with test.case(f"simulation {words.replace(str(test.work), '')}"):
            names, values = (line.split(",") for line in test.ballast("sim", "--csv", "--max-cycles", 9000, *words.split(), KERNEL).splitlines())
            got = test.mine(f"ballast.simulate({KERNEL!r}, max_cycles=9000, {keys})")
            expect(got.pop("decisions") == [] and list(got) == names, "other columns")
            for name, value in zip(names, values):
                expect(str(got[name]) == value or float(got[name]) == float(value), f"{name} is {got[name]}, not {value}")
    with test.case("decisions of a simulation"):
        want = logged(test, "sim", "--log", "--policy", "lcs", "--max-cycles", 20000, KERNEL)
        expect(test.mine(f"ballast.simulate({KERNEL!r}, policy='lcs', max_cycles=20000, log=True).decisions") == want and want, "others")


def policies(test: Python) -> None:
    """The page's class and the C file of the other page."""
    page = Path("doc/use/python.md").read_text()
    program = "import ballast\n" + re.search(r"^class Descend.*?(?=^run)", page, re.M | re.S)[0] + "Descend.window = 2000\n"
    with test.case("a policy in Python does what it does in C: family and simulation"):
        test.python(program + f"""
family = [ballast.family(FAMILY, policy=p) for p in (Descend, "{test.descend}:window=2000")]
said = [[(d.cycle, d.event, d.inputs, d.before, d.after, d.words) for d in run.decisions] for run in family]
assert said[0] == said[1] and len(said[0]) > 2 and "instructions, limit 6 -> 5" in said[0][1][5], said
sim = [vars(ballast.simulate(KERNEL, policy=p, sms=5, max_cycles=30000)) for p in (Descend, "{test.descend}:window=2000")]
assert family[0].cycles == family[1].cycles and sim[0]["decided_sms"] == 5
assert {{**sim[0], "policy": 0}} == {{**sim[1], "policy": 0}}, sim""")
    with test.case("SMs that share what they find do in Python what they do in C"):
        test.python("import ballast\n" + re.search(r"^class Together.*?(?=^run)", page, re.M | re.S)[0] + f"""
runs = [ballast.simulate(KERNEL, policy=p, sms=5, max_cycles=20000, log=True) for p in (Together, "{test.together}")]
said = [[(d.cycle, d.sm, d.before, d.after, d.words) for d in run.decisions] for run in runs]
assert said[0] == said[1] and runs[0].decided_sms == 5 and len(said[0]) > 8, said
plain = [{{**vars(run), "policy": 0, "decisions": 0}} for run in runs]
assert plain[0] == plain[1], plain
chips = [ballast.chip(FAMILY, policy=p, family=True, sms=6, skew=0, max_cycles=17000) for p in (Together, "{test.together}")]
assert [(d.cycle, d.sm, d.words) for d in chips[0].decisions] == [(d.cycle, d.sm, d.words) for d in chips[1].decisions], chips
assert chips[0].limits == chips[1].limits and all(chips[0].decided) and len(set(chips[0].limits)) == 1, chips""")
    with test.case("words of a policy: quotes, lines, too long, no half character, not of a class"):
        test.python(WORDS)
    with test.case("each SM hears what is said to it, until something else is"):
        test.python(HEARD)
    with test.case("a policy that never decides has all its passes"):
        test.python("import ballast, glob\nclass One(ballast.Policy):\n  def step(self, sm):\n    return 1\n"
                    "run = ballast.family(glob.glob('vectors/hotspot.n*.blt'), policy=One, max_passes=2)\nassert (run.passes, run.done, run.limit) == (2, False, 1), run")
    with test.case("runs in several threads, and one from within another"):
        test.python(THREADS)


# ---- what is no good, and the page -------------------------------------------------------------------

def hostile(test: Python) -> None:
    data = Path(FAMILY[2]).read_bytes()
    files = {"empty.blt": b"", "cut.blt": data[:len(data) // 2], "wrong.blt": data[:5000] + bytes([data[5000] ^ 1]) + data[5001:]}
    for name, content in files.items():
        (test.work / name).write_bytes(content)
    for name, what in (("fault", "raise(SIGSEGV)"), ("ends", "_exit(3)")):
        compiled(test, name, BAD_POLICY.replace("WHAT", what))
    try:
        test.python(HOSTILE_START + "".join(f"one{case!r}\n" for case in HOSTILE), test.work)
    except AssertionError as error:
        test.said += f"\n{error}"
    said = dict(line.split("|")[1::-1] for line in test.said.splitlines() if line.startswith(("ok|", "WRONG|")))
    for name, *_ in HOSTILE:
        with test.case(f"refused: {name}"):
            expect(said.get(name) == "ok", "not as it should be, or Python died of it")


def ends(test: Python) -> None:
    with test.case("a damaged recording is read as far as it is intact"):
        test.python("import ballast, sys; r = ballast.Recording(sys.argv[1], salvage=True); assert 0 < len(list(r)) < 295251 and 'cut.blt' in r.damage", test.work / "cut.blt")
    with test.case("Ctrl-C ends runs of both kinds, and nothing is left of them"):
        test.python(INTERRUPT)


def examples(test: Python) -> None:
    for name in ("doc/use/python.md", "doc/use/pathlong.ipynb"):
        text = Path(name).read_text()
        with test.case(f"{name}: the examples print what stands there"):
            run = ["python3", HERE / "examples.py"]
            test.command(0, *run, name, env={"PYTHONPATH": str(test.site)})
            changed = test.work / Path(name).name
            changed.write_text(re.sub(r"683162 cycles", "683163 cycles", text))
            test.command(1, *run, changed, env={"PYTHONPATH": str(test.site)})
            test.one_line("an example prints something else")
            expect("/" + "home" not in text and os.getcwd() not in text, "has a path of this machine")


def compiled(test: Python, name: str, text: str) -> Path:
    (test.work / f"{name}.c").write_text(text)
    test.command(0, "cc", "-O1", "-shared", "-fPIC", "-Icmodel", "-o", test.work / f"{name}.so", test.work / f"{name}.c")
    return test.work / f"{name}.so"


def main() -> int:
    with Python("", sys.argv[1] if len(sys.argv) > 1 else "build/fermi") as test:
        test.descend, test.together = (compiled(test, name, text) for name, text in zip(
            ("descend", "together"), re.findall(r"^```c\n(.*?)^```$", Path("doc/use/own_policy.md").read_text(), re.M | re.S), strict=True))
        for part in (the_wheel, tables, replays, chips, simulations, policies, hostile, ends, examples):
            part(test)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
