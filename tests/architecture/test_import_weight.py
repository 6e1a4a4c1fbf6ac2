"""Importing the core is cheap and brings no crawler, database, terminal or heavy extractor with it."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = {"scrapy", "twisted", "sqlalchemy", "alembic", "warcio", "click", "rich", "extruct", "mf2py", "rdflib"} | {
    "trafilatura", "scipy", "numpy", "babel", "feedparser", "requests", "urllib3", "lxml"
}  # fmt: skip
CORE = "import blogforever, blogforever.learn, blogforever.extract, blogforever.discover"
MOST_MODULES = 250  # what the core loads, its own and those of Python, and a fifth more
PROBE = f"""
import json, sys
{CORE}
print(json.dumps(sorted(sys.modules)))
"""


def loaded() -> set[str]:
    """The modules a fresh interpreter has after the import."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_the_core_loads_nothing_heavy() -> None:
    assert {name.partition(".")[0] for name in loaded()} & HEAVY == set()


def test_the_core_loads_few_modules() -> None:
    assert len(loaded()) <= MOST_MODULES


def test_the_public_names_are_there() -> None:
    names = "Page, parse_feed, learn_rules, extract_post, segment_page"
    subprocess.run([sys.executable, "-c", f"from blogforever import {names}"], check=True)
