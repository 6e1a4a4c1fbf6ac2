"""The seam of exporters: a selection in, files out; stopped anywhere, it goes on without a gap."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from blogforever.archive import exporters
from blogforever.archive.exporters import PROGRESS, export_files, export_pieces
from blogforever.archive.selecting import Selection
from blogforever.cli import blogforever
from blogforever.errors import UsageError
from blogforever.export.table import BlogOf
from blogforever.records import PostRecord
from blogforever.storage.searches import PostSearch
from server.writtenarchive import BLOG, small_post, write_archive

COMMENT = {"id": "c1", "text": "A word", "author": {"name": "Cy"}}
POSTS = 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    days = [f"2013-01-{number:02}" for number in range(1, POSTS)]
    posts = [small_post(f"p{day[-1]}", "bread" if day[-1] == "3" else "", published=day) for day in days]
    undated = small_post("undated", tags=("x",), comments=(COMMENT,))
    return write_archive(tmp_path_factory.mktemp("exported") / "archive", *posts, undated)


def titles(lines: Iterable[str]) -> list[str]:
    return [json.loads(line)["title"] for line in lines]


def test_posts_are_selected_by_what_they_are(folder: Path) -> None:
    def chosen(**search: object) -> list[str]:
        wanted = PostSearch(**search)  # type: ignore[arg-type]  # each test names the fields it needs
        return titles(export_pieces(folder, "jsonl", Selection((BLOG,), wanted)))

    assert chosen() == ["P6", "P5", "P4", "P3", "P2", "P1", "Undated"]
    assert chosen(since="2013-01-05") == ["P6", "P5"]
    assert chosen(tags=("x",)) == ["Undated"]
    (alone,) = export_pieces(folder, "jsonl", Selection(search=PostSearch(tags=("x",)), kinds=("post",)))
    assert json.loads(alone).get("comments", []) == []


def test_an_export_that_was_stopped_goes_on_without_a_gap(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonl, calls = exporters.FORMATS["jsonl"], []

    def stopped(posts: Iterable[PostRecord], blog_of: BlogOf) -> Iterator[str]:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return jsonl.pieces(posts, blog_of)

    monkeypatch.setitem(exporters.FORMATS, "jsonl", exporters.PostFormat("jsonl", stopped))
    with pytest.raises(KeyboardInterrupt):
        export_files(folder, tmp_path, "jsonl", Selection(), 2)
    assert len(list(tmp_path.glob("*.jsonl"))) == 2
    done = export_files(folder, tmp_path, "jsonl", Selection(), 2)
    assert (done.files, done.is_done) == (4, True)
    lines = [
        line for path in sorted(tmp_path.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert titles(lines) == ["P6", "P5", "P4", "P3", "P2", "P1", "Undated"]
    assert export_files(folder, tmp_path, "jsonl", Selection(), 2).files == 4
    with pytest.raises(UsageError, match="other things"):
        export_files(folder, tmp_path, "csv", Selection(), 2)
    with pytest.raises(UsageError, match="is a file"):
        export_files(folder, tmp_path / PROGRESS, "csv", Selection(), 2)


def test_the_command_takes_a_selection(folder: Path, tmp_path: Path) -> None:
    def exported(*words: str) -> str:
        done = CliRunner().invoke(blogforever, ["export", *words, "--archive", str(folder)])
        assert done.exception is None, done.output
        return done.output

    assert len(exported("--format", "csv", "-", "--since", "2013-01-04").splitlines()) == 4
    assert titles(exported("--tag", "x").splitlines()) == ["Undated"]
    assert exported("--format", "spider-xml", "--no-comments").count("<BlogEntity>") == POSTS
    assert "4 files" in exported("--format", "spider-xml", "--per-file", "2", str(tmp_path / "xml"))
    assert (tmp_path / "xml/000001.xml").read_text(encoding="utf-8").startswith("<?xml")
    for wrong in (("--per-file", "2"), ("--format", "wacz", "x.wacz", "--tag", "x")):
        assert CliRunner().invoke(blogforever, ["export", *wrong, "--archive", str(folder)]).exception
