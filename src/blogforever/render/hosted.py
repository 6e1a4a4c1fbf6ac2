"""Comment systems as a browser meets them (data/systems/*.toml): signs, frames, and the controls that show more."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from blogforever.anyof import AnyOf
from blogforever.knowledge import SYSTEMS, Shape, Wrong, own_files, own_folders, read_knowledge

SHAPE: Shape = {
    "verified": "text",
    "signs": "texts",
    "container": "text",
    "ready": "text",
    "frame": "pattern",
    "more": "texts",
    "count": {
        "url": "text",
        "names": "text",
        "find": "table",
        "between": "text",
        "post": "flag",
        "at_once": "number",
    },
}
"""What the file of a comment system may have."""


@dataclass(frozen=True, slots=True)
class Count:
    """How a system tells the number of comments of many posts at once.

    `find` has the regular expressions for what the address needs, looked for in the source of a
    page; a post is named by its path or its whole address, at the end of the address or, with
    `post`, as a JSON list in the body.
    """

    url: str
    names: Literal["path", "url"]
    find: Mapping[str, str] = field(default_factory=dict)
    between: str = ","
    post: bool = False
    at_once: int = 50


@dataclass(frozen=True, slots=True)
class System:
    """One comment system.

    `verified` names what it was tried against here, empty where it never was.
    """

    name: str
    verified: str = ""
    signs: tuple[str, ...] = ()
    """Texts in the source of a page that draws its comments with it."""
    container: str = ""
    """Where it draws them (CSS)."""
    ready: str = ""
    """What is there once it has drawn (CSS)."""
    frame: str = ""
    """The addresses of its frame (regular expression)."""
    more: tuple[str, ...] = ()
    """What to click to see more (CSS)."""
    count: Count | None = None


def read_data(name: str) -> dict[str, Any]:
    """A TOML file of this folder's data."""
    return tomllib.loads((files("blogforever.render") / "data" / name).read_text("utf-8"))


def load_hosted() -> tuple[System, ...]:
    """All systems, in the order of their names: ours, then those of the folders that others add."""
    return _hosted(own_folders())


@cache
def _hosted(_folders: tuple[Path, ...]) -> tuple[System, ...]:
    folder = files("blogforever.render") / "data" / SYSTEMS
    names = sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
    systems = {name: _system(name, read_data(f"{SYSTEMS}/{name}.toml")) for name in names}
    for name, path in own_files(SYSTEMS).items():
        raw = read_knowledge(path, SHAPE, ["signs"])
        if "count" in raw and not {"url", "names"} <= raw["count"].keys():
            raise Wrong(path, path.read_text("utf-8"))("count", "count needs url and names.")
        systems[name] = _system(name, raw)
    return tuple(systems.values())


def _system(name: str, raw: dict[str, Any]) -> System:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    count = Count(**raw["count"]) if "count" in raw else None
    return System(name=name, **(fields | {"count": count}))


def announced(html: str) -> tuple[System, ...]:
    """The systems whose signs stand in the source of a page; most pages have no sign of any, which
    one pass tells.
    """
    if not _any_sign(own_folders()).stands_in(html.encode(errors="replace")):
        return ()
    return tuple(system for system in load_hosted() if any(sign in html for sign in system.signs))


@cache
def _any_sign(_folders: tuple[Path, ...]) -> AnyOf:
    return AnyOf(sign.encode() for system in load_hosted() for sign in system.signs)


def framed(url: str) -> System | None:
    """The system whose frame this address is."""
    return next((system for system in load_hosted() if system.frame and re.search(system.frame, url)), None)
