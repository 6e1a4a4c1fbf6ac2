"""Written dates of many languages, told apart, learned and read again."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blogforever.dates import DateReading, find_dates, learn_format, read_date, same_day, signature, written_forms
from blogforever.dates.names import raw_table
from blogforever.model import Moment

CAPTURED = datetime(2013, 6, 15, 12, 0)
LANGUAGES = sorted(raw_table()["languages"])
DAYS = st.dates(date(1991, 1, 1), date(2025, 12, 31))

DAY_TEXTS = [
    "Mar 04 Mon 2013",
    "04 March (Monday) 2013",
    "March 4, 2013",
    "Mar 4 2013",
    "MARCH 4TH, 2013",
    "Mar 4 th , 2013",
    "4th of March 2013",
    "Monday, March 04, 2013",
    "Mar 4, '13",
    "Mar. 04, 2013",
    "04Mar2013",
    "04-Mar-2013",
    "4 Mar 13",
    "Mar 4 , 2013",
    "Posted on March 4, 2013 by Jane | 5 comments",
    "5 comments | March 4, 2013",
    "Copyright 2012 March 4, 2013",
    "4. März 2013",
    "Mo., 4. Mär. 2013",
    "4. Maerz 2013",
    "lun. 4 mars 2013",
    "lundi 4 mars 2013",
    "5 de marzo de 2013 - no, 4 de marzo de 2013",
    "lunes, 4 de marzo de 2013",
    "segunda-feira, 4 de março de 2013",
    "4 de Março, 2013",
    "lunedì 4 marzo 2013",
    "maandag 4 maart 2013",
    "den 4. marts 2013",
    "måndag, 4 mars, 2013",
    "4. maaliskuuta 2013",
    "4. března 2013",
    "4 marca 2013",
    "2013. március 4., hétfő",
    "2013. 03. 04., h",
    "2013 m. kovo 4 d., pirmadienis",
    "2013. gada 4. marts",
    "2013(e)ko martxoaren 4(a), astelehena",
    "4 d’març del 2013",
    "4 марта 2013 г.",
    "понедельник, 4 марта 2013 года",
    "4 березня 2013",
    "4 Μαρτίου 2013",
    "04 Mart 2013 Pazartesi",
    "4 במרץ 2013",
    "4 مارس 2013",
    "٤ مارس ٢٠١٣",
    "۴ مارس ۲۰۱۳",
    "4\u200f/3\u200f/2013",
    "४ मार्च २०१३",
    "4 มีนาคม 2556",
    "4 มี.ค. 2556",
    "วันจันทร์ที่ 4 มีนาคม พ.ศ. 2556",
    "Thứ Hai, 4 tháng 3, 2013",
    "Ngày 4 tháng 3 năm 2013",
    "4 Tháng Ba, 2013",
    "2013年3月4日",
    "2013年3月4日 (月)",
    "2013 年 03 月 04 日 星期一",
    "三月 4, 2013",
    "2013년 3월 4일",
    "2013년 3월 4일 월요일",
    "2013 оны гуравдугаар сарын 4",
    "2013-03-04",
    "2013/3/4",
    "2013.03.04",
    "2013. 3. 4.",
    "2013 03 04",
    "/2013/03/04/a-post",
    "4. 3. 2013",
    "04.03.13",
    "4/3 2013",
    "fe\u0301v 1 / 4 mars 2013",
]


def days(text: str, languages: tuple[str, ...] = (), captured: datetime | None = None) -> list[date]:
    return [item.moment.day for item in find_dates(text, languages, captured)]


@pytest.mark.parametrize("text", DAY_TEXTS)
def test_finds_the_day(text: str) -> None:
    found = find_dates(text)
    assert date(2013, 3, 4) in [item.moment.day for item in found if item.moment.precision == "day"]


@pytest.mark.parametrize(
    ("text", "iso", "format"),
    [
        ("Monday, March 04, 2013 at 5:06 PM", "2013-03-04T17:06", "EEEE, MMMM dd, yyyy 'at' h:mm a"),
        ("Mar 4, 2013 12:06 a.m.", "2013-03-04T00:06", "MMM d, yyyy hh:mm a"),
        ("2013-03-04T05:06:07+01:00", "2013-03-04T05:06:07+01:00", "yyyy-MM-dd'T'HH:mm:ssXXX"),
        ("2013-03-04T05:06:07.123Z", "2013-03-04T05:06:07+00:00", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"),
        ("Mon, 04 Mar 2013 05:06:07 +0000", "2013-03-04T05:06:07+00:00", "EEE, dd MMM yyyy HH:mm:ss XX"),
        ("March 4, 2013 5:06 pm EST", "2013-03-04T17:06-05:00", "MMMM d, yyyy h:mm a zzz"),
        ("March 4, 2013 17:06 (GMT+2)", "2013-03-04T17:06+02:00", "MMMM d, yyyy HH:mm OOOO"),
        ("2013. 03. 04., h - 21:46", "2013-03-04T21:46", "yyyy. MM. dd., 'h' - HH:mm"),
        ("4. März 2013 um 17:06 Uhr", "2013-03-04T17:06", "d. MMMM yyyy 'um' HH:mm"),
        ("4 mars 2013 à 17h06", "2013-03-04T17:06", "d MMMM yyyy à HH'h'mm"),
        ("4.3.2013 klo 17.06", "2013-03-04T17:06", "d.M.yyyy 'klo' HH.mm"),
        ("2013年3月4日 下午5:06", "2013-03-04T17:06", "yyyy年M月d日 ah:mm"),
        ("2013年3月4日星期一下午5:06", "2013-03-04T17:06", "yyyy年M月d日EEEEah:mm"),
        ("2013年3月4日(月) 17時06分", "2013-03-04T17:06", "yyyy年M月d日(EEE) HH時mm分"),
        ("2013年3月4日 17時6分", "2013-03-04T17:06", "yyyy年M月d日 HH時mm分"),
        ("2013-03-04, cs - 21:46", "2013-03-04T21:46", "yyyy-MM-dd, EEE - HH:mm"),
        ("2013년 3월 4일 오후 5:06", "2013-03-04T17:06", "yyyy년 M월 d일 a h:mm"),
        ("4 Μαρτίου 2013, 5:06 μ.μ.", "2013-03-04T17:06", "d MMMM yyyy, h:mm a"),
        ("on 4 March 2013 at 10:15: a kite", "2013-03-04T10:15", "d MMMM yyyy 'at' HH:mm"),
        ("2013. március 4. 10:15", "2013-03-04T10:15", "yyyy. MMMM d. HH:mm"),
        ("14/03/2013 เวลา:10:15 น.", "2013-03-14T10:15", "dd/MM/yyyy เวลา:HH:mm"),
    ],
)
def test_reads_the_time_and_its_zone(text: str, iso: str, format: str) -> None:
    found = find_dates(text)
    assert iso in [item.moment.iso for item in found]
    assert format in [item.format for item in found]


def test_a_time_may_stand_before_the_date() -> None:
    first = find_dates("12:30 04.03.2013")[0]
    assert (first.moment.iso, first.format, first.moment.raw) == (
        "2013-03-04T12:30",
        "HH:mm dd.MM.yyyy",
        "12:30 04.03.2013",
    )


def test_ctime_has_its_time_inside() -> None:
    assert [item.moment.iso for item in find_dates("Mon Mar  4 05:06:07 UTC 2013")] == ["2013-03-04T05:06:07+00:00"]


def test_raw_is_the_exact_piece_of_the_text() -> None:
    text = "Written on the 4th of  March, 2013 (Monday) somewhere"
    item = find_dates(text)[0]
    assert item.moment.raw == text[item.start : item.end] == "4th of  March, 2013 (Monday)"


def test_an_ambiguous_date_gives_all_readings_at_one_place() -> None:
    found = find_dates("on 03/04/2013")
    assert {(item.format, item.moment.iso) for item in found} == {
        ("dd/MM/yyyy", "2013-04-03"),
        ("MM/dd/yyyy", "2013-03-04"),
    }
    assert len({(item.start, item.end) for item in found}) == 1


def test_the_weekday_decides_between_readings() -> None:
    assert days("Monday 04/03/2013") == [date(2013, 3, 4)]
    assert days("Wednesday 04/03/2013") == [date(2013, 4, 3)]


def test_a_month_shared_by_languages_is_read_in_the_given_one() -> None:
    assert days("4. listopada 2013", ("hr",)) == [date(2013, 10, 4)]
    assert days("4 listopada 2013", ("pl",)) == [date(2013, 11, 4)]
    assert set(days("4 listopada 2013")) == {date(2013, 10, 4), date(2013, 11, 4)}


def test_a_weekday_that_looks_like_march_is_skipped() -> None:
    assert days("mar 5 jun 2013") == [date(2013, 6, 5)]
    assert days("mar. 5 mars 2013") == [date(2013, 3, 5)]
    assert days("mar, 5 mar 2013") == [date(2013, 3, 5)]


def test_month_and_year_alone_keep_that_precision() -> None:
    for text in ("March 2013", "2013年3月", "Archive for marzo de 2013"):
        assert [(item.moment.iso, item.moment.precision) for item in find_dates(text)] == [("2013-03", "month")]


def test_a_day_without_year_is_the_last_one_before_the_capture() -> None:
    assert find_dates("June 5") == []
    assert [(item.moment.iso, item.format) for item in find_dates("June 5", (), CAPTURED)] == [("2013-06-05", "MMMM d")]
    assert [item.moment.iso for item in find_dates("20 June", (), CAPTURED)] == ["2012-06-20"]
    assert [item.moment.iso for item in find_dates("6月20日", (), CAPTURED)] == ["2012-06-20"]
    assert [item.moment.iso for item in find_dates("February 29", (), CAPTURED)] == ["2012-02-29"]


def test_years_without_a_full_date_need_a_format_to_be_read() -> None:
    assert read_date("June 5", captured=CAPTURED) is None
    moment = read_date("June 5", "MMMM d", captured=CAPTURED)
    assert moment is not None
    assert moment.iso == "2013-06-05"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no date here",
        "version 1.2.3.4",
        "192.168.10.12",
        "call 555-12-3456",
        "ISBN 978-3-16-148410-0",
        "31/31/2013",
        "February 30, 2013",
        "12:30:45",
        "March 4, 1789",
        "4 March 2913",
        "20130304",
        "I may go 5 times",
        "3 of 4",
        "Page 1 of 12",
        "8/10",
    ],
)
def test_what_is_no_date_gives_none(text: str) -> None:
    assert find_dates(text) == []


def test_buddhist_years_only_in_thai() -> None:
    assert days("4 March 2556") == []
    assert days("4 มีนาคม 2556") == [date(2013, 3, 4)]


@pytest.mark.parametrize(
    ("text", "languages", "iso"),
    [
        ("03/04/2013", (), None),
        ("04-03-2013", (), None),
        ("03/04/2013", ("en",), "2013-03-04"),
        ("03/04/2013", ("en-GB",), "2013-04-03"),
        ("03/04/2013", ("fr",), "2013-04-03"),
        ("25/12/2013", (), "2013-12-25"),
        ("12/25/2013", ("fr",), "2013-12-25"),
        ("04.03.2013", (), "2013-03-04"),
        ("04.03.13", ("de",), "2013-03-04"),
        ("13/03/04", ("zh",), "2013-03-04"),
        ("5/6/2013 or May 6, 2013 or 2013-05-06", (), "2013-05-06"),
        ("03/04/2013, that is 3 April 2013", (), "2013-04-03"),
        ("20130304", (), None),
        ("", (), None),
    ],
)
def test_reads_without_a_format_only_what_is_certain(text: str, languages: tuple[str, ...], iso: str | None) -> None:
    moment = read_date(text, languages=languages)
    assert (moment.iso if moment else None) == iso


@pytest.mark.parametrize(
    ("text", "format", "iso"),
    [
        ("03/04/2013", "dd/MM/yyyy", "2013-04-03"),
        ("03/04/2013", "MM/dd/yyyy", "2013-03-04"),
        ("04.03.13", "yy.MM.dd", "2004-03-13"),
        ("13/3/4", "yy/M/d", "2013-03-04"),
        ("20130304", "yyyyMMdd", "2013-03-04"),
        ("25/12/2013", "MM/dd/yyyy", None),
        ("March 4, 2013", "dd/MM/yyyy", "2013-03-04"),
        ("03/04/2013", "d MMMM yyyy", None),
        ("nothing", "dd/MM/yyyy", None),
    ],
)
def test_a_format_decides(text: str, format: str, iso: str | None) -> None:
    moment = read_date(text, format)
    assert (moment.iso if moment else None) == iso


def test_learns_the_order_from_pairs() -> None:
    learned = learn_format([("03/04/2013", date(2013, 4, 3)), ("05/06/2013", date(2013, 6, 5))])
    assert learned is not None
    assert (learned.format, learned.agreement, learned.pairs, learned.day_offset) == ("dd/MM/yyyy", 1.0, 2, 0)
    american = learn_format([("03/04/2013", date(2013, 3, 4)), ("05/06/2013", date(2013, 5, 6))])
    assert american is not None
    assert american.format == "MM/dd/yyyy"


def test_learning_prefers_exact_days_and_bears_the_day_line() -> None:
    # 05/06 is within a day of both known dates only when read as the fifth of June.
    pairs = [("05/06/2013", date(2013, 6, 6)), ("07/06/2013", date(2013, 6, 8)), ("06/06/2013", date(2013, 6, 6))]
    learned = learn_format(pairs)
    assert learned is not None
    assert (learned.format, learned.agreement, learned.day_offset) == ("dd/MM/yyyy", 1.0, 1 - 2)


def test_learning_counts_the_texts_that_do_not_agree() -> None:
    pairs = [("Mar 4, 2013", date(2013, 3, 4)), ("no date", date(2013, 3, 5)), ("May 6, 2013", date(2013, 5, 6))]
    learned = learn_format(pairs)
    assert learned is not None
    assert (signature(learned.format), learned.language) == ("Ldy", "en")
    assert learned.agreement == pytest.approx(2 / 3)


def test_nothing_is_learned_from_nothing() -> None:
    assert learn_format([]) is None
    assert learn_format([("Jane", date(2013, 3, 4)), ("March 9, 2011", date(2013, 3, 4))]) is None


def test_learns_the_language_all_texts_share() -> None:
    pairs = [("4 nov. 2013", date(2013, 11, 4)), ("1 août 2013", date(2013, 8, 1)), ("3 déc. 2013", date(2013, 12, 3))]
    learned = learn_format(pairs)
    assert learned is not None
    assert learned.language == "fr"
    assert learned.agreement == 1.0


def test_learns_relative_dates() -> None:
    pairs = [("3 days ago", date(2013, 6, 12)), ("yesterday", date(2013, 6, 14)), ("5 hours ago", date(2013, 6, 15))]
    learned = learn_format(pairs, captured=CAPTURED)
    assert learned is not None
    assert learned.format == "relative"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (("2013-03-04", "day"), ("2013-03-05T23:00:00+00:00", "second"), True),
        (("2013-03-04", "day"), ("2013-03-06", "day"), False),
        (("2013-03", "month"), ("2013-03-30", "day"), True),
        (("2013-03", "month"), ("2013-04-01", "day"), False),
        (("2013", "year"), ("2013-12", "month"), True),
    ],
)
def test_same_day_compares_by_the_coarser(a: tuple[str, str], b: tuple[str, str], same: bool) -> None:
    first, second = (Moment(iso, precision) for iso, precision in (a, b))  # type: ignore[arg-type]  # literals above
    assert same_day(first, second) is same


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_usual_form_of_a_day_reads_back(language: str) -> None:
    for step in range(0, 12 * 29, 29):
        day = date(2013, 1, 9) + timedelta(days=step)
        for text in written_forms(day, language):
            assert day in days(text, (language,)), text


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LANGUAGES), st.lists(DAYS, min_size=6, max_size=6, unique=True))
def test_a_learned_format_reads_the_next_date(language: str, known: list[date]) -> None:
    rows = zip(*(written_forms_in_order(day, language) for day in known), strict=True)
    for row in rows:
        learned = learn_format(list(zip(row, known, strict=True))[:5], (language,))
        assert learned is not None, row
        assert learned.agreement == 1.0, row
        moment = read_date(row[5], learned.format, (language,))
        assert moment is not None, (row, learned)
        allowed = {known[5]} if distinct(known[:5]) else set(days(row[5], (language,)))
        assert moment.day in allowed, (row, learned)


def written_forms_in_order(day: date, language: str) -> list[str]:
    """The forms of a day, each pattern at the same place for every day."""
    from babel import Locale, dates  # noqa: PLC0415

    locale = Locale.parse(language)
    patterns = [locale.date_formats[length].pattern for length in ("short", "medium", "long", "full")]
    return [dates.format_date(day, pattern, locale=locale) for pattern in [*patterns, "dd/MM/yyyy", "M/d/yy"]]


def distinct(known: list[date]) -> bool:
    """Whether the days tell the orders of their numbers apart: a day above 12 that is no plausible year."""
    return any(day.day > 12 and abs(day.year % 100 - day.day) > 1 for day in known)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0123456789/.-: ,'()TZ+maMayjunärzgo年月日тадеtháng\u200f\u0301", max_size=120))
def test_any_text_is_read_without_complaint(text: str) -> None:
    for item in find_dates(text, ("en",), CAPTURED):
        assert_sound(item, text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_characters_are_read_without_complaint(text: str) -> None:
    for item in find_dates(text, (), CAPTURED):
        assert_sound(item, text)
    read_date(text, "dd/MM/yyyy", captured=CAPTURED)
    learn_format([(text, date(2013, 3, 4))], captured=CAPTURED)


def assert_sound(item: DateReading, text: str) -> None:
    assert text[item.start : item.end] == item.moment.raw
    assert 1990 <= item.moment.day.year <= date.today().year + 1
    assert item.format


def test_the_number_of_readings_and_the_length_read_are_bounded() -> None:
    assert len(find_dates("2013-03-04 " * 1000)) == 20
    assert len(find_dates("2013-03-04 " * 1000, limit=3)) == 3
    assert find_dates("x" * 3000 + " 2013-03-04") == []


@pytest.mark.parametrize(
    "text",
    [
        "12 March 1985",
        "March 12, 1985",
        "12 mars 1789",
        "12 March '85",
        "12. März 1961",
        "1985, March 12",
        "12 March 85",
    ],
)
def test_a_year_before_there_were_blogs_is_not_replaced_by_another(text: str) -> None:
    assert find_dates(text, (), datetime(2013, 6, 15)) == []


@pytest.mark.parametrize("text", ["12 March, 120 comments", "12 March 3 comments", "12 March 10:45", "March 12, 9 pm"])
def test_other_numbers_beside_a_day_are_no_years(text: str) -> None:
    assert find_dates(text, (), datetime(2013, 6, 15))[0].moment.iso[:10] == "2013-03-12"
