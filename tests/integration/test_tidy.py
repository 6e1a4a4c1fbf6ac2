"""`blogforever tidy`: small WARC files become larger ones, and nothing else differs; also when it is killed anywhere.

A few moments here; `make soak` sets KILLS to fifty.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive
from blogforever.cli import run
from blogforever.store import joinedfiles, mirror
from blogforever.store.folder import ArchiveFolder
from blogforever.store.members import members, read_head, sections
from blogforever.store.revisits import pointer_of
from server import talkblog
from server.blogserver import serve_answers
from server.killpoint import killed_at, steps_of
from server.objectstore import client, new_bucket, use_store
from server.smallarchive import state_of
from server.talkblog import path, tale

pytestmark = pytest.mark.long

MOMENTS = int(os.environ.get("KILLS", "6"))
UPDATES = 3
CRAWL = ("--allow-private", "--delay", "0")
WRITING = (["tidy"], ["suppress", "--finish"], ["reextract"])


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A blog crawled whole several times: each time a file, the later ones full of repeated responses."""
    return crawled(tmp_path_factory.mktemp("base") / "archive")


def crawled(archive: Path, *more: str) -> Path:
    for number in range(UPDATES + 1):
        with serve_answers(talkblog.answers(f"<p>Seen {number} times.</p>"), port_of(archive)) as site:
            (archive.parent / "port").write_text(site.base.rpartition(":")[2])
            call(archive, "crawl", site.base, *CRAWL, *more, *(["--full"] if number else []))
    return archive


def port_of(archive: Path) -> int:
    """The blog stays where it was."""
    known = archive.parent / "port"
    return int(known.read_text().strip("/")) if known.is_file() else 0


def call(archive: Path, *arguments: str, code: int = 0) -> None:
    assert run([*arguments, "--archive", str(archive)]) == code


@pytest.fixture
def archive(base: Path, tmp_path: Path) -> Path:
    shutil.copytree(base, tmp_path / "archive")
    return tmp_path / "archive"


def files(archive: Path) -> list[Path]:
    return sorted((archive / "warc").glob("*/*.warc.gz"))


def exported(archive: Path) -> list[str]:
    """All records as they are given out."""
    with ArchiveFolder(archive, writing=False) as opened:
        return sorted(opened.exported())


def responses(archive: Path) -> dict[tuple[str, str], tuple[int, str, bytes]]:
    """Every response that the database knows, as it is read: by its id."""
    with ArchiveFolder(archive, writing=False) as opened:
        reader = opened.reader()
        refs = [ref for blog in opened.library.blogs() for ref in opened.store.captures.of_blog(blog.id)]
        read = {(ref.record_id, ref.digest): reader.response(ref) for ref in refs}
    return {key: (status, page.url, page.content) for key, (status, page) in read.items()}


def looked_up(archive: Path) -> dict[str, list[tuple[str, str, str]]]:
    """What replay finds under each address by the index."""
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = [blog.id for blog in opened.library.blogs()]
        index = opened.index(blog)
        assert index is not None
        urls = {line.split('"url": "')[1].split('"')[0] for line in opened.index_path(blog).read_text().splitlines()}
        found = {url: [(line.stamp, line.status, line.digest) for line in index.find(url)] for url in urls}
        index.close()
    return found


def pointers(archive: Path) -> list[bool]:
    """Of every repeated response, whether what it repeats lies where it says."""
    found = []
    places = {}
    for file in files(archive):
        for member in members(file):
            head = read_head(member.data) if member.data else None
            if head is not None:
                places[head.record_id] = (file.name, member.offset)
                if head.kind == "revisit":
                    pointer = pointer_of(head.headers)
                    found.append(places.get(pointer.record_id) == (pointer.file, pointer.offset))
    return found


def test_files_are_joined_and_nothing_else_differs(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (exported(archive), responses(archive), looked_up(archive))
    number = len(files(archive))
    assert number >= UPDATES + 1
    capsys.readouterr()
    call(archive, "tidy")
    told = capsys.readouterr().out
    assert f"{number} WARC files joined to 1." in told
    assert len(files(archive)) == 1
    assert (exported(archive), responses(archive), looked_up(archive)) == before
    assert set(pointers(archive)) == {True}
    call(archive, "verify")
    call(archive, "tidy")
    assert "There is nothing to join." in capsys.readouterr().out


def test_what_is_read_again_is_the_same(base: Path, archive: Path, tmp_path: Path) -> None:
    shutil.copytree(base, tmp_path / "untidied")
    call(archive, "tidy")
    for place in (archive, tmp_path / "untidied"):
        call(place, "reextract")
    assert exported(archive) == exported(tmp_path / "untidied")


def test_an_archive_is_rebuilt_from_joined_files(base: Path, archive: Path, tmp_path: Path) -> None:
    """Each crawl finds what it had then, and not what a later one wrote into the same file."""
    shutil.copytree(base, tmp_path / "untidied")
    call(archive, "tidy")
    assert len(sections(files(archive)[0])) >= UPDATES + 1
    for place in (archive, tmp_path / "untidied"):
        for name in place.glob("archive.db*"):
            name.unlink()
        call(place, "restore")
    assert exported(archive) == exported(tmp_path / "untidied")
    assert any(json.loads(line).get("version", 1) > 1 for line in exported(archive))


def test_the_next_update_goes_on(archive: Path, base: Path) -> None:
    call(archive, "tidy")
    (joined,) = files(archive)
    with serve_answers(talkblog.answers("<p>Seen again.</p>"), port_of(base)) as site:
        call(archive, "crawl", site.base, *CRAWL, "--full")
    assert len(files(archive)) > 1
    assert set(pointers(archive)) == {True}
    assert joined in files(archive)
    call(archive, "verify")


def test_an_erasure_goes_through_joined_files(archive: Path) -> None:
    call(archive, "tidy")
    with ArchiveFolder(archive, writing=False) as opened:
        (url,) = [post.url for blog in opened.library.blogs() for post in opened.library.posts(blog.id)
                  if post.url.endswith(path(3))]  # fmt: skip
    call(archive, "suppress", url, "--erase", "--reason", "asked")
    assert not [page for _status, _url, page in responses(archive).values() if tale(3)[0].encode() in page]
    call(archive, "verify")


def test_a_large_file_is_left_and_learns_where_what_it_repeats_lies_now(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last file counts as large here: only the others are joined."""
    last = files(archive)[-1]
    sizes = [file.stat().st_size for file in files(archive)]
    small = [size for size in sizes[:-1] if size < sizes[0]]
    assert small
    monkeypatch.setattr(joinedfiles, "_is_sound", lambda one: one != last)
    before = responses(archive)
    call(archive, "tidy")
    assert 1 < len(files(archive)) < len(sizes)
    assert responses(archive) == before
    assert set(pointers(archive)) == {True}
    call(archive, "verify")


def test_a_dry_run_touches_nothing(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state_of(archive)
    call(archive, "tidy", "--dry-run")
    assert "would be joined to 1" in capsys.readouterr().out
    assert state_of(archive) == before


def test_a_blog_that_somebody_writes_is_left(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_archive(archive, writing=True) as opened:
        opened.hold([blog.id for blog in opened.library.blogs()])
        call(archive, "tidy")
    assert "another command is writing it" in capsys.readouterr().out


def test_nothing_is_lost_whenever_it_is_killed(base: Path, tmp_path: Path) -> None:
    trial = tmp_path / "trial"
    shutil.copytree(base, trial)
    before, records = (responses(base), looked_up(base)), exported(base)
    steps = steps_of(trial, "tidy", "--archive", str(trial))
    moments = sorted({1 + round(n * (steps - 1) / max(MOMENTS - 1, 1)) for n in range(MOMENTS)})
    for number, step in enumerate(moments):
        shutil.rmtree(trial)
        shutil.copytree(base, trial)
        assert killed_at(step, trial, "tidy", "--archive", str(trial)) or step == steps
        # Who reads meanwhile finds everything, and nothing is called damaged.
        assert responses(trial) == before[0], f"killed before step {step} of {steps}"
        assert exported(trial) == records
        call(trial, "verify")
        call(trial, *WRITING[number % len(WRITING)])
        assert not list((trial / "journal/unfinished").glob("*"))
        assert (responses(trial), looked_up(trial)) == before, f"killed before step {step} of {steps}"
        call(trial, "verify")
        call(trial, "tidy")
        assert len(files(trial)) == 1
        assert not [name for name in trial.rglob("*part") if name.parent.parent.name == "warc"]


def test_a_plan_of_somebody_else_takes_away_nothing(archive: Path) -> None:
    """Names of files come out of the archive itself: they lead nowhere else, and what is used stays."""
    (blog,) = {file.parent.name for file in files(archive)}
    outside = archive.parent / "outside.warc.gz"
    outside.write_bytes(b"mine")
    plan = {"blog": blog, "what": "join", "at": "", "reason": "", "drop": [], "blank": []}
    place = archive / "journal/unfinished" / f"{blog}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(plan | {"files": ["../../../outside.warc.gz"], "into": []}))
    call(archive, "tidy", code=4)
    assert outside.read_bytes() == b"mine"
    kept = files(archive)
    place.write_text(json.dumps(plan | {"files": [kept[0].name], "into": [kept[1].name]}))
    call(archive, "tidy", code=4)
    assert files(archive) == kept


def test_files_in_a_bucket_are_joined_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "ROOM", 0)
    use_store(monkeypatch)
    bucket = new_bucket()
    archive = crawled(tmp_path / "archive", "--blobs", f"s3://{bucket}/kept")
    before = (exported(archive), responses(archive))
    call(archive, "tidy")
    listed = client().list_objects_v2(Bucket=bucket)["Contents"]
    assert len([one for one in listed if one["Key"].endswith(".warc.gz")]) == 1
    assert (exported(archive), responses(archive)) == before
    call(archive, "verify")
