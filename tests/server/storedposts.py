"""Posts and checks as the contract of stores writes them, and what a store gives away of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from blogforever.records import PostRecord
from blogforever.storage.tables import Store
from blogforever.storage.values import (
    CheckRow,
)
from server.somerecords import some_post

NOW = datetime(2024, 5, 1, tzinfo=UTC)


def post(number: int, blog: str = "b", **more: Any) -> PostRecord:
    base = {"id": f"{blog}{number}", "blog": blog, "url": f"https://{blog}.example/{number}/"}
    base |= {"title": f"Title {number}", "published": f"2013-01-{number:02}"}
    return some_post(**base | {"text": "words"} | more)


def check(record: PostRecord, state: str = "active") -> CheckRow:
    return CheckRow(post=record.id, blog=record.blog, state=state, since="2024", record_id="r1")


def exported(store: Store, run: int | None = None) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in store.export(run)]
    return [(line["type"], line["url"]) for line in lines]
