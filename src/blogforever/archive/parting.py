"""Two posts, or two blogs, of what a move had made one: each has its own addresses, versions, comments, state again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from blogforever.comments.identity import said_by
from blogforever.errors import RulesError
from blogforever.learn.rulefile import dump_rules
from blogforever.model import Rules
from blogforever.pipeline.again import read_again
from blogforever.pipeline.guard import StageGuard
from blogforever.pipeline.page import StageFailed
from blogforever.pipeline.record import other_addresses, post_id, source_record
from blogforever.protocols import Record
from blogforever.source.address import blog_name
from blogforever.store.folder import ArchiveFolder
from blogforever.store.parting import Edit, Name, Parting
from blogforever.urls import same_site, url_key

from .kept import KeptBlog
from .stages import Loaded, reading_by


def respell(archive: ArchiveFolder, move: Record) -> None:
    """The address as it was written before; http and https name one page, so there are no two posts."""
    record = archive.history.record(move["post"])
    if record.get("url") == move["new"]:
        names = other_addresses(move["old"], [*(record.get("aliases") or ()), move["new"]])
        Parting(archive.records).put_record(record | {"url": move["old"], "aliases": names})
        archive.records.flush()


def part_post(archive: ArchiveFolder, move: Record, blog: str, stages: Loaded) -> str | None:
    """Give what a post got since a move to a post of its own, in this blog, and the post what it was; the new id."""
    history, parting = archive.history, Parting(archive.records)
    post, now = move["post"], archive.history.kept(move["post"])
    if not now:
        return None
    versions = history.versions(post)
    since = [version for version in versions if version["run"] >= move["run"]]
    kept = len(versions) - len(since)
    edited = any(version["run"] == move["run"] for version in since)
    name = Name(post, _free_id(parting, blog, move), blog, move["run"], kept if edited else kept - 1)
    before = _before(move, history.version(post, max(kept, 1)) or now["post"]["record"], now)
    shown = history.version(post, kept + 1 if edited else max(kept, 1)) or now["post"]["record"]
    shown_there = _renamed(shown, name, before, [])
    found = _found(archive, move, shown_there, stages) or shown_there
    edit = _editing(name, before, found["comments"])
    with archive.records.transaction():
        parting.rename(name, move, edit)
        if not edited:
            row = archive.history.kept(name.new)["post"]
            parting.add_first(found | {"comments": edit(shown, 1)["comments"]}, row | {"run": move["run"]})
        parting.put_back(before["post"], before["check"])
    archive.search.forget([post, name.new])
    return name.new


def part_blog(archive: ArchiveFolder, move: Record, moved: Sequence[Record], when: str, stages: Loaded) -> str:
    """Make a blog of its own of what was found at a blog's new address, and the blog what it was; the new blog's id."""
    blog, other = move["blog"], blog_name(move["new"])
    history, parting = archive.history, Parting(archive.records)
    now = history.blog(blog) or {}
    for one in moved:
        part_post(archive, one, other, stages)
    for record in list(archive.library.posts(blog, everything=True)):
        if same_site(record["url"], move["new"]) and parting.first_run(record["id"]) >= move["run"]:
            name = Name(record["id"], post_id(other, record["url"]), other, 0, 0)
            parting.rename(name, None, _editing(name, {}, []))
            archive.search.forget([record["id"]])
    archive.records.save_blog(now | {"id": other, "url": move["new"], "posts": _count(archive, other)})
    archive.records.save_blog(
        (move["before"].get("blog") or now | {"url": move["old"]}) | {"posts": _count(archive, blog)}
    )
    archive.records.flush()
    _part_rules(archive, blog, other, move["before"].get("rules"), when)
    return other


def _count(archive: ArchiveFolder, blog: str) -> int:
    return sum(1 for _ in archive.library.headings(blog))


def _part_rules(archive: ArchiveFolder, blog: str, other: str, number: int | None, when: str) -> None:
    """The rules learned since go with the other blog; this one has those it had."""
    present = _rules(archive, blog)
    if present is not None:
        archive.write_rules(other, dump_rules(replace(present, blog=other)))
    earlier = archive.history.revision(blog, number) if number else None
    if earlier:
        archive.write_rules(blog, earlier["rules"])
        archive.history.add_revision(blog, earlier["rules"], "a move of the blog was undone", when)


def _rules(archive: ArchiveFolder, blog: str) -> Rules | None:
    try:
        return KeptBlog(archive, blog).rules()
    except RulesError:
        return None


def _free_id(parting: Parting, blog: str, move: Record) -> str:
    """The id of the post at the new address; where that is taken (it moved back and forth), one of its own."""
    usual = post_id(blog, move["new"])
    return post_id(blog, f"{move['new']}#{move['moved']}") if parting.taken(usual) else usual


def _before(move: Record, record: Record, now: Record) -> Record:
    """What was kept of the post before the move; of moves that were noted without it, what can be told."""
    kept: Record = move["before"]
    if kept.get("post"):
        return {"check": None} | kept
    names = [name for name in record.get("aliases") or () if url_key(name) != url_key(move["new"])]
    as_was = record | {"url": move["old"], "aliases": other_addresses(move["old"], names)}
    row = now["post"] | {"url": move["old"], "version": record["version"], "record": as_was}
    check = now["check"] | {"post": move["post"]} if now["check"] else None
    return {"post": row, "check": check}


def _found(archive: ArchiveFolder, move: Record, record: Record, stages: Loaded) -> Record | None:
    """The post as its new address showed it when it was found there, read from that capture; None if that cannot be."""
    page = KeptBlog(archive, move["blog"]).page(move["before"].get("found"))
    ref = archive.history.capture(move["before"].get("found") or "")
    if page is None or ref is None:
        return None
    reading = reading_by(_rules(archive, move["blog"]), stages, StageGuard())
    try:
        fresh = read_again(record | {"url": move["new"]}, page, reading, None)
    except StageFailed:
        return None
    return fresh | {"sources": [source_record(page, ref)]}


def _renamed(record: Record, name: Name, before: Record, comments: list[Record]) -> Record:
    """A record under another name, without the addresses and the comments that are the other post's."""
    other: Record = (before.get("post") or {}).get("record") or {}
    others = {url_key(url) for url in (other.get("url"), *(other.get("aliases") or ())) if url}
    names = [url for url in record.get("aliases") or () if url_key(url) not in others]
    theirs = {comment["id"] for comment in other.get("comments") or ()} - _twins(record, comments)
    own = [comment for comment in record.get("comments") or () if comment["id"] not in theirs]
    kept = [c | {"parent": None if c["parent"] in theirs else c["parent"], "position": n} for n, c in enumerate(own)]
    return record | {"id": name.new, "blog": name.blog, "aliases": names, "comments": kept}


def _twins(record: Record, comments: list[Record]) -> set[str]:
    """The comments of a record that stand among these, too, whatever ids they have there."""
    shown = {_said(comment) for comment in comments}
    return {comment["id"] for comment in record.get("comments") or () if _said(comment) in shown}


def _said(comment: Record) -> tuple[str, ...]:
    return said_by((comment.get("author") or {}).get("name") or "", comment.get("text") or "")


def _editing(name: Name, before: Record, comments: list[Record]) -> Edit:
    def edit(record: Record, number: int) -> Record:
        return _renamed(record, name, before, comments) | {"version": number}

    return edit
