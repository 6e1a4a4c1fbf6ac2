from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.errors import RulesError
from blogforever.learn.urlpattern import (
    UrlPattern,
    learn_url_pattern,
    likely_posts,
    listed_posts,
    other_kind,
    shape,
    skip_reason,
)

SITE = "https://blog.example"
DATED = [f"{SITE}/2013/{month:02}/{word}/" for month, word in enumerate(("one-day", "two-cats", "three"), 1)]


def test_the_pattern_covers_other_posts_of_the_same_shape_and_no_lists() -> None:
    pattern = learn_url_pattern(DATED)
    assert pattern.matches(f"{SITE}/2009/11/another-post/")
    assert pattern.matches(f"{SITE}/2009/11/%D0%BF%D0%BE%D1%81%D1%82")
    assert not pattern.matches(f"{SITE}/2009/11/")
    assert not pattern.matches(f"{SITE}/about/")
    assert not pattern.matches(f"{SITE}/2009/11/another-post/print/")


def test_words_all_posts_share_are_kept() -> None:
    pattern = learn_url_pattern([f"{SITE}/post/a-b", f"{SITE}/post/c-d"])
    assert pattern.matches(f"{SITE}/post/e-f")
    assert not pattern.matches(f"{SITE}/docs/e-f")


def test_query_addresses_are_patterns_too() -> None:
    pattern = learn_url_pattern([f"{SITE}/?p=12", f"{SITE}/?p=15"])
    assert pattern.matches(f"{SITE}/?p=99")
    assert not pattern.matches(f"{SITE}/?cat=99")
    assert not pattern.matches(f"{SITE}/")


def test_the_number_of_a_story_is_no_session() -> None:
    assert other_kind(f"{SITE}/article.php?sid=12") != "machinery"
    assert other_kind(f"{SITE}/article.php?sid=5f3b9c0e7d") == "machinery"
    assert other_kind(f"{SITE}/article.php?sid=482910473829") == "machinery"


def test_a_kind_that_the_feed_uses_for_posts_is_allowed() -> None:
    pattern = learn_url_pattern(
        [f"{SITE}/archives/12.html", f"{SITE}/archives/1345.html", f"{SITE}/archives/99999.html"]
    )
    assert pattern.matches(f"{SITE}/archives/4711.html")


def test_lists_in_other_folders_do_not_hide_posts_in_one_that_is_called_like_a_list() -> None:
    lists = [f"{SITE}/tags/{word}/" for word in ("tea", "rain", "rope")] + [
        f"{SITE}/archives/day-{n}/" for n in range(9)
    ]
    pattern = learn_url_pattern([f"{SITE}/archives/a-long-walk/"], lists)
    assert pattern.matches(f"{SITE}/archives/day-3/")
    assert not pattern.matches(f"{SITE}/tags/tea/")


def test_shapes_that_lists_have_more_often_are_left_out() -> None:
    assert not learn_url_pattern([f"{SITE}/a-walk/"], [f"{SITE}/tags/", f"{SITE}/topics/"]).shapes


def test_where_posts_are_called_by_short_codes_a_number_is_one_of_them() -> None:
    codes = learn_url_pattern(f"https://b.example/blog/{name}" for name in ("1e", "2a", "x", "h7", "faval-82"))
    assert codes.matches("https://b.example/blog/75")
    assert codes.is_code("https://b.example/blog/75")
    assert not codes.matches("https://b.example/page/2")
    assert not codes.matches("https://b.example/tag/75")
    words = learn_url_pattern(f"https://b.example/blog/{name}" for name in ("one-day", "two-days", "cat", "sea", "sky"))
    assert not words.matches("https://b.example/blog/75")
    texts = learn_url_pattern(f"https://b.example/texts/{name}.html" for name in ("1e", "2a", "x", "h7"))
    assert texts.matches("https://b.example/texts/41.html")


def test_one_shape_is_not_lost_among_many() -> None:
    urls = [*DATED, f"{SITE}/2014/slug-with-year/", f"{SITE}/2015/other-slug/"]
    assert learn_url_pattern(urls).matches(f"{SITE}/2016/third-slug/")


def test_strict_patterns_ask_strangers_for_more() -> None:
    strict, loose = learn_url_pattern(DATED), learn_url_pattern([f"{SITE}/one-day/", f"{SITE}/two-cats/"])
    assert strict.weight(f"{SITE}/docs/") < loose.weight(f"{SITE}/docs/intro/") < 0
    assert strict.weight(f"{SITE}/2009/slug/") > strict.weight(f"{SITE}/slug/")


def test_json_round_trip_and_readable() -> None:
    pattern = learn_url_pattern([*DATED, f"{SITE}/?p=12"])
    text = json.dumps(pattern.to_json())
    assert UrlPattern.from_json(json.loads(text)) == pattern
    with pytest.raises(RulesError):
        UrlPattern.from_json({"version": 99, "shapes": []})
    with pytest.raises(RulesError):
        UrlPattern.from_json({})


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "home"),
        ("/index.html", "home"),
        ("/tag/cats/", "list"),
        ("/blog/category/a/b/", "list"),
        ("/2013/", "date"),
        ("/archives/2013/03/", "date"),
        ("/2013/03/04/", "date"),
        ("/2011/05/2011_05_01_archive.html", "date"),
        ("/linked/2013/august/", "date"),
        ("/date-2013-03.html", "date"),
        ("/page/3/", "page"),
        ("/page3/", "page"),
        ("/blog/page/12", "page"),
        ("/p/12", "page"),
        ("/anna/p/10433.html", None),
        ("/?paged=3", "page"),
        ("/about/", "static"),
        ("/impressum.html", "static"),
        ("/%E5%85%B3%E4%BA%8E/", "static"),
        ("/?s=word", "list"),
        ("/2013/03/04/slug/", None),
        ("/2013/03/long-story/2/", "part"),
        ("/slug/", None),
        ("/?p=12", None),
        ("/node/351", None),
        ("/archives/000481.html", None),
        ("/archives/17-A-long-walk.html", None),
        ("/archives/17-3.html", "list"),
        ("/index-4.html", "page"),
        ("/2016/about-my-cat/", None),
    ],
)
def test_what_is_known_of_all_blogs(path: str, kind: str | None) -> None:
    assert other_kind(SITE + path) == kind


@pytest.mark.parametrize(
    "path",
    [
        "/slug/?replytocom=12",
        "/slug/?share=twitter",
        "/slug/feed/",
        "/slug/comment-page-2/",
        "/slug/print/",
        "/slug/amp/",
        "/wp-json/wp/v2/posts",
        "/photo.JPG",
        "/slug/attachment/photo/",
        "/a/b/a/b/a/b/a/b/",
    ],
)
def test_machinery_is_not_fetched(path: str) -> None:
    assert skip_reason(SITE + path)


def test_without_a_feed_the_largest_family_of_post_like_pages_is_taken() -> None:
    pages = [(url, True) for url in DATED] + [(f"{SITE}/docs/{n}/intro", False) for n in "abcdefg"]
    assert likely_posts(pages) == DATED


def test_a_few_pages_beside_the_blog_do_not_open_the_folder_of_its_posts() -> None:
    posts = [f"{SITE}/blog/{word}" for word in ("one-day", "two-cats", "three-more", "four")]
    others = [(f"{SITE}/docs/install", False), (f"{SITE}/wiki/ropes", True)]
    found = likely_posts([*((url, True) for url in posts), *others])
    assert found == posts
    assert not learn_url_pattern(found).matches(f"{SITE}/docs/usage")


@given(st.text(max_size=60))
def test_any_address_has_a_shape_and_a_kind(path: str) -> None:
    url = f"{SITE}/{path}"
    assert isinstance(shape(url), tuple)
    other_kind(url)
    assert isinstance(learn_url_pattern([url]).matches(url), bool)


@given(st.lists(st.from_regex(r"/(19|20)[0-9]{2}/[a-z]{3,9}-[a-z]{2,9}/", fullmatch=True), min_size=1, max_size=9))
def test_a_learned_pattern_covers_what_it_was_learned_from(paths: list[str]) -> None:
    urls = [SITE + path for path in paths]
    pattern = learn_url_pattern(urls)
    assert all(pattern.matches(url) for url in urls)


def test_words_of_machinery_are_titles_where_the_blogs_posts_have_such_addresses() -> None:
    pattern = learn_url_pattern([f"http://b/notes/post-{n}/" for n in range(6)])
    assert all(pattern.matches(f"http://b/notes/{word}") for word in ("print/", "atom/", "embed", "node.js"))
    assert not any(pattern.matches(f"http://b/notes/post-1/{word}") for word in ("print/", "atom/", "embed", "a.js"))
    assert not pattern.matches("http://b/notes/picture.jpg")


def test_a_script_is_machinery_and_what_lies_behind_it_is_not() -> None:
    assert skip_reason("http://b/cgi-bin/search.cgi?q=x") == "machinery"
    assert skip_reason("http://b/cgi-bin/mt/mt-tb.cgi/12") == "machinery"
    assert skip_reason("http://b/cgi-bin/blog.cgi/2004/05/a-walk.html") is None
    assert other_kind("http://b/cgi-bin/blog.cgi/2004/05/") == "date"


def test_a_path_behind_a_question_mark_is_read_as_one() -> None:
    post = "https://tin.example/index.php?post/2011/11/13/a-walk"
    assert shape(post)[-5:-1] == ("Wpost", "Y", "D", "D")
    assert other_kind(post) is None
    assert other_kind("https://tin.example/index.php?category/garden") == "list"
    assert other_kind("https://tin.example/index.php?page/2") == "page"


def test_lists_show_which_doubtful_addresses_are_posts() -> None:
    posts = [f"https://tin.example/index.php?itemid={n}" for n in range(1, 9)]
    months = [f"https://tin.example/index.php?archive=2011-0{n}" for n in range(1, 9)]
    assert listed_posts(posts[:4], [*posts, *months]) == posts
    assert listed_posts(posts[:2], [*posts, *months]) == []


def test_where_lists_show_short_numbers_as_posts_the_pages_of_a_list_are_none() -> None:
    posts = [f"https://tin.example/index.php/archives/{n}/" for n in range(4, 12)]
    further = [f"https://tin.example/index.php/page/{n}/" for n in range(2, 6)]
    assert listed_posts(posts[:4], [*posts, *further]) == posts
    pattern = learn_url_pattern(posts)
    assert pattern.matches("https://tin.example/index.php/archives/33/")
    assert not any(map(pattern.matches, further))


def test_the_number_in_the_folder_of_the_only_known_post_is_its_own() -> None:
    pattern = learn_url_pattern(["https://tin.example/article19/a-walk"])
    assert pattern.matches("https://tin.example/article7/the-mill")
    assert not pattern.matches("https://tin.example/category7/the-mill")
    assert not learn_url_pattern(["https://tin.example/notes/a-walk"]).matches("https://tin.example/about/us")


def test_lists_may_be_named_between_commas() -> None:
    assert other_kind("https://tin.example/View,category,bread.aspx") == "list"
    assert other_kind("https://tin.example/default,month,2014-11.aspx") == "date"
    assert other_kind("https://tin.example/2014/11/05/bread,butter-and-tea.aspx") is None
