"""The static copy: every page safe, every link leading somewhere, whatever the records hold."""

from __future__ import annotations

import json
import posixpath
import re
from typing import Any
from urllib.parse import unquote

import pytest
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from blogforever.export.body import safe_body
from blogforever.export.citing import as_csl, cited
from blogforever.export.entries import Places, entry_of, labels_of, plain_name
from blogforever.export.frame import POLICY
from blogforever.export.site import Holdings, Site
from blogforever.protocols import Ref
from blogforever.records import BlogSummary, PostRecord
from server.somerecords import some_blog, some_post

BASE = "https://ferry.example"
EVIL = "<script>alert(1)</script>"
QUOTE = "\"><img src=x onerror=alert(1)> '</title><svg onload=alert(2)>"
ABOUT = {"id": "ferry", "url": BASE + "/", "title": "The Ferry", "kept": 3, "crawled": "2024-01-02"}
BLOG = some_blog(**ABOUT)


def post(number: int, **more: Any) -> PostRecord:
    plain = {
        "id": f"id{number}",
        "blog": "ferry",
        "url": f"{BASE}/2020/story-{number}/",
        "title": f"Story {number}",
        "published": f"2020-0{number % 9 + 1}-02",
        "text": f"Text of story {number}.",
        "html": f"<p>Text of story {number}.</p>",
        "authors": [{"name": "Ann", "uri": None}],
        "tags": ["boats"],
    }
    return some_post(**plain | more)


def files(*posts: PostRecord, blog: BlogSummary = BLOG, **holdings: Any) -> dict[str, str]:
    return dict(Site(blog, lambda: list(posts), Holdings(**holdings)).files())


def hostile() -> dict[str, str]:
    comment = {"id": "c", "author": {"name": QUOTE, "uri": "javascript:alert(1)"}, "published": QUOTE, "text": EVIL}
    return files(
        post(1, title=EVIL + QUOTE, html=EVIL + QUOTE + '<iframe src="https://x.example/"></iframe><style>*{}</style>'),
        post(
            2,
            title=None,
            url="javascript:alert(1)",
            aliases=["javascript:alert(2)", QUOTE],
            authors=[{"name": EVIL, "uri": "data:text/html,x"}, {"name": QUOTE, "uri": QUOTE}],
            tags=[EVIL, QUOTE, "../../../etc/passwd"],
            subtitle=QUOTE,
            language='en" onload="alert(1)',
            published='2020-01-01" onclick="alert(1)',
            comments=[comment, comment | {"id": "d", "html": EVIL + QUOTE, "kind": QUOTE, "by_post_author": True}],
            provenance={QUOTE: {"by": QUOTE, "rule": EVIL, "confidence": 0.5}},
            sources=[{"url": "javascript:1", "captured": QUOTE, "role": QUOTE, "digest": EVIL, "record_id": QUOTE}],
            guid=QUOTE,
            extra={"rights": EVIL},
        ),
        blog=some_blog(
            id="ferry", title=EVIL + QUOTE, subtitle=QUOTE, url="javascript:alert(1)", feeds=[QUOTE], rights=EVIL
        ),
        failures={QUOTE: 3},
    )


def test_nothing_archived_can_run() -> None:
    for path, text in hostile().items():
        if not path.endswith(".html"):
            continue
        tree = LexborHTMLParser(text)
        assert [node.attributes.get("src") for node in tree.css("script")] == (
            ["static/search.js"] if path == "search.html" else []
        ), path
        assert not tree.css("iframe, object, embed, svg, style, base, link:not([rel=stylesheet], [rel=alternate])"), (
            path
        )
        for node in tree.css("*"):
            names = {name.lower(): value or "" for name, value in node.attributes.items()}
            assert not [name for name in names if name.startswith("on") or name == "style"], (path, node.html)
            address = names.get("href", "") + names.get("src", "")
            assert not re.match(r"\s*(javascript|data|vbscript):", address, re.I), (path, address)


def test_every_page_forbids_scripts_and_the_network() -> None:
    for path, text in hostile().items():
        if path.endswith(".html"):
            node = LexborHTMLParser(text).css_first('meta[http-equiv="Content-Security-Policy"]')
            assert node is not None
            policy = node.attributes["content"] or ""
            assert policy.startswith(POLICY)
            assert ("script-src" in policy) == (path == "search.html")
            assert "http" not in policy.replace("http-equiv", "")


def test_paths_stay_inside_the_folder() -> None:
    for path in hostile():
        assert re.fullmatch(r"[\w-]+(/[\w.-]+)*\.(html|js|css|xml)", path), path
        assert ".." not in path


def test_every_link_inside_the_copy_leads_to_a_file() -> None:
    made = files(
        *(post(n, tags=["boats", f"only {n}", "日記"], title=f"Über {n}") for n in range(1, 30)),
        post(31, published=None),
    )
    known = {*made, "static/style.css", "static/search.js"}
    for path, text in made.items():
        for node in LexborHTMLParser(text).css("[href], [src], form[action]") if path.endswith(".html") else []:
            target = next(v for k in ("href", "src", "action") if (v := node.attributes.get(k)))
            if not re.match(r"[a-z]+:|#", target):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(target))) in known, (
                    path,
                    target,
                )


def test_pictures_come_from_the_copy_and_what_is_not_there_is_a_link() -> None:
    body = safe_body(
        f'<p><img src="{BASE}/a.png" alt="A boat" srcset="{BASE}/b.png 2x" width="40">'
        f'<img src="{BASE}/gone.png" alt="Gone &lt;b>">'
        '<iframe src="https://films.example/embed/1" title="Film"></iframe><video src="https://x.example/v.mp4"></video></p>',
        {f"{BASE}/a.png": "../media/abc.png"}.get,
        lambda _url: None,
    )
    tree = LexborHTMLParser(body)
    assert [dict(node.attributes) for node in tree.css("img")] == [
        {"src": "../media/abc.png", "alt": "A boat", "width": "40"}
    ]
    assert "Picture: Gone <b>" in tree.text()
    assert [node.attributes["href"] for node in tree.css("a")] == [
        f"{BASE}/gone.png",
        "https://films.example/embed/1",
        "https://x.example/v.mp4",
    ]
    assert "srcset" not in body


def test_a_missing_picture_inside_a_link_makes_no_link_in_a_link() -> None:
    body = safe_body(
        f'<p><a href="{BASE}/big.png"><img src="{BASE}/small.png" alt="Boat"></a> and <img src="{BASE}/x.png"></p>',
        lambda _url: None,
        lambda _url: None,
    )
    tree = LexborHTMLParser(body)
    assert [node.text() for node in tree.css("a")] == ["[Picture: Boat]", "Picture not in this copy"]
    assert [node.text() for node in tree.css("small")] == [
        "[Picture: Boat]",
        "[Picture not in this copy, ferry.example]",
    ]


def test_links_between_posts_stay_in_the_copy() -> None:
    made = files(
        post(1, html=f'<p><a href="{BASE}/2020/story-2">two</a> <a href="http://elsewhere.example/">out</a></p>'),
        post(2, aliases=[f"{BASE}/?p=2"]),
        post(3, html=f'<p><a href="{BASE}/?p=2">two again</a></p>'),
    )
    assert 'href="../2020/story-2.html"' in made["2020/story-1.html"]
    assert 'href="http://elsewhere.example/"' in made["2020/story-1.html"]
    assert 'href="../2020/story-2.html"' in made["2020/story-3.html"]


def test_a_post_shows_what_is_known_of_it() -> None:
    made = files(
        post(
            1,
            comments=[
                {"id": "a", "author": {"name": "Bo"}, "text": "First"},
                {"id": "b", "parent": "a", "text": "Answer"},
            ],
            sources=[
                {
                    "url": BASE,
                    "captured": "2024-01-02T03:04:05+00:00",
                    "role": "page",
                    "digest": "sha1:X",
                    "record_id": "urn:1",
                }
            ],
            provenance={"title": {"by": "rule", "rule": "h1.title", "confidence": 0.98}},
        ),
        captured=lambda _post, name: f"captured/{name}.txt",
        place=lambda _post: Ref("warc/x.warc.gz", 7),
    )
    page = made["2020/story-1.html"]
    text = LexborHTMLParser(page).text()
    for words in (
        "2 February 2020",
        "by Ann",
        "2 comments",
        "h1.title",
        "98%",
        "sha1:X",
        "at byte 7",
        "captured 2 January 2024",
    ):
        assert words in text, words
    assert 'class="comment d1"' in page
    assert 'href="../captured/2020-story-1.txt"' in page
    assert f'href="{BASE}/2020/story-1/"' in page


def test_the_about_page_says_how_complete_the_copy_is() -> None:
    statement: dict[str, Any] = {
        "complete": False,
        "announced": 3,
        "sources": [{"source": "feed", "url": BASE, "announced": 2, "captured": 1}],
        "missing": [{"url": f"{BASE}/gone/", "reason": "status 404 <b>"}, {"url": "javascript:1", "reason": ""}],
        "limits": ["a trap"],
        "stopped_by": "the limit of 5 pages",
        "certificates": [{"host": "some.example", "not_valid": "expired"}],
    }
    text = LexborHTMLParser(files(blog=some_blog(**ABOUT | {"completeness": statement}))["about.html"]).text()
    for words in (
        "2 of 3 announced posts missing",
        "feed: 2 announced, 1 captured",
        "/gone/: status 404 <b>",
        "a trap",
        "5 pages",
        "The certificate of some.example was not valid: expired",
    ):
        assert words in text
    whole = statement | {"complete": True, "missing": [], "limits": [], "stopped_by": None}
    assert "Complete: every announced post" in files(blog=some_blog(**ABOUT | {"completeness": whole}))["about.html"]


def test_an_empty_blog_has_pages_too() -> None:
    made = files()
    assert {"index.html", "years.html", "tags.html", "about.html", "search.html"} <= made.keys()


def test_a_post_that_came_between_the_two_readings_does_no_harm() -> None:
    readings = iter([[post(1)], *([[post(2), post(1)]] * 3)])
    made = dict(Site(BLOG, lambda: next(readings), Holdings()).files())
    assert "Story 1" in made["2020/story-1.html"]
    assert "2020/story-2.html" not in made


def test_a_large_blog_is_searched_in_parts() -> None:
    made = files(*(post(n, text="word " * 150_000) for n in range(1, 8)))
    parts = [path for path in made if path.startswith("search/")]
    assert len(parts) > 1
    (found,) = LexborHTMLParser(made["search.html"]).css("#found")
    shelves = found.attributes["data-shelves"]
    assert json.loads(shelves or "") == [["", len(parts), ""]]


def test_places_are_short_plain_and_never_taken_twice() -> None:
    places = Places()
    paths = [entry_of(post(n, url=url, title=title), places).path for n, (url, title) in enumerate(NAMES, 1)]
    assert len({path.lower() for path in paths}) == len(paths)
    assert paths[0] == "2020/a-story.html"
    assert all(len(path) < 90 and path.isascii() for path in paths)


NAMES = [
    ("https://x.example/2020/A-Story/", "t"),
    ("https://x.example/2020/a-story.html", "t"),
    ("https://x.example/?p=1", "Same title"),
    ("https://x.example/?p=2", "Same title"),
    ("https://x.example/index.html", "日記の話"),
    ("https://x.example/2020/123", "春"),
    ("https://x.example/" + "long-" * 100, "t"),
    ("http://[bad", "t"),
]


@pytest.mark.parametrize(
    ("text", "name"), [("Été à Paris!", "ete-a-paris"), ("日記", ""), ("..", ""), ("C++ / C#", "c-c")]
)
def test_plain_names(text: str, name: str) -> None:
    assert plain_name(text) == name


def test_tags_and_categories_are_one_list() -> None:
    assert labels_of(some_post(tags=["Boats", "sea "], categories=["boats", "", "Sky"])) == ("Boats", "sea", "Sky")


def test_a_screenshot_is_shown_where_the_archive_has_one() -> None:
    shots = {"id1": "media/s.webp"}
    made = files(post(1), post(2), screenshot=lambda shown: shots.get(shown.id))
    assert '<img src="../media/s.webp"' in made["2020/story-1.html"]
    assert "How the page looked" not in made["2020/story-2.html"]


def test_a_post_says_how_it_is_cited() -> None:
    capture = {"url": BASE, "captured": "2024-01-02T03:04:05Z"}
    page = LexborHTMLParser(files(post(1, sources=[capture]))["2020/story-1.html"])
    told = page.css_first("details.cite")
    assert told is not None
    assert "Ann. “Story 1”. The Ferry, 2 February 2020. https://ferry.example/2020/story-1/" in told.text()
    bibtex, ris, csl = [node.text() for node in told.css("pre")]
    assert bibtex.startswith("@online{ann2020story,")
    assert ris.startswith("TY  - BLOG")
    assert json.loads(csl)[0]["container-title"] == "The Ferry"


def test_a_hostile_date_is_no_part_of_a_citation() -> None:
    wrong = {"url": BASE, "captured": QUOTE}
    assert "alert" not in as_csl(cited(post(1, published=QUOTE, sources=[wrong]), "A blog"))


def test_a_copy_has_a_feed_of_its_newest_posts() -> None:
    made = files(*(post(n, html=EVIL + "<p>words</p>", title=QUOTE) for n in range(1, 60)))
    root = etree.fromstring(made["feed.xml"].encode())
    names = {"a": "http://www.w3.org/2005/Atom"}
    assert len(root.findall("a:entry", names)) == 50
    first = root.find("a:entry/a:link[@rel='alternate']", names)
    assert first is not None
    assert first.get("href") in made
    assert "<script" not in "".join(entry.text or "" for entry in root.iterfind("a:entry/a:content", names))
    assert 'href="../feed.xml"' in made["2020/story-1.html"]
