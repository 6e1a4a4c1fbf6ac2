"""A page is decoded and parsed once in a pass, whoever looks at it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from blogforever import dom
from blogforever.extract.post import extract_post
from blogforever.media.requisites import page_files
from blogforever.model import Page, Rule, Rules, Template
from blogforever.page.view import view_of
from blogforever.pipeline.page import Knowledge, Visit, go_through
from blogforever.protocols import Ref
from blogforever.urls import url_key

HTML = """<!DOCTYPE html><html><head><title>A walk</title></head><body>
<div class="post"><h1>A walk</h1>
<div class="body"><p><time datetime="2019-03-04">4 March 2019</time></p><p>We walked along the river for hours.</p>
<p class="share">Share this</p><p><a href="/a-walk/2/">2</a></p></div></div>
<ol class="comments"><li class="comment" id="comment-7"><cite>Ann Lee</cite>
<time datetime="2019-03-05">5 March 2019</time><p>So did we, in the rain.</p></li></ol></body></html>"""
RULES = Rules(
    "b",
    templates=(
        Template(
            Rule(".body", "//div"),
            fields={"title": (Rule("h1", "//h1"),), "published": (Rule("time", "//time"),)},
            exclude=(Rule(".share", "//p"),),
        ),
    ),
)


def page_of(html: str, url: str = "https://b.example/a-walk/") -> Page:
    return Page(url, html.encode(), {"content-type": "text/html; charset=utf-8"})


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of pages that were parsed."""
    parsed: list[str] = []

    def counted(html: str) -> LexborHTMLParser:
        if "<title>" in html:  # else a piece of a page
            parsed.append(html)
        return LexborHTMLParser(html)

    monkeypatch.setattr(dom, "LexborHTMLParser", counted)
    return parsed


@pytest.mark.parametrize("rules", [RULES, None], ids=["by rules", "without rules"])
def test_one_parse_a_page_and_pass_for_facts_post_comments_and_files(parses: list[str], rules: Rules | None) -> None:
    page = page_of(HTML)
    visit = go_through(Visit(page, None), Knowledge("b", extract_post, lambda _ref: page, rules=rules))
    page_files(page)
    assert visit.post is not None
    assert "We walked along the river for hours." in visit.post.text
    assert [comment.author.name for comment in visit.post.comments if comment.author] == ["Ann Lee"]
    assert parses == [HTML]


def test_a_post_of_several_pages_is_read_with_one_parse_of_each(parses: list[str]) -> None:
    first = page_of(HTML)
    second = page_of(HTML.replace("We walked along the river for hours.", "Then we came home."))
    knowledge = Knowledge("b", extract_post, lambda _ref: second, rules=RULES)
    knowledge.parts.fetched(url_key(first.url), [("https://b.example/a-walk/2/", Ref("part", 0))])
    visit = go_through(Visit(first, None), knowledge)
    assert visit.post is not None
    assert visit.post.text.split("\n\n") == ["We walked along the river for hours.", "Then we came home."]
    assert len(parses) == 2


def test_reading_a_post_leaves_the_tree_as_it_is() -> None:
    page = page_of(HTML)
    before = view_of(page).tree.html
    post = extract_post(page, RULES)
    assert post.text == "We walked along the river for hours."
    assert view_of(page).tree.html == before


def test_the_same_response_under_another_address_is_the_same_view() -> None:
    page = page_of(HTML)
    assert view_of(replace(page, url="https://b.example/?p=7")) is view_of(page)
    assert view_of(page_of(HTML + " ")) is not view_of(page)


def test_few_views_are_kept_and_of_large_pages_only_the_last() -> None:
    pages = [page_of(f"<p>{n}") for n in range(9)]
    first = view_of(pages[0])
    for page in pages[1:]:
        view_of(page)
    assert view_of(pages[0]) is not first
    large = [page_of(f"<p>{n}{'x' * 3_000_000}") for n in range(2)]
    views = [view_of(page) for page in large]
    assert view_of(large[1]) is views[1]
    assert view_of(large[0]) is not views[0]


def test_a_page_is_decoded_as_it_declares() -> None:
    page = Page(
        "https://b.example/", "<h1>Grüße</h1>".encode("latin-1"), {"Content-Type": "text/html; charset=latin-1"}
    )
    heading = view_of(page).tree.css_first("h1")
    assert heading is not None
    assert dom.node_text(heading) == "Grüße"
