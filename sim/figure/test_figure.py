# SPDX-License-Identifier: Apache-2.0
"""test_figure.py BALLAST: pictures of a small run, read back and held against the run's files. Run from the repository root."""
from __future__ import annotations

import csv
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from planted import Planted, expect  # noqa: E402
from tools import run  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
KERNELS = ("hotspot", "hot & spot")
POLICIES = {"static": "Static", "perfsat": "Perf-Sat", "lcs": "LCS", "equalizer": "Equalizer", "dyncta": "DYNCTA", "scout": "Scout"}
LEAST, SEGMENTS = 6, 16
Point = tuple[float, float]


class Picture:
    """What is drawn: texts with their places, paths as points, boxes."""

    def __init__(self, path: Path):
        self.root = ET.parse(path).getroot()
        self.width, self.height = (float(self.root.get(name, "").removesuffix("mm")) for name in ("width", "height"))
        self.box = [float(word) for word in self.root.get("viewBox", "").split()]
        self.texts = [(text.text or "", text) for text in self.root.iter(f"{SVG}text")]
        self.paths = [path for path in self.root.iter(f"{SVG}path") if "stroke-linejoin" in path.attrib]
        self.rects = [rect for rect in self.root.iter(f"{SVG}rect") if rect.get("fill") != "none"][1:]

    def words(self) -> list[str]:
        return [text for text, _ in self.texts]

    def frames(self) -> list[tuple[float, float, float, float]]:
        """left, top, width, height."""
        return [tuple(float(rect.get(name, "0")) for name in ("x", "y", "width", "height")) for rect in self.root.iter(f"{SVG}rect")
                if rect.get("fill") == "none"]

    def curves(self, frame: tuple[float, float, float, float]) -> list[list[Point]]:
        """The points of the curves in this frame, 0 to 1 to the right and up."""
        left, top, width, height = frame
        found = []
        for path in self.paths:
            points = [((x - left) / width, 1 - (y - top) / height) for x, y in points_of(path.get("d", ""))]
            if all(-0.001 <= x <= 1.001 and -0.001 <= y <= 1.001 for x, y in points):
                found.append(points)
        return found


def points_of(path: str) -> Iterator[Point]:
    x = y = 0.0
    for kind, words in re.findall(r"([MLHVh])([^MLHVh]*)", path):
        numbers = [float(word) for word in words.split()]
        if kind in "ML":
            x, y = numbers
        elif kind == "V":
            y = numbers[0]
        else:
            x = numbers[0] + (x if kind == "h" else 0)
        yield x, y


def outside(picture: Picture) -> list[str]:
    """Texts that are not inside of the picture as far as one can say: those that are turned are left out."""
    wrong = []
    for text, element in picture.texts:
        if "transform" in element.attrib or float(element.get("x", "0")) == 0:
            continue
        size, x, y = (float(element.get(name, "0")) for name in ("font-size", "x", "y"))
        width = 0.5 * size * len(text)
        left = x - {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
        if left < -1 or left + width > picture.box[2] + 1 or y > picture.box[3] or y < size / 2:
            wrong.append(text)
    return wrong


class Figures:
    def __init__(self, test: Planted, ballast: str):
        self.test, self.ballast, self.run = test, ballast, test.out
        manifest = test.work / "small.csv"
        with manifest.open("w", encoding="utf-8") as file:
            file.write("file,kernel,program\n")
            file.writelines(f"{'../' * 9}{Path('vectors').resolve()}/hotspot.n{n}.blt,{kernel},\n" for kernel in KERNELS for n in (1, 2, 8))
        test.command(0, ballast, "run", "--max-cycles", 60000, "--out", self.run, manifest)
        costs = (self.run / "regret.csv").read_text().splitlines()  # of one family twice: a mean that is no other number needs another one
        (self.run / "regret.csv").write_text("".join(f"{line.rpartition(',')[0]},{float(line.rpartition(',')[2]) + 20:.1f}\n" if line.startswith(KERNELS[1])
                                                     else f"{line}\n" for line in costs))

    def rows(self, name: str, kernel: str = "") -> list[dict[str, str]]:
        with open(self.run / name, encoding="utf-8") as file:
            return [row for row in csv.DictReader(file) if kernel in ("", row.get("kernel"))]

    def names(self) -> list[str]:
        self.test.command(0, self.ballast, "figure", "--run", self.run)
        return [re.split("  +", line)[0] for line in self.test.said.splitlines()]

    def draw(self, name: str, size: str = "column", status: int = 0) -> Picture:
        path = self.test.work / "x.svg"
        self.test.command(status, self.ballast, "figure", "--run", self.run, "--size", size, "--out", path, name)
        return Picture(path)


# ---- what is drawn ------------------------------------------------------------------------------------

def wrong_costs(figures: Figures, picture: Picture) -> str:
    rows = {(row["kernel"], row["policy"]): float(row["cost"]) for row in figures.rows("regret.csv")}
    wanted = []
    for column in (*KERNELS, "mean", "worst"):
        for policy in ("oracle", *POLICIES):
            costs = [rows[kernel, policy] for kernel in KERNELS]
            cost = rows[column, policy] if column in KERNELS else sum(costs) / len(costs) if column == "mean" else max(costs)
            wanted.append(f"{cost:.1f}" if abs(cost) < 99.95 else f"{cost:.0f}")
    found = [text for text in picture.words() if re.fullmatch(r"-?[\d.]+", text)]
    close = len(found) == len(wanted) and all(abs(float(one) - float(other)) < 0.11 for one, other in zip(found, wanted, strict=True))
    return "" if close else f"costs {found}, wanted {wanted}"


def track_of(path: Path) -> list[tuple[int, int]]:
    return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]  # type: ignore[misc]


def wrong_limits(figures: Figures, picture: Picture, kernel: str) -> str:
    """The steps of every lane against its track."""
    frames = picture.frames()
    tracks = {name: track_of(figures.run / f"{kernel}.{name}.dat") for name in POLICIES}
    last = max(track[-1][0] for track in tracks.values())
    nmax = int(figures.rows("kernels.csv", kernel)[0]["nmax"])
    if len(frames) != len(POLICIES) + 2:
        return f"{len(frames)} lanes"
    for (name, track), frame in zip(tracks.items(), frames, strict=False):
        steps = [(x, y) for cycle, value in track for x, y in [(cycle / last, value / (1.25 * nmax))]]
        corners = {(round(x, 2), round(y, 2)) for x, y in steps}
        if not any(corners <= {(round(x, 2), round(y, 2)) for x, y in near(curve)} for curve in picture.curves(frame)):
            return f"{name}: no curve has the steps {sorted(corners)[:4]}: {picture.curves(frame)}"
    if any("L" in path.get("d", "") for path in picture.paths if path.get("stroke-width") == picture.paths[-1].get("stroke-width")):
        return "a limit that moves along a slope"
    for mode, frame in zip(("performance", "energy"), frames[len(POLICIES):], strict=True):
        if len(picture.curves(frame)) != 2:
            return f"{mode}: not two levels"
    return ""


def near(curve: list[Point]) -> Iterator[Point]:
    """The same points, and those beside them as rounding may have it."""
    for x, y in curve:
        for dx in (-0.004, 0, 0.004):
            for dy in (-0.006, 0, 0.006):
                yield x + dx, y + dy


def wrong_regret(figures: Figures, picture: Picture, kernel: str) -> str:
    frame, = picture.frames()
    lost = {name: [(0, 0)] + [(int(row["cycle"]), int(row["regret"])) for row in figures.rows(f"{kernel}.regret.csv")
                              if row["policy"] == name][:SEGMENTS] for name in POLICIES}
    every = [point for points in lost.values() for point in points]
    least, most, last = min(0, *(1.05 * y for _, y in every)), max(1, *(1.05 * y for _, y in every)), max(x for x, _ in every)
    for (name, points), curve in zip(lost.items(), picture.curves(frame), strict=True):
        wanted = [(x / last, (y - least) / (most - least)) for x, y in points]
        if len(curve) != len(wanted) or any(abs(a - c) > 0.004 or abs(b - d) > 0.004 for (a, b), (c, d) in zip(curve, wanted, strict=True)):
            return f"{name}: {curve[:4]}, wanted {wanted[:4]}"
    return ""


def wrong_stalls(figures: Figures, picture: Picture, kernel: str) -> str:
    """Bars from below: six parts for each limit."""
    (_, _, _, height), = picture.frames()
    wanted = [int(part) / int(row["cycles"]) for row in figures.rows("stalls.csv", kernel) for part in list(row.values())[4:]]
    parts = [float(rect.get("height", "0")) / height for rect in picture.rects][:len(wanted)]
    return "" if len(parts) == len(wanted) and all(abs(a - b) < 0.004 for a, b in zip(parts, wanted, strict=True)) else f"{parts}, wanted {wanted}"


def wrong_model(figures: Figures, picture: Picture, kernel: str) -> str:
    rows = figures.rows("model.csv", kernel)
    best = max(float(row["recorded_ipc"]) for row in rows)
    speeds = [[100 * float(row[column]) / best for row in rows if float(row[column]) > 0] for column in ("recorded_ipc", "model_ipc")]
    most = 1.05 * max(100, *speeds[0], *speeds[1])
    for curve, speed in zip(picture.curves(picture.frames()[0]), speeds, strict=True):
        if len(curve) != len(speed) or any(abs(most * y - wanted) > 1 for (_, y), wanted in zip(curve, speed, strict=True)):
            return f"{curve}, wanted {speed} of {most}"
    dots = [float(dot.get("cx", "0")) for dot in picture.root.iter(f"{SVG}circle")][-len(POLICIES):]
    nmax, (left, _, width, _) = int(figures.rows("kernels.csv", kernel)[0]["nmax"]), picture.frames()[1]
    chosen = [int(figures.rows("policies.csv", kernel)[0][f"{name}_limit"]) for name in POLICIES]
    found = [round(0.6 + (x - left) / width * (nmax - 0.2)) for x in dots]
    return "" if found == chosen else f"chosen {found}, wanted {chosen}"


def wrong(figures: Figures, name: str, picture: Picture) -> str:
    kind, _, kernel = name.partition("-")
    checks = {"limits": wrong_limits, "regret": wrong_regret, "stalls": wrong_stalls, "model": wrong_model}
    return wrong_costs(figures, picture) if kind == "costs" else checks[kind](figures, picture, kernel)


def wrong_look(picture: Picture, size: str) -> str:
    fonts = [float(text.get("font-size", "0")) for _, text in picture.texts]
    if not fonts or min(fonts) < (LEAST if size == "column" else 16):
        return f"text of {min(fonts, default=0)} points"
    if abs(picture.width / 25.4 * 72 - picture.box[2]) > 0.1:
        return "a point is not a point"
    if size == "column" and (picture.width != 85 or picture.height > 120):
        return f"a column of {picture.width} by {picture.height} mm"
    if size == "slide" and abs(picture.width / picture.height - 16 / 9) > 0.01:
        return f"a slide of {picture.width} by {picture.height} mm"
    return f"outside: {bad}" if (bad := outside(picture)) else ""


# ---- cases ----------------------------------------------------------------------------------------------

def drawn(test: Planted, figures: Figures) -> None:
    with test.case("the names of all pictures"):
        expect(figures.names() == ["costs", *(f"{kind}-{kernel}" for kind in ("limits", "regret", "stalls") for kernel in KERNELS), "model-hotspot"], test.said)
    for name in figures.names():
        for size in ("column", "slide"):
            with test.case(f"{name}, {size}: looks, and shows the run's numbers"):
                picture = figures.draw(name, size)
                expect(not (bad := wrong_look(picture, size)), bad)
                expect(not (bad := wrong(figures, name, picture)), bad)


PLANTED = [("a cost", "costs", "regret.csv", r"(?m)^(hotspot,perfsat,[-\d.]+,)[-\d.]+$", r"\g<1>77.7"),
           ("a limit", "limits-hotspot", "hotspot.lcs.dat", r"(?m) 2$", " 1"),
           ("a loss", "regret-hotspot", "hotspot.regret.csv", r"(?m)^(hotspot,lcs,\d+),.*$", r"\g<1>,99999"),
           ("a share", "stalls-hotspot", "stalls.csv", None, ""),
           ("a prediction", "model-hotspot", "model.csv", r"(?m)^(hotspot,2,[\d.]+),[\d.]+", r"\g<1>,9.0"),
           ("a choice", "model-hotspot", "policies.csv", r"(?m)^(hotspot,(?:[^,]*,){18})\d", r"\g<1>1")]


def planted(test: Planted, figures: Figures) -> None:
    """A picture of other files is not taken for one of these."""
    for what, name, file, pattern, new in PLANTED:
        with test.case(f"planted: {what}"):
            kept = (figures.run / file).read_text()
            if pattern is None:  # two classes change places: the sum stays
                rows = list(csv.reader(kept.splitlines()))
                rows[1][4], rows[1][9] = rows[1][9], rows[1][4]
                other = "".join(",".join(row) + "\n" for row in rows)
            else:
                other = re.sub(pattern, new, kept, count=1)
            expect(other != kept, "nothing was changed")
            (figures.run / file).write_text(other)
            picture = figures.draw(name)
            (figures.run / file).write_text(kept)
            expect(wrong(figures, name, picture), "not found")


def forms(test: Planted, figures: Figures) -> None:
    path = test.work / "x"
    words = [figures.ballast, "figure", "--run", figures.run]
    for size, pixels, points in (("column", 2008, 241), ("slide", 1920, 960)):
        with test.case(f"{size} as PNG and as PDF"):
            test.command(0, *words, "--size", size, "--out", f"{path}.png", "costs")
            width, height, colors = map(int, run(["convert", f"{path}.png", "-format", "%w %h %k", "info:"]).stdout.split())
            expect(width == pixels and colors > 30 and (size == "column" or height == 1080), f"{width} by {height}, {colors} colours")
            test.command(0, *words, "--size", size, "--out", f"{path}.pdf", "costs")
            pdf = Path(f"{path}.pdf").read_bytes()
            found = re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", pdf)
            expect(pdf.startswith(b"%PDF") and found and abs(float(found[1]) - points) < 1, f"a PDF of {found and found[1]}")
    with test.case("without --out: NAME.svg"):
        test.command(0, Path(figures.ballast).resolve(), *words[1:], "regret-hot & spot", cwd=test.work)
        expect((test.work / "regret-hot & spot.svg").is_file(), "not there")
    empty = test.work / "empty"
    empty.mkdir()
    with test.case("without rsvg-convert: one line, and the old file stays"):
        Path(f"{path}.pdf").write_text("old")
        test.command(3, *words, "--out", f"{path}.pdf", "costs", env={"PATH": str(empty)})
        test.one_line("rsvg-convert is missing.*librsvg2-bin")
        expect(Path(f"{path}.pdf").read_text() == "old" and not list(test.work.glob("*.tmp")), "another file")
    with test.case("an rsvg-convert that fails: one line, and the old file stays"):
        (empty / "rsvg-convert").write_text("#!/bin/sh\necho no >&2\nexit 1\n")
        (empty / "rsvg-convert").chmod(0o755)
        test.command(3, *words, "--out", f"{path}.pdf", "costs", env={"PATH": str(empty)})
        test.one_line(rf"^ballast: {re.escape(str(path))}\.pdf: rsvg-convert does not write it")
        expect(Path(f"{path}.pdf").read_text() == "old" and not list(test.work.glob("*.tmp")), "another file")


def refused(test: Planted, figures: Figures) -> None:
    words = [figures.ballast, "figure", "--run", figures.run]
    for name, status, more, line in (("no such picture", 2, ["limits-nobody"], "no picture 'limits-nobody'; 'ballast figure --run"),
                                     ("a model of a kernel without one", 2, ["model-hot & spot"], "no picture"),
                                     ("where nothing can be written", 3, ["--out", "/nowhere/x.svg", "costs"], "/nowhere/x.svg: cannot write"),
                                     ("the same for a PDF", 3, ["--out", "/nowhere/x.pdf", "costs"], "/nowhere/x.pdf: cannot write")):
        with test.case(f"refused: {name}"):
            test.command(status, *words, *more)
            test.one_line(re.escape(line))
    with test.case("refused: a damaged run"):
        shutil.copy(figures.run / "stalls.csv", kept := test.work / "kept.csv")
        (figures.run / "stalls.csv").write_text("kernel\n")
        test.command(3, *words, "costs")
        test.one_line("stalls.csv")
        shutil.copy(kept, figures.run / "stalls.csv")


def tables(test: Planted, figures: Figures) -> None:
    table, out = test.work / "table.csv", test.work / "table.svg"
    words = [figures.ballast, "figure", "--table", table, "--out", out]
    for cost in ("many", "", "1 x", "inf", "nan"):
        with test.case(f"a table of costs: '{cost}' is no number: one line, and no picture of half a table"):
            table.write_text(f"row,column,cost,what\nlcs,fma,1.5,x\nlcs,chase,{cost},x\n")
            test.command(3, *words)
            test.one_line("table.csv: line 3: .*" + ("a cost that is no number" if cost else "cost"))
            expect(not out.exists(), "a picture")
    with test.case("a table of costs: its numbers are drawn"):
        table.write_text("row,column,cost,what\nlcs,fma,1.5,x\nlcs,chase,-2,x\n")
        test.command(0, *words)
        expect(all(f">{text}</text>" in out.read_text() for text in ("1.5", "-2.0", "lcs", "fma", "chase")), out.read_text())


def main() -> int:
    with Planted("", "") as test:
        figures = Figures(test, sys.argv[1])
        for part in (drawn, planted, forms, refused, tables):
            part(test, figures)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
