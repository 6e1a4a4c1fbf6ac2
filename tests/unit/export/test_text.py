"""Threads, snippets, tables and terminal text."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from blogforever.export.counting import count_characters, count_words
from blogforever.export.excerpt import beginning, snippet
from blogforever.export.media import file_kind, file_name
from blogforever.export.table import COLUMNS, comment_lines, csv_lines, kept_blog_lines
from blogforever.export.thread import threaded
from blogforever.records import (
    BlogRecord,
    BlogSummary,
    CommentAuthor,
    CommentRecord,
    CompletenessRecord,
    LeftOut,
)
from blogforever.wording import counted, printable, span, spoken
from server.somerecords import some_comment, some_post


def comment(name: str, parent: str | None = None, position: int = 0) -> CommentRecord:
    author = {"name": name.upper()}
    return some_comment(id=name, parent=parent, position=position, text=f"says {name}", author=author)


def order(*comments: CommentRecord) -> list[tuple[int, str]]:
    return [(depth, comment.id) for depth, comment in threaded(comments)]


def test_answers_stand_under_what_they_answer() -> None:
    assert order(comment("a"), comment("b"), comment("c", "a"), comment("d", "c"), comment("e", "a")) == [
        (0, "a"), (1, "c"), (2, "d"), (1, "e"), (0, "b"),
    ]  # fmt: skip


def test_position_orders_and_odd_parents_lose_nobody() -> None:
    assert order(comment("b", position=2), comment("a", position=1), comment("x", "nobody", 3)) == [
        (0, "a"),
        (0, "b"),
        (0, "x"),
    ]
    assert order(comment("a", "b"), comment("b", "a"), comment("c", "c")) == [(0, "c"), (0, "a"), (0, "b")]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdefz")), max_size=12))
def test_every_comment_comes_once(pairs: list[tuple[str, str]]) -> None:
    comments = [comment(name, parent) for name, parent in pairs]
    assert sorted(id(c) for _, c in threaded(comments)) == sorted(id(c) for c in comments)


@pytest.mark.parametrize(
    ("iso", "words"),
    [
        ("2019-07-07T10:00:00+02:00", "7 July 2019"),
        ("2019-07", "July 2019"),
        ("2019", "2019"),
        (None, "no date"),
        ("2019-13-01", "2019"),
        ("soon", "no date"),
    ],
)
def test_dates_are_as_exact_as_they_are(iso: str | None, words: str) -> None:
    assert spoken(iso) == words


def test_spans_and_counts() -> None:
    assert span("2009-03-02", "2025-09-07") == "2009 – 2025"
    assert span("2009", "2009-12") == "2009"
    assert counted(1, "post") == "1 post"
    assert counted(1200, "index", "indexes") == "1,200 indexes"


def test_a_snippet_marks_the_words_and_cuts_at_spaces() -> None:
    text = "start " * 40 + "a Café by the copper lantern, café again " + "end " * 40
    found = snippet(text, ["cafe", "copper"], ("[", "]"))
    assert "[Café] by the [copper] lantern, [café] again" in found
    assert found.startswith("… ")
    assert found.endswith(" …")
    assert snippet("我们今天去图书馆看书", ["图书馆"], ("[", "]")) == "我们今天去[图书馆]看书"
    assert snippet("no such thing", ["word"]) == "no such thing"


@given(st.text(max_size=300), st.lists(st.text(max_size=5), max_size=4))
def test_a_snippet_never_fails_and_adds_only_marks(text: str, words: list[str]) -> None:
    flat = " ".join(text.split())
    shown = snippet(text, words, ("", ""), 400).removesuffix("\u00a0…").strip()
    assert shown.replace(" …", "").rstrip() in flat or not shown


def test_the_beginning_of_a_long_word_is_cut_anyway() -> None:
    assert beginning("字" * 1000, 50) == "字" * 50 + "\u00a0…"


def blog_of(blog: str) -> BlogRecord:
    return BlogRecord(id=blog, url="https://b.example/", title="=Über")


def test_a_table_survives_every_spreadsheet() -> None:
    picture = {"url": "https://b.example/a.png", "role": "picture"}
    posts = [
        some_post(title='=HYPERLINK("x")', authors=[{"name": "@a"}], text='a "q",\nb\0c'),
        some_post(tags=["x", "y"], version=2, media=[picture]),
    ]
    first, second = list(csv.DictReader(io.StringIO("\n".join(csv_lines(posts, blog_of)))))
    assert tuple(first) == COLUMNS
    assert (first["blog_title"], first["blog_url"]) == ("'=Über", "https://b.example/")
    assert first["title"] == '\'=HYPERLINK("x")'
    assert first["authors"] == "'@a"
    assert first["text"] == 'a "q",\nbc'
    assert (second["tags"], second["version"], second["pictures"], second["words"]) == ("x; y", "2", "1", "0")


def test_nothing_commands_the_terminal() -> None:
    assert printable("a\x1b]0;x\x07\x9b31m\u202eb\ud800") == "a]0;x31mb?"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n....", "png"),
        (b"\xff\xd8\xff\xe0", "jpg"),
        (b"RIFF1234WEBPVP8 ", "webp"),
        (b"<?xml version='1.0'?>\n<!-- x --><svg xmlns='http://www.w3.org/2000/svg'><rect/></svg>", "svg"),
        (b"<svg><script>alert(1)</script></svg>", None),
        (b"<svg onload='x'></svg>", None),
        (b"<svg><a href='javascript:x'/></svg>", None),
        (b"<html><body>GIF89a", None),
        (b"", None),
    ],
)
def test_only_harmless_files_go_into_a_copy(content: bytes, kind: str | None) -> None:
    assert file_kind(content) == kind
    assert (file_name(content) or "").endswith(f".{kind}" if kind else "")


def test_comments_are_a_table_of_threads() -> None:
    asked = replace(comment("a"), text="Why?", author=CommentAuthor("Ann"), by_post_author=True)
    answer = replace(comment("b", "a"), text="=1+1", sources=("page", "api"))
    posts = [replace(some_post(url="https://x.example/a"), comments=(answer, asked)), some_post()]
    first, second = list(csv.DictReader(io.StringIO("\n".join(comment_lines(posts, blog_of)))))
    assert (first["post"], first["author"], first["depth"]) == ("https://x.example/a", "Ann", "0")
    assert first["by_post_author"] == "yes"
    assert (second["parent"], second["depth"], second["text"], second["sources"]) == ("a", "1", "'=1+1", "page; api")


@pytest.mark.parametrize(
    ("text", "words", "characters"),
    [
        ("", 0, 0),
        ("Two words", 2, 8),
        ("Tea – or coffee?", 3, 13),
        ("it's well-known", 2, 14),
        ("我们今天去北京。", 7, 8),
        ("これはテストです", 8, 8),
        ("Python を学ぶ", 4, 9),
        ("안녕하세요 세계", 2, 7),
        ("ไม่มี", 3, 5),
        ("हिन्दी भाषा", 2, 10),
        ("soft\u00adhyphen", 1, 10),
    ],
)
def test_words_are_counted_as_the_script_is_written(text: str, words: int, characters: int) -> None:
    assert count_words(text) == words
    assert count_characters(text) == characters


def test_blogs_are_a_table_with_what_is_kept_of_them() -> None:
    told = CompletenessRecord(
        announced=5, missing=(LeftOut(url="https://b.example/x"),), stopped_by="the limit of 4 posts"
    )
    known = BlogRecord(id="b", url="https://b.example/", title="Ä", platform="ghost", completeness=told)
    lines = kept_blog_lines([BlogSummary(known, 4, "2001-02-03", "2004-05-06"), BlogSummary(blog_of("c"))])
    first, second = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert (first["title"], first["posts"], first["missing"], first["complete"]) == ("Ä", "4", "1", "no")
    assert (first["first"], first["stopped_by"], first["platform"]) == ("2001-02-03", "the limit of 4 posts", "ghost")
    assert (second["title"], second["posts"], second["complete"]) == ("'=Über", "0", "")
