"""What any store must do when posts move, and when all of something goes or nothing."""

from __future__ import annotations

import pytest
from msgspec import structs

from blogforever.errors import ArchiveError
from blogforever.model import Failure
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, PageRecord, PostRecord
from blogforever.storage.tables import Store
from blogforever.storage.values import (
    BeforeMove,
    Cleaning,
    MoveRow,
    Name,
    Rewritten,
    SightingRow,
    StandingRow,
)
from server.storedposts import NOW, check, post

# ------------------------------------------------------------------ moves


def moved(store: Store, run: int, record: PostRecord, new: str) -> MoveRow:
    before = store.moves.before(record.id)
    store.moves.add(MoveRow(record.id, record.blog, run, "2024", record.url, new, "its guid", before))
    return store.moves.of_blog(record.blog)[-1]


def test_a_move_is_kept_with_what_was_there_before(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1), check=check(post(1)))
    move = moved(store, run, post(1), "https://b.example/new/")
    assert move.before.post == store.posts.row("b1")
    assert move.before.check == check(post(1))
    assert store.moves.before("none") == BeforeMove()
    assert store.moves.of_blog("other") == []


def test_a_move_is_undone_and_two_posts_are_two_again(store: Store) -> None:
    run = store.runs.begin("b", "2023")
    store.posts.keep(run, post(1), check=check(post(1)))
    later = store.runs.begin("b", "2024")
    move = moved(store, later, post(1), "https://b.example/new/")
    aliases = [post(1).url]
    store.posts.keep(later, post(1, url="https://b.example/new/", aliases=aliases, text="other"), "content")
    before = move.before.post
    assert before
    name = Name("b1", "b9", "b", later, 1)
    with store.transaction():
        store.moves.rename(
            name, move, lambda record, number: structs.replace(record, id="b9", version=number, aliases=())
        )
        store.moves.put_back(before, check(post(1)))
    assert store.posts.at(post(1).url) == store.posts.record("b1") == before.record
    new = store.posts.record("b9")
    assert (new.url, new.version, new.text) == ("https://b.example/new/", 1, "other")
    assert store.posts.named("https://b.example/new") == [new]
    assert [store.versions.record(post, 1) for post in ("b1", "b9")] == [before.record, new]
    assert {name: one.check.post for name, one in store.checks.of_blog("b").items()} == {"b1": "b1", "b9": "b9"}


def test_a_post_found_without_an_edit_gets_its_first_version(store: Store) -> None:
    run = store.runs.begin("b", "2023")
    store.posts.keep(run, post(1))
    later = store.runs.begin("b", "2024")
    move = moved(store, later, post(1), "https://b.example/new/")
    store.posts.keep(later, post(1, url="https://b.example/new/"), "none")
    before = move.before.post
    assert before
    store.moves.rename(Name("b1", "b9", "b", later, 0), move, lambda record, _n: structs.replace(record, id="b9"))
    row = store.posts.row("b9")
    assert row
    store.moves.add_first(structs.replace(row.record, title="As it was found"), row, later)
    store.moves.put_back(before, None)
    assert [version.run for version in store.versions.of("b9")] == [later]
    assert [version.run for version in store.versions.of("b1")] == [run]
    assert store.posts.record("b9").title == "As it was found"


# ------------------------------------------------------------------ the whole


def test_a_transaction_is_written_whole_or_not_at_all(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1))

    def write_half() -> None:
        with store.transaction():
            store.posts.keep(run, post(1, text="edited", aliases=["https://b.example/alias/"]), check=check(post(1)))
            store.posts.keep(run, post(2))
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_half()
    assert store.posts.record("b1") == post(1)
    assert store.posts.find("b2") is None
    assert store.posts.at("https://b.example/alias/") is None
    assert len(store.versions.of("b1")) == 1
    assert store.checks.of_blog("b") == {}


def test_a_closed_store_writes_nothing_more(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.close()
    with pytest.raises(ArchiveError, match="closed"):
        store.runs.close(run, "finished")


def filled(store: Store) -> int:
    """Two blogs with all that can be kept of them; the run of the first."""
    for name in ("a", "b"):
        run, _ = store.runs.open(name)
        source = {"url": f"https://{name}.example/1/", "record_id": f"{name}-r"}
        names = {"aliases": [f"https://{name}.example/alias/"], "comments": [{"id": f"{name}-c"}]}
        record = post(1, name, **names, sources=[source])
        store.posts.keep(run, record, check=check(record))
        store.posts.keep(run, structs.replace(record, text="a secret"), "content")
        store.posts.keep(run, post(2, name))
        store.pages.keep(run, PageRecord.of(post(3, name, text="a secret")))
        store.pages.keep(run, PageRecord.of(post(4, name)))
        store.captures.add(run, record.url, 200, NOW, Ref(f"warc/{name}/1", 0, f"{name}-r", "d"))
        store.captures.save_condition(name, record.url, Condition(Ref(f"warc/{name}/1", 0, f"{name}-r"), NOW))
        store.runs.add_failure(run, name, Failure("https://x.example/", "timeout", "a secret"))
        store.runs.add_candidate(run, record.url, record)
        store.checks.add_sighting(SightingRow(record.id, name, run, "2024", 404, "gone"))
        moved(store, run, record, "https://moved.example/")
        store.blogs.keep(BlogRecord(id=name, url=f"https://{name}.example/", title="a secret"))
        store.blogs.add_revision(name, "rules", "learned")
        store.blogs.save_standing(StandingRow(name, "active", "2024", "2024", 0, "a secret"))
    return store.runs.last("a")


def test_a_forgotten_blog_leaves_nothing_and_the_others_stay(store: Store) -> None:
    run = filled(store)
    store.forget("a")
    assert [blog.id for blog in store.blogs.summaries()] == ["b"]
    assert (list(store.posts.of_blog("a")), store.versions.of("a1")) == ([], [])
    assert [list(store.pages.of_blog("a")), [page.id for page in store.pages.of_blog("b")]] == [[], ["b3", "b4"]]
    assert store.posts.at("https://a.example/alias/") is None
    assert store.posts.with_comment("a-c") == []
    assert (store.checks.of_blog("a"), store.checks.sightings("a"), store.moves.of_blog("a")) == ({}, {}, [])
    assert (list(store.captures.of_blog("a")), store.runs.failures("a")) == ([], {})
    assert (store.blogs.revisions("a"), store.blogs.standing("a")) == ([], None)
    assert list(store.runs.candidates(run, [post(1, "a").url])) == [None]
    assert store.posts.at("https://b.example/alias/") == store.posts.record("b1")
    assert len(store.moves.of_blog("b")) == 1


def test_what_is_erased_is_gone_from_records_versions_and_names(store: Store) -> None:
    filled(store)
    told: list[int] = []

    def clean(record: PostRecord) -> PostRecord:
        return structs.replace(record, text=record.text.replace("a secret", "x"), aliases=(), comments=())

    gone = post(4, "a").url
    cleaning = Cleaning(clean, lambda text: text.replace("a secret", "x"), lambda url: url == gone, told.append)
    rewritten = Rewritten({"a-r": ("warc/a/2", 9, "e")}, blanked={"a-r"})
    store.erase("a", frozenset({"a2"}), rewritten, cleaning)
    assert told == [1]
    assert store.posts.find("a2") is None
    assert [(page.id, page.text) for page in store.pages.of_blog("a")] == [("a3", "x")]
    record = store.posts.record("a1")
    assert (record.text, record.sources[0].digest) == ("x", "e")
    assert store.posts.at("https://a.example/alias/") is None
    assert store.posts.with_comment("a-c") == []
    assert store.captures.find("a-r") == Ref("warc/a/2", 9, "a-r", "e")
    assert store.captures.condition("a", post(1, "a").url) is None
    standing = store.blogs.standing("a")
    assert standing
    assert standing.message == "x"
    assert "a secret" not in "".join(line for line in store.export() if '"blog":"a"' in line)
    assert store.posts.with_comment("b-c") == [store.posts.record("b1")]
    store.wipe()


def test_records_that_lie_elsewhere_now_are_found_there(store: Store) -> None:
    filled(store)
    before = list(store.export())
    kept = store.captures.find("a-r")
    assert kept is not None
    store.relocate("a", Rewritten({"a-r": ("warc/a/joined", 9, "")}))
    assert store.captures.find("a-r") == Ref("warc/a/joined", 9, "a-r", kept.digest)
    condition = store.captures.condition("a", post(1, "a").url)
    assert condition is not None
    assert (condition.ref.file, condition.ref.offset) == ("warc/a/joined", 9)
    assert store.captures.find("b-r") is not None
    assert list(store.export()) == before


def test_an_erasure_that_fails_leaves_all_as_it_was(store: Store) -> None:
    filled(store)
    before = list(store.export())

    def fail(_count: int) -> None:
        raise RuntimeError("the disk is full")

    cleaning = Cleaning(lambda record: record, lambda text: text, lambda _url: True, fail)
    with pytest.raises(RuntimeError):
        store.erase("a", frozenset({"a1"}), Rewritten(dropped={"a-r"}), cleaning)
    assert list(store.export()) == before
    assert store.captures.find("a-r") is not None
    assert store.posts.at("https://a.example/alias/") == store.posts.record("a1")
