"""Signs of spam: what blogs made to sell have, and blogs of people have not."""

from __future__ import annotations

import pytest

from blogforever.analyse.copies import ENOUGH_PINGS, copy_signs, ping_signs
from blogforever.analyse.prints import SAME, Twin, comparable, template_print, text_prints
from blogforever.analyse.spam import LIKELY, PlainPost, SpamSignals, likelihood, spam_signs
from blogforever.analyse.values import SeenHost
from blogforever.model import Entry, Feed, Page

SHOP = "http://some-shop.example/item?tag=me-20&asin={}"
TALE = """The gardener came back from the hills with a basket of plums, and nobody in the village asked him where he had
been. We sat at the long table under the lamp, and he told us of the road, of the weather and of the two old women who
had given him bread. In the end it was late, and the children were asleep on the bench by the stove."""
STUFFED = "cheap loans casino garden bonus payday window slots discount insurance replica watches forex river"


def posts(title: str, text: str, link: str = "", number: int = 10) -> list[PlainPost]:
    links = (link.format("{}"),) if link else ()
    return [PlainPost(f"http://a.example/{n}", title.format(n), text, links) for n in range(number)]


def names(url: str, written: list[PlainPost]) -> list[str]:
    return [sign.name for sign in spam_signs(url, written)]


@pytest.mark.parametrize(
    "host",
    [
        "buy-fisherpricebabygames-besttoy",
        "4bestbuy-boxsport-sport",
        "large-bathroom-mirror-shop",
        "wafflemakerrecipe-forsales",
        "buybestgoldplatedroseswatchesdeals",
        "proliantserverhotonline",
        "keychainsdesigner-forsales",
        "buy-arrow-sportshop",
        "buybest-chevroletfenders-4automotive",
    ],
)
def test_the_shops_that_the_first_spider_took_in_for_blogs_are_likely_spam(host: str) -> None:
    sold = posts("18K Plated Rose Gold Hoop Earrings for ${}.99", TALE, SHOP)
    assert likelihood(spam_signs(f"http://{host}.blogspot.example/", sold)) >= LIKELY


@pytest.mark.parametrize(
    "url", ["http://shop.example/", "http://the-old-man-and-the-sea.example/", "http://bestof.example/"]
)
def test_a_blog_of_a_person_has_no_signs(url: str) -> None:
    assert names(url, posts("What we did on day {}", TALE, "http://friend.example/")) == []


def test_prices_and_a_shop_behind_every_link_are_enough_without_a_name_that_sells() -> None:
    sold = posts("Great Price yelixir for ${}", TALE, SHOP)
    assert names("http://calciuminbloodlevels.example/", sold) == ["selling titles", "links for sale"]
    assert likelihood(spam_signs("http://calciuminbloodlevels.example/", sold)) >= LIKELY


def test_notes_without_titles_sell_with_their_first_words() -> None:
    sold = posts("", "Casino bridge replica watches and a friend. The rest speaks of gardens.", SHOP)
    assert names("http://some.example/", sold) == ["selling openings", "links for sale"]
    honest = posts("", "The best bridge of all, seen from the ferry. Later I bought cheap tea in a shop.")
    assert not names("http://some.example/", honest)


def test_words_without_sentences_are_noticed_and_sentences_in_another_script_are_not() -> None:
    korean = "스타트업 플랫폼 지원 프로그램을 소개합니다. " * 20
    assert names("http://a.example/", posts("{}", " ".join([STUFFED] * 4))) == ["no sentences"]
    assert names("http://a.example/", posts("{}", korean)) == []


def test_too_few_posts_say_nothing() -> None:
    assert names("http://a.example/", posts("Cheap casino {} $1", STUFFED, SHOP, number=2)) == []


def test_a_feed_that_tells_of_other_posts_than_the_pages_show_is_a_sign() -> None:
    urls = [f"http://a.example/{number}" for number in range(3)]
    feed = Feed("http://a.example/feed", "rss", entries=tuple(Entry(url, html=f"<p>{TALE}</p>") for url in urls))
    other = tuple(Page(url, f"<p>{STUFFED}</p>".encode()) for url in urls)
    same = tuple(Page(url, f"<h1>A</h1><p>{TALE}</p>".encode()) for url in urls)

    def signs(pages: tuple[Page, ...]) -> list[str]:
        return [sign.name for sign in SpamSignals().signs(SeenHost("http://a.example/", feed=feed, posts=pages))]

    assert signs(other) == ["feed is another"]
    assert signs(same) == []
    assert [sign.name for sign in SpamSignals().signs(SeenHost("http://a.example/"))] == ["no feed"]


def test_prints_stay_where_a_name_is_put_into_a_text_and_differ_for_another() -> None:
    mine, named, other = text_prints(TALE), text_prints(f"{TALE} By The Network Blog."), text_prints(STUFFED * 4)
    assert len({*mine} & {*named}) >= SAME
    assert not {*mine} & {*other}
    assert text_prints("too short") == ()


def test_where_each_character_is_a_word_a_phrase_that_many_use_is_no_copy() -> None:
    phrase, mine, other = "今日はとても良い天気でした。", "朝から海辺の道を歩いた" * 12, "図書館で古い地図を調べた" * 12
    assert not {*text_prints(phrase + mine)} & {*text_prints(phrase + other)}


def test_a_template_is_known_by_its_classes_whatever_it_shows() -> None:
    def page(words: str, more: str = "") -> Page:
        frames = "".join(f'<div class="part-{name}">{words}</div>' for name in "abcdefgh")
        return Page("http://a.example/", f'<body class="post-{len(words)}">{frames}{more}</body>'.encode())

    assert template_print(page("one")) == template_print(page("another"))
    assert template_print(page("one")) != template_print(page("one", '<p class="own"></p>'))
    assert template_print(Page("http://a.example/", b"<p>bare</p>")) is None


def twins(others: tuple[str, ...], published: str, before: str, number: int = 4) -> list[Twin]:
    return [Twin(f"p{n}", published, other, before) for n in range(number) for other in others]


def test_copies_are_those_that_were_elsewhere_before() -> None:
    assert [sign.name for sign in copy_signs(twins(("old",), "2026-01-02", "2026-01-01"), 8, ())] == ["copies"]
    assert copy_signs(twins(("thief",), "2026-01-01", "2026-01-02"), 8, ()) == []
    assert copy_signs(twins(("old",), "2026-01-02", "2026-01-01"), 20, ()) == []


@pytest.mark.parametrize(
    ("mine", "other", "is_later"),
    [
        ("2026-01-01T10:00:00+02:00", "2026-01-01T07:59:00Z", True),
        ("2026-01-01T10:00:00+02:00", "2026-01-01T08:01:00Z", False),
        ("2026-01-02T10:00:00", "2026-01-01T23:00:00Z", True),
        ("2026-01-01T10:00:00", "2026-01-01T09:00:00Z", False),
        ("2026-01-02", "2026-01-01", True),
        ("2026-01-02", "", False),
        ("9999-99-99T99:99", "2026-01-01", True),
    ],
)
def test_who_was_first_is_told_by_the_minute_where_it_is_known_and_else_by_the_day(
    mine: str, other: str, is_later: bool
) -> None:
    assert Twin("p", comparable(mine), "b", comparable(other)).is_later is is_later


def test_many_blogs_with_one_text_and_one_template_are_a_network_whoever_was_first() -> None:
    same = twins(("b", "c"), "2026-01-01", "2026-01-02")
    assert [sign.name for sign in copy_signs(same, 8, {"b", "c"})] == ["one of a network"]
    assert copy_signs(same, 8, {"b"}) == []


def test_pings_that_mostly_tell_of_nothing_are_a_sign_once_there_are_enough() -> None:
    assert [sign.name for sign in ping_signs(ENOUGH_PINGS, 1)] == ["pings for nothing"]
    assert ping_signs(ENOUGH_PINGS - 1, 0) == []
    assert ping_signs(ENOUGH_PINGS, 5) == []
