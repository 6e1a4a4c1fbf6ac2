"""The import contracts cover every folder there is, so that a new one cannot slip past them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/blogforever"
CONFIG: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS = {contract["name"]: contract for contract in CONFIG["contracts"]}
TOP = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} - {
    "__init__",
    "__main__",
}
EDGE = {
    *("cli", "archive", "crawl", "update", "pipeline", "fetch", "store", "render", "export", "testing"),
    *("service", "portal", "web", "plugins"),
}


def layers() -> set[str]:
    return set(re.findall(r"\w+", " ".join(CONTRACTS["layers"]["layers"])))


def test_every_folder_has_its_layer() -> None:
    assert layers() >= TOP


def test_the_core_is_fenced_whole() -> None:
    fence = next(c for n, c in CONTRACTS.items() if n.startswith("the core knows no"))
    assert {f"blogforever.{name}" for name in TOP - EDGE} == set(fence["source_modules"])


@pytest.mark.parametrize(
    ("contract", "home"),
    [
        ("scrapy only in fetch", "fetch"),
        ("playwright only in render", "render"),
        ("sql and warc only in store", "store"),
        ("click only in cli", "cli"),
        ("web frameworks only in web and portal", "web portal"),
    ],
)
def test_each_fence_stands_around_every_other_edge_folder(contract: str, home: str) -> None:
    assert {f"blogforever.{name}" for name in TOP & EDGE - {*home.split()}} == set(
        CONTRACTS[contract]["source_modules"]
    )
