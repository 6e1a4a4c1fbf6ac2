"""spider-xml: valid by its schema whatever the posts hold, and nothing of a post left out."""

from __future__ import annotations

import pytest
from lxml import etree

from blogforever.export.spiderxml import schema_text, spider_xml
from blogforever.records import (
    AuthorRecord,
    CommentAuthor,
    CommentRecord,
    ExtraRecord,
    FieldSource,
    LinkRecord,
    MediaRecord,
    PlaceRecord,
    PostRecord,
    SourceRecord,
)

TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
SCHEMA = etree.XMLSchema(etree.fromstring(schema_text().encode()))
FIRST = CommentRecord(
    id="c1",
    url="http://a.example/1#c1",
    author=CommentAuthor("Ann", "http://ann.example/"),
    published="2011-11-23T14:24:06+00:00",
    published_raw="Wed, 23 Nov 2011 14:24:06 +0000",
    text="Thanks",
    html="<p>Thanks</p>",
    sources=("page", "feed"),
)
ANSWER = CommentRecord(id="c2", text="You are welcome", parent="c1")
POST = PostRecord(
    id="p1",
    blog="a.example",
    url="http://a.example/1",
    aliases=("http://a.example/?p=1",),
    guid="tag:1",
    title="Soup & <bread>",
    subtitle="A meal",
    authors=(AuthorRecord("Bo", "http://bo.example/", "bo@a.example"), AuthorRecord("Cy")),
    published="2011-11-22T10:00:00+02:00",
    published_precision="second",
    published_raw="22 November",
    modified="2011-11-24",
    language="en",
    text="Water, salt.\r\nBread.",
    html="<p>Water, salt.</p>",
    summary="Short",
    tags=("food",),
    categories=("home",),
    comments=(FIRST, ANSWER),
    media=(
        MediaRecord(url="http://a.example/1.jpg", alt="A bowl"),
        MediaRecord(url="http://a.example/1.pdf", role="file"),
    ),
    links=(LinkRecord("http://b.example/", "there"),),
    previous_url="http://a.example/0",
    next_url="http://a.example/2",
    provenance={"title": FieldSource("rule", "h1 > a", 0.97)},
    sources=(
        SourceRecord(
            record_id="urn:uuid:1", url="http://a.example/1", captured="2011-11-24T09:20:44Z", digest="sha1:A"
        ),
    ),
    extra=ExtraRecord(
        geo=PlaceRecord(latitude=1.5, longitude=-2), rights="CC", license="http://l.example/", visibility="public"
    ),
)


def parsed(*posts: PostRecord) -> etree._Element:
    document = etree.fromstring("".join(spider_xml(posts)).encode())
    SCHEMA.assertValid(document)
    return document


def elements(entity: etree._Element) -> list[tuple[str, str, str | None]]:
    found = entity.iterfind("Elements/BaseBlogElement")
    return [(one.findtext("Type") or "", one.findtext("Value") or "", one.findtext("Uri")) for one in found]


def test_a_post_says_everything_it_has() -> None:
    post = parsed(POST)[0]
    assert [post.findtext(name) for name in ("Id", "ParentId", "Type", "Uri", "WatchPointId", "Date")] == [
        "p1",
        "-1",
        "Post",
        "http://a.example/1",
        "a.example",
        "2011-11-24T09:20:44Z",
    ]
    assert post.findtext("Value") == "Water, salt.\r\nBread."
    assert elements(post) == [
        ("Author", "Bo", "http://bo.example/"),
        ("email_displayed", "bo@a.example", None),
        ("Author", "Cy", None),
        ("Publishdate", "22 November", None),
        ("Title", "Soup & <bread>", None),
        ("subtitle", "A meal", None),
        ("date_created", "2011-11-22T10:00:00+02:00", None),
        ("date_created_precision", "second", None),
        ("date_modified", "2011-11-24", None),
        ("language", "en", None),
        ("summary", "Short", None),
        ("tag", "food", None),
        ("category", "home", None),
        ("full_content", "<p>Water, salt.</p>", None),
        ("full_content_format", "text/html", None),
        ("type", "post", None),
        ("status_code", "active", None),
        ("version", "1", None),
        ("previous_URI", "http://a.example/0", None),
        ("next_URI", "http://a.example/2", None),
        ("num_of_replies", "2", None),
        ("guid", "tag:1", None),
        ("alias", "", "http://a.example/?p=1"),
        ("visibility", "public", None),
        ("copyright", "CC", None),
        ("distribution_rights", "http://l.example/", None),
        ("geo_longitude", "-2", None),
        ("geo_latitude", "1.5", None),
        ("Link", "there", "http://b.example/"),
        ("Picture", "A bowl", "http://a.example/1.jpg"),
        ("Attachment", "", "http://a.example/1.pdf"),
    ]


def test_a_post_tells_where_it_was_read_and_how_sure_that_is() -> None:
    extension = parsed(POST)[0].find("ExtensionData")
    assert extension is not None
    assert [dict(one.attrib) for one in extension] == [
        {
            "role": "page",
            "url": "http://a.example/1",
            "recordId": "urn:uuid:1",
            "captured": "2011-11-24T09:20:44Z",
            "digest": "sha1:A",
        },
        {"field": "title", "by": "rule", "rule": "h1 > a", "confidence": "0.9700"},
    ]


def test_comments_stand_below_what_they_answer() -> None:
    _, first, answer = parsed(POST)
    assert [(one.findtext("Type"), one.findtext("ParentId")) for one in (first, answer)] == [
        ("Comment", "p1"),
        ("Comment", "c1"),
    ]
    assert ("is_child_of_post", "Soup & <bread>", "http://a.example/1") in elements(first)
    assert ("is_child_of_comment", "c1", None) in elements(answer)
    assert ("is_anonymous", "true", None) in elements(answer)
    assert ("Publishdate", "Wed, 23 Nov 2011 14:24:06 +0000", None) in elements(first)


def test_links_are_elements_of_their_own_type() -> None:
    kinds = {one.findtext("Type"): one.get(TYPE) for one in parsed(POST)[0].iterfind("Elements/BaseBlogElement")}
    assert (kinds["Link"], kinds["Title"]) == ("BlogElementLink", "BlogElement")


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("a\x1bb", "a␛b"),
        ("a\ud800b", "a\ufffdb"),
        ("a\uffffb", "a\ufffdb"),
        ("]]>", "]]>"),
        ("😀", "😀"),
    ],
)
def test_what_xml_cannot_hold_is_seen(held: str, shown: str) -> None:
    post = parsed(PostRecord(id="p", blog="b", url="u", title=held, text=held))[0]
    assert post.findtext("Value") == shown
    assert ("Title", shown, None) in elements(post)


def test_no_post_is_a_document_too() -> None:
    assert len(parsed()) == 0
