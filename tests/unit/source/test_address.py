from __future__ import annotations

import pytest

from blogforever.errors import UsageError
from blogforever.source.address import blog_name, read_address


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("some.blog", "https://some.blog/"),
        (" http://some.blog ", "http://some.blog/"),
        ("some.blog/about", "https://some.blog/about"),
        ("https://some.blog?p=1", "https://some.blog/?p=1"),
        ("localhost:8000/x", "https://localhost:8000/x"),
        ("HTTP://Some.BLOG:8080", "http://some.blog:8080/"),
        ("Some.Blog/About?Q=A#Top", "https://some.blog/About?Q=A#Top"),
        ("some.blog.:8080/x", "https://some.blog:8080/x"),
        ("http://some.blog.", "http://some.blog/"),
        ("https://some.blog:443/x", "https://some.blog/x"),
        ("http://some.blog:443/", "http://some.blog:443/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://some\u200b.blog\u200b/", "http://some.blog/"),
    ],
)
def test_what_a_person_types(typed: str, url: str) -> None:
    assert read_address(typed) == url


@pytest.mark.parametrize(
    "typed", ["", "http://", "ftp://some.blog/", "two words", "http://[::1", "http://a:b/", "http://./"]
)
def test_what_is_no_address(typed: str) -> None:
    with pytest.raises(UsageError):
        read_address(typed)


def test_a_password_in_an_address_is_sent_elsewhere_and_not_repeated() -> None:
    with pytest.raises(UsageError, match=r"\[\[policy\]\]") as told:
        read_address("https://me:sesame@some.blog/")
    assert "sesame" not in str(told.value)
    assert read_address("https://some.site/@me/") == "https://some.site/@me/"


def test_names_are_safe_readable_and_one_for_http_and_https() -> None:
    assert blog_name("https://www.some.blog/") == blog_name("http://some.blog") == "some.blog"
    assert blog_name("https://bücher.blog/") == blog_name("https://xn--bcher-kva.blog/") == "xn--bcher-kva.blog"
    names = {
        blog_name(url)
        for url in ("https://a.b/x/", "https://a.b/X/", "https://a.b/x-y", "https://a.b/x/y", "https://a.b:81/")
    }
    assert len(names) == 5
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-") for name in names)
    assert len(blog_name("https://a.b/" + "long/" * 100)) < 100
