"""Blogs whose posts are Markdown files and whose pages are all built anew for every change, by any generator."""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from .platform import Told
from .staticsite import StaticSite

POSTS = 120
REFRESH = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Redirecting</title>
<link rel="canonical" href="{0}">
<meta http-equiv="refresh" content="0; url={0}"></head><body><a href="{0}">It has moved</a></body></html>"""
NOTHING = """<!DOCTYPE html><title>Nothing here</title><h1>Nothing here</h1>
<p>The page you are looking for was moved, renamed, or never written. Try the archive, or go home.</p><p>Build {}</p>"""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to run such a blog."""

    themes: tuple[str, str]
    stamped: bool = False
    """Whether the sources come out of a fresh checkout at each build, so that all are of that moment."""
    sitemap: bool = True
    validators: bool = True
    honest: bool = True
    """Whether what is not there answers 404; otherwise the site's 404.html comes with 200."""
    redirects: bool = False
    """Whether pages stay at the old addresses that lead to the new ones."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the blog is set up at the moment."""

    theme: str
    feed: bool = True
    excerpts: bool = False
    moved: bool = False


@dataclass(slots=True)
class FileBlog(ABC):
    """A blog made of files; posts are known by the names of theirs."""

    data: Path
    port: int
    kind: Kind
    has_comments: bool = False
    announces_comments: bool = False
    builds: int = 0
    _settings: Settings = field(default_factory=lambda: Settings(""))
    _old: dict[str, Path] = field(default_factory=dict)
    _stale: bool = False
    """Whether files changed since the last build."""
    _site: StaticSite | None = None

    # ------------------------------------------------------------------ what a generator is

    @property
    @abstractmethod
    def sources(self) -> Sequence[str]:
        """What only the addresses of its feeds and sitemaps contain."""

    @property
    @abstractmethod
    def folder(self) -> Path:
        """Where the posts lie."""

    @property
    @abstractmethod
    def output(self) -> Path:
        """Where the pages are built."""

    @property
    def announces(self) -> bool:
        """A sitemap with the moments at which files were changed."""
        return self.kind.sitemap and not self.kind.stamped

    @abstractmethod
    def seed(self) -> None:
        """Write the first posts."""

    @abstractmethod
    def path(self, file: Path, moved: bool) -> str:
        """The path of the page that a file makes, without the first slash."""

    @abstractmethod
    def generate(self, settings: Settings) -> None:
        """Build all pages; each build leaves its number on every page."""

    def name(self, slug: str, moment: datetime) -> str:
        """The name of the file of a new post."""
        return f"{slug}.md"

    # ------------------------------------------------------------------ what an author does

    def start(self) -> str:
        """Seed it, build it, serve it."""
        self.seed()
        for file in self._files():
            moment = datetime.fromisoformat(head(file, "date")).replace(tzinfo=UTC).timestamp()
            os.utime(file, (moment, moment))
        self._settings = Settings(self.kind.themes[0])
        self._build()
        self._site = StaticSite(self.output, self.port, self.kind.validators, self.kind.honest)
        return self._site.start()

    def stop(self) -> None:
        """Serve it no longer."""
        if self._site:
            self._site.stop()

    def posts(self) -> dict[str, Told]:
        """Every file with the address its page has; what was changed is built now."""
        if self._stale:
            self._build()
        return {file.stem: Told(self.url(file), head(file, "date")) for file in self._files()}

    def publish(self, title: str, paragraphs: Sequence[str]) -> str:
        """One more file."""
        moment = datetime.now(UTC)
        file = self.folder / self.name(re.sub(r"\W+", "-", title.lower()), moment)
        write_post(file, title, moment, paragraphs)
        self._stale = True
        return file.stem

    def edit(self, key: str, sentence: str) -> None:
        """One more paragraph."""
        with self._file(key).open("a", encoding="utf-8") as file:
            file.write(f"\n{sentence}\n")
        self._stale = True

    def take_back(self, key: str, sentence: str) -> None:
        """Without that paragraph."""
        file = self._file(key)
        file.write_text(file.read_text(encoding="utf-8").replace(f"\n{sentence}\n", ""), encoding="utf-8")
        self._stale = True

    def rewrite_facts(self, key: str, tags: Sequence[str] = (), day: str = "") -> None:
        """Other lines at the head of the file."""
        file = self._file(key)
        text = file.read_text(encoding="utf-8")
        if tags:
            text = re.sub(r"(?m)^tags:.*(?:\n *- .*)*", f"tags: [{', '.join(tags)}]", text, count=1)
        if day:
            text = re.sub(r"(?m)^(date: )\S+", rf"\g<1>{day}", text, count=1)
        file.write_text(text, encoding="utf-8")
        self._stale = True

    def trash(self, key: str) -> None:
        """The file is deleted."""
        self._file(key).unlink()
        self._stale = True

    def comment(self, key: str, author: str, text: str) -> None:
        """Nobody can."""
        raise NotImplementedError

    def hide_comment(self, key: str, author: str, *, for_good: bool) -> None:
        """There is none."""
        raise NotImplementedError

    def switch_theme(self) -> None:
        """To the second theme."""
        self._change(theme=self.kind.themes[1])

    def excerpts(self) -> None:
        """The feed says how posts begin."""
        self._change(excerpts=True)

    def permalinks(self) -> None:
        """Without the date; what leads on from the old addresses are pages at most."""
        self._old = {self.path(file, moved=False): file for file in self._files()} if self.kind.redirects else {}
        self._change(moved=True)

    def requests(self) -> Sequence[str]:
        """What was asked for."""
        return list(self._site.asked) if self._site else ()

    def further(self) -> Sequence[tuple[str, Callable[[], None]]]:
        """A build that changes nothing, and a blog that gives its feed up."""
        return (("build again", self._change), ("give up the feed", lambda: self._change(feed=False)))

    # ------------------------------------------------------------------ files

    def url(self, file: Path) -> str:
        """Where the page of a file is."""
        return f"http://127.0.0.1:{self.port}/{self.path(file, self._settings.moved)}"

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.md"))

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.md"

    def _change(self, **settings: object) -> None:
        self._settings = replace(self._settings, **settings)  # type: ignore[arg-type]  # names of its fields
        self._stale = True

    def _build(self) -> None:
        self.builds, self._stale = self.builds + 1, False
        for file in self._files() if self.kind.stamped else ():
            file.touch()
        self.generate(self._settings)
        for old, file in self._old.items():
            page = self.output / old / "index.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(REFRESH.format(self.url(file)), encoding="utf-8")
        (self.output / "404.html").write_text(NOTHING.format(self.builds), encoding="utf-8")

    def build_line(self) -> str:
        """What changes on every page with every build."""
        files = self._files()
        letters = sum(file.stat().st_size for file in files)
        return f"Build {self.builds} of {datetime.now(UTC):%Y-%m-%d %H:%M:%S}: {len(files)} posts, {letters:,} letters"


def head(file: Path, name: str) -> str:
    """What a file says at its head."""
    found = re.search(rf"(?m)^{name}: (.*)$", file.read_text(encoding="utf-8"))
    return found[1] if found else ""


def write_post(
    file: Path, title: str, moment: datetime, paragraphs: Sequence[str], tags: Sequence[str] = ("tea", "ink")
) -> None:
    """A post as a Markdown file."""
    lines = ("---", f"title: {json.dumps(title, ensure_ascii=False)}", f"date: {moment:%Y-%m-%d %H:%M:%S}")
    file.write_text(
        "\n".join((*lines, f"tags: [{', '.join(tags)}]", "---", "\n\n".join(paragraphs), "")), encoding="utf-8"
    )
