"""How an archive's posts came to be as they are: versions, rule revisions, states with their evidence, moves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, func, select, update

from blogforever.protocols import Condition, Record, Ref, json_line
from blogforever.urls import url_key

from . import schema
from .rows import Rows, now

FOUND = 200
BAD_STATUS = 400
JUDGED, FROZEN = "finished", "frozen"
"""How a run ends of which everything was taken over, and one of which a person has to say first what is true."""


class History:
    """Reads and writes the tables of time, through the rows of this process."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    # ------------------------------------------------------------------ versions and rules

    def versions(self, post: str) -> list[Record]:
        """The versions of a post, oldest first: number, captured, digest, rules; the newest one's record is current."""
        table = schema.versions
        return self._all(select(table).where(table.c.post == post).order_by(table.c.number))

    def version(self, post: str, number: int) -> Record | None:
        """The record of one version of a post."""
        table, posts = schema.versions, schema.posts
        row = self._rows.first(select(table.c.record).where(table.c.post == post, table.c.number == number))
        if row is None or row[0] is None:
            row = self._rows.first(select(posts.c.record).where(posts.c.id == post, posts.c.version == number))
        return json.loads(row[0]) if row else None

    def add_revision(self, blog: str, rules: str, reason: str, when: str | None = None) -> int:
        """The number of these rules among the blog's; rules that are known already keep theirs."""
        table = schema.revisions
        digest = hashlib.sha256(rules.encode()).hexdigest()
        last = self._rows.first(
            select(table.c.number, table.c.digest).where(table.c.blog == blog).order_by(table.c.number.desc())
        )
        if last and last[1] == digest:
            return int(last[0])
        number = int(last[0]) + 1 if last else 1
        row = {"blog": blog, "number": number, "learned": when or now(), "reason": reason, "digest": digest}
        self._rows.execute(schema.revisions.insert().values(**row, rules=rules))
        return number

    def revisions(self, blog: str) -> list[Record]:
        """The rules of a blog as they once were, oldest first."""
        table = schema.revisions
        return self._all(select(table).where(table.c.blog == blog).order_by(table.c.number))

    def revision(self, blog: str, number: int | None = None) -> Record | None:
        """One revision of a blog's rules, or the newest."""
        found = self.revisions(blog)
        return next((r for r in reversed(found) if number is None or r["number"] == number), None)

    def add_extraction(self, place: tuple[str, int], rules: int | None, digest: str, reason: str, when: str) -> None:
        """A version of a post reads otherwise now, though nobody edited it."""
        row = {"post": place[0], "version": place[1], "rules": rules, "extracted": when, "digest": digest}
        self._rows.gather("extractions", row | {"reason": reason})

    def extractions(self, post: str) -> list[Record]:
        """When and why a post came to read otherwise though nobody edited it."""
        table = schema.extractions
        return self._all(select(table).where(table.c.post == post).order_by(table.c.id))

    def capture(self, record_id: str) -> Ref | None:
        """Where the response with this WARC record id lies."""
        table = schema.captures
        row = self._rows.first(
            select(table.c.file, table.c.offset, table.c.record_id, table.c.digest).where(
                table.c.record_id == record_id
            )
        )
        return Ref(*row) if row else None

    def capture_run(self, record_id: str) -> int | None:
        """The crawl that captured the response with this WARC record id."""
        row = self._rows.first(select(schema.captures.c.run).where(schema.captures.c.record_id == record_id))
        return int(row[0]) if row else None

    def file(self, blog: str, url: str) -> Ref | None:
        """Where the newest whole response to this address lies, if the blog's crawls had one."""
        table, runs = schema.captures, schema.runs
        query = select(table.c.file, table.c.offset, table.c.record_id, table.c.digest)
        query = query.join(runs, runs.c.id == table.c.run).where(runs.c.blog == blog, table.c.url == url)
        whole = (table.c.status == FOUND, table.c.failed.is_(None))
        row = self._rows.first(query.where(*whole).order_by(table.c.id.desc()))
        return Ref(*row) if row else None

    # ------------------------------------------------------------------ states and what they rest on

    def checks(self, blog: str) -> dict[str, Record]:
        """How each post of a blog stands, by its id; `ref` is the capture it was last compared with."""
        table, places = schema.checks, schema.captures
        columns = (places.c.file, places.c.offset, places.c.digest.label("payload"))
        query = select(table, *columns).outerjoin(places, places.c.record_id == table.c.record_id)
        return {row["post"]: _with_ref(row) for row in self._all(query.where(table.c.blog == blog))}

    def save_check(self, row: Record) -> None:
        """How a post stands now: all columns of the table but `ref`."""
        self._rows.gather("checks", row)

    def add_sighting(self, row: Record, evidence: Mapping[str, Any]) -> None:
        """What was found at one look: post, blog, run, checked, status, outcome, with its evidence."""
        self._rows.gather("sightings", row | {"evidence": json_line(evidence)})

    def sightings(self, blog: str) -> dict[str, list[Record]]:
        """The looks at a blog's posts that did not simply find them, oldest first, by post."""
        table = schema.sightings
        found: dict[str, list[Record]] = {}
        for row in self._all(select(table).where(table.c.blog == blog).order_by(table.c.id)):
            found.setdefault(row["post"], []).append(row | {"evidence": json.loads(row["evidence"])})
        return found

    def standing(self, blog: str) -> Record | None:
        """How the blog stands as a whole."""
        table = schema.standings
        return next(iter(self._all(select(table).where(table.c.blog == blog))), None)

    def save_standing(self, row: Record) -> None:
        """How the blog stands now: blog, state, since, checked, misses, message."""
        self._rows.gather("standings", row)

    # ------------------------------------------------------------------ addresses

    def add_move(self, row: Record, before: Record) -> None:
        """A post, or the blog itself, was found under another address: post, blog, run, moved, old, new, sign."""
        self._rows.gather("moves", row | {"before": json_line(before)})

    def moves(self, blog: str) -> list[Record]:
        """Where posts of a blog, and the blog itself, have moved, in order; with what was kept of them before."""
        table = schema.moves
        found = self._all(select(table).where(table.c.blog == blog).order_by(table.c.run, table.c.old))
        return [row | {"before": json.loads(row["before"] or "{}")} for row in found]

    def kept(self, post: str) -> Record:
        """What the archive has of a post as it is: its row, with the record, and that of its check."""
        posts, checks = schema.posts, schema.checks
        row = self._rows.first(select(posts).where(posts.c.id == post))
        check = self._rows.first(select(checks).where(checks.c.post == post))
        if row is None:
            return {}
        whole = dict(row._mapping) | {"record": json.loads(row.record)}
        return {"post": whole, "check": dict(check._mapping) if check else None}

    def save_condition(self, blog: str, url: str, condition: Condition) -> None:
        """With what to ask for an address next time."""
        ref, until = condition.ref, condition.until
        row = {"blog": blog, "url": url, "etag": condition.etag, "modified": condition.modified}
        row |= {"until": until.isoformat() if until else None, "captured": condition.captured.isoformat()}
        place = {"file": ref.file, "offset": ref.offset, "record_id": ref.record_id, "digest": ref.digest}
        self._rows.gather("conditions", row | place)

    def condition(self, blog: str, url: str) -> Condition | None:
        """With what to ask for an address of a blog."""
        table = schema.conditions
        row = self._rows.first(select(table).where(table.c.blog == blog, table.c.url == url))
        return _condition(dict(row._mapping)) if row else None

    def mark_failed(self, blog: str, run: int, failed: Mapping[str, str]) -> None:
        """Of these addresses nothing was had in this run, though something may have come; by their keys, why."""
        if not failed:
            return
        self._rows.flush()
        table = schema.captures
        of_run = self._rows.rows(select(table.c.id, table.c.url).where(table.c.run == run))
        marks = [{"at": number, "why": failed[key]} for number, url in of_run if (key := url_key(url)) in failed]
        if marks:
            marked = update(table).where(table.c.id == bindparam("at")).values(failed=bindparam("why"))
            with self._rows.transaction():
                self._rows.execute(marked, marks)
                self._forget_conditions(blog, table.c.run == run, table.c.failed.is_not(None))

    def forget_conditions(self, blog: str, run: int) -> None:
        """Ask for what this run brought as if it had never come: "nothing new" would mean new since then."""
        self._forget_conditions(blog, schema.captures.c.run == run)

    def _forget_conditions(self, blog: str, *brought_by: ColumnElement[bool]) -> None:
        table, captures = schema.conditions, schema.captures
        brought = select(captures.c.record_id).where(*brought_by)
        self._rows.execute(delete(table).where(table.c.blog == blog, table.c.record_id.in_(brought)))

    def fresh_addresses(self, blog: str, moment: str) -> set[str]:
        """The addresses whose server said that they would not have changed by then."""
        table = schema.conditions
        return set(self._rows.column(select(table.c.url).where(table.c.blog == blog, table.c.until > moment)))

    def blog(self, blog: str) -> Record | None:
        """The record of a blog."""
        self._rows.flush()
        row = self._rows.first(select(schema.blogs.c.record).where(schema.blogs.c.id == blog))
        return json.loads(row[0]) if row else None

    def record(self, post: str) -> Record:
        """The record of a post as it is, hidden or not."""
        row = self._rows.first(select(schema.posts.c.record).where(schema.posts.c.id == post))
        return json.loads(row[0]) if row else {}

    def digests(self, blog: str) -> dict[str, str]:
        """The digest of each post's content, by its id."""
        posts = schema.posts
        return {
            row["id"]: row["digest"]
            for row in self._all(select(posts.c.id, posts.c.digest).where(posts.c.blog == blog))
        }

    def seen_addresses(self, blog: str) -> Iterator[str]:
        """Every address of a blog that was fetched with success by a crawl of which everything was taken over."""
        return self._fetched(schema.runs.c.blog == blog, schema.runs.c.ending == JUDGED)

    def frozen_addresses(self, blog: str) -> Iterator[str]:
        """Every address that was fetched with success since the blog is frozen: nobody has judged what came."""
        runs = schema.runs
        judged = select(func.max(runs.c.id)).where(runs.c.blog == blog, runs.c.ending == JUDGED).scalar_subquery()
        return self._fetched(runs.c.blog == blog, runs.c.ending == FROZEN, runs.c.id > judged)

    def _fetched(self, *wanted: ColumnElement[bool]) -> Iterator[str]:
        captures, runs = schema.captures, schema.runs
        query = select(captures.c.url).distinct().join(runs, runs.c.id == captures.c.run)
        good = (captures.c.status < BAD_STATUS, captures.c.failed.is_(None))
        return iter(self._rows.column(query.where(*good, *wanted)))

    def last_judged(self, blog: str) -> str | None:
        """When the last crawl of a blog began of which everything was taken over."""
        runs = schema.runs
        row = self._rows.first(select(func.max(runs.c.started)).where(runs.c.blog == blog, runs.c.ending == JUDGED))
        return row[0] if row else None

    def _all(self, statement: Any) -> list[Record]:
        self._rows.flush()
        return [dict(row._mapping) for row in self._rows.rows(statement)]


def _with_ref(row: Record) -> Record:
    place = row.pop("file"), row.pop("offset"), row["record_id"], row.pop("payload")
    return row | {"ref": Ref(*place) if place[0] else None}


def _condition(row: Record) -> Condition:
    until = datetime.fromisoformat(row["until"]) if row["until"] else None
    ref = Ref(row["file"], row["offset"], row["record_id"], row["digest"])
    return Condition(ref, datetime.fromisoformat(row["captured"]), row["etag"], row["modified"], until)
