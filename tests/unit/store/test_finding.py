"""Words together with a blog, an author or a tag: whatever way is taken, the same posts in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.storage.browsing import Facet, PostQuery, WordQuery
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
