"""Small made pages, each a folder in tests/data with what must come out of it.

A folder has `page.html`, `expected.json` and, where the blog's rules are learned first, `feed.xml` and further pages.
In expected.json `why` says what the case shows, `url` is the page's address and `others` gives the further pages'
addresses by file name; of an `unseen` page nothing is learned. What is expected: `title`, `text` (the whole of it),
`by` (which way the text came), `published` (its beginning), `authors` and `filed` (tags and categories by name) where
they are the matter, and `doubted` where the reading must say itself that it is no good one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blogforever import Feed, Page, Post, extract_post, learn_rules, parse_feed
from blogforever.extract.bodies import DOUBTFUL

CASES = sorted(folder for folder in (Path(__file__).parents[1] / "data").iterdir() if folder.is_dir())


def read_feed(case: Path, url: str) -> Feed | None:
    file = case / "feed.xml"
    return parse_feed(file.read_bytes(), f"{url}feed.xml") if file.exists() else None


def read_post(case: Path, expected: dict[str, Any], *, told: bool) -> Post:
    page = Page(expected["url"], (case / "page.html").read_bytes())
    others = [Page(url, (case / name).read_bytes()) for name, url in expected.get("others", {}).items()]
    feed = read_feed(case, page.url)
    training = others if expected.get("unseen") else [page, *others]
    rules = learn_rules(feed, training) if others else None
    entries = [entry for entry in feed.entries if entry.url == page.url] if feed and told else []
    return extract_post(page, rules, entries[0] if entries else None)


@pytest.mark.parametrize("told", [True, False], ids=["in the feed", "forgotten by the feed"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_made_page(case: Path, told: bool) -> None:
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    post = read_post(case, expected, told=told)
    assert post.text == expected["text"], expected["why"]
    assert post.title == expected["title"], expected["why"]
    assert post.provenance["html"].by == expected["by"], expected["why"]
    if "published" in expected:
        assert post.published is not None, expected["why"]
        assert post.published.iso.startswith(expected["published"]), expected["why"]
    if "authors" in expected:
        assert [author.name for author in post.authors] == expected["authors"], expected["why"]
    if "filed" in expected:
        assert sorted((*post.tags, *post.categories)) == expected["filed"], expected["why"]
    assert (post.provenance["html"].confidence < DOUBTFUL) is expected.get("doubted", False), expected["why"]
