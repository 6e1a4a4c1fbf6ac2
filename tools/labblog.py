"""Real blog software on loopback (../shared/lab), for the checks that crawl it: started, crawled, compared, stopped."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blogforever.urls import url_key

ROOT = Path(__file__).resolve().parents[1]
LAB = ROOT.parent / "shared/lab"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "blogforever-lab"
QUICK = ("--allow-private", "--delay", "0", "--concurrency", "4")
TIME_LIMIT = 900
# Below those that systems hand out by themselves.
PORTS = range(18_000, 28_000, 10)
SHOWN = 20

Json = dict[str, Any]


@contextmanager
def lab_blog(
    script: str, installed: str | None = None, ports: int = 3, options: Sequence[str] = ()
) -> Iterator[tuple[Path, str]]:
    """A lab blog freshly seeded on free ports: its data folder and its address; what it installed is kept."""
    with tempfile.TemporaryDirectory(prefix="blogforever-lab-") as folder:
        data, port = Path(folder), free_ports(ports)
        data.chmod(0o755)  # its database runs as another user
        kept = CACHE / Path(script).stem / installed if installed else None
        if installed and kept and kept.is_dir():
            (data / installed).symlink_to(kept)
        try:
            _lab(script, "start", str(data), str(port), *options)
            yield data, f"http://127.0.0.1:{port}/"
        finally:
            _lab(script, "stop", str(data))
            if installed and kept and not kept.exists() and (data / installed).is_dir():
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(data / installed, kept)


@contextmanager
def wordpress(data: Path, port: int) -> Iterator[Json]:
    """The lab's WordPress in a folder of its own, with its truth; one that ran before goes on running."""
    call = ["bash", str(LAB / "wordpress.sh")]
    status = subprocess.run([*call, "status", str(data)], check=False, capture_output=True) if data.exists() else None  # noqa: S603
    subprocess.run([*call, "start", str(data), str(port)], check=True, timeout=TIME_LIMIT, stdout=sys.stderr)  # noqa: S603
    try:
        yield json.loads((data / "truth.json").read_text(encoding="utf-8"))
    finally:
        if status is None or b"running" not in status.stdout:
            subprocess.run([*call, "stop", str(data)], check=True, timeout=TIME_LIMIT, stdout=sys.stderr)  # noqa: S603


def _lab(script: str, *call: str) -> None:
    runner = "bash" if script.endswith(".sh") else sys.executable
    subprocess.run([runner, str(LAB / script), *call], check=True, timeout=TIME_LIMIT, stdout=sys.stderr)  # noqa: S603


def free_ports(count: int) -> int:
    """The first of so many free ports of the loopback address that follow each other.

    What is started there may take a minute to listen: others who look for ports meanwhile begin elsewhere.
    """
    for place in range(len(PORTS)):
        port = PORTS[(os.getpid() + place) % len(PORTS)]
        with ExitStack() as open_now:
            try:
                for n in range(count):
                    open_now.enter_context(socket.socket()).bind(("127.0.0.1", port + n))
            except OSError:
                continue
            return port
    raise OSError("no free ports")


def crawl(url: str, archive: Path, *options: str) -> dict[str, Json]:
    """The posts of an archive after one more crawl of a lab blog, each under all its addresses."""
    blogforever("crawl", url, "--archive", str(archive), *QUICK, *options)
    posts = [record for record in records(archive) if record["type"] == "post"]
    return {url_key(name): post for post in posts for name in (*post["aliases"], post["url"])}


def records(archive: Path) -> list[Json]:
    """Everything an archive gives out."""
    lines = blogforever("export", "--archive", str(archive), "--format", "jsonl", "-").splitlines()
    return [json.loads(line) for line in lines]


def blogforever(*arguments: str) -> str:
    """What a command says on standard output; one that fails altogether ends the check."""
    call = [sys.executable, "-m", "blogforever", *arguments]
    told = subprocess.run(call, check=False, timeout=TIME_LIMIT, stdout=subprocess.PIPE, text=True)  # noqa: S603
    if told.returncode not in (0, 1):
        raise SystemExit(f"blogforever {arguments[0]} ended with {told.returncode}: {told.stdout}")
    return told.stdout


def words(text: str | None) -> list[str]:
    """A text without its signs: Markdown turns quotes and dashes into typographic ones."""
    return re.findall(r"\w+", text or "")


def alike(one: list[str], other: list[str]) -> float:
    """Dice's measure of two bags of words."""
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other)) if one or other else 1.0


@dataclass(slots=True)
class Figures:
    """How many of what there is were found and are right, field by field; what is wrong, in words."""

    name: str
    total: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, what: str, of: str, found: bool, facts: Mapping[str, bool]) -> None:
        """Count the fields of one thing; one that was not found has none right."""
        for fact, good in {"found": True, **facts}.items():
            key = f"{what}: {fact}"
            self.total[key] += 1
            self.right[key] += good and found
            if not (good and found):
                self.wrong.append(f"{key} of {of}")

    def tell(self) -> bool:
        """Print one line for each figure; whether all is right."""
        for key, total in self.total.items():
            print(f"{self.name}, {key}: {self.right[key]} of {total}")
        for line in self.wrong[:SHOWN]:
            print(f"  wrong: {line}")
        return not self.wrong and bool(self.total)
