"""The records as JSON: their keys in order, what survives being read and written again, what is damage."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.errors import ArchiveError
from blogforever.records import (
    BlogRecord,
    CompletenessRecord,
    FailureRecord,
    PlatformChange,
    SourceTally,
    json_line,
    page_fields,
    read_blog,
    read_json,
    read_post,
    read_record,
    to_json,
)
from blogforever.storage.values import BeforeMove, CheckRow, PostRow
from server.somerecords import some_post

PAGE_FIELDS = (
    *("title", "subtitle", "authors", "published", "published_precision", "published_raw", "modified", "language"),
    *("text", "html", "summary", "tags", "categories", "kind", "comments", "media", "links"),
    *("previous_url", "next_url"),
)
POST_KEYS = [
    *("type", "schema", "id", "blog", "url", "aliases", "guid", "native_id"),
    *PAGE_FIELDS,
    *("status", "version", "screenshot", "provenance", "sources", "extra"),
]
BLOG_KEYS = [
    *("type", "schema", "id", "url", "title", "subtitle", "platform", "platform_version", "platform_changes"),
    *("language", "charset", "feeds", "comment_feeds", "sitemap", "status", "rights", "posts", "announced"),
    "completeness",
]
COMPLETENESS_KEYS = ["complete", "announced", "captured", "sources", "missing", "set_aside", "limits", "stopped_by"]

FULL: dict[str, Any] = {
    "type": "post",
    "schema": 1,
    "id": "p",
    "blog": "b",
    "url": "https://b.example/p/",
    "aliases": ["https://b.example/?p=1"],
    "guid": "tag:1",
    "native_id": "1",
    "title": "A title \u2028",
    "subtitle": None,
    "authors": [{"name": "Ann", "uri": None, "email": None}],
    "published": "2020-01-02",
    "published_precision": "day",
    "published_raw": "2 January",
    "modified": None,
    "language": "en",
    "text": 'Words\nand "more"\t\x7f',
    "html": "<p>Words</p>",
    "summary": None,
    "tags": ["boats"],
    "categories": [],
    "kind": "post",
    "comments": [
        {
            "id": "c",
            "native_id": None,
            "url": None,
            "author": {"name": None, "uri": None, "avatar": None},
            "published": None,
            "published_precision": None,
            "published_raw": None,
            "text": "Well said",
            "html": "",
            "parent": None,
            "position": 0,
            "kind": "comment",
            "status": "active",
            "by_post_author": False,
            "sources": ["page"],
        }
    ],
    "media": [
        {"url": "a.png", "role": "picture", "type": None, "sha256": None, "path": None, "alt": "", "caption": None}
    ],
    "links": [{"url": "https://x.example/", "text": "x", "rel": None, "kind": "link"}],
    "previous_url": None,
    "next_url": None,
    "status": "active",
    "version": 2,
    "screenshot": None,
    "provenance": {
        "html": {"by": "rule", "rule": "//div", "confidence": 1},
        "title": {"by": "feed", "rule": "", "confidence": 1.0},
    },
    "sources": [{"record_id": "r", "url": "u", "captured": "2020", "digest": "d", "role": "page"}],
    "extra": {"lead_picture": "a.png", "geo": {"latitude": 1e-05, "longitude": 6}, "comments_stated": 0},
}


def written(plain: dict[str, Any]) -> str:
    """As records were written when they were plain objects."""
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return text.replace("\u2028", "\\u2028")


def test_a_record_is_written_as_it_was_read_to_the_byte() -> None:
    assert json_line(read_post(written(FULL))) == written(FULL)


def test_every_key_has_its_place() -> None:
    assert list(to_json(some_post())) == POST_KEYS
    assert list(to_json(BlogRecord(id="b", url="u"))) == BLOG_KEYS
    assert list(to_json(FailureRecord(blog="b", url="u", reason="r"))) == ["type", "blog", "url", "reason", "detail"]
    whole = CompletenessRecord(cadence=None, without_text=0, traps=(), certificates=())
    assert list(to_json(whole)) == [*COMPLETENESS_KEYS, "cadence", "without_text", "traps", "certificates"]


def test_what_a_crawl_and_an_update_add_to_a_blog_comes_last() -> None:
    crawled = BlogRecord(id="b", url="u", generator=None, feed=None, api=None, walked=True, status_message=None)
    assert list(to_json(crawled)) == [*BLOG_KEYS, "generator", "feed", "api", "walked", "status_message"]


def test_a_change_of_platform_says_from_what_to_what() -> None:
    change = PlatformChange(at="2020", before="A", before_version="1", after="B", after_version=None, evidence="e")
    keys = {"at": "2020", "from": "A", "from_version": "1", "to": "B", "to_version": None, "evidence": "e"}
    assert list(to_json(change).items()) == list(keys.items())


def test_what_only_some_posts_have_is_left_out_where_it_is_not_known() -> None:
    assert to_json(some_post())["extra"] == {}
    assert to_json(some_post(extra={"rights": "Ann"}))["extra"] == {"rights": "Ann"}


def test_the_fields_that_are_read_from_the_page_are_marked() -> None:
    assert page_fields() == PAGE_FIELDS


def test_an_older_record_has_fewer_fields() -> None:
    record = read_post('{"type":"post","schema":1,"id":"p","blog":"b","url":"u","text":"Words"}')
    assert (record.text, record.comments, record.title, record.extra.geo) == ("Words", (), None, None)


def test_an_older_statement_does_not_come_to_say_what_nobody_looked_for() -> None:
    old = {"type": "blog", "schema": 1, "id": "b", "url": "u"}
    old |= {"completeness": {"complete": True, "announced": 3, "captured": 3, "sources": [{"source": "feed"}]}}
    record = read_blog(written(old))
    assert record.completeness
    assert record.completeness.sources == (SourceTally(source="feed"),)
    again = to_json(record)
    assert list(again["completeness"]) == COMPLETENESS_KEYS
    assert "walked" not in again
    assert record.walked_whole


@pytest.mark.parametrize(
    ("fields", "whole"),
    [
        ({}, True),
        ({"walked": False}, False),
        ({"walked": True, "completeness": {"stopped_by": "5 pages"}}, True),
        ({"completeness": {"stopped_by": "5 pages"}}, False),
        ({"completeness": {"stopped_by": None}}, True),
    ],
)
def test_whether_a_blog_was_walked_as_a_whole(fields: dict[str, Any], whole: bool) -> None:
    assert read_blog(written({"type": "blog", "id": "b", "url": "u"} | fields)).walked_whole is whole


def test_fields_of_another_version_survive_at_every_depth() -> None:
    plain = json.loads(written(FULL))
    comment, extra = plain["comments"][0], plain["extra"]
    listed = [plain[name][0] for name in ("authors", "comments", "media", "links", "sources")]
    for place in (plain, *listed, comment["author"], plain["provenance"]["html"], extra, extra["geo"]):
        place["zeal"], place["another"] = {"deep": [1, None]}, 0.5
    record = read_post(written(plain))
    assert record.comments[0].further == {"zeal": {"deep": [1, None]}, "another": 0.5}
    assert record.comments[0].text == "Well said"
    assert json_line(record) == written(plain)
    assert read_post(json_line(record)) == record


def test_fields_of_another_version_survive_in_blogs_and_in_what_was_kept_before_a_move() -> None:
    blog = {"type": "blog", "id": "b", "url": "u", "completeness": {"sources": [{"source": "feed", "new": 1}]}, "x": 2}
    again = json.loads(json_line(read_blog(written(blog))))
    assert (again["x"], again["completeness"]["sources"][0]["new"]) == (2, 1)
    check = CheckRow(post="p", blog="b", state="active", since="2020")
    row: dict[str, Any] = {
        "id": "p",
        "blog": "b",
        "url": "u",
        "title": None,
        "published": None,
        "digest": "d",
        "version": 1,
    }
    row |= {"run": 1, "rules": None, "record": FULL | {"x": 3}}
    before = {"post": row, "check": to_json(check), "found": None}
    kept = read_json(written(before), BeforeMove)
    assert isinstance(kept.post, PostRow)
    assert kept.post.record.further == {"x": 3}
    assert json_line(kept) == written(before)


@pytest.mark.parametrize("before", ["{}", '{"found":"r"}', '{"blog":null,"rules":3}', '{"blog":null,"rules":null}'])
def test_what_was_kept_before_a_move_holds_only_what_there_was(before: str) -> None:
    assert json_line(read_json(before, BeforeMove)) == before


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "null",
        "[]",
        '{"type":"post","id":"p"}',
        '{"type":"post","id":1,"blog":"b","url":"u"}',
        '{"type":"post","id":"p","blog":"b","url":"u","comments":null}',
        '{"type":"post","id":"p","blog":"b","url":"u","comments":[1]}',
        '{"type":"post","id":"p","blog":"b","url":"u","provenance":{"html":1}}',
        '{"type":"blog","id":"p","blog":"b","url":"u"}',
        '{"type":"other","id":"p","blog":"b","url":"u"}',
    ],
)
def test_damage_is_an_error_of_the_archive(line: str) -> None:
    with pytest.raises(ArchiveError, match="damaged"):
        read_post(line)


def test_every_kind_of_record_is_known_by_its_type() -> None:
    for record in (some_post(), BlogRecord(id="b", url="u"), FailureRecord(blog="b", url="u", reason="r")):
        assert read_record(json_line(record)) == record
    for line in ('{"type":"page"}', "{}", "[]", "x"):
        with pytest.raises(ArchiveError):
            read_record(line)


@given(st.text(), st.dictionaries(st.text(), st.integers() | st.none() | st.text()))
def test_no_text_breaks_a_line_and_none_is_lost(text: str, further: dict[str, Any]) -> None:
    unknown = {name: value for name, value in further.items() if name not in POST_KEYS}
    line = json_line(some_post(text=text, **unknown))
    assert len(line.splitlines()) == 1
    again = read_post(line)
    assert again.text == text.encode("utf-8", "replace").decode()
    assert json_line(again) == line
