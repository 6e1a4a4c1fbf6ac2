"""An update and the list of what an API says has changed: all of its pages are read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.protocols import Answer, Ask, Ref
from blogforever.records import PostRecord
from blogforever.update.remembered import Remembered
from blogforever.update.update import BlogUpdate, Clock
from blogforever.urls import url_key
from server.somerecords import some_post

ROOT = "https://blog.example"
API = f"{ROOT}/wp-json/wp/v2/posts?per_page=100&page=1"
DAY = datetime(2024, 5, 10, tzinfo=UTC)
PAGES = 3


class Nobody:
    """Keeps nothing: there is nothing to keep."""

    def keep(self, url: str, record: PostRecord) -> None:
        raise AssertionError(url)

    def fail(self, failure: Failure) -> None:
        raise AssertionError(failure)


def no_page(ref: Ref) -> Page:
    raise AssertionError(ref)


def page_of(ask: Ask) -> tuple[int, Page]:
    number = int(parse_qs(urlsplit(ask.url).query)["page"][0])
    items = [{"id": number, "link": f"{ROOT}/tale-{number}/", "date": "2024-05-20", "title": {"rendered": "A tale"}}]
    headers = {"content-type": "application/json", "x-wp-totalpages": str(PAGES)}
    return number, Page(ask.url, json.dumps(items).encode(), headers)


def test_every_page_of_what_was_changed_is_asked_for_once() -> None:
    known = Remembered("b", ROOT, (), lambda _post: some_post(), last=DAY, api=API)
    update = BlogUpdate(known, Tools(learn_rules, extract_post, no_page, Nobody()), Clock(DAY), CrawlLimits())
    waiting, numbers = list(update.start()), []
    while waiting:
        ask = waiting.pop()
        assert (ask.role, "modified_after=2024-05-10" in ask.url) == ("api", True)
        number, page = page_of(ask)
        numbers.append(number)
        waiting += update.handle(Answer(ask, 200, page))
    assert sorted(numbers) == list(range(1, PAGES + 1))
    assert set(update.offers.changed) == {url_key(f"{ROOT}/tale-{number}/") for number in numbers}
