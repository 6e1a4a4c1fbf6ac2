"""What people do to an archive beside crawling: check, hide, erase, forget, note, back up, pack, move apart."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from blogforever.archive.checking import archive_state, free_space, installation, verify
from blogforever.archive.erasing import Erased, FinishedErasure
from blogforever.archive.keeping import Backup, back_up
from blogforever.archive.moving import BlogMoves, list_moves, undo_move
from blogforever.archive.notices import erased_words, finished_sentence, outside_sentence
from blogforever.archive.opening import finish_erasures, open_archive
from blogforever.archive.packing import export_wacz
from blogforever.archive.referenced import OutsideResponses
from blogforever.archive.suppressing import (
    Meant,
    add_note,
    forget_blog,
    list_hidden,
    list_notes,
    suppress,
    unsuppress,
)
from blogforever.errors import UsageError
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.store.unfinished import Plan
from server.smallarchive import BLOG, address, make_archive
from server.writtenarchive import small_post, write_archive

COMMENTS = [
    {"id": "c1", "author": {"name": "Jane  Doe"}, "text": "Fine."},
    {"id": "c2", "author": {"name": "jane doe"}, "text": "Finer."},
]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "a")


@pytest.fixture
def commented(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "c", small_post("boats", "Boats.", comments=COMMENTS, authors=[{"name": "Bo"}]))


def urls(archive: Path) -> list[str]:
    with ArchiveFolder(archive, writing=False) as opened:
        return [post.url for post in opened.library.posts(BLOG)]


def test_a_sound_archive_has_no_findings(archive: Path) -> None:
    verdict = verify(archive)
    assert (verdict.problems, verdict.damaged, verdict.cut_off, verdict.outside) == (0, False, (), ())
    assert (verdict.counts.files, verdict.counts.posts) == (1, 3)


def test_a_file_that_is_gone_is_damage(archive: Path) -> None:
    shutil.rmtree(archive / "warc" / BLOG)
    verdict = verify(archive)
    assert verdict.damaged
    assert verdict.problems <= len(verdict.findings)


def test_how_an_archive_is(archive: Path, tmp_path: Path) -> None:
    state = archive_state(archive)
    assert state
    assert [(blog.title, blog.posts, blog.first, blog.last) for blog in state.blogs] == [
        ("Lanterns", 3, "2020-01-01", "2020-01-03")
    ]
    assert state.size > 0
    assert (state.left_open, state.cut_off, state.interrupted, state.trouble) == (0, (), (), None)
    assert archive_state(tmp_path / "nothing") is None


def test_a_crawl_that_was_interrupted_and_an_archive_that_cannot_be_read(archive: Path) -> None:
    with ArchiveFolder(archive, writing=True) as opened:
        opened.store.runs.open(BLOG)
    state = archive_state(archive)
    assert state
    assert state.interrupted == (f"https://{BLOG}/",)
    (archive / "archive.db").write_bytes(b"no database at all, but long enough to be looked at" * 9)
    broken = archive_state(archive)
    assert broken
    assert broken.trouble


def test_what_is_installed() -> None:
    found = installation()
    assert found.libraries["scrapy"]
    assert (found.browser is None) != (found.browser_lacks is None)
    assert found.full_text_search


def test_room_is_measured_where_the_archive_will_be(tmp_path: Path) -> None:
    assert free_space(tmp_path / "not" / "yet") > 0


def test_a_post_is_hidden_until_it_is_shown_again(archive: Path) -> None:
    done = suppress(archive, Meant(address(1)), "asked")
    assert (done.target.kind, done.target.name, done.target.posts) == ("url", address(1), 1)
    assert (done.until, done.forgotten, done.erased) == (None, False, None)
    assert urls(archive) == [address(2), address(0)]
    (hidden,) = list_hidden(archive)
    assert (hidden.kind, hidden.target, hidden.reason) == ("url", address(1), "asked")
    assert unsuppress(archive, address(1), None, "settled") == [hidden]
    assert len(urls(archive)) == 3
    assert list_hidden(archive) == []


def test_hiding_needs_a_reason_and_a_day_that_is_one(archive: Path) -> None:
    with pytest.raises(UsageError, match="needs a reason"):
        suppress(archive, Meant(address(1)), "  ")
    with pytest.raises(UsageError, match="'soon' is no day"):
        suppress(archive, Meant(address(1)), "asked", until="soon")
    assert suppress(archive, Meant(BLOG), "agreed", until="2090-01-31").until == "2090-01-31"


def test_what_is_meant_is_told_by_its_kind(commented: Path) -> None:
    author = suppress(commented, Meant("Jane Doe", "author", BLOG), "she asked").target
    assert (author.posts, author.comments, author.blog) == (0, 2, BLOG)
    assert suppress(commented, Meant("c1"), "asked").target.kind == "comment"
    assert suppress(commented, Meant("https://elsewhere.example/", "url"), "asked").target.blog is None
    with pytest.raises(UsageError, match="no post, comment or blog 'nothing'"):
        suppress(commented, Meant("nothing"), "asked")
    with pytest.raises(UsageError, match="no kind 'colour'"):
        suppress(commented, Meant("c1", "colour"), "asked")


def test_what_is_erased_is_counted(archive: Path) -> None:
    done = suppress(archive, Meant(address(1)), "court order", erase=True)
    assert done.erased
    # The request goes with its response.
    assert (done.erased.posts, done.erased.dropped) == (1, 2)
    assert done.erased.anything
    assert list_hidden(archive)[0].erased
    assert not verify(archive).damaged


def test_an_erased_blog_is_forgotten(archive: Path) -> None:
    assert suppress(archive, Meant(BLOG), "court order", erase=True).forgotten
    assert urls(archive) == []


def test_a_blog_is_forgotten_with_a_reason(archive: Path) -> None:
    with pytest.raises(UsageError, match="needs a reason"):
        forget_blog(archive, BLOG, "")
    assert forget_blog(archive, BLOG, "the owner asked").kept == 3
    assert not (archive / "warc" / BLOG).exists()


def test_notes_are_kept_for_what_they_are_about(archive: Path) -> None:
    assert add_note(archive, address(0), " by hand ").name == address(0)
    assert add_note(archive, BLOG, "of the family").kind == "blog"
    assert [(note.target, note.text) for note in list_notes(archive)] == [
        (address(0), "by hand"),
        (BLOG, "of the family"),
    ]
    assert [note.text for note in list_notes(archive, BLOG)] == ["of the family"]


def test_an_erasure_that_was_cut_off_is_finished(archive: Path) -> None:
    with open_archive(archive, writing=True) as opened:
        opened.unfinished.begin(Plan(BLOG, "forget", moment(), "asked"))
    assert verify(archive).cut_off == (BLOG,)
    assert finish_erasures(archive) == [FinishedErasure("forgotten", BLOG)]
    assert finish_erasures(archive) == []
    assert archive_state(archive)


def test_sentences_about_erasures() -> None:
    erased = Erased(dropped=2, blanked=1, posts=1, records=0, files=3, unread=tuple("abcdefg"))
    assert erased_words(erased) == (
        "1 post and 2 records of the WARC files are gone; in 1 other record and 0 other posts words are unreadable now;"
        " so are they in 3 other files of the archive folder, or the file is gone;"
        " 7 documents could not be searched: a, b, c, d, e"
    )
    assert finished_sentence(FinishedErasure("forgotten", "b")) == "The blog b was not wholly forgotten; now it is."
    renewed = finished_sentence(FinishedErasure("renewed", "b", Erased()))
    assert renewed.startswith("What a crawl of b had brought back is erased again: 0 posts and")
    assert finished_sentence(FinishedErasure("erased", None)).startswith("An erasure that was cut off is finished: ")


def test_where_referenced_responses_lie() -> None:
    one = OutsideResponses("b", "https://b.example/", 1, ("/files/a.warc",))
    assert outside_sentence(one, "they are missing") == (
        "1 response of b only referenced, in /files/a.warc: they are missing."
        " To keep them in the archive: blogforever crawl https://b.example/ --replay /files/a.warc"
    )
    many = OutsideResponses("b", "b", 9, tuple(f"/files/{name}.warc" for name in "abcde"))
    sentence = outside_sentence(many, "m")
    assert "in /files/a.warc, /files/b.warc, /files/c.warc and 2 more files: m." in sentence
    assert sentence.endswith("--replay /files")


def test_a_backup_copies_what_is_new_and_removes_what_went(archive: Path, tmp_path: Path) -> None:
    first = back_up(archive, tmp_path / "b")
    assert first.copied == first.files > 0
    assert back_up(archive, tmp_path / "b") == Backup(first.files, 0, 0, first.size)
    forget_blog(archive, BLOG, "asked")
    later = back_up(archive, tmp_path / "b")
    assert later.removed > 0
    assert later.left_out == ()


def test_a_backup_wants_a_place_of_its_own(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="another place"):
        back_up(archive, archive / "inside")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/file").write_text("x")
    with pytest.raises(UsageError, match="holds other things"):
        back_up(archive, tmp_path / "other")


def test_one_blog_is_packed(archive: Path, tmp_path: Path) -> None:
    packed = export_wacz(archive, tmp_path / "x.wacz")
    assert (packed.title, packed.pages, packed.responses, packed.left_out) == ("Lanterns", 3, 3, ())


def test_nothing_and_too_much_cannot_be_packed(commented: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no captured page of Small Things"):
        export_wacz(commented, tmp_path / "x.wacz")
    with ArchiveFolder(tmp_path / "empty", writing=True):
        pass
    with pytest.raises(UsageError, match="empty"):
        export_wacz(tmp_path / "empty", tmp_path / "x.wacz")


def test_a_blog_that_never_moved(archive: Path) -> None:
    assert list_moves(archive, BLOG) == BlogMoves(BLOG, ())
    with pytest.raises(UsageError, match=r"There is no move 1 of b\.example; nothing of it has moved"):
        undo_move(archive, BLOG, 1, "a mistake")
