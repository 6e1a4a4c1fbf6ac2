"""Counts of hosted comment systems: where a page says they are asked for, and answers of every shape."""

from __future__ import annotations

import json

import pytest

from blogforever.render.counting import question, read_counts
from blogforever.render.hosted import load_hosted

POST = "https://blog.example/2024/05/a b/"
PAGES = {
    "isso": '<script data-isso="//talk.example/" src="//talk.example/js/embed.min.js"></script>',
    "waline": "<div id=\"waline\"></div><script>Waline.init({el: '#waline', serverURL: 'https://talk.example'})</script>",
    "disqus": "<div id='disqus_thread'></div><script>var disqus_shortname = 'my-blog';</script>",
    "remark42": "<script>var remark_config = {host: 'https://talk.example', site_id: 'mine'}</script>",
}


@pytest.mark.parametrize(
    ("system", "asked"),
    [
        ("isso", "https://talk.example/count"),
        ("waline", "https://talk.example/api/comment?type=count&url=/2024/05/a%20b/,/x/"),
        (
            "disqus",
            "https://my-blog.disqus.com/count-data.js?2=https%3A//blog.example/2024/05/a%20b/&2=https%3A//blog.example/x/",
        ),
        ("remark42", "https://talk.example/api/v1/counts?site=mine"),
    ],
)
def test_a_page_says_where_its_comments_are_counted(system: str, asked: str) -> None:
    found = question(PAGES[system], POST)
    assert found is not None
    assert found.system == system
    names = [found.name(POST), found.name("https://blog.example/x/")]
    ((url, body, about),) = found.requests(names)
    assert url == asked
    assert about == names
    assert (json.loads(body) == names) if body else system in ("waline", "disqus")


def test_every_system_that_counts_is_known_here() -> None:
    assert {system.name for system in load_hosted() if system.count} == set(PAGES)


@pytest.mark.parametrize("html", ["<p>no system</p>", '<div id="isso-thread"></div>', '<div id="cusdis_thread"></div>'])
def test_a_page_that_does_not_say_it_is_not_asked(html: str) -> None:
    assert question(html, POST) is None


def test_an_address_has_so_many_names_only() -> None:
    found = question(PAGES["disqus"], POST)
    assert found is not None
    names = [f"https://blog.example/{n}/" for n in range(45)]
    parts = list(found.requests(names))
    assert len(parts) == 3
    assert [name for _url, _body, some in parts for name in some] == names


@pytest.mark.parametrize(
    "answer",
    [
        "[3, 0]",
        '{"errno": 0, "data": [3, 0]}',
        'DISQUSWIDGETS.show({"counts": [{"id": "/a", "comments": 3}, {"id": "/b", "comments": 0}]});',
        '[{"url": "/b", "count": 0}, {"url": "/a", "count": 3}]',
        '{"success": true, "commentCounts": {"/a": 3, "/b": 0}}',
    ],
)
def test_counts_are_read_however_they_are_wrapped(answer: str) -> None:
    assert read_counts(answer, ["/a", "/b"]) == {"/a": 3, "/b": 0}


@pytest.mark.parametrize(
    "answer", ["", "Not found", "[3]", '{"data": [true, false]}', "[-1, 2]", "[" * 100_000, "{}", '["3", "0"]', "null"]
)
def test_what_is_no_count_tells_nothing(answer: str) -> None:
    assert read_counts(answer, ["/a", "/b"]) == {}
