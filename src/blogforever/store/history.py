"""How an archive's posts came to be as they are: versions, rule revisions, states with their evidence, moves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, func, select, update

from blogforever.errors import ArchiveError
from blogforever.protocols import Condition, Ref
from blogforever.records import BlogRecord, PostRecord, json_line, read_blog, read_json, read_post
from blogforever.urls import url_key

from . import schema
from .rows import Columns, Rows, now
from .tablerows import (
    BeforeMove,
    CheckedPost,
    CheckRow,
    ExtractionRow,
    MoveRow,
    PostRow,
    RevisionRow,
    SightingRow,
    StandingRow,
    VersionRow,
    columns_of,
)

FOUND = 200
BAD_STATUS = 400
JUDGED, FROZEN = "finished", "frozen"
"""How a run ends of which everything was taken over, and one of which a person has to say first what is true."""


class History:
    """Reads and writes the tables of time, through the rows of this process."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    # ------------------------------------------------------------------ versions and rules

    def versions(self, post: str) -> list[VersionRow]:
        """The versions of a post, oldest first."""
        table = schema.versions
        columns = [column for column in table.columns if column is not table.c.record]
        query = select(*columns).where(table.c.post == post).order_by(table.c.number)
        return [VersionRow(**row) for row in self._all(query)]

    def version(self, post: str, number: int) -> PostRecord | None:
        """The record of one version of a post."""
        table, posts = schema.versions, schema.posts
        row = self._rows.first(select(table.c.record).where(table.c.post == post, table.c.number == number))
        if row is None or row[0] is None:
            row = self._rows.first(select(posts.c.record).where(posts.c.id == post, posts.c.version == number))
        return read_post(row[0]) if row else None

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

    def revisions(self, blog: str) -> list[RevisionRow]:
        """The rules of a blog as they once were, oldest first."""
        table = schema.revisions
        query = select(table).where(table.c.blog == blog).order_by(table.c.number)
        return [RevisionRow(**row) for row in self._all(query)]

    def revision(self, blog: str, number: int | None = None) -> RevisionRow | None:
        """One revision of a blog's rules, or the newest."""
        found = self.revisions(blog)
        return next((row for row in reversed(found) if number is None or row.number == number), None)

    def add_extraction(self, place: tuple[str, int], rules: int | None, digest: str, reason: str, when: str) -> None:
        """A version of a post reads otherwise now, though nobody edited it."""
        post, version = place
        self._rows.gather("extractions", asdict(ExtractionRow(post, version, rules, when, digest, reason)))

    def extractions(self, post: str) -> list[ExtractionRow]:
        """When and why a post came to read otherwise though nobody edited it."""
        table = schema.extractions
        columns = [column for column in table.columns if column is not table.c.id]
        query = select(*columns).where(table.c.post == post).order_by(table.c.id)
        return [ExtractionRow(**row) for row in self._all(query)]

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

    def checks(self, blog: str) -> dict[str, CheckedPost]:
        """How each post of a blog stands, by its id."""
        table, places = schema.checks, schema.captures
        columns = (places.c.file, places.c.offset, places.c.digest.label("payload"))
        query = select(table, *columns).outerjoin(places, places.c.record_id == table.c.record_id)
        return {row["post"]: _checked_post(row) for row in self._all(query.where(table.c.blog == blog))}

    def save_check(self, check: CheckRow) -> None:
        """How a post stands now."""
        self._rows.gather("checks", columns_of(check, schema.checks))

    def add_sighting(self, sighting: SightingRow) -> None:
        """What was found at one look."""
        row = asdict(sighting)
        evidence = {"absent": row.pop("absent"), "reason": row.pop("reason")}
        self._rows.gather("sightings", row | {"evidence": json_line(evidence)})

    def sightings(self, blog: str) -> dict[str, list[SightingRow]]:
        """The looks at a blog's posts that did not simply find them, oldest first, by post."""
        table = schema.sightings
        found: dict[str, list[SightingRow]] = {}
        for row in self._all(select(table).where(table.c.blog == blog).order_by(table.c.id)):
            found.setdefault(row["post"], []).append(_sighting(row))
        return found

    def standing(self, blog: str) -> StandingRow | None:
        """How the blog stands as a whole."""
        table = schema.standings
        found = self._all(select(table).where(table.c.blog == blog))
        return StandingRow(**found[0]) if found else None

    def save_standing(self, standing: StandingRow) -> None:
        """How the blog stands now."""
        self._rows.gather("standings", asdict(standing))

    # ------------------------------------------------------------------ addresses

    def add_move(self, move: MoveRow) -> None:
        """A post, or the blog itself, was found under another address."""
        row: Columns = {"post": move.post, "blog": move.blog, "run": move.run, "moved": move.moved}
        row |= {"old": move.old, "new": move.new, "sign": move.sign, "before": json_line(move.before)}
        self._rows.gather("moves", row)

    def moves(self, blog: str) -> list[MoveRow]:
        """Where posts of a blog, and the blog itself, have moved, in order; with what was kept of them before."""
        table = schema.moves
        found = self._all(select(table).where(table.c.blog == blog).order_by(table.c.run, table.c.old))
        return [MoveRow(**row | {"before": read_json(row["before"] or "{}", BeforeMove)}) for row in found]

    def kept(self, post: str) -> BeforeMove:
        """What the archive has of a post as it is: its row, with the record, and that of its check."""
        posts, checks = schema.posts, schema.checks
        row = self._rows.first(select(posts).where(posts.c.id == post))
        check = self._rows.first(select(checks).where(checks.c.post == post))
        if row is None:
            return BeforeMove()
        whole = PostRow(**dict(row._mapping) | {"record": read_post(row.record)})
        return BeforeMove(post=whole, check=CheckRow(**check._mapping) if check else None)

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

    def blog(self, blog: str) -> BlogRecord | None:
        """The record of a blog."""
        self._rows.flush()
        row = self._rows.first(select(schema.blogs.c.record).where(schema.blogs.c.id == blog))
        return read_blog(row[0]) if row else None

    def record(self, post: str) -> PostRecord:
        """The record of a post that is there, as it is, hidden or not."""
        found = self.find(post)
        if found is None:
            raise ArchiveError(f"The archive has lost its post {post}.")
        return found

    def find(self, post: str) -> PostRecord | None:
        """The record of a post as it is, hidden or not; None where there is no such post."""
        row = self._rows.first(select(schema.posts.c.record).where(schema.posts.c.id == post))
        return read_post(row[0]) if row else None

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

    def _all(self, statement: Any) -> list[Columns]:
        self._rows.flush()
        return [dict(row._mapping) for row in self._rows.rows(statement)]


def _checked_post(row: Columns) -> CheckedPost:
    file, offset, digest = row.pop("file"), row.pop("offset"), row.pop("payload")
    check = CheckRow(**row)
    return CheckedPost(check, Ref(file, offset, row["record_id"], digest) if file else None)


def _sighting(row: Columns) -> SightingRow:
    evidence = json.loads(row["evidence"])
    seen = {name: row[name] for name in ("post", "blog", "run", "checked", "status", "outcome")}
    return SightingRow(**seen, absent=tuple(evidence.get("absent", ())), reason=evidence.get("reason", ""))


def _condition(row: Columns) -> Condition:
    until = datetime.fromisoformat(row["until"]) if row["until"] else None
    ref = Ref(row["file"], row["offset"], row["record_id"], row["digest"])
    return Condition(ref, datetime.fromisoformat(row["captured"]), row["etag"], row["modified"], until)
