"""Files for repositories: each made whole before anybody can see it, numbered, withdrawn when it
must not be seen.

A row of the database makes a file visible. The file is written first, and the row comes together
with the mark of how far the news were read: whoever is killed in between leaves a file that nobody
sees, and does the same once more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from blogforever import clock
from blogforever.storage.outbox import OutboxAsk, OutboxFile
from blogforever.store.folder import ArchiveFolder

from .outboxchoice import Chooser
from .outboxfiles import (
    AT_ONCE,
    add_files,
    add_for_some,
    hidden_now,
    make_file,
    outbox_path,
    put_away,
    remove_file,
)
from .selecting import Selection, selected_posts

READER = "outbox"
"""Who reads the news to make files of them."""
# Put before the mark of a blog that is no longer in the archive.
GONE = "gone "


def is_wanted(archive: ArchiveFolder) -> bool:
    """Whether anybody fetches files: without an account there are none."""
    return bool(archive.store.ftp_accounts.all())


def begin_outbox(archive: ArchiveFolder) -> None:
    """The first one fetches files: what becomes of posts from now on."""
    archive.store.news.reach(READER, archive.store.news.last())


def feed_outbox(archive: ArchiveFolder) -> int:
    """Make files of what became of posts since the last time; how many news were read."""
    store = archive.store
    rows = store.news.after(store.news.reached(READER), AT_ONCE)
    if not rows:
        return 0
    archive.check_room()
    posts = {row.post: row.blog for row in rows}
    made = [file for post, blog in posts.items() if (file := _news_file(archive, post, blog))]
    with store.transaction():
        add_files(archive, made)
        store.news.reach(READER, rows[-1].number)
    return len(rows)


def fulfil(archive: ArchiveFolder, ask: OutboxAsk) -> OutboxAsk:
    """Make some of the files that somebody asked for; the wish as it stands then."""
    archive.check_room()
    made, place = _asked_files(archive, ask)
    is_done = len(made) < AT_ONCE
    now = replace(ask, files=ask.files + len(made), place=place, ended=clock.stamp() if is_done else "")
    with archive.store.transaction():
        add_files(archive, [replace(file, account=ask.account) for file in made])
        archive.store.outbox_asks.keep(now)
    return now


def tell_hidden(archive: ArchiveFolder) -> int:
    """Withdraw what must not be seen any more, and tell those who may have it already; how many
    files came of it.
    """
    told = 0
    for blog, mark in archive.store.outbox.marks().items():
        now = _mark(archive, blog)
        if now != mark:
            told += _tell_blog(archive, blog)
            archive.store.outbox.mark(blog, now)
    return told


def may_be_seen(archive: ArchiveFolder, file: OutboxFile) -> bool:
    """Whether a file says nothing that somebody has hidden since it was made."""
    archive.notice_decisions()
    return hidden_now(archive, file.post)[2] == file.hidden


def _news_file(archive: ArchiveFolder, post: str, blog: str) -> OutboxFile | None:
    """The file of a post of which there is news; none where nobody may see it and nobody has it."""
    sent = archive.store.outbox.sent_post(post)
    shown, _gone, hidden = hidden_now(archive, post)
    has_been_told = sent is None or sent.hidden == hidden
    return None if shown is None and has_been_told else make_file(archive, post, blog)


def _asked_files(archive: ArchiveFolder, ask: OutboxAsk) -> tuple[list[OutboxFile], str]:
    """The next files of a wish, and the place after them."""
    if ask.search is None:
        after = int(ask.place or ask.after)
        rows = archive.store.outbox.between(after, ask.until, AT_ONCE)
        made = [make_file(archive, row.post, row.blog) for row in rows]
        return made, str(rows[-1].number if rows else after)
    made, place = [], ask.place
    for selected in selected_posts(archive, Selection(search=ask.search), ask.place):
        made.append(make_file(archive, selected.record.id, selected.record.blog))
        place = selected.place
        if len(made) == AT_ONCE:
            break
    return made, place


def _tell_blog(archive: ArchiveFolder, blog: str) -> int:
    told, after = 0, ""
    while sent := archive.store.outbox.sent(blog, after, AT_ONCE):
        changed = [one for one in sent if hidden_now(archive, one.post)[2] != one.hidden]
        made = [make_file(archive, one.post, blog) for one in changed]
        withdrawn = [file for one in changed for file in archive.store.outbox.waiting(post=one.post, limit=AT_ONCE)]
        put_away(archive, withdrawn, "withdrawn")
        told, after = told + _add_once(archive, made), sent[-1].post
    return told


def _add_once(archive: ArchiveFolder, files: Iterable[OutboxFile]) -> int:
    """Tell of posts what nobody else has told meanwhile: a command, while the service runs; how
    many.
    """
    outbox, told, chooser = archive.store.outbox, 0, Chooser(archive)
    with archive.store.transaction():
        for file in files:
            sent = outbox.sent_post(file.post)
            is_news = sent is None or sent.hidden != file.hidden
            if is_news:
                told += add_for_some(archive, file, chooser)
            else:
                remove_file(outbox_path(archive.folder, file))
    return told


def _mark(archive: ArchiveFolder, blog: str) -> str:
    """Changes when something else of a blog may be seen than before."""
    is_here = archive.store.blogs.find(blog) is not None
    return archive.veil.mark(blog) if is_here else GONE + archive.veil.mark(blog)
