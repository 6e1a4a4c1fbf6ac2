"""Where posts and blogs have moved: shown, and undone so that two are two again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from blogforever.care.decisions import Apart, Decision
from blogforever.errors import UsageError
from blogforever.source.address import blog_name
from blogforever.storage.values import MoveRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import same_site, url_key
from blogforever.wording import counted, printable

from .opening import open_archive, write_to
from .parting import part_blog, part_post, respell
from .reading import choose_blog
from .stages import Loaded, load_stages


def list_moves(folder: Path, wanted: str) -> Iterator[str]:
    """Every move of a blog and of its posts, oldest first: number, day, from where to where, by which sign."""
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted).id
        apart = archive.journal.state().apart
        moves = archive.store.moves.of_blog(blog)
        for number, move in enumerate(moves, 1):
            yield from _lines(archive, number, move, apart)
    if not moves:
        yield f"Nothing of {blog} has moved."


def _lines(archive: ArchiveFolder, number: int, move: MoveRow, apart: tuple[Apart, ...]) -> list[str]:
    day = move.moved[:10]
    title: str | None = "the blog itself"
    if not move.of_blog:
        post = archive.store.posts.find(move.post)
        shown = archive.veil.post(post) if post else None
        if post and not shown:
            return [f"{number:>4}  {day}  a post that is hidden"]
        title = shown.title if shown else None
    done = undone(move, apart)
    end = f", undone {done.at[:10]}" if done else ""
    name = printable(title) or "(no title)"
    places = f"{printable(move.old)} -> {printable(move.new)}"
    return [f"{number:>4}  {day}  {name}{end}", f"      {places}, known by {move.sign}"]


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
    folder: Path, wanted: str, number: int, reason: str, stages: Loaded | None = None, wait: bool = True
) -> str:
    """Make two of what a move made one; the journal keeps it, so that no later crawl makes it one again."""
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
            moment(), "apart", blog, kind, move.new, reason.strip() or "a move was undone", other=move.old
        )
        archive.decide(decision)
        told = apply(archive, decision, stages or load_stages())
        archive.search.update()
    return told


def _places(archive: ArchiveFolder, blog: str) -> Iterator[str]:
    """The blogs that there may be at the places to which a blog has moved: undoing that writes them, too."""
    return (blog_name(move.new) for move in archive.store.moves.of_blog(blog) if move.of_blog)


def apply(archive: ArchiveFolder, decision: Decision, stages: Loaded) -> str:
    """Do what the decision says to what is kept; the same when an archive is rebuilt as when it was made."""
    blog = decision.blog or ""
    one = Apart(decision.at, blog, decision.kind, decision.other, decision.target)
    moves = [move for move in archive.store.moves.of_blog(blog) if move.moved < decision.at and _speaks_of(one, move)]
    own = [move for move in moves if (move.post == blog) == (decision.kind == "blog")]
    if not own:
        return f"{decision.target} and {decision.other} stay apart."
    last = own[-1]
    if decision.kind == "blog":
        return _undo_blog(archive, last, [move for move in moves if move.post != blog], decision.at, stages)
    if url_key(last.old) == url_key(last.new):
        respell(archive, last)
        return f"Undone: the address is {last.old} again."
    part_post(archive, last, blog, stages)
    return f"Undone: {last.old} and {last.new} are two posts."


def _undo_blog(archive: ArchiveFolder, move: MoveRow, posts: list[MoveRow], when: str, stages: Loaded) -> str:
    if same_site(move.old, move.new):
        for one in posts:
            respell(archive, one)
        if record := archive.store.blogs.find(move.blog):
            archive.store.blogs.keep(structs.replace(record, url=move.old))
        return f"Undone: the blog's address is {move.old} again, and that of {counted(len(posts), 'post')}."
    other = part_blog(archive, move, posts, when, stages)
    return f"Undone: {move.blog} and {other} are two blogs; {counted(len(posts), 'post')} went back."
