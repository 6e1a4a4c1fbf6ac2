"""Words for people: English in the code, other languages from catalogues that are read when they
are first needed.

`_` and `plural` speak the language of the request that is answered; `N_` marks words that are
spoken later.
"""

from __future__ import annotations

import gettext
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from blogforever.wording import N_

__all__ = [
    "ENGLISH",
    "N_",
    "_",
    "best_language",
    "catalogue",
    "catalogue_ids",
    "languages",
    "own_name",
    "plural",
    "speak",
    "spoken",
]

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "portal"
# What goes wrong is said in another catalogue: what nobody has translated there is told in English.
DOMAINS = (DOMAIN, "errors")
ENGLISH = "en"
# Parts of an Accept-Language header that are read: nobody speaks more.
MOST_LANGUAGES = 20
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def speak(language: str) -> None:
    """Speak this language for the rest of the request."""
    _spoken.set(language if language in languages() else ENGLISH)


def spoken() -> str:
    """The language that is spoken."""
    return _spoken.get()


def _(text: str) -> str:
    """These words in the language that is spoken."""
    return catalogue(spoken()).gettext(text)


def plural(one: str, many: str, number: int) -> str:
    """The words for so many of something; `%(num)s` in them stands for the number."""
    return catalogue(spoken()).ngettext(one, many, number) % {"num": number}


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    found = sorted(path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    return (ENGLISH, *found)


@cache
def own_name(language: str) -> str:
    """What those who speak a language call it."""
    return (Locale.parse(language).get_display_name(language) or language).capitalize()


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The words of a language; English ones are their own."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, _read(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def catalogue_ids(language: str) -> list[str]:
    """The English texts that a catalogue has words for."""
    return [message.id for message in _read(language) if isinstance(message.id, str) and message.id and message.string]


@cache
def _read(language: str) -> Catalog:
    whole = Catalog(locale=language)
    for domain in DOMAINS:
        path = FOLDER / language / "LC_MESSAGES" / f"{domain}.po"
        if path.exists():
            with path.open("rb") as file:
                for message in read_po(file, locale=language):
                    whole[message.id] = message
    return whole


def best_language(accepted: str) -> str:
    """The language of ours that somebody likes best, by an Accept-Language header."""
    wanted = [_weighed(part, place) for place, part in enumerate(accepted.split(",")[:MOST_LANGUAGES])]
    names = [name for weight, _place, name in sorted(wanted) if weight < 0]
    return negotiate_locale(names, languages(), sep="-") or ENGLISH


def _weighed(part: str, place: int) -> tuple[float, int, str]:
    """A language of the header; what is liked best sorts first, what is refused weighs nothing."""
    name, _, quality = part.strip().partition(";q=")
    try:
        return -float(quality or 1), place, name.strip()
    except ValueError:
        return 0.0, place, name.strip()
