from __future__ import annotations

from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.model import Page
from hostile.growth import assert_linear

URL = "https://blog.example/2013/a/"


def page(html: str, kind: str = "text/html") -> Page:
    return Page(URL, html.encode(), {"content-type": kind})


def test_links_are_absolute_each_once_and_only_of_the_web() -> None:
    facts = read_facts(
        page(
            "<base href='/x/'><a href=b>1</a><a href='b#c'>2</a><a href='mailto:a@b.c'>3</a><h2><a href='/p'>4</a></h2>"
        )
    )
    assert facts.links == ("https://blog.example/x/b", "https://blog.example/p")
    assert facts.heading_links == ("https://blog.example/p",)


def test_next_and_previous_in_the_head_are_links() -> None:
    assert read_facts(page("<link rel=next href=/older><link rel=stylesheet href=/s>")).links == (
        "https://blog.example/older",
    )


def test_a_stub_says_where_it_moved() -> None:
    assert (
        read_facts(page("<meta http-equiv=refresh content='0; url=/2013/b/'>")).moved_to
        == "https://blog.example/2013/b/"
    )
    assert read_facts(page("<script>window.location.href='/new/'</script>")).moved_to == "https://blog.example/new/"
    assert read_facts(page("<meta http-equiv=refresh content='600; url=/2013/b/'>")).moved_to is None
    assert read_facts(page(f"<meta http-equiv=refresh content='0; url={URL}'>")).moved_to is None


def test_self_description() -> None:
    facts = read_facts(
        page(
            "<link rel=canonical href=/c><meta property=og:type content=article>"
            '<script type="application/ld+json">{"@type": "BlogPosting"}</script>'
            "<body class='single single-post postid-12'><article class='hentry post-12 big'></article>"
        )
    )
    assert facts.canonical == "https://blog.example/c"
    assert facts.og_type == "article"
    assert "BlogPosting" in facts.ld_types
    assert "single-post" in facts.body_classes
    assert "big" in facts.words
    assert "post-12" not in facts.words


def test_what_is_no_page_has_no_facts() -> None:
    assert not looks_like_html(page("<?xml version='1.0'?><rss></rss>"))
    assert not looks_like_html(page("<?xml version='1.0'?><oembed><title>x</title></oembed>"))
    assert not looks_like_html(page("<?xml version='1.0'?><oembed><html>&lt;iframe&gt;</html></oembed>"))
    assert not looks_like_html(page("<?xml version='1.0'?>" + "<!-- a -->" * 400 + "x"))
    assert looks_like_html(page("<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'>"))
    assert not looks_like_html(Page(URL, b"\x89PNG\r\n", {"content-type": "text/html"}))
    assert not looks_like_html(Page(URL, b"%PDF-1.4", {}))
    assert read_facts(page("{}", "application/json")).links == ()


def test_an_address_that_is_nearly_plain_costs_no_more_than_others() -> None:
    def page_of(size: int) -> Page:
        hrefs = [f"/{'a' * size}|", f"/{'a/' * size}/|", f"https://blog.example/{'a.b' * size} |", f"/a?{'=' * size}|"]
        html = "".join(f'<a href="{href}">x</a>' for href in hrefs)
        return Page("https://blog.example/", f"<html><body>{html}</body></html>".encode())

    assert_linear(read_facts, page_of, 20_000)


def test_a_heading_that_leads_to_itself_is_a_part_of_the_page() -> None:
    anchor = f"<h2 id=low-tide><a href='{URL}?id=low-tide'>Low tide</a></h2>"
    assert read_facts(page(anchor)).own_parts == {f"{URL}?id=low-tide"}
    for other in (
        f"<h2 id=low-tide><a href='{URL}?page=2'>Older</a></h2>",
        "<h2 id=low-tide><a href='/?id=low-tide'>Low tide</a></h2>",
        f"<p id=low-tide><a href='{URL}?id=low-tide'>Low tide</a></p>",
    ):
        assert read_facts(page(other)).own_parts == frozenset()


def test_an_entry_with_several_marks_is_one() -> None:
    article = "<article class='post hentry' itemtype='https://schema.org/BlogPosting'><p>Text.</p></article>"
    assert read_facts(page(article)).entries == 1
    assert read_facts(page(article * 3)).entries == 3
