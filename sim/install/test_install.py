# SPDX-License-Identifier: Apache-2.0
"""'make install' into a folder of its own, used as another project would: C and C++ programs, pkg-config, CMake, the command far from the
source tree, man pages, completion, lists of RTL files. And what an install must not do: leave half, remove what is not its own.

  python3 sim/install/test_install.py BUILD_DIR

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import rtl_lists
from planted import Planted, expect

# Library: page with a program, what that prints last, the library's first header, name in CMake.
LIBRARIES = {"ballast": ("README.md", "cycle 4852: limit 6", "ballast"),
             "ballast_analytic": ("doc/use/analytic.md", "4 CTAs per SM: 58265 cycles, 178 W", "analytic")}
# The examples of these take minutes, write into the tree or need what is not there.
UNTRIED = ("bench", "bench-chip", "bench-sim", "experiment", "import", "import-folder", "export", "grid", "new-block", "report", "run", "validate", "calibrate", "diff", "figure", "trend", "query")


class Installed(Planted):
    """`prefix` has an install."""

    def __enter__(self) -> Installed:
        super().__enter__()
        self.prefix = self.work / "usr"
        self.make("install")
        return self

    def make(self, target: str, status: int = 0, **variables: object) -> None:
        words = {"B": self.build, "PREFIX": self.prefix} | variables
        self.command(status, "make", "--no-print-directory", target, *(f"{name}={value}" for name, value in words.items()))

    def ballast(self, status: int, *words: object) -> str:
        """The installed command, in an empty folder."""
        folder = self.work / "elsewhere"
        folder.mkdir(exist_ok=True)
        self.command(status, self.prefix / "bin/ballast", *words, cwd=folder)
        return self.said

    def files(self, root: Path | None = None) -> set[str]:
        root = root or self.prefix
        return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file() or path.is_symlink()}


def program_of(page: str) -> str:
    found = re.search(r"^```c\n(.*?)^```$", Path(page).read_text(), re.M | re.S)
    expect(found, f"{page} has no program")
    return found[1]


# ---- for programs ------------------------------------------------------------------------------------

def programs(test: Installed) -> None:
    env = {"PKG_CONFIG_PATH": str(test.prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(test.prefix / "lib")}
    for name, (page, last, _) in LIBRARIES.items():
        source, binary = test.work / f"{name}.c", test.work / name
        source.write_text(program_of(page))
        for kind, library in (("shared", f"-l{name}"), ("static", f"-l:lib{name}.a")):
            with test.case(f"{name}: the page's program, {kind}, says what the page says"):
                test.command(0, "pkg-config", "--cflags", "--libs", name, env=env)
                flags = [library if word == f"-l{name}" else word for word in test.said.split()]
                test.command(0, "cc", "-std=c11", "-Wall", "-Werror", "-o", binary, source, *flags)
                test.command(0, binary, env=env)
                expect(test.said.splitlines()[-1] == last, "another end")
                test.command(0, "readelf", "-d", binary)
                expect((f"lib{name}.so.0]" in test.said) == (kind == "shared"), "linked in another way")
    with test.case("neither library needs the other, and a name that is in both is in neither"):
        defined = []
        for name in LIBRARIES:
            test.command(0, "nm", "-D", "--defined-only", test.prefix / f"lib/lib{name}.so")
            defined.append(set(re.findall(r" [TRDB] (\w+)$", test.said, re.M)))
            test.command(0, "readelf", "-d", test.prefix / f"lib/lib{name}.so")
            expect(f"Library soname: [lib{name}.so.0]" in test.said and "[libballast" not in test.said.replace(f"soname: [lib{name}.so.0]", ""),
                   "another soname, or it needs the other one")
        expect(defined[0] and defined[1] and not defined[0] & defined[1], "in both")
    include = test.prefix / "include/ballast"
    for compiler in (["cc", "-std=c11"], ["g++", "-std=c++20", "-xc++"], ["clang++", "-std=c++20", "-xc++"]):
        with test.case(f"each header alone: {' '.join(compiler)} -pedantic"):
            headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
            expect(len(headers) > 20, "no headers")
            for header in headers:
                (test.work / "one.c").write_text(f'#include "{header}"\n')
                test.command(0, *compiler, "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}", f"-I{include.parent}", test.work / "one.c")


# ---- the client ----------------------------------------------------------------------------------------

CPLUSPLUS = """#include <cstdio>
#include <ballast/client.h>
#include <ballast/client.h>
struct policy { int ballast_state, warp_state, kernel_desc; };
int main()
{
    ballast_client_settings settings = ballast_client_defaults();
    settings.policy = BALLAST_POLICY_LCS;
    ballast_client *client = ballast_client_open(&settings);
    ballast_client_kernel kernel = {};
    kernel.nmax = 5;
    kernel.block[0] = 64;
    ballast_client_kernel_start(client, BALLAST_CLIENT_ALL_SMS, &kernel);
    ballast_client_step(client);
    ballast_client_step(client);
    std::printf("limit %u\\n", ballast_client_decision_of(client, 14).limit);
    ballast_client_close(client);
}
"""


def client(test: Installed) -> None:
    """The page's program and one in C++, outside of the tree; what the first one records is imported, and agrees."""
    env = {"PKG_CONFIG_PATH": str(test.prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(test.prefix / "lib")}
    page = Path("doc/use/client.md").read_text()
    source, binary, run = test.work / "toy.c", test.work / "toy", test.work / "run1"
    source.write_text(program_of("doc/use/client.md"))
    test.command(0, "pkg-config", "--cflags", "--libs", "ballast", env=env)
    flags = test.said.split()
    with test.case("client: the page's program says what the page says"):
        test.command(0, "cc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", binary, source, *flags)
        test.command(0, binary, env=env)
        shown = re.search(r"^It prints, last line last:\n\n((?:    .*\n)+)", page, re.M)
        expect(shown and test.said == re.sub(r"^    ", "", shown[1], flags=re.M), f"it says {test.said}")
    with test.case("client: what it records is imported, and its class agrees in every cycle"):
        run.mkdir()
        test.command(0, binary, run, env=env)
        expect(sorted(path.name for path in run.iterdir()) == ["cta.csv", "cyc.bin", "ker.csv"], "other files")
        test.ballast(0, "import", "--dir", run, "--out", "run1.blt", "--sms", 2)
        test.ballast(0, "agree", "run1.blt")
        test.says(r"^run1 .* 100\.0000%$")
    with test.case("client: in C++, beside names that it must not have"):
        for compiler in ("g++", "clang++"):
            (test.work / "user.cpp").write_text(CPLUSPLUS)
            test.command(0, compiler, "-std=c++20", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", binary, test.work / "user.cpp", *flags)
            test.command(0, binary, env=env)
            expect(test.said == "limit 5\n", test.said)
    with test.case("client: its header is found where others look, without the models' folder"):
        test.command(0, "cc", "-std=c11", "-fsyntax-only", f"-I{test.prefix}/include", "-x", "c", source)


# ---- policies ------------------------------------------------------------------------------------------

LEAST = """#include <ballast/policy.h>
namespace {
void reset(void *, const void *) {}
void step(void *, const void *, const ballast_policy_in *, ballast_policy_out *out) { out->limit = out->done = 1; }
}
BALLAST_POLICY_EXPORT const ballast_policy_functions ballast_policy_entry = {BALLAST_POLICY_INTERFACE, .name = "least", .reset = reset, .step = step};
"""


def policies(test: Installed) -> None:
    """The page's examples, compiled and run far from the tree."""
    env = {"PKG_CONFIG_PATH": str(test.prefix / "lib/pkgconfig")}
    page = Path("doc/use/own_policy.md").read_text()
    test.command(0, "pkg-config", "--cflags", "ballast", env=env)
    flags = test.said.split()
    for name, source in zip(("descend", "together"), re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S), strict=True):
        with test.case(f"policy: {name}.c of the page runs under the installed command"):
            (test.work / f"{name}.c").write_text(source)
            test.command(0, "cc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", test.work / f"{name}.so",
                         test.work / f"{name}.c", *flags)
            kernel = test.prefix / "share/ballast/sim/kernels/recorded/pathlong.kernel"
            beside = ["--policy", "all" if name == "descend" else "static"]  # one beside another is a line of a table
            said = test.ballast(0, "sim", *beside, "--policy", test.work / f"{name}.so", kernel)
            expect(said.splitlines()[-1] in re.findall(rf"^    ({name} .*)$", page, re.M), f"it says {said}")
    for compiler in ("g++", "clang++"):
        with test.case(f"policy: one in C++, {compiler}"):
            (test.work / "least.cpp").write_text(LEAST)
            test.command(0, compiler, "-std=c++20", "-pedantic", "-Wall", "-Werror", "-fvisibility=hidden", "-shared", "-fPIC", "-o", test.work / "least.so",
                         test.work / "least.cpp", *flags)
            test.ballast(0, "sim", "--policy", test.work / "least.so", kernel)
            test.says("^CTA limit    1 at the end, decided by 15 SMs")


# Beginnings of names: of the blocks and the models, and one for all that is nobody's.
OWNERS = {"ballast": "ballast_", "ballast_reference": "ballast_reference_", "ballast_analytic": "analytic_ ipp_ mwp_cwp_ occupancy_ slowdown_ throughput_"}


def owner_of(header: Path) -> str:
    return "ballast_analytic" if "analytic" in header.parts else "ballast_reference" if header.name == "reference.h" else "ballast"


def declared(test: Installed, headers: list[Path], include: Path) -> tuple[set[str], set[str]]:
    """Functions and variables, and all names, of the libraries' headers. A name of the system is none of theirs."""
    linked, names = set(), set()
    for header in headers:
        test.command(0, "clang", "-std=c11", f"-I{include}", f"-I{include.parent}", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", header)
        own = header.read_text()
        for node in json.loads(test.said)["inner"]:
            kinds = [node, *(one for one in node.get("inner", []) if one["kind"] == "EnumConstantDecl")]
            found = {one["name"] for one in kinds if one.get("name") and not one.get("isImplicit") and re.search(rf"\b{one['name']}\b", own)}
            names |= {name for name in found if not node.get("loc", {}).get("includedFrom")}
            if node["kind"] in ("FunctionDecl", "VarDecl") and node.get("storageClass") != "static" and not node.get("loc", {}).get("includedFrom"):
                linked |= found
        names |= {name for name in re.findall(r"^#define (\w+)", own, re.M)}
    return linked, names


def abi(test: Installed) -> None:
    include = test.prefix / "include/ballast"
    blocks = " ".join(f"{path.stem}_" for folder in ("sm", "chip") for path in (include / folder).glob("*.h"))
    linked: set[str] = set()
    names: set[str] = set()
    for name, owners in OWNERS.items():
        headers = sorted(path for path in include.rglob("*.h") if owner_of(path) == name)
        with test.case(f"{name}: exported is what the headers declare, and nothing else"):
            linked, names = declared(test, headers, include)
            test.command(0, "nm", "-D", "--defined-only", test.prefix / f"lib/lib{name}.so")
            exported = set(re.findall(r" [TRDBV] (\w+)$", test.said, re.M))
            expect(exported == linked, f"{sorted(exported ^ linked)}")
        with test.case(f"{name}: every public name begins with its owner's"):
            begins = tuple(f"{owners} {blocks if name == 'ballast' else 'ballast_'}".split())
            wrong = sorted(one for one in names if not one.lower().startswith(begins))
            expect(len(names) >= len(linked) > 0 and not wrong, f"{wrong}")
    with test.case("every header says that it is C"):
        for header in include.rglob("*.h"):
            text = header.read_text()
            expect('extern "C" {' in text or header.name in ("ballast.h", "analytic.h"), f"{header.name}")
            expect(not header.name.endswith("_private.h"), f"{header.name} is nobody else's business")


def cmake(test: Installed) -> None:
    folder = test.work / "cmake"
    folder.mkdir()
    lines = ["cmake_minimum_required(VERSION 3.16)", "project(users C)", "find_package(Ballast 0.1 REQUIRED)"]
    for name, (page, _, target) in LIBRARIES.items():
        (folder / f"{name}.c").write_text(program_of(page))
        for kind in ("", "_static"):
            lines += [f"add_executable({target}{kind}_user {name}.c)", f"target_link_libraries({target}{kind}_user Ballast::{target}{kind})"]
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    with test.case("CMake finds the libraries, and its programs say what the pages say"):
        test.command(0, "cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={test.prefix}")
        test.command(0, "cmake", "--build", folder / "build")
        for _, last, target in LIBRARIES.values():
            for kind in ("", "_static"):
                test.command(0, folder / "build" / f"{target}{kind}_user")
                expect(test.said.splitlines()[-1] == last, "another end")
    with test.case("CMake: a version that does not fit is refused"):
        text = (folder / "CMakeLists.txt").read_text()
        for version in ("1.0", "0.2"):
            (folder / "CMakeLists.txt").write_text(text.replace("Ballast 0.1 ", f"Ballast {version} "))
            test.command(1, "cmake", "-S", folder, "-B", folder / f"build{version}", f"-DCMAKE_PREFIX_PATH={test.prefix}")
            test.says(f'compatible with requested version "{version}"')


# ---- the command -------------------------------------------------------------------------------------

def command(test: Installed) -> None:
    share = test.prefix / "share/ballast"
    with test.case("--version and --data"):
        expect(re.fullmatch(r"ballast \d+\.\d+\.\d+ \(fermi: NumWarps=48 .*\)\n", test.ballast(0, "--version")), "another version")
        expect(test.ballast(0, "--data") == f"{share.resolve()}\n", "another folder")
    with test.case("far from the source tree: run, waves, sim, analytic find what they need"):
        test.ballast(0, "run", "--max-cycles", 300, "--out", "run", share / "vectors/MANIFEST.csv")
        test.says(r"^report: run/report.html")
        test.ballast(0, "waves", "--out", "waves", "lcs", share / "vectors/fma.n8.blt")
        test.ballast(0, "sim", "--max-cycles", 2000, share / "sim/kernels/recorded/hotspot.kernel")
        test.ballast(0, "validate", share / "vectors/MANIFEST.csv", "--help")
    with test.case("moved as a whole it finds its data"):
        moved = test.work / "moved"
        test.prefix.rename(moved)
        test.command(0, moved / "bin/ballast", "--data", cwd=test.work)
        expect(test.said == f"{moved.resolve()}/share/ballast\n", "another folder")
        moved.rename(test.prefix)
    with test.case("-h, --help and 'help COMMAND' are one, with examples"):
        for name in test.ballast(0, "help", "--commands").split():
            said = {test.ballast(0, *words) for words in (("help", name), (name, "--help"), (name, "-h"))}
            expect(len(said) == 1 and "Examples:\n  ballast " in said.pop(), f"{name}: not one help")
        expect(test.ballast(0, "help") == test.ballast(0, "--help") == test.ballast(0, "-h"), "not one help")
    for words, meant in ((("lockstp",), "lockstep"), (("wave",), "waves"), (("help", "infoo"), "info"), (("run", "--max-cylces=7"), "--max-cycles"),
                         (("lockstep", "--injct", "x"), "--inject"), (("blocks", "--hepl"), "--help")):
        with test.case(f"{' '.join(words)}: did you mean '{meant}'?"):
            test.ballast(2, *words)
            test.one_line(f"did you mean '{meant}'\\?$")
    with test.case("nothing is meant by nonsense, an argument is no option, a short name of an option will do"):
        test.ballast(2, "xyzzy")
        test.one_line("no command 'xyzzy'; 'ballast help' lists them$")
        test.ballast(2, "info", "--qqqqqqqqqqq")
        test.one_line("no option '--qqqqqqqqqqq'; 'ballast info --help' lists them$")
        test.ballast(3, "lockstep", "--out", "--xyzzy", "none.blt")
        test.says("none.blt")
        test.ballast(0, "lockstep", "--max-c", 10, share / "vectors/fma.n8.blt")


def examples(test: Installed) -> None:
    """Those of the man pages, from where the data is; what they write goes elsewhere."""
    written = test.work / "example"
    written.mkdir()
    for name in test.ballast(0, "help", "--commands").split():
        found = re.findall(r"^\.B ballast (\S.*)$", (test.prefix / f"share/man/man1/ballast-{name}.1").read_text(), re.M)[1:]
        for line in found:
            words = line.replace("\\-", "-").replace("\\e", "\\").split()
            if words[0] in UNTRIED:
                continue
            with test.case(f"example: ballast {' '.join(words)}"):
                expect(words[0] == name, "of another command")
                out = ["--out", written] if "--out" in test.ballast(0, "help", "--options", name) else []
                data = test.prefix / "share/ballast"
                files = [str(path.relative_to(data)) for word in words if "*" in word for path in sorted(data.glob(word))]
                words = [written / word if word.endswith(".svg") else word for word in words if "*" not in word] + files
                test.command(1 if "--inject" in words else 0, test.prefix / "bin/ballast", words[0], *out, *words[1:], cwd=data)


def pages(test: Installed) -> None:
    found = sorted((test.prefix / "share/man/man1").iterdir())
    with test.case("a man page for each command, which groff has nothing to say about"):
        expect(len(found) == 1 + len(test.ballast(0, "help", "--commands").split()), "not one each")
        for page in found:
            test.command(0, "groff", "-man", "-ww", "-Tascii", "-P-c", "-P-b", "-P-u", "-P-o", page)
            expect("warning" not in test.said and "error" not in test.said, f"{page.name}: {test.said[:200]}")
            expect(re.search(rf"^NAME\n +{re.escape(page.stem)} +- +\w", test.said, re.M), f"{page.name} has no name")


def completion(test: Installed) -> None:
    env = {"PATH": f"{test.prefix / 'bin'}:{os.environ['PATH']}"}
    bash = test.prefix / "share/bash-completion/completions/ballast"
    for words, want in ((("lockst",), "lockstep"), (("help", "lockst"), "lockstep"), (("lockstep", "--inj"), "--inject"), (("info", "--ver"), "--verify")):
        with test.case(f"bash completes 'ballast {' '.join(words)}'"):
            quoted = " ".join(("ballast", *words))
            test.command(0, "bash", "-c", f"source {bash}; COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _ballast; echo \"${{COMPREPLY[@]}}\"", env=env)
            expect(test.said == f"{want}\n", test.said)
    with test.case("zsh takes its completion"):
        test.command(0, "zsh", "-n", test.prefix / "share/zsh/site-functions/_ballast")
        script = ("compadd() { print -r -- ${@:2} }; _files() { print files }; PREFIX=--inj; words=(ballast lockstep --inj); CURRENT=3; "
                  f"source {test.prefix}/share/zsh/site-functions/_ballast")
        test.command(0, "zsh", "-f", "-c", script, env=env)
        expect("--inject" in test.said.split(), test.said)


def rtl(test: Installed) -> None:
    share = test.prefix / "share/ballast"
    with test.case("the list of RTL files is what Verilator wants, from anywhere"):
        test.command(0, "verilator", "--lint-only", "-Wall", "-F", share / "rtl/ballast.f", "--top-module", "chip_governor", cwd=test.work)
    with test.case("the instances have the modules' parameters and ports"):
        text = (share / "rtl/instances.sv").read_text()
        modules = [path for path in (share / "rtl").rglob("*.sv") if path.name != "instances.sv" and not path.stem.endswith("_pkg")]
        expect(len(re.findall(r"^\) u_\w+ \($", text, re.M)) + len(re.findall(r"^\w+ u_\w+ \($", text, re.M)) == len(modules),
               "not one of each")
        top = test.work / "top.sv"
        top.write_text("module top;\nlocalparam int NumSms = 15, NumWarps = 48, NumSlots = 8, IssueWidth = 2;\n" + text + "endmodule\n")
        test.command(0, "verilator", "--lint-only", "-Wno-fatal", "-F", share / "rtl/ballast.f", top, "--top-module", "top")
        for pattern in ("PINMISSING", "PINNOTFOUND", "PINCONNECTEMPTY"):
            expect(pattern not in test.said, f"{pattern}")
    with test.case("a driver finds the registers"):
        for file in Path("rtl/registers").glob("*.[hr]*"):
            expect((share / file).read_text() == file.read_text(), f"{file}")
        driver = test.work / "driver.c"
        driver.write_text(f'#include "{share}/rtl/registers/ballast_regs_map.h"\nint main(void) {{ return BALLAST_REGS_LIMIT(3) != 0x40c; }}\n')
        test.command(0, "gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", driver, "-o", test.work / "driver")
        test.command(0, test.work / "driver")
    with test.case("the lists name every file, and packages first"):
        names = {path.relative_to(share / "rtl").as_posix() for path in (share / "rtl").rglob("*.sv")} - {"instances.sv"}
        for file, prefix in (("rtl/ballast.f", ""), ("rtl/ballast.core", "      - "), ("Bender.yml", "  - rtl/")):
            found = [line.removeprefix(prefix) for line in (share / file).read_text().splitlines() if line.endswith(".sv") and line.startswith(prefix)]
            expect(set(found) == names and len(found) == len(names) and found[0].endswith("_pkg.sv"), f"{file}: {found}")
    with test.case("a file that is in no room of rtl is refused, and a module without a header that can be read"):
        tree = test.work / "tree"
        shutil.copytree("rtl", tree / "rtl")
        (tree / "rtl/odd.sv").write_text("module odd; endmodule\n")
        for job, word in ((lambda: rtl_lists.sources(tree / "rtl"), "odd.sv"), (lambda: rtl_lists.instance("module odd; endmodule"), "header")):
            try:
                job()
            except rtl_lists.tools.Failure as failure:
                expect(word in str(failure), str(failure))
            else:
                raise AssertionError("taken")


def packed(test: Installed) -> None:
    with test.case("dist packs what is committed, and the lists" if Path(".git").exists() else "dist of no clone: one line"):
        test.make("dist", 0 if Path(".git").exists() else 2, XZ_LEVEL=0)
        if not Path(".git").exists():
            test.says("this is none$")
            return
        version = test.ballast(0, "--version").split()[1]
        test.command(0, "sha256sum", "-c", f"ballast-{version}.tar.xz.sha256", cwd=Path("build"))
        test.command(0, "git", "ls-tree", "-r", "--name-only", "HEAD")
        names = {*test.said.splitlines(), *rtl_lists.lists(Path(), version)}
        test.command(0, "tar", "-tJf", f"build/ballast-{version}.tar.xz")
        expect({line for line in test.said.splitlines() if not line.endswith("/")} == {f"ballast-{version}/{name}" for name in names}, "other files")


# ---- what an install must not do -------------------------------------------------------------------------

def careful(test: Installed) -> None:
    staged = test.work / "staged"
    with test.case("DESTDIR packs the same files, which know PREFIX alone"):
        test.make("install", PREFIX="/opt/ballast", DESTDIR=staged)
        expect(test.files(staged / "opt/ballast") == test.files(), "other files")
        expect("prefix=/opt/ballast\n" in (staged / "opt/ballast/lib/pkgconfig/ballast.pc").read_text(), "another prefix")
        expect(str(staged) not in (staged / "opt/ballast/share/ballast/installed").read_text(), "DESTDIR is in it")
    with test.case("once more is the same; what an earlier version has left goes, what is not ours stays"):
        before = test.files()
        listing = test.prefix / "share/ballast/installed"
        (test.prefix / "lib/libballast_old.a").write_text("old")
        (test.prefix / "lib/theirs").write_text("theirs")
        listing.write_text(listing.read_text() + "lib/libballast_old.a\n")
        test.make("install")
        expect(test.files() == before | {"lib/theirs"}, f"{test.files() ^ before}")
    with test.case("a list that leads out of the prefix is refused, and nothing is removed"):
        listing = test.prefix / "share/ballast/installed"
        good = listing.read_text()
        (test.work / "precious").write_text("mine")
        for bad in ("../precious", str(test.work / "precious"), "lib/../../precious"):
            listing.write_text(good + bad + "\n")
            test.make("uninstall", 2)
            test.says("is not below")
            expect((test.work / "precious").is_file() and (test.prefix / "bin/ballast").is_file(), "removed")
        listing.write_text(good)
    with test.case("no place: one line, and what was there stays"):
        full = test.work / "file"
        full.write_text("")
        test.make("install", 2, PREFIX=full / "usr")
        test.says(r"install.py: .*Not a directory$")
        test.make("install", 2, PREFIX="usr")
        test.says("'usr' is not absolute$")
    with test.case("a full disk: one line, no file is half, and it can be removed"):
        small = test.work / "small"
        small.mkdir()
        test.command(0, "mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", small)
        try:
            test.make("install", 2, PREFIX=small / "usr")
            test.says(r"install.py: .*No space left on device$")
            for name in test.files(small / "usr") - {"share/ballast/installed", *(f"lib/pkgconfig/{one}.pc" for one in OWNERS)}:
                expect((small / "usr" / name).stat().st_size == (test.prefix / name).stat().st_size, f"{name} is half")
            test.make("uninstall", PREFIX=small / "usr")
            expect(not list((small / "usr").rglob("*")), "something is left")
        finally:
            test.command(0, "umount", small)
    with test.case("uninstall removes all that is ours, and nothing else"):
        test.make("uninstall")
        expect(test.files() == {"lib/theirs"}, f"{sorted(test.files())[:9]}")
        test.make("uninstall", 2)
        test.says("nothing of Ballast is installed there")


if __name__ == "__main__":
    with Installed("", sys.argv[1] if len(sys.argv) > 1 else "build/fermi") as installed:
        for part in (programs, client, policies, abi, cmake, command, examples, pages, completion, rtl, packed, careful):
            part(installed)
    sys.exit(installed.status)
