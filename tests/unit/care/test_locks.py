from __future__ import annotations

import pytest

from blogforever.care.locks import field_rules, with_field, with_locks
from blogforever.errors import RulesError
from blogforever.extract.post import extract_post
from blogforever.learn.rulefile import dump_rules, load_rules, read_rule
from blogforever.model import Entry, Page, Rule, Rules, Template


def rule(css: str) -> Rule:
    return Rule(css, f"//{css}")


LEARNED = Rules(
    "b",
    (
        Template(rule("div.body"), exclude=(rule("p.ad"),), fields={"title": (rule("h1"),), "tags": (rule("a.tag"),)}),
        Template(rule("div.old"), fields={"title": (rule("h2"),)}),
    ),
)
PAGE = Page(
    "https://b.example/1", b"<h1>Wrong</h1><h3>Right</h3><div class=body><p>Words here.</p><aside>Ad</aside></div>"
)


def test_a_locked_field_replaces_what_was_learned_and_survives_learning() -> None:
    locked = with_locks(LEARNED, {"title": (rule("h3"),)})
    assert [t.fields["title"] for t in locked.templates] == [(Rule("h3", "//h3", locked=True),)] * 2
    assert locked.templates[0].fields["tags"] == (rule("a.tag"),)
    assert extract_post(PAGE, LEARNED).title == "Wrong"
    assert extract_post(PAGE, locked).title == "Right"
    assert extract_post(PAGE, locked, Entry(PAGE.url, title="What the feed says")).title == "Right"
    assert with_locks(locked, {"title": (rule("h3"),)}) == locked
    assert load_rules(dump_rules(locked)) == locked


def test_without_the_lock_its_rules_are_gone() -> None:
    locked = with_locks(LEARNED, {"title": (rule("h3"),), "article": (rule("main"),)})
    assert "title" not in with_locks(locked, {}).templates[0].fields
    assert [t.article.css for t in with_locks(locked, {}).templates] == ["div.body", "div.old"]


def test_a_locked_article_comes_first_and_locked_exclusions_join() -> None:
    locked = with_locks(LEARNED, {"article": (rule("body"),), "exclude": (rule("aside"),)})
    assert [t.article.css for t in locked.templates] == ["body", "div.body", "div.old"]
    assert [r.css for r in locked.templates[1].exclude] == ["aside", "p.ad"]
    post = extract_post(PAGE, locked)
    assert "Right" in post.text
    assert "Ad" not in post.text
    alone = with_locks(Rules("b"), {"article": (rule("div.body"),)})
    assert extract_post(PAGE, alone).text == "Words here.\n\nAd"


def test_rules_of_a_field_and_learning_it_anew() -> None:
    assert [r.css for r in field_rules(LEARNED, "title")] == ["h1", "h2"]
    assert [r.css for r in field_rules(LEARNED, "article")] == ["div.body", "div.old"]
    assert [r.css for r in field_rules(LEARNED, "exclude")] == ["p.ad"]
    fresh = Rules("b", (Template(rule("div.body"), fields={"title": (rule("h4"),), "tags": (rule("x"),)}),))
    locked = with_locks(LEARNED, {"title": (rule("h3"),)})
    again = with_field(locked, "title", [fresh, locked, LEARNED])
    assert [t.fields["title"][0].css for t in again.templates] == ["h4", "h2"]
    assert again.templates[0].fields["tags"] == (rule("a.tag"),)
    assert with_field(LEARNED, "exclude", [fresh]).templates[0].exclude == ()
    assert with_field(LEARNED, "article", [fresh]) == fresh


def test_rules_as_people_write_them() -> None:
    assert read_rule(" time.when@datetime ") == Rule(
        "time.when", "//time[@class and contains(concat(' ', normalize-space(@class), ' '), ' when ')]", "datetime"
    )
    assert read_rule('a[href*="@"]').attribute is None
    assert read_rule('{"css": "p.by", "xpath": "//p", "prefix": "By "}').prefix == "By "


@pytest.mark.parametrize("text", ["", "@href", "p:::x", "{", '{"css": "p"}', '{"css": "p", "xpath": "", "other": 1}'])
def test_what_is_no_rule_is_said(text: str) -> None:
    with pytest.raises(RulesError):
        read_rule(text)
