"""Where posts and blogs have moved: shown, and undone so that two are two again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec import structs

from blogforever.care.decisions import Apart, Decision
from blogforever.errors import UsageError
from blogforever.source.address import blog_name
from blogforever.storage.values import MoveRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import same_site, url_key

from .opening import open_archive, write_to
from .parting import part_blog, part_post, respell
from .reading import choose_blog
from .stages import Loaded, load_stages


@dataclass(frozen=True, slots=True)
class ListedMove:
    """A move of a post, or of the blog itself: when, from where to where, and by which sign it was
    known again.

    Of a post that is hidden nothing else is told.
    """

    number: int
    moved: str
    of_blog: bool = False
    title: str | None = None
    old: str = ""
    new: str = ""
    sign: str = ""
    undone: str | None = None
    """When it was undone."""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class BlogMoves:
    """Every move of a blog and of its posts, oldest first."""

    blog: str
    moves: tuple[ListedMove, ...]


@dataclass(frozen=True, slots=True)
class UndoneMove:
    """What undoing a move did: `parted` made two of one, `respelled` gave back an address, `kept
    apart` had nothing to change.

    Of a blog, `blogs` are the two that there are now, and `posts` is how many went back with it.
    """

    how: Literal["parted", "respelled", "kept apart"]
    old: str
    new: str
    of_blog: bool = False
    blogs: tuple[str, str] | None = None
    posts: int = 0


def list_moves(folder: Path, wanted: str) -> BlogMoves:
    """Every move of a blog and of its posts."""
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted).id
        apart = archive.journal.state().apart
        moves = (
            _listed(archive, number, move, apart) for number, move in enumerate(archive.store.moves.of_blog(blog), 1)
        )
        return BlogMoves(blog, tuple(moves))


def _listed(archive: ArchiveFolder, number: int, move: MoveRow, apart: tuple[Apart, ...]) -> ListedMove:
    post = None if move.of_blog else archive.store.posts.find(move.post)
    shown = archive.veil.post(post) if post else None
    if post and not shown:
        return ListedMove(number, move.moved, hidden=True)
    undoing = undone(move, apart)
    return ListedMove(
        number,
        move.moved,
        of_blog=move.of_blog,
        title=shown.title if shown else None,
        old=move.old,
        new=move.new,
        sign=move.sign,
        undone=undoing.at if undoing else None,
    )


def undone(move: MoveRow, apart: tuple[Apart, ...]) -> Apart | None:
    """The decision that undid a move, its own or that of the whole blog's."""
    return next((one for one in apart if one.at > move.moved and _speaks_of(one, move)), None)


def _speaks_of(one: Apart, move: MoveRow) -> bool:
    if one.blog != move.blog or (move.of_blog and one.kind != "blog"):
        return False
    if one.kind == "blog" and not move.of_blog:
        return _along(move, one.old, one.new)
    return one.parts(move.old, move.new)


def _along(move: MoveRow, old: str, new: str) -> bool:
    """Whether a post went where the whole blog went."""
    if same_site(old, new):
        return same_site(move.old, old) and url_key(move.old) == url_key(move.new)
    return same_site(move.old, old) and same_site(move.new, new)


def undo_move(
    folder: Path,
    wanted: str,
    number: int,
    reason: str,
    stages: Loaded | None = None,
    wait: bool = True,
) -> UndoneMove:
    """Make two of what a move made one; the journal keeps it, so that no later crawl makes it one
    again.
    """
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = choose_blog(archive, wanted, everything=True).id
        if write_to(archive, {blog, *_places(archive, blog)}):
            blog = choose_blog(archive, wanted, everything=True).id
        moves = archive.store.moves.of_blog(blog)
        if not 1 <= number <= len(moves):
            there = f"there are the numbers 1 to {len(moves)}" if moves else "nothing of it has moved"
            raise UsageError(f"There is no move {number} of {blog}; {there}.")
        move = moves[number - 1]
        if done := undone(move, archive.journal.state().apart):
            raise UsageError(f"Move {number} of {blog} was undone on {done.at[:10]}.")
        kind = "blog" if move.post == blog else "url"
        decision = Decision(
            moment(),
            "apart",
            blog,
            kind,
            move.new,
            reason.strip() or "a move was undone",
            other=move.old,
        )
        archive.decide(decision)
        result = apply(archive, decision, stages or load_stages())
        archive.search.update()
    return result


def _places(archive: ArchiveFolder, blog: str) -> Iterator[str]:
    """The blogs that there may be at the places to which a blog has moved: undoing that writes
    them, too.
    """
    return (blog_name(move.new) for move in archive.store.moves.of_blog(blog) if move.of_blog)


def apply(archive: ArchiveFolder, decision: Decision, stages: Loaded) -> UndoneMove:
    """Do what the decision says to what is kept; the same when an archive is rebuilt as when it was
    made.
    """
    blog, of_blog = decision.blog or "", decision.kind == "blog"
    apart = Apart(decision.at, blog, decision.kind, decision.other, decision.target)
    moves = [move for move in archive.store.moves.of_blog(blog) if move.moved < decision.at and _speaks_of(apart, move)]
    own = [move for move in moves if (move.post == blog) == of_blog]
    if not own:
        return UndoneMove("kept apart", decision.other, decision.target, of_blog)
    last = own[-1]
    if of_blog:
        posts = [move for move in moves if move.post != blog]
        return _undo_blog(archive, last, posts, decision.at, stages)
    if url_key(last.old) == url_key(last.new):
        respell(archive, last)
        return UndoneMove("respelled", last.old, last.new)
    part_post(archive, last, blog, stages)
    return UndoneMove("parted", last.old, last.new)


def _undo_blog(archive: ArchiveFolder, move: MoveRow, posts: list[MoveRow], when: str, stages: Loaded) -> UndoneMove:
    if same_site(move.old, move.new):
        for post_move in posts:
            respell(archive, post_move)
        if record := archive.store.blogs.find(move.blog):
            archive.store.blogs.keep(structs.replace(record, url=move.old))
        return UndoneMove("respelled", move.old, move.new, of_blog=True, posts=len(posts))
    other = part_blog(archive, move, posts, when, stages)
    return UndoneMove("parted", move.old, move.new, True, (move.blog, other), len(posts))
