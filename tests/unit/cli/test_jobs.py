"""`blogforever jobs`: what people and programs are told, and what they can do."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.storage.following import FollowedBlog
from blogforever.storage.work import PERSON, JobRow, NewJob
from blogforever.store.folder import ArchiveFolder
from server.commands import Call, caller, told

NOW = "2026-11-16T08:00:00+00:00"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Three jobs: one done, one under way, one that waits."""
    with ArchiveFolder(tmp_path, writing=True) as folder:
        store = folder.store
        store.followed.add([FollowedBlog(name, f"https://{name}/", NOW, next_look=NOW) for name in ("a.example",)])
        for blog in ("c.example", "b.example"):
            store.jobs.put(NewJob("update", blog, asked_by="schedule"), NOW)
        store.jobs.take("w", {"update": 2}, NOW)
        store.jobs.fail(1, "w", "The disk was full.", NOW)
        store.jobs.put(NewJob("harvest", "a.example"), NOW)
    return tmp_path


@pytest.fixture
def call(archive: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller("jobs", archive, capsys)


def test_jobs_are_listed_newest_first_for_people_and_for_programs(call: Call) -> None:
    code, out, _ = call()
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines == [
        "3 harvest waiting 2026-11-16 08:00 a.example",
        "2 update running 2026-11-16 08:00 b.example",
        "1 update failed 2026-11-16 08:00 c.example The disk was full.",
    ]
    page = told(call, "list", "--limit", "2")
    assert [job["id"] for job in page["items"]] == [3, 2]
    assert set(page["items"][0]) == set(JobRow.__dataclass_fields__)
    assert [job["id"] for job in told(call, "--after", str(page["next"]))["items"]] == [1]
    assert told(call, "--state", "running", "--kind", "update")["items"][0]["blog"] == "b.example"
    assert told(call, "--blog", "nobody")["items"] == []
    assert "No such jobs." in call("--blog", "nobody")[1]
    assert "More: --after 2" in call("--limit", "2")[1]


def test_one_job_is_shown_with_all_that_is_known(call: Call) -> None:
    assert told(call, "show", "1")["error"] == "The disk was full."
    assert "error     The disk was full." in call("show", "1")[1]
    code, _, err = call("show", "99")
    assert (code, err.count("\n")) == (2, 1)
    assert "There is no job 99" in err


def test_a_job_that_is_cancelled_does_not_come_back_at_once(call: Call, archive: Path) -> None:
    assert told(call, "cancel", "3")["state"] == "cancelled"
    with ArchiveFolder(archive, writing=False) as folder:
        blog = folder.store.followed.find("a.example")
        assert blog
        assert blog.next_look
        assert blog.next_look > NOW
    assert "will be stopped" in call("cancel", "2")[1]


def test_what_failed_is_done_again_before_all_others(call: Call) -> None:
    again = told(call, "retry", "1")
    assert (again["id"], again["kind"], again["blog"], again["priority"]) == (4, "update", "c.example", PERSON)
    assert again["asked_by"]
    code, _, err = call("retry", "2")
    assert code == 2
    assert "Job 2 is running" in err


def test_parts_are_paused_and_resumed(call: Call) -> None:
    assert told(call, "pause", "scheduler")["part"] == "scheduler"
    assert "harvest is paused since" in call("pause", "harvest")[1]
    assert [part["part"] for part in told(call, "standing")["paused"]] == ["harvest", "scheduler"]
    assert told(call, "resume", "scheduler") == {"part": "scheduler", "was_paused": True}
    assert "was not paused" in call("resume", "scheduler")[1]
    assert call("pause", "kitchen")[0] == 2


def test_it_is_said_how_the_work_stands(call: Call) -> None:
    standing = told(call, "standing")
    assert standing["jobs"] == {"update": {"failed": 1, "running": 1}, "harvest": {"waiting": 1}}
    assert standing["workers"] == []
    assert "No worker lives" in call("standing")[1]
    assert "update: 1 failed, 1 running" in call("standing")[1]
