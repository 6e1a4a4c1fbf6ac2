"""The quality gate only ever tightens by itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

import quality  # noqa: E402  # a script beside the package, not part of it


def test_a_floor_rises_and_never_sinks() -> None:
    assert quality.raised("title", 0.999, 0.99) == pytest.approx(0.996)
    assert quality.raised("title", 0.991, 0.99) == pytest.approx(0.99)


def test_a_ceiling_sinks_and_never_rises() -> None:
    assert quality.raised("invented", 0.001, 0.02) == pytest.approx(0.004)
    assert quality.raised("invented", 0.019, 0.02) == pytest.approx(0.02)


def test_a_figure_that_is_held_at_its_goal_stays_there() -> None:
    assert quality.raised("AUC of wrong bodies", 0.95, 0.85) == pytest.approx(0.85)
    assert quality.raised("confidence gap", 0.01, 0.05) == pytest.approx(0.05)
    assert not quality.holds("confidence gap", 0.06, 0.05)


def test_what_fell_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    floors = {"title": 0.99, "invented": 0.02, "date": 0.98}
    fallen = quality.show({"title": 0.98, "invented": 0.03, "date": 0.99}, floors, {**floors, "date": 0.995})
    shown = capsys.readouterr().out
    assert fallen == ["title", "invented"]
    assert shown.count("FELL") == 2
    assert shown.count("SHORT OF ITS GOAL") == 1


def test_the_worst_tenth_is_the_mean_of_the_worst_blogs() -> None:
    blogs = {str(n): {"summary": {"f1": n / 20}} for n in range(20)}
    assert quality.worst_tenth(blogs, "f1") == pytest.approx(0.025)


def test_every_figure_has_a_floor_and_a_goal() -> None:
    pinned = json.loads((TOOLS / "quality_floors.json").read_text(encoding="utf-8"))
    others = {quality.SPECIAL, quality.ANALYSER}
    assert set(pinned["floors"]) == {*quality.COLUMNS, *quality.WORST, *quality.FRONT, *others, *quality.HELD}
    assert set(pinned["goals"]) == set(pinned["floors"])
