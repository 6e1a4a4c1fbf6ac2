"""A post for people to read: its text made safe, with archived pictures and a thread; and what became of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from blogforever.export.body import ENGLISH, AbsentWords, Finder, safe_body, safe_text
from blogforever.export.frame import blog_title
from blogforever.export.markdown import as_markdown
from blogforever.export.postpage import NOT_SHOWN
from blogforever.export.thread import threaded
from blogforever.records import CommentRecord, PostRecord, SourceRecord
from blogforever.storage.values import CheckRow, ExtractionRow, MoveRow, SightingRow, VersionRow
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import page_key, url_key

from .replaying import Replay, ReplayPlace, moment_of

__all__ = ["AbsentWords", "PostHistory", "ReadComment", "ReadPost", "ReadingPlace"]

# Links of one text that are looked up among the archived posts.
MOST_LINKS = 2000
# What `export.body` puts before the marks inside a text, so that they are none of ours.
MARK = "#post-"


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """Where a text is shown: the origin of archived files, the path of a post by its id, words for
    what is missing.
    """

    origin: str
    post_path: str = "/posts/{post}"
    absent: AbsentWords = ENGLISH


@dataclass(frozen=True, slots=True)
class ReadComment:
    """A comment, how deep it stands in its thread, and its safe mark-up."""

    depth: int
    comment: CommentRecord
    body: str


@dataclass(frozen=True, slots=True)
class ReadPost:
    """A post as somebody reads it."""

    record: PostRecord
    blog: str
    """The title of its blog."""
    body: str
    comments: tuple[ReadComment, ...] = ()
    given: tuple[str, ...] = ()
    """Tags that rules gave it."""
    archived: str = ""
    """Where the replay origin shows its page; empty where the archive has none."""
    followed: str = ""
    """The followed blog that it belongs to, where there is one."""


@dataclass(frozen=True, slots=True)
class PostHistory:
    """What became of a post: its versions, how it stands and why, where it moved, when it came to
    read otherwise.
    """

    versions: tuple[VersionRow, ...] = ()
    check: CheckRow | None = None
    sightings: tuple[SightingRow, ...] = ()
    moves: tuple[MoveRow, ...] = ()
    readings: tuple[ExtractionRow, ...] = ()


def read_post(archive: ArchiveFolder, replay: Replay, record: PostRecord, around: ReadingPlace) -> ReadPost:
    """A post that may be shown, made ready to be read."""
    links = _PostLinks(archive, replay, record, around)
    shown = [comment for comment in record.comments if comment.status not in NOT_SHOWN]
    followed = archive.store.followed.in_archive(record.blog)
    return ReadPost(
        record=record,
        blog=title_of(archive, record.blog),
        body=links.safe(record.html, record.text),
        comments=tuple(ReadComment(depth, one, links.safe(one.html, one.text)) for depth, one in threaded(shown)),
        given=archive.search.given_tags([record.id]).get(record.id, ()),
        archived=archived_page(replay, record, around.origin),
        followed=followed[0].id if followed else "",
    )


def history_of(archive: ArchiveFolder, post: str) -> PostHistory:
    """What became of a post."""
    store = archive.store
    return PostHistory(
        versions=tuple(store.versions.of(post)),
        check=store.checks.find(post),
        sightings=tuple(store.checks.sightings_of(post)),
        moves=tuple(store.moves.of_post(post)),
        readings=tuple(store.versions.extractions(post)),
    )


def markdown_of(record: PostRecord) -> str:
    """A post as Markdown, with its facts at the head."""
    facts = {
        "title": record.title,
        "author": ", ".join(author.name for author in record.authors),
        "date": record.published,
        "url": record.url,
        "tags": ", ".join((*record.tags, *record.categories)),
        "language": record.language,
    }
    head = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items() if value]
    body = as_markdown(record.html) or record.text
    return "\n".join(["---", *head, "---", "", f"# {' '.join((record.title or record.url).split())}", "", body])


def archived_page(replay: Replay, record: PostRecord, origin: str) -> str:
    """Where the replay origin shows the page that a post was read from; empty where the archive has
    none.
    """
    source = next((one for one in record.sources if one.role in ("page", "rendered")), None)
    if source is None:
        return ""
    return origin + replay.path(ReplayPlace("page", record.blog, moment_of(source.captured), _named(source)))


def scripted_page(replay: Replay, record: PostRecord, origin: str) -> str:
    """Where the replay origin shows that page with its scripts, where ReplayWeb.page is there."""
    captured = record.capture.captured if record.capture else None
    return origin + replay.path(ReplayPlace("scripted", record.blog, moment_of(captured), record.url))


def title_of(archive: ArchiveFolder, blog: str) -> str:
    """What a blog is called."""
    record = archive.store.blogs.find(blog)
    return blog_title(record) if record else blog


def titles_of(archive: ArchiveFolder, blogs: Mapping[str, object] | set[str]) -> dict[str, str]:
    """What each of these blogs is called."""
    known = archive.store.blogs.some(blogs)
    return {blog: blog_title(known[blog]) if blog in known else blog for blog in blogs}


def _named(source: SourceRecord) -> str:
    return source.record_id or source.url


class _PostLinks:
    """Where the pictures and links of one post lead: into the archive, wherever it has them."""

    def __init__(self, archive: ArchiveFolder, replay: Replay, record: PostRecord, around: ReadingPlace) -> None:
        self._replay, self._record, self._around = replay, record, around
        self._moment = moment_of(record.capture.captured if record.capture else None)
        self._own = {url_key(url) for url in record.addresses}
        wanted = [link.url for link in record.links[:MOST_LINKS]]
        self._posts = {url_key(url): post for url, post in archive.store.posts.ids_at(wanted).items()}

    def safe(self, html: str, text: str) -> str:
        """Mark-up that loads only archived files, and runs nothing."""
        picture: Finder = self._picture
        body = safe_body(html, picture, self._page, self._is_own, self._around.absent) if html else ""
        return body or safe_text(text)

    def _picture(self, url: str) -> str | None:
        path = self._replay.file(self._record.blog, self._moment, url)
        return self._around.origin + path if path else None

    def _is_own(self, source: str) -> bool:
        return source.startswith(f"{self._around.origin}/")

    def _page(self, url: str) -> str | None:
        """A link to a mark in the same text, or to another archived post."""
        address, _, mark = url.partition("#")
        if not address or url_key(address) in self._own or page_key(address) in self._own:
            return f"{MARK}{mark}" if mark else None
        post = self._posts.get(url_key(url)) or self._posts.get(url_key(address))
        return self._around.post_path.format(post=post) if post else None
