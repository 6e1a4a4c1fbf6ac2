"""Which platform a blog runs on now, told from its pages and its feed; a version or one odd page is no change."""

from __future__ import annotations

import pytest

from blogforever.model import Page
from blogforever.update.platforms import platform_seen

WP, GHOST = "https://wordpress.org/?v=6.4", "Ghost 5.80"
NOTHING = (None, None)


def pages(number: int, generator: str = "", head: str = "") -> list[Page]:
    made = f'<meta name="generator" content="{generator}">' if generator else ""
    body = f"<html><head>{made}{head}</head><body><h1>A post</h1></body></html>".encode()
    return [Page(f"https://b.example/{n}/", body) for n in range(number)]


def seen(old: list[Page], new: list[Page], told: tuple[str | None, str | None] = NOTHING) -> str | None:
    found = platform_seen("WordPress", old, new, told)
    return (found.name or "unknown") if found and found.changed else None


def test_pages_that_agree_tell_of_another_platform() -> None:
    assert seen(pages(3, "WordPress 6.4"), pages(3, "Ghost 5.80")) == "Ghost"
    found = platform_seen(None, pages(1, "WordPress 6.4"), pages(2, "Hugo 0.120.4"), NOTHING)
    assert found
    assert (found.name, found.version, found.before) == ("Hugo", "0.120.4", "WordPress")
    assert "WordPress" in str(found)


def test_another_version_is_no_change() -> None:
    found = platform_seen("WordPress", pages(3, "WordPress 6.4"), pages(3, "WordPress 6.5.1"), (WP, f"{WP}.1"))
    assert found
    assert (found.changed, found.version) == (False, "6.5.1")


@pytest.mark.parametrize(
    "new",
    [
        pages(1, "Ghost 5.80"),
        [*pages(2, "Ghost 5.80"), *pages(1, "WordPress 6.4")],
        [*pages(2, "Ghost 5.80"), *pages(2, "Hugo 0.120")],
        [*pages(2, "Ghost 5.80"), *pages(3)],
        pages(2),
        [],
    ],
)
def test_one_page_or_pages_that_disagree_tell_nothing(new: list[Page]) -> None:
    assert seen(pages(3, "WordPress 6.4"), new) is None


def test_the_feed_is_a_witness() -> None:
    assert seen([], [], (WP, GHOST)) == "Ghost"
    assert seen(pages(1, "WordPress 6.4"), pages(1, "Ghost 5.80"), (None, GHOST)) == "Ghost"
    assert seen([], pages(1, "WordPress 6.4"), (WP, GHOST)) is None
    assert seen([], [], (None, GHOST)) is None
    assert seen([], [], (WP, "a script of my own")) is None


def test_posts_that_always_spoke_otherwise_than_the_home_page_did_not_move() -> None:
    assert seen(pages(3, "Ghost 5.79"), pages(3, "Ghost 5.80")) is None


def test_signs_that_are_gone_without_others() -> None:
    styled = '<link rel=stylesheet href="/wp-content/a.css"><script src="/wp-includes/b.js"></script>'
    assert seen(pages(3, head=styled), pages(3)) == "unknown"
    assert seen(pages(3, head=styled), pages(3), (WP, WP)) is None
    assert seen(pages(2, head=styled), pages(2)) is None
