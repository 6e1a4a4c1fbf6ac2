"""Words: the catalogues are whole, what they leave open is what the code fills in, and languages are chosen well."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import msgspec
import pytest
from markupsafe import Markup

from blogforever.model import Said
from blogforever.portal.page import counted_on_page, escaped, said_on_page, templates
from blogforever.portal.readback import LONGEST, read_back
from blogforever.portal.showing import ago, asker, failure_word, moment, size, told, where, where_plainly
from blogforever.portal.words import best_language, catalogue, languages, speak
from blogforever.wording import in_english, say

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from catalogue import LOCALE, brought_up_to_date, errors, form_of, untranslated, words, written

CATALOGUES = sorted(LOCALE.glob("*/LC_MESSAGES/portal.po"))
HOLES = re.compile(r"%\(\w+\)s|\{\w+\}")


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_a_catalogue_is_whole(path: Path) -> None:
    current = brought_up_to_date(path, words())
    assert [message.id for message in untranslated(current)] == [], "translate these: tools/catalogue.py"
    assert path.read_bytes() == written(current), "run: python tools/catalogue.py"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_what_a_translation_leaves_open_is_what_the_code_fills_in(path: Path) -> None:
    for message in brought_up_to_date(path, words()):
        singular, plural = _texts(message.id)[0], _texts(message.id)[-1]
        strings = _texts(message.string)
        known = {*HOLES.findall(singular), *HOLES.findall(plural)}
        if message.id:
            assert all(set(HOLES.findall(one)) <= known for one in strings), message.id
            assert set(HOLES.findall(plural)) <= set(HOLES.findall(strings[-1])), message.id


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_a_translation_says_nothing_twice(path: Path) -> None:
    texts = [text for message in brought_up_to_date(path, words()) for text in _texts(message.string)]
    halves = [(text[: len(text) // 2], text[len(text) // 2 :].strip()) for text in texts if " " in text]
    assert [one for one, other in halves if one.strip() == other] == []


def test_a_person_called_like_a_word_of_ours_is_called_so_in_every_language() -> None:
    speak("de")
    try:
        assert (asker("admin"), asker("schedule")) == ("admin", "Zeitplan")
    finally:
        speak("en")


def test_why_a_page_failed_is_said_in_words() -> None:
    assert failure_word("status 404") == "it answers with status 404"
    assert failure_word("no such host") == "there is no such host"
    assert failure_word("unreachable") == "it could no longer be reached"
    assert failure_word("something rare") == "something rare"


def _texts(words: object) -> list[str]:
    return [str(one) for one in words] if isinstance(words, (tuple, list)) else [str(words)]


def test_what_goes_wrong_is_known_by_its_form() -> None:
    path = LOCALE / "de/LC_MESSAGES/errors.po"
    for message in brought_up_to_date(path, errors()):
        assert set(HOLES.findall(str(message.string))) <= set(HOLES.findall(str(message.id))), message.id
    node = ast.parse("f'No {typed!r} of {self.number:,} and {len(other)} in {x[0]}, {x}, {y + 1}'", mode="eval").body
    assert form_of(node) == "No {typed} of {number} and {number2} in {x}, {x2}, {what}"
    assert form_of(ast.parse("x + 1", mode="eval").body) is None


READ_BACK = {
    "left out by the filter 'Ärzte; Nord'": "ausgelassen vom Filter 'Ärzte; Nord'",
    "left out by the filter 'a' below 'b'": "ausgelassen vom Filter 'a' unter 'b'",
    "no blog but shop: prices stand on its pages; it has a cart or a checkout": (
        "kein Blog, sondern Laden: auf den Seiten stehen Preise; es hat einen Warenkorb oder eine Kasse"
    ),
    "likely spam: 4 of 5 titles name prices, or sell; it has no valid feed": (
        "wahrscheinlich Spam: 4 von 5 Titeln nennen Preise oder verkaufen; es gibt keinen gültigen Feed"
    ),
    "the tree asked whether it has a feed of comments: no": "der Baum fragte: es hat einen Feed von Kommentaren? nein",
    "a post of a.blog, followed since 2026-01-02, failing (it did not answer); it will be looked at": (
        "ein Beitrag von a.blog, verfolgt seit 2026-01-02, gestört (es kam keine Antwort); es wird nachgesehen"
    ),
    "There is no filter 'x'.": "Es gibt keinen Filter 'x'.",
    "somebody wrote this; and this": "somebody wrote this; and this",
}


def test_sentences_of_which_the_text_alone_is_kept_are_read_back() -> None:
    assert {text: read_back(text, "de") for text in READ_BACK} == READ_BACK
    assert all(read_back(text, "en") == text for text in READ_BACK)
    long = "left out by the filter " + "x" * LONGEST
    assert read_back(long, "de") == long
    nested = "likely spam: " * 30
    assert read_back(nested, "de").endswith("likely spam: ")
    speak("de")
    assert told("looked at") == "nachgesehen"
    speak("en")
    assert told("looked at") == "looked at"


def test_a_sentence_that_was_kept_counts_as_it_did() -> None:
    said = msgspec.json.decode(
        msgspec.json.encode((say("the last {number} looks failed", number=5),)), type=tuple[Said, ...]
    )
    assert in_english(said) == "the last 5 looks failed"


def test_addresses_break_where_people_would() -> None:
    assert where("https://www.some.blog/2020/a-post/") == "some<wbr>.blog/<wbr>2020/<wbr>a-post"
    assert where("http://x.example/<b>?q=1") == "x<wbr>.example/<wbr>&lt;b&gt;<wbr>?q<wbr>=1"
    assert where(f"https://{'a' * 200}").endswith("…")
    assert where(None) == ""
    assert where_plainly("https://www.some.blog/2020/<a>-post/") == "some.blog/2020/<a>-post"


def test_german_is_spoken_where_it_is_liked_best() -> None:
    assert languages() == ("en", "de")
    wanted = {"de": "de", "de-AT,en;q=0.5": "de", "fr, en;q=0.9, de;q=0.5": "en", "": "en", "x;q=oops, de;q=0.1": "de"}
    assert {accepted: best_language(accepted) for accepted in wanted} == wanted
    assert catalogue("de").gettext("Log in") == "Anmelden"


def test_moments_have_their_zone_and_days_have_none() -> None:
    speak("en")
    shown = {
        "2025-09-07T09:35:00+02:00": "7 Sep 2025, 09:35 <small>UTC+02:00</small>",
        "2025-09-07T09:35:00+00:00": "7 Sep 2025, 09:35 <small>UTC</small>",
        "2025-09-07": "7 Sep 2025",
        "<b>": "<span>&lt;b&gt;</span>",
    }
    assert all(text in moment(value) for value, text in shown.items())
    speak("de")
    assert "7. Sept. 2025, 09:35 <small>" in moment("2025-09-07T09:35:00+00:00")
    assert "28. Feb. 2000" in moment("2000-02-28")
    speak("en")
    assert moment(None) == ago(None) == ago("") == ""
    assert (size(999), size(1_300_000)) == ("999 B", "1.3 MB")


def test_templates_speak_as_gettext_would_and_what_is_filled_in_is_escaped() -> None:
    speak("de")
    try:
        assert said_on_page("Sources") == catalogue("de").gettext("Sources") != "Sources"
        assert said_on_page("%(sure)s %% sure", sure="<5>") == "zu &lt;5&gt; % sicher"
    finally:
        speak("en")
    assert said_on_page("Sources") == "Sources"
    assert said_on_page("all %%") == "all %"
    assert counted_on_page("one %(what)s", "%(num)s %(what)ss", 2, what="<b>") == "2 &lt;b&gt;s"
    assert templates().from_string('{{ _("a & b") }}').render() == "a & b"


def test_what_a_page_is_given_is_escaped_once_and_what_is_safe_stays_as_it_is() -> None:
    """Safe words were made anew wherever they stood: a fifth of the time of a page."""
    safe = Markup("<b>&amp;</b>")
    assert escaped(safe) is safe
    made = templates().from_string("{% macro twice(one) %}{{ one }}{{ one }}{% endmacro %}{{ twice(given) }}{{ 1 }}")
    assert made.root_render_func.__globals__["escape"] is escaped, "templates escape otherwise than we think"
    assert made.render(given="<i>&") == "&lt;i&gt;&amp;&lt;i&gt;&amp;1"
    assert made.render(given=safe) == f"{safe}{safe}1"
