"""What webhooks are told, in which order, how often it is tried, and what becomes of what they do not take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.fetch.posting import Posted
from blogforever.service.desk import Desk
from blogforever.service.letters import MOST_EVENTS, SCANNED, WAITS, HookLetter, body_of, next_letter, note_answer
from blogforever.service.signing import MARK, new_secret, signature_of
from blogforever.service.webhooks import HookWish, create_hook, drop_hook, list_hooks, send_again, throw_away
from blogforever.storage.decided import put_in_force
from blogforever.storage.deciding import AnyDecided
from blogforever.storage.following import FollowedBlog
from blogforever.storage.hooks import Webhook
from blogforever.storage.tables import Store
from blogforever.testing import FakeClock, MemoryStore
from server.storedposts import post

TAKEN, REFUSED = Posted(204), Posted(500)


class Journal:
    """Remembers decisions."""

    def __init__(self) -> None:
        self.decided: list[AnyDecided] = []

    def add(self, decision: AnyDecided) -> None:
        self.decided.append(decision)


@pytest.fixture
def time() -> Iterator[FakeClock]:
    fake = FakeClock()
    with clock.handed_in(lambda: fake.now):
        yield fake


@pytest.fixture
def desk(time: FakeClock) -> Desk:
    return Desk(MemoryStore(), Journal(), "ann")


def hooked(desk: Desk, **wish: Any) -> Webhook:
    return create_hook(desk, HookWish("https://a.example/hook", **wish))


def keep(store: Store, *numbers: int, blog: str = "b", **more: Any) -> None:
    run, _ = store.runs.open(blog)
    for number in numbers:
        store.posts.keep(run, post(number, blog, **more))


def told(store: Store, hook: Webhook, answer: Posted = TAKEN) -> list[tuple[str, str]]:
    """What the next letter says; it is answered so."""
    letter = next_letter(store, hook)
    if letter is None:
        return []
    body = body_of(letter, store.posts.find)
    note_answer(store, letter, answer if body else None)
    return [(one["event"], one["post"]["id"]) for one in json.loads(body)["events"]] if body else []


def test_what_happens_after_it_was_made_is_told_once_and_in_order(desk: Desk) -> None:
    store = desk.store
    keep(store, 1)
    hook = hooked(desk)
    assert told(store, hook) == []
    keep(store, 2, 3)
    keep(store, 2, text="edited")
    assert told(store, hook) == [("post.new", "b2"), ("post.new", "b3"), ("post.changed", "b2")]
    assert told(store, hook) == []
    (listed,) = list_hooks(store)
    assert (listed.waiting, listed.standing.sent, listed.standing.status) == (0, 1, 204)


def test_only_the_events_and_blogs_that_are_wanted_are_told(desk: Desk) -> None:
    store = desk.store
    store.followed.add([FollowedBlog("b.example", "https://b.example/", clock.stamp(), "b", lists=("l",), tags=("t",))])
    wishes: list[dict[str, Any]] = [{"events": ("changed",)}, {"blog": "b.example"}, {"blog": "c"}]
    wishes += [{"list": "l"}, {"tag": "t"}, {"tag": "other"}]
    hooks = [hooked(desk, **wish) for wish in wishes]
    keep(store, 1)
    keep(store, 1, blog="c")
    assert [told(store, hook) for hook in hooks] == [
        [],
        [("post.new", "b1")],
        [("post.new", "c1")],
        [("post.new", "b1")],
        [("post.new", "b1")],
        [],
    ]
    assert [one.waiting for one in list_hooks(store)] == [0] * len(hooks)


def test_letters_stay_small_and_nothing_is_left_out_between_them(desk: Desk) -> None:
    store, hook = desk.store, hooked(desk)
    numbers = range(1, SCANNED + 2)
    keep(store, *numbers, published=None)
    letters = []
    while some := told(store, hook):
        letters.append(len(some))
        assert len(letters) < SCANNED
    assert sum(letters) == len(numbers)
    assert max(letters) == MOST_EVENTS


def test_what_is_not_taken_is_sent_again_as_it_was_later_and_later_and_then_buried(desk: Desk, time: FakeClock) -> None:
    store, hook = desk.store, hooked(desk)
    keep(store, 1)
    first = next_letter(store, hook)
    assert first
    names = set()
    for wait in WAITS:
        letter = next_letter(store, hook)
        assert letter
        names.add(letter.name)
        note_answer(store, letter, REFUSED)
        keep(store, int(wait) % 9 + 2, published=None)
        assert next_letter(store, hook) is None
        time.now += timedelta(seconds=wait)
    assert names == {first.name}
    assert told(store, hook, REFUSED) == [("post.new", "b1")]
    (dead,) = store.hooks.dead(9)
    assert (dead.first, dead.last, dead.tries, dead.status) == (1, 1, len(WAITS) + 1, 500)
    assert ("post.new", "b1") not in told(store, hook)


def dead_letter(desk: Desk, hook: Webhook) -> int:
    letter = next_letter(desk.store, hook)
    assert letter
    for _ in range(len(WAITS) + 1):
        note_answer(desk.store, letter, REFUSED)
    return desk.store.hooks.dead(1)[0].id


def test_a_dead_letter_is_sent_again_when_somebody_wants_it(desk: Desk) -> None:
    store, hook = desk.store, hooked(desk)
    keep(store, 1)
    dead = dead_letter(desk, hook)
    assert told(store, hook) == []
    send_again(store, dead)
    assert told(store, hook, REFUSED) == [("post.new", "b1")]
    assert told(store, hook) == []
    send_again(store, dead)
    assert told(store, hook) == [("post.new", "b1")]
    assert store.hooks.dead(9) == []
    with pytest.raises(UsageError, match="no dead letter"):
        send_again(store, dead)


def test_a_dead_letter_can_be_thrown_away_and_deliveries_are_counted(desk: Desk) -> None:
    store, hook = desk.store, hooked(desk)
    keep(store, 1)
    throw_away(store, dead_letter(desk, hook))
    keep(store, 2)
    told(store, hook)
    counts = {one.label: one.number for one in store.counters.sums("0", "9", 4)}
    assert counts == {"failed": len(WAITS) + 1, "dead": 1, "sent": 1}


def test_posts_that_nobody_may_see_any_more_are_not_told(desk: Desk) -> None:
    store, hook = desk.store, hooked(desk)
    keep(store, 1, 2)
    letter = next_letter(store, hook)
    assert letter
    assert body_of(letter, lambda _post: None) is None
    body = body_of(letter, lambda name: store.posts.find(name) if name == "b2" else None)
    assert body
    assert [one["post"]["id"] for one in json.loads(body)["events"]] == ["b2"]


def test_who_is_dropped_is_told_nothing_and_what_was_decided_can_be_done_again(desk: Desk) -> None:
    hook, other = hooked(desk), hooked(desk, note="stays")
    keep(desk.store, 1)
    letter = HookLetter(hook, 1, 1, ())
    drop_hook(desk, hook.id)
    note_answer(desk.store, letter, REFUSED)
    assert [one.id for one in list_hooks(desk.store)] == [other.id]
    assert desk.store.hooks.dead(9) == []
    with pytest.raises(UsageError, match="no webhook"):
        drop_hook(desk, hook.id)
    anew = MemoryStore()
    keep(anew, 1)
    assert isinstance(desk.journal, Journal)
    for decision in desk.journal.decided:
        put_in_force(anew, decision)
    assert anew.hooks.all() == [other]
    assert told(anew, other) == []


def test_wishes_that_make_no_sense_are_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no event 'old'"):
        hooked(desk, events=("old",))
    monkeypatch.setattr("blogforever.service.webhooks.MOST_HOOKS", 0)
    with pytest.raises(UsageError, match="drop one first"):
        hooked(desk)


def test_the_signature_is_that_of_standard_webhooks() -> None:
    # The example of https://www.standardwebhooks.com and its libraries.
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    signed = signature_of(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert new_secret().startswith(MARK)
    assert new_secret() != new_secret()
