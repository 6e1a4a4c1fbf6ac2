"""Dates told from the moment of the capture."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from blogforever.dates import find_dates, is_age, read_date
from blogforever.dates.names import raw_table

CAPTURED = datetime(2013, 6, 15, 12, 0)


@pytest.mark.parametrize(
    ("text", "iso", "precision"),
    [
        ("3 hours ago", "2013-06-15T09:00", "minute"),
        ("Updated 10 minutes ago by Jane", "2013-06-15T11:50", "minute"),
        ("3 mins ago", "2013-06-15T11:57", "minute"),
        ("yesterday", "2013-06-14", "day"),
        ("2 weeks ago", "2013-06-01", "day"),
        ("a month ago", "2013-05", "month"),
        ("2 years ago", "2011", "year"),
        ("2 years, 3 weeks ago", "2011-05", "month"),
        ("1 week and 3 days ago", "2013-06-05", "day"),
        ("1 yr ago", "2012", "year"),
        ("1 year ago", "2012", "year"),
        ("nine hours ago", "2013-06-15T03:00", "minute"),
        ("the day before yesterday", "2013-06-13", "day"),
        ("vor 3 Tagen", "2013-06-12", "day"),
        ("vor zwei Tagen", "2013-06-13", "day"),
        ("vor etwa 23 Stunden", "2013-06-14T13:00", "minute"),
        ("vor mehr als 2 Jahren", "2011", "year"),
        ("il y a environ trois jours", "2013-06-12", "day"),
        ("hace unos 3 días", "2013-06-12", "day"),
        ("há cerca de 2 horas", "2013-06-15T10:00", "minute"),
        ("два дня назад", "2013-06-13", "day"),
        ("5 分鐘前", "2013-06-15T11:55", "minute"),
        ("3 週前", "2013-05-25", "day"),
        ("3 個月前", "2013-03", "month"),
        ("vor einem Monat", "2013-05", "month"),
        ("gestern", "2013-06-14", "day"),
        ("il y a 2 jours", "2013-06-13", "day"),
        ("il y a un an", "2012", "year"),
        ("hace 3 días", "2013-06-12", "day"),
        ("há 3 dias", "2013-06-12", "day"),
        ("3 dias atrás", "2013-06-12", "day"),
        ("3 giorni fa", "2013-06-12", "day"),
        ("3 dagen geleden", "2013-06-12", "day"),
        ("for 3 dager siden", "2013-06-12", "day"),
        ("3 дня назад", "2013-06-12", "day"),
        ("5 месяцев назад", "2013-01", "month"),
        ("3 gün önce", "2013-06-12", "day"),
        ("3 天前", "2013-06-12", "day"),
        ("3天前", "2013-06-12", "day"),
        ("昨天", "2013-06-14", "day"),
        ("3日前", "2013-06-12", "day"),
        ("2か月前", "2013-04", "month"),
        ("3일 전", "2013-06-12", "day"),
        ("قبل يومين", "2013-06-13", "day"),
        ("לפני 3 ימים", "2013-06-12", "day"),
    ],
)
def test_counts_back_from_the_capture(text: str, iso: str, precision: str) -> None:
    found = find_dates(text, (), CAPTURED)
    assert [(item.moment.iso, item.moment.precision, item.format) for item in found] == [(iso, precision, "relative")]
    moment = read_date(text, captured=CAPTURED)
    assert moment is not None
    assert moment.iso == iso


def test_without_a_capture_there_is_nothing_to_count_from() -> None:
    assert find_dates("3 days ago") == []
    assert read_date("yesterday") is None


NO_SPANS = [
    "Jana",
    "Táňa",
    "3 days",
    "in 3 days",
    "ago",
    "3 ago",
    "2013 years ago",
    "a fortnight's holidayago",
    "² days ago",
]


@pytest.mark.parametrize("text", NO_SPANS)
def test_what_is_no_span_back_gives_none(text: str) -> None:
    assert find_dates(text, ("en",), CAPTURED) == []


def test_a_name_is_a_day_only_in_the_language_of_the_blog() -> None:
    assert [reading.moment.iso for reading in find_dates("jana", ("sw",), CAPTURED)] == [
        (CAPTURED - timedelta(days=1)).date().isoformat()
    ]


def test_the_zone_of_the_capture_is_kept() -> None:
    found = find_dates("3 hours ago", (), CAPTURED.replace(tzinfo=UTC))
    assert [item.moment.iso for item in found] == ["2013-06-15T09:00+00:00"]


def test_a_short_month_ends_earlier() -> None:
    found = find_dates("4 months ago", (), datetime(2013, 6, 30))
    assert [item.moment.iso for item in found] == ["2013-02"]


def test_an_absolute_date_is_preferred() -> None:
    moment = read_date("3 weeks ago (March 4, 2013)", captured=CAPTURED)
    assert moment is not None
    assert moment.iso == "2013-03-04"


@pytest.mark.parametrize("language", sorted(raw_table()["languages"]))
def test_every_language_counts_days(language: str) -> None:
    table = raw_table()["languages"][language]
    for before, after, unit in table["past"]:
        if unit == "day" and after:
            found = find_dates(f"{before} 5 {after}", (language,), CAPTURED)
            assert "2013-06-10" in [item.moment.iso for item in found], (before, after)


@pytest.mark.parametrize(
    "text",
    ["3 days ago", "· 1 year ago", "about 10 months ago", "circa 3 mesi fa", "vor 3 Tagen", "5 分鐘前", "yesterday"],
)
def test_an_age_that_stands_alone(text: str) -> None:
    assert is_age(text)


def test_a_number_that_counts_an_age_is_no_day_of_a_month() -> None:
    assert [reading.moment.iso for reading in find_dates("Theo van Rij 3 months ago", (), CAPTURED)] == ["2013-03"]


@pytest.mark.parametrize("text", ["I saw it 3 days ago", "3 days ago I saw it", "3 May 2013", "", "3 days"])
def test_an_age_in_a_sentence_is_told_of_something(text: str) -> None:
    assert not is_age(text)
