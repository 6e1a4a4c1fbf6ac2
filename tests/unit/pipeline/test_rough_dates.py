"""Dates without a day, as "2 years ago" gives them, are made exact by the blog's lists."""

from __future__ import annotations

import pytest

from blogforever.model import Moment
from blogforever.pipeline.listdates import ListedDate, with_list_date
from blogforever.pipeline.record import BY_LISTS, with_told
from blogforever.records import FieldSource, PostRecord

LISTED = ListedDate(Moment("2019-03-04", "day", "4 March 2019"), 0.85)


def record(published: str | None) -> PostRecord:
    way = {"published": FieldSource("rule", "//time", 0.9)} if published else {}
    precision = {4: "year", 7: "month", 10: "day"}.get(len(published or ""))
    return PostRecord(
        id="p",
        blog="b",
        url="https://ferry.example/a",
        published=published,
        published_precision=precision,
        provenance=way,
    )


@pytest.mark.parametrize("rough", [None, "2019", "2018", "2019-03", "2019-02"])
def test_lists_make_a_rough_date_exact(rough: str | None) -> None:
    dated = with_list_date(record(rough), LISTED)
    assert (dated.published, dated.published_precision) == ("2019-03-04", "day")
    assert dated.provenance["published"].rule == BY_LISTS


@pytest.mark.parametrize("own", ["2016", "2019-06", "2019-03-06", "2019-03-06T08:00"])
def test_lists_do_not_contradict_what_a_page_says(own: str) -> None:
    assert with_list_date(record(own), LISTED) == record(own)


def test_a_date_once_made_exact_stays_so() -> None:
    exact = with_list_date(record("2019"), LISTED)
    again = with_told(record("2019"), exact)
    assert (again.published, again.published_precision) == ("2019-03-04", "day")
    assert with_told(record("2016"), exact).published == "2016"
