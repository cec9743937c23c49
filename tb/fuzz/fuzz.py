# SPDX-License-Identifier: Apache-2.0
"""Coverage-guided fuzzing of the blocks in lockstep and of the readers of files.

  fuzz.py BUILD_DIR programs [TARGET...]        the programs that the targets need, for make
  fuzz.py BUILD_DIR run SECONDS [TARGET...]     fuzzes each target so long; exit status 1: something was found
  fuzz.py BUILD_DIR update [TARGET...]          takes new inputs into the archives (corpus.py), the fewest that reach the same
  fuzz.py BUILD_DIR unpack                      the archives as folders BUILD_DIR/fuzz/corpus/TARGET, for the tests

A TARGET is a block (its lines 'fuzz VARIANT' in tb/blocks/X/targets, or itself), a variant or a kind of file; without any all
of them. What a run adds to the inputs lies in BUILD_DIR/fuzz/inputs, what it found in BUILD_DIR/fuzz/findings; Ctrl-C keeps
both. Run from the repository root."""
from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
import corpus  # noqa: E402
from blocks import blocks, configurations, targets, variants  # noqa: E402
from tools import Failure, Options, ToolFailed, program, run, whole  # noqa: E402

# The kinds of files (tb/fuzz/files.h) and the sources that have the keys of the text files.
KINDS: dict[str, list[str]] = {
    "trace": [],
    "parts": [],
    "import": ["sim/recording/raw_tables.c"],
    "import2": ["sim/recording/raw_tables.c"],
    "text": ["sim/recording/raw_tables.c", "sim/recording/raw_text.c"],
    "vcd": ["sim/dump/dump_map.c", "sim/dump/vcd.c", "sim/recording/raw_text.c"],
    "kernel": ["sim/kernels/kernel_file.c"],
    "gpu": ["sim/analytic/gpu_file.c", "cmodel/analytic/ipp_keys.c"],
    "workload": ["sim/kernels/kernel_file.c"],
    "manifest": ["sim/cli/manifest.c"],
}
MOST_BYTES = 14000                # of a target's inputs in the repository ...
MOST_BYTES_OF = {"parts": 60000, "vcd": 40000}  # ... and of recordings: it takes whole ones to get everywhere in their reader


@dataclass(frozen=True)
class Target:
    name: str
    archive: Path

    @property
    def is_kind(self) -> bool:
        return self.name in KINDS


class Store:
    """Where programs, inputs and findings of a build lie; the tests have inputs and findings of their own."""

    def __init__(self, build: Path):
        self.build = build
        self.fuzz = build / "fuzz"
        own = Path(os.environ.get("FUZZ_STORE") or self.fuzz)
        self.kept, self.inputs, self.findings = own / "corpus", own / "inputs", own / "findings"

    def program(self, target: Target) -> Path:
        return self.fuzz / ("fuzz_files" if target.is_kind else f"fuzz_{target.name}")

    def command(self, target: Target) -> list[str | Path]:
        """The program with its own options."""
        path = self.program(target)
        if not os.access(path, os.X_OK):
            raise Failure(f"{path} is not there; run: make fuzz BLOCKS={target.name}")
        if target.is_kind:
            return [path, f"--kind={target.name}"]
        return [path, f"--findings={self.findings}/{target.name}", f"--program={self.build}/test/ballast"]

    def limits(self, target: Target) -> list[str]:
        return [f"-max_len={4096 if target.is_kind else 512}", "-rss_limit_mb=512", "-timeout=20"]


def targets_of(name: str) -> list[Target]:
    if name in KINDS:
        return [Target(name, Path("tb/fuzz/corpus") / f"{name}.tar.xz")]
    for block in blocks().values():
        if name in variants(block):
            lines_of_block = targets("fuzz", block, configurations()[0], ())  # of any geometry: only the names matter
            names = [target.name for target in lines_of_block] if name == block.name else [name]
            return [Target(one, block.room / "corpus.tar.xz") for one in names]
    raise Failure(f"no block, variant or kind of file '{name}'; there are: {' '.join([*blocks(), *KINDS])}")


def choose(names: list[str]) -> list[Target]:
    return [target for name in names or [*blocks(), *KINDS] for target in targets_of(name)]


# ---- one target ------------------------------------------------------------------------------

def run_logged(command: list[str | Path], log: Path) -> int:
    """Runs a program that says everything into a log; its exit status, negative for a signal."""
    try:
        run(["sh", "-c", 'log=$1; shift; exec "$@" >"$log" 2>&1', "sh", log, *command])
    except ToolFailed as failure:
        return failure.code
    return 0


def words_of(target: Target, file: Path) -> list[str]:
    """The option with the keys of a text file, in quotes as libFuzzer takes them."""
    found = {word for source in KINDS.get(target.name, []) for word in re.findall(r'"[a-z][a-z_0-9]*"', Path(source).read_text())}
    if not found:
        return []
    with whole(file) as out:
        out.write("\n".join(sorted(found)) + "\n")
    return [f"-dict={file}"]


def lines(log: Path, pattern: str) -> list[str]:
    text = log.read_text(errors="replace") if log.is_file() else ""
    return [line for line in text.splitlines() if re.search(pattern, line)]


def last_of(log: Path) -> str:
    """libFuzzer's last line of progress."""
    return (lines(log, r"^#\d+.* cov: ") or [""])[-1]


def watch(target: Target, log: Path, ended: threading.Event) -> None:
    """On a terminal, until the program ends."""
    while sys.stdout.isatty() and not ended.wait(2):
        print(f"\r{target.name:18} {last_of(log)[:100]}\033[K", end="", flush=True)
    if sys.stdout.isatty():
        print("\r\033[K", end="", flush=True)


def field(line: str, pattern: str) -> str:
    match = re.search(pattern, line)
    return match[1] if match else ""


def summary(target: Target, log: Path, seconds: float, word: str) -> None:
    line = last_of(log)
    speed = (lines(log, "^stat::average_exec_per_sec:") or ["0"])[-1].split()[-1]
    count, coverage, features, size = (field(line, pattern) for pattern in ("^#([0-9]+)", " cov: ([^ ]+)", " ft: ([^ ]+)",
                                                                            " corp: ([^ ]+)"))
    print(f"{target.name:18} {seconds:5.0f} s {count:>9} inputs {speed:>7}/s  coverage {coverage:>5}  features {features:>6}  "
          f"corpus {size}  {word}", flush=True)


def tell_finding(store: Store, target: Target, log: Path) -> None:
    """In words, made smaller, with the lines that replay it."""
    print(f"FOUND by {target.name}; all of it: {log}")
    print("\n".join(lines(log, "^FOUND|ERROR: |runtime error|SUMMARY")[:4]))
    written = lines(log, "Test unit written to ")
    if not written:
        return
    command = store.command(target)
    artifact = Path(written[-1].partition("Test unit written to ")[2])
    small = Path(f"{artifact}.small")
    said = Path(f"{small}.log")
    run_logged([*command, "-minimize_crash=1", "-max_total_time=10", f"-exact_artifact_path={small}", artifact], said)
    if small.is_file() and small.stat().st_size:
        artifact = small
    run_logged([*command, artifact], said)  # once more, so that the recording is that of the small input
    print(f"  replay the input:    {' '.join(map(str, command))} {artifact}")
    for line in lines(said, "^  [^ ]*ballast (lockstep|chip) "):
        print(f"  replay in lockstep:  {line.strip()}", flush=True)


def fuzz_one(store: Store, target: Target, seconds: int) -> bool:
    """True: something was found. A program that neither holds nor finds anything has failed."""
    own, kept, log = store.inputs / target.name, store.kept / target.name, store.inputs / f"{target.name}.log"
    command = store.command(target)
    for folder in (own, store.findings):
        folder.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    if not corpus.unpack(target.archive, target.name, kept):
        print(f"{target.name:18} no inputs to begin with; 'make fuzz-update BLOCKS={target.name}' keeps this run's", flush=True)
    start = time.monotonic()
    ended = threading.Event()
    watcher = threading.Thread(target=watch, args=(target, log, ended))
    watcher.start()
    try:
        status = run_logged([*command, *store.limits(target), *words_of(target, store.inputs / f"{target.name}.words"),
                             f"-max_total_time={seconds}", "-len_control=10", "-print_final_stats=1",
                             f"-artifact_prefix={store.findings}/{target.name}-", own, kept], log)
    finally:
        ended.set()
        watcher.join()
    summary(target, log, time.monotonic() - start, "ok" if status == 0 else "FOUND")
    if status:
        if not lines(log, "^FOUND|ERROR: |runtime error"):
            raise Failure(f"{target.name}: its program ended with {status} and found nothing; all of it: {log}")
        tell_finding(store, target, log)
    elif not last_of(log):
        raise Failure(f"{target.name}: not a single input was run; all of it: {log}")
    return status != 0


def run_all(store: Store, chosen: list[Target], seconds: int) -> int:
    try:
        found = [target.name for target in chosen if fuzz_one(store, target, seconds)]
    except KeyboardInterrupt:
        print(f"\ninterrupted; the inputs found so far are in {store.inputs}: make fuzz-update keeps them")
        return 130
    return 1 if found else 0


# ---- keeping inputs --------------------------------------------------------------------------

def update_one(store: Store, target: Target) -> None:
    merged, kept, own = (folder / target.name for folder in (store.inputs / "merged", store.kept, store.inputs))
    shutil.rmtree(merged, ignore_errors=True)
    for folder in (merged, own):
        folder.mkdir(parents=True, exist_ok=True)
    corpus.unpack(target.archive, target.name, kept)
    log = store.inputs / f"{target.name}.merge.log"
    if run_logged([*store.command(target), *store.limits(target), "-merge=1", "-set_cover_merge=1", merged, kept, own], log):
        raise Failure(f"merging {target.name} has failed; see {log}")
    size, files = 0, []
    for file in sorted(merged.iterdir(), key=lambda path: (path.stat().st_size, path.name)):
        size += file.stat().st_size
        if size > MOST_BYTES_OF.get(target.name, MOST_BYTES):
            break  # small ones first: what does not fit is what says least per byte
        files.append(file)
    if not files:
        raise Failure(f"{target.name}: no inputs to keep; 'make fuzz BLOCKS={target.name}' finds some")
    inputs = corpus.inputs_of(files)
    corpus.write(target.archive, target.name, inputs)
    shutil.rmtree(merged)
    print(f"{target.name:18} {len(inputs):4} inputs, {sum(map(len, inputs.values())):6} bytes in {target.archive}", flush=True)


def unpack_all(store: Store) -> None:
    """And the names of the blocks' targets, for the tests."""
    chosen = choose([])
    for target in chosen:
        corpus.unpack(target.archive, target.name, store.kept / target.name)
    with whole(store.kept / "targets") as file:
        file.writelines(f"{target.name}\n" for target in chosen if not target.is_kind)


def main() -> int | None:
    parser = Options(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, metavar="BUILD_DIR")
    parser.add_argument("action", choices=["programs", "run", "update", "unpack"])
    parser.add_argument("word", nargs="*", metavar="SECONDS|TARGET")
    options = parser.parse_args()
    store = Store(options.build)
    if options.action == "run":
        if not options.word or not options.word[0].isdigit() or not int(options.word[0]):
            raise Failure(f"'{' '.join(options.word[:1])}' is no number of seconds")
        return run_all(store, choose(options.word[1:]), int(options.word[0]))
    chosen = choose(options.word)
    if options.action == "programs":
        print(*sorted({str(store.program(target)) for target in chosen}), sep="\n")
    elif options.action == "unpack":
        unpack_all(store)
    else:
        for target in chosen:
            update_one(store, target)
    return 0


if __name__ == "__main__":
    program(main)
