"""Puts the pages of the docs in order for MkDocs (`hooks` of mkdocs.yml), by what a reader wants.

A page that nobody put in order here is found at the end of its folder's part, so a new one needs no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"

Nav = list[str | dict[str, Any]]

# What somebody does with BlogForever, in the order in which people come to it.
TASKS = {
    "Harvest and read": ["read-and-export", "keep-up-to-date", "change-rules", "hide-and-erase", "back-up"],
    "Follow many blogs": ["first-list", "schedule", "pings", "spam", "webhooks", "exporter"],
    "In the portal": ["portal", "curate", "read-in-the-portal"],
    "Run the service": ["operate", "postgres", "many-machines", "object-storage", "runbook", "exchange"],
    "From a program": ["api", "use-the-library", "own-stages", "extend", "test-your-own"],
}
FIRST_STEPS = ["getting-started", "for-people", "for-researchers", "for-archivists", "for-developers"]


def on_config(config: Any) -> Any:
    """What MkDocs asks a hook: the configuration, with the pages in order."""
    config["nav"] = navigation()
    return config


def on_page_content(content: str, **_: Any) -> str:
    """What MkDocs asks a hook: the page as HTML. A heading without words would head a column for who hears the page."""
    return content.replace("<th></th>", "<td></td>")


def on_post_page(output: str, **_: Any) -> str:
    """What MkDocs asks a hook: the whole page. The theme's dialog has no name that could be read aloud."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def navigation() -> Nav:
    """All pages in groups."""
    return [
        {"Home": "index.md"},
        {"First steps": list(_in_order("tutorial", FIRST_STEPS))},
        {"How to": _tasks()},
        {"Reference": [*_in_order("reference", []), "glossary.md"]},
        {"How it works": list(_in_order("explanation", ["architecture"]))},
        {"Figures": _figures()},
        {"Contribute": ["contributing.md", {"Decisions": list(_in_order("decisions", []))}]},
    ]


def _figures() -> Nav:
    """What is measured: the pages that stand in no folder, and have no other place."""
    elsewhere = {"index", "glossary", "contributing"}
    return [f"{name}.md" for name in sorted(path.stem for path in DOCS.glob("*.md")) if name not in elsewhere]


def _tasks() -> Nav:
    groups: Nav = [
        {name: [f"howto/{page}.md" for page in listed if (DOCS / f"howto/{page}.md").exists()]}
        for name, listed in TASKS.items()
    ]
    known = {page for listed in TASKS.values() for page in listed}
    others = [page for page in _in_order("howto", []) if Path(page).stem not in known]
    return [*groups, *([{"More": others}] if others else [])]


def _in_order(folder: str, first: list[str]) -> Iterator[str]:
    """The pages of a folder: those named first, then the others by name."""
    found = sorted(path.stem for path in (DOCS / folder).glob("*.md"))
    for page in [*(name for name in first if name in found), *(name for name in found if name not in first)]:
        yield f"{folder}/{page}.md"
