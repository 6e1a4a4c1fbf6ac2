from __future__ import annotations

import json
import re
from html import escape, unescape
from unittest.mock import patch
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.care import encoded
from blogforever.care.blank import Passages, _print
from blogforever.care.tokens import APART, AS_MAIL, AS_TEXT, JOINED, cut, ways_to_cut, words_cut
from blogforever.dom import tokenise

SENTENCE = "The ferryman's lantern went out twice before we reached the far — and quiet — harbour wall"
LETTERS = "one two three four five six seven eight nine ten eleven twelve"
FORMS = {
    "html": f"<p>{SENTENCE}</p>",
    "marked up": SENTENCE.replace("lantern", "<em class='x y'>lantern</em>").replace("twice", "<b>twice</b><br>"),
    "entities": SENTENCE.replace("'", "&#8217;").replace("—", "&mdash;").replace(" ", "&nbsp;", 3),
    "twice escaped": escape(escape(f"<p>{SENTENCE}</p>")),
    "escaped mark-up": escape(SENTENCE.replace("twice", "<b>twice</b>")),
    "cdata": f"<![CDATA[<p>{SENTENCE}</p>]]>",
    "json": json.dumps({"text": f"<p>\n{SENTENCE}</p>"}),
    "json with mark-up": json.dumps({"text": SENTENCE.replace("twice", "<b>twice</b>")}).replace("<", "\\u003c"),
    "attribute": f'<meta name=description content="{SENTENCE}">',
    "comment": f"<!-- {SENTENCE} -->",
    "address": f'<a href="https://share.example/?text={quote(SENTENCE)}">share</a>',
    "lines": SENTENCE.replace(" ", "\r\n   "),
    "excerpt": f"<p>{' '.join(SENTENCE.split()[:9])} […]</p>",
    "soft hyphens": SENTENCE.replace("ern", "\u00adern").replace("man", "\u00adman").replace("ce", "\u00adce"),
    "zero-width spaces": SENTENCE.replace("ern", "\u200bern").replace("it", "\u200bit").replace(" ", " \u200b"),
    "no-break spaces without width": SENTENCE.replace("ern", "\ufeffern").replace("ce", "\u2060ce"),
    "joiners": SENTENCE.replace("ern", "\u200cern").replace("ce", "\u200d\u200ece"),
    "joiners as entities": SENTENCE.replace("ern", "&zwnj;ern").replace("ce", "&#8205;&shy;ce"),
    "word breaks": SENTENCE.replace("ern", "<wbr>ern").replace("ce", "<wbr/>ce").replace("re ", "re<br>"),
    "word breaks escaped": escape(SENTENCE.replace("ern", "<wbr>ern").replace("ce", "<wbr/>ce")),
    "word breaks in json": json.dumps(SENTENCE.replace("ern", "<wbr>ern"))
    .replace("<", "\\u003c")
    .replace(">", "\\u003e"),
    "a large first letter": f"<p><span class='cap'>{SENTENCE[0]}</span>{SENTENCE[1:].replace('ern', '<b>ern</b>')}</p>",
    "a script": "document.write('" + SENTENCE.replace("e", "\\x65").replace("tern", "t\\u{65}rn") + "')",
    "mark-up in a script": SENTENCE.replace("lantern", "\\x3cb\\x3elantern\\x3c/b\\x3e"),
    "an address in an address": f'<a href="https://share.example/?u={quote("b.example/?t=" + quote(SENTENCE))}">x</a>',
}


@pytest.mark.parametrize("form", FORMS)
def test_a_passage_goes_whatever_it_is_wrapped_in(form: str) -> None:
    text = f"<p>Before it stood this.</p>{FORMS[form]}<p>After it stood that.</p>"
    blanked = Passages([SENTENCE]).blank(text)
    assert len(blanked) == len(text)
    assert "lantern" not in blanked
    assert "twice" not in blanked
    assert not [part for part in ("ern", "wice", "went", "lan") if part in blanked]
    assert re.findall("</?[a-z]+", blanked) == re.findall("</?[a-z]+", text)
    assert "Before it stood this." in blanked
    assert "After it stood that." in blanked


def test_json_stays_json() -> None:
    text = json.dumps({"title": "Kept", "text": f'A \\ " {SENTENCE} \u2028 é', "more": [SENTENCE]})
    blanked = json.loads(Passages([SENTENCE]).blank(text))
    assert blanked["title"] == "Kept"
    assert "harbour" not in json.dumps(blanked)


def test_scripts_without_spaces() -> None:
    said = "我们昨天去图书馆看了一本关于渡船的书"
    blanked = Passages([said]).blank(f"<p>他说：{said}，然后走了。</p>")
    assert "图书馆" not in blanked
    assert "他说：" in blanked
    assert "然后走了。" in blanked


# In each, vowels or other signs stand on letters; the sentences are ours.
MARKED_SCRIPTS = {
    "hindi": "यह हिन्दी में लिखा हुआ एक लंबा वाक्य है जिसे कोई भी पढ़ सकता है और समझ सकता है",
    "bengali": "আমি গতকাল নদীর ধারে গিয়েছিলাম এবং সেখানে একটি পুরানো নৌকা দেখেছিলাম যা ভেসে যাচ্ছিল",
    "tamil": "நான் நேற்று நூலகத்திற்குச் சென்று படகு பற்றிய ஒரு பழைய புத்தகத்தைப் படித்தேன் நன்றாக இருந்தது",
    "thai": "เมื่อวานฉันไปที่ห้องสมุดและอ่านหนังสือเกี่ยวกับเรือข้ามฟาก",
    "arabic with vowels": "ذَهَبْتُ أَمْسِ إِلَى الْمَكْتَبَةِ وَقَرَأْتُ كِتَابًا عَنِ الْعَبَّارَةِ الْقَدِيمَةِ فِي الْمَدِينَةِ",
    "hebrew with points": "אֶתְמוֹל הָלַכְתִּי לַסִּפְרִיָּה וְקָרָאתִי סֵפֶר עַל הַמַּעְבֹּרֶת הַיְשָׁנָה בָּעִיר",
    "signs for letters": "the ﬁrst №5 of ½ a dozen lantern™ boats came in",
}


@pytest.mark.parametrize("script", MARKED_SCRIPTS)
def test_scripts_with_marks_on_their_letters(script: str) -> None:
    said = MARKED_SCRIPTS[script]
    numbers = "".join(f"&#{ord(letter)};" for letter in said)
    percent = f'<a href="https://share.example/?t={quote(said)}">share</a>'
    for written in (f"<p>{said}</p>", numbers, json.dumps(said), percent, said.replace(" ", " \u200b")):
        blanked = Passages([said]).blank(f"<i>kept before</i> {written} <i>kept behind</i>")
        assert blanked.startswith("<i>kept before</i>")
        assert blanked.endswith("<i>kept behind</i>")
        read = set(tokenise(unescape(unquote(blanked.replace("\\u", " ")))))
        assert not read & {word for word in tokenise(said) if len(word) > 1 or script == "thai"} - {"5", "a", "of"}


def test_a_thai_sentence_leaves_its_neighbours_in_the_same_line() -> None:
    said = MARKED_SCRIPTS["thai"]
    blanked = Passages([said]).blank(f"<p>น้ำใส{said}ทำนา</p>")
    assert blanked == f"<p>น้ำใส{'x' * len(said)}ทำนา</p>"


def test_words_are_those_of_the_search_whatever_letters_they_are_made_of() -> None:
    """One definition of a word: what is found by its words is erased by the same."""
    letters = [chr(code) for code in range(0xA0, 0x12000) if not 0xD800 <= code < 0xE000]
    for first in range(0, len(letters), 400):
        text = " ".join(f"ab{letter}cd" for letter in letters[first : first + 400])
        for way in ways_to_cut(text):
            assert words_cut(text, way) == way.words_of(text) == [word for word, _spans in cut(text, way)]


PIECES = (
    "a Zz lan tern <b> </b> <p> < <wbr> > &lt; &gt; &amp; &amp;lt; &#97; &#9 7; & &eacute &am p; \\n \\ \\u003c \\u003e"
    " \\u0041 \\x3c \\\\x3cb \\x41 \\u{41} \\101 % %41 %2541 %u0041 %25 25 =41 =C3=A9 = ' ’ _ \u00ad \u200b \u0301 é"
    " 图书 ไทยำ हिन्दी ™ ½ ﬁ # x u 0041 ; ſ &trade; … ´"
).split(" ")


@given(st.lists(st.sampled_from([*PIECES, " ", "\n", "=\n", "\\000041 "]), max_size=20))
def test_words_at_once_are_the_words_one_by_one(pieces: list[str]) -> None:
    text = "".join(pieces)
    for way in (APART, JOINED, AS_TEXT, AS_MAIL, APART._replace(words_of=tokenise)):
        assert words_cut(text, way) == [word for word, _spans in cut(text, way)]


LONGER = (
    "+",
    "/",
    "\\/",
    "\\",
    "%2B",
    "%2f",
    "%3D",
    "%",
    "=",
    "==",
    "\n",
    "\r\n",
    "\r",
    "a",
    "b" * 20,
    "c" * 31,
    "d" * 32,
)


@given(st.lists(st.sampled_from([*LONGER, " ", "<", "é"]), max_size=20))
def test_short_pieces_that_are_passed_over_hide_no_base64(pieces: list[str]) -> None:
    text = "".join(pieces)
    with patch.object(encoded, "_blanked", lambda run, blank: f"[{run}]"):
        assert encoded.blank_encoded(text, str) == encoded._RUN.sub(lambda found: f"[{found[0]}]", text)


def test_invisible_characters_in_a_passage_do_not_hide_it_where_there_are_none() -> None:
    for mark in ("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"):
        marked = SENTENCE.replace("ern", f"{mark}ern").replace("wice", f"{mark}wice")
        blanked = Passages([marked]).blank(f"{SENTENCE} | {marked}")
        assert not set(tokenise(blanked)) & set(tokenise(SENTENCE))


def test_a_letter_with_its_accent_beside_it_is_the_same_letter() -> None:
    accented = SENTENCE.replace("quiet", "qui\u00e9t")
    blanked = Passages([accented]).blank(accented.replace("\u00e9", "e\u0301"))
    assert not set(tokenise(blanked)) & set(tokenise(accented))


def test_scripts_without_spaces_lose_only_the_passage_where_it_is_broken_invisibly() -> None:
    said = "我们昨天去图书馆看了一本关于渡船的书"
    for mark in ("\u200b", "<wbr>"):
        blanked = Passages([said]).blank(f"<p>他说{mark.join(said)}然后走了</p>")
        assert blanked.startswith("<p>他说")
        assert blanked.endswith("然后走了</p>")
        assert not set(said) & set(blanked.removesuffix("然后走了</p>"))


def test_what_was_erased_before_joiners_were_passed_over_is_known_still() -> None:
    said = "می\u200cخواهم به خانه\u200cی شما بیایم و کتاب\u200cها را ببینم و بخوانم"
    words = tokenise(said)
    earlier = [_print(words[i : i + 8]) for i in range(len(words) - 7)]
    blanked = Passages(prints=earlier).blank(f"<p>{said}</p>")
    assert set(tokenise(blanked)) <= {"p"} | {"x" * n for n in range(20)}


def test_less_than_eight_words_in_a_row_are_nobodys_property() -> None:
    text = "<p>the lantern went out twice, and nobody minded</p>"
    assert Passages([SENTENCE]).blank(text) is text
    assert Passages([SENTENCE]).blank(text) == text


def test_short_passages_go_only_whole() -> None:
    passages = Passages(whole=["Great post, Ann!"])
    assert passages.blank("<b>Great</b> post Ann.") == "<b>xxxxx</b> xxxx xxx."
    assert passages.blank("a great post, Bo") == "a great post, Bo"


def test_addresses_go_in_every_spelling() -> None:
    passages = Passages(addresses=["https://b.example/2013/04/a-böse-post/", "https://b.example/?p=1"])
    for written in (
        "/2013/04/a-böse-post/",
        "https://b.example/2013/04/a-b%C3%B6se-post",
        "\\/2013\\/04\\/a-böse-post",
    ):
        assert "post" not in passages.blank(f'"{written}"')
    kept = '<a href="/2013/04/a-böse-post-2/">2</a> <a href="/2013/04/a-böse-post/more/">3</a> <a href="/?p=1">1</a>'
    assert passages.blank(kept) == kept


def test_the_last_part_of_an_address_goes_in_every_script() -> None:
    for last in ("a-böse-post", "हिन्दी-की-कहानी"):
        passages = Passages(addresses=[f"https://b.example/2013/04/{quote(last)}/"])
        for written in (last, quote(last), quote(last).lower()):
            assert passages.blank(f'<span id="{written}">it</span>') == f'<span id="{"x" * len(written)}">it</span>'


@given(st.text(), st.integers(0, 4), st.integers(8, 12))
def test_nothing_of_it_is_left_and_nothing_else_is_lost(around: str, start: int, end: int) -> None:
    part = " ".join(LETTERS.split()[start : start + end])
    blanked = Passages([LETTERS]).blank(f"{around} . {part} . {around}")
    assert blanked.startswith(f"{around} . ")
    assert blanked.endswith(f" . {around}")
    if len(part.split()) >= 8:
        assert not set(tokenise(part)) & set(tokenise(blanked[len(around) : len(blanked) - len(around)]))


def test_it_costs_no_more_than_the_text_is_long() -> None:
    hostile = "<" * 40_000 + "&lt;" * 20_000 + "\\u003c" * 10_000 + "%41" * 20_000 + "&amp;" * 20_000
    hostile += "\\x3c" * 10_000 + "a<b>" * 10_000 + "\u200b" * 20_000 + "图<wbr>" * 5_000 + "%" + "25" * 20_000
    assert Passages([LETTERS]).blank(hostile) == hostile


def test_passages_are_known_again_without_being_kept() -> None:
    prints = Passages([SENTENCE], whole=["Great post, Ann!"]).prints()
    assert not any("lantern" in mark or "great" in mark for mark in prints)
    again = Passages(prints=prints)
    text = f"<p>{SENTENCE}</p><p>Great post, Ann!</p>"
    assert again.blank(text) == Passages([SENTENCE], ["Great post, Ann!"]).blank(text) != text


@pytest.mark.parametrize(
    "text",
    [
        "Nobody <b>saw</b> the lan<wbr>tern of the fer\u00adry, l’été d&eacute;j&agrave; pass&#233;.",
        '{"said": "Nobody\\nsaw \\u0074he \\"lantern\\"", "at": "/a%20ferry/%2541"}',
        "Nobody=20saw the l=\nantern; 日本語の文章です and_so on",
        "",
    ],
)
def test_words_without_places_are_the_words_with_places(text: str) -> None:
    for way in ways_to_cut(text):
        assert words_cut(text, way) == [word for word, _spans in cut(text, way)]


@pytest.mark.parametrize("first", range(12))
def test_any_eight_words_in_a_row_are_found_wherever_they_begin(first: int) -> None:
    """A document is asked for fewer words first; no passage may slip through that."""
    said = "nobody in the harbour saw how a lantern hung from the old ferry all night long".split()
    quoted = said[first : first + 8]
    enough = len(quoted) == 8
    blanked = Passages([" ".join(said)]).blank(f"They write: <i>{' '.join(quoted)}</i> and more.")
    assert ("xxxx" in blanked) == enough
