"""One exchange with the table of turns is decided by the server: its clock, its rows, whoever asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from blogforever.errors import ArchiveError
from blogforever.storage.turns import BudgetNews, KnownRobots, TurnAnswer, TurnWish
from blogforever.store import turntable
from blogforever.store.database import open_database
from blogforever.store.place import settle
from blogforever.store.turntable import PostgresTurns, read_budgets, turn_table
from server.postgres import bare_database, cut_off, emptied_database, postgres

LONG = 600.0
YES = TurnAnswer(True)
POLLED = TurnAnswer(False)


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = emptied_database()
    yield made
    made.dispose()


@pytest.fixture
def table(engine: Engine) -> Iterator[PostgresTurns]:
    made = PostgresTurns(postgres())
    yield made
    made.close()


def asked(table: PostgresTurns, who: str, number: int, apart: float = 0.0, at_once: int = 2) -> TurnAnswer:
    answers = table.exchange(who, who, [BudgetNews("service:a", wish=TurnWish(number, apart, at_once))])
    assert answers is not None
    return answers["service:a"]


def told(table: PostgresTurns, who: str, news: BudgetNews) -> None:
    assert table.exchange(who, who, [news]) == {}


def test_so_many_at_once_whoever_asks_and_a_place_given_back_is_free(table: PostgresTurns) -> None:
    assert [asked(table, "x", 1), asked(table, "y", 1), asked(table, "z", 1)] == [YES, YES, POLLED]
    told(table, "x", BudgetNews("service:a", ended=(1,)))
    assert asked(table, "z", 1) == YES


def test_an_answer_that_was_lost_is_given_again_and_takes_no_second_place(table: PostgresTurns) -> None:
    assert [asked(table, "x", 1) for _ in range(3)] == [YES] * 3
    assert asked(table, "y", 1) == YES


def test_until_a_request_has_started_nobody_else_may_and_then_the_delay_counts(table: PostgresTurns) -> None:
    assert asked(table, "x", 1, apart=LONG) == YES
    assert asked(table, "y", 1, apart=LONG) == POLLED
    told(table, "x", BudgetNews("service:a", started=(1,), asked=100.0))
    wait = asked(table, "y", 1, apart=LONG).wait
    assert wait is not None
    assert LONG - 130 < wait <= LONG - 100
    assert asked(table, "y", 1, apart=50.0) == YES


def test_a_budget_that_rests_is_granted_to_nobody_not_even_who_was_just_granted_it(table: PostgresTurns) -> None:
    assert asked(table, "x", 1) == YES
    told(table, "y", BudgetNews("service:a", rests=LONG))
    for who in ("x", "y"):
        wait = asked(table, who, 1).wait
        assert wait is not None
        assert LONG - 30 < wait <= LONG


def test_who_is_silent_for_too_long_has_lost_everything(
    table: PostgresTurns, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turntable, "LASTING", -1.0)
    assert asked(table, "x", 1, at_once=1) == YES
    monkeypatch.undo()
    assert table.exchange("x", "x", []) is None
    # He may have asked until his last moment, so the delay counts from there.
    wait = asked(table, "y", 1, apart=LONG, at_once=1).wait
    assert wait is not None
    assert LONG - 30 < wait <= LONG
    assert asked(table, "y", 1, at_once=1) == YES
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM turns_leases")) == 1


def test_who_is_known_to_be_dead_has_lost_everything_at_once(table: PostgresTurns) -> None:
    assert asked(table, "x", 1, at_once=1) == YES
    assert table.askers() == [("x", "x")]
    table.bury("x")
    assert table.askers() == []
    wait = asked(table, "y", 1, apart=LONG, at_once=1).wait
    assert wait is not None
    assert LONG - 30 < wait <= LONG
    assert asked(table, "y", 1, at_once=1) == YES


def test_who_leaves_gives_everything_back(table: PostgresTurns) -> None:
    assert [asked(table, "x", number) for number in (1, 2)] == [YES, YES]
    table.leave("x")
    assert asked(table, "y", 1, at_once=1) == YES


def test_a_clock_that_was_set_back_costs_one_delay(table: PostgresTurns, engine: Engine) -> None:
    with engine.begin() as connection:
        later = "extract(epoch FROM clock_timestamp()) + 1000000"
        connection.execute(text(f"INSERT INTO turns_budgets VALUES ('service:a', {later}, 0)"))
    wait = asked(table, "x", 1, apart=5.0).wait
    assert wait is not None
    assert wait <= 5.0


def test_the_first_to_ask_settles_which_budget_a_host_draws_on(
    table: PostgresTurns, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, left = table.agreed("a.example", "ip:192.0.2.1")
    assert (key, left > LONG) == ("ip:192.0.2.1", True)
    assert table.agreed("a.example", "domain:a.example")[0] == "ip:192.0.2.1"
    monkeypatch.setattr(turntable, "AGREED", -1.0)
    table.agreed("b.example", "ip:192.0.2.2")
    assert table.agreed("b.example", "ip:192.0.2.3")[0] == "ip:192.0.2.3"


def test_what_a_robots_txt_said_is_known_to_all_for_as_long_as_it_is_believed(table: PostgresTurns) -> None:
    origin = "https://a.example"
    assert table.robots(origin) is None
    table.keep_robots(origin, KnownRobots("User-agent: *\nDisallow: /", left=LONG))
    known = table.robots(origin)
    assert known is not None
    assert (known.said, known.trouble, known.again) == ("User-agent: *\nDisallow: /", "", None)
    assert 0 < known.left <= LONG
    table.keep_robots(origin, KnownRobots("", "status 503", "2024-01-01T00:00:00+00:00", LONG))
    known = table.robots(origin)
    assert known is not None
    assert (known.trouble, known.again) == ("status 503", "2024-01-01T00:00:00+00:00")
    table.keep_robots(origin, KnownRobots("", left=-1.0))
    assert table.robots(origin) is None


def test_what_was_long_ago_is_forgotten(table: PostgresTurns, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(table, "x", 1) == YES
    told(table, "x", BudgetNews("service:a", started=(1,), ended=(1,), asked=0.0))
    table.agreed("a.example", "ip:192.0.2.1")
    table.keep_robots("https://a.example", KnownRobots("", left=1.0))
    table.tidy()
    standing = read_budgets(engine, 10)
    assert standing is not None
    assert [(one.key, one.rests, one.under_way) for one in standing] == [("service:a", 0.0, 0)]
    assert standing[0].asked < LONG
    monkeypatch.setattr(turntable, "FORGOTTEN", -1e9)
    table.tidy()
    assert read_budgets(engine, 10) == []
    assert table.robots("https://a.example") is None


def test_a_connection_that_breaks_is_said_and_made_anew(table: PostgresTurns) -> None:
    assert asked(table, "x", 1) == YES
    cut_off()
    with pytest.raises(ArchiveError, match="cannot be used"):
        asked(table, "x", 1)
    assert asked(table, "x", 1) == YES


def test_where_the_tables_are_not_there_no_turns_are_taken(tmp_path: Path, engine: Engine) -> None:
    assert turn_table(tmp_path) is None
    settle(tmp_path, postgres())
    found = turn_table(tmp_path)
    assert found is not None
    found.close()
    with bare_database("empty") as url:
        (tmp_path / "other").mkdir()
        settle(tmp_path / "other", url)
        assert turn_table(tmp_path / "other") is None


def test_an_archive_in_a_file_has_no_budgets_there(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "archive.db")
    assert read_budgets(engine, 10) is None
    engine.dispose()
