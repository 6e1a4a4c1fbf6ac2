"""With --since, lists wait for the age of the posts beside them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.crawl.heldlists import HeldLists
from blogforever.pipeline.since import Since
from blogforever.protocols import Ask

ROOT = "https://blog.example/"
DAY = datetime(2024, 5, 10, tzinfo=UTC)
POST, LIST = Ask(f"{ROOT}a-tale/"), Ask(f"{ROOT}page/2/")


@pytest.mark.parametrize(
    ("dates", "released"),
    [(["2024-05-01", "2024-05-20"], True), (["2024-05-01", "2024-05-02"], False), ([None, "2024-05-01"], True)],
    ids=["a young post", "old posts only", "a post without a date"],
)
def test_a_list_is_asked_for_unless_all_posts_beside_it_are_too_old(dates: list[str | None], released: bool) -> None:
    since = Since(DAY)
    held = HeldLists(since)
    posts = [f"{ROOT}tale-{number}/" for number in range(len(dates))]
    assert held.hold([POST, LIST], posts) == [POST]
    for post, date in zip(posts, dates, strict=True):
        since.note(post, date)
    assert held.release() == ([LIST] if released else [])
    assert held.release() == []
