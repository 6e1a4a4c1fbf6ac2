"""Hide what must not be shown, and show it again: decisions in the journal, which hold for every face and export."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from blogforever.care.decisions import KINDS, Decision, Hidden, target_digest
from blogforever.errors import UsageError
from blogforever.records import BlogSummary
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import url_key
from blogforever.wording import counted

from .erasing import erase_target, forget
from .opening import open_archive, write_to
from .reading import choose_blog


@dataclass(frozen=True, slots=True)
class Target:
    """What a person means: its kind, its name in the journal, and the blog it belongs to (None: all of them)."""

    kind: str
    name: str
    blog: str | None
    posts: int = 0
    comments: int = 0

    @property
    def blogs(self) -> list[str] | None:
        """The blogs that a decision about it concerns; None: all of them."""
        return None if self.blog is None else [self.blog]

    def __str__(self) -> str:
        what = {"url": "the post", "comment": "the comment", "author": "everything by", "blog": "the blog"}[self.kind]
        held = [counted(n, word) for n, word in ((self.posts, "post"), (self.comments, "comment")) if n]
        return f"{what} {self.name}" + (f" ({' and '.join(held)})" if held and self.kind in ("author", "blog") else "")


def suppress(folder: Path, typed: str, kind: str | None, blog: str | None, reason: str, **how: Any) -> str:
    """Hide it from now on: for good, with `until` up to a day, with `erase` by taking it out of the archive."""
    if not reason.strip():
        raise UsageError("A suppression needs a reason; the journal keeps it.")
    day, erase = _day(how["until"]) if how.get("until") else None, bool(how.get("erase"))
    with open_archive(folder, writing=True, wait=how.get("wait", True)) as archive:
        target = _target_to_write(archive, typed, kind, blog)
        archive.decide(
            Decision(moment(), "suppress", target.blog, target.kind, target.name, reason.strip(), day, erase)
        )
        archive.search.update()
        if erase and target.kind == "blog":
            forget(archive, target.name, reason.strip())
            return f"Forgotten: {target}."
        if erase:
            hidden = Hidden(target.kind, target.name, target.blog, reason.strip(), erased=True)
            return f"Erased: {erase_target(archive, hidden)}."
    return f"Hidden{f' until {day}' if day else ''}: {target}."


def forget_blog(folder: Path, wanted: str, reason: str, wait: bool = True) -> str:
    """Remove a blog with everything the archive has of it."""
    if not reason.strip():
        raise UsageError("Forgetting a blog needs a reason; the journal keeps it.")
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = choose_blog(archive, wanted, everything=True)
        if write_to(archive, [blog.id]):
            blog = choose_blog(archive, wanted, everything=True)
        forget(archive, blog.id, reason.strip())
    return f"Forgotten: {blog.id}, {counted(blog.kept, 'post')}."


def unsuppress(folder: Path, typed: str, kind: str | None, reason: str, wait: bool = True) -> str:
    """Show again what was hidden; what was erased cannot come back, but may be captured again."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        owners = {one.blog for one in _hidden(archive, typed, kind)}
        write_to(archive, None if None in owners else [blog for blog in owners if blog])
        for found in _hidden(archive, typed, kind):
            archive.decide(Decision(moment(), "unsuppress", found.blog, found.kind, found.target, reason.strip()))
        archive.search.update()
    return f"Shown again: {found.kind} {found.target}." if not found.erased else f"No longer kept out: {found.target}."


def list_hidden(folder: Path) -> Iterator[str]:
    """What is hidden, with the reasons."""
    with open_archive(folder, writing=False) as archive:
        hidden = archive.journal.state().hidden
    for one in hidden:
        ends = f", until {one.until}" if one.until else ""
        state = "erased" if one.erased else "hidden"
        yield f"{one.kind}  {one.target}  {state} {one.since[:10]}{ends}: {one.reason}"
    if not hidden:
        yield "Nothing is hidden."


def add_note(folder: Path, typed: str, text: str, wait: bool = True) -> str:
    """Keep a remark about a blog or a post."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        target = _target_to_write(archive, typed, None, None)
        archive.decide(Decision(moment(), "note", target.blog, target.kind, target.name, text=text.strip()))
    return f"Noted for {target}."


def list_notes(folder: Path, typed: str | None = None) -> Iterator[str]:
    """The remarks about everything, or about one thing, oldest first."""
    with open_archive(folder, writing=False) as archive:
        wanted = find_target(archive, typed, None, None).name if typed else None
        notes = [note for note in archive.journal.state().notes if wanted in (None, note.target)]
    for note in sorted(notes, key=lambda note: note.at):
        yield f"{note.at[:10]}  {note.target}  {note.text}"
    if not notes:
        yield "There is no note."


def _target_to_write(archive: ArchiveFolder, typed: str, kind: str | None, blog: str | None) -> Target:
    """What is meant, with nothing left there that was to be erased: it may have been this very thing."""
    target = find_target(archive, typed, kind, blog)
    return find_target(archive, typed, kind, blog) if write_to(archive, target.blogs) else target


def find_target(archive: ArchiveFolder, typed: str, kind: str | None, blog: str | None) -> Target:
    """What an address, an id or a name means here; an address nobody has seen yet may be hidden as well."""
    if kind and kind not in KINDS:
        raise UsageError(f"There is no kind {kind!r}; there is: {', '.join(KINDS)}.")
    owner = choose_blog(archive, blog, everything=True).id if blog else None
    for found in _candidates(archive, typed, kind, owner):
        return found
    if kind == "author" or (kind == "url" and "://" in typed):
        return Target(kind, typed, owner)
    raise UsageError(f"The archive has no {kind or 'post, comment or blog'} {typed!r}; say what it is with --kind.")


def _candidates(archive: ArchiveFolder, typed: str, kind: str | None, owner: str | None) -> Iterator[Target]:
    blogs = [one for one in archive.library.blogs(everything=True) if owner in (None, one.id)]
    if kind in (None, "blog"):
        for one in blogs:
            if one.id == typed or (one.url and url_key(one.url) == _key(typed)):
                yield Target("blog", one.id, one.id, one.kept)
    if kind in (None, "comment"):
        yield from _comments(archive, typed, owner)
    if kind in (None, "url"):
        yield from _posts(archive, typed, owner)
    if kind == "author":
        yield _author(archive, typed, owner, blogs)


def _comments(archive: ArchiveFolder, typed: str, owner: str | None) -> Iterator[Target]:
    """The comments with this id or address."""
    for post in archive.store.posts.with_comment(typed):
        for comment in post.comments:
            is_meant = typed in (comment.id, comment.url)
            if is_meant and owner in (None, post.blog):
                yield Target("comment", comment.id, post.blog, comments=1)


def _posts(archive: ArchiveFolder, typed: str, owner: str | None) -> Iterator[Target]:
    """The posts with this id or address; one with a place in a page is that of a comment."""
    own = archive.store.posts.find(typed)
    named = [] if "#" in typed else archive.store.posts.named(_full(typed))
    for post in [own, *named] if own else named:
        if owner in (None, post.blog):
            yield Target("url", post.url, post.blog, 1, len(post.comments))


def _full(typed: str) -> str:
    return typed if "//" in typed else f"https://{typed}"


def _key(typed: str) -> str:
    return url_key(_full(typed))


def _author(archive: ArchiveFolder, name: str, owner: str | None, blogs: list[BlogSummary]) -> Target:
    wanted = name.casefold().split()
    posts = comments = 0
    for one in blogs:
        for post in archive.library.posts(one.id, everything=True):
            posts += any(author.name.casefold().split() == wanted for author in post.authors)
            said = [comment.author.name or "" for comment in post.comments]
            comments += sum(who.casefold().split() == wanted for who in said)
    return Target("author", name, owner, posts, comments)


def _hidden(archive: ArchiveFolder, typed: str, kind: str | None) -> list[Hidden]:
    """What is hidden under this name: for all blogs, for single ones, or both."""
    found = [one for one in archive.journal.state().hidden if kind in (None, one.kind) and _means(one, typed)]
    if not found:
        raise UsageError(f"Nothing is hidden under {typed!r}; blogforever suppress --list shows what is.")
    return [one for one in found if one.kind == found[0].kind]


def _means(hidden: Hidden, typed: str) -> bool:
    return target_digest(hidden.kind, hidden.target) == target_digest(hidden.kind, typed)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageError(f"{text!r} is no day; write it as 2030-01-31.") from error
