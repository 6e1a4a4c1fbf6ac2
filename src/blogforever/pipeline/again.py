"""A kept post read again with other rules: a new reading of the same bytes, never a new version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from blogforever.comments import answered_post
from blogforever.model import Entry, Page, Post, Rules
from blogforever.protocols import Record, Ref
from blogforever.urls import part_of, url_key

from .entries import as_feed
from .gathering import Extra, as_gathered
from .page import Comments, Extract
from .parts import following, joined
from .record import post_record

READ = (
    *("title", "subtitle", "authors", "published", "published_precision", "published_raw", "modified", "language"),
    *(
        "text",
        "html",
        "summary",
        "tags",
        "categories",
        "kind",
        "comments",
        "media",
        "links",
        "previous_url",
        "next_url",
    ),
)
"""What a page says of a post; everything else of a record is not ours to read again."""

_NOWHERE = Ref("", 0)


@dataclass(frozen=True, slots=True)
class Reading:
    """By what a page is read: the rules, and the stages as they are configured. No comments: they are off."""

    rules: Rules | None
    extract: Extract
    comments: Comments | None

    def post(self, page: Page) -> Post:
        """What the page itself says."""
        return self.extract(page, self.rules, None)


def read_again(
    old: Record, page: Page, reading: Reading, entry: Entry | None, more: Iterable[tuple[Record, Page]] = ()
) -> Record:
    """The record with its fields as they are read now; `more` are the other responses its comments came from."""
    page, rules = replace(page, url=old["url"]), reading.rules
    others = [(source, other) for source, other in more if not _is_the_page(source, old)]
    post = reading.extract(page, rules, entry)
    extras = [(_extra(source, other), other) for source, other in others]
    parts = [reading.post(other) for extra, other in extras if extra.kind == "part"]
    post = joined(post, following(post, parts)) if parts else post
    if reading.comments:
        post = replace(post, comments=as_gathered(reading.comments(page, post, rules, extras)).comments)
    fresh = post_record(post, old["blog"], page)
    record = old | {name: fresh[name] for name in READ} | {"provenance": fresh["provenance"]}
    record |= {} if reading.comments else {"comments": old.get("comments") or []}
    record["extra"] = old.get("extra", {}) | fresh["extra"]
    record["guid"], record["native_id"] = fresh["guid"] or old.get("guid"), fresh["native_id"] or old.get("native_id")
    _keep_told(record, old)
    _keep_files(record, old)
    return record


def differences(old: Record, new: Record) -> Iterator[tuple[str, Any, Any]]:
    """The fields that read otherwise, with both readings."""
    for name in READ:
        if (old.get(name) or None) != (new.get(name) or None):
            yield name, old.get(name), new.get(name)


def _is_the_page(source: Record, old: Record) -> bool:
    """Whether this is the page as it came, of a post that was read from what a browser drew."""
    return source.get("role") == "page" and url_key(source["url"]) == url_key(old["url"])


def _extra(source: Record, page: Page) -> Extra:
    role = source.get("role")
    if role == "api":
        return Extra("api", page.url, _NOWHERE)
    if role != "feed":
        further = role == "page" and part_of(page.url) is not None
        return Extra("part" if further else "page", page.url, _NOWHERE)
    feed = as_feed(page)
    posts = {answered_post(entry) for entry in feed.entries} if feed else set()
    return Extra("blog" if len(posts) > 1 else "feed", page.url, _NOWHERE)


def _keep_told(record: Record, old: Record) -> None:
    """What a feed once told, and no feed of the archive tells any more, stays."""
    for name, came in (old.get("provenance") or {}).items():
        if came.get("by") == "feed" and name in record and not record[name] and old.get(name):
            record[name] = old[name]
            record["provenance"] = record["provenance"] | {name: came}
    if record["published"] == old.get("published"):
        for name in ("published_precision", "published_raw"):
            record[name] = record[name] or old.get(name)


def _keep_files(record: Record, old: Record) -> None:
    """Which files are kept does not depend on rules."""
    known = {item["url"]: item for item in old.get("media") or []}
    for item in record["media"]:
        kept = known.get(item["url"], {})
        item.update({name: kept[name] for name in ("sha256", "path", "type") if kept.get(name) and not item.get(name)})
