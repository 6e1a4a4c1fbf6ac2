"""Plans of erasures that were interrupted: one that says nothing is told, never thrown."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.errors import ArchiveError
from blogforever.store.unfinished import Plan, Unfinished

BLOG = "some.blog"


def test_a_plan_is_read_as_it_was_begun(tmp_path: Path) -> None:
    plan = Plan(BLOG, "renew", "2026-01-01", drop=("a", "b"))
    Unfinished(tmp_path).begin(plan)
    assert Unfinished(tmp_path).plans() == [plan]


@pytest.mark.parametrize("said", ["null", "7", "[]", '"forget"', "{}", '{"blog": "some.blog"}', '{"drop": 1}', ""])
def test_what_is_no_plan_is_told_with_its_file(tmp_path: Path, said: str) -> None:
    (tmp_path / f"{BLOG}.json").write_text(said, encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"some\.blog\.json cannot be understood"):
        Unfinished(tmp_path).plans()
