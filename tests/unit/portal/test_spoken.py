"""Whoever reads German is told nothing in English: every screen is held against the same in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from lxml import html

from blogforever.portal.routes import SCREENS
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from blogforever.storage.following import FollowedQuery
from server.visitor import PortalClient

# What is not ours to translate: texts of blogs, names that people gave, addresses, code.
OF_OTHERS = (
    "ancestor-or-self::*[@dir='auto' or (@lang and not(self::html))"
    " or self::code or self::pre or self::script or self::textarea]"
)
ADDRESS = re.compile(r"\S+[:/]\S+")
# Words that hardly any English sentence goes without, and that no German one has.
WORDS = "the of is are and to it its this with that not by for from no you has at our own what when was"
ENGLISH = re.compile(rf"\b({'|'.join(WORDS.split())})\b", re.IGNORECASE)
TOLD = ("title", "placeholder", "aria-label", "alt")
ADDRESSES = [path for screen in SCREENS for path in screen.addresses if screen.path != "/login"]


@pytest.fixture
def admin(client_of: Callable[[str], PortalClient]) -> PortalClient:
    return client_of("admin")


def told(page: html.HtmlElement) -> Iterator[str]:
    """What a page says in our words, piece by piece."""
    for text in page.xpath(f"//body//text()[not(parent::*[{OF_OTHERS}])]"):
        yield " ".join(ADDRESS.sub("", text).split())
    for name in TOLD:
        for value in page.xpath(f"//body//*[not({OF_OTHERS})]/@{name}"):
            yield " ".join(value.split())


def said_in(client: PortalClient, language: str, path: str) -> set[str]:
    client.headers["Accept-Language"] = language
    return set(told(client.page(path)))


def test_every_screen_in_german_is_in_german(admin: PortalClient, standing: Standing) -> None:
    store = standing.archive.store
    title = store.followed.page(FollowedQuery(limit=1)).items[0].title
    places = {
        "blog": store.followed.page(FollowedQuery(limit=1)).items[0].id,
        "post": store.posts.page(PostQuery(limit=1)).items[0].id,
        "batch": store.sources.batches(None, 1)[0].id,
    }
    left: dict[str, list[str]] = {}
    for path in (path.format(**places) for path in ADDRESSES):
        english = said_in(admin, "en", path)
        assert any(map(ENGLISH.search, english)), f"{path} says nothing"
        same = english & said_in(admin, "de", path) - {title}
        left |= {path: found} if (found := sorted(filter(ENGLISH.search, same))) else {}
    assert left == {}
