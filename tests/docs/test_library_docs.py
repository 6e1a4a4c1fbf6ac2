"""The examples of the library do what the docs say: a stage that wraps a built-in one, every name that is public."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import blogforever
from blogforever import Archive, ArchiveError, UsageError
from server.commands import done_here
from server.smallarchive import BLOG, address, make_archive, state_of, words

ROOT = Path(__file__).parents[2]
PAGE = """<!doctype html><html><head><title>Oars</title></head><body><article class="post"><h1>Oars</h1>
<p>By <a rel="author" href="/ann">Ann</a> on <time datetime="2021-03-04">4 March 2021</time></p>
<div class="body"><p>Oars are made of ash, which is light and bends without breaking in the hands of rowers.</p>
<p>Nobody on this river has ever used another wood, and nobody will as long as ash grows here.</p></div>
<p>Tags: <a rel="tag" href="/tag/Wood">Wood</a> <a rel="tag" href="/tag/Boats">Boats</a></p></article></body></html>"""


def wrapped() -> str:
    """The example of the page about stages that calls the built-in one."""
    text = (ROOT / "docs/howto/own-stages.md").read_text(encoding="utf-8")
    (code,) = [str(code) for code in re.findall(r"```python\n(.*?)```", text, re.S) if "extract_post" in code]
    return code


def test_the_stage_that_wraps_a_built_in_one_runs_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "smalltags.py").write_text(wrapped(), encoding="utf-8")
    probe = (
        "import sys; from blogforever import Page, extract_post; from blogforever.archive.stages import load_stages;"
        "from blogforever.config import Config, Stages; import smalltags, json;"
        "stages = load_stages(Config(stages=Stages(extract='smalltags:read')));"
        "page = Page('https://b.example/oars/', sys.stdin.buffer.read());"
        "print(json.dumps([stages.extract(page, None, None).tags, extract_post(page).tags,"
        " stages.extract(page, None, None).title]))"
    )
    call = [sys.executable, "-c", probe]
    done = subprocess.run(call, cwd=tmp_path, input=PAGE.encode(), capture_output=True, check=True)
    own, built_in, title = json.loads(done.stdout)
    assert (own, built_in, title) == (["wood", "boats"], ["Wood", "Boats"], "Oars")


def test_every_public_name_can_be_imported_and_no_other() -> None:
    for name in blogforever.__all__:
        assert getattr(blogforever, name) is not None
    assert {"Archive", "Comment", "BackEnd", "Renderer", "Needed", "PostRecord"} <= set(blogforever.__all__)
    with pytest.raises(AttributeError):
        blogforever.Harvest  # noqa: B018


def test_an_archive_is_read_from_python_and_nothing_is_written(tmp_path: Path) -> None:
    folder = make_archive(tmp_path / "a")
    done_here("search", "lantern", "--archive", str(folder), cwd=tmp_path)
    done_here("suppress", address(2), "--reason", "asked", "--archive", str(folder), cwd=tmp_path)
    before = state_of(folder)
    with Archive.open(folder) as archive:
        assert [blog.id for blog in archive.blogs()] == [BLOG]
        assert archive.blog("Lanterns").url == f"https://{BLOG}/"
        assert [post.title for post in archive.posts()] == ["Lantern 1", "Lantern 0"]
        assert [post.id for post in archive.posts(BLOG)] == ["p1", "p0"]
        post = archive.post(address(1))
        assert post.text == words(1)
        assert archive.versions(post) == [post]
        assert [found.id for found in archive.search("lantern 0")] == ["p0"]
        assert words(1).encode() in archive.captured(post).content
        assert list(archive.pages(BLOG)) == []
        with pytest.raises(UsageError):
            archive.post(address(2))
        with pytest.raises(UsageError):
            list(archive.posts("nobody.example"))
    assert state_of(folder) == before


def test_what_is_no_archive_is_an_archive_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError):
        Archive.open(tmp_path / "nowhere")
