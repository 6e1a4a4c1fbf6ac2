"""What to look at again, told from values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from blogforever.learn.urlpattern import learn_url_pattern
from blogforever.model import Entry, Feed, Moment
from blogforever.pipeline.announcements import Place
from blogforever.pipeline.entries import entry_digest
from blogforever.protocols import Ask
from blogforever.update.identity import Identity
from blogforever.update.news import News
from blogforever.update.rechecks import (
    AGAIN,
    LONGEST,
    TURNS_APART,
    absences,
    budget,
    day_looks,
    edit_looks,
    interval,
    may_be_post,
    missing_looks,
    new_looks,
    next_look,
    restated,
    returned,
    stamped_posts,
    stamps,
    turns,
    vanished,
)  # fmt: skip
from blogforever.update.remembered import KnownPost
from blogforever.update.states import APART, Sighting
from blogforever.urls import url_key

NOW = datetime(2024, 6, 1, tzinfo=UTC)


def address(number: int) -> str:
    return f"https://blog.example/2024/{number % 5 + 1:02}/post-{number}/"


def known(number: int, **more: object) -> KnownPost:
    moment = NOW - timedelta(days=10)
    post = KnownPost(
        f"id{number}", address(number), (address(number),), f"tag:{number}", published=f"2024-05-{number % 28 + 1:02}",
        captured=moment, checked=moment, since=moment,
    )  # fmt: skip
    return replace(post, **more)  # type: ignore[arg-type]  # a test's own fields


def entry(number: int, text: str = "words", updated: str | None = None) -> Entry:
    changed = Moment(updated, "second") if updated else None
    day = Moment(f"2024-05-{number % 28 + 1:02}", "day")
    return Entry(address(number), f"tag:{number}", f"Post {number}", html=text, updated=changed, published=day)


def news(*entries: Entry, places: dict[str, str | None] | None = None) -> News:
    told = News()
    told.feeds = [Feed("f", "atom", entries=entries)]
    told.entries = {url_key(entry.url): entry for entry in entries}
    told.places = {url_key(url): Place(url, "sitemap.xml", when) for url, when in (places or {}).items()}
    return told


def keys(post: KnownPost) -> list[str]:
    return [url_key(name) for name in post.names]


POSTS = [known(n) for n in range(20)]
MAY_BE = may_be_post(learn_url_pattern(post.url for post in POSTS))


def wanted(told: News, seen: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    return [(look.url, look.why) for look in new_looks(told, Identity(POSTS), seen.__contains__, MAY_BE)]


def test_unknown_addresses_of_the_feed_are_new() -> None:
    assert wanted(news(entry(3), entry(30))) == [(address(30), "new")]


def test_a_known_guid_under_a_new_address_is_a_move() -> None:
    moved = replace(entry(3), url="https://blog.example/post-3")
    assert wanted(news(moved)) == [("https://blog.example/post-3", "moved")]


def test_the_same_path_on_another_host_is_a_move() -> None:
    url = "https://own-domain.example/2024/04/post-3/"
    assert wanted(news(places={url: None})) == [(url, "moved")]


def test_a_sitemap_names_more_than_posts() -> None:
    about = "https://blog.example/about/"
    assert wanted(news(places={address(30): None, about: None, address(3): None})) == [(address(30), "new")]


def test_what_was_looked_at_before_is_not_new() -> None:
    assert wanted(news(places={address(30): None}), frozenset({url_key(address(30))})) == []


def edited(told: News, posts: list[KnownPost]) -> list[str]:
    return [look.post.id for look in edit_looks(told, posts, keys) if look.post]


def test_an_edit_is_announced_by_a_date_of_change() -> None:
    post = known(3, announced="2024-05-01T00:00:00Z")
    assert edited(news(places={address(3): "2024-05-30T10:00:00Z"}), [post]) == ["id3"]
    assert edited(news(places={address(3): "2024-05-01T00:00:00Z"}), [post]) == []
    assert edited(news(entry(3, updated="2024-05-31T10:00:00Z")), [known(3)]) == ["id3"]
    assert edited(news(entry(3, updated="2024-05-01T10:00:00Z")), [known(3)]) == []


def test_an_edit_is_announced_by_another_text_in_the_feed() -> None:
    post = known(3, entry=entry_digest(entry(3)))
    assert edited(news(entry(3, "other words")), [post]) == ["id3"]
    assert edited(news(replace(entry(3), comment_count=7)), [post]) == []


def test_an_edit_is_announced_by_the_api() -> None:
    told = News()
    told.changed = {url_key(address(3)): entry(3)}
    assert edited(told, POSTS) == ["id3"]


def test_a_build_that_stamps_everything_announces_nothing() -> None:
    posts = [known(n, announced="2024-05-01T00:00:00Z") for n in range(20)]
    built = {address(n): f"2024-06-01T08:00:{n:02}Z" for n in range(20)}
    assert edited(news(places=dict(built)), posts) == []
    assert stamped_posts(news(places=dict(built)), posts, keys) == posts
    few = {address(n): f"2024-05-{n + 10}T08:00:00Z" for n in range(3)}
    assert edited(news(places=dict(few)), posts) == ["id0", "id1", "id2"]
    assert stamped_posts(news(places=dict(few)), posts, keys) == []
    assert stamps(["2024-06-01T08:00:00Z"] * 3, 200) == set()


def test_a_feed_that_says_everything_otherwise_announces_no_edit() -> None:
    posts = [known(n, entry=entry_digest(entry(n)), announced="2024-05-01T00:00:00Z") for n in range(12)]
    shorter = [entry(n, "cut short") for n in range(10)]
    assert restated(news(*shorter), Identity(posts))
    assert not restated(news(*shorter[:3], *(entry(n) for n in range(3, 10))), Identity(posts))
    looks = edit_looks(news(*shorter), posts, keys, believed=False)
    assert [(look.url, look.announced) for look in looks] == [(address(n), False) for n in range(10)]
    # A date that every post got at once makes it no surer, one of its own does.
    built = news(*shorter, places={address(n): "2024-06-01T08:00:00Z" for n in range(12)})
    assert not any(look.announced for look in edit_looks(built, posts, keys, believed=False))
    dated = news(*shorter, places={address(3): "2024-06-01T08:00:00Z"})
    assert [look.url for look in edit_looks(dated, posts, keys, believed=False) if look.announced] == [address(3)]


def test_a_post_may_be_back_where_it_was() -> None:
    new = "http://b.test/new/3"
    moved = replace(known(3), url=new, names=(new, address(3)), former=(address(3),))
    back = returned(news(places={address(3): None}), [moved], keys)
    assert [(look.url, look.why, look.post) for look in back] == [(address(3), "moved", moved)]
    assert returned(news(places={address(3): None, new: None}), [moved], keys) == []
    assert returned(news(places={address(3): None}), [replace(moved, former=())], keys) == []


def test_a_post_is_absent_from_a_list_that_has_the_others() -> None:
    places: dict[str, str | None] = {address(n): None for n in range(20) if n != 4}
    assert absences(news(places=places), POSTS, keys) == {"id4": {"sitemap"}}
    assert absences(news(places={address(1): None}), POSTS, keys) == {}
    broken = news(places=places)
    broken.failed(Ask("sitemap.xml", "sitemap"), "timeout")
    assert absences(broken, POSTS, keys) == {}


def test_a_post_is_absent_from_the_window_of_the_feed() -> None:
    posts = [known(n, entry="told once") for n in range(10)]
    told = news(*(entry(n) for n in range(10) if n != 5))
    assert absences(told, posts, keys) == {"id5": {"feed"}}


def test_of_very_many_absent_posts_a_sample_is_enough() -> None:
    posts = [known(n) for n in range(200)]
    looks = missing_looks(posts, {post.id: {"sitemap"} for post in posts}, lambda _post: False, NOW)
    assert len(looks) == 10


def looked_for(post: KnownPost, days: float, listed: bool = False) -> bool:
    return bool(missing_looks([post], {}, lambda _post: listed, NOW + timedelta(days=days)))


def test_a_missing_post_is_looked_for_ever_more_seldom() -> None:
    once = known(1, state="missing", sightings=(Sighting(NOW, "not found"),))
    assert not looked_for(once, 0.1)
    assert looked_for(once, 1)
    often = replace(once, sightings=once.sightings * 8)
    assert not looked_for(often, 30)
    assert looked_for(often, 180)


def test_a_missing_or_gone_post_that_is_listed_again_is_looked_at() -> None:
    for state in ("missing", "gone"):
        assert looked_for(known(1, state=state, sightings=(Sighting(NOW, "gone"),)), 0.1, listed=True)


def test_lists_without_any_known_post() -> None:
    assert vanished(news(entry(40), entry(41)), POSTS, keys)
    assert not vanished(news(entry(40), entry(4)), POSTS, keys)
    assert not vanished(News(), POSTS, keys)


def test_everybody_has_a_turn_and_young_posts_more_often() -> None:
    posts = [known(n, published=f"20{n % 15 + 10}-05-01") for n in range(40)]
    seen: dict[str, int] = {}
    now = NOW
    for _ in range(40):
        now += timedelta(days=1)
        due = {look.post.id for look in turns(posts, now, budget(40, 0.1).pages, lambda _url: False) if look.post}
        seen |= {post: seen.get(post, 0) + 1 for post in due}
        posts = [replace(p, checked=now, unchanged=p.unchanged + 1) if p.id in due else p for p in posts]
    assert seen.keys() == {post.id for post in posts}
    young = [seen[f"id{n}"] for n in range(40) if n % 15 == 14]
    aged = [seen[f"id{n}"] for n in range(40) if n % 15 == 0]
    assert min(young) > max(aged)


def test_a_small_blog_waits_until_a_posts_time_is_up() -> None:
    small = [known(n, checked=NOW) for n in range(5)]
    assert turns(small, NOW + timedelta(hours=1), 1, lambda _url: False) == []
    assert len(turns(small, NOW + timedelta(days=20), 1, lambda _url: False)) == 1


def test_a_bare_day_leaves_the_rest_of_the_day_open() -> None:
    day = "2024-05-22"
    post = known(3, announced=day, checked=datetime(2024, 5, 22, 9, tzinfo=UTC))
    assert that_day(news(places={address(3): day}), [post]) == ["id3"]
    later = replace(post, checked=datetime(2024, 5, 23, 9, tzinfo=UTC))
    assert that_day(news(places={address(3): day}), [later]) == []
    many = [replace(known(n), announced=day, checked=post.checked) for n in range(20)]
    assert that_day(news(places=dict.fromkeys(map(address, range(20)), day)), many) == []


def test_of_many_posts_changed_on_a_bare_day_those_not_seen_for_longest_come_first() -> None:
    day = "2024-05-22"
    checked = {n: datetime(2024, 5, 22, 9 + n, tzinfo=UTC) for n in (3, 1, 4, 2)}
    posts = [*(known(n, announced=day, checked=at) for n, at in checked.items()), *POSTS[5:]]
    assert that_day(news(places=dict.fromkeys(map(address, checked), day)), posts) == ["id1", "id2"]


def that_day(told: News, posts: list[KnownPost]) -> list[str]:
    return [look.post.id for look in day_looks(told, posts, keys) if look.post]


def test_what_is_fresh_by_its_servers_word_waits() -> None:
    assert turns([known(1)], NOW, 5, lambda _url: True) == []


def test_the_interval_grows_with_age_and_silence() -> None:
    young, old = known(1, published="2024-05-25"), known(2, published="2014-05-25")
    assert interval(young, NOW) < interval(old, NOW) <= timedelta(days=365)
    assert interval(old, NOW) <= interval(replace(old, unchanged=4), NOW)


def test_the_budget_says_when_all_have_been_seen() -> None:
    assert (budget(120, 0.05).pages, budget(120, 0.05).updates) == (6, 20)
    assert (budget(10, 0.05).pages, budget(0, 1.0).pages, budget(5, 0.0).pages) == (1, 0, 0)


def test_old_posts_have_their_turn_once_a_day_but_those_of_a_small_blog_by_their_own_time() -> None:
    large, small = budget(100, 0.05), budget(5, 0.05)
    just_now, a_day_ago = NOW - timedelta(hours=1), NOW - timedelta(days=1)
    assert [large.at(NOW, turned).is_time for turned in (None, just_now, a_day_ago)] == [True, False, True]
    assert small.at(NOW, just_now).is_time


def test_the_next_look_is_that_for_the_first_post_whose_time_comes() -> None:
    large, none_in_turn = budget(100, 0.05), budget(100, 0.0)
    assert next_look(POSTS, large, NOW, NOW) == NOW + TURNS_APART
    assert next_look(POSTS, none_in_turn, NOW, None) == NOW + LONGEST
    sought = known(1, state="missing", sightings=(Sighting(NOW, "not found"),))
    assert next_look([*POSTS, sought], large, NOW, NOW) == NOW + APART
    never_sought = known(1, state="missing")
    assert next_look([*POSTS, never_sought], large, NOW, NOW) == NOW
    dropped = known(1, sightings=(Sighting(NOW, "here", frozenset({"sitemap"})),))
    assert next_look([*POSTS, dropped], none_in_turn, NOW, None) == NOW + AGAIN


def test_in_a_small_blog_the_next_look_is_when_a_posts_time_is_up() -> None:
    small = [known(n, checked=NOW) for n in range(5)]
    when = next_look(small, budget(5, 0.05), NOW, NOW)
    assert NOW < when < NOW + LONGEST
    assert turns(small, when - timedelta(hours=1), 1, lambda _url: False) == []
