"""What tools/multiplied.py copies is what it says that it is: the figures of large archives hang on it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from bigarchive import Size
from multiplied import TOKEN, Multiplied, Rows

WANTED = Multiplied(Size(blogs=7, posts=400), copies=3)
RISES = {"captures.id": 4000, "runs.id": 7}


def copied(table: str, row: str) -> list[str]:
    """The row in the last copy."""
    return list(Rows(table, [TOKEN.split(row)]).copied(WANTED.names(2, RISES)))


def test_a_post_of_a_copy_stands_where_it_is_said_to_stand() -> None:
    place = 2 * WANTED.part.posts + 8
    row = f"{WANTED.post(8)}\t{WANTED.blog(8)}\t{WANTED.address(8)}\t\x01runs.id:2\n"
    assert copied("posts", row) == [f"{WANTED.post(place)}\t{WANTED.blog(place)}\t{WANTED.address(place)}\t16\n"]
    assert WANTED.of_blog(8) == 1
    assert WANTED.of_blog(place) == 13


def test_the_large_blog_is_one_and_has_posts_of_all_copies() -> None:
    assert copied("blogs", "blog0.example\thttps://blog0.example/\n") == []
    assert WANTED.blog(2 * WANTED.part.posts + 200) == "blog0.example"
    assert copied(
        "captures", "\x01captures.id:5\t\x01runs.id:1\thttps://blog0.example/post-200/\turn:uuid:200-3\n"
    ) == ["8005\t15\thttps://blog0.example/post-1000/\turn:uuid:1000-3\n"]


def test_every_blog_has_a_name_of_its_own() -> None:
    blogs = {WANTED.names(copy, RISES)[f"blog{number}"] for copy in range(3) for number in range(7)}
    assert blogs == {f"blog{number}" for number in range(WANTED.size.blogs)}
