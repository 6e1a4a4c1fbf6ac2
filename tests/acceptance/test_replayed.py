"""What a crawl takes out of somebody's files is kept like what it takes from the network; or only pointed to."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from blogforever.storage.values import Cleaning, Rewritten
from blogforever.store.folder import ArchiveFolder
from blogforever.store.warcreader import WarcReader
from server.blogserver import POSTS, Reply, slug
from server.savedblog import BASE, FORMS, WHEN, add_resources, add_revisit, blog, records, saved


def everything(folder: Path) -> dict[str, Any]:
    """Every record of an archive in all versions, and what is given out."""
    with ArchiveFolder(folder, writing=False) as archive:
        blogs = {blog.id: blog for blog in archive.library.blogs(everything=True)}
        posts = {
            (post.url, number): archive.store.versions.record(post.id, number)
            for name in blogs
            for post in archive.library.posts(name, everything=True)
            for number in range(1, post.version + 1)
        }
        return {"blogs": blogs, "posts": posts, "shown": list(archive.exported())}


def crawl(folder: Path, *files: Path, **more: Any) -> None:
    crawl_blog(BASE, Config(archive=folder, replay=tuple(map(str, files)), **more))


@pytest.mark.parametrize("form", FORMS)
def test_records_that_are_used_are_copied_and_every_command_works_on_them(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = saved(tmp_path / f"blog.{form}")
    where = ("--archive", str(tmp_path / "a"))
    assert run(["crawl", BASE, "--replay", str(source), *where]) == 0
    source.unlink()
    assert run(["verify", *where]) == 0
    assert "all sound" in capsys.readouterr().out
    assert run(["reextract", *where]) == 0
    assert f"{POSTS} posts read again, all read as before." in capsys.readouterr().out
    before = everything(tmp_path / "a")
    assert run(["backup", str(tmp_path / "backup"), *where]) == 0
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 0
    assert everything(tmp_path / "b") == before
    assert run(["verify", "--archive", str(tmp_path / "b")]) == 0
    capsys.readouterr()
    assert run(["export", "--format", "wacz", str(tmp_path / "out.wacz"), *where]) == 0
    assert f"{POSTS + 1} pages" in capsys.readouterr().out
    crawl(tmp_path / "c", tmp_path / "out.wacz")
    assert everything(tmp_path / "c")["posts"] == before["posts"]


def test_copies_keep_their_dates_and_ids_and_bring_their_requests(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    crawl(tmp_path / "a", source)
    given = records(source)
    copied = [one for one in records(tmp_path / "a/warc") if one.kind != "warcinfo"]
    assert set(copied) <= set(given)
    used = {BASE + place for place in blog()} - {BASE + "/hidden/secret/", BASE + "/robots.txt"}
    assert Counter(one.kind for one in copied) == {"response": len(copied) // 2, "request": len(copied) // 2}
    assert {one.url for one in copied} >= used - {BASE + "/sitemap.xml"}


def test_files_that_pages_load_are_copied_where_there_are_any(tmp_path: Path) -> None:
    picture = Reply(b"\x89PNG\r\n\x1a\n" + bytes(50), headers={"Content-Type": "image/png"})
    page = blog()[slug(3)].body.replace(b"</p></div>", b'</p><img src="/boat.png"></div>')
    source = saved(tmp_path / "blog.warc.gz", blog() | {slug(3): Reply(page), "/boat.png": picture})
    crawl(tmp_path / "a", source)
    assert f"{BASE}/boat.png" in {one.url for one in records(tmp_path / "a/warc")}
    before = everything(tmp_path / "a")
    assert before["posts"][BASE + slug(3), 1].media[0].sha256
    assert run(["backup", str(tmp_path / "backup"), "--archive", str(tmp_path / "a")]) == 0
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 0
    assert everything(tmp_path / "b") == before


def test_a_second_replay_copies_nothing_twice(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    crawl(tmp_path / "a", source)
    first, posts = Counter(records(tmp_path / "a/warc")), everything(tmp_path / "a")["posts"]
    crawl(tmp_path / "a", source)
    second = Counter(records(tmp_path / "a/warc"))
    assert {one.kind for one in second - first} <= {"warcinfo", "metadata"}
    assert set(second.values()) == {1}
    assert everything(tmp_path / "a")["posts"] == posts
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0


def edited(text: bytes) -> dict[str, Reply]:
    """The blog when one of its posts said something else."""
    page = blog()[slug(3)].body.replace(b"</p></div>", b"</p><p>" + text + b"</p></div>")
    return blog() | {slug(3): Reply(page)}


def test_what_several_replays_brought_is_the_same_in_a_restored_archive(tmp_path: Path) -> None:
    now = saved(tmp_path / "2019.warc.gz")
    old = saved(tmp_path / "2012.warc.gz", edited(b"An early telling with a heron in it."), WHEN.replace(year=2012))
    late = saved(tmp_path / "2022.warc.gz", edited(b"A late telling with a kettle."), WHEN.replace(year=2022))
    crawl(tmp_path / "a", now)
    crawl(tmp_path / "a", old, now)
    crawl(tmp_path / "a", late)
    before = everything(tmp_path / "a")
    assert {number for url, number in before["posts"] if url == BASE + slug(3)} == {1, 2, 3}
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0
    assert run(["backup", str(tmp_path / "backup"), "--archive", str(tmp_path / "a")]) == 0
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 0
    assert everything(tmp_path / "b") == before


def test_a_revisit_is_copied_with_what_it_repeats(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    add_revisit(source, WHEN + timedelta(days=300))
    crawl(tmp_path / "a", source)
    copied = [one for one in records(tmp_path / "a/warc") if one.url == BASE + slug(3)]
    assert Counter(one.kind for one in copied) == {"revisit": 1, "response": 1, "request": 1}
    assert set(copied) <= set(records(source))
    source.unlink()
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0
    post = everything(tmp_path / "a")["posts"][BASE + slug(3), 1]
    assert post.sources[0].captured.startswith("2019-12-26")
    assert run(["reextract", "--archive", str(tmp_path / "a")]) == 0


def test_a_replay_of_the_archives_own_files_copies_nothing(tmp_path: Path) -> None:
    crawl(tmp_path / "a", saved(tmp_path / "blog.warc.gz"))
    before = Counter(one.id for one in records(tmp_path / "a/warc") if one.kind == "response")
    crawl(tmp_path / "a", tmp_path / "a/warc")
    assert Counter(one.id for one in records(tmp_path / "a/warc") if one.kind == "response") == before
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0


@pytest.mark.parametrize("form", FORMS)
def test_with_reference_the_archive_points_to_the_records_and_every_command_says_so(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, where = saved(tmp_path / f"blog.{form}"), ("--archive", str(tmp_path / "a"))
    assert run(["crawl", BASE, "--replay", str(source), "--reference", *where]) == 0
    assert "the archive only points to them" in capsys.readouterr().out
    assert not list((tmp_path / "a").rglob("*.warc.gz"))
    told = f"of ferry.example only referenced, in {source}: "
    advice = f"To keep them in the archive: blogforever crawl {BASE}/ --replay {source}"
    before = everything(tmp_path / "a")

    assert run(["verify", *where]) == 0
    said = capsys.readouterr().out
    assert f"{told}it was looked whether they are there" in said
    assert "all sound" in said
    assert run(["backup", str(tmp_path / "backup"), *where]) == 1
    said = capsys.readouterr().err
    assert f"{told}the backup does not have them" in said
    assert advice in said
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 2
    assert capsys.readouterr().err.endswith("holds no WARC files to rebuild an archive from.\n")
    assert run(["export", "--format", "wacz", str(tmp_path / "out.wacz"), *where]) == 2
    assert f"{told}they are not in the WACZ" in capsys.readouterr().err
    assert run(["reextract", *where]) == 0
    said = capsys.readouterr().out
    assert f"{POSTS} posts read again, all read as before." in said
    assert f"{told}what is still there was read" in said
    assert everything(tmp_path / "a") == before

    source.rename(tmp_path / "elsewhere")
    assert run(["verify", *where]) == 4
    assert capsys.readouterr().out.startswith(f"The file {source} is not there, and with it ")
    assert run(["reextract", *where]) == 1
    assert f"{POSTS} posts left as they are" in capsys.readouterr().out
    assert everything(tmp_path / "a") == before


def test_what_was_only_referenced_is_kept_by_a_later_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    crawl(tmp_path / "a", source, reference=True)
    posts = everything(tmp_path / "a")["posts"]
    crawl(tmp_path / "a", source)
    source.unlink()
    assert everything(tmp_path / "a")["posts"] == posts
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0
    assert "referenced" not in capsys.readouterr().out
    assert run(["backup", str(tmp_path / "backup"), "--archive", str(tmp_path / "a")]) == 0


def test_what_is_kept_already_is_not_referenced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    crawl(tmp_path / "a", source)
    crawl(tmp_path / "a", source, reference=True)
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0
    assert "referenced" not in capsys.readouterr().out


def test_a_file_that_holds_another_record_than_the_one_referenced_is_found_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    crawl(tmp_path / "a", source, reference=True)
    saved(source, blog(), WHEN.replace(year=2023))
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 4
    assert f"of {source} is no longer <urn:uuid:" in capsys.readouterr().out


def test_reference_without_replay_is_refused() -> None:
    assert run(["crawl", BASE, "--reference"]) == 2


def test_a_backup_without_warc_files_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ArchiveFolder(tmp_path / "a", writing=True):
        pass
    assert run(["backup", str(tmp_path / "backup"), "--archive", str(tmp_path / "a")]) == 0
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "b").exists()


def test_what_is_erased_of_files_that_are_only_referenced_is_said_to_be_there_still(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, where = saved(tmp_path / "blog.warc.gz"), ("--archive", str(tmp_path / "a"))
    crawl(tmp_path / "a", source, reference=True)
    before = source.read_bytes()
    assert run(["suppress", BASE + slug(3), "--erase", "--reason", "asked", *where]) == 0
    assert f"could not be searched: {source}" in capsys.readouterr().out
    assert source.read_bytes() == before
    assert slug(3).encode() not in (tmp_path / "a/archive.db").read_bytes()


def test_an_erased_post_goes_with_its_copy_out_of_a_web_archive(tmp_path: Path) -> None:
    wrapped = {f"/web/20120601000000id_/{BASE}{place}": reply for place, reply in blog().items()}
    source = saved(tmp_path / "blog.warc.gz", wrapped, base="https://web.archive.org")
    crawl(tmp_path / "a", source)
    where = ("--archive", str(tmp_path / "a"))
    assert run(["suppress", BASE + slug(3), "--erase", "--reason", "asked", *where]) == 0
    assert not [one for one in records(tmp_path / "a/warc") if slug(3) in one.url]
    assert run(["verify", *where]) == 0


def test_an_erasure_in_one_blog_leaves_another_blogs_copy_of_the_same_record(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz").absolute()
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        found = []
        for name in ("one", "two"):
            number, _ = archive.store.runs.open(name)
            ref = archive.replayed(name, number, {}, WarcReader([source])).find(f"{BASE}/feed.xml")
            found += [ref] if ref else []
        archive.store.flush()
        gone = Rewritten(dropped={found[0].record_id})
        cleaning = Cleaning(lambda record: record, lambda text: text, lambda _url: False, lambda _count: None)
        archive.store.erase("one", frozenset(), gone, cleaning)
        assert not list(archive.store.captures.of_blog("one"))
        assert list(archive.store.captures.of_blog("two")) == found[1:]
        assert len(found) == 2


def test_records_without_a_reply_are_read_where_they_stand_for_an_address_and_counted_where_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = saved(tmp_path / "blog.warc.gz", {k: v for k, v in blog().items() if k != slug(13)})
    add_resources(source, {BASE + slug(13): blog()[slug(13)].body, "urn:view:1": b"a picture", "urn:text:1": b"words"})
    assert run(["crawl", BASE, "--replay", str(source), "--archive", str(tmp_path / "a")]) == 0
    assert "were passed over: 2 of type resource." in capsys.readouterr().out
    assert (BASE + slug(13), 1) in everything(tmp_path / "a")["posts"]
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0
    assert run(["reextract", "--archive", str(tmp_path / "a")]) == 0


def test_a_record_that_is_cut_off_is_a_failure_of_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replies = blog()
    last = replies.pop(slug(13))
    source = saved(tmp_path / "blog.warc.gz", replies | {slug(13): last}, requests=False)
    source.write_bytes(source.read_bytes()[:-300])
    assert run(["crawl", BASE, "--replay", str(source), "--archive", str(tmp_path / "a")]) == 1
    assert f"missing: {BASE}{slug(13)} (damaged record)" in capsys.readouterr().out
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0


def test_a_live_crawl_does_not_go_on_with_what_an_interrupted_replay_copied(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        run_number, _ = archive.store.runs.open("ferry.example")
        files = archive.replayed("ferry.example", run_number, {}, WarcReader([source]))
        assert files.find(f"{BASE}/") is not None
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        again, since = archive.store.runs.open("ferry.example")
        assert again == run_number
        assert archive.warcs("ferry.example")
        assert archive.captured_since("ferry.example", since or "") is None


def test_a_replay_that_was_killed_copies_the_rest_and_nothing_twice(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz")
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        run_number, _ = archive.store.runs.open("ferry.example")
        files = archive.replayed("ferry.example", run_number, {}, WarcReader([source.absolute()]))
        files.find(f"{BASE}/")
        (left,) = (tmp_path / "a/warc").rglob("*.open")
        torn = left.read_bytes()
    # As if it had been killed before anything was told to the database.
    shutil.rmtree(tmp_path / "a")
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        archive.store.runs.open("ferry.example")
    left.parent.mkdir(parents=True)
    left.write_bytes(torn + b"\x1f\x8b\x08half a record")
    crawl(tmp_path / "a", source)
    copied = Counter(one.id for one in records(tmp_path / "a/warc") if one.kind == "response")
    assert set(copied.values()) == {1}
    assert run(["verify", "--archive", str(tmp_path / "a")]) == 0
