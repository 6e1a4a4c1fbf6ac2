"""Every look-up has its index: none of them reads a whole table to find a few rows of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from blogforever.protocols import Condition, Ref
from blogforever.storage.browsing import Facet, PostQuery
from blogforever.storage.tables import Store
from blogforever.storage.values import Cleaning, Name, Rewritten
from blogforever.storage.work import JobFilter, NewJob
from blogforever.store.database import open_database
from blogforever.store.sqlstore import SqlStore
from server.somerecords import some_post

NOW = datetime(2024, 1, 1, tzinfo=UTC)
POST = some_post(id="p", blog="b", url="https://b.example/p/", aliases=["https://b.example/?p=1"])
CLEANING = Cleaning(lambda record: record, lambda words: words, lambda _url: False, lambda _count: None)
LARGE = tuple(
    "posts captures versions checks addresses comments conditions sightings extractions moments facets jobs".split()
)

LOOKUPS: dict[str, Callable[[Store], object]] = {
    "blogs.find": lambda store: store.blogs.find("b"),
    "blogs.revision": lambda store: store.blogs.revision("b"),
    "posts.keep": lambda store: store.posts.keep(1, POST, "content"),
    "posts.revise": lambda store: store.posts.revise(POST, None, "2024"),
    "posts.revise_version": lambda store: store.posts.revise_version(POST, 1, None, "2024"),
    "posts.weave": lambda store: store.posts.weave(1, "p", [POST, 1], None),
    "posts.rewrite": lambda store: store.posts.rewrite(POST),
    "posts.row": lambda store: store.posts.row("p"),
    "posts.of_blog": lambda store: list(store.posts.of_blog("b")),
    "posts.page": lambda store: store.posts.page(PostQuery(since="2024")),
    "posts.page of a blog": lambda store: store.posts.page(PostQuery(blog="b")),
    "posts.page with a tag": lambda store: store.posts.page(PostQuery(facets=(Facet("tag", "a"), Facet("is", "b")))),
    "posts.headings": lambda store: list(store.posts.headings("b")),
    "posts.at": lambda store: store.posts.at(POST.url),
    "posts.named": lambda store: store.posts.named(POST.url),
    "posts.with_comment": lambda store: store.posts.with_comment("c"),
    "posts.digests": lambda store: store.posts.digests("b"),
    "posts.sharing_titles": lambda store: store.posts.sharing_titles(["a title", "another"]),
    "versions.of": lambda store: store.versions.of("p"),
    "versions.record": lambda store: store.versions.record("p", 1),
    "versions.first_run": lambda store: store.versions.first_run("p"),
    "versions.extractions": lambda store: store.versions.extractions("p"),
    "checks.of_blog": lambda store: store.checks.of_blog("b"),
    "checks.sightings": lambda store: store.checks.sightings("b"),
    "runs.failures": lambda store: store.runs.failures("b"),
    "runs.under_way": lambda store: store.runs.under_way(),
    "captures.drop_reference": lambda store: store.captures.drop_reference("r"),
    "captures.find": lambda store: store.captures.find("r"),
    "captures.run_of": lambda store: store.captures.run_of("r"),
    "captures.file": lambda store: store.captures.file("b", "https://b.example/a.png"),
    "captures.of_blog": lambda store: list(store.captures.of_blog("b")),
    "captures.in_file": lambda store: list(store.captures.in_file("warc/b/1.warc.gz")),
    "captures.outside": lambda store: store.captures.outside(),
    "captures.outside of a blog": lambda store: store.captures.outside("b"),
    "captures.mark_failed": lambda store: store.captures.mark_failed("b", 1, {"b.example/p": "cut off"}),
    "captures.seen_addresses": lambda store: list(store.captures.seen_addresses("b")),
    "captures.frozen_addresses": lambda store: list(store.captures.frozen_addresses("b")),
    "captures.condition": lambda store: store.captures.condition("b", POST.url),
    "captures.forget_conditions": lambda store: store.captures.forget_conditions("b", 1),
    "captures.fresh_addresses": lambda store: store.captures.fresh_addresses("b", "2024"),
    "moves.of_blog": lambda store: store.moves.of_blog("b"),
    "moves.before": lambda store: store.moves.before("p"),
    "moves.rename": lambda store: store.moves.rename(Name("p", "q", "b", 0, 0), None, lambda record, _number: record),
    "jobs.take": lambda store: store.jobs.take("w", {"update": 2}, "2026"),
    "jobs.done": lambda store: store.jobs.done(1, "w", "{}", "2026"),
    "jobs.fail": lambda store: store.jobs.fail(1, "w", "no", "2026", "2027"),
    "jobs.give_back": lambda store: store.jobs.give_back(1, "w", "2026"),
    "jobs.cancel": lambda store: store.jobs.cancel(1, "2026"),
    "jobs.unwanted": lambda store: store.jobs.unwanted("w"),
    "jobs.holders": lambda store: store.jobs.holders(),
    "jobs.take_over": lambda store: store.jobs.take_over({"w"}, "2026"),
    "jobs.of_a_blog": lambda store: store.jobs.newest(JobFilter(blog="b"), 9),
    "jobs.of_a_state": lambda store: store.jobs.newest(JobFilter(state="failed"), 9, after=5),
    "jobs.busy": lambda store: store.jobs.busy(),
    "jobs.forget": lambda store: store.jobs.forget("2026"),
    "export of a run": lambda store: list(store.export(1)),
    "forget": lambda store: store.forget("b"),
    "erase": lambda store: store.erase("b", frozenset(["p"]), Rewritten(), CLEANING),
}


class Statements:
    """Hears every statement that a database gets."""

    def __init__(self, engine: Engine) -> None:
        self.heard: list[tuple[str, Any]] = []
        event.listen(engine, "before_cursor_execute", self._hear)

    def _hear(self, _connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        self.heard.append((statement, values[0] if many else values))


@pytest.mark.parametrize("name", LOOKUPS)
def test_no_table_is_read_whole(tmp_path: Path, name: str) -> None:
    engine = open_database(tmp_path / "archive.db")
    store = SqlStore(engine)
    run, _ = store.runs.open("b")
    store.posts.keep(run, POST)
    ref = Ref("warc/b/1.warc.gz", 0, "r", "d")
    store.captures.add(run, POST.url, 200, NOW, ref)
    store.captures.save_condition("b", POST.url, Condition(ref, NOW, "tag"))
    for blog in ("b", "c", "d"):
        store.jobs.put(NewJob("update", blog), "2025")
    store.jobs.take("w", {"update": 1}, "2025")
    store.flush()
    statements = Statements(engine)
    LOOKUPS[name](store)
    store.flush()
    heard = [one for one in statements.heard if one[0].startswith(("SELECT", "UPDATE", "DELETE"))]
    assert heard
    with engine.connect() as connection:
        for statement, values in heard:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            read_whole = [row.detail for row in plan if row.detail.startswith(tuple(f"SCAN {one}" for one in LARGE))]
            assert read_whole == [], statement
    store.close()


def test_a_plan_that_reads_everything_is_seen(tmp_path: Path) -> None:
    """The test above would notice."""
    engine = open_database(tmp_path / "archive.db")
    with engine.connect() as connection:
        plan = connection.execute(text("EXPLAIN QUERY PLAN SELECT * FROM posts WHERE record LIKE '%x%'"))
        assert [row.detail for row in plan] == ["SCAN posts"]
    engine.dispose()
