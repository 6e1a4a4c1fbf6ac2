"""How values are shown on pages: moments with their zone, numbers, sizes, shares; the filters of the templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, format_timedelta, get_day_names
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent, get_group_symbol
from babel.units import format_unit
from markupsafe import Markup, escape

from blogforever import clock
from blogforever.model import Said
from blogforever.records import BlogRecord
from blogforever.schedule.states import OTHER, why_failed
from blogforever.schedule.words import hours_said
from blogforever.storage.following import FollowedBlog
from blogforever.wording import as_counted, in_english, printable

from .deeds import deed_word
from .readback import read_back
from .words import ENGLISH, N_, _, catalogue, languages, spoken

# A day as it is written at the head of a moment.
DAY_LETTERS = len("2024-01-31")
# Seconds to which a time is rounded where it is told in words, below so many of them.
ROUNDING = ((3600, 10), (86_400, 300), (float("inf"), 3600))
REMEMBERED = 4096
# A name of a language that is no longer than this may be the code of another: Ga is gaa, and ga is Irish.
LONGEST_CODE = 3
# Filled in by %: what `format` does takes four times as long, and pages have hundreds of moments.
MOMENT = Markup('<time datetime="%s">%s <small>%s</small></time>')
NOW = N_("now")
TOLD = Markup('<time datetime="%s" title="%s">%s</time>')
# A day whose parts are told apart when it is written: no month has its number.
SOME_YEAR, SOME_DAY = 2000, 28
# Bytes in a unit, and the next larger unit's name.
STEP = 1000
# Letters of a title, a name or a reason that a page shows.
LONGEST = 2000
LENGTHS = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))
"""Units of time, and the seconds they have."""
# By what a browser and its system are known in what it says of itself; the first that is there, for
# most browsers also name those they are like.
BROWSERS = (
    *(("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox")),
    *(("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari")),
)
SYSTEMS = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows")),
    *(("Mac OS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")),
)
# Letters of an address in a table; the page of its blog has it whole.
LONGEST_WHERE = 90
NEEDLESS = re.compile(r"^https?://(?:www\.)?", re.IGNORECASE)
PIECES = re.compile(r"(?<=/)|(?=[.?&=_])")
"""Where an address may go on in the next line."""
# States out of which a blog comes by itself, soon: pages about it go on until then.
UNDER_WAY = ("waiting", "analysing", "harvesting")
UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
STATE_WORDS = {
    "waiting": N_("waiting"),
    "analysing": N_("analysing"),
    "harvesting": N_("harvesting"),
    "following": N_("following"),
    "failing": N_("failing"),
    "frozen": N_("frozen"),
    "paused": N_("paused"),
    "blocked": N_("blocked"),
    "rejected": N_("not a blog"),
    "dead": N_("dead"),
    "running": N_("running"),
    "done": N_("done"),
    "failed": N_("failed"),
    "cancelled": N_("cancelled"),
    "new": N_("new"),
    "known": N_("known"),
    "invalid": N_("invalid"),
    "not-a-blog": N_("not a blog"),
    "active": N_("active"),
    "missing": N_("missing"),
    "gone": N_("gone"),
    "suppressed": N_("suppressed"),
    "finished": N_("finished"),
    "interrupted": N_("interrupted"),
    "open": N_("open"),
    "unsure": N_("read unsurely"),
}
"""How blogs, jobs, rows and posts can stand, in words."""
KIND_WORDS = (
    *(
        N_("blog"),
        N_("post"),
        N_("comment page"),
        N_("feed"),
        N_("list page"),
        N_("shop"),
        N_("forum"),
        N_("news site"),
    ),
    *(N_("documentation"), N_("company page"), N_("newsletter"), N_("podcast"), N_("parked"), N_("social profile")),
    *(N_("something else"), N_("spam"), N_("likely spam"), N_("not known")),
)
"""What an address may be: for translators."""
OTHER_WORDS = (
    *(
        N_("archive pages"),
        N_("sitemap"),
        N_("API"),
        N_("schedule"),
        N_("ping"),
        N_("somebody"),
        N_("Our own endpoint"),
    ),
    *(N_("pings"), N_("command"), N_("crawl"), N_("paste")),
)
"""Words of the program that pages tell as they are: for translators."""


FAILURES = (
    *(N_("too large"), N_("private"), N_("blocked by robots"), N_("time limit"), N_("cut off"), N_("broken")),
    *(N_("endless headers"), N_("no address"), N_("browser"), N_("not drawn"), N_("no post was found")),
    N_("it could no longer be reached"),
)
"""Words of the program for what keeps pages out, beside those of `schedule.states`: for
translators.
"""


def state_word(state: str) -> str:
    """How something stands, in a word."""
    return _(STATE_WORDS[state]) if state in STATE_WORDS else state


def kind_word(kind: str) -> str:
    """What is at an address, in a word."""
    return _(kind) if kind in KIND_WORDS else kind


def asker(who: str) -> str:
    """Who asked for something: a part of the program in the language that is spoken, a person by
    his name, though that be a word of ours.
    """
    return _(who) if who in OTHER_WORDS else who


def moment(value: str | None) -> Markup:
    """A moment in the zone it is written in, which is said; a bare day stays one; what is none
    stays as it is.
    """
    if not value:
        return Markup("")
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return Markup("<span>{}</span>").format(value)
    if len(value) <= DAY_LETTERS:
        return Markup('<time datetime="{}">{}</time>').format(value, day(value))
    return MOMENT % (value, _clocked(at), zone(at))


def zone(at: datetime) -> str:
    """The zone of a moment, as people write it; empty where nobody knows it."""
    offset = at.utcoffset()
    if offset is None:
        return ""
    return f"UTC{at.isoformat()[-6:]}" if offset else "UTC"


def day(value: str | date | None) -> str:
    """A day, as people write it."""
    if not value:
        return ""
    try:
        at = value if isinstance(value, date) else date.fromisoformat(value[:DAY_LETTERS])
    except ValueError:
        return str(value)
    return _dated(at)


def ago(value: str | None) -> Markup:
    """How long ago, or in how long; the moment itself stands behind it."""
    if not value:
        return Markup("")
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return escape(value)
    at = at if at.tzinfo else at.astimezone()
    shown = _apart(_rounded((at - clock.now()).total_seconds()), spoken())
    exact = f"{_clocked(at)} {zone(at)}".strip()
    return TOLD % (value, exact, shown)


def _rounded(seconds: float) -> int:
    """So many seconds as they are told: nobody is told of minutes where there are days."""
    step = next(step for limit, step in ROUNDING if abs(seconds) < limit)
    return round(seconds / step) * step


@lru_cache(maxsize=REMEMBERED)
def _apart(seconds: int, language: str) -> str:
    """How long ago, or in how long, in words; most moments of a page are told by the same few."""
    if not seconds:
        return catalogue(language).gettext(NOW)
    return format_timedelta(timedelta(seconds=seconds), add_direction=True, locale=language)


def _clocked(at: datetime) -> str:
    """Day and time on the clock of its own zone."""
    return f"{_dated(at)}, {at:%H:%M}"


def _dated(at: date) -> str:
    """A day; what all months are called is looked up once, because pages have hundreds of days."""
    return _day_form(spoken(), at.month).format(day=at.day, year=at.year)


@cache
def _day_form(language: str, month: int) -> str:
    """How a day of a month is written, with places for the day and the year."""
    some = date(SOME_YEAR, month, SOME_DAY)
    # The day comes first in English, too, as in most of the world.
    is_english = language == ENGLISH
    written = format_date(some, "d MMM y", ENGLISH) if is_english else format_skeleton("yMMMd", some, locale=language)
    return written.replace(str(SOME_YEAR), "{year}").replace(str(SOME_DAY), "{day}")


def number(value: float) -> str:
    """A number, grouped as people write it."""
    # Pages have hundreds of whole numbers, and each would be formatted by a pattern.
    return (
        f"{value:,}".replace(",", _group(spoken()))
        if isinstance(value, int)
        else format_decimal(value, locale=spoken())
    )


@cache
def _group(language: str) -> str:
    """What stands between thousands."""
    return get_group_symbol(language)


def share(value: float) -> str:
    """A share of one, in per cent."""
    return format_percent(value, locale=spoken())


def size(value: float) -> str:
    """So many bytes, in a unit that can be read."""
    place = 0
    while value >= STEP and place < len(UNITS) - 1:
        value, place = value / STEP, place + 1
    shown = format_decimal(value, "#,##0.#" if place else "#,##0", locale=spoken())
    return f"{shown} {UNITS[place]}"


def web(url: str | None) -> str:
    """An address on the web that a link may lead to; what is none leads nowhere."""
    return url if url and re.match(r"https?://", url, re.IGNORECASE) else "#"


def where(url: str | None, most: int = LONGEST_WHERE) -> Markup:
    """An address as a table shows it: without what all have, broken before dots and behind slashes
    and nowhere else.
    """
    return Markup("<wbr>").join(piece for piece in PIECES.split(_briefly(url, most)) if piece)


def where_plainly(url: str | None) -> str:
    """The same as a text without places to break, for what is no table."""
    return " ".join(_briefly(url, LONGEST_WHERE).split())


def called(blog: FollowedBlog | BlogRecord) -> str:
    """What a blog is called: by its title, or where it is."""
    return plain(blog.title) if blog.title else where_plainly(blog.url)


def _briefly(url: str | None, most: int) -> str:
    brief = NEEDLESS.sub("", printable(url)).removesuffix("/")
    return brief if len(brief) <= most else f"{brief[:most]}…"


def lang(value: str | None) -> str:
    """A language as pages name it; empty where it is none."""
    return value if value and re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", value) else ""


def language_name(value: str) -> str:
    """What a language is called in the one that is spoken; a code that nobody knows stays as it is."""
    try:
        return Locale.parse(value, sep="-").get_display_name(spoken()) or value
    except (UnknownLocaleError, ValueError, TypeError):
        return value


def language_code(typed: str) -> str:
    """The code of a language that somebody calls by its name, in any language the portal speaks; what is no such name
    stays as it is.
    """
    return _codes_of_languages().get(typed.strip().casefold(), typed)


@cache
def _codes_of_languages() -> dict[str, str]:
    named = [one for ours in languages() for one in Locale.parse(ours).languages.items()]
    return {name.casefold(): code.replace("_", "-") for code, name in named if len(name) > LONGEST_CODE}


def told(reason: str, said: Sequence[Said] = ()) -> str:
    """A reason in the language that is spoken: by its sentences, where it is made of ours and they
    still hold; else by what its text is known to be; else as it is.
    """
    if not reason or spoken() == ENGLISH:
        return reason
    if not said or in_english(said) != reason:
        return read_back(reason, spoken())
    return in_words(said)


def in_words(said: Sequence[Said]) -> str:
    """Sentences in the language that is spoken."""
    return "; ".join(_spoken(one) for one in said)


def _spoken(said: Said) -> str:
    return _(said.text).format(**{name: _value(name, value) for name, value in said.values})


def _value(name: str, value: str | float) -> str:
    """What stands in a sentence, as people write it."""
    if name == "time":
        return lasting(float(value))
    if name == "weekdays":
        names = get_day_names("wide", locale=spoken())
        return format_list([names[int(day)] for day in str(value).split(",")], locale=spoken())
    if name == "day":
        return day(str(value))
    counted = as_counted(value)
    return counted if isinstance(counted, str) else number(counted)


def lasting(seconds: float) -> str:
    """A length of time in its largest unit, with one digit after the point where it has one."""
    unit, size_of = next((pair for pair in LENGTHS if seconds >= pair[1]), LENGTHS[-1])
    return format_unit(round(seconds / size_of, 1), f"duration-{unit}", locale=spoken())


def failure_word(reason: str) -> str:
    """Why a page could not be captured: the word of the program as people say it."""
    said = why_failed(reason)
    return _spoken(said) if said.text != OTHER else told(reason)


def browser_name(agent: str) -> str:
    """A browser and its system, as people call them; what is none of the usual ones stays as it is."""
    names = (next((name for mark, name in known if mark in agent), "") for known in (BROWSERS, SYSTEMS))
    browser, system = names
    return f"{browser}, {system}" if browser and system else browser or agent


def plain(value: str | None) -> str:
    """A text of others without what turns the direction of writing, and not longer than people
    read.
    """
    return printable((value or "")[:LONGEST])


FILTERS: dict[str, Callable[..., Any]] = {
    "hours": hours_said,
    "moment": moment,
    "asker": asker,
    "browser_name": browser_name,
    "deed_word": deed_word,
    "day": day,
    "ago": ago,
    "number": number,
    "state_word": state_word,
    "kind_word": kind_word,
    "share": share,
    "size": size,
    "web": web,
    "where": where,
    "where_plainly": where_plainly,
    "called": called,
    "lang": lang,
    "language_name": language_name,
    "told": told,
    "spoken": in_words,
    "failure_word": failure_word,
    "plain": plain,
}
