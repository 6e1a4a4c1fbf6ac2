"""Dates of the solar calendar of Iran."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from blogforever.dates import find_dates, learn_format, read_date
from blogforever.dates.solar import common_day


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("نوشته شده در یکشنبه ۶ فروردین ۱۳۹۱ ساعت ۸:۰۵ توسط مهران", "2012-03-25T08:05"),
        ("نوشته شده در یکشنبه ششم فروردین ۱۳۹۱ساعت 8:0 توسط مهران", "2012-03-25T08:00"),
        ("بیست و نهم اسفند ماه ۱۳۹۹", "2021-03-19"),
        ("۱۳۹۹/۱۲/۳۰", "2021-03-20"),
        ("تاریخ: 1403/07/15 - 21:04:09", "2024-10-06T21:04:09"),
        ("۲۴/۱۱/۱۳۸۷", "2009-02-12"),
    ],
)
def test_a_date_in_words_or_numbers(text: str, iso: str) -> None:
    (found,) = find_dates(text)
    assert found.moment.iso == iso
    assert text[found.start : found.end] == found.moment.raw


@pytest.mark.parametrize("text", ["۱۳۹۸/۱۲/۳۰", "۱۳۹۱/۱۳/۰۱", "۱۲۵۴/۰۱/۰۱", "۳۱ مهر ۱۳۹۱", "1391/01/06", "۱۴۹۱/۰۱/۰۶"])
def test_what_is_no_day_of_a_blog(text: str) -> None:
    assert find_dates(text) == []


def test_in_plain_digits_the_language_tells() -> None:
    moment = read_date("1391/01/06", languages=["fa-IR"])
    assert moment is not None
    assert moment.iso == "2012-03-25"


def test_each_day_has_one_name() -> None:
    days = [
        common_day(year, month, day) for year in range(1370, 1404) for month in range(1, 13) for day in range(1, 32)
    ]
    found = [day for day in days if day]
    assert found == [date(1991, 3, 21) + timedelta(days=n) for n in range(len(found))]
    assert found[-1] == date(2025, 3, 20)


def test_a_blog_s_format_is_learned() -> None:
    pairs = [("یکشنبه ۶ فروردین ۱۳۹۱", date(2012, 3, 25)), ("شنبه ۱ مهر ۱۳۹۱", date(2012, 9, 22))]
    learned = learn_format(pairs, ["fa"])
    assert learned is not None
    assert (learned.agreement, learned.language) == (1.0, "fa")
    read = read_date("جمعه ۵ آبان ۱۳۹۱", learned.format, ["fa"])
    assert read is not None
    assert read.iso == "2012-10-26"
