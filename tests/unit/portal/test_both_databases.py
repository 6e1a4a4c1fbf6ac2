"""Every screen on PostgreSQL says what it says on SQLite: one walk over all of them, and over what they link to."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from difflib import SequenceMatcher
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from lxml import html

from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.service.origins import ReplayOrigin
from blogforever.service.standing import Standing
from server.application import app_for
from server.databases import POSTGRES, SQLITE, records_on
from server.portalserver import ServedPortal
from server.visitor import PortalClient, words

pytestmark = pytest.mark.postgres
# What a moment more, or another kind of database, changes: times, how long ago they were, sizes of files, random names
# of sessions.
VARIES = re.compile(
    r"\d{1,2}:\d{2}(:\d{2})?|now\b|(in )?\d+ (second|minute|hour)s?( ago)?"
    r"|[\d.,]+ ?(s|ms|kB|KB|MB|GB|B|bytes)\b|\b[0-9a-f]{12,}\b"
)
Looked = tuple[int, str, html.HtmlElement | None]
# Pages of one kind are alike: of what a kind of page links to, so many are looked at.
OF_A_KIND = 2


def kind_of(address: str) -> str:
    """What pages of the same kind share: the path without names and numbers, and which questions are asked."""
    parts = urlsplit(address)
    path = re.sub(r"/[^/]*[\d.][^/]*", "/…", parts.path)
    return path + "?" + "&".join(sorted(one.partition("=")[0] for one in parts.query.split("&")))


def links_of(page: html.HtmlElement) -> Iterator[str]:
    for href in page.xpath("//main//a[not(@download)]/@href"):
        if href.startswith("/") and not href.startswith(("//", "/static", "/api", "/feeds")):
            yield href.partition("#")[0]


def is_best_first(address: str) -> bool:
    """Whether a page has what fits best first: each database judges that in its own way, over the same posts."""
    return "q=" in address and "sort=newest" not in address


def unlike(here: Looked, there: Looked, in_any_order: bool) -> Iterator[str]:
    """What of two pages differs."""
    if here[0] != there[0]:
        yield f"{here[0]} / {there[0]}"
    ours, theirs = here[1].split(), there[1].split()
    if in_any_order:
        ours, theirs = sorted(ours), sorted(theirs)
    for tag, first, last, begin, end in SequenceMatcher(a=ours, b=theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            yield f"{' '.join(ours[first:last])!r} / {' '.join(theirs[begin:end])!r}"


class Walk:
    """Somebody with all rights who goes through a portal."""

    def __init__(self, app: FastAPI, standing: Standing) -> None:
        self._app, self.standing = app, standing
        self._client = PortalClient(app, standing, "admin")

    def look(self, address: str) -> Looked:
        """Status and words of a page."""
        self._app.state.standing = self.standing
        answer = self._client.get(address)
        if answer.status_code != 200 or "text/html" not in answer.headers["content-type"]:
            return answer.status_code, "", None
        page = html.document_fromstring(answer.text)
        return 200, VARIES.sub("…", words(page)), page


@pytest.fixture
def walks(sample_folder: Path, tmp_path: Path) -> Iterator[dict[str, Walk]]:
    with ExitStack() as stack:
        made = {}
        for where in (SQLITE, POSTGRES):
            folder = tmp_path / where / "archive"
            shutil.copytree(sample_folder, folder)
            with records_on(where):
                archive = stack.enter_context(open_archive(folder, writing=True))
            # Words are cut anew where records were carried elsewhere.
            archive.hold(blog.id for blog in archive.library.blogs())
            archive.search.update()
            standing = Standing(archive, config=Config(archive=folder, allow_private=True))
            standing.replay = ReplayOrigin(port=1, portal_port=2)
            made[where] = Walk(app_for(standing), standing)
        yield made


def test_every_screen_and_what_it_links_to_is_the_same_on_both_databases(walks: dict[str, Walk]) -> None:
    sqlite, postgres = walks[SQLITE], walks[POSTGRES]
    waiting = ServedPortal("", sqlite.standing).addresses()
    seen, kinds = set(waiting), dict.fromkeys(map(kind_of, waiting), OF_A_KIND)
    different, broken, pages = [], [], 0
    while waiting:
        address = waiting.pop(0)
        here, there = sqlite.look(address), postgres.look(address)
        pages += 1
        broken += [f"{address}: {here[0]}"] if here[0] >= 400 else []
        different += [f"{address}: {one}" for one in unlike(here, there, in_any_order=is_best_first(address))]
        for link in links_of(here[2]) if here[2] is not None else ():
            kind = kind_of(link)
            if link not in seen and kinds.setdefault(kind, 0) < OF_A_KIND:
                kinds[kind] += 1
                seen.add(link)
                waiting.append(link)
    assert not different, "\n".join(different)
    assert not broken, broken
    assert pages > 60
