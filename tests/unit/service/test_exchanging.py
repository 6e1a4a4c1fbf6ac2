"""Exchange between installations: trust by key and part, nothing unasked, whose word it was, and back again."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive
from blogforever.errors import ArchiveError, UsageError
from blogforever.learn.rulefile import dump_rules
from blogforever.model import Rule, Rules, Template
from blogforever.records import BlogRecord
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.blocking import block
from blogforever.service.exchanging import (
    ExchangeDesk,
    HandingWish,
    distrust,
    export,
    key_in,
    known_keys,
    own_key,
    trust,
)
from blogforever.service.lists import all_lists, keep_list
from blogforever.service.takingover import PartOutcome, TakeOver, batches, believable, take_back, take_over
from blogforever.source.exchangefile import PARTS, ExchangeFile, HandedPlace, HandedRules, HandedSource, Part, signed
from blogforever.source.given import BlogMetadata
from blogforever.source.reading import given_as_addresses
from blogforever.storage.decided import all_followed
from blogforever.store.handovers import KEY, HandoverFiles

pytestmark = pytest.mark.usefixtures("records")

RULES = Rules("https://a.blog/", (Template(Rule("div.prose", "//div", confidence=0.9)),))


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[ExchangeDesk]:
    with open_archive(tmp_path / "ours", writing=True) as archive:
        yield ExchangeDesk(archive, "ada")


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[ExchangeDesk]:
    """Another installation, with two followed blogs, one of them harvested, and something blocked."""
    with open_archive(tmp_path / "theirs", writing=True) as archive:
        at = ExchangeDesk(archive, "ben")
        rows = [
            replace(row, title=f"Blog {row.number}", notes="ask in May", metadata=BlogMetadata(language="de"))
            for row in given_as_addresses(["https://a.blog/", "https://b.blog/"])
        ]
        add_sources(at.desk, AddRequest(rows, list="By 2011", tags=("news",)))
        keep_list(at.desk, "By 2011", note="asked for by the library")
        block(at.desk, "*.spam.example", "pills")
        archive.store.blogs.keep(BlogRecord(id="a.blog", url="https://a.blog/"))
        archive.store.followed.change("a.blog", lambda blog: replace(blog, blog="a.blog", state="following"))
        archive.write_rules("a.blog", dump_rules(RULES))
        yield at


def file_of(at: ExchangeDesk, *parts: Part, notes: bool = False) -> bytes:
    return export(at, HandingWish("Ben's library", parts or PARTS, notes=notes))[0]


def trusting(ours: ExchangeDesk, theirs: ExchangeDesk, *parts: Part) -> str:
    return trust(ours, own_key(theirs).key, "The library", parts or PARTS).key


def counts(done: TakeOver) -> dict[str, dict[str, int]]:
    return {one.part: one.counts for one in done.parts}


def test_the_key_is_made_once_and_is_nobody_elses_business(ours: ExchangeDesk) -> None:
    first = own_key(ours)
    path = ours.archive.folder / KEY
    assert own_key(ours) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in ours.archive.folder.glob("exchange*")] == [KEY]
    path.write_text("nothing")
    with pytest.raises(ArchiveError, match="no key that can be read"):
        own_key(ours)


def test_all_of_it_is_taken_from_whom_we_trust_and_stays_their_word(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    key = trusting(ours, theirs)

    done = take_over(ours, file_of(theirs))

    assert counts(done) == {"sources": {"new": 2}, "blocked": {"new": 1}, "rules": {"new": 1}}
    store = ours.archive.store
    followed = {blog.id: blog for blog in all_followed(store)}
    assert [(blog.title, blog.lists, blog.tags, blog.metadata.language, blog.notes) for blog in followed.values()] == [
        ("Blog 1", ("By 2011",), ("news",), "de", ""),
        ("Blog 2", ("By 2011",), ("news",), "de", ""),
    ]
    assert [(one.list.name, one.list.note) for one in all_lists(store)] == [("By 2011", "asked for by the library")]
    (batch,) = {row.batch for row in store.sources.of_blog("a.blog")}
    found = store.sources.batch(batch)
    assert found is not None
    assert found.origin == f"exchange: The library {key}"
    assert [(place.what, place.reason, place.by) for place in store.blocked.all()] == [
        (".spam.example", "pills", f"The library {key}")
    ]
    waiting = ours.files.waiting("a.blog")
    assert waiting is not None
    assert waiting.by == f"The library {key}"
    assert json.loads(waiting.rules)["templates"][0]["article"]["css"] == "div.prose"


def test_of_an_unknown_key_nothing_is_taken_that_is_not_asked_for(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    data = file_of(theirs)
    with pytest.raises(UsageError, match="nobody here trusts; look with --dry-run"):
        take_over(ours, data)
    assert not list(all_followed(ours.archive.store))

    done = take_over(ours, data, asked=["blocked"])

    assert [one.part for one in done.parts] == ["blocked"]
    assert not list(all_followed(ours.archive.store))
    assert len(ours.archive.store.blocked.all()) == 1


def test_a_known_key_is_trusted_in_part(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    trusting(ours, theirs, "sources")
    assert [one.part for one in take_over(ours, file_of(theirs)).parts] == ["sources"]
    with pytest.raises(UsageError, match="is not trusted with any of that"):
        take_over(ours, file_of(theirs, "blocked", "rules"))
    distrust(ours, "The library")
    with pytest.raises(UsageError, match="nobody here trusts"):
        take_over(ours, file_of(theirs))


def test_a_dry_run_tells_of_every_part_and_changes_nothing(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    add_sources(ours.desk, AddRequest(given_as_addresses(["https://a.blog/", "https://x.spam.example/"])))
    trusting(ours, theirs, "rules")

    done = take_over(ours, file_of(theirs), dry_run=True)

    assert done.parts == (
        PartOutcome("sources", False, False, {"known": 1, "new": 1}),
        PartOutcome("blocked", False, False, {"new": 1}, resting=1),
        PartOutcome("rules", True, True, {"new": 1}),
    )
    assert done.batch == ""
    assert len(list(all_followed(ours.archive.store))) == 2
    assert not ours.archive.store.blocked.all()
    assert ours.files.waiting("a.blog") is None
    assert batches(ours) == []


def test_what_was_taken_over_is_taken_back_as_one(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    add_sources(ours.desk, AddRequest(given_as_addresses(["https://b.blog/", "https://x.spam.example/"])))
    trusting(ours, theirs)
    done = take_over(ours, file_of(theirs))
    states = {blog.id: blog.state for blog in all_followed(ours.archive.store)}
    assert states == {"a.blog": "waiting", "b.blog": "waiting", "x.spam.example": "blocked"}

    back = take_back(ours, done.batch)

    assert (back.sources, back.unblocked) == (1, 1)
    states = {blog.id: blog.state for blog in all_followed(ours.archive.store)}
    assert states == {"b.blog": "waiting", "x.spam.example": "waiting"}
    assert not ours.archive.store.blocked.all()
    assert ours.files.waiting("a.blog") is None
    assert [one.undone is None for one in batches(ours)] == [False]
    with pytest.raises(UsageError, match="already"):
        take_back(ours, done.batch)
    with pytest.raises(UsageError, match="Nothing was taken over as"):
        take_back(ours, "nothing")


def test_what_a_person_here_blocks_too_stays_when_theirs_is_taken_back(
    ours: ExchangeDesk, theirs: ExchangeDesk
) -> None:
    trusting(ours, theirs)
    done = take_over(ours, file_of(theirs))
    block(ours.desk, "*.spam.example", "we saw it ourselves")
    assert take_back(ours, done.batch).unblocked == 0
    assert [place.by for place in ours.archive.store.blocked.all()] == ["ada"]


def test_the_word_of_others_is_not_handed_on_as_ours(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    trusting(ours, theirs)
    take_over(ours, file_of(theirs))
    ours.archive.store.blogs.keep(BlogRecord(id="a.blog", url="https://a.blog/"))
    ours.archive.store.followed.change("a.blog", lambda blog: replace(blog, blog="a.blog", state="following"))
    ours.archive.write_rules("a.blog", dump_rules(replace(RULES, by="The library ed25519:x")))
    _data, file = export(ours, HandingWish("ada"))
    assert (file.blocked, file.rules, len(file.sources)) == ((), (), 2)


def test_remarks_and_what_is_hidden_or_rests_stay_here(theirs: ExchangeDesk) -> None:
    _data, file = export(theirs, HandingWish("ben", lists=["By 2011"]))
    assert {source.notes for source in file.sources} == {""}
    _data, file = export(theirs, HandingWish("ben", notes=True))
    assert {source.notes for source in file.sources} == {"ask in May"}
    block(theirs.desk, "b.blog")
    _data, file = export(theirs, HandingWish("ben"))
    assert [source.url for source in file.sources] == ["https://a.blog/"]
    with pytest.raises(UsageError, match="There is no list"):
        export(theirs, HandingWish("ben", lists=["none"]))


def test_a_blog_with_rules_of_its_own_keeps_them(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    trusting(ours, theirs)
    ours.archive.write_rules("a.blog", dump_rules(RULES))
    assert counts(take_over(ours, file_of(theirs, "rules"))) == {"rules": {"known": 1}}
    assert ours.files.waiting("a.blog") is None


def test_what_cannot_be_is_left_out_of_a_good_file(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    key = trusting(ours, theirs)
    file = ExchangeFile(
        made="2026-01-01",
        name="x",
        key=key,
        sources=(HandedSource("ftp://no.blog/"), HandedSource("https://good.blog/"), HandedSource("../../etc")),
        blocked=(HandedPlace("pattern", "*"), HandedPlace("host", "*.com"), HandedPlace("host", "bad.example")),
        rules=(
            HandedRules("no address at all", dump_rules(RULES)),
            HandedRules("https://good.blog/", "{}"),
            HandedRules("https://other.blog/../../x", dump_rules(RULES)),
        ),
    )
    done = take_over(ours, signed(file, theirs.files.key()))
    found = counts(done)
    assert found["blocked"] == {"invalid": 2, "new": 1}
    assert found["rules"] == {"invalid": 2, "new": 1}
    waiting = ours.archive.folder / "journal" / "exchange"
    assert [path.parent for path in waiting.rglob("*.json")] == [waiting]
    assert {blog.id for blog in all_followed(ours.archive.store)} >= {"good.blog"}
    assert found["sources"]["invalid"] >= 1


def test_only_modest_templates_are_believed_and_nothing_of_them_is_locked() -> None:
    locked = replace(RULES, templates=(Template(replace(RULES.templates[0].article, locked=True)),))
    read = believable(dump_rules(locked))
    assert read is not None
    assert not read.templates[0].article.locked
    many = replace(RULES, templates=RULES.templates * 51)
    long = replace(RULES, templates=(Template(Rule("div " * 500 + "p", "")),))
    costly = replace(RULES, templates=(Template(Rule("div:has(:has(p))", "")),))
    for rules in (many, long, costly, replace(RULES, templates=())):
        assert believable(dump_rules(rules)) is None


def test_our_own_file_and_our_own_key_are_refused(theirs: ExchangeDesk) -> None:
    with pytest.raises(UsageError, match="made by this installation"):
        take_over(theirs, file_of(theirs))
    with pytest.raises(UsageError, match="key of this installation itself"):
        trust(theirs, own_key(theirs).key, "me", PARTS)


def test_trust_needs_a_name_and_a_part_and_the_last_word_counts(ours: ExchangeDesk, theirs: ExchangeDesk) -> None:
    key, name = key_in(file_of(theirs))
    assert (key, name) == (own_key(theirs).key, "Ben's library")
    for bad in ({"name": " ", "parts": PARTS}, {"name": "x", "parts": ()}):
        with pytest.raises(UsageError):
            trust(ours, key, **bad)  # type: ignore[arg-type]  # one of each
    trust(ours, key, "one", ["rules"])
    trust(ours, key, "two", ["sources", "blocked"])
    assert [(one.name, one.parts) for one in known_keys(ours)] == [("two", ("sources", "blocked"))]
    with pytest.raises(UsageError, match="No key 'one' is trusted"):
        distrust(ours, "one")


def test_a_line_of_the_journal_that_nobody_understands_is_said(ours: ExchangeDesk) -> None:
    own_key(ours)
    path = ours.archive.folder / "journal" / "service" / "_exchange.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"journal":1,"what":"trust"}\n')
    with pytest.raises(ArchiveError, match=r"Line 1 of .* cannot be understood"):
        HandoverFiles(ours.archive.folder).state()
