"""Dates that count years from the beginning of an era."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.dates import find_dates, read_date

CAPTURED = datetime(2026, 11, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("平成21年3月14日(土)", "2009-03-14"),
        ("令和元年5月2日 10:05", "2019-05-02T10:05"),
        ("投稿日：令和 4 年 12 月 13 日", "2022-12-13"),
        ("平成２１年３月１４日", "2009-03-14"),
        ("民國98年3月14日", "2009-03-14"),
        ("中華民國 98.3.14", "2009-03-14"),
        ("二〇〇九年三月十四日", "2009-03-14"),
        ("二零一九年十二月三十一日", "2019-12-31"),
    ],
)
def test_a_year_of_an_era(text: str, iso: str) -> None:
    (found,) = find_dates(text, captured=CAPTURED)
    assert found.moment.iso == iso
    assert text[found.start : found.end] == found.moment.raw


@pytest.mark.parametrize("text", ["昭和63年1月2日", "令和99年1月2日", "平成21年13月14日", "大正三年"])
def test_a_day_before_all_blogs_is_not_taken_for_another(text: str) -> None:
    assert find_dates(text, captured=CAPTURED) == []


def test_years_of_the_buddha_in_plain_digits() -> None:
    moment = read_date("13/12/2565 15:16", languages=["th-TH"])
    assert moment is not None
    assert moment.iso == "2022-12-13T15:16"
    assert find_dates("13/12/2565") == []
