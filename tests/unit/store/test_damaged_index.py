"""An index of words whose own settings somebody changed, or took away."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive
from blogforever.errors import ArchiveError

DELETE = "DELETE FROM posts_search WHERE rowid = 1"
SEARCH = "SELECT * FROM posts_search WHERE posts_search MATCH 'lantern'"


@pytest.mark.parametrize(
    ("damage", "asked", "told"),
    [
        ("UPDATE posts_search_config SET v = '99999'", DELETE, "invalid fts5"),
        ("DROP TABLE posts_search_config", SEARCH, "vtable constructor failed"),
    ],
)
def test_settings_of_the_index_that_are_none_are_told_as_damage(
    tmp_path: Path, damage: str, asked: str, told: str
) -> None:
    with open_archive(tmp_path / "a", writing=True) as archive, archive.engine.begin() as connection:
        connection.exec_driver_sql(damage)
    with (
        open_archive(tmp_path / "a", writing=True) as archive,
        pytest.raises(ArchiveError, match=f"damaged: {told}"),
        archive.engine.begin() as connection,
    ):
        connection.exec_driver_sql(asked)
