"""An index of words whose own settings somebody changed, or took away."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.archive.opening import open_archive
from blogforever.errors import ArchiveError


def test_settings_of_the_index_that_are_none_are_told_as_damage(tmp_path: Path) -> None:
    with open_archive(tmp_path / "a", writing=True) as archive, archive.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE posts_search_config SET v = '99999'")
    with (
        open_archive(tmp_path / "a", writing=True) as archive,
        pytest.raises(ArchiveError, match="damaged: invalid fts5"),
        archive.engine.begin() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM posts_search WHERE rowid = 1")


def test_settings_of_the_index_that_are_gone_are_told_as_damage(tmp_path: Path) -> None:
    with open_archive(tmp_path / "a", writing=True) as archive, archive.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE posts_search_config")
    with (
        open_archive(tmp_path / "a", writing=False) as archive,
        pytest.raises(ArchiveError, match="damaged: vtable constructor failed"),
        archive.engine.begin() as connection,
    ):
        connection.exec_driver_sql("SELECT * FROM posts_search WHERE posts_search MATCH 'lantern'")
