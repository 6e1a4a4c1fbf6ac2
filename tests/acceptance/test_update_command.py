"""A day with an archive and no service: a list of blogs, cron, what is new, what is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from blogforever import clock
from server.blogserver import Site, serve_answers
from server.commands import done_here
from server.wpblog import Blog, answer

PAGE = Path(__file__).parents[2] / "docs/howto/keep-up-to-date.md"
SETTINGS = 'archive = "archive"\nallow-private = true\ndelay = 0\nrender = "never"\n'
BEFORE = timedelta(days=10)


class Author:
    """Somebody with a blog, who writes on."""

    def __init__(self, posts: int = 3) -> None:
        self.blog = Blog(posts=posts, in_feed=posts)

    def write(self) -> None:
        more = self.blog.posts + 1
        self.blog = replace(self.blog, posts=more, in_feed=more)

    @contextmanager
    def served(self) -> Iterator[Site]:
        with serve_answers(lambda base: lambda path: answer(self.blog, base, path)) as site:
            yield site


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's folders: the program where pipx puts it, and one for blogs."""
    (tmp_path / ".local/bin").mkdir(parents=True)
    program = tmp_path / ".local/bin/blogforever"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m blogforever "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "blogs").mkdir()
    (tmp_path / "blogs/blogforever.toml").write_text(SETTINGS, encoding="utf-8")
    return tmp_path


def long_ago() -> datetime:
    return datetime.now(UTC) - BEFORE


def cron(home: Path) -> subprocess.CompletedProcess[str]:
    """What cron does with the line of the docs: five fields of time, the rest for sh, with next to no environment."""
    lines = re.findall(r"```cron\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    (command,) = [line.split(None, 5)[5] for line in lines[0].splitlines() if line]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=home, env=environment, capture_output=True, text=True, check=False
    )


def crawl(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return done_here("crawl", *words, cwd=home / "blogs")


def test_the_cron_line_of_the_docs_keeps_an_archive_up_to_date_and_is_silent(home: Path) -> None:
    author, folder = Author(), home / "blogs"
    with author.served() as site:
        with clock.handed_in(long_ago):
            assert crawl(home, site.base).returncode == 0
        author.write()
        done = cron(home)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        news = done_here("news", "--json", cwd=folder).stdout.splitlines()
        assert [(json.loads(line)["kind"], json.loads(line)["url"]) for line in news] == [
            ("new", site.base + author.blog.path(3))
        ]
        asked = len(site.asked)
        again = cron(home)
        assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
        assert len(site.asked) == asked, "nothing was due, and nobody was asked"


def test_cron_hears_of_a_blog_that_cannot_be_reached_and_only_of_that(home: Path) -> None:
    author, other = Author(), Author()
    with author.served() as site:
        with other.served() as gone, clock.handed_in(long_ago):
            assert crawl(home, site.base, gone.base).returncode == 0
        done = cron(home)
    assert done.returncode == 1
    assert done.stdout == ""
    told, advice = done.stderr.splitlines()
    assert f"({gone.base}/): it cannot be reached (connection); its 3 posts are kept." in told
    assert "try again later" in advice


def test_a_dry_run_says_what_is_due_and_asks_nobody(home: Path) -> None:
    author, folder = Author(), home / "blogs"
    with author.served() as site:
        with clock.handed_in(long_ago):
            crawl(home, site.base)
        asked = len(site.asked)
        told = done_here("update", "--dry-run", cwd=folder).stdout
        rows = json.loads(done_here("update", "--dry-run", "--json", cwd=folder).stdout)["items"]
        assert len(site.asked) == asked
        assert "1 blog of 1 due." in told
        assert [row["due"] for row in rows] == [True]
        assert done_here("update", cwd=folder).returncode == 0
        assert "0 blogs of 1 due." in done_here("update", "--dry-run", cwd=folder).stdout
        assert "Nothing is due. The next is " in done_here("update", cwd=folder).stdout
        asked = len(site.asked)
        assert done_here("update", "--all", cwd=folder).returncode == 0
        assert done_here("update", site.base, cwd=folder).returncode == 0
        assert len(site.asked) > asked


def test_update_of_a_blog_nobody_knows_or_of_named_ones_and_all_is_refused(home: Path) -> None:
    author = Author()
    with author.served() as site:
        crawl(home, site.base)
    folder = home / "blogs"
    assert done_here("update", "nobody.example", cwd=folder).returncode == 2
    assert done_here("update", site.base, "--all", cwd=folder).returncode == 2


def test_a_blog_that_a_person_paused_is_not_due(home: Path) -> None:
    author, folder = Author(), home / "blogs"
    with author.served() as site:
        with clock.handed_in(long_ago):
            crawl(home, site.base)
        assert done_here("add", site.base, cwd=folder).returncode == 0
        blog = json.loads(done_here("list", "--json", cwd=folder).stdout)["id"]
        done_here("schedule", "pause", blog, cwd=folder)
        told = done_here("update", "--dry-run", cwd=folder).stdout
    assert "never" in told
    assert "blogforever schedule resume" in told


def test_blogs_come_out_of_a_file_or_standard_input_and_wrong_rows_are_named(home: Path) -> None:
    author, other, folder = Author(), Author(), home / "blogs"
    with author.served() as one, other.served() as two:
        (folder / "blogs.txt").write_text(f"{one.base}\nnot an address\n", encoding="utf-8")
        done = crawl(home, "--from", "blogs.txt")
        assert done.returncode == 1
        assert "blogforever: blogs.txt, row 2: " in done.stderr
        assert "3 posts kept" in done.stdout
        piped = done_here("crawl", "--from", "-", cwd=folder, stdin=f"{two.base}\n".encode())
        assert piped.returncode == 0
    assert len(done_here("list", "--json", cwd=folder).stdout.splitlines()) == 2
    assert crawl(home).returncode == 2
    assert crawl(home, "--from", "nowhere.txt").returncode == 2


def test_many_blogs_end_with_a_sum_and_what_needs_a_look(home: Path) -> None:
    authors = [Author() for _ in range(4)]
    authors[0].blog = replace(authors[0].blog, gone=frozenset({1, 2}))
    with ExitStack() as sites:
        bases = [sites.enter_context(author.served()).base for author in authors]
        done = crawl(home, *bases)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"4 blogs: 10 posts kept; \d+ requests; 1 blog to look at\.", lines[-1])
    assert bases[0] in lines[0]
    assert len(lines) < 6
    blog = next(line.split()[2] for line in lines if line.startswith("  blogforever missing "))
    missing = done_here("missing", blog, cwd=home / "blogs")
    assert missing.returncode == 1
    assert missing.stdout.count("announced  ") == 2
    assert "The blog names pages that are not there" in missing.stdout


def test_lists_of_what_is_new_young_or_gone(home: Path) -> None:
    author, folder = Author(), home / "blogs"
    with author.served() as site:
        with clock.handed_in(long_ago):
            crawl(home, site.base)
        author.write()
        done_here("update", cwd=folder)
    blog = json.loads(done_here("list", "--json", cwd=folder).stdout)
    assert (blog["posts"], blog["status"], blog["missing"]) == (4, "active", 0)
    rows = [
        json.loads(line) for line in done_here("list", blog["id"], "--new", "--json", cwd=folder).stdout.splitlines()
    ]
    assert [row["url"] for row in rows] == [site.base + author.blog.path(3)]
    assert len(done_here("list", blog["id"], "--new", "--since", "20d", cwd=folder).stdout.splitlines()) == 4
    assert done_here("list", blog["id"], "--status", "gone", cwd=folder).stdout == ""
    assert done_here("list", "--status", "frozen", cwd=folder).stdout == "No such blogs.\n"
    assert done_here("list", "--status", "gone", cwd=folder).returncode == 2
    assert done_here("list", "--since", "2100-01-01", cwd=folder).stdout == "No such blogs.\n"
    assert blog["title"] in done_here("list", "--new", cwd=folder).stdout
    assert done_here("list", "--since", "some day", cwd=folder).returncode == 2
    told = done_here("news", cwd=folder).stdout
    assert f"{blog['title']} ({blog['id']}): 1 new" in told
    assert "1 piece of news from 1 blog." in told
    assert done_here("news", "--kind", "gone", cwd=folder).stdout == "Nothing is new.\n"


def test_one_v_is_info_and_two_are_debug(home: Path) -> None:
    author = Author()
    with author.served() as site:
        assert "INFO " not in crawl(home, site.base).stderr
        assert "INFO " in crawl(home, site.base, "-v", "--full").stderr
