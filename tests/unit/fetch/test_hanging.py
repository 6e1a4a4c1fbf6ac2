from __future__ import annotations

from blogforever.fetch.hanging import EARNED, LEAST, NEVER, SLACK, Host

USUAL = 60.0


def test_what_hangs_shares_a_budget_of_time() -> None:
    host = Host(USUAL)
    host.answered(0.1)
    spent = []
    for _ in range(40):
        spent.append(host.seconds())
        host.waited(spent[-1])
    assert spent[0] == USUAL
    assert sorted(spent, reverse=True) == spent
    assert spent[-1] == LEAST
    assert sum(spent) < 10 * USUAL


def test_a_host_that_is_always_slow_keeps_its_time() -> None:
    host = Host(USUAL)
    for _ in range(30):
        host.answered(12.0)
        host.waited(USUAL)
    assert host.seconds() == SLACK * 12.0


def test_a_host_that_answers_again_earns_its_time_back() -> None:
    host = Host(USUAL)
    for _ in range(5):
        host.waited(USUAL)
    for _ in range(5 * EARNED):
        host.answered(0.1)
    assert host.seconds() == USUAL


def test_a_host_that_never_answered_is_given_up_and_one_that_did_is_not() -> None:
    silent, lively = Host(USUAL), Host(USUAL)
    lively.answered(1.0)
    for _ in range(NEVER):
        assert not silent.is_silent()
        silent.waited(USUAL)
        lively.waited(USUAL)
    assert silent.is_silent()
    assert not lively.is_silent()
