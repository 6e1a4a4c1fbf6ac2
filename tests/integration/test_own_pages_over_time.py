"""The blog's own pages in updates and when everything is read again: new, changed, out of order, gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import Changes
from blogforever.archive.keeping import back_up
from blogforever.archive.rebuilding import restore
from blogforever.archive.reextracting import reextract
from blogforever.config import Config
from blogforever.records import PageRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, Answers, Reply, layout, routes, serve_answers, slug

ABOUT = "A log that is written on the ferry, by hand, by two people who take turns at it."
CONTACT = "Ask for the purser at the second gangway, or write to the harbour office."
IMPRINT = "Printed on board by the crew, who are to blame for all that is wrong in it."


@dataclass
class Pages:
    """The own pages of a blog, which somebody changes."""

    texts: dict[str, str] = field(default_factory=lambda: {"about": ABOUT, "contact": CONTACT})
    base: str = ""

    def answers(self, base: str) -> Answers:
        self.base = base
        posts = routes(base, '<a href="/contact/">Contact</a>')

        def answer(path: str) -> Reply | None:
            name = path.strip("/")
            if name in self.texts:
                text = self.texts[name]
                return Reply(layout(name.title(), f"<h1>{name.title()}</h1><p>{text}</p>"))
            if path == "/sitemap.xml":
                return Reply(self.sitemap().encode(), headers={"Content-Type": "application/xml"})
            return None if name in ("about", "contact") else posts.get(path)

        return answer

    def sitemap(self) -> str:
        places = [*(slug(n) for n in range(POSTS)), *(f"/{name}/" for name in self.texts)]
        urls = "".join(f"<url><loc>{self.base}{place}</loc></url>" for place in places)
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


@pytest.fixture
def blog() -> Iterator[Pages]:
    made = Pages()
    with serve_answers(made.answers):
        yield made


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def crawl(blog: Pages, archive: Path, **more: Any) -> Changes | None:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    values |= {"requisites": "none", "render": "never", "recheck": 1.0}
    return crawl_blog(f"{blog.base}/", Config(**(values | more))).update


def kept(archive: Path) -> dict[str, PageRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {page.url.strip("/").rpartition("/")[2]: page for page in opened.store.pages.of_blog(found.id)}


def states(archive: Path) -> dict[str, str]:
    return {name: page.status for name, page in kept(archive).items()}


def test_pages_that_are_new_changed_and_gone(blog: Pages, archive: Path) -> None:
    crawl(blog, archive)
    before = kept(archive)
    assert {name: page.text for name, page in before.items()} == {"about": ABOUT, "contact": CONTACT}
    blog.texts["about"] = f"{ABOUT} There are three of us now."
    blog.texts["imprint"] = IMPRINT
    contact = blog.texts.pop("contact")
    changes = crawl(blog, archive)
    assert changes is not None
    assert (changes.new, changes.edited, changes.gone, changes.pages) == (0, 0, 0, 3)
    after = kept(archive)
    assert {name: page.text for name, page in after.items()} == {**blog.texts, "contact": contact}
    assert after["about"].id == before["about"].id
    assert states(archive) == {"about": "active", "imprint": "active", "contact": "missing"}
    again = crawl(blog, archive)
    assert again is not None
    assert (again.pages, states(archive)["contact"]) == (1, "gone")
    blog.texts["contact"] = contact
    crawl(blog, archive)
    assert states(archive)["contact"] == "active"
    last = crawl(blog, archive)
    assert last is not None
    assert last.pages == 0


def test_a_page_that_shows_nothing_keeps_its_words(blog: Pages, archive: Path) -> None:
    crawl(blog, archive)
    blog.texts["about"] = ""
    crawl(blog, archive)
    assert kept(archive)["about"].text == ABOUT


def test_without_a_share_nothing_is_looked_at(blog: Pages, archive: Path) -> None:
    crawl(blog, archive)
    blog.texts["about"] = "Other words."
    crawl(blog, archive, recheck=0.0)
    assert kept(archive)["about"].text == ABOUT


def test_read_again_and_restored_pages_are_the_same(blog: Pages, archive: Path, tmp_path: Path) -> None:
    crawl(blog, archive)
    blog.texts["about"] = f"{ABOUT} There are three of us now."
    blog.texts.pop("contact")
    crawl(blog, archive)
    before = kept(archive)
    (report,) = reextract(archive)
    assert (report.pages, kept(archive)) == (0, before)
    back_up(archive, tmp_path / "b")
    restore(tmp_path / "b", tmp_path / "c")
    assert kept(tmp_path / "c") == before


def test_pages_from_before_such_were_kept_are_found_when_everything_is_read_again(blog: Pages, archive: Path) -> None:
    crawl(blog, archive)
    before = kept(archive)
    with ArchiveFolder(archive, writing=True) as opened:
        opened.store.pages.drop([page.id for page in before.values()])
    (report,) = reextract(archive)
    assert (report.pages, report.new) == (2, [])
    assert {name: page.text for name, page in kept(archive).items()} == {
        name: page.text for name, page in before.items()
    }
