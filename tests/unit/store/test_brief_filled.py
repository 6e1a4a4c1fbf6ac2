"""An archive of before is brought up to date: which of its posts have hardly any text is read from their records."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.records import PostRecord
from blogforever.storage.browsing import Facet, PostQuery
from blogforever.store.database import open_database
from blogforever.store.sqlstore import SqlStore
from server.databases import POSTGRES, RECORDS
from server.postgres import emptied_database

from .test_completeness_filled import moved


@pytest.mark.parametrize("where", RECORDS)
def test_posts_with_hardly_any_text_are_found_after_it_as_before(where: str, tmp_path: Path) -> None:
    engine = emptied_database() if where == POSTGRES else open_database(tmp_path / "archive.db")
    store = SqlStore(engine, tmp_path)
    run, _ = store.runs.open("b")
    for name, said in {"long": "A sentence with some words. " * 4, "picture": " \n", "word": "See there."}.items():
        store.posts.keep(run, PostRecord(id=name, blog="b", url=f"https://b/{name}", text=said))

    def brief() -> set[str]:
        return {line.id for line in store.posts.page(PostQuery(facets=(Facet("is", "brief"),))).items}

    assert brief() == {"picture", "word"}
    moved(engine, "0038")
    assert not brief()
    moved(engine, "head")
    assert brief() == {"picture", "word"}
    engine.dispose()
