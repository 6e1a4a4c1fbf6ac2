"""What holds for every test: a clean environment, no network beyond loopback, and nothing skipped in silence."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from blogforever import clock
from blogforever.render.chromium import INSTALL, lacking
from server.databases import CHOSEN, RECORDS, leave_out_postgres, records_on

# The usual run draws the same examples each time, so that what it says is said of the change at hand; what nobody has
# drawn yet is looked for at length, in `make soak`, and becomes an example of its test.
settings.register_profile("usual", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("soak", parent=settings.get_profile("usual"), max_examples=20_000, derandomize=False)
settings.load_profile("usual")
# Shells let what they start in the background ignore Ctrl-C, and what that starts does, too: some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

SCREENS = Path(__file__).parent / "screens"
# It mostly waits, for two minutes: others run meanwhile, if it does not come last.
WAITING = "test_endless_server.py"
NOT_RUN = pytest.StashKey[list[str]]()


class NetworkRefused(OSError):
    """A test tried to leave this machine."""


def is_loopback(host: object) -> bool:
    """Whether a host name or address stays on this machine."""
    if host in (None, "", b"", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, proxy or authority of the person who runs the tests reaches them."""
    for name in list(os.environ):
        if name.startswith(("BLOGFOREVER_", "SSL_CERT_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session", autouse=True)
def system_clock() -> Iterator[None]:
    """Tests go by the machine's clock, also where they set another one for the processes they start: which clock a
    process asks is decided at its first question, and would stay so for all tests behind.
    """
    with clock.handed_in(clock.system):
        yield


@pytest.fixture(autouse=True)
def chosen_records() -> Iterator[None]:
    """Archives keep their records where this run wants them."""
    with records_on(CHOSEN):
        yield


@pytest.fixture(params=RECORDS)
def records(request: pytest.FixtureRequest) -> Iterator[None]:
    """Who uses this runs twice: with the records of every archive in its folder, and on a server."""
    with records_on(request.param):
        yield


@pytest.fixture(scope="session", autouse=True)
def loopback_only() -> Iterator[None]:
    """Sockets and name look-ups off loopback are refused."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def check(address: object) -> None:
        if isinstance(address, tuple) and not is_loopback(address[0]):
            raise NetworkRefused(f"a test may not reach {address[0]}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        check(address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        check(address)
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        check((host,))
        return look_up(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Start the list of tests that did not run."""
    config.stash[NOT_RUN] = []


class NothingSkipped:
    """Turns a run red in which a test was skipped or expected to fail."""

    def __init__(self, config: pytest.Config) -> None:
        self.not_run = config.stash[NOT_RUN]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A skipped test, or one marked xfail, is noted."""
        if report.skipped or hasattr(report, "wasxfail"):
            self.not_run.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """So is a whole module that skips itself."""
        if report.skipped:
            self.not_run.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """What was noted makes the run fail."""
        if self.not_run and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says why the run is red."""
        for nodeid in self.not_run:
            terminalreporter.write_line(f"NOT RUN, which counts as failed: {nodeid}", red=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where there is no browser or no PostgreSQL, the tests that need it are left out, and that is said loudly.

    Those of screens share one, and so come one after the other, whatever the order of all others, behind what waits.
    """
    items.sort(key=lambda item: (item.path.name != WAITING, SCREENS not in item.path.parents))
    if without := leave_out_postgres(items):
        config.hook.pytest_deselected(items=without)
    drawn = [item for item in items if item.get_closest_marker("browser")]
    if drawn and lacking():
        items[:] = [item for item in items if item not in drawn]
        config.hook.pytest_deselected(items=drawn)
        print(f"LEFT OUT: {len(drawn)} tests that need a browser. To have one: {INSTALL}")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Watch the run from here."""
    session.config.pluginmanager.register(NothingSkipped(session.config), "nothing-skipped")
