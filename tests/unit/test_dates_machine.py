"""Dates written for machines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blogforever.dates import parse_machine_date


@pytest.mark.parametrize(
    ("text", "iso", "precision"),
    [
        ("2013", "2013", "year"),
        ("2013-03", "2013-03", "month"),
        ("2013-03-04", "2013-03-04", "day"),
        (" 2013-03-04\n", "2013-03-04", "day"),
        ("20130304", "2013-03-04", "day"),
        ("2013-3-4", "2013-03-04", "day"),
        ("2013-W10-1", "2013-03-04", "day"),
        ("2013-03-04T05:06", "2013-03-04T05:06", "minute"),
        ("2013-03-04 05:06:07", "2013-03-04T05:06:07", "second"),
        ("2013-03-04T05:06:07Z", "2013-03-04T05:06:07+00:00", "second"),
        ("2013-03-04t05:06:07z", "2013-03-04T05:06:07+00:00", "second"),
        ("2013-03-04T05:06:07.123456+01:00", "2013-03-04T05:06:07+01:00", "second"),
        ("2013-03-04T05:06:07,5-0530", "2013-03-04T05:06:07-05:30", "second"),
        ("2013-03-04T05:06:07+01", "2013-03-04T05:06:07+01:00", "second"),
        ("2013-03-04T05:06:07-00:00", "2013-03-04T05:06:07+00:00", "second"),
        ("2013-03-04 05:06:07 +0100", "2013-03-04T05:06:07+01:00", "second"),
        ("2013-03-04 05:06:07 +0100 CET", "2013-03-04T05:06:07+01:00", "second"),
        ("2013-03-04 05:06:07.5 +0530 +0530", "2013-03-04T05:06:07+05:30", "second"),
        ("2013-03-04 05:06:07 UTC", "2013-03-04T05:06:07+00:00", "second"),
        ("2013-03-04T24:00:00", "2013-03-05T00:00:00", "second"),
        ("20130304T050607Z", "2013-03-04T05:06:07+00:00", "second"),
        ("Mon, 04 Mar 2013 05:06:07 +0000", "2013-03-04T05:06:07+00:00", "second"),
        ("Mon, 4 Mar 2013 05:06:07 EST", "2013-03-04T05:06:07-05:00", "second"),
        ("Mon, 04 Mar 2013 05:06 GMT", "2013-03-04T05:06+00:00", "minute"),
        ("04 Mar 13 05:06:07 PDT", "2013-03-04T05:06:07-07:00", "second"),
        ("Monday, 04-Mar-13 05:06:07 GMT", "2013-03-04T05:06:07+00:00", "second"),
        ("Mon, 04 March 2013", "2013-03-04", "day"),
        ("Mo, 04 März 2013 05:06:07 +0100", "2013-03-04T05:06:07+01:00", "second"),
        ("Mon, 04 Mar 2013 05:06:07 +0100 (CET)", "2013-03-04T05:06:07+01:00", "second"),
        ("Mon Mar  4 05:06:07 2013", "2013-03-04T05:06:07", "second"),
        ("Mon Mar 04 2013 05:06:07 GMT+0100 (CET)", "2013-03-04T05:06:07+01:00", "second"),
        ("1362373567", "2013-03-04T05:06:07+00:00", "second"),
        ("1362373567000", "2013-03-04T05:06:07+00:00", "second"),
    ],
)
def test_reads_the_usual_forms(text: str, iso: str, precision: str) -> None:
    moment = parse_machine_date(text)
    assert moment is not None
    assert (moment.iso, moment.precision, moment.raw) == (iso, precision, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2013-13-04",
        "2013-02-30",
        "2013-02-30T05:06:07Z",
        "2013-03-04T25:06:07Z",
        "0000-00-00 00:00:00",
        "0001-01-01T00:00:00Z",
        "Mon, 04 Foo 2013 05:06:07 GMT",
        "123",
        "12345678901234567890",
        "2013-W60-1",
        "2013-03-04T05:06:07Z and more",
        "1" * 100_000,
        "2013-03-04" * 9_999,
    ],
)
def test_what_is_none_of_them_gives_none(text: str) -> None:
    assert parse_machine_date(text) is None


@pytest.mark.parametrize("text", ["Mon, 04 Mar 2013 05:06:07 XYZ", "2013-03-04T05:06:07+99:99"])
def test_an_unknown_zone_is_left_out_rather_than_guessed(text: str) -> None:
    moment = parse_machine_date(text)
    assert moment is not None
    assert moment.iso == "2013-03-04T05:06:07"


def test_digits_of_any_script_become_plain() -> None:
    moment = parse_machine_date("٢٠١٣-٠٣-٠٤T05:06:07Z")
    assert moment is not None
    assert moment.iso == "2013-03-04T05:06:07+00:00"


@given(st.datetimes(), st.sampled_from(["", "Z", "+01:00", "-0530"]))
def test_reads_back_what_iso_writes(moment: object, zone: str) -> None:
    text = f"{moment:%Y-%m-%dT%H:%M:%S}".zfill(19) + zone
    found = parse_machine_date(text)
    if int(text[:4]) >= 1970:
        assert found is not None
        assert found.iso[:19] == text[:19]


@settings(max_examples=300)
@given(st.text(alphabet="0123456789-:TZW+., MonarGMT()", max_size=60) | st.text(max_size=60))
def test_any_text_is_taken_without_complaint(text: str) -> None:
    found = parse_machine_date(text)
    assert found is None or found.day.year >= 1970
