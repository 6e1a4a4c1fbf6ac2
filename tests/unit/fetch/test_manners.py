from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from blogforever import clock
from blogforever.config import Config, Policy, WayOut, make_config
from blogforever.errors import UsageError
from blogforever.fetch import guard
from blogforever.fetch.access import belongs, cookie_header
from blogforever.fetch.budget import domain_of
from blogforever.fetch.guard import Names
from blogforever.fetch.patience import LONGEST_WAIT, seconds_to_wait
from blogforever.fetch.policy import Policies
from blogforever.fetch.robots import TRIED_AGAIN, VALID, Ruling, _parse
from blogforever.fetch.services import budget_of, service_of
from blogforever.fetch.settings import make_settings
from blogforever.fetch.ways import WaysOut, proxy_place
from blogforever.store.warcreader import WarcReader
from blogforever.testing import FakeClock

NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 12 ", 12.0),
        ("999999999999", LONGEST_WAIT),
        ("Mon, 06 May 2024 07:08:39 GMT", 30.0),
        ("Mon, 06 May 2024 07:00:00 GMT", 0.0),
        ("Wed, 01 Jan 9999 00:00:00 GMT", LONGEST_WAIT),
        ("soon", None),
        ("-5", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_in_seconds_and_as_a_date_and_never_without_bound(value: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(value, NOW) == seconds


@pytest.mark.parametrize(
    ("host", "service"),
    [
        ("one.blogspot.com", "blogger"),
        ("two.blogspot.de", "blogger"),
        ("3.bp.blogspot.com", "blogger"),
        ("a.wordpress.com", "wordpress"),
        ("i0.wp.com", "wordpress"),
        ("x.tumblr.com", "tumblr"),
        ("notblogspot.com", None),
        ("some.blog", None),
        ("", None),
    ],
)
def test_names_of_one_service_share_a_budget(host: str, service: str | None) -> None:
    assert service_of(host) == service


def test_a_host_draws_on_the_budget_of_its_address() -> None:
    assert budget_of("a.example", "192.0.2.1") == budget_of("b.example", "192.0.2.1")
    assert budget_of("a.wordpress.com", "192.0.2.1") == budget_of("b.wordpress.com", "192.0.2.2")
    assert budget_of("A.Example") == "a.example"


def test_behind_a_proxy_all_names_below_a_domain_draw_on_one_budget() -> None:
    one, other = (budget_of(host, domain=domain_of(host)) for host in ("a.blogs.example.com", "b.example.com"))
    assert one == other == "domain:example.com"
    assert domain_of("a.example.co.uk") == "example.co.uk"
    assert domain_of("127.0.0.1") is None
    assert budget_of("a.wordpress.com", domain="wordpress.com") == budget_of("b.wordpress.com", "192.0.2.2")


def test_the_policy_with_the_longest_name_counts() -> None:
    wide, narrow = Policy("*.some.blog"), Policy("own.some.blog", delay=0.0)
    policies = Policies([wide, narrow])
    assert policies.of("https://own.some.blog/a") is narrow
    assert policies.of("https://x.some.blog/a") is wide
    assert policies.of("https://some.blog.evil/a") is None


def test_a_policy_with_a_scheme_is_for_that_scheme_and_its_port() -> None:
    shut, any_scheme = Policy("https://some.blog"), Policy("other.blog")
    below, ported = Policy("https://*.wide.blog/"), Policy("http://some.blog:8080")
    policies = Policies([shut, any_scheme, below, ported])
    assert policies.of("https://some.blog/a") is policies.of("https://some.blog:443/a") is shut
    assert policies.of("http://some.blog/a") is None
    assert policies.of("https://some.blog:8443/a") is None
    assert policies.of("http://some.blog:8080/a") is ported
    assert policies.of("https://x.wide.blog/") is below
    assert policies.of("https://x.wide.blog:8443/") is None
    assert policies.of("http://x.wide.blog/") is None
    assert policies.of("http://other.blog:81/") is any_scheme


@pytest.mark.parametrize(
    ("url", "given", "same"),
    [
        ("https://my.blog/a", "https://my.blog/", True),
        ("https://my.blog:443/a", "my.blog", False),
        ("https://my.blog:443/a", "https://My.Blog", True),
        ("https://www.my.blog/a", "https://my.blog/", True),
        ("https://my.blog/", "http://my.blog/", True),
        ("http://my.blog/", "http://my.blog/", True),
        ("http://my.blog/", "https://my.blog/", False),
        ("http://my.blog:443/", "https://my.blog/", False),
        ("https://my.blog:8443/", "https://my.blog/", False),
        ("https://xn--bcher-kva.example/", "https://bücher.example/", True),
        ("https://img.my.blog/", "https://my.blog/", False),
        ("https://my.blog.evil.example/", "https://my.blog/", False),
        ("https://my.blog@evil.example/", "https://my.blog/", False),
        ("https://my.blog\\@evil.example/", "https://my.blog/", False),
        ("https://my.blog./", "https://my.blog/", False),
        ("https://my.blog/", "", False),
    ],
)
def test_what_was_given_for_a_blog_goes_there_and_nowhere_else(url: str, given: str, same: bool) -> None:
    assert belongs(url, given) is same


def test_ignoring_robots_needs_a_note() -> None:
    rows = [{"blog": "some.blog", "robots": "ignore", "note": "letter of the author, 2 May 2024"}]
    assert make_config({"policy": rows}).policy[0].note
    for wrong in (
        {"blog": "b", "robots": "ignore"},
        {"blog": "b", "robots": "?"},
        {"robots": "obey"},
        {"blog": "b", "x": 1},
    ):
        with pytest.raises(UsageError):
            make_config({"policy": [wrong]})
    assert Config().policy == ()


def test_a_line_of_another_kind_does_not_part_two_user_agents() -> None:
    text = "User-agent: somebody\nClean-param: ref /\nUser-agent: blogforever\nDisallow: /a\n"
    assert str(Ruling(_parse(text)).refusal("https://x.example/a/b")) == "forbidden by robots.txt"
    assert Ruling(_parse(f"{text}\nUser-agent: *\nDissalow: /")).refusal("https://x.example/b") is None


def test_robots_groups_and_longest_match() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: BlogForever\nUser-agent: other\nDisallow: /a/\nAllow: /a/b/"
    text += "\nCrawl-delay: 4"
    ruling = Ruling(_parse(text))
    assert str(ruling.refusal("https://x.example/a/c")) == "forbidden by robots.txt"
    assert ruling.refusal("https://x.example/a/b/c") is None
    assert ruling.refusal("https://x.example/") is None
    assert ruling.rules.crawl_delay("blogforever") == 4.0
    assert "for now" in str(Ruling(trouble="status 503").refusal("https://x.example/"))
    assert Ruling().refusal("https://x.example/") is None


def test_a_failed_robots_txt_is_asked_for_again_by_the_clock_of_the_schedule() -> None:
    time = FakeClock()
    with clock.handed_in(lambda: time.now):
        failed = Ruling(trouble="status 503", again=clock.now() + TRIED_AGAIN)
        assert not failed.is_outdated
        time.move(TRIED_AGAIN.total_seconds())
        assert failed.is_outdated
    assert not Ruling(until=monotonic() + VALID).is_outdated


def run(work: Coroutine[Any, Any, tuple[str, ...]]) -> tuple[str, ...]:
    """In a loop of its own: the crawls of other tests keep theirs."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


def look_up_as(monkeypatch: pytest.MonkeyPatch, *answers: tuple[str, ...]) -> None:
    waiting = list(answers)

    async def look_up(name: str) -> tuple[str, ...]:
        return waiting.pop(0)

    monkeypatch.setattr(guard, "_look_up", look_up)


def test_a_name_is_resolved_once_so_that_it_cannot_change_its_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up_as(monkeypatch, ("93.184.216.34", "10.0.0.1"), ("127.0.0.1",))
    names = Names()
    first = run(names.addresses("rebind.example"))
    second = run(names.addresses("rebind.example"))
    assert first == second == ("93.184.216.34",)
    assert not names.refused("rebind.example")


def test_a_name_with_private_addresses_only_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up_as(monkeypatch, ("10.0.0.1", "::1"))
    names = Names()
    assert run(names.addresses("inside.example")) == ()
    assert names.refused("inside.example")


def test_of_a_private_proxy_only_its_own_port_is_open_and_never_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up_as(monkeypatch, ("10.0.0.1",))
    names = Names()
    names.ways = WaysOut(WayOut(proxy="proxy.example:3128"))
    assert run(names.for_connection("Proxy.example", 3128)) == ("10.0.0.1",)
    assert run(names.for_connection("proxy.example", 8080)) == ()
    assert run(names.addresses("proxy.example")) == ()
    assert names.refused("proxy.example")


@pytest.mark.parametrize(
    ("host", "refused"),
    [("blog.example", False), ("93.184.216.34", False), ("127.1", True), ("0x7f000001", True), ("localhost", True)],
)
def test_behind_a_proxy_no_name_is_looked_up_here(host: str, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    look_up_as(monkeypatch)  # who is asked has no answer
    names = Names()
    names.ways = WaysOut(WayOut(proxy="10.0.0.1:3128"))
    run(names.addresses(host))
    assert names.refused(host) == refused


@pytest.mark.parametrize(
    ("proxy", "place"),
    [
        ("http://10.0.0.1:3128", ("10.0.0.1", 3128)),
        ("me:secret@Proxy.example", ("proxy.example", 80)),
        ("https://proxy.example/", ("proxy.example", 443)),
    ],
)
def test_where_a_proxy_is(proxy: str, place: tuple[str, int]) -> None:
    assert proxy_place(proxy) == place


@pytest.mark.parametrize("proxy", ["http://proxy.example:99999", "http://", "http://[::1"])
def test_what_is_no_proxy_is_said_in_one_sentence(proxy: str) -> None:
    with pytest.raises(UsageError, match="not the address of a proxy"):
        proxy_place(proxy)


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::1]", "0"]
)
def test_every_spelling_of_this_machine_is_refused(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    names = Names()
    assert run(names.addresses(host)) == ()


@pytest.mark.parametrize(
    ("domain", "below", "url", "sent"),
    [
        ("localhost", "FALSE", "https://localhost:8443/", True),
        ("intranet", "FALSE", "http://intranet/", True),
        ("my.blog", "FALSE", "https://my.blog/", True),
        ("my.blog", "FALSE", "https://sub.my.blog/", False),
        (".my.blog", "TRUE", "https://sub.my.blog/", True),
        (".my.blog", "TRUE", "https://my.blog/", True),
        (".my.blog", "TRUE", "https://notmy.blog/", False),
        (".0.0.1", "TRUE", "https://127.0.0.1/", False),
    ],
)
def test_cookies_go_to_the_hosts_that_browsers_send_them_to(
    tmp_path: Path, domain: str, below: str, url: str, sent: bool
) -> None:
    file = tmp_path / "cookies.txt"
    line = "\t".join((domain, below, "/", "FALSE", "4102444800", "login", "secret"))
    file.write_text(f"# Netscape HTTP Cookie File\n{line}\n", encoding="utf-8")
    assert (cookie_header(str(file), url) is not None) is sent


def test_cookies_go_only_where_they_belong(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    line = "\t".join(("my.blog", "FALSE", "/", "FALSE", "4102444800", "login", "secret"))
    file.write_text(f"# Netscape HTTP Cookie File\n{line}\n", encoding="utf-8")
    assert cookie_header(str(file), "https://my.blog/private/") == "login=secret"
    assert cookie_header(str(file), "https://other.blog/") is None
    with pytest.raises(UsageError):
        cookie_header(str(tmp_path / "none.txt"), "https://my.blog/")


def test_nothing_of_scrapys_own_runs_beside_a_crawl() -> None:
    settings = make_settings(Config(), "agent", Names(), WarcReader(()))
    running = {name for name, place in settings.getwithbase("EXTENSIONS").items() if place is not None}
    assert running
    assert all(name.startswith("blogforever.") for name in running)


def test_the_way_to_a_host_is_the_one_that_names_it_most_closely() -> None:
    far, near, own = (
        WayOut((name,), proxy=f"{number}.example:80") for number, name in enumerate(("blogger", "*.b", "a.b"))
    )
    ways = WaysOut(WayOut(source_address="192.0.2.1"), (far, near, own))
    assert [ways.of(host) for host in ("me.blogspot.com", "x.y.b", "A.b", "b")] == [far, near, own, ways.usual]
    assert ways.proxies() == {("0.example", 80), ("1.example", 80), ("2.example", 80)}


def test_names_are_looked_up_where_their_own_way_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up_as(monkeypatch, ("93.184.216.34",), ("10.0.0.1",))
    names = Names()
    names.ways = WaysOut(special=(WayOut(("*.far.example",), proxy="10.0.0.1:3128"),))
    assert run(names.addresses("a.far.example")) == ()
    assert run(names.addresses("near.example")) == ("93.184.216.34",)
    assert run(names.for_connection("10.0.0.1", 3128)) == ("10.0.0.1",)


@pytest.mark.parametrize(
    "way",
    [{"proxy": "a:1"}, {"services": "blogger"}, {"services": ["a"], "address": "x"}, {"services": [1]}, "blogger"],
)
def test_a_way_that_makes_no_sense_is_said_in_one_sentence(way: object) -> None:
    with pytest.raises(UsageError, match="A way has services"):
        make_config({"way": [way]})


@pytest.mark.parametrize("address", ["192.0.2.1", "not an address"])
def test_an_address_that_the_machine_has_not_is_said_before_anything_is_asked(address: str) -> None:
    with pytest.raises(UsageError, match="is no address of this machine"):
        WaysOut.of_config(Config(source_address=address))
