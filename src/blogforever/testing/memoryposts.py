"""Posts of a store in memory: as they are, as they were, how they stand, where they moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from blogforever.dates import moment_key
from blogforever.errors import ArchiveError
from blogforever.extract.content import content_of
from blogforever.records import PostRecord, json_line, read_post
from blogforever.storage.browsing import (
    CommentPage,
    CommentPlace,
    CommentQuery,
    Facet,
    PostLine,
    PostPage,
    PostPlace,
    PostQuery,
    facets_of,
    folded,
)
from blogforever.storage.news import NewsRow, became
from blogforever.storage.succession import (
    KeptVersion,
    before_renaming,
    is_edited,
    renumbering,
    succeeding,
    version_row,
    woven,
)
from blogforever.storage.values import (
    BeforeMove,
    Change,
    CheckedPost,
    CheckRow,
    Edit,
    ExtractionRow,
    MoveRow,
    Name,
    PostRow,
    SightingRow,
    VersionRow,
)
from blogforever.urls import url_key

from .memorynews import add_news
from .memorytables import MemoryTables, add_row, newest_first, now, numbered

# Characters of a month as it stands in a date.
MONTH = len("2013-03")


class MemoryVersions:
    """The versions of posts."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def of(self, post: str) -> list[VersionRow]:
        """The versions of a post, oldest first."""
        return [version.row for version in numbered(self._tables.versions, post).values()]

    def record(self, post: str, number: int) -> PostRecord | None:
        """The record of one version of a post."""
        version, row = self._tables.versions.get((post, number)), self._tables.posts.get(post)
        if version and version.record:
            return version.record
        return row.record if row and row.version == number else None

    def first_run(self, post: str) -> int:
        """The run that found a post; 0 where none did."""
        return next((row.run for row in self.of(post)), 0)

    def add_extraction(self, place: tuple[str, int], rules: int | None, digest: str, reason: str, when: str) -> None:
        """A version of a post reads otherwise now, though nobody edited it."""
        add_row(self._tables.extractions, ExtractionRow(*place, rules, when, digest, reason))

    def extractions(self, post: str) -> list[ExtractionRow]:
        """When and why a post came to read otherwise though nobody edited it."""
        return [row for row in self._tables.extractions.values() if row.post == post]


class MemoryPosts:
    """The posts as they are now."""

    def __init__(self, tables: MemoryTables, versions: MemoryVersions) -> None:
        self._tables, self._versions = tables, versions

    def keep(
        self,
        run: int,
        record: PostRecord,
        change: Change = "compare",
        rules: int | None = None,
        check: CheckRow | None = None,
    ) -> int:
        """Keep a post, and how it stands, in one; its version."""
        self._tables.check_open()
        record, digest = _as_written(record), content_of(record).digest
        kept = self._tables.posts.get(record.id)
        edited = kept is None or is_edited(change, kept.digest, digest)
        if kept is None:
            record = structs.replace(record, version=1)
        else:
            record = succeeding(kept.record, kept.version, record, edited)
            if edited:
                self._put_by(kept)
        if edited:
            row = version_row(record, digest, run, rules, now())
            self._tables.versions[record.id, record.version] = KeptVersion(row, None)
        self._tables.posts[record.id] = post_row(record, digest, run, rules)
        if check:
            self._tables.checks[check.post] = check
        self._tell(kept.record if kept else None, record)
        return record.version

    def _tell(self, before: PostRecord | None, record: PostRecord) -> None:
        kind, comments = became(before, record)
        if kind:
            add_news(self._tables, NewsRow(0, now(), record.blog, record.id, kind, record.version, comments))

    def _put_by(self, kept: PostRow) -> None:
        """The record that is replaced stays with its version."""
        version = self._tables.versions[kept.id, kept.version]
        row = replace(version.row, digest=kept.digest)
        self._tables.versions[kept.id, kept.version] = KeptVersion(row, kept.record)

    def revise(self, record: PostRecord, rules: int | None, when: str) -> None:
        """The newest version of a post reads otherwise, though nobody edited it."""
        self.rewrite(record)
        self._tables.posts[record.id] = structs.replace(self._tables.posts[record.id], rules=rules)
        self._note_reading(record, record.version, rules, when)

    def revise_version(self, record: PostRecord, number: int, rules: int | None, when: str) -> None:
        """An older version of a post reads otherwise, though nobody edited it."""
        version = self._tables.versions[record.id, number]
        self._tables.versions[record.id, number] = KeptVersion(version.row, _as_written(record))
        self._note_reading(record, number, rules, when)

    def _note_reading(self, record: PostRecord, number: int, rules: int | None, when: str) -> None:
        version, digest = self._tables.versions[record.id, number], content_of(record).digest
        row = replace(version.row, digest=digest, rules=rules)
        self._tables.versions[record.id, number] = KeptVersion(row, version.record)
        self._versions.add_extraction((record.id, number), rules, digest, "reextract", when)

    def rewrite(self, record: PostRecord) -> None:
        """The record of a post as it is now, without a word on how it came to be so."""
        row, record = self._tables.posts[record.id], _as_written(record)
        columns = {"url": record.url, "title": record.title, "published": record.published}
        digest = content_of(record).digest
        self._tables.posts[record.id] = structs.replace(row, **columns, digest=digest, record=record)

    def weave(self, run: int, post: str, order: Sequence[int | PostRecord], rules: int | None) -> None:
        """Put records between the versions of a post, which stand as
        their numbers; the newest stays the newest.
        """
        tables = self._tables
        places = [one if isinstance(one, int) else _fresh_version(one, run, rules) for one in order]
        kept = numbered(tables.versions, post)
        for number in kept:
            del tables.versions[post, number]
        for version in woven(kept, places):
            tables.versions[post, version.row.number] = version
        numbers = renumbering(places)
        for key, reading in tables.extractions.items():
            if reading.post == post:
                tables.extractions[key] = replace(reading, version=numbers.get(reading.version, reading.version))
        newest = structs.replace(self.record(post), version=len(order))
        tables.posts[post] = structs.replace(tables.posts[post], version=len(order), run=run, record=newest)

    def find(self, post: str) -> PostRecord | None:
        """The record of a post; None where there is no such post."""
        row = self._tables.posts.get(post)
        return row.record if row else None

    def record(self, post: str) -> PostRecord:
        """The record of a post that is there; ArchiveError where it is not."""
        record = self.find(post)
        if record is None:
            raise ArchiveError(f"The archive has lost its post {post}.")
        return record

    def any_of(self, blog: str) -> bool:
        """Whether any post of a blog is kept."""
        return any(row.blog == blog for row in self._tables.posts.values())

    def brought_by(self, run: int, most: int) -> list[tuple[str, str | None]]:
        """Address and day of the posts that a run brought in their first version, newest first, so
        many at most.
        """
        rows = [row for row in self._tables.posts.values() if row.run == run and row.version == 1]
        return [(row.url, row.published) for row in newest_first(rows)[:most]]

    def row(self, post: str) -> PostRow | None:
        """All that is kept of a post itself."""
        return self._tables.posts.get(post)

    def of_blog(self, blog: str) -> Iterator[PostRecord]:
        """The blog's posts, newest first; those without a date come last."""
        return (row.record for row in newest_first(self._of_blog(blog)))

    def page(self, query: PostQuery) -> PostPage:
        """The posts that are asked for, newest first, from a place on."""
        chosen = [record for record in self._listed(query.list) if _is_chosen(record, query)]
        ordered = sorted(chosen, key=_place, reverse=True)
        after = query.after
        rest = [record for record in ordered if after is None or _place(record) < (after.moment, after.id)]
        lines = tuple(PostLine(one.id, one.blog, json_line(one)) for one in rest[: query.limit])
        has_more = len(rest) > query.limit > 0
        return PostPage(lines, PostPlace(*_place(rest[query.limit - 1])) if has_more else None)

    def following(self, blog: str, place: PostPlace) -> PostLine | None:
        """The next newer post of a blog after a place."""
        newer = [row.record for row in self._of_blog(blog) if _place(row.record) > (place.moment, place.id)]
        found = min(newer, key=_place, default=None)
        return PostLine(found.id, found.blog, json_line(found)) if found else None

    def _listed(self, name: str) -> list[PostRecord]:
        """The posts of blogs that are followed as part of a list; all of them where none is named."""
        blogs = {blog.blog for blog in self._tables.followed.values() if name in blog.lists}
        return [row.record for row in self._tables.posts.values() if not name or row.blog in blogs]

    def comments(self, query: CommentQuery) -> CommentPage:
        """The comments that are asked for, newest first, from a place on."""
        here = [row.record for row in self._tables.posts.values() if not query.blog or row.blog == query.blog]
        places = [
            (moment_key(one.published), post.id, one.id, PostLine(post.id, post.blog, json_line(post)))
            for post in here
            for one in post.comments
            if _is_in_time(moment_key(one.published), query)
        ]
        ordered = sorted(places, key=lambda place: place[:3], reverse=True)
        after = query.after
        rest = [one for one in ordered if after is None or one[:3] < (after.moment, after.post, after.id)]
        has_more = len(rest) > query.limit > 0
        items = tuple((name, line) for _moment, _post, name, line in rest[: query.limit])
        return CommentPage(items, CommentPlace(*rest[query.limit - 1][:3]) if has_more else None)

    def headings(self, blog: str) -> Iterator[tuple[str | None, str | None, str]]:
        """Day, title and address of the blog's posts, in the same order."""
        return ((row.published, row.title, row.url) for row in newest_first(self._of_blog(blog)))

    def number_with(self, facet: Facet, most: int) -> int:
        """How many posts of all blogs are chosen by something; no more than so many are counted."""
        meant = Facet(facet.kind, folded(facet.name))
        return min(most, sum(meant in facets_of(row.record) for row in self._tables.posts.values()))

    def months(self, blog: str) -> dict[str, int]:
        """How many posts of a blog are of each month, the first one first."""
        months = Counter(row.published[:MONTH] for row in self._of_blog(blog) if row.published)
        return dict(sorted(months.items()))

    def at(self, address: str) -> PostRecord | None:
        """The post with exactly this address; its own before one of its others."""
        found = [post for post in self._all() if address in post.addresses]
        return min(found, key=lambda post: post.url != address, default=None)

    def named(self, address: str) -> list[PostRecord]:
        """The posts with an address that means the same page as this one; by blog, newest first."""
        key = url_key(address)
        return [post for post in self._all() if key in map(url_key, post.addresses)]

    def owners(self, addresses: Iterable[str]) -> dict[str, str]:
        """The blogs that have a post with one of these addresses, by the address as it was asked."""
        found = {address: self.named(address) for address in addresses}
        return {address: posts[0].blog for address, posts in found.items() if posts}

    def ids_at(self, addresses: Iterable[str]) -> dict[str, str]:
        """The post with each of these addresses, by the address as it was asked; without those that
        have none.
        """
        found = {address: self.named(address) for address in addresses}
        return {address: min(post.id for post in posts) for address, posts in found.items() if posts}

    def with_comment(self, name: str) -> list[PostRecord]:
        """The posts with a comment of this id or address; in the same order."""
        return [post for post in self._all() if any(name in (one.id, one.url) for one in post.comments)]

    def digests(self, blog: str) -> dict[str, str]:
        """The digest of each post's content, by its id."""
        return {row.id: row.digest for row in self._of_blog(blog)}

    def sharing_titles(self, titles: Sequence[str]) -> dict[str, int]:
        """How many posts of each blog have one of these titles."""
        return dict(Counter(row.blog for row in self._tables.posts.values() if row.title in titles))

    def _of_blog(self, blog: str) -> list[PostRow]:
        return [row for row in self._tables.posts.values() if row.blog == blog]

    def _all(self) -> list[PostRecord]:
        """Every post, by blog, newest first."""
        in_order = sorted(newest_first(self._tables.posts.values()), key=lambda row: row.blog)
        return [row.record for row in in_order]


class MemoryChecks:
    """How posts stand."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, check: CheckRow) -> None:
        """How a post stands now that was looked at and stays as it is."""
        self._tables.checks[check.post] = check

    def of_blog(self, blog: str) -> dict[str, CheckedPost]:
        """How each post of a blog stands, by its id."""
        places = {capture.ref.record_id: capture.ref for capture in self._tables.captures.values()}
        checks = [check for check in self._tables.checks.values() if check.blog == blog]
        return {check.post: CheckedPost(check, places.get(check.record_id or "")) for check in checks}

    def find(self, post: str) -> CheckRow | None:
        """How a post stands."""
        return self._tables.checks.get(post)

    def sightings_of(self, post: str) -> list[SightingRow]:
        """The looks at a post that did not simply find it, oldest first."""
        return [sighting for sighting in self._tables.sightings.values() if sighting.post == post]

    def add_sighting(self, sighting: SightingRow) -> None:
        """What was found at one look."""
        add_row(self._tables.sightings, sighting)

    def sightings(self, blog: str) -> dict[str, list[SightingRow]]:
        """The looks at a blog's posts that did not simply find them, oldest first, by post."""
        found: dict[str, list[SightingRow]] = {}
        for sighting in self._tables.sightings.values():
            if sighting.blog == blog:
                found.setdefault(sighting.post, []).append(sighting)
        return found


class MemoryMoves:
    """Where posts and blogs have moved."""

    def __init__(self, tables: MemoryTables, posts: MemoryPosts) -> None:
        self._tables, self._posts = tables, posts

    def add(self, move: MoveRow) -> None:
        """A post, or the blog itself, was found under another address."""
        number = add_row(self._tables.moves, move)
        self._tables.moves[number] = replace(move, id=number)

    def of_blog(self, blog: str) -> list[MoveRow]:
        """Where posts of a blog, and the blog itself, have moved, in
        order; with what was kept of them before.
        """
        moves = [move for move in self._tables.moves.values() if move.blog == blog]
        return sorted(moves, key=lambda move: (move.run, move.old))

    def of_post(self, post: str) -> list[MoveRow]:
        """Where a post has moved, in order."""
        moves = [move for move in self._tables.moves.values() if move.post == post]
        return sorted(moves, key=lambda move: (move.run, move.old))

    def before(self, post: str) -> BeforeMove:
        """What there is of a post now, to be kept with its move."""
        row = self._tables.posts.get(post)
        return BeforeMove(post=row, check=self._tables.checks.get(post)) if row else BeforeMove()

    def rename(self, name: Name, since: MoveRow | None, edit: Edit) -> None:
        """Give a post's rows, or those `since` a move, to another
        post; every record goes through `edit`.
        """
        with self._tables.transaction():
            self._rename_post(name, edit)
            self._rename_versions(name, edit)
            self._rename_readings(name, since)
            self._rename_looks(name)
            self._rename_moves(name, since.id if since else 0, edit)

    def put_back(self, post: PostRow, check: CheckRow | None) -> None:
        """A post's row, and that of its check, as they once were; its
        newest version is in the row again.
        """
        self._tables.posts[post.id] = post
        if check:
            self._tables.checks[check.post] = check
        version = self._tables.versions.get((post.id, post.version))
        if version:
            row = replace(version.row, digest=post.digest)
            self._tables.versions[post.id, post.version] = KeptVersion(row, None)

    def add_first(self, record: PostRecord, row: PostRow, run: int) -> None:
        """The first version of a post that was found with no edit in
        this run, beside those that came after it.
        """
        is_newest, capture = row.version == 1, record.capture
        version = version_row(record, content_of(record).digest, run, row.rules, now())
        version = replace(version, number=1, captured=capture.captured if capture else None)
        self._tables.versions[record.id, 1] = KeptVersion(version, None if is_newest else record)
        if is_newest:
            self._posts.rewrite(record)

    def _rename_post(self, name: Name, edit: Edit) -> None:
        row = self._tables.posts.pop(name.old)
        version = row.version - name.shift
        record = edit(row.record, version)
        digest = content_of(record).digest
        self._tables.posts[name.new] = structs.replace(
            row, id=name.new, blog=name.blog, url=record.url, version=version, digest=digest, record=record
        )

    def _rename_versions(self, name: Name, edit: Edit) -> None:
        for old, version in numbered(self._tables.versions, name.old).items():
            if version.row.run < name.run:
                continue
            number = old - name.shift
            row = replace(version.row, post=name.new, blog=name.blog, number=number)
            record = edit(version.record, number) if version.record else None
            del self._tables.versions[name.old, old]
            self._tables.versions[name.new, number] = KeptVersion(row, record)

    def _rename_readings(self, name: Name, since: MoveRow | None) -> None:
        for key, reading in self._tables.extractions.items():
            number = reading.version - name.shift
            is_later = since is None or reading.extracted >= since.moved
            if reading.post == name.old and number >= 1 and is_later:
                self._tables.extractions[key] = replace(reading, post=name.new, version=number)

    def _rename_looks(self, name: Name) -> None:
        if check := self._tables.checks.pop(name.old, None):
            self._tables.checks[name.new] = structs.replace(check, post=name.new, blog=name.blog)
        for key, sighting in self._tables.sightings.items():
            if sighting.post == name.old and sighting.run >= name.run:
                self._tables.sightings[key] = replace(sighting, post=name.new, blog=name.blog)

    def _rename_moves(self, name: Name, after: int, edit: Edit) -> None:
        for key, move in self._tables.moves.items():
            if move.post == name.old and key > after:
                before = before_renaming(move.before, name, edit)
                self._tables.moves[key] = replace(move, post=name.new, blog=name.blog, before=before)


def _place(record: PostRecord) -> tuple[str, str]:
    return moment_key(record.published), record.id


def _is_chosen(record: PostRecord, query: PostQuery) -> bool:
    wanted = {Facet(facet.kind, folded(facet.name)) for facet in query.facets}
    is_of_blog = not query.blog or record.blog == query.blog
    is_in_time = _is_in_time(moment_key(record.published), query)
    return is_of_blog and is_in_time and wanted <= set(facets_of(record))


def _is_in_time(moment: str, query: PostQuery | CommentQuery) -> bool:
    is_before = not query.until or "" < moment < moment_key(query.until)
    return moment >= moment_key(query.since) and is_before


def post_row(record: PostRecord, digest: str, run: int, rules: int | None) -> PostRow:
    """The row of a post's newest version."""
    return PostRow(
        id=record.id,
        blog=record.blog,
        url=record.url,
        title=record.title,
        published=record.published,
        digest=digest,
        version=record.version,
        run=run,
        rules=rules,
        record=record,
    )


def post_lines(rows: Iterable[PostRow]) -> Iterator[str]:
    """Posts as JSON, blog by blog, newest first."""
    return (json_line(row.record) for row in sorted(newest_first(rows), key=lambda row: row.blog))


def _fresh_version(record: PostRecord, run: int, rules: int | None) -> KeptVersion:
    return KeptVersion(version_row(record, content_of(record).digest, run, rules, now()), record)


def _as_written(record: PostRecord) -> PostRecord:
    """A record as it is when it was written down and read again: half a character is none any more."""
    return read_post(json_line(record))
