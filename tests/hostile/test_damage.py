"""Whatever happened to an archive, every command says so in a sentence: no traceback, no hang, a code that is known.

The matrix of every call and every damage is larger than a run of all tests can wait for: `BLOGFOREVER_DAMAGED` says how
many of its calls are made (`make soak`: thousands), spread so that each damage and each call has its turn.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from server.called import copied, fault_of, without_rights
from server.damages import Damage, damages
from server.everycommand import CALLS, everything, typed

NUMBER = int(os.environ.get("BLOGFOREVER_DAMAGED", "320"))
PARTS = 8
"""Tests that share them, so that several processes can."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return everything(tmp_path_factory.mktemp("damage") / "whole")


def matrix(whole: Path) -> Iterator[tuple[str, Damage, tuple[str, ...]]]:
    """Every damage with every call, in an order that begins anywhere: the first of them are of all kinds."""
    hurts = list(damages(whole).items())
    cells = [(name, hurt, call) for name, hurt in hurts for call in CALLS]
    Random(0).shuffle(cells)
    return iter(cells)


@pytest.mark.parametrize("part", range(PARTS))
def test_damage_is_told_and_never_thrown(whole: Path, part: int) -> None:
    cells = islice(matrix(whole), part, NUMBER, PARTS)
    found = ((name, call, told(whole, name, hurt, call)) for name, hurt, call in cells)
    assert [one for one in found if one[-1]] == []


def told(whole: Path, name: str, hurt: Damage, call: tuple[str, ...]) -> str | None:
    """What is wrong with how a call speaks of a damage."""
    place = whole.parent.parent / "case"
    archive = copied(whole, place)
    out = place / "out"
    out.mkdir()
    hurt(archive)
    as_others = without_rights() if "may not" in name else nullcontext()
    try:
        with as_others:
            return fault_of(typed(call, archive, out), place)
    finally:
        _take_away(place)


def _take_away(place: Path) -> None:
    for folder, folders, _files in os.walk(place):
        for path in (Path(folder, name) for name in folders):
            if not path.is_symlink():
                # Before it is gone into: it may be one that may not be read.
                path.chmod(0o755)
    shutil.rmtree(place)
