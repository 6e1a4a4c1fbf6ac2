"""While a crawl waits for a server, anybody else can write: no lock of the database is held over that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from blogforever.store.database import open_current
from blogforever.store.dialects import SQLITE, dialect_of
from blogforever.store.place import has_records, place_of
from server.blogserver import POSTS, Reply, routes, serve_answers

# Milliseconds after which whoever waits for the lock gives up. A crawl that held it would wait for our answer, and we
# for the crawl: however busy the machine, only then is so long waited for.
PATIENCE = 60_000


def can_write(folder: Path) -> bool:
    """Whether the write lock of an archive can be had while its crawl waits for us."""
    if not has_records(folder):
        return True
    engine = open_current(place_of(folder))
    assert engine is not None
    patience = f"PRAGMA busy_timeout={PATIENCE}" if dialect_of(engine) is SQLITE else f"SET lock_timeout={PATIENCE}"
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(patience)
            connection.commit()
            connection.exec_driver_sql(dialect_of(engine).lock)
            connection.rollback()
    finally:
        engine.dispose()
    return True


@pytest.mark.usefixtures("records")
def test_whoever_writes_needs_not_wait_for_a_server_that_a_crawl_asks(tmp_path: Path) -> None:
    written: list[bool] = []

    def careful(base: str) -> Callable[[str], Reply | None]:
        pages = routes(base)

        def answer(path: str) -> Reply | None:
            written.append(can_write(tmp_path))
            return pages.get(path)

        return answer

    with serve_answers(careful) as site:
        report = crawl_blog(site.base, Config(archive=tmp_path, allow_private=True, delay=0.0))
        asked = len(site.asked)
    assert report.posts == POSTS
    # An answer that could not be given would have failed the page.
    assert len(written) == asked
