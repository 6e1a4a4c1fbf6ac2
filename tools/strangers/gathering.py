"""Looks at all sites of which the kind is known: built by programs, drawn, or kept by others."""

from __future__ import annotations

import json
import mimetypes
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from blogforever.analyse.features import answers_of
from blogforever.analyse.looking import Asked, look
from blogforever.analyse.rules import LIKE_BLOGS
from blogforever.model import Page

from .drawn import DRAWN
from .examples import Example
from .generators import PROGRAMS, Build, NotHereError
from .others import OTHERS, BuildOther, OtherSite
from .real import real_sites
from .themes import THEMES

HOME = "http://site.example"
# Pages of each site that are looked at, beside its front page.
PAGES = 6
FEED_NAMES = (".xml", ".rss", ".atom", ".json", "/feed", "/rss")
SEED = 16
Fetch = Callable[[str], Asked]


@dataclass(frozen=True, slots=True)
class Files:
    """A folder as a host serves it."""

    root: Path
    feeds: bool = True

    def fetch(self, url: str) -> Asked:
        """What an address answers."""
        path = unquote(urlsplit(url).path)
        file = self.root / path.lstrip("/")
        file = file / "index.html" if file.is_dir() else file
        is_feed = path.endswith(FEED_NAMES)
        is_there = file.is_file() and (self.feeds or not is_feed)
        if not is_there or not url.startswith(HOME):
            return 404, None
        kind = mimetypes.guess_type(file.name)[0] or "text/html"
        return 200, Page(url, file.read_bytes(), {"content-type": kind})


def gathered(folder: Path, programs: Sequence[str] = ()) -> Iterator[Example]:
    """All looks at all sites that can be had here, or at those of some programs."""
    for name, kind, output in _built(folder, programs):
        yield from _looks_at_files(name, kind, output)
    if programs and "real" not in programs:
        return
    for site in real_sites():
        for page in site.pages.values():
            yield from _looks(f"real {site.host}", site.kind, page.url, (site.fetch,))


def _built(folder: Path, programs: Sequence[str]) -> Iterator[tuple[str, str, Path]]:
    """Every program that is here, with the kind of its site and where it lies."""
    builders: dict[str, BuildOther] = {name: partial(_blog, build) for name, build in PROGRAMS.items()}
    for name, build in (builders | dict(OTHERS) | dict(THEMES) | dict(DRAWN)).items():
        if programs and name not in programs:
            continue
        noted = folder / f"{name}.json"
        try:
            if not noted.exists():
                made = build(folder / name, HOME)
                noted.write_text(json.dumps([made.kind, str(made.output)]), encoding="utf-8")
        except (NotHereError, OSError, subprocess.CalledProcessError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        kind, output = json.loads(noted.read_text(encoding="utf-8"))
        yield name, kind, Path(output)


def _blog(build: Build, folder: Path, home: str) -> OtherSite:
    return OtherSite(build(folder, home).output, "blog")


def _looks_at_files(program: str, kind: str, root: Path) -> Iterator[Example]:
    """A site seen as it is and without its feeds, for not all have one, at several addresses."""
    pages = [file.relative_to(root).as_posix() for file in sorted(root.rglob("*.html")) if "404" not in file.name]
    chosen = random.Random(SEED).sample(pages, min(PAGES, len(pages)))  # noqa: S311  a choice that is always the same
    # Without its feed such a site is like a blog in all that is seen.
    hosts = [Files(root)] if kind in LIKE_BLOGS else [Files(root), Files(root, feeds=False)]
    for name in dict.fromkeys(["", *(one.removesuffix("index.html") for one in chosen)]):
        yield from _looks(program, kind, f"{HOME}/{name}", [host.fetch for host in hosts])


def _looks(program: str, kind: str, url: str, hosts: Iterable[Fetch]) -> Iterator[Example]:
    for fetch in hosts:
        seen = look(url, fetch)
        if not seen.failure:
            yield Example(program, kind, url, answers_of(seen))
