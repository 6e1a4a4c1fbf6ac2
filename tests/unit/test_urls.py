from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.urls import (
    canonical,
    host_of,
    is_http,
    is_local,
    join,
    mark_of,
    may_be_part,
    move_host,
    page_key,
    part_of,
    route_of,
    routed_path,
    same_site,
    site_root,
    url_key,
    with_mark,
    without_mark,
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("http://example.org:80/a/./b/../c", "http://example.org/a/c"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org:8080/x", "http://example.org:8080/x"),
        ("http://example.org:99999999/x", "http://example.org/x"),
        ("http://example.org/a#top", "http://example.org/a"),
        ("http://example.org/%7euser/%e4%bd%a0", "http://example.org/~user/%E4%BD%A0"),
        ("http://example.org/你", "http://example.org/%E4%BD%A0"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.org/?p=12&utm_source=rss&utm_medium=rss", "http://example.org/?p=12"),
        ("http://example.org/?p=12&#038;utm_source=rss#038;utm_medium=x", "http://example.org/?p=12"),
        ("http://example.org/a/?fbclid=1", "http://example.org/a/"),
        ("http://example.org/a/?replytocom=7#respond", "http://example.org/a/"),
        ("http://example.org//a///b/", "http://example.org/a/b/"),
        ("http://example.org/a\n b\x00", "http://example.org/a%20b"),
        ("http://example.org/index.html%3Fp=5.html", "http://example.org/index.html%3Fp=5.html"),
        ("http://example.org/..", "http://example.org/"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("http://[bad", "http://[bad"),
        ("", ""),
    ],
)
def test_canonical(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("../b", "http://example.org/b"),
        ("../../b/c.html#x", "http://example.org/b/c.html"),
        ("b/c.d/", "http://example.org/a/b/c.d/"),
        ("../", "http://example.org/"),
        ("/c#x", "http://example.org/c"),
        ("//cdn.example.net/x", "http://cdn.example.net/x"),
        ("?page=2", "http://example.org/a/?page=2"),
        ("#top", "http://example.org/a/"),
        (" /d e ", "http://example.org/d%20e"),
        ("\\f\\g", "http://example.org/f/g"),
        ("javascript:void(0)", None),
        ("mailto:x@example.org", None),
        ("data:text/html,x", None),
        ("http://[::1", None),
        ("http://", None),
        ("http://<host>/", None),
        ("x" * 10_000, None),
    ],
)
def test_join(href: str, expected: str | None) -> None:
    assert join("http://example.org/a/", href) == expected


def test_join_keeps_a_bad_port_harmless() -> None:
    assert join("http://example.org/", "http://example.org:port/x") == "http://example.org:port/x"
    assert canonical("http://example.org:port/x") == "http://example.org/x"


@pytest.mark.parametrize(
    "other",
    [
        "https://www.example.org/a/b/",
        "http://EXAMPLE.org/a/b/index.html",
        "http://example.org/a/b/index.php?utm_campaign=z",
        "http://example.org/a/%62",
        "http://example.org:80/a/b?m=1",
    ],
)
def test_url_key_same_page(other: str) -> None:
    assert url_key("http://example.org/a/b") == url_key(other)


@pytest.mark.parametrize(
    "other",
    ["http://example.org/a", "http://example.org/a/B", "http://example.org/a/b?p=2", "http://x.example.org/a/b"],
)
def test_url_key_other_page(other: str) -> None:
    assert url_key("http://example.org/a/b") != url_key(other)


NAMES = st.lists(st.sampled_from(["a", "B-1", "c.html", "index.html", "Default.PHP", "d_~e", ""]), max_size=4)


@given(st.sampled_from(["b.example", "www.b.example", "www.www.example", "1.b-2.example", "b"]), NAMES)
def test_an_address_that_needs_no_reading_has_the_key_that_reading_gives(host: str, names: list[str]) -> None:
    url = "/".join([f"https://{host}", *names])
    # The mark for small screens does not count, and makes an address one that must be read.
    assert page_key(url) == page_key(f"{url}?m=1")


def test_url_key_order_of_parameters() -> None:
    assert url_key("http://example.org/?b=1&a=2") == url_key("https://example.org/index.html?a=2&b=1")


def test_same_site() -> None:
    assert same_site("http://www.example.org/a", "https://Example.org:443/b")
    assert not same_site("http://example.org/", "http://blog.example.org/")
    assert not same_site("http://localhost:1/", "http://localhost:2/")
    assert not same_site("", "")


def test_small_helpers() -> None:
    assert host_of("http://user@WWW.Example.org:81/") == "www.example.org"
    assert host_of("garbage") == ""
    assert is_http("https://example.org")
    assert not is_http("ftp://example.org")
    assert not is_http("//example.org")
    assert is_local("http://localhost:2368/x/")
    assert not is_local("http://example.org")
    assert site_root("HTTP://Example.org/a?b") == "http://example.org/"
    assert site_root("nothing") == ""
    assert move_host("http://localhost:2368/x/?a#b", "https://example.org/rss/") == "https://example.org/x/?a#b"


AWKWARD = st.text(alphabet=st.sampled_from("htps:/.?#[]@%&=;\\ \n\x00aZ0é你ß\ud800‥"), max_size=40)


@given(AWKWARD | st.text(max_size=60), AWKWARD)
def test_never_raises(a: str, b: str) -> None:
    for url in (a, "http://" + a, "http://example.org/" + a):
        assert isinstance(canonical(url), str)
        assert isinstance(url_key(url), str)
        same_site(url, b)
        joined = join(url, b)
        assert joined is None or is_http(joined)


PIECES = st.lists(
    st.sampled_from(["a", "B1", "é", "/", "//", ".", "..", "../", "b.c/", "?", "&", "=", "%20", "-", ":", "#", "#x"])
)
STARTS = st.sampled_from(
    ["", "/", "/a", "http://b.example", "https://b.example/", "https://b.example:8080/", "//c.example/"]
)


BASES = st.sampled_from(
    [
        *(
            "http://a.example/x/y",
            "https://a.example",
            "http://a.example:81/?q=1#z",
            "http://a.example/x/y/z.html?q=/1",
        ),
        *("http://a.example/x//y/", "http://a.example/x/../y/", "http://a.example/x;v=/y/z"),
    ]
)


@given(BASES, STARTS, PIECES)
def test_ordinary_links_are_joined_as_the_standard_says(base: str, start: str, pieces: list[str]) -> None:
    href = start + "".join(pieces)
    address, _, _mark = (whole := urljoin(base, href)).partition("#")
    route = route_of(whole)
    assert join(base, href) in (f"{address}#{route}" if route else address, None)
    if start.startswith("http"):
        assert join(base, start) == start


@pytest.mark.parametrize(
    "href", ["2", "2/", "/a/2", "page/2/", "../a/page-2/", "?page=2", "/a?x=1&pg=3", "/a/12/#x", "3/?y"]
)
def test_a_link_to_a_further_page_is_seen_by_a_first_look(href: str) -> None:
    target = join("https://b.example/a/", href)
    assert target is not None
    assert part_of(target) is not None
    assert may_be_part(href)


def test_a_first_look_passes_over_ordinary_links() -> None:
    assert not any(map(may_be_part, ("/2019/a-walk/", "https://b.example/", "#note-2x", "/page", "mailto:a@b.example")))


@given(AWKWARD)
def test_canonical_is_idempotent(a: str) -> None:
    once = canonical("http://example.org/" + a)
    assert canonical(once) == once


def test_a_session_in_the_path_is_no_part_of_the_address() -> None:
    assert canonical("https://a.example/post;jsessionid=0A1B?x=1") == "https://a.example/post?x=1"
    assert canonical("https://a.example/a;b=c/d") == "https://a.example/a;b=c/d"


@pytest.mark.parametrize(
    ("url", "route"),
    [
        ("https://a.example/#/posts/first", "/posts/first"),
        ("https://a.example/#/posts/first/?id=a-heading", "/posts/first"),
        ("https://a.example/#/post?id=12", "/post?id=12"),
        ("https://a.example/#!/posts/first/", "!/posts/first"),
        ("https://a.example/#/", ""),
        ("https://a.example/#!", ""),
        ("https://a.example/#comments", ""),
        ("https://a.example/page", ""),
    ],
)
def test_a_route_is_told_from_a_mark(url: str, route: str) -> None:
    assert route_of(url) == route
    assert canonical(url).partition("#")[2] == route
    assert page_key(url).partition("#")[2] == route


def test_a_mark_tells_posts_of_one_page_apart() -> None:
    one, two = "https://a.example/2004.html#p1", "http://www.a.example/2004.html#p2"
    assert [mark_of(one), mark_of("https://a.example/#/posts/1"), mark_of("https://a.example/#!")] == ["p1", "", ""]
    assert page_key(one) == page_key(two) == url_key(without_mark(one)) == "a.example/2004.html"
    assert url_key(with_mark(without_mark(two), mark_of(one))) == url_key(one) == "a.example/2004.html#p1"
    assert (
        url_key("https://a.example/#ä b") == url_key("https://a.example/#%C3%A4%20b") != page_key("https://a.example/")
    )
    # An ampersand that was escaped twice is no mark.
    assert url_key("https://a.example/?a=1&#038;b=2") == url_key("https://a.example/?a=1&b=2")


def test_routes_are_joined_and_compared_like_paths() -> None:
    assert join("https://a.example/blog/#/x", "#/posts/one") == "https://a.example/blog/#/posts/one"
    assert join("https://a.example/blog/#/x", "#comments") == "https://a.example/blog/"
    assert url_key("https://www.a.example/#/one/") == url_key("http://a.example/#/one")
    assert url_key("https://a.example/#/one") != url_key("https://a.example/#/two")
    assert routed_path("https://a.example/blog/#!/2021/one") == "/blog/2021/one"


def test_names_of_hosts_are_those_that_browsers_look_up() -> None:
    assert host_of("https://STRASSE.example/") == "strasse.example"
    assert host_of("https://straße.example/") == "xn--strae-oqa.example"
    assert host_of("https://Bücher.example/") == "xn--bcher-kva.example"
    assert host_of("https://i❤tea.example/") == "xn--itea-lw4b.example"
