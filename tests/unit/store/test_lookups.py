"""Every look-up has its index: none of them reads a whole table to find a few rows of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from blogforever.protocols import Condition, Ref
from blogforever.storage.browsing import CommentPlace, CommentQuery, Facet, PostQuery, WordQuery
from blogforever.storage.tables import Store
from blogforever.storage.values import Cleaning, Name, Rewritten
from blogforever.storage.work import JobFilter, NewJob
from blogforever.store import finding
from blogforever.store.database import open_database
from blogforever.store.search import SearchIndex
from blogforever.store.sqlstore import SqlStore
from server.plans import Statements, pretend_large, read_whole
from server.postgres import bare_database
from server.somerecords import some_post

NOW = datetime(2024, 1, 1, tzinfo=UTC)
POST = some_post(id="p", blog="b", url="https://b.example/p/", aliases=["https://b.example/?p=1"])
CLEANING = Cleaning(lambda record: record, lambda words: words, lambda _url: False, lambda _count: None)
LARGE = tuple(
    "posts captures versions checks addresses comments conditions sightings extractions moments facets jobs".split()
)

LOOKUPS: dict[str, Callable[[Store], object]] = {
    "blogs.find": lambda store: store.blogs.find("b"),
    "blogs.some": lambda store: store.blogs.some(["b", "c"]),
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
    "posts.page of a list": lambda store: store.posts.page(PostQuery(list="mine", since="2024")),
    "posts.comments": lambda store: store.posts.comments(CommentQuery(after=CommentPlace("2024", "p", "c"))),
    "posts.comments of a blog": lambda store: store.posts.comments(CommentQuery(blog="b")),
    "posts.ids_at": lambda store: store.posts.ids_at([POST.url]),
    "captures.answers": lambda store: store.captures.answers("b", POST.url, 1),
    "checks.find": lambda store: store.checks.find("p"),
    "checks.sightings_of": lambda store: store.checks.sightings_of("p"),
    "moves.of_post": lambda store: store.moves.of_post("p"),
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
    "captures.absent_addresses": lambda store: list(store.captures.absent_addresses("b", "2024")),
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
    "jobs.of_a_kind": lambda store: store.jobs.newest(JobFilter(kind="export"), 9),
    "jobs.busy": lambda store: store.jobs.busy(),
    "jobs.busy among some": lambda store: store.jobs.busy(among=["b", "c"]),
    "jobs.cancel_of": lambda store: store.jobs.cancel_of(["b", "c"], "2026"),
    "jobs.forget": lambda store: store.jobs.forget("2026"),
    "export of a run": lambda store: list(store.export(1)),
    "forget": lambda store: store.forget("b"),
    "erase": lambda store: store.erase("b", frozenset(["p"]), Rewritten(), CLEANING),
}


def fill(store: SqlStore) -> None:
    """A little of everything."""
    run, _ = store.runs.open("b")
    store.posts.keep(run, POST)
    ref = Ref("warc/b/1.warc.gz", 0, "r", "d")
    store.captures.add(run, POST.url, 200, NOW, ref)
    store.captures.save_condition("b", POST.url, Condition(ref, NOW, "tag"))
    for blog in ("b", "c", "d"):
        store.jobs.put(NewJob("update", blog), "2025")
    store.jobs.take("w", {"update": 1}, "2025")
    store.flush()


@pytest.mark.postgres
def test_no_table_is_read_whole_on_postgres(tmp_path: Path) -> None:
    found: dict[str, set[str]] = {}
    # A new one: what earlier tests left in the pages of another would change what it plans.
    with bare_database("lookups") as url, closing(SqlStore(engine := open_database(url), tmp_path)) as store:
        statements = Statements(engine)
        fill(store)
        pretend_large(engine)
        statements.taken()
        for name, look in LOOKUPS.items():
            look(store)
            store.flush()
            scans = {one: read_whole(engine, one, values) for one, values in statements.taken()}
            found |= {f"{name}: {one}": tables for one, tables in scans.items() if tables}
        assert found == {}
        assert read_whole(engine, "SELECT * FROM posts WHERE record LIKE '%x%'", ()) == {"posts"}


@pytest.mark.parametrize("name", LOOKUPS)
def test_no_table_is_read_whole(tmp_path: Path, name: str) -> None:
    engine = open_database(tmp_path / "archive.db")
    store = SqlStore(engine)
    fill(store)
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


def test_a_second_facet_is_looked_up_by_its_post(tmp_path: Path) -> None:
    """Gone through by its name, it costs seconds for every page of a large archive."""
    engine = open_database(tmp_path / "archive.db")
    store, statements = SqlStore(engine), Statements(engine)
    store.posts.page(PostQuery(facets=(Facet("is", "commented"), Facet("language", "de"))))
    statement, values = statements.heard[-1]
    with engine.connect() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert "SEARCH facets_1 USING COVERING INDEX facets_by_post (post=? AND kind=? AND name=?)" in plan
    store.close()


def test_words_of_a_blog_are_gone_through_only_where_its_posts_are_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A common word stands in a fifth of all posts, and the posts of a blog come into the index together."""
    monkeypatch.setattr(finding, "RATED", 1)
    engine = open_database(tmp_path / "archive.db")
    store, index = SqlStore(engine), SearchIndex(engine)
    run, _ = store.runs.open("b")
    for name, day in (("p", "2024-01-01"), ("q", "2024-01-02")):
        url = f"https://b.example/{name}/"
        store.posts.keep(run, some_post(id=name, blog="b", url=url, text="a lantern", published=day))
    store.flush()
    index.update()
    statements = Statements(engine)
    assert [line.id for line in index.page(WordQuery("lantern", PostQuery(blog="b"), best_first=True)).items] == ["q"]
    [(statement, values)] = [one for one in statements.heard if "near" in one[0]]
    with engine.connect() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    # From a number on, and up to one.
    assert {">", "<"} <= set(plan[0].partition("M4")[2]), plan
    store.close()


def test_blogs_that_nobody_follows_are_told_by_going_through_both_orders_once(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "archive.db")
    store, statements = SqlStore(engine), Statements(engine)
    assert store.followed.unfollowed("", 9) == []
    statement, values = statements.heard[-1]
    with engine.connect() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert plan[0] == "MERGE (EXCEPT)"
    assert not [line for line in plan if "TEMP" in line]
    store.close()


def test_rows_of_a_batch_are_counted_without_reading_them(tmp_path: Path) -> None:
    """A list of tens of thousands of addresses is counted with every page that shows batches."""
    engine = open_database(tmp_path / "archive.db")
    store, statements = SqlStore(engine), Statements(engine)
    store.sources.verdicts("one")
    statement, values = statements.heard[-1]
    with engine.connect() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert plan == ["SEARCH sources USING COVERING INDEX sources_by_verdict (batch=?)"]
    store.close()


def test_what_is_not_indexed_yet_is_told_without_reading_a_record(tmp_path: Path) -> None:
    """Every search asks for it first; the records of a large archive take most of a second."""
    engine = open_database(tmp_path / "archive.db")
    statements = Statements(engine)
    SearchIndex(engine).waiting()
    statement, values = statements.heard[-1]
    with engine.connect() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert plan[0] == "SCAN posts USING COVERING INDEX posts_by_run"
    engine.dispose()


def test_a_plan_that_reads_everything_is_seen(tmp_path: Path) -> None:
    """The test above would notice."""
    engine = open_database(tmp_path / "archive.db")
    with engine.connect() as connection:
        plan = connection.execute(text("EXPLAIN QUERY PLAN SELECT * FROM posts WHERE record LIKE '%x%'"))
        assert [row.detail for row in plan] == ["SCAN posts"]
    engine.dispose()
