"""The one clock: the system's, one that is handed in, and one that is played over loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from blogforever import clock
from blogforever.clock import ClockReading, PlayedClock
from blogforever.errors import UsageError

NOON = datetime(2025, 1, 6, 12, tzinfo=UTC)


class PlayedTime(HTTPServer):
    """Says on loopback what it was told to."""

    def __init__(self, said: Any) -> None:
        class Telling(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(said).encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        super().__init__(("127.0.0.1", 0), Telling)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/now"


@pytest.fixture
def played(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a clock that says what the test hands in."""
    server = PlayedTime(request.param)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.address
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_clock_is_handed_in_for_a_while() -> None:
    with clock.handed_in(lambda: NOON):
        assert clock.now() == NOON
        assert clock.today() == date(2025, 1, 6)
        assert clock.stamp() == "2025-01-06T12:00:00+00:00"
    assert clock.now() > NOON


def test_of_two_clocks_the_last_counts() -> None:
    later = NOON.replace(hour=13)
    with clock.handed_in(lambda: NOON), clock.handed_in(lambda: later):
        assert clock.now() == later


def test_a_reading_runs_on_at_its_speed() -> None:
    reading = ClockReading(virtual=1000.0, speed=600.0, read=50.0)
    assert reading.at(50.0) == 1000.0
    assert reading.at(52.0) == 2200.0


@pytest.mark.parametrize("played", [{"virtual": NOON.timestamp(), "speed": 600, "paused": True}], indirect=True)
def test_a_paused_clock_stands_still(played: str) -> None:
    told = PlayedClock(played)
    assert told() == told() == NOON


@pytest.mark.parametrize("played", [{"virtual": NOON.timestamp(), "speed": 600, "paused": False}], indirect=True)
def test_a_played_clock_runs(played: str) -> None:
    told = PlayedClock(played)
    first = told()
    assert NOON <= first <= told()


@pytest.mark.parametrize("played", [{"virtual": NOON.timestamp(), "speed": 1, "paused": False}], indirect=True)
def test_a_clock_that_nobody_has_is_not_asked_any_more(played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its port may be that of something else by then, as of a blog in the next test."""
    monkeypatch.setattr(clock, "READ_AGAIN", 0.01)
    before = set(threading.enumerate())
    told = PlayedClock(played)
    (asking,) = (one for one in set(threading.enumerate()) - before if one.name == "clock")
    first, reading = told(), told._reading
    while told._reading is reading:
        assert asking.is_alive()
    assert told() >= first
    del told
    asking.join(60)
    assert not asking.is_alive()


@pytest.mark.parametrize("played", [{"virtual": NOON.timestamp(), "speed": 1, "paused": True}], indirect=True)
def test_the_clock_never_goes_back(played: str) -> None:
    told = PlayedClock(played)
    told._reading = ClockReading(NOON.timestamp() + 900, 0.0, 0.0)
    assert told() == NOON.replace(minute=15)
    told._reading = ClockReading(NOON.timestamp(), 0.0, 0.0)
    assert told() == NOON.replace(minute=15)


@pytest.mark.parametrize("played", [[], {"speed": 1}, {"virtual": "soon", "speed": 1}], indirect=True)
def test_what_is_no_clock_is_a_clear_sentence(played: str) -> None:
    with pytest.raises(UsageError, match="BLOGFOREVER_CLOCK cannot be read"):
        clock.read(played)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "later", "http://127.0.0.1:1/now"])
def test_where_no_clock_can_be_is_a_clear_sentence(address: str) -> None:
    with pytest.raises(UsageError, match="BLOGFOREVER_CLOCK"):
        clock.read(address)


def test_a_clock_set_for_other_processes_is_not_that_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clock.VARIABLE, "http://127.0.0.1:9/no-clock-here")
    assert abs(clock.now() - clock.system()) < timedelta(hours=1)
