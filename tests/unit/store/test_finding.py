"""Words together with a blog, an author or a tag: whatever way is taken, the same posts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from blogforever.storage.browsing import Facet, FoundPlace, PostQuery, WordQuery
from blogforever.store import finding, indexes
from blogforever.store.folder import ArchiveFolder
from server.somerecords import some_post

AMONG = (
    PostQuery(blog="b1", limit=4),
    PostQuery(facets=(Facet("author", "Ann"),), limit=4),
    PostQuery(facets=(Facet("author", "Ann"), Facet("tag", "sea")), limit=4),
    PostQuery(blog="b0", facets=(Facet("tag", "sea"),), since="2020-01-05", limit=4),
)


@pytest.fixture
def archive(archive_place: Path) -> ArchiveFolder:
    archive = ArchiveFolder(archive_place, writing=True)
    for number in range(40):
        blog = f"b{number % 3}"
        run, _ = archive.store.runs.open(blog)
        post = some_post(
            id=f"p{number:02}",
            blog=blog,
            url=f"https://{blog}.example/{number}/",
            title="Lantern" if number % 7 == 0 else "Boat",
            text="lantern " * (1 + number % 5) + "and so on",
            published=f"2020-01-{1 + number % 28:02}",
            authors=[{"name": "Ann" if number % 2 else "Bob"}],
            tags=["sea"] if number % 4 else [],
        )
        archive.store.posts.keep(run, post)
    archive.store.flush()
    archive.search.update()
    return archive


def found(archive: ArchiveFolder, among: PostQuery, best_first: bool = True, limit: int = 40) -> list[str]:
    """The posts of all pages."""
    query, posts = WordQuery("lantern", replace(among, limit=limit), best_first), list[str]()
    while True:
        page = archive.search.page(query)
        posts += [line.id for line in page.items]
        if page.next is None:
            return posts
        assert isinstance(page.next, FoundPlace)
        query = replace(query, place=page.next)


def test_the_same_posts_are_found_whether_the_words_stand_in_few_posts_or_in_many(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with archive:
        rated = [found(archive, among) for among in AMONG]
        newest = [archive.search.page(WordQuery("lantern", among, best_first=False)) for among in AMONG]
        assert all(rated)
        monkeypatch.setattr(finding.AskedIndex, "are_more", lambda *_: True)
        # More than each blog and author has, looked up by some at a time.
        monkeypatch.setattr(finding, "RATED", 25)
        monkeypatch.setattr(finding, "LOOKED_UP", 5)
        assert [set(found(archive, among)) for among in AMONG] == [set(posts) for posts in rated]
        assert [found(archive, among, limit=3) for among in AMONG] == [found(archive, among) for among in AMONG]
        assert [archive.search.page(WordQuery("lantern", among, best_first=False)) for among in AMONG] == newest


def test_of_words_that_are_everywhere_those_in_titles_come_first(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    titled = {f"p{number:02}" for number in range(0, 40, 7)}
    with archive:
        monkeypatch.setattr(finding.AskedIndex, "are_more", lambda *_: True)
        monkeypatch.setattr(indexes, "COMMON", 5)
        assert set(found(archive, PostQuery())[: len(titled)]) == titled
        of_ann = found(archive, PostQuery(facets=(Facet("author", "Ann"),)))
        assert set(of_ann[:3]) == {"p07", "p21", "p35"}


def test_words_that_are_everywhere_do_not_weigh_beside_seldom_ones(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FTS5 weighs a word by going through all posts that have it."""
    index = archive.search._words
    with archive, archive.engine.connect() as connection:
        monkeypatch.setattr(indexes, "COMMON", 35)
        seldom = index.rated(connection, indexes.sought_words("and lantern -ship boat"), 10, indexes.NEWEST)
        if isinstance(index, indexes.FtsIndex):
            assert seldom.values["seldom"] == '"boat"', "the others stand in all forty posts"
        boats = archive.search.page(WordQuery("and lantern -ship boat", PostQuery(limit=40)))
        assert {line.id for line in boats.items} == {f"p{number:02}" for number in range(40) if number % 7}


@pytest.mark.parametrize("among", [PostQuery(limit=4), PostQuery(blog="b1", limit=4)])
@pytest.mark.parametrize("rated", [1000, 25])
def test_pages_of_the_best_show_no_post_twice_while_better_ones_come_in(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch, among: PostQuery, rated: int
) -> None:
    monkeypatch.setattr(finding, "RATED", rated)
    monkeypatch.setattr(finding, "LOOKED_UP", 10)
    monkeypatch.setattr(finding, "MANY", 5)
    with archive:
        shown: list[str] = []
        place: FoundPlace | None = FoundPlace(0)
        while place is not None:
            page = archive.search.page(WordQuery("lantern", among, place=place))
            shown += [line.id for line in page.items]
            assert page.next is None or isinstance(page.next, FoundPlace)
            place = page.next
            keep_better(archive, len(shown))
        assert len(shown) == len(set(shown))
        assert not any(post.startswith("better") for post in shown)
        first = archive.search.page(WordQuery("lantern", among)).items
        assert all(line.id.startswith("better") for line in first)


def keep_better(archive: ArchiveFolder, number: int) -> None:
    """Posts that come first among all that hold the word, and are the newest."""
    run, _ = archive.store.runs.open("b1")
    for n in range(4):
        post = some_post(
            id=f"better{number}-{n}",
            blog="b1",
            url=f"https://b1.example/better-{number}-{n}/",
            title="Lantern lantern lantern",
            text="lantern",
            published="2021-01-01",
        )
        archive.store.posts.keep(run, post)
    archive.store.flush()
    archive.search.update()
