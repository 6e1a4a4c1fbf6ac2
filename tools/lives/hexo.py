"""Hexo: posts are Markdown files, and every change builds all pages anew."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from labblog import CACHE, LAB

from .platform import Told
from .staticsite import StaticSite

POSTS = 120
FIRST, LATER = ":year/:month/:day/:title/", "posts/:title/"
REFRESH = '<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}">'
REFRESH += (
    '<link rel="canonical" href="{0}"><title>Redirecting</title></head><body><a href="{0}">Moved</a></body></html>'
)
BUILD_LINE = (
    'hexo.extend.injector.register("body_end", "<p class=build>Build {} of {:%Y-%m-%d %H:%M:%S}, {:,} letters</p>");'
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to run such a blog."""

    themes: tuple[str, str] = ("landscape", "next")
    stamped: bool = False
    """Whether the sources come out of a fresh checkout at each build, so that all are of that moment."""
    sitemap: bool = True
    validators: bool = True
    honest: bool = True
    redirects: bool = False
    """Whether pages stay at the old addresses that lead to the new ones."""


KINDS = {
    "hexo": Kind(),
    "hexo-stamped": Kind(("next", "butterfly"), stamped=True, redirects=True),
    "hexo-bare": Kind(("fluid", "icarus"), stamped=True, sitemap=False, validators=False, honest=False),
}


@dataclass(slots=True)
class Hexo:
    """A blog of Hexo; posts are known by the names of their files."""

    data: Path
    port: int
    kind: Kind = field(default_factory=Kind)
    sources: Sequence[str] = ("atom.xml", "rss2.xml", "sitemap.xml", "robots.txt")
    has_comments: bool = False
    _settings: dict[str, str] = field(default_factory=dict)
    _old: dict[str, str] = field(default_factory=dict)
    _builds: int = 0
    _site: StaticSite | None = None

    @property
    def announces(self) -> bool:
        """A sitemap with the days on which files were changed."""
        return self.kind.sitemap and not self.kind.stamped

    @property
    def _folder(self) -> Path:
        return self.data / self.kind.themes[0]

    def start(self) -> str:
        """Seed it, build it, serve it."""
        self._seed()
        self._settings = {"theme": self.kind.themes[0], "permalink": FIRST, "content": "true", "enable": "true"}
        for file in self._files():
            moment = datetime.fromisoformat(_head(file, "date")).replace(tzinfo=UTC).timestamp()
            os.utime(file, (moment, moment))
        self._build()
        self._site = StaticSite(self._folder / "public", self.port, self.kind.validators, self.kind.honest)
        return self._site.start()

    def stop(self) -> None:
        """Serve it no longer."""
        if self._site:
            self._site.stop()

    def posts(self) -> dict[str, Told]:
        """Every file with the address its page has."""
        return {file.stem: Told(self._url(file), _head(file, "date")) for file in self._files()}

    def publish(self, title: str, paragraphs: Sequence[str]) -> str:
        """One more file."""
        slug = re.sub(r"\W+", "-", title.lower())
        head = (f"title: {json.dumps(title)}", f"date: {datetime.now(UTC):%Y-%m-%d %H:%M:%S}", "tags: [tea, ink]")
        lines = ("---", *head, "---", "\n\n".join(paragraphs), "")
        self._file(slug).write_text("\n".join(lines), encoding="utf-8")
        self._build()
        return slug

    def edit(self, key: str, sentence: str) -> None:
        """One more paragraph."""
        with self._file(key).open("a", encoding="utf-8") as file:
            file.write(f"\n{sentence}\n")
        self._build()

    def trash(self, key: str) -> None:
        """The file is deleted."""
        self._file(key).unlink()
        self._build()

    def comment(self, key: str, author: str, text: str) -> None:
        """Nobody can."""
        raise NotImplementedError

    def switch_theme(self) -> None:
        """To the second theme."""
        self._build(theme=self.kind.themes[1])

    def excerpts(self) -> None:
        """The feed says the first 140 letters of each post."""
        self._build(content="false")

    def permalinks(self) -> None:
        """Without the date; what leads on from the old addresses are pages at most."""
        self._old = {self._url(file): file.stem for file in self._files()} if self.kind.redirects else {}
        self._build(permalink=LATER)

    def requests(self) -> Sequence[str]:
        """What was asked for."""
        return self._site.asked if self._site else ()

    def further(self) -> Sequence[tuple[str, Callable[[], None]]]:
        """Builds that change nothing, and a blog that gives its feed up."""
        return (("build again", self._build), ("give up the feed", lambda: self._build(enable="false")))

    # ------------------------------------------------------------------ files

    def _seed(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(parents=True)
        installed = CACHE / "hexo_blog" / "npm"
        if installed.is_dir():
            (self.data / "npm").symlink_to(installed)
        call = [sys.executable, str(LAB / "hexo_blog.py")]
        start = [*call, "start", str(self.data), str(self.port), *self.kind.themes]
        for command in (start, [*call, "stop", str(self.data)]):
            subprocess.run(command, check=True, stdout=sys.stderr, env=os.environ | {"POSTS": str(POSTS)})  # noqa: S603

    def _files(self) -> list[Path]:
        return sorted((self._folder / "source/_posts").glob("*.md"))

    def _file(self, key: str) -> Path:
        return self._folder / "source/_posts" / f"{key}.md"

    def _url(self, file: Path) -> str:
        year, month, day = _head(file, "date")[:10].split("-")
        names = {":year": year, ":month": month, ":day": day, ":title": file.stem}
        path = re.sub(r":\w+", lambda found: names[found[0]], self._settings["permalink"])
        return f"http://127.0.0.1:{self.port}/{path}"

    def _build(self, **settings: str) -> None:
        """All pages anew; each build leaves its number on every page."""
        self._settings |= settings
        self._builds += 1
        self._configure()
        for file in self._files() if self.kind.stamped else ():
            file.touch()
        for command in ("clean", "generate"):
            call = ["node", "npm/node_modules/hexo-cli/bin/hexo", command, "--cwd", self._folder.name]
            subprocess.run(call, cwd=self.data, check=True, capture_output=True)  # noqa: S603  our own lab
        for old, key in self._old.items():
            page = self._folder / "public" / old.split("/", 3)[3] / "index.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(REFRESH.format(self._url(self._file(key))), encoding="utf-8")
        (self._folder / "public/404.html").write_text(_nothing_here(self._builds), encoding="utf-8")

    def _configure(self) -> None:
        config = self._folder / "_config.yml"
        text = config.read_text(encoding="utf-8")
        for name, value in self._settings.items():
            text = re.sub(rf"(?m)^( *){name}: .*$", rf"\g<1>{name}: {value}", text)
        if not self.kind.sitemap:
            text = re.sub(r"(?m)^sitemap:\n.*\n", "sitemap: false\n", text)
        config.write_text(text, encoding="utf-8")
        scripts = self._folder / "scripts"
        scripts.mkdir(exist_ok=True)
        letters = sum(file.stat().st_size for file in self._files())
        line = BUILD_LINE.format(self._builds, datetime.now(UTC), letters)
        (scripts / "build.js").write_text(line, encoding="utf-8")


def _head(file: Path, name: str) -> str:
    found = re.search(rf"(?m)^{name}: (.*)$", file.read_text(encoding="utf-8"))
    return found[1] if found else ""


def _nothing_here(build: int) -> str:
    words = "The page you are looking for was moved, renamed, or never written. Try the archive, or go home."
    return f"<!DOCTYPE html><title>Nothing here</title><h1>Nothing here</h1><p>{words}</p><p>Build {build}</p>"
