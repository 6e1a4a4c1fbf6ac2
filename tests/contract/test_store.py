"""What any store must do. The stores are in conftest.py; test_store_changes.py has the rest."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from hashlib import sha256

import pytest
from msgspec import structs

from blogforever.errors import ArchiveError
from blogforever.model import Failure
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, PageRecord
from blogforever.storage.tables import Store
from blogforever.storage.values import (
    JUDGED,
    QuietRow,
    SightingRow,
    StandingRow,
)
from server.storedposts import NOW, check, exported, post

# ------------------------------------------------------------------ posts and their versions


def test_a_post_is_kept_with_its_version_its_check_and_its_names(store: Store) -> None:
    run, _ = store.runs.open("b")
    comments = [{"id": "c1", "url": "https://b.example/1/#c1"}]
    record = post(1, aliases=["http://b.example/?p=1"], comments=comments)
    assert store.posts.keep(run, record, rules=3, check=check(record)) == 1
    assert store.posts.find("b1") == store.posts.record("b1") == store.versions.record("b1", 1) == record
    (version,) = store.versions.of("b1")
    assert (version.number, version.rules, version.run, version.blog) == (1, 3, run, "b")
    assert store.checks.of_blog("b")["b1"].check == check(record)
    assert store.posts.at("http://b.example/?p=1") == record
    assert store.posts.with_comment("c1") == [record]
    row = store.posts.row("b1")
    assert row
    assert (row.url, row.version, row.rules, row.record) == (record.url, 1, 3, record)


def test_an_edit_makes_a_version_and_keeps_the_one_before(store: Store) -> None:
    run, _ = store.runs.open("b")
    for text in ("words", "words", "other words", "third words"):
        store.posts.keep(run, post(1, text=text))
    assert [version.number for version in store.versions.of("b1")] == [1, 2, 3]
    texts = [version.text for number in (1, 2, 3) if (version := store.versions.record("b1", number))]
    assert texts == ["words", "other words", "third words"]
    assert store.versions.record("b1", 4) is None
    assert store.versions.first_run("b1") == run


def test_who_knows_whether_an_author_edited_decides_on_the_version(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1))
    assert store.posts.keep(run, post(1, text="read otherwise"), "none") == 1
    assert store.posts.keep(run, post(1, text="read otherwise"), "content") == 2
    assert store.posts.record("b1").version == 2


def test_comments_that_were_kept_stay(store: Store) -> None:
    run, _ = store.runs.open("b")
    first, second = {"id": "c1", "text": "First!"}, {"id": "c2", "text": "Second!"}
    store.posts.keep(run, post(1, comments=[first, second]))
    store.posts.keep(run, post(1, comments=[second]))
    assert {comment.id for comment in store.posts.record("b1").comments} == {"c1", "c2"}
    assert store.posts.with_comment("c1") == store.posts.with_comment("c2") == [store.posts.record("b1")]


def test_comments_that_are_no_more_find_nothing(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1, comments=[{"id": "c1", "text": "Read wrongly."}]))
    store.posts.keep(run, post(1, comments=[{"id": "c2", "text": "First!"}, {"id": "c3", "text": "Second!"}]))
    assert store.posts.with_comment("c1") == []
    assert store.posts.with_comment("c3") == [store.posts.record("b1")]


def test_half_a_character_does_not_break_a_record(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1, text="a\ud800b", aliases=["https://b.example/\ud800"]))
    assert store.posts.record("b1").text == "a?b"


def test_a_title_may_be_longer_than_a_page_of_an_index(store: Store) -> None:
    run, _ = store.runs.open("b")
    # Words that cannot be packed into less.
    title = " ".join(sha256(bytes([number])).hexdigest() for number in range(200))
    store.posts.keep(run, post(1, title=title))
    assert store.posts.record("b1").title == title


def test_a_post_that_is_not_there(store: Store) -> None:
    assert store.posts.find("none") is None
    assert store.posts.row("none") is None
    assert store.posts.at("https://b.example/none/") is None
    assert store.posts.named("https://b.example/none/") == []
    assert store.versions.of("none") == []
    with pytest.raises(ArchiveError, match="lost"):
        store.posts.record("none")


def test_a_revision_reads_otherwise_without_a_new_version(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1))
    store.posts.keep(run, post(1, text="edited"))
    store.posts.revise(post(1, text="edited", title="Better", version=2), 7, "2024-01-01")
    store.posts.revise_version(post(1, title="Better, too", version=1), 1, 7, "2024-01-02")
    titles = [version.title for number in (1, 2) if (version := store.versions.record("b1", number))]
    assert titles == ["Better, too", "Better"]
    assert [version.rules for version in store.versions.of("b1")] == [7, 7]
    readings = [(row.version, row.extracted, row.reason) for row in store.versions.extractions("b1")]
    assert readings == [(2, "2024-01-01", "reextract"), (1, "2024-01-02", "reextract")]


def test_records_are_woven_between_versions(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1, text="second"))
    store.posts.keep(run, post(1, text="fourth"))
    store.versions.add_extraction(("b1", 2), 1, "d", "because", "2024")
    later, _ = store.runs.begin("b", "2025"), None
    store.posts.weave(later, "b1", [post(1, text="first"), 1, post(1, text="third"), 2], 5)
    texts = [version.text for number in range(1, 5) if (version := store.versions.record("b1", number))]
    assert texts == ["first", "second", "third", "fourth"]
    assert [version.rules for version in store.versions.of("b1")] == [5, None, 5, None]
    assert store.posts.record("b1").version == 4
    assert [reading.version for reading in store.versions.extractions("b1")] == [4]


# ------------------------------------------------------------------ looking up


def test_posts_come_newest_first_and_those_without_a_date_last(store: Store) -> None:
    run, _ = store.runs.open("b")
    for record in (post(1), post(3), post(2), post(4, published=None)):
        store.posts.keep(run, record)
    store.posts.keep(run, post(5, blog="other"))
    assert [record.id for record in store.posts.of_blog("b")] == ["b3", "b2", "b1", "b4"]
    assert next(store.posts.headings("b")) == ("2013-01-03", "Title 3", "https://b.example/3/")
    assert set(store.posts.digests("b")) == {"b1", "b2", "b3", "b4"}
    store.posts.keep(run, post(6, published="2011"))
    assert list(store.posts.months("b").items()) == [("2011", 1), ("2013-01", 3)]
    assert store.posts.sharing_titles(["Title 1", "Title 5", "none"]) == {"b": 1, "other": 1}


def test_what_a_run_brought_is_told_newest_first_and_edits_are_not_among_it(store: Store) -> None:
    first, _ = store.runs.open("b")
    for record in (post(1), post(2, published=None), post(3)):
        store.posts.keep(first, record)
    store.runs.close(first, "finished")
    second, _ = store.runs.open("b")
    store.posts.keep(second, post(4))
    store.posts.keep(second, structs.replace(post(3), text="Other words."))
    days = [("https://b.example/3/", "2013-01-03"), ("https://b.example/1/", "2013-01-01")]
    assert store.posts.brought_by(second, 10) == [("https://b.example/4/", "2013-01-04")]
    assert store.posts.brought_by(first, 1) == days[1:]
    assert store.posts.brought_by(first, 10) == [*days[1:], ("https://b.example/2/", None)]


def test_a_post_is_found_by_every_address_and_by_its_own_first(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1, aliases=["https://b.example/2/", "https://b.example/?p=1"]))
    store.posts.keep(run, post(2))
    found = [store.posts.at(f"https://b.example/{name}") for name in ("1/", "2/", "?p=1", "?P=1", "1")]
    assert [record.id if record else None for record in found] == ["b1", "b2", "b1", None, None]
    assert [record.id for record in store.posts.named("http://www.b.example/2")] == ["b2", "b1"]


def test_what_is_no_longer_an_address_finds_nothing(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1, aliases=["https://b.example/old/"]))
    store.posts.keep(run, post(1, url="https://b.example/new/"))
    assert store.posts.at("https://b.example/old/") is None
    assert store.posts.at("https://b.example/1/") is None
    assert store.posts.at("https://b.example/new/") == store.posts.record("b1")
    store.posts.rewrite(structs.replace(store.posts.record("b1"), url="https://b.example/newest/"))
    assert store.posts.at("https://b.example/new/") is None
    assert store.posts.named("https://b.example/newest") == [store.posts.record("b1")]


# ------------------------------------------------------------------ checks


def test_how_posts_stand_and_what_was_seen_of_them(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.posts.keep(run, post(1), check=check(post(1)))
    store.checks.keep(check(post(1), "missing"))
    store.captures.add(run, "https://b.example/1/", 200, NOW, Ref("f", 7, "r1", "d"))
    sight = SightingRow("b1", "b", run, "2024", 404, "gone", ("feed",), "not in its feed")
    store.checks.add_sighting(sight)
    (stands,) = store.checks.of_blog("b").values()
    assert (stands.check.state, stands.ref) == ("missing", Ref("f", 7, "r1", "d"))
    assert store.checks.sightings("b") == {"b1": [sight]}
    assert (store.checks.of_blog("other"), store.checks.sightings("other")) == ({}, {})


# ------------------------------------------------------------------ blogs


def test_blogs_are_summed_up_by_name(store: Store) -> None:
    run = store.runs.begin("b", "2024-01-01")
    store.posts.keep(run, post(1))
    store.posts.keep(run, post(2))
    store.runs.close(run, "finished")
    store.blogs.keep(BlogRecord(id="a", url="https://a.example/", title="A"))
    store.runs.open("a")
    a, b = store.blogs.summaries()
    assert (a.id, a.url, a.kept, a.unfinished) == ("a", "https://a.example/", 0, True)
    assert (b.id, b.url, b.kept, b.first, b.last) == ("b", "", 2, "2013-01-01", "2013-01-02")
    assert (b.crawled, b.unfinished) == ("2024-01-01", False)
    found = store.blogs.find("a")
    assert found
    assert found.title == "A"
    assert store.blogs.find("b") is None
    assert store.blogs.some(["b", "a", "a"]) == {"a": found}
    assert store.blogs.some([]) == {}


def test_rules_get_a_number_when_they_change(store: Store) -> None:
    numbers = [store.blogs.add_revision("b", rules, "learned", "2024") for rules in ("one", "one", "two", "one")]
    assert numbers == [1, 1, 2, 3]
    assert [row.rules for row in store.blogs.revisions("b")] == ["one", "two", "one"]
    newest, second = store.blogs.revision("b"), store.blogs.revision("b", 2)
    assert newest
    assert second
    assert (newest.number, second.rules, store.blogs.revision("b", 4)) == (3, "two", None)


def test_a_blog_stands_as_was_last_said(store: Store) -> None:
    assert store.blogs.standing("b") is None
    for state in ("unreachable", "dead"):
        store.blogs.save_standing(StandingRow("b", state, "2024", "2024", 3, "It is not there."))
    standing = store.blogs.standing("b")
    assert standing
    assert standing.state == "dead"


def test_what_an_update_found_unchanged_is_known_to_the_next(store: Store) -> None:
    first, _ = store.runs.open("b")
    store.runs.close(first, "finished")
    second, _ = store.runs.open("b")
    assert (store.runs.before("b", second), store.runs.before("b", first)) == (first, None)
    assert (store.blogs.quiet("b"), store.posts.any_of("b")) == (None, False)
    quiet = QuietRow("b", first, "as usual", "0.05", "2024-05-01", None, {"https://b.example/feed": "abc"})
    store.blogs.save_quiet(quiet)
    store.posts.keep(second, post(1))
    store.blogs.keep(BlogRecord(id="b", url="https://b.example/"))
    assert (store.blogs.quiet("b"), store.posts.any_of("b")) == (quiet, True)
    assert store.blogs.addresses() == {"b": "https://b.example/"}
    store.forget("b")
    assert (store.blogs.quiet("b"), store.blogs.addresses()) == (None, {})


def test_a_body_is_found_by_its_digest_the_oldest_first(store: Store) -> None:
    run, _ = store.runs.open("b")
    refs = [Ref("a.warc", offset, f"r{offset}", "sha1:SAME") for offset in (0, 10)]
    for ref in refs:
        store.captures.add(run, "https://b.example/", 200, NOW, ref)
    assert store.captures.same("b", "sha1:SAME") == refs[0]
    assert store.captures.same("b", "sha1:OTHER") is None
    assert store.captures.same("c", "sha1:SAME") is None


# ------------------------------------------------------------------ runs


def test_a_run_that_was_cut_off_goes_on(store: Store) -> None:
    run, since = store.runs.open("b")
    assert since is None
    store.runs.close(run, "interrupted")
    again, since = store.runs.open("b")
    assert (again, since) == (run, store.runs.started(run))
    store.runs.close(run, "finished")
    assert store.runs.last("b") == run
    assert store.runs.open("b")[0] != run


def test_candidates_wait_until_their_run_is_over(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.runs.add_candidate(run, "u1", post(1))
    store.runs.add_candidate(run, "u2", post(2))
    store.captures.add(run, "u1", 200, NOW, Ref("f", 0, "r1"))
    assert list(store.runs.candidates(run, ["u2", "u3", "u1"])) == [post(2), None, post(1)]
    assert store.runs.under_way() == {"b": (2, 1)}
    store.runs.close(run, "finished")
    assert list(store.runs.candidates(run, ["u1"])) == [None]
    assert store.runs.under_way() == {}


def test_failures_of_the_last_run_are_counted(store: Store) -> None:
    first, _ = store.runs.open("b")
    store.runs.add_failure(first, "b", Failure("u0", "cut off"))
    store.runs.close(first, "finished")
    run, _ = store.runs.open("b")
    for url, reason in (("u1", "status 404"), ("u2", "timeout"), ("u3", "timeout")):
        store.runs.add_failure(run, "b", Failure(url, reason))
    assert list(store.runs.failures("b").items()) == [("timeout", 2), ("status 404", 1)]
    assert store.runs.failed("b", 2) == [Failure("u1", "status 404"), Failure("u2", "timeout")]
    store.runs.forget_failures(run)
    assert store.runs.failures("b") == {}


def test_announced_posts_that_may_be_had_later_are_counted_by_their_tries(store: Store) -> None:
    troubles = ("status 503", "timeout", "status 404", "too large")
    for number in range(2):
        run, _ = store.runs.open("b")
        for url, reason in list(zip("abcd", troubles, strict=True))[number:]:
            store.runs.add_failure(run, "b", Failure(url, reason, "why").announced_by("feed"))
        store.runs.add_failure(run, "b", Failure("e", "status 503", "linked from f"))
        store.runs.close(run, JUDGED)
    assert store.runs.unfetched("b") == {"b": 2}
    run, _ = store.runs.open("b")
    store.runs.add_failure(run, "b", Failure("g", "timeout").announced_by("blog"))
    assert store.runs.unfetched("b") == {"b": 2}, "what is not judged says nothing yet"
    store.runs.close(run, JUDGED)
    assert store.runs.unfetched("b") == {"g": 1}
    assert store.runs.unfetched("nobody") == {}


def test_only_what_was_taken_over_was_judged(store: Store) -> None:
    assert store.runs.last_judged("b") is None
    for started, ending in (("2021", "finished"), ("2022", "frozen"), ("2023", "unreachable")):
        run = store.runs.begin("b", started)
        store.captures.add(run, f"https://b.example/{started}", 200, NOW, Ref("f", 0))
        store.captures.add(run, "https://b.example/bad", 500, NOW, Ref("f", 1))
        store.runs.close(run, ending)
    assert store.runs.last_judged("b") == "2021"
    assert list(store.captures.seen_addresses("b")) == ["https://b.example/2021"]
    assert list(store.captures.frozen_addresses("b")) == ["https://b.example/2022"]


def test_a_run_exports_its_own(store: Store) -> None:
    store.blogs.keep(BlogRecord(id="a", url="https://a.example/"))
    store.blogs.keep(BlogRecord(id="b", url="https://b.example/"))
    first, _ = store.runs.open("b")
    store.posts.keep(first, post(1))
    store.runs.close(first, "finished")
    second, _ = store.runs.open("b")
    store.posts.keep(second, post(2))
    store.runs.add_failure(second, "b", Failure("u9", "timeout"))
    assert exported(store, second) == [("blog", "https://b.example/"), ("post", post(2).url), ("failure", "u9")]
    assert [kind for kind, _url in exported(store)] == ["blog", "blog", "post", "post", "failure"]
    assert exported(store)[2] == ("post", post(2).url)


# ------------------------------------------------------------------ captures


def test_pages_stand_beside_the_posts_and_are_let_go_where_they_are_posts(store: Store) -> None:
    run, _ = store.runs.open("b")
    store.pages.keep(run, PageRecord.of(post(2)))
    store.pages.keep(run, PageRecord.of(post(1, text="older words")))
    store.pages.keep(run, PageRecord.of(post(1)))
    assert [(page.id, page.text, page.kind) for page in store.pages.of_blog("b")] == [
        ("b1", "words", "page"),
        ("b2", "words", "page"),
    ]
    assert (list(store.posts.of_blog("b")), store.posts.at(post(1).url)) == ([], None)
    assert exported(store, run) == [("page", post(1).url), ("page", post(2).url)]
    assert list(store.export(run, pages=False)) == []
    store.pages.drop(["b2", "unknown"])
    assert [page.id for page in store.pages.of_blog("b")] == ["b1"]


def test_captures_are_found_by_record_file_and_blog(store: Store) -> None:
    run, _ = store.runs.open("b")
    refs = [Ref("warc/b/1", 5, "r1", "d1"), Ref("warc/b/1", 0, "r2", "d2"), Ref("/else/2.wacz!/x", 0, "r3", "d3")]
    for ref in refs:
        store.captures.add(run, "https://b.example/a.png", 200, NOW, ref)
    other, _ = store.runs.open("other")
    store.captures.add(other, "https://other.example/", 200, NOW, Ref("warc/other/1", 0, "r4"))
    assert [store.captures.find(name) for name in ("r1", "r9")] == [refs[0], None]
    assert [store.captures.run_of(name) for name in ("r4", "r9")] == [other, None]
    assert list(store.captures.of_blog("b")) == refs
    assert list(store.captures.in_file("warc/b/1")) == [refs[1], refs[0]]
    assert store.captures.files() == ["/else/2.wacz!/x", "warc/b/1", "warc/other/1"]
    assert store.captures.outside() == store.captures.outside("b") == {"b": Counter({"/else/2.wacz": 1})}
    assert store.captures.outside("other") == {}
    assert store.captures.file("b", "https://b.example/a.png") == refs[2]
    store.captures.drop_reference("r3")
    store.captures.drop_reference("r1")
    assert list(store.captures.of_blog("b")) == refs[:2]


def test_what_failed_is_not_seen_and_is_asked_for_anew(store: Store) -> None:
    run, _ = store.runs.open("b")
    for name in ("whole", "cut"):
        ref = Ref("f", 0, name)
        store.captures.add(run, f"https://b.example/{name}", 200, NOW, ref)
        store.captures.save_condition("b", f"https://b.example/{name}", Condition(ref, NOW, "tag"))
    store.captures.mark_failed("b", run, {"b.example/cut": "too large"})
    store.runs.close(run, "finished")
    assert list(store.captures.seen_addresses("b")) == ["https://b.example/whole"]
    assert store.captures.file("b", "https://b.example/cut") is None
    assert store.captures.condition("b", "https://b.example/cut") is None
    assert store.captures.condition("b", "https://b.example/whole") == Condition(Ref("f", 0, "whole"), NOW, "tag")


def test_where_nothing_was_is_remembered_for_a_while(store: Store) -> None:
    run, _ = store.runs.open("b")
    for name, status, when in (("icon", 404, NOW), ("old", 410, NOW - timedelta(days=9)), ("busy", 503, NOW)):
        store.captures.add(run, f"https://b.example/{name}", status, when, Ref("f", 0, name))
    since = (NOW - timedelta(days=1)).isoformat(timespec="seconds")
    assert list(store.captures.absent_addresses("b", since)) == []
    store.runs.close(run, "finished")
    assert list(store.captures.absent_addresses("b", since)) == ["https://b.example/icon"]
    assert list(store.captures.absent_addresses("other", since)) == []


def test_conditions_say_how_to_ask_the_next_time(store: Store) -> None:
    run, _ = store.runs.open("b")
    until = NOW + timedelta(days=1)
    condition = Condition(Ref("f", 3, "r1", "d"), NOW, "tag", "yesterday", until)
    store.captures.save_condition("b", "u", Condition(Ref("f", 2), NOW))
    store.captures.save_condition("b", "u", condition)
    assert store.captures.condition("b", "u") == condition
    assert store.captures.condition("other", "u") is None
    assert store.captures.fresh_addresses("b", NOW.isoformat()) == {"u"}
    assert store.captures.fresh_addresses("b", until.isoformat()) == set()
    store.captures.add(run, "u", 200, NOW, condition.ref)
    store.captures.forget_conditions("b", run)
    assert store.captures.condition("b", "u") is None
