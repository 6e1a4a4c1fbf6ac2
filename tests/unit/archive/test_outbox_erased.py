"""What was erased is in no file of the outbox: those of other posts are made anew, whoever is killed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from blogforever.archive import outbox, outboxfiles
from blogforever.archive.opening import finish_erasures, open_archive
from blogforever.archive.outboxfiles import OUTBOX, outbox_path
from blogforever.archive.suppressing import Meant, suppress
from blogforever.export.spiderxml import WITHDRAWN
from blogforever.records import PostRecord
from blogforever.service.outbox import AskWish, add_account, ask_again, delete_file, file_to_fetch, list_files
from blogforever.service.outboxfeed import OutboxFeeder
from blogforever.storage.outbox import OutboxFile
from blogforever.store.folder import ArchiveFolder
from server.ftp import SECRET
from server.samplearchive import hash_cheaply
from server.writtenarchive import BLOG, HOME, small_post, write_archive

SECRET_TEXT = "the vermilion gondolier drowned his ukulele beneath seven marzipan chandeliers"
GONE = small_post("lamplit", SECRET_TEXT, title="Zanzibarness", authors=({"name": "Quillon Osterhagen"},))
QUOTING = small_post(
    "quoting",
    f"Read Zanzibarness: {SECRET_TEXT}",
    html=f'<p>Read <a href="{GONE.url}" title="Zanzibarness">Zanzibarness</a>: <i>{SECRET_TEXT}</i></p>',
    links=({"url": GONE.url, "text": "Zanzibarness"},),
    next_url=GONE.url,
    comments=({"id": "c1", "text": f"Yes, {SECRET_TEXT}", "author": {"name": "Cy"}},),
)
PLAIN = small_post("plain", "Bread and butter")
LEFT = [word.encode() for word in ("Zanzibarness", "lamplit", "Osterhagen", "gondolier", "marzipan")]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[ArchiveFolder]:
    """An archive in whose outbox three posts wait for ann."""
    hash_cheaply()
    with open_archive(write_archive(tmp_path / "archive"), writing=True) as opened:
        add_account(opened, "ann", SECRET)
        keep(opened, GONE, QUOTING, PLAIN)
        filled(opened)
        yield opened


def keep(archive: ArchiveFolder, *posts: PostRecord) -> None:
    run, _ = archive.store.runs.open(BLOG)
    for post in posts:
        archive.store.posts.keep(run, post)
    archive.store.runs.close(run, "finished")


def filled(archive: ArchiveFolder) -> list[OutboxFile]:
    """What waits for ann when everything is done."""
    feeder = OutboxFeeder(archive)
    while feeder.look():
        pass
    return archive.store.outbox.waiting_for("ann", 0, 100)


def erase(archive: ArchiveFolder) -> None:
    suppress(archive.folder, Meant(GONE.url), "asked", erase=True)


def left(archive: ArchiveFolder) -> set[bytes]:
    """What of the erased post can be read in any file of the outbox."""
    texts = [path.read_bytes() for path in (archive.folder / OUTBOX).iterdir()]
    return {word for word in LEFT for text in texts if word in text}


def assert_clean(archive: ArchiveFolder) -> list[OutboxFile]:
    """Nothing can be read, and whatever waits can be fetched and is what its row says; no file is left over."""
    assert left(archive) == set()
    waiting = archive.store.outbox.waiting_for("ann", 0, 100)
    for file in waiting:
        assert file_to_fetch(archive, file.number, "ann")
        assert hashlib.sha256(outbox_path(archive.folder, file).read_bytes()).hexdigest() == file.digest
    assert {path.name for path in (archive.folder / OUTBOX).iterdir()} == {file.place for file in waiting}
    return waiting


def kinds(files: list[OutboxFile]) -> dict[str, str]:
    return {file.post: file.kind for file in files}


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_files_of_other_posts_that_hold_what_was_erased_are_made_anew(archive: ArchiveFolder) -> None:
    gone, quoting, plain = archive.store.outbox.waiting_for("ann", 0, 9)
    assert left(archive) == set(LEFT)
    erase(archive)
    waiting = assert_clean(archive)
    assert kinds(waiting) == {GONE.id: "tombstone", QUOTING.id: "post", PLAIN.id: "post"}
    assert plain in waiting, "what says nothing of it stays as it is"
    assert [one.number for one in list_files(archive.store, 9, state="withdrawn")[0]] == [quoting.number, gone.number]
    assert filled(archive) == waiting, "nothing is sent twice"
    ask_again(archive, AskWish(after=0))
    filled(archive)
    assert left(archive) == set()


@pytest.mark.parametrize("step", ["renew_waiting", "remove_file", "add_files", "sweep"])
def test_who_is_killed_in_between_leaves_it_to_the_next_command(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    suppress(archive.folder, Meant(GONE.url), "asked")
    with monkeypatch.context() as patched:
        patched.setattr(outboxfiles, step, killed)
        if step == "renew_waiting":
            patched.setattr(f"blogforever.archive.erasing.{step}", killed)
        with pytest.raises(KeyboardInterrupt):
            erase(archive)
    archive.read_decisions()
    finish_erasures(archive.folder)
    assert kinds(assert_clean(archive)) == {GONE.id: "tombstone", QUOTING.id: "post", PLAIN.id: "post"}


def test_what_was_written_before_an_erasure_is_written_again_when_it_is_added_after_it(
    archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(archive, small_post("late", f"So late: {SECRET_TEXT}"))
    real: Callable[..., OutboxFile | None] = outbox._news_file

    def erased_meanwhile(*words: object) -> OutboxFile | None:
        file = real(*words)
        erase(archive)
        return file

    monkeypatch.setattr(outbox, "_news_file", erased_meanwhile)
    assert outbox.feed_outbox(archive) == 1
    assert small_post("late").id in kinds(assert_clean(archive))


def test_each_account_gets_anew_what_waited_for_it(archive: ArchiveFolder) -> None:
    add_account(archive, "bob", SECRET)
    ask_again(archive, AskWish(after=0, account="bob"))
    for file in filled(archive):
        delete_file(archive, file.number, "ann")
        delete_file(archive, file.number, "bob")
    erase(archive)
    mine = [file for file in archive.store.outbox.waiting_for("bob", 0, 9) if file.post == QUOTING.id]
    assert [file.account for file in mine] == ["bob"]
    assert QUOTING.id not in kinds(archive.store.outbox.waiting_for("ann", 0, 9))
    assert left(archive) == set()


def test_an_erased_comment_is_said_to_be_gone(archive: ArchiveFolder) -> None:
    suppress(archive.folder, Meant("c1", "comment"), "asked", erase=True)
    [file] = [one for one in filled(archive) if one.post == QUOTING.id]
    text = outbox_path(archive.folder, file).read_text(encoding="utf-8")
    assert "<Id>c1</Id>" in text
    assert WITHDRAWN in text
    assert "Yes" not in text
    assert file_to_fetch(archive, file.number, "ann")


def test_other_blogs_are_not_looked_at(archive: ArchiveFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "other.example"
    run, _ = archive.store.runs.open(other)
    archive.store.posts.keep(run, small_post("far", "Far away", blog=other))
    archive.store.runs.close(run, "finished")
    far = filled(archive)[-1]
    read: list[str] = []
    real = outboxfiles.is_as_now

    def noted(archive: ArchiveFolder, file: OutboxFile) -> bool:
        read.append(file.blog)
        return real(archive, file)

    monkeypatch.setattr(outboxfiles, "is_as_now", noted)
    suppress(archive.folder, Meant(GONE.url, "url", HOME), "asked", erase=True)
    assert set(read) == {BLOG}
    assert far in assert_clean(archive)
