"""A blog as a folder of pages that opens from disk: every file of it, one after the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from blogforever.protocols import Ref
from blogforever.records import BlogSummary, PageRecord, PostRecord, json_line
from blogforever.urls import page_key, url_key

from . import lists
from .entries import PAGES, ListedPost, Places, entry_of, web_language
from .feed import FeedEntry, FeedHead, atom_feed
from .frame import FEED, SEARCH_POLICY, SEARCH_SCRIPT, frame_of
from .language import language_for
from .postpage import Setting, post_page

# Characters of one part of the search words: the page loads one part at a time.
PART_LENGTH = 2_000_000
# Posts in the feed of a copy, as many as most blogs have in theirs or more.
IN_FEED = 50
Posts = Callable[[], Iterable[PostRecord]]


def _nothing(_url: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the archive can add to a post: its pictures, its captured page and how that looked, as
    paths in the copy.
    """

    picture: Callable[[str], str | None] = _nothing
    captured: Callable[[PostRecord, str], str | None] = lambda _post, _name: None
    place: Callable[[PostRecord], Ref | None] = lambda _post: None
    screenshot: Callable[[PostRecord], str | None] = lambda _post: None
    failures: Mapping[str, int] = field(default_factory=dict)
    pages: tuple[PageRecord, ...] = ()
    """The blog's own pages that are no posts."""


class Site:
    """The static copy of one blog; posts are read twice, and never held all at once."""

    def __init__(self, blog: BlogSummary, posts: Posts, holdings: Holdings, overview: str | None = None) -> None:
        self._blog, self._posts, self._holdings = blog, posts, holdings
        self.search_parts = 0
        """The files with the words of the posts, once all files were given."""
        places, language = Places(), web_language(blog.record.language)
        self.entries = [entry_of(post, places, language, _first_picture(post, holdings)) for post in posts()]
        self._own = {page.id: entry_of(page, places, language, folder=PAGES) for page in holdings.pages}
        self.language = language_for(language or _most_spoken(self.entries))
        """What the copy speaks around the posts: as the blog says, or most of its posts do."""
        self._frame = frame_of(blog, overview, self.language)
        listed = (*self._own.values(), *self.entries)
        self._pages = {url_key(url): entry.path for entry in listed for url in entry.addresses if url}
        self._numbers = {entry.id: number for number, entry in enumerate(self.entries)}
        self._labels = _by_label(self.entries)
        self._label_paths = {label: places.take("tags", [label], label) for label in self._labels}
        self._spelled = {label.casefold(): label for label in self._labels}

    def files(self) -> Iterator[tuple[str, str]]:
        """Path and text of every file but the pictures."""
        yield from self._lists()
        yield from self._post_pages()
        yield from self._own_pages()
        yield FEED, self._feed()
        yield from self._search()

    def _lists(self) -> Iterator[tuple[str, str]]:
        page, language = self._frame.page, self.language
        for path, title, inside in lists.home_pages(language, self._blog, self.entries):
            yield path, page(title, inside)
        years: dict[str, list[ListedPost]] = {}
        for entry in self.entries:
            years.setdefault(entry.year, []).append(entry)
        names = sorted(years, reverse=True)
        for year, entries in years.items():
            yield (
                f"{year}/index.html",
                page(lists.year_title(language, year), lists.year_page(language, year, entries, names), 1),
            )
        yield "years.html", page(language.phrase("years"), lists.years_page(language, self.entries))
        yield "tags.html", page(language.phrase("tags"), lists.tags_page(language, self._labels, self._label_paths))
        for label, entries in self._labels.items():
            yield self._label_paths[label], page(label, lists.tag_page(language, label, entries), 1)
        own, failures = [*self._own.values()], self._holdings.failures
        about = lists.about_page(language, self._blog, self.entries, failures, own)
        yield "about.html", page(language.phrase("about"), about)

    def _post_pages(self) -> Iterator[tuple[str, str]]:
        for post, entry in self._again():
            inside = post_page(post, entry, self._setting(post, entry))
            yield entry.path, self._frame.page(entry.title, inside, 1)

    def _own_pages(self) -> Iterator[tuple[str, str]]:
        """The blog's own pages stand beside the posts, and have no neighbours."""
        for record in self._holdings.pages:
            entry = replace(self._own[record.id], labels=())
            inside = post_page(record, entry, self._place_of(record, entry))
            yield entry.path, self._frame.page(entry.title, inside, 1)

    def _again(self) -> Iterator[tuple[PostRecord, ListedPost]]:
        """The posts a second time; one that a crawl has added meanwhile is left to the next copy."""
        for post in self._posts():
            number = self._numbers.get(post.id)
            if number is not None:
                yield post, self.entries[number]

    def _setting(self, post: PostRecord, entry: ListedPost) -> Setting:
        number = self._numbers[entry.id]
        newer = self.entries[number - 1] if number else None
        older = self.entries[number + 1] if number + 1 < len(self.entries) else None
        labels = {label: self._label_paths[self._spelled[label.casefold()]] for label in entry.labels}
        return replace(self._place_of(post, entry), label_path=labels, newer=newer, older=older)

    def _place_of(self, post: PostRecord, entry: ListedPost) -> Setting:
        """What every page of the copy needs to know, that of a post or another."""
        captured = self._holdings.captured(post, entry.path.removesuffix(".html").replace("/", "-"))
        return Setting(
            language=self.language,
            picture=lambda url: _up(self._holdings.picture(url)),
            page=self._page,
            label_path={},
            captured=_up(captured),
            place=self._holdings.place(post),
            screenshot=_up(self._holdings.screenshot(post)),
            blog=self._frame.title,
        )

    def _page(self, url: str) -> str | None:
        """A link of the text that leads to another post of this copy."""
        if url[:4].lower() != "http":
            return None
        # A place of a page is a post of its own where several share it.
        return _up(self._pages.get(url_key(url)) or self._pages.get(page_key(url)))

    def _feed(self) -> str:
        """The newest posts for feed readers; where the copy lies on a web server, its links lead into it."""
        newest = islice(self._again(), IN_FEED)
        entries = [FeedEntry(post, self._frame.title, entry.path) for post, entry in newest]
        told = self._blog.crawled or next((entry.post.published for entry in entries if entry.post.published), "")
        name = f"urn:blogforever:copy:{self._blog.id}"
        return atom_feed(FeedHead(name, self._frame.title, FEED, "index.html", told or ""), entries)

    def _search(self) -> Iterator[tuple[str, str]]:
        """The words of all posts in parts that a page loads one by one, so that no blog is too
        large for it.
        """
        parts, rows, size = 0, list[str](), 0
        for post, entry in self._again():
            rows.append(_search_row(post, entry))
            size += len(rows[-1])
            if size > PART_LENGTH:
                yield _part(parts, rows)
                parts, rows, size = parts + 1, [], 0
        if rows:
            yield _part(parts, rows)
            parts += 1
        self.search_parts = parts
        inside = lists.search_page(self.language, [lists.SearchWords("", parts, "")])
        yield "search.html", self._frame.page(self.language.phrase("search"), inside, 0, SEARCH_POLICY, SEARCH_SCRIPT)


def _first_picture(post: PostRecord, holdings: Holdings) -> str | None:
    """The first picture of a post that the archive has."""
    pictures = (media.url for media in post.media if media.role == "picture")
    return next((path for url in pictures if (path := holdings.picture(url))), None)


def _most_spoken(entries: Iterable[ListedPost]) -> str | None:
    """The language that most posts have, where any says."""
    spoken = Counter(entry.language for entry in entries if entry.language)
    return next((language for language, _number in spoken.most_common(1)), None)


def _by_label(entries: Iterable[ListedPost]) -> dict[str, list[ListedPost]]:
    labels: dict[str, list[ListedPost]] = {}
    spelled: dict[str, str] = {}
    for entry in entries:
        for label in entry.labels:
            labels.setdefault(spelled.setdefault(label.casefold(), label), []).append(entry)
    return labels


def _up(path: str | None) -> str | None:
    return f"../{path}" if path else None


def _search_row(post: PostRecord, entry: ListedPost) -> str:
    said = [comment.text for comment in post.comments]
    names = " · ".join([*entry.authors, *entry.labels])
    row = {"p": entry.path, "t": entry.title, "d": entry.published or "", "n": names}
    return json_line(row | {"x": " ".join(post.text.split()), "c": " ".join(" ".join(said).split())})


def _part(number: int, rows: list[str]) -> tuple[str, str]:
    return f"search/{number}.js", f"blogforeverPart({json.dumps(number)},[{','.join(rows)}]);\n"
