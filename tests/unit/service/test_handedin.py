"""A list is looked through before anything happens, belongs to who handed it over, and is added once."""

from __future__ import annotations

import io

import pytest

from blogforever.errors import UsageError
from blogforever.service import handedin as module
from blogforever.service.adding import AddRequest
from blogforever.service.blocking import block
from blogforever.service.desk import Desk
from blogforever.service.handedin import ListDrafts
from blogforever.source.given import BlogMetadata
from blogforever.storage.deciding import AnyDecided
from blogforever.storage.following import FollowedQuery
from blogforever.testing import MemoryStore


class NoJournal:
    """A journal that nobody reads."""

    def add(self, decision: AnyDecided) -> None:
        del decision


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore(), NoJournal(), "ada")


def pasted(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def test_what_would_come_of_a_list_is_shown_and_nothing_happens_until_it_is_added(desk: Desk) -> None:
    block(desk, "bad.org", "spam")
    drafts, request = ListDrafts(), AddRequest((), "blogs.csv", "mine", ("x",), BlogMetadata(language="de"))
    draft = drafts.hand_over(desk, pasted("a.org\nb.org\nhttps://a.org/\nbad.org\nno address\n"), request)
    assert dict(draft.preview.verdicts) == {"new": 2, "known": 1, "blocked": 1, "invalid": 1}
    assert draft.preview.total == 5
    assert [row.reason for row in draft.preview.rows["blocked"]] == ["spam"]
    assert desk.store.followed.page(FollowedQuery()).items == ()
    added = drafts.add(desk, drafts.find(draft.id, "ada"))
    assert (added.batch.origin, added.batch.list, added.batch.tags) == ("blogs.csv", "mine", ("x",))
    assert [blog.metadata.language for blog in desk.store.followed.page(FollowedQuery()).items] == ["de", "de"]
    for again in (lambda: drafts.find(draft.id, "ada"), lambda: drafts.add(desk, draft)):
        with pytest.raises(UsageError, match="no longer here"):
            again()
    assert not draft.path.exists()


def test_a_draft_is_its_makers_alone_and_can_be_dropped(desk: Desk) -> None:
    drafts = ListDrafts()
    draft = drafts.hand_over(desk, pasted("a.org"), AddRequest(()))
    with pytest.raises(UsageError):
        drafts.find(draft.id, "eve")
    drafts.drop(draft)
    with pytest.raises(UsageError):
        drafts.find(draft.id, "ada")


def test_a_list_that_is_too_large_leaves_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_LIST", 10)
    drafts = ListDrafts()
    kept = drafts.hand_over(desk, pasted("a.org"), AddRequest(()))
    with pytest.raises(UsageError, match="in parts"):
        drafts.hand_over(desk, pasted("a.org\nb.org\n"), AddRequest(()))
    assert [path.name for path in kept.path.parent.iterdir()] == [kept.id]


def test_only_the_newest_drafts_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_DRAFTS", 2)
    drafts = ListDrafts()
    first, _second, third = (drafts.hand_over(desk, pasted("a.org"), AddRequest(())) for _ in range(3))
    with pytest.raises(UsageError):
        drafts.find(first.id, "ada")
    assert drafts.find(third.id, "ada") is third
    assert len(list(third.path.parent.iterdir())) == 2
