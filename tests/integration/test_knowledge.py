"""Platforms, comment systems and words that others add, by a folder or a package: as the docs say, and checked."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from blogforever import wordlists
from blogforever.archive.knowing import learn_knowledge
from blogforever.comments.extracting import extract_comments
from blogforever.comments.systems import load_systems
from blogforever.comments.words import HEADING
from blogforever.dates import find_dates
from blogforever.discover.olderpages import older_pages
from blogforever.discover.platform import SHAPE, detect_platform, load_platforms
from blogforever.errors import UsageError
from blogforever.extract.names import clean_name
from blogforever.knowledge import read_knowledge
from blogforever.model import Entry, Feed, Page, Post
from blogforever.page.speech import words_of
from blogforever.page.vocabulary import kind_of
from blogforever.render.hosted import SHAPE as SYSTEM_SHAPE
from blogforever.render.hosted import announced, load_hosted
from blogforever.wordlists import OPEN, added_words, data_of, list_names
from server.commands import done_here

DOCS = Path(__file__).parents[2] / "docs/howto/knowledge.md"
QUILL = LexborHTMLParser('<meta name="generator" content="Quill 2.1">')


@pytest.fixture(autouse=True)
def nothing_learned() -> Iterator[None]:
    yield
    learn_knowledge([])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the docs show."""
    for name, text in re.findall(r"```toml\n# ([\w./]+\.toml)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL):
        if name != "pyproject.toml":
            written(tmp_path / "known" / name, text)
    return tmp_path / "known"


def written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_platform_of_the_docs_is_known(folder: Path) -> None:
    assert detect_platform(QUILL, {}) is None
    learn_knowledge([str(folder)])
    found = detect_platform(QUILL, {})
    assert found is not None
    assert (found.name, found.version) == ("Quill", "2.1")
    feed = Feed("https://a.example/feed", "rss", entries=(Entry("https://a.example/1"),) * 10, generator="Quill 2")
    assert older_pages(feed, "quill") == ["https://a.example/feed?from=11"]
    assert load_platforms()["ghost"].name == "Ghost", "what was known is known still"


def test_the_comments_of_the_docs_are_found(folder: Path) -> None:
    notes = "".join(
        f"<section class=q-note id=n{n}><b class=q-who>Ann {n}</b><i class=q-when>2020-01-0{n}</i>"
        f"<q class=q-said>What I think of it, number {n}.</q></section>"
        for n in (1, 2, 3)
    )
    page = Page("https://a.example/1", f"<article><h1>T</h1><p>Words.</p></article><div>{notes}</div>".encode())
    learn_knowledge([str(folder)])
    found = extract_comments(page, Post(page.url))
    assert [comment.author and comment.author.name for comment in found] == ["Ann 1", "Ann 2", "Ann 3"]
    assert "number 2" in found[1].text


def test_a_file_with_our_name_takes_the_place_of_ours(folder: Path) -> None:
    written(folder / "systems/isso.toml", 'signs = ["data-my-isso"]\n')
    before = len(load_hosted())
    learn_knowledge([str(folder)])
    assert len(load_hosted()) == before
    assert [system.name for system in announced("<p data-my-isso>")] == ["isso"]
    assert not announced("<p data-isso=x>")
    assert len(load_systems()) > 5


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("platforms/q.toml", "name = 'Q'\n[detect]\ngenerator = 'Q'\n", "line 3: generator must be a list of regular"),
        ("platforms/q.toml", "name = 'Q'\n[detect]\ngenerator = ['(']\n", "line 3: generator has '(', which is no reg"),
        ("platforms/q.toml", "name = 'Q'\n\n[detekt]\n", "line 3: there is no 'detekt' here; known are name, detect,"),
        ("platforms/q.toml", "[detect]\n", "q.toml: name is missing."),
        ("platforms/q.toml", "name = \n", "is not valid TOML"),
        ("platforms/q.toml", "name = 'Q'\nolder = 3\n", "line 2: older must be a table, not 3."),
        ("systems/q.toml", "signs = ['q']\nmore = 'a'\n", "line 2: more must be a list of texts, not 'a'."),
        ("systems/q.toml", "signs = ['q']\n[count]\nnames = 'path'\n", "line 2: count needs url and names."),
        ("comments.toml", "[q]\nitem = 'p >'\n", "line 2: item has 'p >', which is no CSS selector."),
        ("comments.toml", "[q]\nauthor = 'p'\n", "item is missing."),
        ("comments.toml", "q = 1\n", "line 1: q must be a table, not 1."),
        ("vocabulary/speech.toml", "by = 'per'\n", "line 1: by must be a list of words in small letters, without sp"),
        ("vocabulary/speech.toml", "by = ['a b']\n", "line 1: by must be a list of words in small letters, without"),
        ("vocabulary/names.toml", "item = ['Note']\n", "line 1: item must be a list of words in small letters, with"),
        ("vocabulary/names.toml", "itme = ['note']\n", "line 1: there is no 'itme' here; known are item, list, margin"),
        ("vocabulary/words.toml", "by = ['a']\n", "words.toml: there is no vocabulary 'words'; known are speech, bl"),
        ("vocabulary/dates.toml", "[gsw]\nmonths = ['Jänner']\n", "line 2: months must have 12 names, not 1."),
        ("vocabulary/dates.toml", "[gsw]\norder = 'ymd'\n", "line 2: order must be one of dMy, Mdy, yMd, not 'ymd'."),
        ("vocabulary/dates.toml", "months = []\n", "line 1: months must be a table, not []."),
    ],
)
def test_what_is_wrong_is_told_with_its_place(name: str, text: str, told: str, tmp_path: Path) -> None:
    written(tmp_path / name, text)
    with pytest.raises(UsageError) as error:
        learn_knowledge([str(tmp_path)])
    assert told in str(error.value)


SEVERAL = "".join(
    f"<div class='bemerkig'><b class='schriber'>Anna {n}</b> <i>2020-01-0{n}</i><p>What I think, {n}.</p></div>"
    for n in (1, 2, 3)
)


def test_the_words_of_the_docs_are_known_at_once_and_forgotten_again(folder: Path) -> None:
    """Whatever was imported, compiled or remembered before."""
    page = Page("https://a.example/1", f"<article><h1>T</h1><p>Words.</p></article><div>{SEVERAL}</div>".encode())
    known = (clean_name("von Anna Berg"), kind_of("notiz-inhalt"), len(extract_comments(page, Post(page.url))))
    learn_knowledge([str(folder)])
    assert clean_name("schribt Anna Berg") == "Anna Berg"
    assert kind_of("theme-siteleischte") == "furniture"
    assert [comment.author and comment.author.name for comment in extract_comments(page, Post(page.url))] == [
        *("Anna 1", "Anna 2", "Anna 3")
    ]
    assert HEADING.match("3 Bemerkige")
    assert [found.moment.iso for found in find_dates("am 7. Hornig 2019", ["gsw"])] == ["2019-02-07"]
    learn_knowledge([])
    assert known == (clean_name("von Anna Berg"), kind_of("notiz-inhalt"), len(extract_comments(page, Post(page.url))))
    assert kind_of("theme-siteleischte") == ""
    assert clean_name("schribt Anna Berg") != "Anna Berg"
    assert not HEADING.match("3 Bemerkige")


def test_words_are_added_and_nothing_of_ours_is_lost(folder: Path, tmp_path: Path) -> None:
    before = words_of("by").split("|")
    written(tmp_path / "more/vocabulary/speech.toml", 'by = ["a.b", "por"]\n')
    learn_knowledge([str(folder), str(tmp_path / "more")])
    now = words_of("by").split("|")
    assert set(before) < set(now)
    assert {"schribt", r"a\.b"} <= set(now), "those of both folders, and no expression"
    assert find_dates("7 March 2019", ["en"])[0].moment.iso == "2019-03-07"


def test_nothing_is_read_of_words_where_no_folder_has_any(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_args: object) -> None:
        raise AssertionError("words were read")

    monkeypatch.setattr(wordlists, "_read", read)
    monkeypatch.setattr(wordlists, "_forget", read)
    learn_knowledge([])


@pytest.mark.parametrize("name", [*OPEN])
def test_every_vocabulary_takes_words_for_each_of_its_lists(name: str, tmp_path: Path) -> None:
    lines = "".join(f'{words} = ["quillish"]\n' for words in list_names(name))
    written(tmp_path / f"vocabulary/{name}.toml", lines)
    learn_knowledge([str(tmp_path)])
    assert all(list(added_words(name, words)) == ["quillish"] for words in list_names(name))


def test_a_folder_that_is_none_or_has_nothing_is_refused(tmp_path: Path) -> None:
    for folder, told in ((tmp_path / "none", "is no folder"), (tmp_path, "nothing in it would count")):
        with pytest.raises(UsageError, match=told):
            learn_knowledge([str(folder)])


def test_the_command_says_it_before_anything_is_fetched(tmp_path: Path) -> None:
    written(tmp_path / "known/platforms/q.toml", "nane = 'Q'\n")
    done = done_here("crawl", "http://127.0.0.1:9/", "--knowledge", "known", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "q.toml: name is missing." in done.stderr
    assert not (tmp_path / "blogforever-archive").exists()


def test_a_package_brings_knowledge_by_an_entry_point(folder: Path, tmp_path: Path) -> None:
    folder.rename(tmp_path / "quill_for_blogforever")
    written(tmp_path / "quill_for_blogforever/__init__.py", "raise RuntimeError('nothing of it is run')")
    about = tmp_path / "quill-1.dist-info"
    written(about / "METADATA", "Metadata-Version: 2.1\nName: quill\nVersion: 1\n")
    written(about / "entry_points.txt", "[blogforever.knowledge]\nquill = quill_for_blogforever\n")
    # Undone here: the fixture of pytest would undo it only after `nothing_learned` has asked what is installed.
    with pytest.MonkeyPatch.context() as installed:
        installed.setattr(sys, "path", [str(tmp_path), *sys.path])
        learn_knowledge([])
        assert load_platforms()["quill"].name == "Quill"
        assert "schribt" in words_of("by").split("|")
    learn_knowledge([])
    assert "quill" not in load_platforms()
    assert "schribt" not in words_of("by").split("|")


def test_our_own_files_are_as_theirs_must_be() -> None:
    for path in sorted((data_of("blogforever.discover") / "platforms").glob("*.toml")):
        assert read_knowledge(path, SHAPE, ["name"])
    for path in sorted((data_of("blogforever.render") / "systems").glob("*.toml")):
        assert read_knowledge(path, SYSTEM_SHAPE)
