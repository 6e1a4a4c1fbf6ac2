"""Every command as it is typed, on an archive that has something of everything."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from blogforever.cli import run
from blogforever.store.unfinished import Plan, Unfinished

from .smallarchive import BLOG, address, make_archive

PASSWORD = "a lantern at the harbour"

CALLS: tuple[tuple[str, ...], ...] = (
    ("list",),
    ("list", BLOG),
    ("news",),
    ("missing", BLOG),
    ("update", "--dry-run"),
    ("show", address(1)),
    ("search", "lantern"),
    ("diff", address(1)),
    ("moves", BLOG),
    ("export",),
    ("export", "--format", "csv"),
    ("export", "--format", "site", "{out}/copy"),
    ("export", "--format", "site", "{here}/copy"),
    ("export", "--format", "wacz", "{out}/all.wacz"),
    ("export", "--format", "comments", "{out}/comments.csv"),
    ("export", "--format", "spider-xml", "--per-file", "1", "{out}/xml"),
    ("rules", BLOG),
    ("rules", BLOG, "--lock", "title"),
    ("rules", BLOG, "--relearn", "title"),
    ("suppress", "--list"),
    ("suppress", "--finish"),
    ("suppress", address(1), "--reason", "asked"),
    ("suppress", address(1), "--reason", "asked", "--erase"),
    ("unsuppress", address(2)),
    ("embargo", address(0), "--until", "2040-01-01", "--reason", "asked"),
    ("note",),
    ("note", address(1), "seen"),
    ("forget", BLOG, "--reason", "asked"),
    ("reextract",),
    ("tidy",),
    ("tidy", "--dry-run"),
    ("verify",),
    ("doctor",),
    ("backup", "{out}/backup"),
    ("backup", "{here}/backup"),
    ("restore", "{here}/backup", "--archive", "{out}/restored"),
    ("restore",),
    ("crawl", f"https://{BLOG}/", "--replay", "{here}/archive/warc", "--no-wait"),
    ("crawl", f"https://{BLOG}/", "--replay", "{here}/all.wacz", "--archive", "{out}/new"),
    ("extract", "{here}/copy/2020/lantern-1.html"),
    ("extract", "{here}/copy/2020/lantern-1.html", "--rules", "{here}/archive/rules/b.example.json"),
    ("add", "https://e.example/", "--list", "L"),
    ("sources",),
    ("sources", "show", "c.example"),
    ("sources", "batches"),
    ("sources", "change", "c.example", "--tag", "x"),
    ("sources", "drop", "d.example"),
    ("schedule",),
    ("schedule", "set", "c.example", "--every", "6h"),
    ("schedule", "forecast"),
    ("jobs",),
    ("jobs", "standing"),
    ("lists",),
    ("lists", "export", "--all", "--format", "opml", "-"),
    ("block",),
    ("block", "worse.example"),
    ("exchange",),
    ("exchange", "keys"),
    ("exchange", "export", "{out}/ours.json"),
    ("spam",),
    ("ping",),
    ("ping", "log"),
    ("ping", "stats"),
    ("ping", "replay"),
    ("filters",),
    ("filters", "history"),
    ("filters", "try", "Science", "science"),
    ("outbox",),
    ("outbox", "files"),
    ("outbox", "ask", "--after", "0"),
    ("webhooks",),
    ("webhooks", "dead"),
    ("stats",),
    ("users",),
    ("users", "role", "ann", "admin"),
    ("token", "list"),
    ("token", "create", "another"),
    ("archive", "move", "--to", "sqlite"),
)
"""`{out}` is a folder for what is written, `{here}` that in which the archive lies."""


def everything(folder: Path) -> Path:
    """An archive with a blog, decisions, sources, accounts, and beside it a backup and what was exported."""
    archive = make_archive(folder / "archive")
    with pytest.MonkeyPatch.context() as patch:
        for words in (
            ("note", address(1), "seen"),
            ("suppress", address(2), "--reason", "asked"),
            ("suppress", "Nobody", "--kind", "author", "--reason", "asked"),
            ("add", "https://c.example/", "https://d.example/", "--list", "L", "--tag", "t"),
            ("block", "spam.example"),
            ("token", "create", "reader"),
            ("filters", "add", "Science", "science"),
            ("ping", "add", "W", "http://ping.example/changes.xml"),
            ("outbox", "add", "library"),
            ("users", "add", "ann", "--role", "admin"),
            ("webhooks", "add", "https://some.program/hook"),
            ("search", "lantern"),
            ("backup", str(folder / "backup")),
            ("export", "--format", "site", str(folder / "copy")),
            ("export", "--format", "wacz", str(folder / "all.wacz")),
        ):
            patch.setattr(sys, "stdin", io.StringIO(f"{PASSWORD}\n{PASSWORD}\n"))
            assert run([*words, "--archive", str(archive)]) == 0, words
    Unfinished(archive / "journal/unfinished").begin(Plan(BLOG, "renew", "2026-01-01"))
    return archive


def typed(call: tuple[str, ...], archive: Path, out: Path) -> list[str]:
    """A call with its places filled in; it is about this archive unless it names another."""
    words = [word.format(out=out, here=archive.parent) for word in call]
    return words if "--archive" in words or words[0] == "extract" else [*words, "--archive", str(archive)]
