"""What people hide is hidden everywhere, at once, and stays so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import blogforever, run
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, serve, slug


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    with serve() as site:
        crawl_blog(site.base, Config(archive=folder, allow_private=True, delay=0.0))
    return folder


def call(archive: Path, *arguments: str) -> Result:
    return CliRunner().invoke(blogforever, [*arguments, "--archive", str(archive)], standalone_mode=False)


def said(archive: Path, *arguments: str) -> str:
    result = call(archive, *arguments)
    assert result.exception is None, result.exception
    return result.output


def address(archive: Path, number: int) -> str:
    with ArchiveFolder(archive, writing=False) as opened:
        return next(
            post.url
            for blog in opened.library.blogs(everything=True)
            for post in opened.library.posts(blog.id, everything=True)
            if post.url.endswith(slug(number))
        )


def test_a_hidden_post_is_nowhere_until_it_is_shown_again(archive: Path, tmp_path: Path) -> None:
    url = address(archive, 3)
    assert "Story 3 begins" in said(archive, "search", '"story 3 begins"')
    assert said(archive, "suppress", url.replace("http://", ""), "--reason", "asked") == f"Hidden: the post {url}.\n"
    assert slug(3) not in said(archive, "list", "The Ferry Log")
    assert f"{POSTS - 1} posts" in said(archive, "list")
    assert said(archive, "search", '"story 3 begins"') == "Nothing was found.\n"
    assert run(["show", url, "--archive", str(archive)]) == 2
    assert "Story 3 begins" not in said(archive, "export")
    assert "Story 3 begins" not in said(archive, "export", "--format", "csv")
    said(archive, "export", "--format", "site", str(tmp_path / "copy"))
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "copy").rglob("*.html")]
    assert len(pages) > POSTS
    assert not any("Story 3 begins" in page for page in pages)
    assert "asked" in said(archive, "suppress", "--list")
    assert run(["verify", "--archive", str(archive)]) == 0
    said(archive, "unsuppress", url)
    assert "Story 3 begins" in said(archive, "search", '"story 3 begins"')
    assert said(archive, "suppress", "--list") == "Nothing is hidden.\n"


def test_a_blog_an_author_and_an_embargo(archive: Path) -> None:
    said(archive, "suppress", "The Ferry Log".lower(), "--kind", "author", "--reason", "nobody")
    assert said(archive, "export").count('"type":"post"') == POSTS
    told = said(archive, "suppress", "--kind", "author", "ann ferrier", "--reason", "asked")
    assert told == f"Hidden: everything by ann ferrier ({POSTS} posts).\n"
    assert said(archive, "export").count('"type":"post"') == 0
    said(archive, "unsuppress", "Ann Ferrier")
    blog = json.loads(said(archive, "export").splitlines()[0])["id"]
    assert run(["embargo", blog, "--until", "2020-01-01", "--reason", "over long ago", "--archive", str(archive)]) == 2
    assert "The Ferry Log" in said(archive, "list")
    said(archive, "embargo", blog, "--until", "2999-01-01", "--reason", "agreed")
    assert said(archive, "list") == "The archive is empty.\n"
    assert said(archive, "export") == ""
    assert "until 2999-01-01: agreed" in said(archive, "suppress", "--list")


def test_notes_are_kept(archive: Path) -> None:
    url = address(archive, 5)
    said(archive, "note", url, "the date is wrong on the page")
    assert said(archive, "note", url).endswith(f"{url}  the date is wrong on the page\n")
    assert said(archive, "note", address(archive, 6)) == "There is no note.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("suppress", "https://nowhere.example/", "--reason", "x"),
        ("suppress", "{url}", "--reason", " "),
        ("embargo", "{url}", "--until", "soon", "--reason", "x"),
        ("embargo", "{url}", "--until", "2020-01-01", "--reason", "x"),
        ("unsuppress", "{url}"),
        ("suppress", "{url}", "--kind", "comment", "--reason", "x"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    archive: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    typed = [argument.format(url=address(archive, 1)) for argument in arguments]
    assert run([*typed, "--archive", str(archive)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_title_is_answered_with_the_address_that_hides_the_post(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["search", "anything", "--archive", str(archive)])
    capsys.readouterr()
    assert run(["suppress", "story 1", "--reason", "x", "--archive", str(archive)]) == 2
    assert f"Write the address of the post, not 'story 1': did you mean Story 1 ({address(archive, 1)}" in (
        capsys.readouterr().err
    )


def test_a_hidden_post_stays_hidden_when_it_is_crawled_again(tmp_path: Path) -> None:
    folder, lines = tmp_path / "archive", tmp_path / "lines.jsonl"
    with serve() as site:
        crawl_blog(site.base, Config(archive=folder, allow_private=True, delay=0.0))
        said(folder, "suppress", site.base + slug(9), "--reason", "asked")
        crawl = ["crawl", site.base, "--allow-private", "--delay", "0", "--archive", str(folder), "--jsonl", str(lines)]
        assert run(crawl) in (0, 1)
    assert "Story 9 begins" not in lines.read_text(encoding="utf-8")
    assert "Story 9 begins" not in said(folder, "export")
