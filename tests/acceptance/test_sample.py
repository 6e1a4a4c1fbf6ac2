"""The sample blog, crawled by the installed command: every post comes home whole."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("blogforever")

Record = dict[str, Any]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """A test prints nothing for each request."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The blog's address, and the truth file."""
    folder = tmp_path_factory.mktemp("sample")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder / "site"))) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        build = [sys.executable, str(ROOT / "sample/build.py"), "--out", str(folder / "site"), "--url", url]
        subprocess.run(build, check=True, capture_output=True)
        Thread(target=server.serve_forever, daemon=True).start()
        yield url, folder / "site-truth.jsonl"
        server.shutdown()


@pytest.fixture(scope="module")
def harvested(sample: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """One crawl of it: the post records by address."""
    folder = tmp_path_factory.mktemp("harvest")
    command = [str(COMMAND), "crawl", sample[0] + "/", "--allow-private", "--delay", "0"]
    command += ["--archive", str(folder / "archive"), "--jsonl", str(folder / "records.jsonl")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {record["url"]: record for record in read_jsonl(folder / "records.jsonl") if record["type"] == "post"}


@pytest.fixture(scope="module")
def truth(sample: tuple[str, Path]) -> list[Record]:
    """What a perfect harvest finds."""
    return read_jsonl(sample[1])


def read_jsonl(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def words(text: str) -> Counter[str]:
    """Words, and single characters where a script has no spaces."""
    found: Counter[str] = Counter()
    for chunk in unicodedata.normalize("NFKC", text).casefold().split():
        word = "".join(c for c in chunk if c.isalnum())
        found.update(word if word[:1] >= "\u3040" else [word] if word else [])
    return found


def f1(found: str, wanted: str) -> float:
    a, b = words(found), words(wanted)
    return 2 * sum((a & b).values()) / (a.total() + b.total()) if a or b else 1.0


def test_every_post_and_nothing_else(harvested: dict[str, Record], truth: list[Record]) -> None:
    assert len(truth) >= 40
    assert set(harvested) == {row["url"] for row in truth}


def test_titles(harvested: dict[str, Record], truth: list[Record]) -> None:
    assert [harvested[row["url"]]["title"] for row in truth] == [row["title"] for row in truth]


def test_authors(harvested: dict[str, Record], truth: list[Record]) -> None:
    found = [[author["name"] for author in harvested[row["url"]]["authors"]] for row in truth]
    assert found == [[row["author"]] for row in truth]


def test_dates(harvested: dict[str, Record], truth: list[Record]) -> None:
    assert [harvested[row["url"]]["published"][:10] for row in truth] == [row["date"] for row in truth]


def test_tags(harvested: dict[str, Record], truth: list[Record]) -> None:
    assert [sorted(harvested[row["url"]]["tags"]) for row in truth] == [sorted(row["tags"]) for row in truth]


def test_bodies(harvested: dict[str, Record], truth: list[Record]) -> None:
    scores = {row["url"]: f1(harvested[row["url"]]["text"], row["text"]) for row in truth}
    assert {url: score for url, score in scores.items() if score < 0.97} == {}


def test_pictures_of_a_picture_post_are_kept(harvested: dict[str, Record]) -> None:
    post = next(record for url, record in harvested.items() if url.endswith("/picture-of-the-bench/"))
    assert "/images/bench.svg" in post["html"]
    assert post["text"].strip() in ("", "The work bench under the window, with presses and a pot of paste")


def test_comments_with_whom_they_answer(harvested: dict[str, Record], truth: list[Record]) -> None:
    assert sum(len(row["comments"]) for row in truth) >= 20
    for row in truth:
        found = harvested[row["url"]]["comments"]
        names = {one["id"]: one["author"]["name"] for one in found}
        told = [
            {
                "author": one["author"]["name"],
                "date": one["published"][:10],
                "text": one["text"],
                "answers": names.get(one["parent"] or ""),
            }
            for one in found
        ]
        assert told == row["comments"], row["url"]
