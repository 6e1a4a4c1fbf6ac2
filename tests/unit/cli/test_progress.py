from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from blogforever.archive.jobs import CrawlReport
from blogforever.cli import progress as progress_module
from blogforever.cli.progress import Progress
from blogforever.cli.stopping import stopped_sentence
from blogforever.cli.timeleft import left_words, seconds_left
from blogforever.headway import tell_interrupt


class Standing:
    posts, announced, pages, answered, waiting, errors = 12, 1400, 30, 40, 5, 1

    def __init__(self, blog: str) -> None:
        self.blog = blog


def show(monkeypatch: pytest.MonkeyPatch, log_format: str) -> None:
    monkeypatch.setattr(progress_module, "PLAIN_EVERY", 0.0)
    with Progress(log_format) as progress:
        for blog in ("https://a.example/", "https://b.example/"):
            standing: Any = Standing(blog)
            progress.watch(standing)


def test_plain_lines_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    show(monkeypatch, "text")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("https://a.example/: about 12 posts (1,400 announced so far), 30 pages, 5 waiting, ")
    assert lines[1].endswith(" 1 errors")


def test_json_lines_for_machines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    show(monkeypatch, "json")
    rows = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [row["blog"] for row in rows] == ["https://a.example/", "https://b.example/"]
    assert rows[0]["announced"] == 1400


def test_a_table_of_all_blogs_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress_module, "LIVE_EVERY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    show(monkeypatch, "text")
    assert "a.example" in screen.getvalue()
    assert "b.example" in screen.getvalue()
    assert "1,400" in screen.getvalue()


def test_more_blogs_than_lines_are_counted_and_those_that_are_done_leave(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(total=50)
    standings: list[Any] = [Standing(f"https://b{number}.example/") for number in range(40)]
    for standing in standings:
        progress.watch(standing)
    shown, more = progress.rows(24)
    assert (len(shown), more) == (20, 20)
    progress.finished(CrawlReport("b0.example", "https://b0.example/", 1, posts=12, pages=30))
    assert len(progress.rows(100)[0]) == 39
    assert progress.total_line().startswith("1 of 50 blogs done, 480 posts, 1,200 pages, ")
    assert capsys.readouterr().err == "https://b0.example/: 12 posts kept, from 30 pages.\n"


def test_time_left_is_that_of_the_slowest_and_of_what_has_not_begun() -> None:
    slow = {"waiting": 5, "announced": 1400, "posts": 200, "rate": 2.0}
    fast = {"waiting": 10, "announced": 0, "posts": 3, "rate": 5.0}
    assert seconds_left([slow, fast], 0, 2, 60.0) == 600.0
    assert seconds_left([fast], 10, 111, 60.0) == 600.0
    assert seconds_left([slow], 0, 1, 1.0) is None
    assert seconds_left([], 0, 1, 60.0) is None
    assert left_words(600.0) == ", about 10 minutes left"
    assert left_words(None) == ""


@pytest.mark.parametrize(
    ("command", "words"),
    [("crawl", "the next crawl goes on"), ("verify", "not everything was checked"), ("stats", "stopped.")],
)
def test_what_is_said_of_an_interrupt_fits_the_command(command: str, words: str) -> None:
    assert words in stopped_sentence(command)


def test_the_first_interrupt_is_answered_with_what_is_under_way(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress():
        tell_interrupt(1, 3)
        tell_interrupt(2, 0)
    assert capsys.readouterr().err == "Stopping: finishing 3 pages; Ctrl-C again to stop now.\n"
