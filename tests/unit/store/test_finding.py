"""Words together with a blog, an author or a tag: whatever way is taken, the same posts in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.storage.browsing import Facet, FoundPlace, PostQuery, WordQuery
from blogforever.store import finding
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


def test_it_is_the_same_whether_the_words_stand_in_few_posts_or_in_many(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pages(best_first: bool) -> list[list[str]]:
        queries = [WordQuery("lantern", among, best_first) for among in AMONG]
        return [[line.id for line in archive.search.page(query).items] for query in queries]

    with archive:
        rated, in_time = pages(True), pages(False)
        assert all(rated)
        monkeypatch.setattr(finding, "MANY", 5)
        # Fewer than hold the words, and more than each blog and author has.
        monkeypatch.setattr(finding, "RATED", 25)
        assert pages(True) == rated
        assert pages(False) == in_time


@pytest.mark.parametrize("among", [PostQuery(limit=4), PostQuery(blog="b1", limit=4)])
@pytest.mark.parametrize("rated", [1000, 25])
def test_pages_of_the_best_show_no_post_twice_while_better_ones_come_in(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch, among: PostQuery, rated: int
) -> None:
    monkeypatch.setattr(finding, "RATED", rated)
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
