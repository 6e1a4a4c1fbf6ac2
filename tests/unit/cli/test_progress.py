from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from blogforever.cli import progress as progress_module
from blogforever.cli.progress import Progress


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
    assert "https://a.example/" in screen.getvalue()
    assert "https://b.example/" in screen.getvalue()
    assert "1,400" in screen.getvalue()
