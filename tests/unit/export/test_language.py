"""What a static copy says around the posts: every language whole, and every page in that of its blog."""

from __future__ import annotations

import re
from datetime import date
from string import Formatter
from typing import Any

import pytest
from babel import Locale
from babel.dates import format_date
from selectolax.lexbor import LexborHTMLParser

from blogforever.export.language import ENGLISH, CopyLanguage, common_language, language_for, languages
from blogforever.export.lists import SearchWords, overview, search_page
from blogforever.export.site import Holdings, Site
from blogforever.protocols import Ref
from server.somerecords import some_blog, some_post

WANTED = {"de", "fr", "es", "it", "pt", "nl", "pl", "ru", "ja", "zh", "ar", "fa", ENGLISH}
# Numbers that fall into every form of every language here, and next to where one ends.
NUMBERS = [*range(1001), 1_000_000, 2_000_000, 10_000_000]
# Letters of a phrase that are found on a page by nothing but itself.
TELLING = 9


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def spoken() -> list[CopyLanguage]:
    return [language_for(code) for code in languages()]


def test_a_copy_speaks_many_languages() -> None:
    assert set(languages()) >= WANTED
    assert [language.code for language in spoken()] == languages()


@pytest.mark.parametrize("code", languages())
def test_a_language_has_every_phrase_with_its_places(code: str) -> None:
    language, english = language_for(code), language_for(ENGLISH)
    assert language.words.keys() == english.words.keys()
    assert language.counts.keys() == english.counts.keys()
    for name, text in language.words.items():
        assert text.strip(), name
        assert places(text) == places(english.words[name]), name


@pytest.mark.parametrize("code", languages())
def test_a_language_has_the_plural_forms_that_cldr_wants(code: str) -> None:
    language = language_for(code)
    rule = Locale.parse(language.locale, sep="-").plural_form
    for name, forms in language.counts.items():
        assert forms.keys() == {*rule.tags, "other"}, name
        others = places(language_for(ENGLISH).counts[name]["other"])
        for form, text in forms.items():
            stands_for = [number for number in NUMBERS if rule(number) == form]
            needed = others if len(stands_for) > 1 else others - {"n"}
            assert needed <= places(text) <= others, (name, form)


@pytest.mark.parametrize(
    ("code", "number", "words"),
    [
        ("en", 1, "1 comment"),
        ("en", 1200, "1,200 comments"),
        ("de", 1200, "1.200 Kommentare"),
        ("fr", 0, "0 commentaire"),
        ("pl", 2, "2 komentarze"),
        ("pl", 5, "5 komentarzy"),
        ("pl", 22, "22 komentarze"),
        ("ru", 1, "1 комментарий"),
        ("ru", 21, "21 комментарий"),
        ("ru", 12, "12 комментариев"),
        ("ar", 2, "تعليقان"),
        ("ar", 3, "3 تعليقات"),
        ("ar", 11, "11 تعليقًا"),
        ("ar", 100, "100 تعليق"),
        ("ja", 3, "コメント 3 件"),
    ],
)
def test_counts_have_the_form_of_their_number(code: str, number: int, words: str) -> None:
    assert language_for(code).count("comments", number) == words


@pytest.mark.parametrize(
    ("code", "day", "month"),
    [
        ("en", "7 March 2019", "March"),
        ("de", "7. März 2019", "März"),
        ("es", "7 de marzo de 2019", "marzo"),
        ("pl", "7 marca 2019", "marzec"),
        ("ru", "7 марта 2019\u202fг.", "март"),
        ("ja", "2019年3月7日", "3月"),
        ("ar", "7 مارس 2019", "مارس"),
    ],
)
def test_dates_are_written_as_the_language_has_them(code: str, day: str, month: str) -> None:
    language = language_for(code)
    format_date(date(2019, 3, 7), "LLLL", locale="zh")  # what Babel has read of another language
    assert language.day("2019-03-07T10:00:00+01:00") == day
    assert language.month("2019-03-07") == month


@pytest.mark.parametrize(
    ("iso", "shown"),
    [
        ("2019-03", "März 2019"),
        ("2019", "2019"),
        ("2019-13-01", "2019"),
        ("2019-02-31", "Februar 2019"),
        ("0000-01-01", "0000"),
        (None, "ohne Datum"),
        ("soon", "ohne Datum"),
    ],
)
def test_a_date_is_told_as_far_as_it_goes(iso: str | None, shown: str) -> None:
    assert language_for("de").day(iso) == shown


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("DE_de", "de"),
        ("pt-BR", "pt"),
        ("zh-CN", "zh"),
        ("zh-TW", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
        ("fr-x-odd", "fr"),
        ("sv", "en"),
        ("", "en"),
        (None, "en"),
        ("../de", "en"),
        ("German", "en"),
    ],
)
def test_a_blog_names_its_language_in_many_ways(named: str | None, code: str) -> None:
    assert language_for(named).code == code


@pytest.mark.parametrize(
    ("codes", "common"),
    [(["de", "de", "ar"], "de"), (["de", "ar"], "en"), (["de", "en"], "en"), (["ja"], "ja"), ([], "en")],
)
def test_several_blogs_have_the_language_of_most(codes: list[str], common: str) -> None:
    assert common_language(map(language_for, codes)).code == common


def a_copy(blog_language: str | None, **post: Any) -> dict[str, str]:
    """All pages of a copy that has something of everything."""
    comment = {"text": "7", "author": {"name": None}, "by_post_author": True, "published": "2019-03-08"}
    comments = [comment | {"id": "a"}, comment | {"id": "b", "text": "", "status": "deleted", "kind": "pingback"}]
    source = {"url": "https://b.example/1/", "captured": "2024-01-02T03:04:05Z", "role": "page"}
    plain = {
        "title": "1",
        "text": "7 7 7",
        "html": '<p>7 <img src="https://b.example/gone.png"></p>',
        "authors": [{"name": "B"}],
        "published": "2019-03-07",
        "sources": [source],
        "extra": {"comments_stated": 9, "rights": "B"},
        "provenance": {"html": {"by": "rule", "rule": "p", "confidence": 0.9}},
    }
    posts = [
        some_post(id=f"{n}", url=f"https://b.example/{n}/", **plain | {"comments": comments} | post) for n in range(25)
    ]
    statement = {
        "announced": 30,
        "missing": [{"url": "https://b.example/x/", "reason": ""}],
        "sources": [{"source": "feed", "url": "https://b.example/feed", "announced": 30, "captured": 29}],
    }
    blog = some_blog(title="B", language=blog_language, completeness=statement, crawled="2024-01-02", kept=25)
    holdings = Holdings(
        captured=lambda _post, name: f"captured/{name}.txt",
        place=lambda _post: Ref("warc/x", 7),
        screenshot=lambda _post: "media/x.png",
    )
    return dict(Site(blog, lambda: posts, holdings, "../index.html").files())


@pytest.mark.parametrize("code", languages())
def test_every_page_says_its_language_and_direction(code: str) -> None:
    direction = "rtl" if code in ("ar", "fa") else "ltr"
    for path, text in a_copy(code).items():
        if path.endswith(".html"):
            root = LexborHTMLParser(text).css_first("html")
            assert root is not None
            assert (root.attributes["lang"], root.attributes["dir"]) == (code, direction), path


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH])
def test_no_page_speaks_english_around_a_blog_of_another_language(code: str) -> None:
    language, english = language_for(code), language_for(ENGLISH)
    shown = " ".join(text for path, text in a_copy(code).items() if path.endswith(".html"))
    plain = re.sub(r"</?(?:a|bdi|span|b|time)\b[^>]*>", "", shown)
    for name, text in english.words.items():
        telling = max(re.split(r"\{\w+\}", text), key=len).strip()
        if len(telling) >= TELLING and telling not in language.words[name]:
            assert telling not in plain, (name, telling)


def test_a_blog_in_german_is_german_from_bar_to_foot() -> None:
    made = a_copy("de-CH")
    post = LexborHTMLParser(made["2019/1.html"]).text()
    for words in ("Schlagwörter", "7. März 2019", "von B", "2 Kommentare (die Seite nennt 9)", "Jemand", "Autor"):
        assert words in post, words
    for words in ("seither gelöscht", "Pingback", "Bild nicht in dieser Kopie", "Woher das stammt", "90\xa0%"):
        assert words in post, words
    assert "Dieser Kommentar hat keinen Text." in post
    assert "Eine Kopie von b.example, Stand 2. Januar 2024, aufbewahrt mit BlogForever." in post
    assert "Seite 1 von 2" in made["index.html"]
    assert "fehlend: 1 von 30 angekündigten Beiträgen" in made["about.html"]
    assert '<h2 class="month">März</h2>' in made["2019/index.html"]


def test_a_blog_that_says_no_language_has_that_of_its_posts() -> None:
    made = a_copy(None, language="fr-FR")
    assert '<html lang="fr" dir="ltr">' in made["index.html"]
    assert '<html lang="en" dir="ltr">' in a_copy(None)["index.html"]


def test_posts_of_a_blog_whose_language_we_do_not_speak_are_not_called_english() -> None:
    page = LexborHTMLParser(a_copy("sv")["2019/1.html"])
    root, post = page.css_first("html"), page.css_first("article.post")
    assert root is not None
    assert post is not None
    assert (root.attributes["lang"], post.attributes["lang"]) == ("en", "sv")


def test_the_direction_of_a_post_is_its_own_in_a_copy_of_another_one() -> None:
    """What we say in it has a direction of its own, so that the first word of the post decides."""
    made = a_copy("en", language="ar", title="عنوان", text="نص", html="<p>نص</p>")
    post = next(path for path in made if re.fullmatch(r"2019/p-.*", path))
    for path in ("index.html", post):
        line = LexborHTMLParser(made[path]).css_first("article .when")
        assert line is not None
        assert (line.attributes["lang"], line.attributes["dir"]) == ("en", "ltr")


def test_what_stands_above_several_blogs_is_told_in_their_language() -> None:
    language = language_for("ru")
    blogs = [some_blog(id=name, title=name, kept=21) for name in ("a", "b")]
    home = LexborHTMLParser(overview(language, blogs, {"a": "a", "b": "b"})).text()
    assert "2 блога" in home
    assert "42 записи" in home
    found = LexborHTMLParser(search_page(language, [SearchWords("a/", 1, "a")])).css_first("#found")
    assert found is not None
    assert "записей" in (found.attributes["data-words"] or "")
