"""Files that hold several captures of a blog over time give the versions of its posts, in the order of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from blogforever.protocols import Exchange
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.store.warc import WarcWriter
from server.blogserver import POSTS, Reply, layout, post_page, routes, serve_answers, slug, story

pytestmark = pytest.mark.long

BASE = "http://ferry.example"
EDITS = {
    2012: "",
    2015: "The second telling adds a heron and a kettle.",
    2020: "The third one takes both away again, mostly.",
}


def page(number: int, year: int, theme: str = "entry-content") -> bytes:
    """A post as it was in a year: only post 3 is edited."""
    body = post_page(number).replace(b"entry-content", theme.encode())
    return (
        body.replace(b"</p></div>", f"</p><p>{EDITS[year]}</p></div>".encode()) if number == 3 and EDITS[year] else body
    )


def write(
    folder: Path, year: int, wrap: str = "{}", theme: str = "entry-content", base: str = BASE, taken: int = 0
) -> None:
    """One capture of the whole blog."""
    writer = WarcWriter(folder, folder, {})
    replies = routes(base) | {slug(n): Reply(page(n, year, theme)) for n in range(POSTS)}
    when = datetime(taken or year, 6, 1, tzinfo=UTC)
    for path, reply in replies.items():
        when += timedelta(seconds=1)
        url = wrap.format(f"{base}{path}")
        headers = tuple(reply.headers.items())
        moment = when if wrap == "{}" else datetime(2024, 1, 1, tzinfo=UTC)
        writer.write(Exchange(url, "GET", (), reply.status, "OK", headers, reply.body, moment))
    writer.close()


def outage(folder: Path, year: int) -> None:
    """A moment in which every page said the same."""
    writer = WarcWriter(folder, folder, {})
    for n in range(POSTS):
        body = layout("Down", "<h1>We are moving house, please come back tomorrow for what was here before.</h1>")
        html = (("Content-Type", "text/html"),)
        writer.write(Exchange(BASE + slug(n), "GET", (), 200, "OK", html, body, datetime(year, 1, 1, tzinfo=UTC)))
    writer.close()


def captured(version: PostRecord) -> str:
    return version.sources[0].captured or ""


def versions(archive: Path) -> dict[str, list[PostRecord]]:
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        found: dict[str, list[PostRecord]] = {}
        for post in opened.library.posts(blog.id):
            numbers = range(1, post.version + 1)
            found[post.url] = [version for n in numbers if (version := opened.store.versions.record(post.id, n))]
    return found


@pytest.mark.parametrize("order", [(2012, 2015, 2020), (2020, 2012, 2015)])
def test_versions_come_in_the_order_of_time_whatever_the_order_of_the_files(
    tmp_path: Path, order: tuple[int, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for number, year in enumerate(order):
        write(tmp_path / "files" / str(number), year)
    outage(tmp_path / "files/outage", 2017)
    report = crawl_blog(BASE, Config(archive=tmp_path / "a", replay=(str(tmp_path / "files"),)))
    assert report.posts == POSTS
    found = versions(tmp_path / "a")
    edited = found.pop(BASE + slug(3))
    assert [captured(v)[:4] for v in edited] == ["2012", "2015", "2020"]
    assert [EDITS[year] in v.text for v, year in zip(edited, sorted(order), strict=True)] == [True] * 3
    assert "second telling" not in edited[0].text + edited[2].text
    assert {len(each) for each in found.values()} == {1}
    assert run(["diff", BASE + slug(3), "--archive", str(tmp_path / "a")]) == 0
    assert "version 2 (captured 1 June 2015) to version 3 (captured 1 June 2020)" in capsys.readouterr().out


def test_pages_of_a_web_archive_are_captures_of_the_blog(tmp_path: Path) -> None:
    write(tmp_path / "files/new", 2020)
    write(tmp_path / "files/old", 2012, "https://web.archive.org/web/20120601000000id_/{}")
    crawl_blog(BASE, Config(archive=tmp_path / "a", replay=(str(tmp_path / "files"),)))
    edited = versions(tmp_path / "a")[BASE + slug(3)]
    assert [captured(v)[:10] for v in edited] == ["2012-06-01", "2020-06-01"]
    assert {v.url for v in edited} == {BASE + slug(3)}


def test_another_theme_makes_no_version(tmp_path: Path) -> None:
    write(tmp_path / "files/new", 2012)
    write(tmp_path / "files/old", 2015, theme="post-text")
    report = crawl_blog(BASE, Config(archive=tmp_path / "a", replay=(str(tmp_path / "files"),)))
    assert report.posts == POSTS
    found = versions(tmp_path / "a")
    assert {len(each) for url, each in found.items() if not url.endswith(slug(3))} == {1}
    assert story(5)[0] in found[BASE + slug(5)][0].text


def replay(archive: Path, *folders: Path) -> None:
    crawl_blog(BASE, Config(archive=archive, replay=tuple(map(str, folders))))


@pytest.mark.parametrize(
    "order",
    [(2020, 2012, 2015), (2012, 2020, 2015), (2015, 2020, 2012), (2012, 2015, 2020), (2020, 2015, 2012)],
)
@pytest.mark.parametrize("together", [False, True])
def test_captures_of_known_posts_come_to_their_place_in_time(
    tmp_path: Path, order: tuple[int, ...], together: bool
) -> None:
    """Whether the files of earlier harvests are still at hand or not."""
    given: list[Path] = []
    for year in order:
        write(tmp_path / str(year), year)
        given = [*given, tmp_path / str(year)] if together else [tmp_path / str(year)]
        replay(tmp_path / "a", *given)
    replay(tmp_path / "a", *given)
    found = versions(tmp_path / "a")
    edited = found.pop(BASE + slug(3))
    assert [captured(v)[:4] for v in edited] == ["2012", "2015", "2020"]
    assert [v.version for v in edited] == [1, 2, 3]
    assert [EDITS[year] in v.text for v, year in zip(edited, sorted(order), strict=True)] == [True] * 3
    assert {len(each) for each in found.values()} == {1}
    with ArchiveFolder(tmp_path / "a", writing=False) as archive:
        assert archive.store.posts.record(edited[-1].id).version == 3


def test_captures_older_than_a_live_archive_become_its_past(tmp_path: Path) -> None:
    pages = {slug(n): Reply(page(n, 2020)) for n in range(POSTS)}
    with serve_answers(lambda base: (routes(base) | pages).get) as site:
        crawl_blog(site.base, Config(archive=tmp_path / "a", allow_private=True, delay=0.0))
        for year in (2012, 2015):
            write(tmp_path / str(year), year, base=site.base)
        write(tmp_path / "2016", 2012, base=site.base, theme="post-text", taken=2016)
        for name in ("2015", "2016", "2012"):
            crawl_blog(site.base, Config(archive=tmp_path / "a", replay=(str(tmp_path / name),)))
    found = versions(tmp_path / "a")
    edited = found.pop(site.base + slug(3))
    assert [captured(v)[:4] for v in edited][:2] == ["2012", "2015"]
    assert len(edited) == 3
    assert EDITS[2020] in edited[-1].text
    assert {len(each) for each in found.values()} == {1}
    assert all(int(captured(each[0])[:4]) > 2020 for each in found.values())


def test_an_older_theme_of_known_posts_makes_no_version(tmp_path: Path) -> None:
    write(tmp_path / "new", 2020)
    write(tmp_path / "old", 2015, theme="post-text")
    replay(tmp_path / "a", tmp_path / "new")
    replay(tmp_path / "a", tmp_path / "old")
    assert {len(each) for each in versions(tmp_path / "a").values()} == {1}
