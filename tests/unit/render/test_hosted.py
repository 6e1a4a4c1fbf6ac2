"""The data on comment systems: complete, readable, and honest about what was tried."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from blogforever.comments.systems import load_systems
from blogforever.render.hosted import announced, framed, load_hosted, read_data

TRIED = {"disqus", "isso", "waline", "wordpress"}
EMPTY = LexborHTMLParser("<p></p>")


def test_systems_say_what_they_were_tried_against() -> None:
    names = {system.name for system in load_hosted()}
    others = "giscus utterances remark42 cusdis commento livefyre facebook jetpack substack ghost"
    assert names >= TRIED | set(others.split())
    assert {system.name for system in load_hosted() if system.verified} == TRIED


def test_every_selector_and_expression_can_be_read() -> None:
    for system in load_hosted():
        re.compile(system.frame)
        for css in filter(None, (system.container, system.ready, *system.more)):
            EMPTY.css(css)
    for rules in load_systems():
        for css in filter(None, (rules.item, rules.author, rules.date, rules.text, rules.parent)):
            EMPTY.css(css)


def test_the_source_of_a_page_announces_a_system() -> None:
    page = '<div id="disqus_thread"></div><script src="https://x.disqus.com/embed.js"></script>'
    assert [system.name for system in announced(page)] == ["disqus"]
    assert not announced("<p>We spoke of comment systems.</p>")


def test_a_frame_is_known_by_its_address() -> None:
    found = framed("https://disqus.com/embed/comments/?base=default&f=x")
    assert found
    assert found.name == "disqus"
    assert framed("https://film.test/embed/7") is None


def test_every_language_has_words_of_every_kind() -> None:
    kinds = {"show", "more", "hidden", "things", "fold", "avoid"}
    for language, table in read_data("words.toml").items():
        assert set(table) == kinds, language
        assert all(words and all(word == word.strip() for word in words) for words in table.values()), language
