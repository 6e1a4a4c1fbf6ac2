"""From all pings to those that lead to a look: known ones, let in ones, none twice, no storm."""

from __future__ import annotations

from blogforever.ping.filters import NOBODY, FilterTree, PingFilter
from blogforever.ping.notice import Notice
from blogforever.ping.sieve import HEARD_ONCE, MOST_OF_A_HOST, NO_ADDRESS, NOT_LISTED, SAME_AGAIN, STORM, Sieve

SCIENCE = PingFilter("7", "Science", "science")
KNOWN = frozenset({"known.example"})
NOW = 1000.0


def test_known_blogs_need_no_filter_and_others_do() -> None:
    known, chosen, other = (Notice(f"http://{host}/") for host in ("www.known.example", "science.example", "a.example"))
    sifted = Sieve(FilterTree([SCIENCE]), KNOWN).sift([known, chosen, other, Notice("nothing")], NOW)
    assert (sifted.known, sifted.unknown, sifted.received) == ([known], [chosen], 4)
    assert sifted.dropped == {NOBODY: 1, NO_ADDRESS: 1}
    assert sifted.hits == {"7": 1}


def test_limited_to_the_source_list_no_new_blog_is_found() -> None:
    sifted = Sieve(FilterTree([SCIENCE]), KNOWN, is_limited=True).sift(
        [Notice("http://science.example/"), Notice("http://known.example/")], NOW
    )
    assert (len(sifted.known), sifted.unknown, sifted.dropped) == (1, [], {NOT_LISTED: 1})


def test_an_unknown_blog_is_heard_once_and_again_when_time_has_passed_and_a_followed_one_each_time() -> None:
    sieve = Sieve(FilterTree([SCIENCE]), KNOWN)
    again = [Notice("http://science.example/"), Notice("http://known.example/")] * 2
    first, later = sieve.sift(again, NOW), sieve.sift(again, NOW + HEARD_ONCE)
    assert (len(first.unknown), len(first.known), first.dropped) == (1, 2, {SAME_AGAIN: 1})
    assert (len(later.unknown), len(later.known), later.dropped) == (1, 2, {SAME_AGAIN: 1})


def test_a_storm_of_one_host_ends_but_a_host_of_many_blogs_is_none() -> None:
    many = [Notice(f"http://known.example/{number}") for number in range(MOST_OF_A_HOST + 5)]
    alone = Sieve(FilterTree([]), KNOWN).sift(many, NOW)
    shared = Sieve(FilterTree([]), KNOWN, shared=KNOWN).sift(many, NOW)
    assert (len(alone.known), alone.dropped) == (MOST_OF_A_HOST, {STORM: 5})
    assert len(shared.known) == len(many)


def test_on_a_host_of_many_blogs_a_storm_is_one_of_a_single_address() -> None:
    many = [Notice("http://known.example/one")] * (MOST_OF_A_HOST + 5)
    sifted = Sieve(FilterTree([]), KNOWN, shared=KNOWN).sift(many, NOW)
    assert (len(sifted.known), sifted.dropped) == (MOST_OF_A_HOST, {STORM: 5})
