"""Importing the core is cheap and brings no crawler, database, terminal or heavy extractor with it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

HEAVY = {"scrapy", "twisted", "sqlalchemy", "alembic", "warcio", "click", "rich", "extruct", "mf2py", "rdflib"} | {
    "trafilatura", "scipy", "numpy", "babel", "feedparser", "requests", "urllib3", "lxml"
}  # fmt: skip
CORE = "from blogforever import extract_post, learn_rules, parse_feed, segment_page"
MOST_MODULES = 250  # what the core loads, its own and those of Python, and a few more
PROBE = f"""
import json, sys
{CORE}
print(json.dumps(sorted(sys.modules)))
"""


def loaded() -> set[str]:
    """The modules a fresh interpreter has after the import."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, encoding="utf-8", check=True)
    return set(json.loads(done.stdout))


def test_the_core_loads_nothing_heavy() -> None:
    assert {name.partition(".")[0] for name in loaded()} & HEAVY == set()


def test_the_core_loads_few_modules() -> None:
    assert len(loaded()) <= MOST_MODULES


def test_the_public_names_are_there() -> None:
    names = "Page, parse_feed, learn_rules, extract_post, segment_page"
    subprocess.run([sys.executable, "-c", f"from blogforever import {names}"], check=True)


def test_the_help_loads_no_stage() -> None:
    """Every command is a process that begins so, whatever it does."""
    probe = PROBE.replace(CORE, "import blogforever.cli")
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, encoding="utf-8", check=True)
    stages = {"extract", "learn", "comments", "dates", "discover", "store", "fetch", "archive"}
    assert {name for name in json.loads(done.stdout) if name.removeprefix("blogforever.") in stages} == set()


@pytest.mark.parametrize("package", ["blogforever", "blogforever.comments", "blogforever.dates", "blogforever.learn"])
def test_every_name_that_is_loaded_later_is_there(package: str) -> None:
    module = importlib.import_module(package)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_the_kind'"):
        module.nothing_of_the_kind  # noqa: B018  asking is what is tested
