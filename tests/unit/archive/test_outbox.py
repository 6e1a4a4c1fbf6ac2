"""The outbox: each post once, whoever is killed; nothing hidden in any file; what was sent can be asked for again."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import etree

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.archive.outbox import feed_outbox
from blogforever.archive.outboxfiles import OUTBOX, outbox_path
from blogforever.archive.suppressing import Meant, forget_blog, suppress, unsuppress
from blogforever.errors import ArchiveError, UsageError
from blogforever.export.spiderxml import WITHDRAWN, schema_text
from blogforever.records import PostRecord
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.desk import desk_of
from blogforever.service.lists import keep_list
from blogforever.service.outbox import (
    AskWish,
    add_account,
    ask_again,
    choose_for_account,
    delete_file,
    file_to_fetch,
    list_files,
    outbox_view,
    remove_account,
    set_account_password,
)
from blogforever.service.outboxfeed import KEPT, OutboxFeeder
from blogforever.service.pings import FilterWish, keep_filter
from blogforever.source.given import GivenRow
from blogforever.storage.following import FollowedBlog
from blogforever.storage.outbox import AccountChoice, OutboxFile
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder
from blogforever.testing import FakeClock
from server.ftp import SECRET
from server.samplearchive import hash_cheaply
from server.writtenarchive import BLOG, HOME, small_post, write_archive

SCHEMA = etree.XMLSchema(etree.fromstring(schema_text().encode()))
COMMENT = {"id": "c1", "text": "A word", "author": {"name": "Cy"}}
MANY = int(os.environ.get("BLOGFOREVER_OUTBOX_POSTS", "200"))
"""Posts of which every file is checked; `make soak` takes 5,000."""


@pytest.fixture(autouse=True)
def cheap_passwords() -> None:
    hash_cheaply()


@pytest.fixture
def time() -> Iterator[FakeClock]:
    fake = FakeClock()
    with clock.handed_in(lambda: fake.now):
        yield fake


@pytest.fixture
def archive(tmp_path: Path, time: FakeClock) -> Iterator[ArchiveFolder]:
    """An archive with one post, and an account that has asked for nothing yet."""
    folder = write_archive(tmp_path / "archive", small_post("old"))
    with open_archive(folder, writing=True) as opened:
        add_account(opened, "ann", SECRET)
        yield opened


def keep(archive: ArchiveFolder, *posts: PostRecord) -> None:
    run, _ = archive.store.runs.open(BLOG)
    for post in posts:
        archive.store.posts.keep(run, post)
    archive.store.flush()


def filled(archive: ArchiveFolder) -> list[OutboxFile]:
    """What waits for ann when everything is done."""
    feeder = OutboxFeeder(archive)
    while feeder.look():
        pass
    return archive.store.outbox.waiting_for("ann", 0, 10_000)


def entities(archive: ArchiveFolder, file: OutboxFile) -> dict[str, str]:
    """Id and text of each entity in a file, which must be valid; of one that is gone, the word that it is."""
    tree = etree.parse(outbox_path(archive.folder, file))
    SCHEMA.assertValid(tree)
    found = tree.findall("BlogEntity")
    return {one.findtext("Id", ""): WITHDRAWN if is_gone(one) else one.findtext("Value", "") for one in found}


def is_gone(entity: etree._Element) -> bool:
    said = {one.findtext("Type", ""): one.findtext("Value", "") for one in entity.iterfind("Elements/BaseBlogElement")}
    return said.get("status_code") == WITHDRAWN


def test_what_is_kept_from_the_first_account_on_becomes_one_file_each(archive: ArchiveFolder) -> None:
    assert filled(archive) == []
    new = small_post("new", "Bread", comments=(COMMENT,))
    keep(archive, new, small_post("other"))
    first, second = filled(archive)
    assert (first.number, first.kind, first.post, first.blog) == (1, "post", new.id, BLOG)
    assert entities(archive, first) == {new.id: "Bread", "c1": "A word"}
    assert filled(archive) == [first, second]
    keep(archive, small_post("new", "More bread", comments=(COMMENT,)))
    changed = filled(archive)[-1]
    assert (changed.number, changed.post, changed.version) == (3, new.id, 2)
    assert outbox_view(archive).behind == 0


def test_nothing_is_made_while_nobody_has_an_account(archive: ArchiveFolder) -> None:
    remove_account(archive.store, "ann")
    keep(archive, small_post("new"))
    assert not OutboxFeeder(archive).look()
    assert not (archive.folder / OUTBOX).exists()
    add_account(archive, "ann", SECRET)
    assert filled(archive) == []


def test_who_is_killed_before_the_database_hears_of_a_file_makes_it_once_more(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(archive, small_post("new"))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(archive.store.news, "reach", killed)
    with pytest.raises(KeyboardInterrupt):
        feed_outbox(archive)
    monkeypatch.undo()
    assert archive.store.outbox.waiting_for("ann", 0, 9) == []
    assert len(list((archive.folder / OUTBOX).iterdir())) == 1
    [file] = filled(archive)
    assert [path.name for path in (archive.folder / OUTBOX).iterdir()] == [file.place]


def test_what_is_hidden_is_in_no_file_and_who_has_it_is_told(archive: ArchiveFolder) -> None:
    new = small_post("new", "Bread", comments=(COMMENT,))
    suppress(archive.folder, Meant(f"https://{BLOG}/secret/", "url", BLOG), "asked")
    keep(archive, new, small_post("secret"))
    [file] = filled(archive)
    suppress(archive.folder, Meant("c1", "comment"), "asked")
    assert file_to_fetch(archive, file.number, "ann") is None
    [without] = filled(archive)
    assert entities(archive, without) == {new.id: "Bread", "c1": WITHDRAWN}
    assert archive.store.outbox.find(file.number) == replace(file, state="withdrawn", ended=clock.stamp())
    assert not outbox_path(archive.folder, file).exists()
    suppress(archive.folder, Meant(new.url, "url"), "asked")
    [gone] = filled(archive)
    assert (gone.kind, entities(archive, gone)) == ("tombstone", {new.id: WITHDRAWN})
    assert new.url.encode() not in outbox_path(archive.folder, gone).read_bytes()
    unsuppress(archive.folder, new.url, "url", "a mistake")
    assert entities(archive, filled(archive)[-1]) == {new.id: "Bread", "c1": WITHDRAWN}


def test_of_a_forgotten_blog_nothing_is_left_but_the_word_that_it_is_gone(archive: ArchiveFolder) -> None:
    new = small_post("new", "Bread")
    keep(archive, new)
    filled(archive)
    archive.store.runs.close(archive.store.runs.last(BLOG), "finished")
    forget_blog(archive.folder, BLOG, "asked")
    assert b"Bread" not in b"".join(path.read_bytes() for path in (archive.folder / OUTBOX).iterdir())
    [gone] = filled(archive)
    assert entities(archive, gone) == {new.id: WITHDRAWN}
    assert [path.name for path in (archive.folder / OUTBOX).iterdir()] == [gone.place]


def test_a_file_goes_when_all_have_deleted_it_and_can_be_asked_for_again(archive: ArchiveFolder) -> None:
    add_account(archive, "bob", SECRET)
    keep(archive, small_post("new"), small_post("other"))
    first, second = filled(archive)
    assert delete_file(archive, first.number, "ann")
    assert not delete_file(archive, first.number, "ann")
    assert outbox_path(archive.folder, first).exists()
    assert delete_file(archive, first.number, "bob")
    assert not outbox_path(archive.folder, first).exists()
    assert [one.state for one in list_files(archive.store, 9)[0]] == ["waiting", "taken"]
    asked = ask_again(archive, AskWish(after=0, account="ann"))
    assert ask_again(archive, AskWish(after=0, account="ann")) == asked
    again = filled(archive)
    assert [file.post for file in again] == [second.post, first.post, second.post]
    assert [file.digest for file in again[1:]] == [first.digest, second.digest]
    assert archive.store.outbox.waiting_for("bob", 0, 9) == [second]
    assert outbox_view(archive).asks[0].files == 2


def test_a_file_is_old_after_a_day(archive: ArchiveFolder, time: FakeClock) -> None:
    keep(archive, small_post("new"))
    [file] = filled(archive)
    time.now += timedelta(seconds=KEPT + 1)
    assert filled(archive) == []
    assert not outbox_path(archive.folder, file).exists()
    ask_again(archive, AskWish(after=file.number - 1))
    assert [one.digest for one in filled(archive)] == [file.digest]


def test_posts_can_be_asked_for_by_what_they_are(archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blogforever.archive.outbox.AT_ONCE", 10)
    names = [f"p{number}" for number in range(25)]
    keep(archive, *(small_post(name, published="2013-01-01") for name in names), small_post("tagged", tags=("x",)))
    filled(archive)
    ask_again(archive, AskWish(search=PostSearch(tags=("x",))))
    assert filled(archive)[-1].post == small_post("tagged").id
    before = len(filled(archive))
    ask_again(archive, AskWish(search=PostSearch(blog=BLOG, since="2013", until="2014")))
    assert len({file.post for file in filled(archive)[before:]}) == 25


def test_what_nobody_can_mean_is_refused(archive: ArchiveFolder) -> None:
    with pytest.raises(UsageError, match="one of them"):
        ask_again(archive, AskWish())
    with pytest.raises(UsageError, match="no account"):
        ask_again(archive, AskWish(after=1, account="cy"))
    with pytest.raises(UsageError, match="already"):
        add_account(archive, "ann", SECRET)
    with pytest.raises(UsageError, match="cannot be the name"):
        add_account(archive, "a b", SECRET)
    with pytest.raises(UsageError, match="letters or more"):
        set_account_password(archive.store, "ann", "short")
    remove_account(archive.store, "ann")
    with pytest.raises(UsageError, match="Nobody has an account"):
        ask_again(archive, AskWish(after=1))


def test_a_full_disk_stops_it_and_loses_nothing(archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(archive, small_post("new"))

    def full() -> None:
        raise ArchiveError("no room")

    monkeypatch.setattr(archive, "check_room", full)
    with pytest.raises(ArchiveError):
        OutboxFeeder(archive).look()
    monkeypatch.undo()
    assert len(filled(archive)) == 1


def test_every_file_of_many_posts_is_valid_and_memory_stays_flat(archive: ArchiveFolder) -> None:
    odd = "\x00\x1b & < ]]> \ud800 \ufffe\r\n"
    texts = [odd + "word " * number for number in range(MANY)]
    keep(archive, *(small_post(f"p{len(text)}", text, comments=(COMMENT,) * (len(text) % 3)) for text in texts))
    tracemalloc.start()
    files = filled(archive)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(files) == MANY
    for file in files:
        entities(archive, file)
    assert peak < 20_000_000


def test_a_known_blog_that_somebody_adds_again_is_sent_at_once(archive: ArchiveFolder) -> None:
    added = add_sources(desk_of(archive, "bob"), AddRequest([GivenRow(1, HOME, HOME)]))
    assert added.rows[0].blog
    (file,) = filled(archive)
    assert file.post == small_post("old").id
    add_sources(desk_of(archive), AddRequest([GivenRow(1, HOME, HOME)], is_by_hand=False))
    assert filled(archive) == [file]


def waiting_for(archive: ArchiveFolder, name: str) -> list[str]:
    """The titles of what an account can fetch when everything is done."""
    filled(archive)
    records = [archive.store.posts.record(file.post) for file in archive.store.outbox.waiting_for(name, 0, 100)]
    return [record.title or "" for record in records]


def test_an_account_gets_the_posts_that_it_has_chosen_from_now_on(archive: ArchiveFolder) -> None:
    keep(archive, small_post("before"))
    assert len(filled(archive)) == 1
    add_account(archive, "bob", SECRET, choice=AccountChoice(languages=("de",), tags=("Sea", "Wind")))
    assert waiting_for(archive, "bob") == [], "what waits already is not for it"
    keep(
        archive, small_post("calm", tags=("sea",), language="de-AT"), small_post("other", tags=("sea",), language="en")
    )
    assert waiting_for(archive, "bob") == ["Calm"]
    assert len(waiting_for(archive, "ann")) == 3
    file = list_files(archive.store, 9)[0][0]
    assert file.takings == (), "who never saw it has not taken it"
    assert delete_file(archive, file.number, "ann")
    assert file_to_fetch(archive, file.number, "ann") is None
    assert list_files(archive.store, 9, state="taken")[0][0].number == file.number, "nobody else is to have it"
    ask_again(archive, AskWish(after=0, account="bob"))
    assert set(waiting_for(archive, "bob")) == {"Calm"}, "the choice holds for what is asked for, too"


@pytest.mark.parametrize(
    ("choice", "is_chosen"),
    [
        (AccountChoice(blogs=(HOME,)), True),
        (AccountChoice(lists=("mine",)), True),
        (AccountChoice(lists=("other",)), False),
        (AccountChoice(tags=("of the blog",)), True),
        (AccountChoice(filters=("Written",)), True),
        (AccountChoice(filters=("Elsewhere",)), False),
        (AccountChoice(lists=("mine",), languages=("de",)), False),
    ],
)
def test_blogs_are_chosen_by_list_tag_and_filter(
    archive: ArchiveFolder, choice: AccountChoice, is_chosen: bool
) -> None:
    desk = desk_of(archive)
    for name in ("mine", "other"):
        keep_list(desk, name)
    for name, pattern in (("Written", urlsplit(HOME).hostname or ""), ("Elsewhere", "elsewhere.example")):
        keep_filter(desk, FilterWish(name, f"*{pattern}*", "wildcards"))
    archive.store.followed.add([FollowedBlog("f", HOME, "2026", blog=BLOG, lists=("mine",), tags=("of the blog",))])
    choose_for_account(archive, "ann", choice)
    keep(archive, small_post("calm", language="en"))
    assert waiting_for(archive, "ann") == (["Calm"] if is_chosen else [])
    assert archive.store.outbox.figures().states == ({"waiting": 1} if is_chosen else {}), (
        "what nobody wants is not made"
    )


def test_what_there_is_not_cannot_be_chosen(archive: ArchiveFolder) -> None:
    for choice in (
        AccountChoice(lists=("none",)),
        AccountChoice(filters=("none",)),
        AccountChoice(blogs=("none.example",)),
    ):
        with pytest.raises(UsageError, match="There is no"):
            choose_for_account(archive, "ann", choice)
