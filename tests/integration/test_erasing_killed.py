"""`kill -9` while something is erased: it is hidden, the next command that writes there erases it, and it is nowhere.

Four moments of each here; `make soak` sets KILLS to fifty.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blogforever.cli import run
from blogforever.store.folder import ArchiveFolder
from server import talkblog
from server.blogserver import serve_answers
from server.filledoutbox import fill_outbox
from server.killpoint import killed_at, steps_of
from server.sought import found, places
from server.talkblog import POSTS, path, said, tale

pytestmark = pytest.mark.long

MOMENTS = int(os.environ.get("KILLS", "4"))
READING = (["list"], ["search", "tale"], ["export"])
WRITING = (["suppress", "--finish"], ["reextract"])
ERASE = ("--erase", "--reason", "asked")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blog crawled twice, with files in the outbox, and with exports and an older copy of the database inside the
    archive's own folder.
    """
    archive = tmp_path_factory.mktemp("base") / "archive"
    with serve_answers(talkblog.answers(f"<blockquote>{tale(3)[2]}</blockquote>")) as site:
        for _ in range(2):
            assert run(["crawl", site.base, "--archive", str(archive), "--allow-private", "--delay", "0"]) == 0
    assert fill_outbox(archive) == POSTS
    for style, name in (("jsonl", "all.jsonl"), ("site", "copy"), ("wacz", "all.wacz")):
        call(archive, "export", "--format", style, str(archive / name))
    shutil.copyfile(archive / "archive.db", archive / "archive.db.before")
    (archive / "indexes" / "left.part").write_text(tale(3)[0])
    return archive


def call(archive: Path, *arguments: str) -> None:
    assert run([*arguments, "--archive", str(archive)]) == 0


def urls(archive: Path) -> list[str]:
    with ArchiveFolder(archive, writing=False) as opened:
        return [post.url for blog in opened.library.blogs() for post in opened.library.posts(blog.id)]


def decided(archive: Path) -> list[str]:
    """What was decided, as the journal has it."""
    lines = "".join(
        file.read_text(encoding="utf-8") for file in sorted((archive / "journal").glob("*.jsonl"))
    ).splitlines()
    return [json.loads(line)["what"] for line in lines]


def unfinished(archive: Path) -> dict[str, bytes]:
    """The plans of what must still be erased."""
    return {path.name: path.read_bytes() for path in (archive / "journal/unfinished").glob("*.json")}


def spread(steps: int) -> list[int]:
    """Moments over the whole of a command, its first and last steps among them."""
    return sorted({1 + round(n * (steps - 1) / max(MOMENTS - 1, 1)) for n in range(MOMENTS)})


def kill_and_go_on(base: Path, folder: Path, sentences: list[str], *arguments: str) -> Iterator[Path]:
    """The archive after the command was killed at each of these moments, and some next command was run."""
    trial = folder / "trial"
    shutil.copytree(base, trial)
    steps = steps_of(trial, *arguments, "--archive", str(trial))
    for number, step in enumerate(spread(steps)):
        shutil.rmtree(trial)
        shutil.copytree(base, trial)
        # Packed records are a byte longer or shorter by the second, so that a row now and then needs no change.
        assert killed_at(step, trial, *arguments, "--archive", str(trial)) or step == steps
        plans = unfinished(trial)
        call(trial, *READING[number % len(READING)])
        assert unfinished(trial) == plans, "who reads finishes nothing"
        call(trial, *WRITING[number % len(WRITING)])
        # Until the decision is in the journal nothing was decided; then it is as if nobody had asked.
        if not {"suppress", "forget"} & set(decided(trial)):
            call(trial, *arguments)
        assert found(trial, sentences) == {}, f"killed before step {step} of {steps}"
        call(trial, "verify")
        assert not list((trial / "journal/unfinished").glob("*"))
        assert not list(trial.rglob("*.part"))
        yield trial


def test_an_erased_post_is_nowhere_whenever_it_was_killed(base: Path, tmp_path: Path) -> None:
    (url,) = [url for url in urls(base) if url.endswith(path(3))]
    sentences = [*tale(3), said(3, 0), said(3, 1), path(3).strip("/"), "own-3.png"]
    assert all(len(where) > 3 for where in found(base, sentences).values())
    for archive in kill_and_go_on(base, tmp_path, sentences, "suppress", url, *ERASE):
        assert len(urls(archive)) == POSTS - 1
        assert places(archive, tale(4)[1])
        assert set(decided(archive)) - {"reextract"} == {"suppress", "erased"}


def test_an_erased_author_is_nowhere_whenever_it_was_killed(base: Path, tmp_path: Path) -> None:
    sentences = ["Bo Reed", *(said(n, 0) for n in range(0, POSTS, 4))]
    for archive in kill_and_go_on(base, tmp_path, sentences, "suppress", "--kind", "author", "Bo Reed", *ERASE):
        assert len(urls(archive)) == POSTS
        assert places(archive, said(4, 1))


def test_a_forgotten_blog_is_nowhere_whenever_it_was_killed(base: Path, tmp_path: Path) -> None:
    shutil.copytree(base, tmp_path / "base", ignore=shutil.ignore_patterns("all.*", "copy", "*.before", "left.part"))
    with ArchiveFolder(base, writing=False) as opened:
        (blog,) = [blog.id for blog in opened.library.blogs()]
    for way in (["forget", blog, "--reason", "asked"], ["suppress", blog, "--kind", "blog", *ERASE]):
        (tmp_path / way[0]).mkdir()
        for archive in kill_and_go_on(tmp_path / "base", tmp_path / way[0], [tale(1)[0], said(1, 1)], *way):
            assert urls(archive) == []
            lines = (archive / "journal/_archive.jsonl").read_text(encoding="utf-8").splitlines()
            assert [json.loads(line)["what"] for line in lines] == ["forget"]


def test_a_killed_crawl_leaves_nothing_of_what_was_erased(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serve_answers(talkblog.answers()) as site:
        command = ["crawl", site.base, "--archive", str(archive), "--allow-private", "--delay", "0"]
        assert run(command) == 0
        call(archive, "suppress", site.base + path(3), *ERASE)
        kill = "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path;"
        kill += " from server.killpoint import killed_at;"
        kill += " sys.exit(not killed_at(int(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:]))"
        for step in (60, 120):
            tests = str(Path(__file__).parents[1])
            killed = [sys.executable, "-c", kill, tests, str(step), str(archive), *command, "--full"]
            assert subprocess.run(killed, check=False).returncode == 0
            call(archive, "suppress", "--finish")
            assert found(archive, [*tale(3), said(3, 0)]) == {}
            call(archive, "verify")


def test_who_wants_to_write_while_something_is_erased_is_told_so(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(base, tmp_path / "archive")
    with ArchiveFolder(tmp_path / "archive", writing=True):
        assert run(["crawl", "http://127.0.0.1:9/", "--no-wait", "--archive", str(tmp_path / "archive")]) == 4
        told = capsys.readouterr().err
        assert run(["list", "--archive", str(tmp_path / "archive")]) == 0
    assert "Another command is writing the archive" in told
    assert told.count("\n") == 1
