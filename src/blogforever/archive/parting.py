"""Two posts, or two blogs, of what a move had made one: each has its own addresses, versions, comments, state again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from blogforever.comments.identity import said_by
from blogforever.errors import RulesError
from blogforever.learn.rulefile import dump_rules
from blogforever.model import Rules
from blogforever.pipeline.again import read_again
from blogforever.pipeline.guard import StageGuard
from blogforever.pipeline.reading import StageFailed
from blogforever.pipeline.record import other_addresses, post_id, source_record
from blogforever.records import BlogRecord, CommentRecord, PostRecord
from blogforever.source.address import blog_name
from blogforever.storage.tables import Store
from blogforever.storage.values import BeforeMove, CheckRow, Edit, MoveRow, Name, PostRow
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import same_site, url_key

from .kept import KeptBlog
from .stages import Loaded, reading_by


def respell(archive: ArchiveFolder, move: MoveRow) -> None:
    """The address as it was written before; http and https name one page, so there are no two
    posts.
    """
    store = archive.store
    record = store.posts.find(move.post)
    if record and record.url == move.new:
        names = other_addresses(move.old, [*record.aliases, move.new])
        store.posts.rewrite(structs.replace(record, url=move.old, aliases=names))
        store.flush()


def part_post(archive: ArchiveFolder, move: MoveRow, blog: str, stages: Loaded) -> str | None:
    """Give what a post got since a move to a post of its own, in this blog, and the post what it
    was; the new id.
    """
    store = archive.store
    post, now = move.post, store.moves.before(move.post)
    if not now.post:
        return None
    newest = now.post.record
    versions = store.versions.of(post)
    since = [version for version in versions if version.run >= move.run]
    kept = len(versions) - len(since)
    edited = any(version.run == move.run for version in since)
    name = Name(post, _free_id(store, blog, move), blog, move.run, kept if edited else kept - 1)
    before = _before(move, store.versions.record(post, max(kept, 1)) or newest, now.post)
    shown = store.versions.record(post, kept + 1 if edited else max(kept, 1)) or newest
    shown_there = _renamed(shown, name, before.record, ())
    found = _found(archive, move, shown_there, stages) or shown_there
    edit = _editing(name, before.record, found.comments)
    with store.transaction():
        store.moves.rename(name, move, edit)
        if not edited:
            row = store.posts.row(name.new) or now.post
            store.moves.add_first(structs.replace(found, comments=edit(shown, 1).comments), row, move.run)
        store.moves.put_back(before, _check_before(move, now))
    archive.search.forget([post, name.new])
    return name.new


def part_blog(archive: ArchiveFolder, move: MoveRow, moved: Sequence[MoveRow], when: str, stages: Loaded) -> str:
    """Make a blog of its own of what was found at a blog's new address, and the blog what it was;
    the new blog's id.
    """
    blog, other = move.blog, blog_name(move.new)
    store = archive.store
    now = store.blogs.find(blog) or BlogRecord(id=blog, url=move.new)
    for one in moved:
        part_post(archive, one, other, stages)
    for record in list(archive.library.posts(blog, everything=True)):
        if same_site(record.url, move.new) and store.versions.first_run(record.id) >= move.run:
            name = Name(record.id, post_id(other, record.url), other, 0, 0)
            store.moves.rename(name, None, _editing(name, None, ()))
            archive.search.forget([record.id])
    store.blogs.keep(structs.replace(now, id=other, url=move.new, posts=_count(archive, other)))
    then = move.before.blog or structs.replace(now, url=move.old)
    store.blogs.keep(structs.replace(then, posts=_count(archive, blog)))
    store.flush()
    _part_rules(archive, blog, other, move.before.rules or None, when)
    return other


def _count(archive: ArchiveFolder, blog: str) -> int:
    return sum(1 for _ in archive.library.headings(blog))


def _part_rules(archive: ArchiveFolder, blog: str, other: str, number: int | None, when: str) -> None:
    """The rules learned since go with the other blog; this one has those it had."""
    present = _rules(archive, blog)
    if present is not None:
        archive.write_rules(other, dump_rules(replace(present, blog=other)))
    store = archive.store
    earlier = store.blogs.revision(blog, number) if number else None
    if earlier:
        archive.write_rules(blog, earlier.rules)
        store.blogs.add_revision(blog, earlier.rules, "a move of the blog was undone", when)


def _rules(archive: ArchiveFolder, blog: str) -> Rules | None:
    try:
        return KeptBlog(archive, blog).rules()
    except RulesError:
        return None


def _free_id(store: Store, blog: str, move: MoveRow) -> str:
    """The id of the post at the new address; where that is taken (it moved back and forth), one of
    its own.
    """
    usual = post_id(blog, move.new)
    return post_id(blog, f"{move.new}#{move.moved}") if store.posts.find(usual) else usual


def _before(move: MoveRow, record: PostRecord, now: PostRow) -> PostRow:
    """What was kept of the post before the move; of moves that were noted without it, what can be
    told.
    """
    if move.before.post:
        return move.before.post
    names = [name for name in record.aliases if url_key(name) != url_key(move.new)]
    as_was = structs.replace(record, url=move.old, aliases=other_addresses(move.old, names))
    return structs.replace(now, url=move.old, version=record.version, record=as_was)


def _check_before(move: MoveRow, now: BeforeMove) -> CheckRow | None:
    """How the post stood before the move; of moves that were noted without it, how it stands."""
    if move.before.post:
        return move.before.check or None
    return structs.replace(now.check, post=move.post) if now.check else None


def _found(archive: ArchiveFolder, move: MoveRow, record: PostRecord, stages: Loaded) -> PostRecord | None:
    """The post as its new address showed it when it was found there, read from that capture; None
    if that cannot be.
    """
    found = move.before.found or None
    page = KeptBlog(archive, move.blog).page(found)
    ref = archive.store.captures.find(found or "")
    if page is None or ref is None:
        return None
    reading = reading_by(_rules(archive, move.blog), stages, StageGuard())
    try:
        fresh = read_again(structs.replace(record, url=move.new), page, reading, None)
    except StageFailed:
        return None
    return structs.replace(fresh, sources=(source_record(page, ref),))


def _renamed(record: PostRecord, name: Name, other: PostRecord | None, comments: Sequence[CommentRecord]) -> PostRecord:
    """A record under another name, without the addresses and the comments that are the other
    post's.
    """
    others = {url_key(url) for url in other.addresses} if other else set()
    names = tuple(url for url in record.aliases if url_key(url) not in others)
    theirs = {comment.id for comment in other.comments} - _twins(record, comments) if other else set()
    own = [comment for comment in record.comments if comment.id not in theirs]
    kept = tuple(_placed(comment, place, theirs) for place, comment in enumerate(own))
    return structs.replace(record, id=name.new, blog=name.blog, aliases=names, comments=kept)


def _placed(comment: CommentRecord, position: int, gone: set[str]) -> CommentRecord:
    """A comment in its new place; what it answered may be gone."""
    parent = None if comment.parent in gone else comment.parent
    return structs.replace(comment, parent=parent, position=position)


def _twins(record: PostRecord, comments: Sequence[CommentRecord]) -> set[str]:
    """The comments of a record that stand among these, too, whatever ids they have there."""
    shown = {_said(comment) for comment in comments}
    return {comment.id for comment in record.comments if _said(comment) in shown}


def _said(comment: CommentRecord) -> tuple[str, ...]:
    return said_by(comment.author.name or "", comment.text)


def _editing(name: Name, other: PostRecord | None, comments: Sequence[CommentRecord]) -> Edit:
    def edit(record: PostRecord, number: int) -> PostRecord:
        return structs.replace(_renamed(record, name, other, comments), version=number)

    return edit
