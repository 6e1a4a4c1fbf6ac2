"""Shapes of comments that some blogs write, each a small page in `data` with what must come out of it.

In expected.json `why` says what a case shows; of each comment it has name, day, text, place of the comment it answers,
and the address of who wrote it. An empty list is a page that shows none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .test_layouts import comments_of

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "expected.json").read_text("utf-8"))


def told(markup: str) -> list[list[Any]]:
    found = comments_of(markup)
    places = {comment.id: place for place, comment in enumerate(found)}
    shown = []
    for comment in found:
        name, uri = (comment.author.name, comment.author.uri) if comment.author else (None, None)
        day = comment.published.iso[:10] if comment.published else None
        shown.append([name, day, " ".join(comment.text.split()), places.get(comment.parent or ""), uri])
    return shown


def test_each_page_is_tried() -> None:
    assert {file.stem for file in DATA.glob("*.html")} == CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_shape(name: str) -> None:
    markup = (DATA / f"{name}.html").read_text("utf-8")
    assert told(markup) == CASES[name]["comments"], CASES[name]["why"]
