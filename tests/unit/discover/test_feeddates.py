from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.discover.feeddates import read_moment


@pytest.mark.parametrize(
    ("raw", "iso", "precision"),
    [
        ("Mon, 04 Mar 2013 10:11:12 +0100", "2013-03-04T10:11:12+01:00", "second"),
        ("Mon, 4 Mar 13 10:11 EST", "2013-03-04T10:11-05:00", "minute"),
        ("Mon, 04 Mar 2013 10:11:12 GMT", "2013-03-04T10:11:12+00:00", "second"),
        ("Mon, 04 Mar 2013 10:11:12 -0000", "2013-03-04T10:11:12+00:00", "second"),
        ("Mon, 04 Mar 2013 10:11:12 GMT+0300", "2013-03-04T10:11:12+03:00", "second"),
        ("Mon, 04 Mar 2013 10:11:12", "2013-03-04T10:11:12", "second"),
        ("Mon, 04 Mar 2013 10:11:12 CEST", "2013-03-04T10:11:12+02:00", "second"),
        ("Mon, 04 Mar 2013 10:11:12 XYZT", "2013-03-04T10:11:12", "second"),
        ("Mon Mar  4 10:11:12 2013", "2013-03-04T10:11:12", "second"),
        ("04 Mar 2013", "2013-03-04", "day"),
        ("Mon Mar 04 2013 10:11:12 GMT+0100 (CET)", "2013-03-04T10:11:12+01:00", "second"),
        ("2013-03-04T10:11:12.345Z", "2013-03-04T10:11:12+00:00", "second"),
        ("2013-03-04T10:11+0530", "2013-03-04T10:11+05:30", "minute"),
        ("2013-03-04 10:11:12 +0100", "2013-03-04T10:11:12+01:00", "second"),
        ("2013-03-04 10:11:12 UTC", "2013-03-04T10:11:12+00:00", "second"),
        ("20130304T101112Z", "2013-03-04T10:11:12+00:00", "second"),
        ("2013-03-04T24:00:00Z", "2013-03-05T00:00:00+00:00", "second"),
        ("2013-03-04", "2013-03-04", "day"),
        ("2013-03", "2013-03", "month"),
        ("2013", "2013", "year"),
        ("1362391872", "2013-03-04T10:11:12+00:00", "second"),
    ],
)
def test_written_forms(raw: str, iso: str, precision: str) -> None:
    moment = read_moment(raw)
    assert moment
    assert (moment.iso, moment.precision, moment.raw) == (iso, precision, " ".join(raw.split()))


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "  ",
        None,
        5,
        "0001-01-01T00:00:00Z",
        "Mon, 01 Jan 0001 00:00:00 +0000",
        "1970-01-01T00:00:00Z",
        "9999-12-31",
        "2013-13-41",
        "soon",
        "0",
    ],
)
def test_no_date(raw: object) -> None:
    assert read_moment(raw) is None


@pytest.mark.parametrize(
    ("raw", "language", "iso"),
    [
        ("4. März 2013", None, "2013-03-04"),
        ("lun., 04 févr. 2013 10:11:12 +0100", None, "2013-02-04T10:11:12+01:00"),
        ("Mon, 4 Mar 2013 1:05 PM EST", None, "2013-03-04T13:05-05:00"),
        ("Mon, Mar 04 2013 10:11:12 EDT", None, "2013-03-04T10:11:12-04:00"),
        ("Mon, Mar 04 2013 10:11:12", None, "2013-03-04T10:11:12"),
        ("2013-03-04T10:11:12-05:00Z", None, "2013-03-04T10:11:12-05:00"),
        ("Monday, March 4, 2013 - 10:11", None, "2013-03-04T10:11"),
        ("2013년 03월 04일 10:11:12", None, "2013-03-04T10:11:12"),
        ("03/04/2013 10:11", "en-us", "2013-03-04T10:11"),
        ("04/03/2013 10:11", "en-GB", "2013-03-04T10:11"),
    ],
)
def test_dates_written_for_people(raw: str, language: str | None, iso: str) -> None:
    moment = read_moment(raw, language)
    assert moment
    assert (moment.iso, moment.raw) == (iso, raw)


@pytest.mark.parametrize("raw", ["2013-xx-27", "22013", "04 Mar", "1985, 4 March"])
def test_no_day_is_made_of_what_names_none(raw: str) -> None:
    assert read_moment(raw) is None


@given(st.text(alphabet="0123456789-+:TZ ,.GMTadeJnF()", max_size=40))
def test_never_raises(raw: str) -> None:
    moment = read_moment(raw)
    assert moment is None or 1990 <= moment.day.year <= 2101
