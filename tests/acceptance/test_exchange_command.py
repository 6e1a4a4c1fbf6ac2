"""Two installations: one hands over what it follows, blocks and has learned; the other takes it over, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from blogforever.cli import run
from blogforever.service.adding import AddRequest, add_sources
from blogforever.service.desk import opened_desk
from blogforever.service.exchanging import ExchangeDesk, opened_exchange
from blogforever.source.exchangefile import read_exchange, signed
from blogforever.source.reading import given_as_addresses
from server.commands import Call, caller, told
from server.savedblog import BASE, saved

BLOG = "ferry.example"


@pytest.fixture
def saved_blog(tmp_path: Path) -> Path:
    return saved(tmp_path / "blog.warc.gz")


@pytest.fixture
def handed(tmp_path: Path, saved_blog: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file of an installation that has harvested the blog."""
    theirs = tmp_path / "theirs"
    assert crawled(theirs, saved_blog) == 0
    with opened_desk(theirs, "ben") as desk:
        add_sources(desk, AddRequest(given_as_addresses([BASE]), list="Ferries"))
        desk.store.followed.change(BLOG, lambda one: replace(one, blog=BLOG, state="following"))
    assert run(["block", "spam.example", "--archive", str(theirs)]) == 0
    capsys.readouterr()
    file = tmp_path / "handed.json"
    call = caller("exchange", theirs, capsys)
    code, out, err = call("export", str(file), "--name", "Ben")
    assert (code, err) == (0, "")
    assert out.startswith(f"Written to {file}: 1 source, 1 blocked place, 1 rule file.")
    return file


def crawled(folder: Path, source: Path) -> int:
    return run(["crawl", BASE, "--replay", str(source), "--archive", str(folder), "--log-level", "info"])


def own_rules(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "rules" / f"{BLOG}.json").read_text())
    return found


def spoilt(data: bytes, theirs: ExchangeDesk) -> bytes:
    """The same file with rules that find the page's head for its text, signed as well."""
    file = read_exchange(data)
    rules = json.loads(file.rules[0].rules)
    rules["templates"][0]["article"] = {"css": "h1", "xpath": "//h1"}
    worse = msgspec.structs.replace(file.rules[0], rules=json.dumps(rules))
    return signed(msgspec.structs.replace(file, rules=(worse,)), theirs.files.key())


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "ours"


@pytest.fixture
def exchange(ours: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller("exchange", ours, capsys)


def test_what_is_handed_over_is_looked_at_trusted_taken_and_taken_back(
    handed: Path, ours: Path, exchange: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _out, err = exchange("import", str(handed))
    assert code == 2
    assert "nobody here trusts" in err
    code, out, _err = exchange("import", str(handed), "--dry-run")
    assert code == 0
    assert "sources: 1 new (would not be taken: give --take sources, or trust the key with it)" in out

    code, out, _err = exchange("trust", str(handed), "--part", "sources", "--part", "rules")
    assert (code, out) == (0, "Of Ben is taken from now on: sources, rules.\n")
    keys = told(exchange, "keys")
    assert [(one["name"], one["parts"]) for one in keys["items"]] == [("Ben", ["sources", "rules"])]
    done = told(exchange, "import", str(handed), "--take", "blocked")
    assert {one["part"]: one["counts"] for one in done["parts"]} == {
        "sources": {"new": 1},
        "blocked": {"new": 1},
        "rules": {"new": 1},
    }
    code, out, _err = exchange()
    assert out.split()[:1] == [done["batch"]]
    assert "sources, blocked, rules of Ben" in out

    code, out, _err = exchange("undo", done["batch"])
    assert out == "Taken back: 1 batch of sources; 1 entry of the block list.\n"
    capsys.readouterr()
    assert run(["sources", "--archive", str(ours)]) == 0
    assert capsys.readouterr().out == "No such blogs.\n"
    code, out, _err = exchange("distrust", "Ben")
    assert (code, out) == (0, "Nothing more is taken from Ben.\n")


def test_rules_of_others_that_fit_are_taken_over_and_stay_theirs(
    handed: Path, ours: Path, saved_blog: Path, exchange: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    exchange("trust", str(handed), "--part", "rules")
    done = told(exchange, "import", str(handed))
    assert crawled(ours, saved_blog) == 0

    assert "were tried and taken over" in capsys.readouterr().err
    assert str(own_rules(ours)["by"]).startswith("Ben ed25519:")
    assert own_rules(ours)["templates"] == own_rules(ours.parent / "theirs")["templates"]
    back = told(exchange, "undo", done["batch"])
    assert (back["relearned"], back["kept"]) == ([BLOG], [])
    assert "by" not in own_rules(ours)


def test_rules_of_others_that_read_less_are_learned_anew(
    handed: Path, ours: Path, saved_blog: Path, exchange: Call, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    worse = tmp_path / "worse.json"
    with opened_exchange(tmp_path / "theirs") as theirs:
        worse.write_bytes(spoilt(handed.read_bytes(), theirs))
    exchange("trust", str(worse), "--part", "rules")
    assert exchange("import", str(worse))[0] == 0
    assert crawled(ours, saved_blog) == 0

    assert "were tried and learned anew instead" in capsys.readouterr().err
    assert "by" not in own_rules(ours)
    assert own_rules(ours)["templates"] == own_rules(tmp_path / "theirs")["templates"]
