"""One post in forty forms and in every place: after it was erased, nothing of it can be read anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from server import hiddenblog
from server.blogserver import Site, serve_answers
from server.filledoutbox import fill_outbox
from server.hiddenblog import AUTHOR, ERASED, FORMS, PAIRS, POSTS, SAID, SLUG, TAGS, TITLE, left_in, path
from server.sought import everything
from server.talkblog import tale

pytestmark = pytest.mark.long


def crawl(site: Site, archive: Path, full: bool = False) -> None:
    crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0, render="never", full=full))


def call(archive: Path, *arguments: str) -> None:
    assert run([*arguments, "--archive", str(archive)]) == 0


def exports(archive: Path, folder: Path) -> None:
    folder.mkdir()
    styles = {"jsonl": "a.jsonl", "csv": "a.csv", "site": "copy", "wacz": "a.wacz"}
    for style, name in styles.items():
        call(archive, "export", "--format", style, str(folder / name))


def left(*folders: Path) -> dict[str, set[str]]:
    """What can still be read, and in which file; names of files are read, too."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        # The bytes of every record stand in the unpacked file.
        for name, data in (one for one in everything(folder) if ".warc.gz " not in one[0] or "unpacked" in one[0]):
            if what := left_in(data) | left_in(str(Path(name).relative_to(folder)).encode()):
                found[name] = what
    return found


def test_the_search_for_what_is_left_finds_every_form() -> None:
    assert len(FORMS) >= 40
    blind = [name for name, write in FORMS.items() if not left_in(write(SAID).encode())]
    assert blind == []
    assert left_in(f"{TITLE} {SLUG} {AUTHOR} {' '.join(TAGS)}".encode()) == {TITLE, SLUG, AUTHOR, *TAGS}
    assert len(PAIRS) == 6


def test_nothing_is_left_of_a_post_in_any_form_or_place(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serve_answers(hiddenblog.answers) as site:
        crawl(site, archive)
        call(archive, "export", "--format", "site", str(archive / "exports/copy"))
        assert fill_outbox(archive) == POSTS
        before = left(archive)
        assert {TITLE, SLUG, AUTHOR, *TAGS} <= set().union(*before.values())
        call(archive, "suppress", site.base + path(ERASED), "--erase", "--reason", "asked")
        assert left(archive) == {}
        # A tombstone, and every other post twice.
        assert fill_outbox(archive) == 2 * POSTS - 1
        crawl(site, archive)
        assert left(archive) == {}
        crawl(site, archive, full=True)
        assert left(archive) == {}
    fill_outbox(archive)
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    assert left(archive, tmp_path / "out") == {}
    call(archive, "verify")
    kept = (tmp_path / "out/a.jsonl").read_text(encoding="utf-8")
    for number in (number for number in range(POSTS) if number != ERASED):
        assert tale(number)[1] in kept
