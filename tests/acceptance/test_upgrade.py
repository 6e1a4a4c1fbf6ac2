"""An archive of an earlier format opens, reads the same, and can be followed.

`data/format-NNNN.tar.gz` were made by the versions that wrote that format: a crawl and an update of the
small blog of `server/blogserver.py`, with the records as that version exported them.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from blogforever import clock
from blogforever.archive.checking import verify
from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.service.running import Running
from blogforever.service.scheduling import enqueue_due
from blogforever.storage.following import FollowedBlog
from blogforever.store.database import is_current
from server.blogserver import POSTS

ARCHIVES = sorted((Path(__file__).parent / "data").glob("format-*.tar.gz"))


@pytest.fixture(params=ARCHIVES, ids=lambda path: path.name.partition(".")[0])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with tarfile.open(request.param) as packed:
        packed.extractall(tmp_path, filter="data")
    return tmp_path


def posts(lines: list[str]) -> dict[str, Any]:
    records = map(json.loads, lines)
    return {record["id"]: record for record in records if record["type"] == "post"}


def test_every_record_reads_as_it_did_and_nothing_is_damaged(old: Path) -> None:
    before = posts((old / "export.jsonl").read_text(encoding="utf-8").splitlines())
    assert len(before) == POSTS
    with open_archive(old, writing=True) as archive:
        assert is_current(archive.engine)
        after = posts(list(archive.exported()))
        found = archive.search.find("harbour")
    assert {name: after[name] | record for name, record in before.items()} == after
    assert found
    assert verify(old).problems == 0


def test_its_blog_can_be_followed_at_once(old: Path) -> None:
    with Running.opened(Config(archive=old)) as service:
        store = service.archive.store
        (known,) = store.blogs.addresses().items()
        now = clock.stamp()
        store.followed.add([FollowedBlog("again", known[1], now, blog=known[0], next_look=now)])
        assert enqueue_due(store) == 1
        (job,) = store.jobs.take("w", {"update": 1}, clock.stamp())
        assert job.blog == "again"
