# SPDX-License-Identifier: Apache-2.0
"""Tests circuits as ABC writes them (aiger.py): what is read of a file, and what of a circuit is different where two sides part.

  python3 tb/flow/test_aiger.py

Ends with 'N passed, N failed'.
"""
from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import aiger
import blif
from planted import Planted, expect, refused

# XOR as three ANDs, its opposite, an input, the constants; beside them an input that nothing reads.
AIG = b"aig 6 3 0 5 3\n13\n12\n4\n0\n1\n\x04\x02\x05\x02\x01\x02i0 a[0]\ni1 c\ni2 d\no0 x\nc\nby ABC\n"
XOR = {"same": lambda a, c: a == c, "xor": lambda a, c: a != c, "in": lambda _, c: c, "no": lambda *_: False, "yes": lambda *_: True}


def evaluate(path: Path, values: dict[str, bool]) -> dict[str, bool]:
    """A BLIF file's nets."""
    values, net, lines = dict(values), "", blif.lines(path)
    for words in lines:
        if words[0] == ".names":
            *of, net = words[1:]
            values[net] = False
        elif not words[0].startswith("."):
            values[net] |= all(values[name] == (bit == "1") for name, bit in zip(of, words[0])) if of else words == ["1"]
    return values


def aigs(test: Planted) -> None:
    """What differs, as ABC writes it."""
    path, cone = test.work / "x.aig", test.work / "cone.blif"
    path.write_bytes(AIG)
    with test.case("what is read is what was written, for all inputs"):
        found = aiger.read(path)
        expect(found.inputs == ["a[0]", "c", "d"] and found.outputs == [13, 12, 4, 0, 1], str(found))
        found.cone(dict(zip(XOR, found.outputs, strict=True)), cone)
        expect(blif.labels(cone, ".inputs") == ["a[0]", "c"] and blif.labels(cone, ".outputs") == [*XOR], cone.read_text())
        for a, c in itertools.product((False, True), repeat=2):
            values = evaluate(cone, {"a[0]": a, "c": c})
            expect(all(values[name] == means(a, c) for name, means in XOR.items()), f"{a} {c}: {values}")
    with test.case("a file that is cut short is none, wherever the cut"):
        for end in range(AIG.index(b"\nc\n") + 3):
            path.write_bytes(AIG[:end])
            refused(lambda: aiger.read(path), "the circuit is cut short, or is none")
    for old, new in ((b"aig 6 3", b"aig 7 3"), (b"aig 6 3 0", b"aig 6 3 1"), (b"3\n13", b"4\n13"), (b"\n13\n", b"\n14\n"), (b"\n4\n", b"\nx\n"),
                     (b"\x04\x02", b"\x00\x02"), (b"\x04\x02", b"\x04\x7f"), (b"i1 c", b"i2 c"), (b"i1 c\n", b""), (b"aig", b"aag")):
        with test.case(f"{new!r} in the place of {old!r}: refused"):
            path.write_bytes(AIG.replace(old, new, 1))
            refused(lambda: aiger.read(path), "the circuit is cut short, or is none")


def some_circuit(seed: int) -> aiger.Circuit:
    """Twelve ANDs of what comes to hand, and the XOR of two of the last."""
    dice = random.Random(seed)
    inputs = [f"in[{number}]" for number in range(4)]
    ands = [(*sorted((dice.randrange(2, 2 * node), dice.randrange(2, 2 * node)), reverse=True),) for node in range(5, 17)]
    one, other = 2 * 16 + dice.randrange(2), 2 * dice.choice((13, 14, 15)) + dice.randrange(2)
    ands += [(one, other), (one ^ 1, other ^ 1), (37, 35)]
    return aiger.Circuit(inputs, [2 * 19, 2 * 19 + 1, 2 * 18, 2 * 3], ands)


def nodes_of(whole: aiger.Circuit, values: dict[str, bool]) -> list[bool]:
    """The value of each node."""
    nodes = [False, *(values[name] for name in whole.inputs)]
    for fanins in whole.ands:
        nodes.append(all(nodes[literal >> 1] != bool(literal & 1) for literal in fanins))
    return nodes


# a & b & c & d, and a & b & ~(a & b & ~(c & d)): with both ANDs free they are equal.
PAIRS = aiger.Circuit(["a", "b", "c", "d"], [25], [(4, 2), (8, 6), (12, 10), (13, 10), (17, 10), (19, 14), (18, 15), (23, 21)])


def hanging(whole: aiger.Circuit, names: list[str]) -> list[set[str]]:
    """On which inputs of the circuit each of these hangs: inputs, or node.NUMBER."""
    sets: list[set[str]] = [set(), *({name} for name in whole.inputs)]
    for one, other in whole.ands:
        sets.append(sets[one >> 1] | sets[other >> 1])
    return [sets[int(name[5:])] if name.startswith("node.") else {name} for name in names]


def is_part(whole: aiger.Circuit, output: int, to: Path, apart: bool) -> bool:
    """Whether an output has a part, which is then what the whole circuit is, with the values that this has there."""
    literal = whole.outputs[output]
    if not whole.between(literal, to, apart):
        return False
    inputs = blif.labels(to, ".inputs")
    expect(any(name.startswith("node.") for name in inputs), to.read_text())
    for bits in itertools.product((False, True), repeat=4):
        values = dict(zip(whole.inputs, bits, strict=True))
        nodes = nodes_of(whole, values)
        values |= {f"node.{node}": value for node, value in enumerate(nodes)}
        expect(evaluate(to, {name: values[name] for name in inputs})["differs"] == (nodes[literal >> 1] != bool(literal & 1)), to.read_text())
    return True


def parts(test: Planted) -> None:
    """What is different where two sides part."""
    to = test.work / "part.blif"
    for apart, least in ((False, 300), (True, 60)):
        with test.case(f"with what the whole circuit has there, a part is what the whole is{', too, where its inputs are apart' if apart else ''}"):
            found = [seed for seed in range(300) for output in (0, 1) if is_part(some_circuit(seed), output, to, apart)]
            expect(len(found) > least, f"{len(found)} of 600 have a part")
    with test.case("no two inputs of a part that are apart hang on one of the circuit's; what is so already stays"):
        lower = 0
        for seed in range(300):
            whole = some_circuit(seed)
            if whole.between(whole.outputs[0], to, True):
                found = hanging(whole, blif.labels(to, ".inputs"))
                expect(sum(map(len, found)) == len(set().union(*found)), f"{seed}: {to.read_text()}")
                whole.between(whole.outputs[0], to)
                before = hanging(whole, blif.labels(to, ".inputs"))
                if sum(map(len, before)) == len(set().union(*before)):
                    expect(sorted(map(sorted, before)) == sorted(map(sorted, found)), f"{seed}: taken down for nothing")
                else:
                    lower += 1
        expect(lower > 10, f"{lower} were not apart before")
    with test.case("what is above is not taken down for what is below it alone"):
        # with s = a & b, t = c & d: s & t & a against s & ~(s & ~t) & a
        whole = aiger.Circuit(["a", "b", "c", "d"], [29], [(4, 2), (8, 6), (12, 10), (14, 2), (13, 10), (19, 10), (20, 2), (23, 16), (22, 17), (27, 25)])
        expect(whole.between(29, to) == to and blif.labels(to, ".inputs") == ["a", "node.5", "node.6"], to.read_text())
        expect(whole.between(29, to, True) == to and blif.labels(to, ".inputs") == ["a", "b", "node.6"], to.read_text())
    with test.case("too many inputs of a part, or too much behind them, are not taken apart"):
        whole = PAIRS
        expect(whole.between(25, to, True) == to and blif.labels(to, ".inputs") == ["node.5", "node.6"], "no part")
        for limit, most in (("APART", 2), ("HANGS", 6)):
            with mock.patch.object(aiger, limit, most):
                expect(whole.between(25, to, True) == to, f"{most} are too many for {limit}")
            with mock.patch.object(aiger, limit, most - 1):
                expect(whole.between(25, to, True) is None, f"{most} are not too many for {limit}")
    with test.case("what is no difference of two sides has no part, nor has one of inputs"):
        whole = some_circuit(0)
        expect(not any(whole.between(output, to) for output in (*whole.outputs[2:], 0, 1)), "a part")
        expect(not aiger.Circuit(["a", "b"], [10], [(4, 2), (5, 3), (9, 7)]).between(10, to), "a part of two inputs")
    with test.case("what is shared is free where it is read, and no deeper"):
        # s = a & b, t = s & c; t & a against t & ~b
        whole = aiger.Circuit(["a", "b", "c"], [18], [(4, 2), (8, 6), (10, 2), (10, 5), (14, 12), (15, 13), (19, 17)])
        expect(whole.between(20, to) == to and blif.labels(to, ".inputs") == ["a", "b", "node.5"], to.read_text())
    with test.case("a difference where the sides part need be none of the whole"):
        # a & b against a & b & a, with the first shared: equal, but as a free value and a not
        whole = aiger.Circuit(["a", "b"], [15], [(4, 2), (6, 2), (9, 6), (8, 7), (13, 11)])
        expect(whole.between(15, to) == to, "no part")
        expect(all(nodes_of(whole, {"a": a, "b": b})[7] for a, b in itertools.product((False, True), repeat=2)), "not equal")
        inputs = blif.labels(to, ".inputs")
        found = {evaluate(to, dict(zip(inputs, bits, strict=True)))["differs"] for bits in itertools.product((False, True), repeat=len(inputs))}
        expect(found == {False, True}, f"{found}: {to.read_text()}")


if __name__ == "__main__":
    Planted.main("", aigs, parts)
