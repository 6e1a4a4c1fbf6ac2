from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, delete

from blogforever.care.decisions import Hidden
from blogforever.care.veil import Veil
from blogforever.errors import UsageError
from blogforever.store import schema
from blogforever.store.indexes import sought_words
from blogforever.store.search import SearchIndex
from blogforever.store.sqlstore import SqlStore
from server.somerecords import some_post

POSTS: dict[str, dict[str, Any]] = {
    "lantern": {"title": "The lantern", "text": "A copper lantern hangs by the ferry."},
    "ferry": {"title": "Ferries", "text": "The ferry is late; the lantern is out.", "tags": ["boats"]},
    "library": {"title": "图书馆", "text": "今天我们去图书馆看书。"},
    "station": {"title": "駅", "text": "昨日は東京駅へ行きました。"},
    "thai": {"title": "ห้องสมุด", "text": "วันนี้ไปห้องสมุด"},
    "cafe": {"title": "Café", "text": "Ein Café in Köln.", "authors": [{"name": "Zoë Müller"}]},
    "talk": {
        "title": "Talk",
        "text": "Nothing.",
        "comments": [{"id": "c", "author": {"name": "Wren"}, "text": "Well said, otter."}],
    },
}


class Shelf:
    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.store, self.search = SqlStore(engine, folder), SearchIndex(engine)

    def save(self, name: str, blog: str = "b", **more: Any) -> None:
        run, _ = self.store.runs.open(blog)
        self.store.posts.keep(run, some_post(id=name, blog=blog, url=name, **more))
        self.store.runs.close(run, "finished")

    def found(self, words: str, **more: Any) -> list[str]:
        return [record.id for record in self.search.find(words, **more)]


@pytest.fixture
def shelf(engine: Engine, tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(engine, tmp_path)
    for name, record in POSTS.items():
        shelf.save(name, **record)
    assert shelf.search.update() == len(POSTS)
    yield shelf
    shelf.store.close()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("lantern", ["lantern", "ferry"]),
        ("copper LANTERN", ["lantern"]),
        ("lantern -copper", ["ferry"]),
        ('"the ferry is"', ["ferry"]),
        ('"ferry the"', []),
        ("lan*", ["lantern", "ferry"]),
        ("boats", ["ferry"]),
        ("koln", ["cafe"]),
        ("müller", ["cafe"]),
        ("otter", ["talk"]),
        ("图书馆", ["library"]),
        ("书馆", ["library"]),
        ("馆", ["library"]),
        ("馆书", []),
        ("東京", ["station"]),
        ("ห้องสมุด", ["thai"]),
    ],
)
def test_words_are_found_in_every_script(shelf: Shelf, words: str, names: list[str]) -> None:
    assert shelf.found(words) == names


@pytest.mark.parametrize(
    "words", ['"', "a OR b", "title:x", "(", "NEAR(a b)", "a* AND", "x\0y", "'; DROP TABLE posts", "^a", "{a b}:c"]
)
def test_no_word_is_taken_for_syntax(shelf: Shelf, words: str) -> None:
    try:
        shelf.found(words)
    except UsageError:
        assert not any(c.isalnum() for c in words)


def test_nothing_to_search_for_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="no word"):
        sought_words("-lantern ... !")


def test_only_what_changed_is_indexed_again(shelf: Shelf) -> None:
    assert shelf.search.update() == 0
    shelf.save("ferry", title="Ferries", text="It sank.")
    assert shelf.search.update() == 1
    assert shelf.found("lantern") == ["lantern"]
    assert shelf.found("sank") == ["ferry"]


def test_what_is_gone_is_not_found(shelf: Shelf) -> None:
    with shelf.engine.begin() as connection:
        connection.execute(delete(schema.posts).where(schema.posts.c.id == "ferry"))
    shelf.search.update()
    assert shelf.found("ferry") == ["lantern"]


def test_many_posts_are_indexed_in_batches_and_blogs_kept_apart(shelf: Shelf) -> None:
    run, _ = shelf.store.runs.open("c")
    for number in range(450):
        record = some_post(id=f"c{number}", blog="c", url=f"c{number}", text=f"lantern {number}")
        shelf.store.posts.keep(run, record)
    shelf.store.runs.close(run, "finished")
    assert shelf.search.update() == 450
    assert shelf.found("lantern", blog="b") == ["lantern", "ferry"]
    assert len(shelf.found("lantern", blog="c", limit=500)) == 450


def test_who_looks_for_a_name_is_given_the_posts_that_may_have_it_and_no_others(shelf: Shelf) -> None:
    def naming(name: str) -> set[str]:
        return {record.id for record in shelf.search.naming(name)}

    assert naming("zo\xeb  M\xdcLLER") == {"cafe"}
    assert naming("wren") == {"talk"}
    assert naming("Lantern") == set(), "a title is no name"
    shelf.save("new", text="Not yet in the index.")
    assert naming("wren") == {"talk", "new"}
    assert naming("\u2605") == {*POSTS, "new"}, "what has no word cannot be looked up"


def test_a_name_is_found_where_it_is_hidden_already(shelf: Shelf) -> None:
    shelf.save("other", blog="c", text="Words.")
    hidden = SearchIndex(shelf.engine, Veil([Hidden("author", "Wren", "b")]))
    hidden.update()
    assert {record.id for record in hidden.naming("Wren")} == set(POSTS)
