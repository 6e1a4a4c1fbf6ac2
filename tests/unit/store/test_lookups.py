"""Every look-up has its index: none of them reads a whole table to find a few rows of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

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


def plan_of_page(tmp_path: Path, commented: int, of_author: int) -> list[str]:
    """How SQLite finds the commented posts of an author, where so many are commented and by him."""
    engine = open_database(tmp_path / "archive.db")
    with closing(SqlStore(engine)) as store:
        run, _ = store.runs.open("b")
        for number in range(max(commented, of_author)):
            by = [{"name": "Ann"}] if number < of_author else []
            said = [{"id": "c", "text": "So it is."}] if number < commented else []
            url = f"https://b.example/{number}/"
            store.posts.keep(run, some_post(id=f"p{number}", blog="b", url=url, authors=by, comments=said))
        store.flush()
        statements = Statements(engine)
        page = store.posts.page(PostQuery(facets=(Facet("is", "commented"), Facet("author", "Ann")), limit=100))
        assert len(page.items) == min(commented, of_author)
        statement, values = statements.heard[-1]
        with engine.connect() as connection:
            return [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]


def test_the_posts_of_the_most_seldom_facet_are_looked_up_among_those_of_others(tmp_path: Path) -> None:
    """The other way round, sixty thousand are looked up for the three hundred of an author."""
    plan = plan_of_page(tmp_path, commented=60, of_author=2)
    assert plan[0] == "SEARCH facets USING COVERING INDEX sqlite_autoindex_facets_1 (kind=? AND name=?)"
    assert "SEARCH facets_1 USING COVERING INDEX facets_by_post (post=? AND kind=? AND name=?)" in plan


def test_facets_of_about_as_many_posts_are_gone_through_side_by_side(tmp_path: Path) -> None:
    """Nothing is looked up by its post, and no record is read before it is known which ones are shown."""
    plan = plan_of_page(tmp_path, commented=6, of_author=9)
    assert "MERGE (INTERSECT)" in plan
    assert not [line for line in plan if "facets_by_post" in line]
    assert plan[-3:] == [
        "SCAN shown",
        "SEARCH posts USING INDEX sqlite_autoindex_posts_1 (id=?)",
        "USE TEMP B-TREE FOR ORDER BY",
    ]


def test_posts_are_looked_up_one_by_one_for_words_that_many_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gone through for all that have them, the words of a large archive take several times as long as the rest."""
    monkeypatch.setattr(finding, "MANY", 0)
    engine = open_database(tmp_path / "archive.db")
    with closing(SqlStore(engine)) as store:
        index = SearchIndex(engine)
        run, _ = store.runs.open("b")
        store.posts.keep(run, some_post(id="p", blog="b", url="https://b.example/p/", text="a lantern"))
        store.flush()
        index.update()
        statements = Statements(engine)
        assert [line.id for line in index.page(WordQuery("lantern", PostQuery(blog="b"))).items] == ["p"]
        statement, values = next(one for one in statements.heard if "near" in one[0])
        with engine.connect() as connection:
            plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    asked = [line.partition("INDEX ")[2] for line in plan if "VIRTUAL TABLE" in line]
    # By the number, and by the words.
    assert asked == ["0:=M4", "0:=M4"], plan


def test_the_index_of_words_stays_in_few_parts(tmp_path: Path) -> None:
    """To look one post up, each part is looked into; without a word of ours there would be fifteen."""
    engine = open_database(tmp_path / "archive.db")
    with closing(SqlStore(engine)) as store:
        index = SearchIndex(engine)
        for number in range(15):
            run, _ = store.runs.open(f"b{number}")
            url = f"https://b{number}.example/p/"
            store.posts.keep(run, some_post(id=f"p{number}", blog=f"b{number}", url=url, text=f"lantern {number}"))
            store.flush()
            index.update(f"b{number}")
        with engine.connect() as connection:
            parts = connection.exec_driver_sql("SELECT count(DISTINCT segid) FROM posts_search_idx").scalar_one()
    assert parts <= 2


@pytest.mark.postgres
def test_words_that_no_post_has_are_asked_of_their_index_on_postgres(tmp_path: Path) -> None:
    """Along the time of all posts, two with the words are soon met, the server thinks; where none has them, it goes
    through all.
    """
    with bare_database("words") as url, closing(SqlStore(engine := open_database(url), tmp_path)) as store:
        fill(store)
        index, statements = SearchIndex(engine), Statements(engine)
        index.update()
        pretend_large(engine)
        statements.taken()
        among = PostQuery(limit=1)
        assert index.page(WordQuery("otter", among, best_first=False)).items == ()
        assert index.number(WordQuery("otter", among)) == 0
        plans = [explained(engine, *one) for one in statements.taken() if "hits" in one[0]]
        assert len(plans) == 2
        assert all("posts_search_by_word" in plan for plan in plans), plans


def explained(engine: Engine, statement: str, values: Any) -> str:
    """How a server would go about it."""
    with engine.connect() as connection:
        cursor = connection.connection.cursor()
        cursor.execute(f"EXPLAIN {statement}", values)
        return "\n".join(row[0] for row in cursor.fetchall())


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
