"""`blogforever schedule`: what people and programs are told, and what they can do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from blogforever.model import LookPolicy
from blogforever.storage.following import FollowedBlog
from blogforever.storage.schedule import LookRow
from blogforever.store.folder import ArchiveFolder
from server.commands import Call, caller, told

CREATED, LOOKED, NEXT = "2026-11-01T08:00:00+00:00", "2026-11-02T08:00:00+00:00", "2126-11-16T09:30:00+00:00"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """One blog that is followed, with a look; one that is new; one that rests."""
    plain = FollowedBlog("a.example", "https://a.example/", CREATED, "a.example", state="following", tags=("news",))
    followed = replace(plain, last_look=LOOKED, next_look=NEXT, next_reason="posts on Tuesdays and Fridays")
    blogs = [
        FollowedBlog("new.example", "https://new.example/", CREATED, next_look=CREATED, next_reason="it is new"),
        FollowedBlog("rests.example", "https://rests.example/", CREATED, state="rejected", reason="no blog"),
    ]
    with ArchiveFolder(tmp_path, writing=True) as folder:
        store = folder.store
        store.followed.add([followed, *blogs])
        store.schedule.add(LookRow("a.example", LOOKED, found=2, changed=1, requests=1))
    return tmp_path


@pytest.fixture
def call(archive: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller("schedule", archive, capsys)


def test_the_next_looks_are_listed_soonest_first(call: Call) -> None:
    code, out, _ = call()
    assert code == 0
    assert out.splitlines() == [
        "2026-11-01 08:00  new.example  it is new",
        "2126-11-16 09:30  a.example  posts on Tuesdays and Fridays",
    ]
    assert [blog["id"] for blog in told(call, "--limit", "1")["items"]] == ["new.example"]


def test_one_blog_is_shown_with_its_reason_and_its_looks(call: Call) -> None:
    code, out, _ = call("a.example")
    assert code == 0
    assert out.splitlines() == [
        "https://a.example/: following",
        "next look  2126-11-16 09:30 UTC: posts on Tuesdays and Fridays",
        "rhythm     nothing is known of when it posts",
        "2026-11-02 08:00  finished     2 new, 1 changed, 1 request",
    ]
    shown = told(call, "a.example")
    assert shown["blog"]["next_look"] == NEXT
    assert shown["looks"][0]["found"] == 2


def test_a_policy_is_set_shown_and_taken_back(call: Call) -> None:
    code, out, _ = call("set", "a.example", "--at-least", "30min", "--at-most", "2d", "--quiet-hours", "22-2")
    assert (code, out) == (0, "Set; 1 blog planned anew.\n")
    assert (
        "policy     looks at least 30 min apart; looks at most 2 days apart; not from 22:00–02:00 (UTC)"
        in call("a.example")[1]
    )
    assert told(call, "set", "--tag", "news", "--priority", "2") == {"planned": 1}
    assert told(call, "a.example")["policy"]["priority"] == 2
    call("set", "a.example", "--free")
    assert LookPolicy(**told(call, "a.example")["blog"]["policy"]).at_least is None


def test_blogs_rest_and_go_on(call: Call) -> None:
    assert call("pause", "--tag", "news")[1] == "Paused: 1 blog.\n"
    assert "a.example/: paused" in call("a.example")[1]
    assert told(call, "resume", "a.example") == {"resumed": 1}


def test_now_goes_into_the_queue(call: Call, archive: Path) -> None:
    assert told(call, "now", "--all") == {"queued": 2}
    with ArchiveFolder(archive, writing=False) as folder:
        assert folder.store.jobs.busy() == {"a.example", "new.example"}


def test_a_week_is_forecast(call: Call) -> None:
    code, out, _ = call("forecast")
    assert code == 0
    assert out.splitlines()[0] == "2 blogs to be looked at"
    assert len(out.splitlines()) == 8
    assert len(told(call, "forecast")["days"]) == 7


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nobody.example",), "is followed"),
        (("set", "a.example"), "Say what is to be set"),
        (("set", "a.example", "--every", "soon"), "is no length of time"),
        (("set", "a.example", "--every", "9999w"), "between a minute and a year"),
        (("set", "a.example", "--quiet-hours", "25"), "no hours of a day"),
        (("set", "a.example", "--quiet-hours", "x-y"), "no hours of a day"),
        (("pause",), "Say in one way"),
        (("pause", "a.example", "--all"), "Say in one way"),
        (("now", "rests.example"), "rests.example is rejected"),
    ],
)
def test_what_cannot_be_done_is_one_clear_sentence(call: Call, words: tuple[str, ...], sentence: str) -> None:
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err
