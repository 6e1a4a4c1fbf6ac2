"""Out of the archive: JSON Lines, a table, a static copy people can read, a WACZ for replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from blogforever import clock
from blogforever.dom import decode
from blogforever.errors import ArchiveError, UsageError
from blogforever.export import frame, lists
from blogforever.export.entries import plain_name
from blogforever.export.language import CopyLanguage, common_language
from blogforever.export.media import file_name
from blogforever.export.site import Holdings, Site
from blogforever.export.table import BOM, kept_blog_lines
from blogforever.headway import told_of
from blogforever.logs import logger
from blogforever.model import Page
from blogforever.protocols import Ref
from blogforever.records import AnyRecord, BlogRecord, BlogSummary, PostRecord, read_record
from blogforever.store.cdxj import IndexFile
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import inside

from .copylist import BEGUN, MARKER, files_begun, files_of
from .erasing import hidden_of
from .opening import open_archive
from .reading import choose_blog, shown_pages, shown_posts

NO_MEDIA = ("text/html", "application/xhtml+xml")
# What we made ourselves, a screenshot, has no status.
GOOD = ("200", "")
# What is longer is cut when it is read back; a link to it is better than half a film.
LARGEST = 60_000_000
log = logger("export")
# Called with the title of each blog and how many posts it has, before it is written.
BlogBegun = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What a static copy holds."""

    blogs: int = 0
    posts: int = 0
    media: int = 0

    def __add__(self, other: SiteReport) -> SiteReport:
        return SiteReport(self.blogs + other.blogs, self.posts + other.posts, self.media + other.media)


def export_jsonl(folder: Path, wanted: str | None = None) -> Iterator[str]:
    """Every record of the archive, or of one blog, as a JSON line: blogs, posts, pages, failures."""
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted).id if wanted else None
        for line in told_of(archive.exported(), "exporting", things="records"):
            if blog is None or _belongs(read_record(line), blog):
                yield line


def export_blogs(folder: Path, wanted: str | None = None, in_file: bool = True) -> Iterator[str]:
    """A table of the archive's blogs, or of one, line by line, as a file or as another program has it."""
    with open_archive(folder, writing=False) as archive:
        blogs = [choose_blog(archive, wanted)] if wanted else archive.library.blogs()
        if in_file:
            yield BOM
        yield from (f"{line}\n" for line in kept_blog_lines(blogs))


def export_site(
    folder: Path, dest: Path, wanted: str | None = None, begun: BlogBegun = lambda _title, _posts: None
) -> SiteReport:
    """A folder that opens from disk; one blog lies at its top, several in a folder each with an
    overview.
    """
    report = SiteReport()
    with open_archive(folder, writing=False) as archive:
        blogs = [choose_blog(archive, wanted)] if wanted else archive.library.blogs()
        if not blogs:
            raise UsageError(f"The archive {folder} holds no blog yet.")
        writer = _CopyWriter(dest)
        folders = _folders(blogs)
        words, spoken = [], []
        for blog in blogs:
            begun(frame.blog_title(blog.record), blog.kept)
            written, site = _write_blog(archive, blog, writer, folders[blog.id])
            report += written
            words.append(lists.SearchWords(f"{folders[blog.id]}/", site.search_parts, frame.blog_title(blog.record)))
            spoken.append(site.language)
        if len(blogs) > 1:
            _write_overview(writer, common_language(spoken), blogs, folders, words)
        writer.finish()
    return report


def _belongs(record: AnyRecord, blog: str) -> bool:
    return (record.id if isinstance(record, BlogRecord) else record.blog) == blog


def _folders(blogs: list[BlogSummary]) -> dict[str, str]:
    """The folder of each blog; a single one needs none."""
    if len(blogs) == 1:
        return {blogs[0].id: ""}
    names = [plain_name(blog.id) or "blog" for blog in blogs]
    return {
        blog.id: name if names.count(name) == 1 else f"{name}-{number}"
        for number, (blog, name) in enumerate(zip(blogs, names, strict=True))
    }


def _write_blog(archive: ArchiveFolder, blog: BlogSummary, writer: _CopyWriter, folder: str) -> tuple[SiteReport, Site]:
    """One blog of a copy, and what it has."""
    prefix = f"{folder}/" if folder else ""
    with ExitStack() as stack:
        index = archive.index(blog.id)
        if index:
            stack.callback(index.close)
        shelf = _Shelf(archive, blog, index, writer, prefix)
        failures = archive.store.runs.failures(blog.id)
        pages = tuple(shown_pages(archive, blog.id))
        holdings = Holdings(shelf.media, shelf.captured, shelf.place, shelf.screenshot, failures, pages)
        site = Site(blog, lambda: shown_posts(archive, blog.id), holdings, "../index.html" if folder else None)
        for path, text in [*frame.static_files().items()]:
            writer.write(prefix + path, text)
        for path, text in told_of(site.files(), f"writing {frame.blog_title(blog.record)}", things="pages"):
            writer.write(prefix + path, text)
    return SiteReport(1, len(site.entries), shelf.kept), site


def _write_overview(
    writer: _CopyWriter,
    language: CopyLanguage,
    blogs: list[BlogSummary],
    folders: Mapping[str, str],
    words: list[lists.SearchWords],
) -> None:
    """What stands above several blogs: the way to each, and a search over all of them."""
    home = frame.overview_page(language, language.phrase("blogs"), lists.overview(language, blogs, folders))
    writer.write("index.html", home)
    back = f'<p><a href="index.html">{language.html("all_blogs")}</a></p>'
    inside, title = lists.search_page(language, words, back), language.phrase("search")
    page = frame.overview_page(language, title, inside, frame.SEARCH_POLICY, frame.SEARCH_SCRIPT)
    writer.write("search.html", page)
    for path, text in frame.static_files().items():
        writer.write(path, text)


class _Shelf:
    """Brings pictures and captured pages of one blog from its WARC files into the copy."""

    def __init__(
        self, archive: ArchiveFolder, blog: BlogSummary, index: IndexFile | None, writer: _CopyWriter, prefix: str
    ) -> None:
        self._archive, self._blog, self._index = archive, blog.id, index
        self._writer, self._prefix, self._reader = writer, prefix, archive.reader()
        self._known: dict[str, str | None] = {}
        self._hidden = hidden_of(archive, blog.id)
        self.kept = 0

    def media(self, url: str) -> str | None:
        """The file of the copy with what this address answered."""
        if url not in self._known:
            self._known[url] = self._fetch(url)
        return self._known[url]

    def captured(self, post: PostRecord, name: str) -> str | None:
        """The source of the page a post was read from, as plain text that no browser runs."""
        ref = self.place(post)
        if ref is None:
            return None
        page = self._read(ref)
        if page is None:
            return None
        path = f"captured/{name}.txt"
        text = self._hidden.blank(decode(page.content, page.headers), post.url)
        self._writer.write(self._prefix + path, "\ufeff" + text)
        return path

    def place(self, post: PostRecord) -> Ref | None:
        """The response a post was read from: same address, same digest."""
        for source in post.sources:
            if self._index and source.role == "page" and source.digest:
                for line in self._index.find(source.url):
                    if line.digest == source.digest and line.status:
                        return Ref(f"warc/{self._blog}/{line.file}", line.offset)
        return None

    def screenshot(self, post: PostRecord) -> str | None:
        """The file of the copy that shows how the post's page looked."""
        name = post.screenshot
        return self._fetch(name) if name and not self._shows_hidden(post) else None

    def _shows_hidden(self, post: PostRecord) -> bool:
        """Whether something is hidden on the page; its picture cannot be made unreadable in part."""
        known = self._archive.store.versions.record(post.id, post.version) if self._hidden else None
        return bool(known and self._archive.veil.comments(known))

    def _fetch(self, url: str) -> str | None:
        lines = self._index.find(url) if self._index and url.lower().startswith(("http", "urn:")) else []
        known = [line for line in lines if line.status in GOOD and line.mime not in NO_MEDIA]
        good = [line for line in known if line.length < LARGEST]
        for line in reversed(good):
            page = self._read(Ref(f"warc/{self._blog}/{line.file}", line.offset))
            path = file_name(page.content) if page else None
            if page and path:
                self.kept += self._writer.write(self._prefix + path, page.content)
                return path
        return None

    def _read(self, ref: Ref) -> Page | None:
        """A response; one that is damaged is missing in the copy, and does not end it."""
        try:
            return self._reader.response(ref)[1]
        except ArchiveError as error:
            log.warning("%s", error)
            return None


class _CopyWriter:
    """Writes the files of a copy into a folder that is empty, or holds an earlier copy, whole or cut
    off, whose leftovers it removes.
    """

    def __init__(self, dest: Path) -> None:
        self._dest, self._files = dest, dict[str, None]()
        marker, self._begun = dest / MARKER, inside(dest, BEGUN)
        if dest.exists() and not dest.is_dir():
            raise UsageError(f"{dest} is a file; the copy needs a folder.")
        if dest.is_dir() and any(dest.iterdir()) and not (marker.is_file() or self._begun.is_file()):
            raise UsageError(f"The folder {dest} holds other things; give an empty or a new one.")
        self._earlier = dict.fromkeys([*files_of(marker), *files_begun(self._begun)])

    def write(self, path: str, content: str | bytes) -> bool:
        """Write one file, once; says whether it was new."""
        if path in self._files:
            return False
        self._files[path] = None
        data = content.encode("utf-8", "replace") if isinstance(content, str) else content
        target = inside(self._dest, path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with self._begun.open("a", encoding="utf-8") as begun:
                begun.write(f"{path}\n")
            target.write_bytes(data)
        except OSError as error:
            raise ArchiveError(f"{target} cannot be written: {error.strerror or error}.") from error
        return True

    def finish(self) -> None:
        """Remove what an earlier copy had and this one has not, and leave the list for the next."""
        for path in self._earlier:
            if path not in self._files:
                self._remove(path)
        made = clock.stamp()
        self.write(MARKER, json.dumps({"made": made, "files": list(self._files)}, indent=0))
        self._remove(BEGUN)

    def _remove(self, path: str) -> None:
        """Remove a file of an earlier copy; what its list names elsewhere is none of it, and is
        passed over.
        """
        try:
            inside(self._dest, path).unlink(missing_ok=True)
        except ArchiveError as error:
            log.warning("%s", error)
