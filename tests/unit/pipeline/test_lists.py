from __future__ import annotations

import pytest

from blogforever.pipeline.lists import MISSES, Lists, date_folders
from blogforever.urls import url_key

ROOT = "https://blog.example/"


def urls(*paths: str) -> list[str]:
    return [ROOT + path for path in paths]


def test_lists_announce_what_was_captured_and_what_was_lost_of_their_entries() -> None:
    lists = Lists()
    lists.note(f"{ROOT}page/2/", urls("2013/a/", "2013/b/", "2013/in-a-text/", "tag/x/"), urls("2013/a/", "2013/b/"))
    found = lists.announced(lambda _: True, {url_key(ROOT + "2013/a/")}, lambda url: True)
    assert found == urls("2013/a/", "2013/b/")
    assert lists.announced(lambda _: False, set(), lambda _: True) == []


def test_what_stands_on_most_lists_is_furniture_unless_it_is_a_post() -> None:
    lists = Lists()
    for n in range(5):
        lists.note(f"{ROOT}page/{n}/", urls(f"2013/{n}-slug/", "2013/dead/"), urls(f"2013/{n}-slug/", "2013/dead/"))
    assert f"{ROOT}2013/dead/" not in lists.announced(lambda _: True, set(), lambda _: True)
    assert f"{ROOT}2013/dead/" in lists.announced(lambda _: True, {url_key(f"{ROOT}2013/dead/")}, lambda _: True)


def test_the_latest_posts_that_stand_beside_every_list_are_entries_where_few_lists_head_them() -> None:
    lists, latest = Lists(), urls("a/", "b/", "about/")
    lists.note(ROOT, latest, latest, urls("a/", "b/"))
    for n in range(5):
        lists.note(f"{ROOT}page/{n}/", [*latest, *urls(f"c{n}/")], [*latest, *urls(f"c{n}/")], urls(f"c{n}/"))
    assert [url for url in latest if lists.is_entry(url_key(url))] == urls("a/", "b/")


@pytest.mark.parametrize(
    ("path", "folders"),
    [
        ("2013/03/slug/", ["2013/", "2013/03/"]),
        ("2013/03/04/slug.html", ["2013/", "2013/03/"]),
        ("blog/2013/slug", ["blog/2013/"]),
        ("2013/", []),
        ("slug/", []),
        ("posts/20130304/slug", []),
    ],
)
def test_the_years_and_months_above_a_post(path: str, folders: list[str]) -> None:
    assert date_folders(ROOT + path) == urls(*folders)


def test_guesses_end_where_the_blog_has_no_such_pages() -> None:
    lists = Lists()
    for n in range(MISSES):
        for url in lists.above([f"{ROOT}{2000 + n}/slug"]):
            lists.fail(url, "status 404")
    assert lists.above([f"{ROOT}2020/slug"]) == []
    assert not lists.failed


def test_a_list_that_is_there_keeps_the_guesses_going() -> None:
    lists = Lists()
    for n in range(2 * MISSES):
        (url,) = lists.above([f"{ROOT}{2000 + n}/slug"])
        if n % 2:
            lists.note(url, urls(f"{2000 + n}/slug"), ())
        else:
            lists.fail(url, "status 404")
    assert lists.above([f"{ROOT}2020/slug"])
    assert lists.above([f"{ROOT}2020/slug"]) == [], "each once"
