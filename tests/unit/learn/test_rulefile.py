"""Rules as a file that people read and edit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from blogforever.errors import RulesError
from blogforever.learn import learn_rules
from blogforever.learn.rulefile import dump_rules, load_rules

from .madeblog import feed_of, make_posts, pages_of
from .test_learner import classic, loose


def test_rules_survive_the_way_through_a_file() -> None:
    posts = make_posts(8)
    for layout in (classic, loose):
        rules = learn_rules(feed_of(posts), pages_of(posts, layout))
        assert load_rules(dump_rules(rules)) == rules


def test_rules_of_pages_with_broken_tags_survive_it_too() -> None:
    posts = make_posts(8)
    pages = pages_of(posts, classic)
    links = "".join(f'<section"><a href="{page.url}">What was said of ropes</a></section">' for page in pages[:2])
    broken = [replace(page, content=page.content.replace(b"<p>", links.encode() + b"<p>", 1)) for page in pages]
    rules = learn_rules(feed_of(posts), broken)
    assert any(rule.leads for template in rules.templates for rule in template.exclude)
    assert load_rules(dump_rules(rules)) == rules


def test_every_rule_shows_an_xpath() -> None:
    posts = make_posts(8)
    template = json.loads(dump_rules(learn_rules(feed_of(posts), pages_of(posts, classic))))["templates"][0]
    shown = [
        template["article"],
        *template["exclude"],
        *(rule for rules in template["fields"].values() for rule in rules),
    ]
    assert all(rule["xpath"].startswith("//") for rule in shown)
    assert {"title", "authors", "published", "tags"} <= set(template["fields"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2}',
        '{"version": 1, "templates": [{}]}',
        '{"version": 1, "templates": 3}',
        '{"version": 1, "templates": [{"article": {"css": "div[", "xpath": "//div"}}]}',
        '{"version": 1, "templates": [{"article": {"css": "div", "xpath": "//div", "colour": "red"}}]}',
        '{"version": 1, "templates": [{"article": {"css": "div", "xpath": "//div", "confidence": "high"}}]}',
        '{"version": 1, "templates": [{"article": {"css": "div", "xpath": "//div", "pages": 1e999}}]}',
        '{"version": 1, "templates": [{"article": {"css": 7, "xpath": "//div"}}]}',
        '{"version": 1, "language": 7}',
        '{"version": 1, "language": "\\ud800"}',
        '{"version": 1, "feed": ["https://b.example/feed"]}',
        '{"version": 1, "author": {"name": "Ann"}}',
    ],
)
def test_what_cannot_be_understood_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(text)
    assert "\n" not in str(caught.value)
