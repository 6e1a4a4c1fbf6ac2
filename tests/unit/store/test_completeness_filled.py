"""An archive of before is brought up to date: how complete its blogs are is read from their records."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import Engine, text

from blogforever.records import BlogRecord, CompletenessRecord, LeftOut
from blogforever.storage.following import FollowedBlog, FollowedQuery
from blogforever.store.database import MIGRATIONS, open_database
from blogforever.store.sqlstore import SqlStore
from server.databases import POSTGRES, RECORDS
from server.postgres import emptied_database

STATED = {
    "whole": CompletenessRecord(complete=True),
    "short": CompletenessRecord(missing=(LeftOut("https://x/1", "http-404"), LeftOut("https://x/2", "http-404"))),
    "cut": CompletenessRecord(stopped_by="max-pages"),
    "unknown": CompletenessRecord(),
    "never": None,
}


def moved(engine: Engine, revision: str) -> None:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        (command.upgrade if revision == "head" else command.downgrade)(config, revision)


@pytest.mark.parametrize("where", RECORDS)
def test_what_records_say_stands_beside_the_blogs(where: str, tmp_path: Path) -> None:
    engine = emptied_database() if where == POSTGRES else open_database(tmp_path / "archive.db")
    store = SqlStore(engine, tmp_path)
    for name, stated in STATED.items():
        store.blogs.keep(BlogRecord(id=name, url=f"https://{name}/", completeness=stated))
        store.followed.add([FollowedBlog(name, f"https://{name}/", "2026-01-01", blog=name)])
    store.blogs.keep(BlogRecord(id="damaged", url="https://damaged/"))
    store.followed.add([FollowedBlog("damaged", "https://damaged/", "2026-01-01", blog="damaged")])
    with engine.begin() as connection:
        connection.execute(text("UPDATE blogs SET record = '[]' WHERE id = 'damaged'"))
    moved(engine, "0035")
    moved(engine, "head")
    found = {blog.id: (blog.completeness, blog.missing) for blog in store.followed.page(FollowedQuery()).items}
    assert found == {
        "whole": ("complete", 0),
        "short": ("incomplete", 2),
        "cut": ("incomplete", 0),
        "unknown": ("not-known", 0),
        "never": ("not-known", 0),
        "damaged": ("not-known", 0),
    }
    engine.dispose()
