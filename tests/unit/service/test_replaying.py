"""What the archive has of an address at a moment is shown, by addresses that only we make; nothing hidden is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import pytest

from blogforever import clock
from blogforever.archive.suppressing import Meant, suppress
from blogforever.protocols import Exchange
from blogforever.service.replaying import Replay, ReplayPlace, is_moment, moment_of
from blogforever.store.folder import ArchiveFolder
from server.smallarchive import BLOG, address, make_archive

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
PAGE = "https://b.example/page/"


def at(day: int) -> datetime:
    return datetime(2020, 1, day, tzinfo=UTC)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_archive(tmp_path_factory.mktemp("replay") / "archive")
    with ArchiveFolder(folder, writing=True) as archive:
        run, _ = archive.store.runs.open(BLOG)
        record = archive.recorder(BLOG, run, {"software": "test"})

        def keep(url: str, body: bytes, kind: str, day: int = 1, status: int = 200, **more: str) -> None:
            headers = (("Content-Type", kind), *more.items())
            record(Exchange(url, "GET", (), status, "OK", headers, body, at(day)))

        keep(PAGE, b"<p>first<img src=/a.png><script>x()</script>", "text/html")
        keep(PAGE, b"<p>second", "text/html", 9)
        keep("https://b.example/a.png", PNG, "text/html")
        keep("https://b.example/evil.png", b"<script>x()</script>", "image/png")
        keep("https://b.example/s.css", b"p { background: url(a.png) }", "text/css")
        keep("https://b.example/old", b"", "text/html", status=301, Location="/page/")
        keep("https://b.example/round", b"", "text/html", status=302, Location="/round")
        archive.store.runs.close(run, "finished")
    return folder


@pytest.fixture
def replay(made: Path) -> Iterator[Replay]:
    with ArchiveFolder(made, writing=False) as archive:
        yield Replay(archive)


def page(url: str, moment: str = "20200102000000") -> ReplayPlace:
    return ReplayPlace("page", BLOG, moment, url)


def file(url: str) -> ReplayPlace:
    return replace(page(url), use="file")


def test_a_page_is_shown_as_it_was_nearest_to_a_moment(replay: Replay) -> None:
    first, second = replay.show(page(PAGE)), replay.show(page(PAGE, "20210101000000"))
    assert first
    assert second
    assert b"first" in first.content
    assert b"x()" not in first.content
    assert (first.at, second.at) == ("2020-01-01T00:00:00+00:00", "2020-01-09T00:00:00+00:00")


def test_what_a_page_loads_is_signed_and_of_the_same_moment(replay: Replay) -> None:
    shown = replay.show(page(PAGE))
    assert shown
    source = shown.content.decode().partition('src="')[2].partition('"')[0]
    signed, day, use, blog, moment, url = source.lstrip("/").split("/")
    place = ReplayPlace("file", blog, moment, unquote(url))
    assert (use, moment, place.url) == ("file", "20200101000000", "https://b.example/a.png")
    assert replay.is_ours(signed, day, place)
    assert not replay.is_ours(signed, day, replace(place, url="https://b.example/other.png"))
    assert not replay.is_ours(signed, day, replace(place, use="page"))
    assert not replay.is_ours("0" * 64, day, place)
    assert not replay.is_ours(signed, "x", place)


def test_an_address_holds_for_a_day_or_two(replay: Replay) -> None:
    signed, day = replay.path(page(PAGE)).split("/")[1:3]
    later = {0: True, 1: True, 2: False}
    for days, holds in later.items():
        moment = datetime.fromordinal(int(day) + days).replace(tzinfo=UTC)
        with clock.handed_in(lambda moment=moment: moment):  # type: ignore[misc]
            assert replay.is_ours(signed, day, page(PAGE)) is holds


def test_files_are_what_their_bytes_say(replay: Replay) -> None:
    picture = replay.show(file("http://b.example/a.png"))
    assert picture
    assert (picture.type, picture.content) == ("image/png", PNG)
    assert replay.show(file("https://b.example/evil.png")) is None
    assert replay.show(file(PAGE)) is None
    sheet = replay.show(file("https://b.example/s.css"))
    assert sheet
    assert sheet.type == "text/css"
    assert b"/file/b.example/20200101000000/https%3A%2F%2Fb.example%2Fa.png" in sheet.content


def test_redirects_are_followed_and_what_goes_round_is_not_there(replay: Replay) -> None:
    shown = replay.show(page("https://b.example/old"))
    assert shown
    assert shown.url == PAGE
    assert replay.show(page("https://b.example/round")) is None
    assert replay.show(page("https://b.example/never")) is None


def test_a_record_is_shown_by_its_name(replay: Replay, made: Path) -> None:
    with ArchiveFolder(made, writing=False) as archive:
        post = archive.store.posts.record("p1")
    shown = replay.show(page(str(post.sources[0].record_id)))
    assert shown
    assert shown.url == address(1)
    assert replay.show(page("urn:uuid:none")) is None


def test_what_somebody_hides_meanwhile_is_not_shown_any_more(made: Path) -> None:
    with ArchiveFolder(made, writing=False) as archive:
        replay = Replay(archive)
        assert replay.show(page(address(2))) is not None
        suppress(made, Meant(address(2)), "asked for", until="2999-01-01")
        archive.notice_decisions()
        assert replay.show(page(address(2))) is None
        assert replay.show(page(address(1))) is not None
        with clock.handed_in(lambda: datetime(2999, 1, 1, tzinfo=UTC)):
            archive.notice_decisions()
            assert replay.show(page(address(2))) is not None


def test_moments_have_fourteen_digits() -> None:
    assert moment_of("2020-01-02T03:04:05+00:00") == "20200102030405"
    assert moment_of("2020-01-02") == "20200102000000"
    assert is_moment(moment_of(None))
    assert not is_moment("2020")
