"""Work that is all processor: a blog read again, exports in every format, in this process and in one of its own."""

from __future__ import annotations

import asyncio
import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.archive.surveying import Estimate
from blogforever.config import Config
from blogforever.errors import BlogForeverError, UsageError
from blogforever.service.analysing import analysed, analysis_begun, analysis_ended
from blogforever.service.asking import ask_to_reread
from blogforever.service.errandprocess import in_process
from blogforever.service.errands import EXPORTS, Errand, ErrandEnd, ExportFormat, run_errand
from blogforever.service.exports import (
    ExportWish,
    ask_for_export,
    errand_of,
    fetched_export,
    list_exports,
    put_exports_away,
)
from blogforever.service.jobs import cancel_job
from blogforever.service.scheduling import enqueue_due
from blogforever.service.working import ErrandHandler
from blogforever.storage.following import FollowedBlog, SourceBatch, SourceRow
from blogforever.storage.tables import Store
from blogforever.storage.work import JobRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.spare import MARK, PREFIX
from blogforever.testing import FakeClock, MemoryStore
from server.smallarchive import BLOG, make_archive

NOW = "2024-01-01T00:00:00+00:00"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("errands") / "archive")


@pytest.fixture
def archive(made: Path, tmp_path: Path) -> Iterator[ArchiveFolder]:
    """A copy for one test: what others ask for is not in it."""
    with open_archive(Path(shutil.copytree(made, tmp_path / "archive")), writing=True) as opened:
        yield opened


def followed(store: Store, **more: object) -> FollowedBlog:
    plain = FollowedBlog(BLOG, f"https://{BLOG}/", NOW, blog=BLOG, next_look=NOW)
    store.followed.add([replace(plain, **more)])  # type: ignore[arg-type]  # any field
    return plain


def test_a_blog_is_read_again(made: Path) -> None:
    end = run_errand(Config(archive=made), Errand("reread", 1, BLOG))
    assert (end.error, end.figures["posts"], end.figures["unread"]) == ("", 3, 0)
    assert "no.example" in run_errand(Config(archive=made), Errand("reread", 1, "no.example")).error


@pytest.mark.parametrize("wanted", get_args(ExportFormat))
def test_exports_lie_whole_in_their_folder(made: Path, wanted: ExportFormat) -> None:
    end = run_errand(Config(archive=made), Errand("export", 7, BLOG, wanted))
    assert end.error == ""
    path = made / EXPORTS / str(end.figures["file"])
    assert path.stat().st_size == end.figures["bytes"] != 0
    if wanted == "jsonl":
        assert [json.loads(line)["type"] for line in path.read_text(encoding="utf-8").splitlines()].count("post") == 3
    if wanted == "site":
        assert "index.html" in zipfile.ZipFile(path).namelist()
    assert [one.name for one in (made / EXPORTS).iterdir() if one.is_dir()] == []


def test_an_errand_runs_in_a_process_of_its_own_that_ends_with_who_wanted_it(made: Path) -> None:
    async def both() -> tuple[ErrandEnd, bool]:
        done = await in_process(Config(archive=made), Errand("export", 8, BLOG, "csv"))
        unwanted = asyncio.create_task(in_process(Config(archive=made), Errand("reread", 9, BLOG)))
        await asyncio.sleep(0.05)
        unwanted.cancel()
        await asyncio.wait([unwanted])
        return done, unwanted.cancelled()

    end, was_cancelled = asyncio.run(both())
    assert end.figures["file"] == "8.csv"
    assert was_cancelled


def test_exports_are_asked_for_listed_and_put_away_after_a_day(archive: ArchiveFolder) -> None:
    fake = FakeClock()
    with clock.handed_in(lambda: fake.now):
        job = ask_for_export(archive, ExportWish("csv", BLOG), "ann")
        assert job.blog == ""
        assert errand_of(job) == Errand("export", job.id, BLOG, "csv")
        (taken,) = archive.store.jobs.take("w", {"export": 1}, clock.stamp())
        run_errand(Config(archive=archive.folder), errand_of(taken))
        archive.store.jobs.done(taken.id, "w", "", clock.stamp())
        (listed,), following = list_exports(archive, 1)
        assert (listed.file, listed.blog, following) == (f"{BLOG}-{job.created[:10]}.csv", BLOG, None)
        assert fetched_export(archive, job.id) == archive.folder / EXPORTS / f"{job.id}.csv"
        put_exports_away(archive)
        assert fetched_export(archive, job.id)
        fake.now += timedelta(days=1, seconds=1)
        assert put_exports_away(archive)
        assert fetched_export(archive, job.id) is fetched_export(archive, 999) is None


def test_what_an_export_that_was_killed_left_is_put_away(archive: ArchiveFolder) -> None:
    left = archive.folder / EXPORTS / f"{PREFIX}left"
    (left / "kept").mkdir(parents=True)
    (left / "kept" / "export").write_text("half of it")
    (left / MARK).touch()
    put_exports_away(archive)
    assert not left.exists()


def test_what_cannot_be_exported_is_refused_in_one_sentence(archive: ArchiveFolder) -> None:
    with pytest.raises(UsageError, match="nothing of a blog 'x'"):
        ask_for_export(archive, ExportWish("csv", "x"), "ann")
    with pytest.raises(UsageError, match="say which"):
        ask_for_export(archive, ExportWish("wacz"), "ann")


@pytest.mark.parametrize("end", [ErrandEnd({"posts": 3}), ErrandEnd(error="not now"), ErrandEnd(busy=True)])
def test_what_came_of_an_errand_is_what_came_of_its_job(end: ErrandEnd) -> None:
    store = MemoryStore()
    job = ask_to_reread(store, followed(store), "ann")
    asked: list[Errand] = []

    async def run(_config: Config, errand: Errand) -> ErrandEnd:
        asked.append(errand)
        return end

    handler = ErrandHandler(store, Config(), run)
    if end.error:
        with pytest.raises(BlogForeverError, match="not now"):
            asyncio.run(handler.carry_out(job))
    else:
        carried = asyncio.run(handler.carry_out(job))
        assert (carried.postponed is not None) is end.busy
        assert ("posts" in carried.result) is not end.busy
    assert asked == [Errand("reread", job.id, BLOG)]


def test_nothing_is_read_again_of_what_was_never_harvested() -> None:
    store = MemoryStore()
    job = ask_to_reread(store, followed(store, blog=None), "ann")
    handler = ErrandHandler(store, Config())
    assert "forgotten" in asyncio.run(handler.carry_out(job)).result


def test_a_blog_that_is_read_again_is_still_looked_at_when_it_is_due() -> None:
    store = MemoryStore()
    job = ask_to_reread(store, followed(store), "ann")
    assert enqueue_due(store) == 1
    planned = store.followed.find(BLOG)
    cancel_job(store, job.id)
    assert store.followed.find(BLOG) == planned


def analysis(store: Store, found: Estimate) -> FollowedBlog | None:
    assert analysis_begun(store, BLOG)
    analysed(store, BLOG, found)
    return store.followed.find(BLOG)


def estimate(url: str = f"https://{BLOG}/", failure: str | None = None) -> Estimate:
    return Estimate(url, "Lanterns", 3, 5, 5.0, at_least=False, failure=failure)


def test_what_was_analysed_waits_for_its_first_harvest_with_its_name() -> None:
    store = MemoryStore()
    followed(store, blog=None, next_look=None)
    after = analysis(store, estimate())
    assert after
    assert (after.state, after.title, after.reason) == ("waiting", "Lanterns", "")
    assert after.next_look
    silent = analysis(store, estimate(failure="no such host"))
    assert silent
    assert (silent.state, silent.reason) == ("waiting", "there is no such host")


def test_analysis_finds_that_an_address_is_a_known_blog() -> None:
    store = MemoryStore()
    followed(store, blog=None)
    store.followed.add([FollowedBlog("known.example", "https://known.example/", NOW, blog="known.example")])
    row = SourceRow("one", 1, BLOG, f"https://{BLOG}/", "new", BLOG, made=True)
    store.sources.add(SourceBatch("one", NOW), [row])
    assert analysis(store, estimate("https://known.example/")) is None
    (judged,) = store.sources.rows("one")
    assert (judged.verdict, judged.blog) == ("known", "known.example")


def test_analysis_leaves_a_followed_blog_as_it_is() -> None:
    store = MemoryStore()
    before = followed(store, state="following", title="Its own name")
    analysis_begun(store, BLOG)
    analysis_ended(store, BLOG, "it failed")
    after = store.followed.find(BLOG)
    assert after
    assert (after.state, after.title, after.next_look) == ("following", "Its own name", before.next_look)


def row_of(job: JobRow, **more: object) -> JobRow:
    return replace(job, **more)  # type: ignore[arg-type]  # any field


def test_a_job_that_does_not_say_what_to_export_fails_in_one_sentence(archive: ArchiveFolder) -> None:
    job = ask_for_export(archive, ExportWish("csv", BLOG), "ann")
    with pytest.raises(UsageError, match="does not say"):
        errand_of(row_of(job, input="{"))
