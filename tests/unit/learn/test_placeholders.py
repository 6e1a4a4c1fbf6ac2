"""What a blog calls its posts that have no title, told from titles that several posts share."""

from __future__ import annotations

import pytest

from blogforever import Entry, Feed, Page, dump_rules, learn_rules, load_rules

TEXTS = [
    "The clerk forgot two wooden chairs for no reason at all, and kept seven letters with great patience.",
    "A tired gardener repaired the garden gate before the rain began, and sold the copper kettle at the mill.",
    "Nobody here painted that narrow bridge in front of everybody while the mayor watched a gentle lantern.",
    "Her uncle measured every hollow barrel while the bread was rising, and closed the quiet cellar later.",
    "The postman hid one yellow notebook without saying a word, for some sailor had borrowed a bitter pillow.",
    "Every child carried that heavy compass until the lights went out, and the baker burned a distant basket.",
]
BLOG = "Tin shelf"


def page_of(number: int, called: str, shown: str, aside: str = "") -> Page:
    heading = f"<h2 class='t'>{shown}</h2>" if shown else ""
    html = (
        f"<html><head><title>{called}</title></head><body><header><a href='/'>{BLOG}</a></header>"
        f"<div class='post'>{heading}<p>{TEXTS[number]}</p></div><aside>{aside}</aside></body></html>"
    )
    return Page(f"https://tin.example/{number}", html.encode())


def feed_of(titles: list[str], name: str = BLOG) -> Feed:
    entries = (
        Entry(f"https://tin.example/{number}", title=title or None, html=f"<p>{TEXTS[number]}</p>")
        for number, title in enumerate(titles)
    )
    return Feed("https://tin.example/feed", "rss", title=name, entries=tuple(entries))


OWN = ["On ladders", "On stoves", "On ferries"]


@pytest.mark.parametrize("told", [True, False], ids=["with a feed", "without one"])
def test_blogs_name_in_place_of_titles(told: bool) -> None:
    titles = [*OWN, "", "", ""]
    pages = [page_of(number, title or BLOG, title) for number, title in enumerate(titles)]
    assert learn_rules(feed_of(titles) if told else None, pages).placeholders == (BLOG,)


@pytest.mark.parametrize("told", [True, False], ids=["with a feed", "without one"])
def test_title_of_a_series_is_one(told: bool) -> None:
    titles = [*OWN, "Open thread", "Open thread", "Open thread"]
    newest = "<a href='/5'>Open thread</a>"
    pages = [page_of(number, title, title, newest) for number, title in enumerate(titles)]
    assert learn_rules(feed_of(titles) if told else None, pages).placeholders == ()


def test_title_of_all_posts_is_one_where_the_feed_says_so() -> None:
    titles = ["Open thread"] * len(TEXTS)
    pages = [page_of(number, title, title) for number, title in enumerate(titles)]
    assert learn_rules(feed_of(titles), pages).placeholders == ()


def test_kind_that_only_the_feed_names() -> None:
    titles = [*OWN, "Photo", "Photo", "Photo"]
    shown = [*OWN, "", "", ""]
    pages = [page_of(number, title or BLOG, title) for number, title in enumerate(shown)]
    rules = learn_rules(feed_of(titles), pages)
    assert rules.placeholders == ("Photo", BLOG)
    assert load_rules(dump_rules(rules)) == rules
