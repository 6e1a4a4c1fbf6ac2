"""Hide what must not be shown, and show it again: by decisions in the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from blogforever.care.decisions import KINDS, Decision, Hidden, Note, target_digest, target_key
from blogforever.care.erasure import FEW
from blogforever.care.veil import Veil
from blogforever.dom import tokenise
from blogforever.errors import UsageError
from blogforever.records import BlogSummary, PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import url_key

from .erasing import Erased, erase_target, forget
from .foreseeing import Foreseen, Remaining, foresee_erasure, foresee_forgetting, remaining_of
from .opening import open_archive, write_to
from .outbox import tell_hidden
from .reading import choose_blog, posts_called, titles_of


@dataclass(frozen=True, slots=True)
class Target:
    """What a person means: its kind, its name in the journal, and the blog it belongs to (None: all
    of them).
    """

    kind: str
    name: str
    blog: str | None
    posts: int = 0
    comments: int = 0

    @property
    def blogs(self) -> list[str] | None:
        """The blogs that a decision about it concerns; None: all of them."""
        return None if self.blog is None else [self.blog]


@dataclass(frozen=True, slots=True)
class Meant:
    """How a person names what is to be hidden: as typed, with its kind and its blog where that is
    said.
    """

    typed: str
    kind: str | None = None
    blog: str | None = None


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What is hidden now: up to a day, or for good; `erased` says what was taken out of the
    archive, too, and `remaining` what that did not reach.
    """

    target: Target
    until: str | None = None
    forgotten: bool = False
    erased: Erased | None = None
    remaining: Remaining | None = None


def suppress(
    folder: Path, meant: Meant, reason: str, *, until: str | None = None, erase: bool = False, wait: bool = True
) -> Suppressed:
    """Hide it from now on: for good, with `until` up to a day, with `erase` by taking it out of the
    archive.
    """
    reason = need_reason(reason)
    day = _day(until) if until else None
    if not erase:
        _refuse_words(meant)
    with open_archive(folder, writing=True, wait=wait) as archive:
        target = _target_to_write(archive, meant)
        archive.decide(Decision(moment(), "suppress", target.blog, target.kind, target.name, reason, day, erase))
        archive.search.update()
        tell_hidden(archive)
        if not erase:
            return Suppressed(target, day)
        hidden = Hidden(target.kind, target.name, target.blog, reason, erased=True)
        if target.kind == "blog":
            left = remaining_of(archive, hidden, 0, ())
            forget(archive, target.name, reason)
            return Suppressed(target, day, forgotten=True, remaining=left)
        done = erase_target(archive, hidden)
        return Suppressed(target, day, erased=done, remaining=remaining_of(archive, hidden, done.short, done.unread))


def need_reason(reason: str) -> str:
    """The reason, without what surrounds it; UsageError where there is none."""
    if not reason.strip():
        raise UsageError("A suppression needs a reason; the journal keeps it.")
    return reason.strip()


def foresee_suppressing(folder: Path, meant: Meant) -> tuple[Target, Foreseen, Remaining]:
    """What erasing this would take, and what it would not reach; nothing is changed."""
    with open_archive(folder, writing=False) as archive:
        target = find_target(archive, meant)
        hidden = Hidden(target.kind, target.name, target.blog, erased=True)
        is_blog = target.kind == "blog"
        foreseen = foresee_forgetting(archive, target.name) if is_blog else foresee_erasure(archive, hidden)
        return target, foreseen, remaining_of(archive, hidden, foreseen.short, foreseen.unread)


def foresee_hiding(folder: Path, meant: Meant) -> tuple[Target, Foreseen]:
    """What nobody would see any more if this were hidden; nothing is changed."""
    _refuse_words(meant)
    with open_archive(folder, writing=False) as archive:
        target, foreseen = find_target(archive, meant), Foreseen()
        veil = Veil([Hidden(target.kind, target.name, target.blog)])
        for post in _concerned(archive, target):
            shown = veil.post(post)
            if shown is None:
                foreseen.posts.append(post.url)
            elif shown != post:
                foreseen.touched.append(post.url)
            foreseen.comments += len(post.comments) - len(shown.comments if shown else ())
        return target, foreseen


def _concerned(archive: ArchiveFolder, target: Target) -> Iterable[PostRecord]:
    """The posts of which something may be hidden with it."""
    if target.kind == "blog":
        return archive.library.posts(target.name, everything=True)
    if target.kind == "author":
        return archive.search.naming(target.name)
    posts = archive.store.posts
    return posts.with_comment(target.name) if target.kind == "comment" else posts.named(target.name)


def forget_blog(folder: Path, wanted: str, reason: str, wait: bool = True) -> BlogSummary:
    """Remove a blog with everything the archive has of it."""
    if not reason.strip():
        raise UsageError("Forgetting a blog needs a reason; the journal keeps it.")
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = choose_blog(archive, wanted, everything=True)
        if write_to(archive, [blog.id]):
            blog = choose_blog(archive, wanted, everything=True)
        forget(archive, blog.id, reason.strip())
        tell_hidden(archive)
    return blog


def unsuppress(folder: Path, typed: str, kind: str | None, reason: str, wait: bool = True) -> list[Hidden]:
    """Show again what was hidden; what was erased cannot come back, but may be captured again."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        owners = {one.blog for one in _hidden(archive, typed, kind)}
        write_to(archive, None if None in owners else [blog for blog in owners if blog])
        shown_again = _hidden(archive, typed, kind)
        for hidden in shown_again:
            archive.decide(Decision(moment(), "unsuppress", hidden.blog, hidden.kind, hidden.target, reason.strip()))
        archive.search.update()
    return shown_again


def list_hidden(folder: Path) -> list[Hidden]:
    """What is hidden, with the reasons."""
    with open_archive(folder, writing=False) as archive:
        return list(archive.journal.state().hidden)


def add_note(folder: Path, typed: str, text: str, wait: bool = True) -> Target:
    """Keep a remark about a blog or a post."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        target = _target_to_write(archive, Meant(typed))
        archive.decide(Decision(moment(), "note", target.blog, target.kind, target.name, text=text.strip()))
    return target


def list_notes(folder: Path, typed: str | None = None) -> list[Note]:
    """The remarks about everything, or about one thing, oldest first."""
    with open_archive(folder, writing=False) as archive:
        wanted = find_target(archive, Meant(typed)).name if typed else None
        notes = [note for note in archive.journal.state().notes if wanted in (None, note.target)]
    return sorted(notes, key=lambda note: note.at)


def _target_to_write(archive: ArchiveFolder, meant: Meant) -> Target:
    """What is meant, with nothing left there that was to be erased: it may have been this very
    thing.
    """
    target = find_target(archive, meant)
    return find_target(archive, meant) if write_to(archive, target.blogs) else target


def find_target(archive: ArchiveFolder, meant: Meant) -> Target:
    """What an address, an id or a name means here; an address nobody has seen yet may be hidden as
    well.
    """
    typed, kind = meant.typed, meant.kind
    if kind and kind not in KINDS:
        raise UsageError(f"There is no kind {kind!r}; there is: {', '.join(KINDS)}.")
    owner = choose_blog(archive, meant.blog, everything=True).id if meant.blog else None
    target = next(_candidates(archive, typed, kind, owner), None)
    if target is not None:
        return target
    if kind == "author":
        return Target(kind, typed, owner)
    if kind == "words":
        return Target(kind, _passage(typed), owner)
    if kind == "url" and "://" in typed:
        return Target(kind, typed, owner)
    # A title may be that of several posts, and one day of another: what is hidden is named by its address.
    if near := posts_called(archive, typed)[1] if kind in (None, "url") else ():
        raise UsageError(f"Write the address of the post, not {typed!r}: did you mean {titles_of(near)}?")
    raise UsageError(f"The archive has no {kind or 'post, comment or blog'} {typed!r}; say what it is with --kind.")


def _refuse_words(meant: Meant) -> None:
    """UsageError for words that are to be hidden and kept: who shows a post without them makes up another."""
    if meant.kind == "words":
        raise UsageError("Words can only be erased (--erase); or hide the post or the comment in which they stand.")


def _passage(typed: str) -> str:
    """Words in a row that are told from what anybody may say; UsageError for fewer."""
    if len(tokenise(typed)) < FEW:
        raise UsageError(f"Write {FEW} words in a row or more: anybody may say {typed!r}, and would lose it.")
    return typed.strip()


def _candidates(archive: ArchiveFolder, typed: str, kind: str | None, owner: str | None) -> Iterator[Target]:
    blogs = [blog for blog in archive.library.blogs(everything=True) if owner in (None, blog.id)]
    if kind in (None, "blog"):
        for blog in blogs:
            if _is_named(blog, typed):
                yield Target("blog", blog.id, blog.id, blog.kept)
    if kind in (None, "comment"):
        yield from _comments(archive, typed, owner)
    if kind in (None, "url"):
        yield from _posts(archive, typed, owner)
        yield from _pages(archive, typed, blogs)
    if kind == "author":
        yield _author(archive, typed, owner)


def _is_named(blog: BlogSummary, typed: str) -> bool:
    at_its_address = bool(blog.url) and url_key(blog.url) == _key(typed)
    return blog.id == typed or at_its_address


def _comments(archive: ArchiveFolder, typed: str, owner: str | None) -> Iterator[Target]:
    """The comments with this id or address."""
    for post in archive.store.posts.with_comment(typed):
        for comment in post.comments:
            is_meant = typed in (comment.id, comment.url)
            if is_meant and owner in (None, post.blog):
                yield Target("comment", comment.id, post.blog, comments=1)


def _posts(archive: ArchiveFolder, typed: str, owner: str | None) -> Iterator[Target]:
    """The posts with this id or address; one with a place in a page is that of a comment, or of a
    post on it.
    """
    own = archive.store.posts.find(typed)
    named = archive.store.posts.named(_full(typed))
    for post in [own, *named] if own else named:
        if owner in (None, post.blog):
            yield Target("url", post.url, post.blog, 1, len(post.comments))


def _pages(archive: ArchiveFolder, typed: str, blogs: list[BlogSummary]) -> Iterator[Target]:
    """The blogs' own pages with this id or address."""
    for blog in blogs:
        for page in archive.store.pages.of_blog(blog.id):
            if typed == page.id or _key(typed) in map(url_key, page.addresses):
                yield Target("url", page.url, blog.id, comments=len(page.comments))


def _full(typed: str) -> str:
    return typed if "//" in typed else f"https://{typed}"


def _key(typed: str) -> str:
    return url_key(_full(typed))


def _author(archive: ArchiveFolder, name: str, owner: str | None) -> Target:
    """Who is called so, however the name is spaced and capitalised, with how much is by him."""
    wanted = target_key("author", name)
    posts = comments = 0
    for post in archive.search.naming(name):
        if owner in (None, post.blog):
            posts += wanted in [target_key("author", author.name) for author in post.authors]
            comments += sum(target_key("author", one.author.name or "") == wanted for one in post.comments)
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
    """The day until which something is hidden: one in the past would hide nothing, and nobody would notice."""
    try:
        day = date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageError(f"{text!r} is no day; write it as 2030-01-31.") from error
    if day <= moment()[: len(day)]:
        raise UsageError(f"{day} is not in the future: nothing would be hidden.")
    return day
