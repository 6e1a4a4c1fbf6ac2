"""Rules set tags on what is there and on what comes; what posts have by themselves stays theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy import Engine

from blogforever.storage.browsing import Facet, FoundPlace, PostPlace, PostQuery, WordQuery
from blogforever.storage.following import FollowedBlog
from blogforever.storage.searches import TagRule
from blogforever.store import finding
from blogforever.store.search import SearchIndex
from blogforever.store.sqlstore import SqlStore
from server.somerecords import some_post


class Shelf:
    def __init__(self, engine: Engine, folder: Path) -> None:
        self.store, self.search = SqlStore(engine, folder), SearchIndex(engine)

    def save(self, name: str, **more: Any) -> None:
        run, _ = self.store.runs.open("b")
        self.store.posts.keep(run, some_post(id=name, url=f"https://b.example/{name}", **more))
        self.store.runs.close(run, "finished")
        self.store.flush()
        self.search.update()

    def rule(self, name: str, tag: str, **asked: str) -> None:
        self.store.tag_rules.keep(TagRule(name, tag, **asked))
        self.search.retag(name)

    def tagged(self, tag: str) -> list[str]:
        return [item.id for item in self.store.posts.page(PostQuery(facets=(Facet("tag", tag),))).items]

    def found(self, words: str, best_first: bool = True, **among: Any) -> list[str]:
        return [item.id for item in self.search.page(WordQuery(words, PostQuery(**among), best_first)).items]


@pytest.fixture
def shelf(engine: Engine, tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(engine, tmp_path)
    shelf.save("one", published="2012-01-01", text="a lantern", language="de-AT", tags=["Sea"])
    shelf.save("two", published="2013-01-01", text="a copper lantern", language="en", title="lantern")
    yield shelf
    shelf.store.close()


@pytest.mark.parametrize(
    ("asked", "posts"),
    [
        ({"address": "https://b.example/o"}, ["one"]),
        ({"address": "*/t[w]o"}, []),
        ({"address": "*two"}, ["two"]),
        ({"language": "DE"}, ["one"]),
        ({"platform": "Hexo"}, ["two", "one"]),
        ({"words": "copper lantern"}, ["two"]),
        ({"words": "lantern", "language": "de"}, ["one"]),
    ],
)
def test_a_rule_tags_what_fits_all_it_says(shelf: Shelf, asked: dict[str, str], posts: list[str]) -> None:
    shelf.store.followed.add([FollowedBlog("b.example", "https://b.example/", "2026", blog="b", platform="hexo")])
    shelf.rule("r", "Lights", **asked)
    assert shelf.tagged("lights") == posts
    assert shelf.search.given_tags(["one", "two"]) == dict.fromkeys(posts, ("Lights",))


def test_what_comes_later_is_tagged_and_what_fits_no_more_is_not(shelf: Shelf) -> None:
    shelf.rule("r", "lights", words="lantern")
    shelf.save("three", published="2014-01-01", text="one more lantern")
    shelf.save("one", published="2015-01-01", text="dark now")
    assert shelf.tagged("lights") == ["three", "two"]
    shelf.save("two", published="2016-01-01", text="a lantern still")
    assert shelf.tagged("lights") == ["two", "three"]


def test_a_post_that_is_written_again_keeps_what_it_was_given(shelf: Shelf) -> None:
    shelf.rule("r", "lights", words="lantern")
    shelf.store.posts.rewrite(structs.replace(shelf.store.posts.record("one"), status="gone"))
    assert shelf.tagged("lights") == ["two", "one"]


def test_a_tag_of_its_own_stays_when_the_rule_goes(shelf: Shelf) -> None:
    shelf.rule("r", "sea", words="lantern")
    assert (shelf.tagged("sea"), shelf.search.given_tags(["one", "two"])) == (["two", "one"], {"two": ("sea",)})
    shelf.save("two", published="2013-01-01", text="a copper lantern", tags=["sea"])
    shelf.store.tag_rules.drop("r")
    shelf.search.retag("r")
    assert (shelf.tagged("sea"), shelf.search.given_tags(["one", "two"])) == (["two", "one"], {})


def test_words_are_looked_for_among_the_posts_that_are_chosen(shelf: Shelf) -> None:
    assert shelf.found("lantern") == ["two", "one"]
    assert shelf.found("lantern", facets=(Facet("tag", "sea"),)) == ["one"]
    assert shelf.found("lantern", until="2012-06") == ["one"]
    assert shelf.found("lantern", best_first=False, blog="b") == ["two", "one"]
    assert shelf.found("lantern", blog="c") == []


@pytest.mark.parametrize("many", [0, 10])
def test_few_and_many_are_found_alike(shelf: Shelf, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MANY", many)
    monkeypatch.setattr(finding, "RATED", many or 1)
    narrowed: list[dict[str, Any]] = [{"facets": (Facet("language", "en"),)}, {"since": "2013"}, {"blog": "b"}]
    assert [shelf.found("lantern", **among)[0] for among in narrowed] == ["two"] * 3
    assert shelf.found("lantern", best_first=False) == ["two", "one"]
    assert shelf.found("lantern", best_first=False, facets=(Facet("language", "en"),)) == ["two"]
    first = shelf.search.page(WordQuery("lantern", PostQuery(limit=1), best_first=False))
    assert isinstance(first.next, PostPlace)
    second = shelf.search.page(WordQuery("lantern", PostQuery(limit=1, after=first.next), best_first=False))
    assert [item.id for page in (first, second) for item in page.items] == ["two", "one"]
    assert second.next is None


def test_the_best_end_where_nobody_reads_on(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    page = shelf.search.page(WordQuery("lantern", PostQuery(limit=1)))
    assert isinstance(page.next, FoundPlace)
    assert page.next.shown == 1
    monkeypatch.setattr(finding, "MOST_FOUND", 1)
    assert shelf.search.page(WordQuery("lantern", PostQuery(limit=5))).next is None
