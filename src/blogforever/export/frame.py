"""What stands around every page of the static copy: head, content policy, bar with search, foot."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from blogforever.records import BlogRecord, BlogSummary

from .body import esc, host, web_link
from .feed import MEDIA_TYPE
from .language import CopyLanguage

# Pages that show archived mark-up run nothing at all; only the search page runs a script, and it
# shows plain text. A page opened from disk has no origin that 'self' could mean everywhere:
# therefore file: beside it.
POLICY = (
    "default-src 'none'; img-src 'self' file: data:; media-src 'self' file:; style-src 'self' file:;"
    " form-action 'self' file:; base-uri 'none'"
)
FEED = "feed.xml"
"""The file of a copy with its feed."""
SEARCH_SCRIPT = '<script src="static/search.js"></script>\n'
SEARCH_POLICY = f"{POLICY}; script-src 'self' file:"


@dataclass(frozen=True, slots=True)
class Frame:
    """The blog around a page: its name, its address, when it was crawled, where the overview lies,
    if any, and the language that all of that is told in.
    """

    title: str
    url: str | None
    crawled: str | None
    overview: str | None
    language: CopyLanguage

    def page(self, title: str, body: str, depth: int = 0, policy: str = POLICY, scripts: str = "") -> str:
        """A whole page; `depth` says how many folders below the blog's own it lies."""
        up = "../" * depth
        whole = title if title == self.title else f"{title} · {self.title}"
        return (
            f'<!doctype html>\n<html {self.language.marks}>\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{esc(policy)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
            f'<title>{esc(whole)}</title>\n<link rel="stylesheet" href="{up}static/style.css">\n'
            f'<link rel="alternate" type="{MEDIA_TYPE}" href="{up}{FEED}" title="{esc(self.title)}">\n</head>\n<body>\n'
            f"{self._bar(up)}\n<main>\n{body}\n</main>\n{self._foot(up)}\n{scripts}</body>\n</html>\n"
        )

    def _bar(self, up: str) -> str:
        word = self.language.html
        back = f'<a class="all" href="{up}{esc(self.overview)}">{word("all_blogs")}</a>' if self.overview else ""
        return (
            f'<header class="bar"><div>{back}<a class="name" href="{up}index.html" dir="auto">{esc(self.title)}</a>'
            f'<nav><a href="{up}years.html">{word("years")}</a><a href="{up}tags.html">{word("tags")}</a>'
            f'<a href="{up}about.html">{word("about")}</a></nav>'
            f'<form action="{up}search.html" role="search"><input type="search" name="q"'
            f' placeholder="{word("search")}" aria-label="{word("search_blog")}"></form></div></header>'
        )

    def _foot(self, up: str) -> str:
        word = self.language.html
        site = web_link(self.url, host(self.url)) if self.url else esc(self.title)
        day = esc(self.language.day(self.crawled, ""))
        copy = word("foot", site=site, day=day) if day else word("foot_undated", site=site)
        return (
            f'<footer class="foot"><p>{copy} {word("nothing_loaded")} '
            f'<a href="{up}about.html">{word("about_copy")}</a></p></footer>'
        )


def overview_page(language: CopyLanguage, title: str, body: str, policy: str = POLICY, scripts: str = "") -> str:
    """A page above several blogs: no bar, no blog around it."""
    return (
        f'<!doctype html>\n<html {language.marks}>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{esc(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{esc(title)}</title>\n'
        '<link rel="stylesheet" href="static/style.css">\n</head>\n<body>\n'
        f"<main>\n{body}\n</main>\n{scripts}</body>\n</html>\n"
    )


def frame_of(blog: BlogSummary, overview: str | None, language: CopyLanguage) -> Frame:
    """The frame of a blog's pages."""
    return Frame(blog_title(blog.record), blog.record.url or None, blog.crawled, overview, language)


def blog_title(blog: BlogRecord) -> str:
    """What the blog is called, or its host where it has no name."""
    return (blog.title or host(blog.url) or blog.id or "A blog").strip()


def static_files() -> dict[str, str]:
    """The style sheet and the script of the search page."""
    folder = files("blogforever.export") / "static"
    return {f"static/{name}": (folder / name).read_text(encoding="utf-8") for name in ("style.css", "search.js")}
