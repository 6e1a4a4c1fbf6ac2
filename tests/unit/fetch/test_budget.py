"""A host that asks for slow requests is set apart: the other hosts of its service keep their pace."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from scrapy.settings import Settings

from blogforever.fetch.budget import LEAST, SERVICE, SLOT, SLOWEST, Throttle, set_apart, slow_down


def some_crawler() -> Any:
    """All that is asked of a crawler here."""
    service = SimpleNamespace(delay=1.0)
    downloader = SimpleNamespace(per_slot_settings={}, slots={"blogspot.com": service})
    return SimpleNamespace(engine=SimpleNamespace(downloader=downloader), settings=Settings({"DOWNLOAD_DELAY": 1.0}))


def test_a_host_gets_a_budget_of_its_own_and_still_draws_on_that_of_its_service() -> None:
    crawler, meta = some_crawler(), {SLOT: "blogspot.com"}
    set_apart(crawler, meta, "slow.blogspot.com", 5.0)
    assert meta == {SLOT: "host:slow.blogspot.com", SERVICE: "blogspot.com"}
    downloader = crawler.engine.downloader
    assert downloader.per_slot_settings == {"host:slow.blogspot.com": {"concurrency": 1, "delay": 5.0, LEAST: 5.0}}
    assert downloader.slots["blogspot.com"].delay == 1.0


def test_it_is_never_asked_faster_than_usual_nor_slower_than_a_crawl_can_bear() -> None:
    for asked, kept in ((0.1, 1.0), (86_400.0, SLOWEST)):
        crawler, meta = some_crawler(), {SLOT: "blogspot.com"}
        set_apart(crawler, meta, "a.example", asked)
        assert crawler.engine.downloader.per_slot_settings["host:a.example"]["delay"] == kept


def test_what_is_settled_with_a_source_holds_whatever_its_robots_say() -> None:
    crawler, meta = some_crawler(), {SLOT: "policy:a.example"}
    set_apart(crawler, meta, "a.example", 5.0)
    assert meta == {SLOT: "policy:a.example"}
    assert crawler.engine.downloader.per_slot_settings == {}


def test_a_host_that_is_set_apart_twice_draws_on_its_service_once() -> None:
    crawler, meta = some_crawler(), {SLOT: "blogspot.com"}
    for delay in (0.0, 5.0, 0.0):
        set_apart(crawler, meta, "a.blogspot.com", delay)
    assert meta == {SLOT: "host:a.blogspot.com", SERVICE: "blogspot.com"}
    assert crawler.engine.downloader.per_slot_settings["host:a.blogspot.com"]["delay"] == 5.0


def test_good_answers_ease_what_busy_ones_slowed_down_to_what_the_host_asks_for() -> None:
    crawler, meta = some_crawler(), {SLOT: "blogspot.com", "download_latency": 0.1}
    crawler.signals = SimpleNamespace(connect=lambda *_: None)
    throttle = Throttle(crawler)
    set_apart(crawler, meta, "a.blogspot.com", 5.0)
    own = crawler.engine.downloader.slots["host:a.blogspot.com"] = SimpleNamespace(delay=5.0)
    slow_down(crawler, meta, 40.0)
    assert own.delay == 40.0
    for status, eased in ((503, False), *[(200, True)] * 20):
        before = own.delay
        throttle.adjust(SimpleNamespace(status=status), SimpleNamespace(meta=meta))  # type: ignore[arg-type]  # all it reads
        assert (own.delay < before) is (eased and before > 5.0)
    assert own.delay == 5.0
