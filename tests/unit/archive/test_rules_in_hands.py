"""Rules shown, tried, set, locked, unlocked and handed on, as values."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.archive.ruling import (
    LearnedField,
    LockedField,
    export_rules,
    import_rules,
    lock_field,
    relearn_field,
    set_rule,
    show_rules,
    try_rule,
    unlock_field,
)
from blogforever.errors import UsageError
from blogforever.learn.rulefile import dump_rules, load_rules
from blogforever.model import Rule, Rules, Template
from server.smallarchive import BLOG, address, make_archive, words

TEMPLATE = Template(
    article=Rule("p", "", confidence=0.9), fields={"title": (Rule("title", "", confidence=0.8),)}, pages=3
)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = make_archive(tmp_path)
    import_rules(folder, BLOG, dump_rules(Rules(BLOG, templates=(TEMPLATE,), feed="https://b.example/feed")))
    return folder


def test_rules_are_shown_with_what_they_find(archive: Path) -> None:
    shown = show_rules(archive, BLOG)
    assert (shown.title, shown.feed, shown.comments) == ("Lanterns", "https://b.example/feed", ())
    (template,) = shown.templates
    assert template.pages == 3
    article, title = template.rules
    assert (article.field, article.written, article.confidence, article.locked) == ("article", "p", 0.9, False)
    assert [(one.url, one.value) for one in title.examples] == [
        (address(2), "Lantern 2"),
        (address(1), "Lantern 1"),
    ]
    assert article.examples[0].value == words(2)


def test_a_rule_is_tried_on_a_page(archive: Path) -> None:
    tried = try_rule(archive, BLOG, "p", "title", address(1))
    assert (tried.written, tried.url, tried.number) == ("p", address(1), 1)
    assert [(element.tag, element.text) for element in tried.elements] == [("p", words(1))]
    assert (tried.field, tried.value) == ("title", words(1))
    nothing = try_rule(archive, BLOG, "h1.none", "title", address(1))
    assert (nothing.number, nothing.elements, nothing.value) == (0, (), None)
    assert try_rule(archive, BLOG, "p", None, address(1)).field is None


def test_a_rule_is_tried_on_archived_pages_and_for_fields_there_are(archive: Path) -> None:
    with pytest.raises(UsageError, match=r"no page https://b\.example/other of Lanterns"):
        try_rule(archive, BLOG, "p", None, "https://b.example/other")
    with pytest.raises(UsageError, match="no field 'colour'"):
        try_rule(archive, BLOG, "p", "colour", address(1))


def test_what_is_set_is_locked_until_it_is_unlocked(archive: Path) -> None:
    assert set_rule(archive, BLOG, ["h1", "h2@id"], "title") == LockedField("title", ("h1", "h2"))
    (template,) = show_rules(archive, BLOG).templates
    assert [(rule.written, rule.locked) for rule in template.rules if rule.field == "title"] == [
        ("h1", True),
        ("h2@id", True),
    ]
    with pytest.raises(UsageError, match="locked; unlock it first"):
        relearn_field(archive, BLOG, "title")
    # There is no feed to learn from.
    assert unlock_field(archive, BLOG, "title") == LearnedField("title", 0)
    with pytest.raises(UsageError, match="not locked"):
        unlock_field(archive, BLOG, "title")
    with pytest.raises(UsageError, match="no feed of Lanterns to learn from"):
        relearn_field(archive, BLOG, "title")


def test_the_present_rules_of_a_field_are_locked_as_they_are(archive: Path) -> None:
    assert lock_field(archive, BLOG, "title") == LockedField("title", ("title",))
    with pytest.raises(UsageError, match="no rule for authors"):
        lock_field(archive, BLOG, "authors")


def test_rules_are_handed_on_with_their_locks(archive: Path, tmp_path: Path) -> None:
    lock_field(archive, BLOG, "title")
    text = export_rules(archive, BLOG)
    assert load_rules(text).templates[0].fields["title"][0].locked
    other = make_archive(tmp_path / "other")
    assert len(import_rules(other, BLOG, text).templates) == 1
    with pytest.raises(UsageError, match="locked"):
        relearn_field(other, BLOG, "title")
