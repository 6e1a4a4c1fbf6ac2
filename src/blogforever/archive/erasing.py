"""Erase what was suppressed out of all that the archive keeps: WARC files, index, database, search, rules, journal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from msgspec.structs import replace as copied

from blogforever.care.decisions import Decision, Hidden, target_digest, without_name
from blogforever.care.erasure import Erasure, cleaned, erasure_of
from blogforever.care.veil import Veil
from blogforever.discover.pagefacts import looks_like_html
from blogforever.dom import decode
from blogforever.errors import ArchiveError
from blogforever.extract.text import html_to_text
from blogforever.media.requisites import css_files, page_files
from blogforever.records import PostRecord
from blogforever.storage.values import Cleaning, Rewritten
from blogforever.store.cdxj import update_index
from blogforever.store.erasing import Blank, Scanned, rewrite, scan
from blogforever.store.fixity import update_manifest
from blogforever.store.folder import ArchiveFolder
from blogforever.store.handovers import HandoverFiles
from blogforever.store.journal import moment
from blogforever.store.unfinished import Plan
from blogforever.store.wayback import original

from .others import Others, clean_others
from .outboxfiles import renew_waiting
from .refollowing import forget_followed


@dataclass(slots=True)
class Verdicts:
    """Which records of a blog's WARC files go, and which are made unreadable in part."""

    drop: set[str] = field(default_factory=set)
    blank: dict[str, Blank] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.drop or self.blank)


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did; `unread` are the documents it could not search, `files` the other files
    it took words from or removed, `short` the titles and names that anybody may write.
    """

    dropped: int = 0
    blanked: int = 0
    posts: int = 0
    records: int = 0
    files: int = 0
    unread: tuple[str, ...] = ()
    short: int = 0

    def __add__(self, other: Erased) -> Erased:
        mine, more = self.counts().values(), other.counts().values()
        dropped, blanked, posts, records, files = (a + b for a, b in zip(mine, more, strict=True))
        unread = (*self.unread, *other.unread)
        return Erased(dropped, blanked, posts, records, files, unread, self.short + other.short)

    def counts(self) -> dict[str, int]:
        """For the journal."""
        names = ("dropped", "blanked", "posts", "records", "files")
        return {name: getattr(self, name) for name in names}

    @property
    def anything(self) -> bool:
        """Whether anything was there to be erased."""
        return any(self.counts().values())


@dataclass(frozen=True, slots=True)
class FinishedErasure:
    """What was erased to the end that an earlier command had begun: a blog, what a crawl brought
    back, or the rest.
    """

    what: Literal["forgotten", "renewed", "erased"]
    blog: str | None
    erased: Erased = field(default_factory=Erased)


@dataclass(frozen=True, slots=True)
class Itself:
    """What goes because somebody named it, whether a post has it or not."""

    names: tuple[str, ...] = ()
    """Addresses."""
    words: tuple[str, ...] = ()
    """Words in a row."""

    @classmethod
    def of(cls, hidden: Hidden) -> Itself:
        """What a decision names so."""
        named = (hidden.target,)
        return cls(named if hidden.kind == "url" else (), named if hidden.kind == "words" else ())


NOTHING = Itself()


def erase_target(archive: ArchiveFolder, hidden: Hidden) -> Erased:
    """Erase what a decision speaks of, in its blog or in all; afterwards nothing names it any more.

    Until then the decision in the journal names it, and says to the next command that this is not
    finished. What must go is told by the posts in the database, so that they are the last to go.
    """
    mine = target_digest(hidden.kind, hidden.target)
    line = Decision("", "erased", None, hidden.kind, mine, hidden.reason)
    total = Erased()
    for blog in blogs_meant(archive, hidden):
        total += _erase(archive, blog, Veil([hidden]), line, itself=Itself.of(hidden))
    archive.store.wipe()

    def nameless(decision: Decision) -> Decision:
        named = [name for name in (decision.target, decision.other) if name]
        same = any(target_digest(decision.kind or "url", name) == mine for name in named)
        return without_name(decision) if same else decision

    archive.journal.rewrite(nameless)
    for blog in blogs_meant(archive, hidden):
        archive.send(blog)
    return total


def renew_erasures(archive: ArchiveFolder, blog: str) -> Erased:
    """Erase again what a new crawl of a blog has brought back."""
    erased = [one for one in archive.journal.state().hidden if one.erased and one.blog in (None, blog)]
    known = {target_digest(one.kind, one.target) for one in erased}
    lines = [one for one in archive.journal.decisions() if one.what == "erased" and one.blog == blog]
    prints = [mark for one in lines if one.target in known for mark in one.prints]
    line = Decision("", "erased", reason="came back with a crawl")
    done = _erase(archive, blog, Veil(erased), line, prints)
    if done.anything:
        archive.store.wipe()
    return done


def forget(archive: ArchiveFolder, blog: str, reason: str, at: str = "") -> None:
    """Remove a blog with everything the archive has of it; the journal keeps that it was there, and
    why it went.

    `at` is when this was begun, where it was cut off.
    """
    at = at or moment()
    archive.unfinished.begin(Plan(blog, "forget", at, reason))
    if archive.journal.state().forgotten.get(blog) != at:
        archive.journal.add(Decision(at, "forget", blog, reason=reason))
    archive.forget_files(blog)
    try:
        _remove_files(archive, blog)
    except OSError as error:
        raise ArchiveError(f"Not all files of {blog} can be removed: {error.strerror or error}.") from error
    archive.journal.forget(blog)
    forget_followed(archive, blog)
    archive.store.forget(blog)
    renew_waiting(archive, blog)
    archive.search.update()
    archive.store.wipe()
    archive.unfinished.done(blog)


def _remove_files(archive: ArchiveFolder, blog: str) -> None:
    folder = archive.warc_folder(blog)
    if folder.is_dir():
        shutil.rmtree(folder)
    archive.drop_rules(blog)
    for path in (archive.index_path(blog), archive.rules_path(blog)):
        for file in (path, path.with_name(f"{path.name}.part"), path.with_suffix(".part")):
            file.unlink(missing_ok=True)
    HandoverFiles(archive.folder).drop_waiting(blog)


def records_of(archive: ArchiveFolder, blog: str) -> Iterator[PostRecord]:
    """Every post of a blog in every version, and every page of its own."""
    yield from archive.store.pages.of_blog(blog)
    for post in archive.library.posts(blog, everything=True):
        yield post
        for number in range(1, post.version):
            if old := archive.store.versions.record(post.id, number):
                yield old


def judge(paths: Iterable[Path], erasure: Erasure) -> Verdicts:
    """Look through WARC files for what must go."""
    court = _Court(erasure)
    for scanned in scan(paths):
        court.hear(scanned)
    return court.verdicts_with_files()


class _Court:
    """Hears every record, then decides on the files that only what must go has loaded or shows."""

    def __init__(self, erasure: Erasure) -> None:
        self._erasure, self._verdicts = erasure, Verdicts()
        self._loaded_by_gone: set[str] = set()
        self._loaded_by_kept: set[str] = set()
        self._changed: set[str] = set()
        self._files: list[tuple[str, Scanned]] = []

    def hear(self, scanned: Scanned) -> None:
        """Decide on one record by its address and its words."""
        url = _address(scanned.head.url)
        gone = self._erasure.gone(url)
        if gone:
            self._verdicts.drop.add(scanned.head.record_id)
        else:
            self._read(scanned, url)
        if self._erasure.posts:
            loaded = self._loaded_by_gone if gone else self._loaded_by_kept
            loaded.update(_files(scanned))
        has_no_words = scanned.page is None or scanned.head.kind == "revisit"
        if has_no_words and not gone:
            self._files.append((url, scanned))

    def _read(self, scanned: Scanned, url: str) -> None:
        """Decide on a record that may stay, by what it says."""
        erasure, record = self._erasure, scanned.head.record_id
        if scanned.page is not None and _changes(scanned, erasure):
            self._verdicts.blank[record] = lambda text, url: erasure.blank(text, _address(url))
            self._changed.add(url)
        elif any(erasure.blank(text) != text for text in scanned.words):
            # A document cannot be changed in part.
            self._verdicts.drop.add(record)
        elif scanned.unread and scanned.head.kind == "response":
            self._verdicts.unread.append(url)

    def verdicts_with_files(self) -> Verdicts:
        """All verdicts, when every record was heard."""
        only_gone_load_it = self._loaded_by_gone - self._loaded_by_kept
        for url, scanned in self._files:
            # A picture of a page that had to be changed shows what the page said.
            shows_changed_page = scanned.head.kind == "resource" and url in self._changed
            if url in only_gone_load_it or shows_changed_page:
                self._verdicts.drop.add(scanned.head.record_id)
        return self._verdicts


def hidden_of(archive: ArchiveFolder, blog: str) -> Erasure:
    """What must not be in a copy that others get: everything that is hidden of a blog."""
    if not archive.veil.mark(blog):
        return Erasure()
    return erasure_of(records_of(archive, blog), archive.veil, blog)


def shown_warcs(archive: ArchiveFolder, blog: str, place: Path) -> tuple[list[Path], Path]:
    """The WARC files of a blog and their index as others may have them: written again into a folder
    where need be.
    """
    erasure = hidden_of(archive, blog)
    verdicts = judge(archive.warcs(blog), erasure) if erasure else Verdicts()
    if not verdicts:
        return archive.warcs(blog), archive.current_index(blog) or archive.index_path(blog)
    rewrite(archive.warcs(blog), place, verdicts.drop, verdicts.blank, str(place))
    files = sorted(place.glob("*.warc.gz"))
    update_index(place / "index.cdxj", files)
    return files, place / "index.cdxj"


def blogs_meant(archive: ArchiveFolder, hidden: Hidden) -> list[str]:
    """The blogs in which something is looked for."""
    if hidden.blog:
        return [hidden.blog]
    return [blog.id for blog in archive.library.blogs(everything=True)]


def _erase(
    archive: ArchiveFolder,
    blog: str,
    veil: Veil,
    line: Decision,
    prints: Iterable[str] = (),
    itself: Itself = NOTHING,
) -> Erased:
    """Erase in one blog; the journal gets the line when the database has been cleaned, or neither
    happens.
    """
    archive.store.flush()
    erasure = erasure_of(records_of(archive, blog), veil, blog, prints, itself.names, itself.words)
    if not erasure:
        _end(archive, blog)
        return Erased()
    verdicts = judge(archive.warcs(blog), erasure)
    done = _rewrite(archive, blog, verdicts)
    others = _clean_files(archive, erasure)
    found: list[Erased] = []

    def told(records: int) -> None:
        # What the archive only points to is not its own to change.
        outside = [name for files in archive.store.captures.outside(blog).values() for name in files]
        unread = (*verdicts.unread, *others.unread, *outside)
        files = len(others.changed) + len(others.removed)
        counts = (len(done.dropped), len(done.blanked), len(erasure.posts), records, files)
        erased = Erased(*counts, unread, erasure.short)
        found.append(erased)
        # What came back with a crawl is known by its marks already.
        marks = erasure.marks() if line.target else ()
        if erased.anything:
            archive.journal.add(replace(line, at=moment(), blog=blog, counts=erased.counts(), prints=marks))

    cleaning = Cleaning(lambda record: cleaned_record(record, erasure, veil), erasure.blank, erasure.gone, told)
    archive.store.erase(blog, erasure.posts, done, cleaning)
    _end(archive, blog)
    archive.search.update()
    return found[0]


def _end(archive: ArchiveFolder, blog: str) -> None:
    """The records are clean, perhaps since an earlier attempt: so must be what was made of them for others."""
    renew_waiting(archive, blog)
    archive.unfinished.done(blog)


def cleaned_record(record: PostRecord, erasure: Erasure, veil: Veil) -> PostRecord:
    """A record without what must go; what goes from the text of a link goes from the plain text as well."""
    fresh = cleaned(record, erasure, veil)
    if fresh.html == record.html:
        return fresh
    lines = (html_to_text(html).split("\n") for html in (record.html, fresh.html))
    written = dict(zip(*lines, strict=False))
    text = "\n".join(written.get(line, line) for line in record.text.split("\n"))
    return copied(fresh, text=erasure.blank(text, record.url, *(source.url for source in record.sources)))


def _rewrite(archive: ArchiveFolder, blog: str, verdicts: Verdicts) -> Rewritten:
    """Write the WARC files again and put them in place, one by one; a plan says what an earlier
    attempt began.
    """
    begun = archive.unfinished.plan(blog)
    drop = verdicts.drop | set(begun.drop if begun else ())
    blank = set(verdicts.blank) | set(begun.blank if begun else ())
    if not drop and not blank:
        return Rewritten()
    what = begun.what if begun else "erase"
    archive.unfinished.begin(Plan(blog, what, moment(), drop=tuple(sorted(drop)), blank=tuple(sorted(blank))))
    folder = archive.warc_folder(blog)
    part = folder / "part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        done = rewrite(archive.warcs(blog), part, drop, verdicts.blank, f"warc/{blog}")
        for path in archive.warcs(blog):
            (part / path.name).replace(path)
        update_manifest(folder, archive.warcs(blog), anew=True)
        archive.index_path(blog).unlink(missing_ok=True)
        update_index(archive.index_path(blog), archive.warcs(blog))
        # What is erased here must be erased there, before anybody is told that it is.
        archive.send(blog, insist=True)
    except OSError as error:
        raise ArchiveError(f"The WARC files of {blog} cannot be written again: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    done.blanked |= blank
    return done


def _clean_files(archive: ArchiveFolder, erasure: Erasure) -> Others:
    """Rules, logs and remarks are texts, too, and so are exports that lie in the folder."""

    def clean(decision: Decision) -> Decision:
        return replace(decision, text=erasure.blank(decision.text), reason=erasure.blank(decision.reason))

    try:
        archive.journal.rewrite(clean)
        others = clean_others(archive, erasure)
        archive.hand_on_rules()
        return others
    except OSError as error:
        raise ArchiveError(f"{archive.folder} cannot be cleaned: {error.strerror or error}.") from error


def _changes(one: Scanned, erasure: Erasure) -> bool:
    assert one.page is not None
    text = decode(one.page.content, one.page.headers)
    url = _address(one.head.url)
    return any(erasure.blank(value, url) != value for value in (text, *one.page.headers.values()))


def _files(one: Scanned) -> set[str]:
    """What a page or a style sheet loads."""
    page = one.page
    if page is None or one.head.kind not in ("response", "resource"):
        return set()
    if one.head.mime == "text/css":
        return {needed.url for needed in css_files(page.content, page.url)}
    return {needed.url for needed in page_files(page)} if looks_like_html(page) else set()


def _address(name: str) -> str:
    """The address of the page that a record is about: what we made of it, and copies in web
    archives, have others.
    """
    if name.startswith("urn:"):
        return name[4:].partition(":")[2].replace("%23", "#")
    earlier = original(name)
    return earlier[0] if earlier else name
