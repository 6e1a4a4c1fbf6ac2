"""News for programs that ask for them, page by page: the same that webhooks are told."""

from __future__ import annotations

from blogforever.store.folder import ArchiveFolder

from .browsing import find_post
from .letters import SCANNED, WantsNews, event_of, wanted_news

MOST_SCANNED = 20 * SCANNED
"""News that are looked through for one page: where few are meant, the next page goes on from there."""


def read_news(
    archive: ArchiveFolder, wish: WantsNews, after: int, limit: int
) -> tuple[list[dict[str, object]], int | None]:
    """What came after that number and is wanted, oldest first; and the number to go on from, if there is more."""
    store, reached, told = archive.store, after, list[dict[str, object]]()
    for _ in range(MOST_SCANNED // SCANNED):
        rows = store.news.after(reached, SCANNED)
        if not rows:
            return told, None
        for row in wanted_news(store, wish, rows):
            post = find_post(archive, row.post)
            if post is None:
                continue
            if len(told) == limit:
                return told, reached
            told.append(event_of(row, post))
            reached = row.number
        reached = rows[-1].number
    return told, reached if store.news.after(reached, 1) else None
