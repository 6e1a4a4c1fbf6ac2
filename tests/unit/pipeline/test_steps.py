"""The step machine on its own: named steps, their end, second tries, limits, redirects."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.hostedcounts import HostedCounts
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.pipeline.redirects import MAX_HOPS
from blogforever.pipeline.secondtry import HUNG, MOST
from blogforever.pipeline.steps import NamedStep, StepMachine
from blogforever.protocols import Answer, Ask, Ref
from blogforever.records import PostRecord

ROOT = "https://blog.example/"


class Nobody:
    """Keeps nothing: the machine itself keeps nothing."""

    def keep(self, url: str, record: PostRecord) -> None:
        raise AssertionError(url)

    def fail(self, failure: Failure) -> None:
        raise AssertionError(failure)


def no_page(ref: Ref) -> Page:
    raise AssertionError(ref)


class Machine(StepMachine):
    """Notes what was read and what failed; its steps are handed in."""

    def __init__(self, steps: Iterable[NamedStep], limits: CrawlLimits | None = None, last: str = "") -> None:
        tools = Tools(learn_rules, extract_post, no_page, Nobody())
        super().__init__(ROOT, "made", tools, limits or CrawlLimits())
        self.counts = HostedCounts(no_page, {})
        self.read: list[str] = []
        self.failures: dict[str, str] = {}
        self._readers = {"page": self._page}
        self._go_through(list(steps), last)

    def _page(self, answer: Answer, _page: Page) -> list[Ask]:
        self.read.append(answer.ask.url)
        return []

    def _failed(self, answer: Answer, why: str = "") -> list[Ask]:
        self.failures[answer.ask.first] = why or (answer.failure.reason if answer.failure else str(answer.status))
        return []


class Stops(Machine):
    """Takes no step after it was stopped."""

    def _goes_on(self) -> bool:
        return not self.stopped


def path(name: str) -> str:
    return ROOT + name


def asking(*names: str) -> Callable[[], list[Ask]]:
    """A step that asks for these, each time anew for the next of them."""
    left = list(names)
    return lambda: [Ask(path(left.pop(0)))] if left else []


def comes(ask: Ask) -> Answer:
    return Answer(ask, 200, Page(ask.url, b"here"))


def hangs(ask: Ask) -> Answer:
    return Answer(ask, 0, failure=Failure(ask.url, HUNG))


def driven(machine: StepMachine, answer: Callable[[Ask], Answer] = comes) -> list[str]:
    """All that the machine asks for, in order, when everything is answered like this."""
    asked = []
    while waiting := list(machine.idle()):
        while waiting:
            ask = waiting.pop(0)
            asked.append(ask.url.removeprefix(ROOT))
            waiting += machine.handle(answer(ask))
    return asked


def test_a_step_is_run_until_it_asks_for_nothing_then_the_next_one_is() -> None:
    machine = Machine([NamedStep("first", asking("a", "b")), NamedStep("second", asking("c"))])
    assert driven(machine) == ["a", "b", "c"]
    assert machine.read == [path("a"), path("b"), path("c")]
    assert (machine.asked, machine.answered, machine.under_way) == (3, 3, 0)


def test_a_step_that_is_run_once_is_not_asked_again() -> None:
    machine = Machine([NamedStep("first", asking("a", "b"), once=True), NamedStep("second", asking("c"))])
    assert driven(machine) == ["a", "c"]


def test_the_machine_ends_after_the_step_with_a_name() -> None:
    steps = [NamedStep("root", asking("a")), NamedStep("offers", asking("b")), NamedStep("walk", asking("c"))]
    assert driven(Machine(steps, last="offers")) == ["a", "b"]


def test_a_name_that_no_step_has_is_an_error() -> None:
    with pytest.raises(ValueError, match="harvest"):
        Machine([NamedStep("root", asking("a"))], last="harvest")


def test_what_hung_is_tried_once_more_before_the_next_step() -> None:
    machine = Machine([NamedStep("first", asking("slow")), NamedStep("second", asking("next"))])
    at_first = {path("slow")}
    asked = driven(machine, lambda ask: hangs(ask) if ask.url in at_first and not ask.again else comes(ask))
    assert asked == ["slow", "slow", "next"]
    assert machine.failures == {}
    assert machine.read == [path("slow"), path("next")]


def test_what_hangs_twice_has_failed() -> None:
    machine = Machine([NamedStep("first", asking("slow"))])
    assert driven(machine, hangs) == ["slow", "slow"]
    assert machine.failures == {path("slow"): HUNG}


def test_of_very_many_that_hang_only_some_are_tried_again() -> None:
    names = [f"slow-{number}" for number in range(MOST + 3)]
    machine = Machine([NamedStep("first", lambda: [Ask(path(name)) for name in names], once=True)])
    assert len(driven(machine, hangs)) == len(names) + MOST
    assert len(machine.failures) == len(names)


def test_the_limit_of_pages_lets_the_most_urgent_through() -> None:
    wanted = [Ask(path(str(number)), priority=number) for number in range(3)]
    machine = Machine([NamedStep("first", lambda: wanted)], CrawlLimits(pages=2))
    assert [ask.priority for ask in machine.idle()] == [2, 1]
    assert machine.stopped == "the limit of 2 pages"
    assert list(machine.handle(comes(wanted[2]))) == []


def test_the_limit_of_size_counts_what_came_and_not_what_was_kept_before() -> None:
    machine = Machine([NamedStep("first", asking("a", "b", "c"))], CrawlLimits(size=3))
    machine.handle(Answer(Ask(path("kept")), 200, Page(path("kept"), b"1234"), unchanged=True))
    assert list(machine.idle())
    machine.handle(comes(Ask(path("a"))))
    assert (list(machine.idle()), machine.stopped) == ([], "the size limit of 3 bytes")


@pytest.mark.parametrize(("kind", "runs"), [(Machine, 1), (Stops, 0)])
def test_a_machine_that_was_stopped_asks_nothing_but_may_still_learn(kind: type[Machine], runs: int) -> None:
    lessons: list[str] = []

    def learn() -> list[Ask]:
        lessons.append("learned")
        return [Ask(path("more"))]

    first = NamedStep("first", lambda: [Ask(path("a")), Ask(path("b"))], once=True)
    machine = kind([first, NamedStep("learn", learn)], CrawlLimits(pages=1))
    assert driven(machine, hangs) == ["a"]
    assert len(lessons) == runs
    assert machine.failures == {path("a"): HUNG}


def test_a_second_try_that_the_limit_forbids_is_a_failure_and_not_forgotten() -> None:
    machine = Machine([NamedStep("first", asking("slow"))], CrawlLimits(pages=1))
    assert driven(machine, hangs) == ["slow"]
    assert machine.failures == {path("slow"): HUNG}


def redirect(ask: Ask, to: str) -> Answer:
    return Answer(ask, 301, Page(ask.url, b""), to)


def test_a_redirect_is_followed_with_the_addresses_that_led_there() -> None:
    machine = Machine([])
    (ask,) = machine.handle(redirect(Ask(path("old"), priority=7, via=ROOT), "/new"))
    assert (ask.url, ask.chain, ask.priority, ask.via) == (path("new"), (path("old"),), 7, ROOT)
    machine.handle(comes(ask))
    assert machine.read == [path("new")]


def test_redirects_that_go_round_or_on_for_ever_end() -> None:
    machine = Machine([])
    round_trip = Ask(path("b"), chain=(path("a"),))
    assert list(machine.handle(redirect(round_trip, "/a"))) == []
    ask, hops = Ask(path("0")), 0
    while following := list(machine.handle(redirect(ask, f"/{hops + 1}"))):
        ask, hops = following[0], hops + 1
    assert hops == MAX_HOPS
    assert machine.failures == {path("a"): "redirect loop", path("0"): "redirect loop"}


def test_a_redirect_to_no_address_is_a_failure() -> None:
    machine = Machine([])
    assert list(machine.handle(redirect(Ask(path("a")), "http://["))) == []
    assert machine.failures == {path("a"): "redirect to nowhere"}


def test_a_page_in_a_role_nobody_reads_is_left_alone() -> None:
    machine = Machine([])
    assert list(machine.handle(comes(Ask(path("robots.txt"), "robots")))) == []
    assert machine.read == []
