"""`kill -9` at random moments: the next crawl goes on, and its records are those of an undisturbed run.

Five moments here; `make soak` sets KILLS to fifty.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.checking import verify
from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.cli import run
from blogforever.config import Config
from server.blogserver import POSTS, Site, serve
from server.heldblog import PATIENCE

pytestmark = pytest.mark.long

MOMENTS = int(os.environ.get("KILLS", "5"))


def settings(archive: Path) -> Config:
    # A crawl that was killed after its end is a known blog: it is walked again, not brought up to date.
    return Config(archive=archive, allow_private=True, delay=0.0, timeout=20.0, retries=1, full=True)


def records(archive: Path, run: int) -> dict[str, Any]:
    """Every record by its address, less what differs by the moment of the capture."""
    found = {}
    for line in write_run(Config(archive=archive), run):
        record = json.loads(line)
        for source in record.pop("sources", []):
            assert source["record_id"]
        key = f"{record['type']} {record['url']}"
        assert key not in found, "twice"
        found[key] = record
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, Any], int]]:
    archive = tmp_path_factory.mktemp("undisturbed") / "a"
    with serve() as site:
        report = crawl_blog(site.base, settings(archive))
        requests = len(site.asked)
        yield site, records(archive, report.run), requests


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_crawl_killed_at_a_random_moment_is_continued(
    moment: int, undisturbed: tuple[Site, dict[str, Any], int], tmp_path: Path
) -> None:
    site, expected, requests = undisturbed
    chance = random.Random(moment)
    kill_after(site, tmp_path / "a", chance.randint(1, requests), chance.random() * 0.3)
    report = crawl_blog(site.base, settings(tmp_path / "a"))
    assert report.posts == POSTS
    assert records(tmp_path / "a", report.run) == expected
    check_warcs(tmp_path / "a")
    assert not verify(tmp_path / "a").damaged


def test_a_network_that_goes_away_leaves_the_crawl_open(tmp_path: Path) -> None:
    with serve() as site:
        whole = crawl_blog(site.base, settings(tmp_path / "whole"))
        expected = records(tmp_path / "whole", whole.run)
        port = int(site.base.rpartition(":")[2])
    away = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(serve_for_a_while, port, 14, away)
        assert away.wait(PATIENCE)
        broken = crawl_blog(f"http://127.0.0.1:{port}", settings(tmp_path / "a"))
    assert broken.ending == "lost"
    with serve(port=port) as site:
        again = crawl_blog(site.base, settings(tmp_path / "a"))
    assert again.resumed
    assert again.run == broken.run
    assert records(tmp_path / "a", again.run) == expected


def serve_for_a_while(port: int, requests: int, ready: threading.Event) -> None:
    with serve(port=port) as site:
        ready.set()
        end = time.monotonic() + PATIENCE
        while len(site.asked) < requests and time.monotonic() < end:
            time.sleep(0.002)


@pytest.mark.parametrize("size", [150_000, 300_000])
def test_a_full_disk_is_one_sentence_and_the_next_crawl_goes_on(
    size: int, undisturbed: tuple[Site, dict[str, Any], int], tmp_path: Path
) -> None:
    site, expected, _ = undisturbed
    limited = f"ulimit -f {size // 512}; exec {sys.executable} -m blogforever crawl {site.base} --archive a"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{limited} --allow-private --delay 0"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 4), done.stderr
    assert "Traceback" not in done.stderr
    # On a busy machine it also tells how far it is.
    assert done.stderr.count("blogforever: ") <= 1
    report = crawl_blog(site.base, settings(tmp_path / "a"))
    assert records(tmp_path / "a", report.run) == expected
    check_warcs(tmp_path / "a")


def test_a_disk_that_fills_up_stops_the_crawl_cleanly(
    undisturbed: tuple[Site, dict[str, Any], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site, expected, _ = undisturbed
    left = iter(range(5_000_000, 0, -150_000))
    monkeypatch.setattr("blogforever.store.folder.shutil.disk_usage", lambda _path: SimpleNamespace(free=next(left)))
    crawl = ["crawl", site.base, "--archive", str(tmp_path / "a"), "--allow-private", "--delay", "0"]
    assert run([*crawl, "--min-free", "3000000"]) == 4
    told = capsys.readouterr().err
    assert "bytes are free on the disk" in told
    assert told.count("\n") == 1
    assert not verify(tmp_path / "a").damaged
    monkeypatch.undo()
    report = crawl_blog(site.base, settings(tmp_path / "a"))
    assert report.resumed
    assert records(tmp_path / "a", report.run) == expected


def kill_after(site: Site, archive: Path, requests: int, seconds: float) -> None:
    """Start a crawl and kill it so long after so many requests."""
    before = len(site.asked)
    command = [sys.executable, "-m", "blogforever", "crawl", site.base, "--archive", str(archive)]
    process = subprocess.Popen(
        [*command, "--allow-private", "--delay", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + PATIENCE
    while len(site.asked) - before < requests and process.poll() is None:
        assert time.monotonic() < end, "it never asked"
        time.sleep(0.002)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def check_warcs(archive: Path) -> None:
    """As `warcio check` does: every record whole, every digest right."""
    files = list((archive / "warc").rglob("*.warc.gz"))
    assert files
    assert not list((archive / "warc").rglob("*.open"))
    for path in files:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
