"""Erase what was suppressed out of all that the archive keeps: WARC files, index, database, search, rules, journal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from blogforever.care.decisions import Decision, Hidden, target_digest, without_name
from blogforever.care.erasure import Erasure, cleaned, erasure_of
from blogforever.care.veil import Veil
from blogforever.discover.pagefacts import looks_like_html
from blogforever.dom import decode
from blogforever.errors import ArchiveError
from blogforever.export.days import counted
from blogforever.media.requisites import css_files, page_files
from blogforever.protocols import Record
from blogforever.store.cdxj import update_index
from blogforever.store.erasing import Blank, Rewritten, Scanned, rewrite, scan
from blogforever.store.fixity import update_manifest
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.store.purging import Cleaning, forget_blog, purge, wipe

MOST_PRINTS = 20_000


@dataclass(slots=True)
class Verdicts:
    """Which records of a blog's WARC files go, and which are made unreadable in part."""

    drop: set[str] = field(default_factory=set)
    blank: dict[str, Blank] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.drop or self.blank)


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did."""

    dropped: int = 0
    blanked: int = 0
    posts: int = 0
    records: int = 0

    def counts(self) -> dict[str, int]:
        """For the journal."""
        return {"dropped": self.dropped, "blanked": self.blanked, "posts": self.posts, "records": self.records}

    def __str__(self) -> str:
        more = counted(self.blanked, "other record")
        return (
            f"{counted(self.posts, 'post')} and {counted(self.dropped, 'record')} of the WARC files are gone; in"
            f" {more} and {counted(self.records, 'other post')} words are unreadable now"
        )


def erase_target(archive: ArchiveFolder, hidden: Hidden) -> Erased:
    """Erase what a decision speaks of, in its blog or in all; afterwards nothing names it any more."""
    mine = target_digest(hidden.kind, hidden.target)
    total = Erased()
    for blog in _blogs(archive, hidden):
        erased, prints = _erase(archive, blog, Veil([hidden]), ())
        total = _sum(total, erased)
        kept = prints if len(prints) <= MOST_PRINTS else ()
        archive.journal.add(
            Decision(moment(), "erased", blog, hidden.kind, mine, hidden.reason, counts=erased.counts(), prints=kept)
        )

    def nameless(decision: Decision) -> Decision:
        same = decision.target and target_digest(decision.kind or "url", decision.target) == mine
        return without_name(decision) if same else decision

    archive.journal.rewrite(nameless)
    wipe(archive.engine)
    return total


def renew_erasures(folder: Path, blogs: Iterable[str]) -> None:
    """Erase again what a new crawl of these blogs has brought back."""
    with ArchiveFolder(folder, writing=False) as archive:
        if not archive.erased:
            return
    with ArchiveFolder(folder, writing=True) as archive:
        for blog in blogs:
            _renew(archive, blog)


def _renew(archive: ArchiveFolder, blog: str) -> None:
    erased = [one for one in archive.journal.state().hidden if one.erased and one.blog in (None, blog)]
    known = {target_digest(one.kind, one.target) for one in erased}
    lines = [one for one in archive.journal.decisions() if one.what == "erased" and one.blog == blog]
    prints = [mark for one in lines if one.target in known for mark in one.prints]
    done, _prints = _erase(archive, blog, Veil(erased), prints)
    if any(done.counts().values()):
        archive.journal.add(Decision(moment(), "erased", blog, reason="came back with a crawl", counts=done.counts()))
        wipe(archive.engine)


def forget(archive: ArchiveFolder, blog: str, reason: str) -> None:
    """Remove a blog with everything the archive has of it; the journal keeps that it was there, and why it went."""
    archive.journal.add(Decision(moment(), "forget", blog, reason=reason))
    shutil.rmtree(archive.folder / "warc" / blog, ignore_errors=True)
    for path in (archive.index_path(blog), archive.folder / "rules" / f"{blog}.json"):
        path.unlink(missing_ok=True)
    archive.journal.forget(blog)
    forget_blog(archive.engine, blog)
    archive.search.update()
    wipe(archive.engine)


def records_of(archive: ArchiveFolder, blog: str) -> Iterator[Record]:
    """Every post of a blog in every version."""
    for post in archive.library.posts(blog, everything=True):
        yield post
        for number in range(1, int(post.get("version") or 1)):
            if old := archive.history.version(post["id"], number):
                yield old


def judge(paths: Iterable[Path], erasure: Erasure) -> Verdicts:
    """Look through WARC files for what must go."""
    verdicts = Verdicts()
    loaded, kept, others = set[str](), set[str](), list[tuple[str, str, str]]()
    touched: set[str] = set()
    for one in scan(paths):
        url = _address(one.head.url)
        gone = erasure.gone(url)
        if gone:
            verdicts.drop.add(one.head.record_id)
        elif one.page is not None and _changes(one, erasure):
            verdicts.blank[one.head.record_id] = lambda text, url: erasure.blank(text, _address(url))
            touched.add(url)
        if erasure.posts:
            (loaded if gone else kept).update(_files(one))
        if one.page is None and not gone:
            others.append((url, one.head.record_id, one.head.kind))
    only = loaded - kept
    # A picture of a page that had to be changed shows what the page said.
    verdicts.drop.update(
        record for url, record, kind in others if url in only or (kind == "resource" and url in touched)
    )
    return verdicts


def hidden_of(archive: ArchiveFolder, blog: str) -> Erasure:
    """What must not be in a copy that others get: everything that is hidden of a blog."""
    if not archive.veil.mark(blog):
        return Erasure()
    return erasure_of(records_of(archive, blog), archive.veil, blog)


def shown_warcs(archive: ArchiveFolder, blog: str, place: Path) -> tuple[list[Path], Path]:
    """The WARC files of a blog and their index as others may have them: written again into a folder where need be."""
    erasure = hidden_of(archive, blog)
    verdicts = judge(archive.warcs(blog), erasure) if erasure else Verdicts()
    if not verdicts:
        return archive.warcs(blog), archive.index_path(blog)
    rewrite(archive.warcs(blog), place, verdicts.drop, verdicts.blank, str(place))
    files = sorted(place.glob("*.warc.gz"))
    update_index(place / "index.cdxj", files)
    return files, place / "index.cdxj"


def _blogs(archive: ArchiveFolder, hidden: Hidden) -> list[str]:
    if hidden.blog:
        return [hidden.blog]
    return [blog["id"] for blog in archive.library.blogs(everything=True)]


def _erase(archive: ArchiveFolder, blog: str, veil: Veil, prints: Iterable[str]) -> tuple[Erased, tuple[str, ...]]:
    archive.records.flush()
    erasure = erasure_of(records_of(archive, blog), veil, blog, prints)
    if not erasure:
        return Erased(), ()
    verdicts = judge(archive.warcs(blog), erasure)
    done = _rewrite(archive, blog, verdicts) if verdicts else Rewritten()
    changed = purge(
        archive.engine,
        blog,
        erasure.posts,
        done,
        Cleaning(lambda record: cleaned(record, erasure, veil), erasure.blank, erasure.gone),
    )
    _clean_files(archive, blog, erasure)
    archive.search.forget(changed)
    archive.search.update()
    return Erased(len(done.dropped), len(done.blanked), len(erasure.posts), len(changed)), erasure.passages.prints()


def _rewrite(archive: ArchiveFolder, blog: str, verdicts: Verdicts) -> Rewritten:
    folder = archive.folder / "warc" / blog
    part = archive.folder / "warc" / f"{blog}.part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        done = rewrite(archive.warcs(blog), part, verdicts.drop, verdicts.blank, f"warc/{blog}")
        for path in archive.warcs(blog):
            (part / path.name).replace(folder / path.name)
        update_manifest(folder, archive.warcs(blog), anew=True)
        archive.index_path(blog).unlink(missing_ok=True)
        update_index(archive.index_path(blog), archive.warcs(blog))
    except OSError as error:
        raise ArchiveError(f"The WARC files of {blog} cannot be written again: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return done


def _clean_files(archive: ArchiveFolder, blog: str, erasure: Erasure) -> None:
    """Rules and logs are texts, too."""
    for path in [archive.folder / "rules" / f"{blog}.json", *(archive.folder / "logs").glob("**/*")]:
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            fresh = erasure.blank(text)
            if fresh != text:
                path.write_text(fresh, encoding="utf-8")


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
    """The address of the page that a record is about; what we made of a page has a name of its own (urn:dom:…)."""
    return name[4:].partition(":")[2].replace("%23", "#") if name.startswith("urn:") else name


def _sum(one: Erased, other: Erased) -> Erased:
    pairs = zip(one.counts().values(), other.counts().values(), strict=True)
    return Erased(*(a + b for a, b in pairs))
