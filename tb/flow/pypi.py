# SPDX-License-Identifier: Apache-2.0
"""Packages from PyPI, each in a virtual environment of its own below a build. Nothing of them is needed to build or to run Ballast."""
from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import tools


@dataclass(frozen=True)
class Package:
    """`proof`: a file below a virtual environment that the package brings. `megabytes`: of a large one."""

    name: str
    proof: str
    megabytes: int = 0

    @property
    def venv(self) -> Path:
        """Where it is when nobody says otherwise."""
        return Path("build/pypi") / self.name

    @property
    def there(self) -> bool:
        return (self.venv / self.proof).exists()


COCOTB = Package("cocotb==2.1.0", "bin/cocotb-config")
PYARROW = Package("pyarrow==26.0.1", f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/pyarrow/parquet/__init__.py", 194)


def environment(package: Package, venv: Path | None = None) -> Path:
    """A virtual environment with the package, made when it is not there. Missing when it cannot be had."""
    venv = venv or package.venv
    if (venv / package.proof).exists():
        return venv
    print(f"installing {package.name} from PyPI into {venv}", file=sys.stderr, flush=True)
    try:
        tools.run([sys.executable, "-m", "venv", "--clear", venv])
        tools.run([venv / "bin/pip", "install", "-q", "--disable-pip-version-check", "--retries", "1", package.name], seconds=1800)
    except tools.ToolFailed as failure:
        said = failure.output.strip().splitlines()
        raise tools.Missing(f"{package.name} cannot be had from PyPI: {said[-1] if said else failure}") from None
    if not (venv / package.proof).exists():
        raise tools.Missing(f"{package.name} has no {package.proof}")
    return venv
