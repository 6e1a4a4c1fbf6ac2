"""The installed command as a person calls it: exit codes, one-sentence errors, help."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from blogforever.cli import blogforever
from server.blogserver import IN_FEED, POSTS, Reply, post_page, routes, slug, story
from server.commands import done_here

BASE = "https://ferry.example"
Run = subprocess.CompletedProcess[str]


def installed(*arguments: str, cwd: Path, stdin: bytes = b"") -> Run:
    """The command in a process of its own; all others are called in this one."""
    done = subprocess.run(
        [sys.executable, "-m", "blogforever", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def write_warc(path: Path, replies: dict[str, Reply]) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=path.suffix == ".gz")
        for place, reply in replies.items():
            headers = StatusAndHeaders(f"{reply.status} X", list(reply.headers.items()), protocol="HTTP/1.1")
            body = {"payload": BytesIO(reply.body), "length": len(reply.body)}
            writer.write_record(writer.create_warc_record(BASE + place, "response", http_headers=headers, **body))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    write_warc(folder / "blog.warc.gz", routes(BASE, '<a href="/old-story/">old</a>'))
    return folder


def test_a_replayed_crawl_writes_one_line_a_post(saved: Path, tmp_path: Path) -> None:
    done = installed(
        *("crawl", "ferry.example", "--replay", str(saved / "blog.warc.gz"), "--jsonl", "out.jsonl"),
        *("--archive", "a", "--render", "never"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    posts = [record for record in records if record["type"] == "post"]
    assert len(posts) == POSTS
    assert len({post["id"] for post in posts}) == POSTS
    assert f"{POSTS} posts kept" in done.stdout
    assert f"announces {IN_FEED} posts" in done.stdout


def test_a_folder_of_plain_warcs_replays_too_and_records_go_to_standard_output(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "warcs"
    folder.mkdir()
    write_warc(folder / "blog.warc", routes(BASE))
    done = done_here("crawl", BASE, "--replay", "warcs", "--jsonl", "-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sum(json.loads(line)["type"] == "post" for line in done.stdout.splitlines()) == POSTS
    assert "posts kept" in done.stderr


def test_announced_posts_that_are_missing_give_exit_code_1(tmp_path: Path) -> None:
    replies = routes(BASE)
    del replies[slug(POSTS - 1)]
    write_warc(tmp_path / "blog.warc.gz", replies)
    done = done_here("crawl", BASE, "--replay", "blog.warc.gz", "--archive", "a", cwd=tmp_path)
    assert done.returncode == 1
    assert f"missing: {BASE}{slug(POSTS - 1)} (status 404)" in done.stdout


def test_nothing_there_gives_exit_code_3(tmp_path: Path) -> None:
    write_warc(tmp_path / "blog.warc.gz", {"/x": Reply(b"")})
    done = done_here("crawl", BASE, "--replay", "blog.warc.gz", "--archive", "a", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == f"blogforever: No post was found at {BASE}/ (status 404).\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("crawl", "http://"), 2),
        (("crawl", "a.example", "--replay", "nowhere"), 2),
        (("crawl", "a.example", "--max-pages", "many"), 2),
        (("crawl", "a.example", "--render", "sometimes"), 2),
        (("crawl", "a.example", "--no-such-flag"), 2),
        (("extract", "nowhere.html"), 2),
        (("export", "--archive", "nowhere"), 4),
        (("crawl", "a.example", "--archive", "file/a", "--replay", "file"), 4),
        (("harvest",), 2),
    ],
)
def test_an_error_is_one_sentence_and_an_exit_code(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    done = done_here(*arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("blogforever: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("export", "posts.xlsx", "--archive", "a"),
            "Which form is posts.xlsx to have? Known by name are .csv,",
        ),
        (("export", "site", "--archive", "a"), "site would be the name of a file: write --format site, and where to."),
        (("list", "ferry", "--archive", "a"), "There is no blog 'ferry' in this archive; did you mean ferry.example"),
        (("crawl", "x.example", "--max-posts", "ten"), "max-posts cannot be 'ten': write a whole number, 0 or more."),
        (("crwal", "x.example"), "There is no command 'crwal'; did you mean crawl?"),
        (("zigzag",), "There is no command 'zigzag'; blogforever --help lists all."),
        (("harvest",), "There is no command 'harvest'; did you mean crawl?"),
        (("cite", "Story"), "There is no command 'cite'; blogforever export sources.bib writes citations."),
        (("completion",), "Missing argument '{bash|zsh|fish}': write one of bash, zsh, fish. blogforever completion"),
        (("crawl", "a.example", "--replay", "page.html"), "No response was found in page.html; --replay wants .warc,"),
        (("crawl", "page.html"), "page.html is a file, and no address: --replay takes the pages of a blog from it"),
        (("extract", "https://a.example/post"), "Nothing is fetched here: save https://a.example/post as a file first"),
        (("show", "ferry.example", "--archive", "a"), "'ferry.example' is a blog; blogforever list ferry.example has"),
        (("list", "ferry.exampel", "--archive", "a"), "There is no blog 'ferry.exampel' in this archive; did you mean"),
        (("crawl", "http://127.0.0.1:9/"), "(private). It is a private or loopback address: --allow-private fetches"),
        (("crawl", "http://127.0.0.1:9/", "--allow-private", "--retries", "0"), "(connection). Nobody answers there"),
    ],
)
def test_an_error_says_what_to_do_next(saved: Path, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    (tmp_path / "page.html").write_text("<h1>no WARC</h1>", encoding="utf-8")
    if "a" in words:
        done_here("crawl", BASE, "--replay", str(saved / "blog.warc.gz"), "--archive", "a", cwd=tmp_path)
    done = done_here(*words, cwd=tmp_path)
    assert done.returncode in (2, 3)
    assert told in done.stderr


def test_the_name_of_a_file_says_in_which_form_it_is_exported(saved: Path, tmp_path: Path) -> None:
    done_here("crawl", BASE, "--replay", str(saved / "blog.warc.gz"), "--archive", "a", cwd=tmp_path)
    for name, start in (("p.csv", b"blog,blog_title,"), ("p.jsonl", b'{"'), ("p.xml", b"<?xml"), ("p.wacz", b"PK")):
        assert done_here("export", name, "--archive", "a", cwd=tmp_path).returncode == 0
        assert (tmp_path / name).read_bytes().lstrip(b"\xef\xbb\xbf").startswith(start)


def test_who_reads_no_further_is_no_failure(saved: Path, tmp_path: Path) -> None:
    done_here("crawl", BASE, "--replay", str(saved / "blog.warc.gz"), "--archive", "a", cwd=tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        command = [sys.executable, "-m", "blogforever", "export", "-", "--archive", "a"]
        done = subprocess.run(command, cwd=tmp_path, stdout=nobody, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [("show",), ("diff",), ("moves",), ("jobs", "show")])
def test_help_names_no_number_of_a_machine(words: tuple[str, ...]) -> None:
    told = CliRunner().invoke(blogforever, [*words, "--help"], prog_name="blogforever")
    assert str(2**63)[:6] not in told.output


def test_help_shows_examples_and_exit_codes(tmp_path: Path) -> None:
    text = done_here("--help", cwd=tmp_path).stdout
    assert "blogforever crawl https://some.blog/" in text
    assert "Exit codes: 0 done" in text
    for command in ("crawl", "extract", "list", "show", "search", "export", "verify", "doctor"):
        told = CliRunner().invoke(blogforever, [command, "--help"], prog_name="blogforever")
        assert f"blogforever {command}" in told.output


def test_configuration_comes_from_file_and_environment_and_flag(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blogforever.toml").write_text('archive = "from-file"\nmax-pages = 3\n', encoding="utf-8")
    monkeypatch.setenv("BLOGFOREVER_ARCHIVE", "from-env")
    replay = ("crawl", BASE, "--replay", str(saved / "blog.warc.gz"))
    done_here(*replay, cwd=tmp_path)
    assert (tmp_path / "from-env").is_dir()
    assert not (tmp_path / "from-file").exists()
    done = done_here(*replay, "--archive", "from-flag", cwd=tmp_path)
    assert (tmp_path / "from-flag").is_dir()
    assert "limit of 3 pages" in done.stdout + done.stderr or done.returncode == 3


def test_extract_reads_standard_input_and_gives_every_format(tmp_path: Path) -> None:
    page = post_page(3)
    done = installed("extract", "-", "--url", BASE + slug(3), cwd=tmp_path, stdin=page)
    record = json.loads(done.stdout)
    assert record["title"] == "Story 3"
    assert story(3)[1] in " ".join(record["text"].split())
    text = done_here("extract", "-", "--url", BASE + slug(3), "--format", "text", cwd=tmp_path, stdin=page).stdout
    assert text.startswith("Story 3\n")
    xml = done_here("extract", "-", "--url", BASE + slug(3), "--format", "xml", cwd=tmp_path, stdin=page).stdout
    assert "<title>Story 3</title>" in xml


def test_extract_learns_from_a_feed(tmp_path: Path) -> None:
    replies = routes(BASE)
    (tmp_path / "feed.xml").write_bytes(replies["/feed.xml"].body)
    names = []
    for number in range(POSTS):
        head = f'<link rel="canonical" href="{BASE}{slug(number)}">'.encode()
        names.append(f"{number}.html")
        (tmp_path / names[-1]).write_bytes(replies[slug(number)].body.replace(b"</head>", head + b"</head>"))
    done = done_here("extract", *names, "--feed", "feed.xml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["url"] for record in records] == [BASE + slug(number) for number in range(POSTS)]
    assert records[1]["text"].split() == " ".join(story(1)).split()
    assert records[1]["provenance"]["html"]["by"] == "rule"


def test_extract_cuts_a_front_page(tmp_path: Path) -> None:
    done = done_here("extract", "-", "--url", BASE, "--front-page", cwd=tmp_path, stdin=routes(BASE)["/"].body)
    assert [json.loads(line)["title"] for line in done.stdout.splitlines()] == [f"Story {n}" for n in range(7, POSTS)]


def test_extract_survives_what_is_no_page(tmp_path: Path) -> None:
    for junk in (b"", b"\0\xff" * 500, b"<" * 5000, b"\x89PNG\r\n"):
        done = done_here("extract", "-", cwd=tmp_path, stdin=junk)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["type"] == "post"


def test_a_wrong_feed_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_bytes(b"not a feed")
    done = installed("extract", "-", "--feed", "feed.xml", cwd=tmp_path, stdin=post_page(1))
    assert done.returncode == 2
    assert done.stderr.startswith("blogforever: ")


def test_an_export_says_what_it_wrote_and_which_folder_is_not_there(saved: Path, tmp_path: Path) -> None:
    done_here("crawl", BASE, "--replay", str(saved / "blog.warc.gz"), "--archive", "a", cwd=tmp_path)
    done = done_here("export", "p.csv", "--archive", "a", cwd=tmp_path)
    assert (done.stdout, done.stderr.startswith("Written: p.csv (csv, ")) == ("", True)
    assert done_here("export", "p.csv", "--archive", "a", "-q", cwd=tmp_path).stderr == ""
    none = done_here("export", "p.csv", "--archive", "a", "--language", "tlh", cwd=tmp_path)
    assert (none.returncode, "No post fits what was asked for." in none.stderr) == (0, True)
    assert "No post fits" not in done.stderr
    lost = done_here("export", "no/p.csv", "--archive", "a", cwd=tmp_path)
    assert (lost.returncode, "there is no folder no." in lost.stderr) == (4, True)
    nobody = done_here("list", "--archive", "none", cwd=tmp_path)
    assert (nobody.returncode, "blogforever crawl makes one" in nobody.stderr) == (4, True)
