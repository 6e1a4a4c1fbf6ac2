"""Importing the core is cheap and brings no crawler, database, terminal or heavy extractor with it."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = {"scrapy", "twisted", "sqlalchemy", "alembic", "warcio", "click", "rich", "extruct", "mf2py", "rdflib"} | {
    "trafilatura", "scipy", "numpy", "babel", "feedparser", "requests", "urllib3", "lxml"
}  # fmt: skip
CORE = "import blogforever, blogforever.learn, blogforever.extract, blogforever.discover"
SECONDS = 0.3
PROBE = f"""
import json, sys, time
before = time.process_time()
{CORE}
cost = time.process_time() - before
print(json.dumps({{"cost": cost, "roots": sorted({{name.partition(".")[0] for name in sys.modules}})}}))
"""


def probe() -> tuple[float, set[str]]:
    """CPU seconds of the import in a fresh interpreter, and the top-level modules it loaded."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True, timeout=60)
    answer = json.loads(done.stdout)
    return answer["cost"], set(answer["roots"])


def test_the_core_loads_nothing_heavy() -> None:
    _, roots = probe()
    assert roots & HEAVY == set()


def test_the_core_imports_fast() -> None:
    cost = min(probe()[0] for _ in range(3))
    print(f"importing the core: {cost:.3f} s CPU")
    assert cost <= SECONDS


def test_the_public_names_are_there() -> None:
    names = "Page, parse_feed, learn_rules, extract_post, segment_page"
    subprocess.run([sys.executable, "-c", f"from blogforever import {names}"], check=True, timeout=60)
