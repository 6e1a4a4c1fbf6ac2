"""Builds the wheel and the source archive into dist/, and lets twine look at them.

Then the wheel alone harvests the sample blog, installed in an empty environment and called from an empty folder.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
sys.path.insert(0, str(ROOT / "sample"))
from serve import served  # noqa: E402  # a script's folder, not a package

POSTS = 45  # of the sample blog
QUIET = (
    "-qq",
    "--disable-pip-version-check",
    "--root-user-action",
    "ignore",
    "--constraint",
    str(ROOT / "constraints.txt"),
)


def environment(folder: Path, *packages: str) -> Path:
    """Where the programs of a new environment are that has these packages."""
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    run(programs / "python", "-m", "pip", "install", *QUIET, *packages)
    return programs


def run(*command: str | Path, at: Path = ROOT) -> str:
    """What a command says; one that fails ends everything."""
    done = subprocess.run([str(word) for word in command], cwd=at, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(folder: Path) -> Path:
    """The wheel, made out of the source archive, so that both are whole."""
    shutil.rmtree(DIST, ignore_errors=True)
    programs = environment(folder, "build", "twine")
    run(programs / "python", "-m", "build", "--outdir", DIST, ROOT)
    run(programs / "twine", "check", "--strict", *sorted(DIST.iterdir()))
    return next(DIST.glob("*.whl"))


def tried(wheel: Path, folder: Path) -> int:
    """How many posts of the sample blog the wheel finds, where nothing else is."""
    program = environment(folder / "environment", str(wheel)) / "blogforever"
    empty = folder / "empty"
    empty.mkdir()
    with served(folder / "site") as url:
        run(program, "crawl", f"{url}/", "--allow-private", "--delay", "0", "--jsonl", "posts.jsonl", at=empty)
    run(program, "export", "--format", "site", "copy", at=empty)
    lines = (empty / "posts.jsonl").read_text(encoding="utf-8").splitlines()
    return sum(json.loads(line)["type"] == "post" for line in lines)


def main() -> int:
    """Command line."""
    with tempfile.TemporaryDirectory(prefix="blogforever-package-") as folder:
        wheel = built(Path(folder) / "tools")
        found = tried(wheel, Path(folder))
    print(f"{wheel.name}: {found} of {POSTS} posts of the sample blog, installed in an empty environment")
    return 0 if found == POSTS else 1


if __name__ == "__main__":
    sys.exit(main())
