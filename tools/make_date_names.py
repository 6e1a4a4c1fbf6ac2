"""Write src/blogforever/dates/data/names.json: names and orders of dates in many languages, from CLDR through Babel.

Run it after a change here or a new Babel: python tools/make_date_names.py
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel import Locale, localedata

from blogforever.dates.fold import LETTER, fold, key

# Every language, with the regional or script variants whose names differ.
LANGUAGES = {
    "en": "en en_GB en_AU en_CA",
    "de": "de de_AT",
    "fr": "fr fr_CA",
    "es": "es es_MX es_AR es_PE",
    "pt": "pt pt_PT",
    "it": "it",
    "nl": "nl",
    "da": "da",
    "sv": "sv",
    "nb": "nb nn",
    "fi": "fi",
    "is": "is",
    "et": "et",
    "lv": "lv",
    "lt": "lt",
    "pl": "pl",
    "cs": "cs",
    "sk": "sk",
    "sl": "sl",
    "hr": "hr",
    "sr": "sr sr_Latn",
    "bs": "bs bs_Cyrl",
    "mk": "mk",
    "sq": "sq",
    "hu": "hu",
    "ro": "ro ro_MD",
    "bg": "bg",
    "ru": "ru",
    "uk": "uk",
    "be": "be",
    "el": "el",
    "tr": "tr",
    "az": "az az_Cyrl",
    "uz": "uz uz_Cyrl",
    "kk": "kk",
    "ka": "ka",
    "hy": "hy",
    "he": "he",
    "ar": "ar ar_LB ar_DZ ar_MA ar_SA",
    "fa": "fa",
    "ur": "ur",
    "hi": "hi",
    "mr": "mr",
    "ne": "ne",
    "bn": "bn",
    "gu": "gu",
    "ta": "ta",
    "te": "te",
    "ml": "ml",
    "kn": "kn",
    "th": "th",
    "vi": "vi",
    "id": "id",
    "ms": "ms",
    "fil": "fil",
    "zh": "zh zh_Hant zh_Hant_HK",
    "ja": "ja",
    "ko": "ko",
    "mn": "mn",
    "ca": "ca",
    "eu": "eu",
    "gl": "gl",
    "cy": "cy",
    "ga": "ga",
    "eo": "eo",
    "fy": "fy",
    "lb": "lb",
    "fo": "fo",
    "af": "af",
    "sw": "sw",
    "mg": "mg",
}
UNITS = ("year", "month", "week", "day", "hour", "minute", "second")
AMOUNTS = {"zero": 0, "one": 1, "two": 2}

# What blogs write and CLDR has not.
MORE_MONTHS = {
    "en": "jan=1 feb=2 febr=2 mar=3 apr=4 jun=6 jul=7 sept=9 sep=9 oct=10 nov=11 dec=12",
    "de": "jan=1 janner=1 feber=2 mrz=3 mar=3 maerz=3 sep=9 sept=9 okt=10 dez=12",
    "fr": "jan=1 fev=2 fevr=2 avr=4 juin=6 juil=7 jui=6 aou=8 sep=9 sept=9",
    "es": "set=9 setiembre=9 sep=9 sept=9 ene=1 abr=4 ago=8 dic=12",
    "pt": "fev=2 set=9 out=10 dez=12",
    "it": "gen=1 mag=5 giu=6 lug=7 set=9 sett=9 ott=10 dic=12",
    "nl": "mrt=3 maa=3 mei=5 okt=10",
    "da": "maj=5 okt=10",
    "sv": "maj=5 okt=10",
    "nb": "mai=5 okt=10 des=12",
    "pl": "sty=1 lut=2 kwi=4 cze=6 lip=7 sie=8 wrz=9 paz=10 lis=11 gru=12",
    "ru": "янв=1 фев=2 мар=3 апр=4 июн=6 июл=7 авг=8 сен=9 окт=10 ноя=11 дек=12",
    "uk": "січ=1 лют=2 бер=3 кві=4 тра=5 чер=6 лип=7 сер=8 вер=9 жов=10 лис=11 гру=12",
    "hu": "jan=1 feb=2 marc=3 maj=5 okt=10 szept=9",
    "ro": "ian=1 iun=6 iul=7 noi=11",
    "tr": "oca=1 sub=2 nis=4 haz=6 tem=7 agu=8 eyl=9 eki=10 kas=11 ara=12",
    "el": "ιαν=1 φεβ=2 μαρ=3 απρ=4 μαι=5 ιουν=6 ιουλ=7 αυγ=8 σεπ=9 οκτ=10 νοε=11 δεκ=12",
    "id": "agt=8 ags=8 agust=8 nop=11 nopember=11 pebruari=2",
    "vi": (
        "tháng_một=1 tháng_hai=2 tháng_ba=3 tháng_tư=4 tháng_năm=5 tháng_sáu=6 tháng_bảy=7 tháng_tám=8 "
        "tháng_chín=9 tháng_mười=10 tháng_mười_một=11 tháng_mười_hai=12"
    ),
    "ca": "gen=1 mai=5 ago=8 set=9",
}
# CLDR gives these languages no words for today and yesterday through Babel.
DAYS_AGO = {
    "en": ("today", "yesterday", "day before yesterday"),
    "de": ("heute", "gestern", "vorgestern"),
    "fr": ("aujourd'hui", "hier", "avant-hier"),
    "es": ("hoy", "ayer", "anteayer"),
    "pt": ("hoje", "ontem", "anteontem"),
    "it": ("oggi", "ieri", "l'altro ieri"),
    "nl": ("vandaag", "gisteren", "eergisteren"),
    "da": ("i dag", "i går", "i forgårs"),
    "sv": ("i dag", "i går", "i förrgår"),
    "nb": ("i dag", "i går", "i forgårs"),
    "fi": ("tänään", "eilen", "toissapäivänä"),
    "is": ("í dag", "í gær"),
    "et": ("täna", "eile", "üleeile"),
    "lv": ("šodien", "vakar"),
    "lt": ("šiandien", "vakar"),
    "pl": ("dzisiaj", "wczoraj", "przedwczoraj"),
    "cs": ("dnes", "včera", "předevčírem"),
    "sk": ("dnes", "včera", "predvčerom"),
    "sl": ("danes", "včeraj"),
    "hr": ("danas", "jučer", "prekjučer"),
    "sr": ("данас", "јуче"),
    "hu": ("ma", "tegnap", "tegnapelőtt"),
    "ro": ("astăzi", "ieri", "alaltăieri"),
    "bg": ("днес", "вчера", "онзи ден"),
    "ru": ("сегодня", "вчера", "позавчера"),
    "uk": ("сьогодні", "вчора", "позавчора"),
    "be": ("сёння", "учора"),
    "el": ("σήμερα", "χθες", "προχθές"),
    "tr": ("bugün", "dün"),
    "az": ("bu gün", "dünən"),
    "kk": ("бүгін", "кеше"),
    "ka": ("დღეს", "გუშინ"),
    "hy": ("այսօր", "երեկ"),
    "he": ("היום", "אתמול"),
    "ar": ("اليوم", "أمس"),
    "fa": ("امروز", "دیروز"),
    "hi": ("आज",),
    "bn": ("আজ", "গতকাল"),
    "ta": ("இன்று", "நேற்று"),
    "th": ("วันนี้", "เมื่อวาน"),
    "vi": ("hôm nay", "hôm qua", "hôm kia"),
    "id": ("hari ini", "kemarin"),
    "ms": ("hari ini", "semalam"),
    "zh": ("今天", "昨天", "前天"),
    "ja": ("今日", "昨日", "一昨日"),
    "ko": ("오늘", "어제", "그저께"),
    "mn": ("өнөөдөр", "өчигдөр"),
    "ca": ("avui", "ahir", "abans-d'ahir"),
    "eu": ("gaur", "atzo"),
    "gl": ("hoxe", "onte"),
    "cy": ("heddiw", "ddoe"),
    "ga": ("inniu", "inné"),
    "eo": ("hodiaŭ", "hieraŭ"),
    "af": ("vandag", "gister"),
    "sw": ("leo", "jana"),
    "mg": ("androany", "omaly"),
}
# Ways to say "ago" which CLDR does not choose, as CLDR would write them.
MORE_PAST = {
    "en": [
        "{0} mins ago=minute",
        "{0} min ago=minute",
        "{0} hrs ago=hour",
        "{0} secs ago=second",
        "{0} yr ago=year",
        "{0} yrs ago=year",
    ],
    "de": ["vor {0} Monat=month", "vor {0} Jahr=year"],
    "pt": ["{0} dias atrás=day", "{0} horas atrás=hour", "{0} meses atrás=month", "{0} anos atrás=year"],
    "es": ["{0} días atrás=day", "{0} horas atrás=hour", "{0} meses atrás=month", "{0} años atrás=year"],
    "zh": ["{0} 个月前=month", "{0} 小時前=hour", "{0} 月前=month", "{0} 日前=day"],
    "ja": ["{0} ヶ月前=month", "{0} カ月前=month", "{0} ケ月前=month"],
    "ko": ["{0} 달 전=month"],
    "nb": ["for {0} dag siden=day", "for {0} dager siden=day"],
}
# The numbers from two on as words, each list from its first: nobody writes "thirteen days ago".
NUMBERS = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "da": "to tre fire fem seks syv otte ni ti elleve tolv",
    "sv": "två tre fyra fem sex sju åtta nio tio elva tolv",
    "fi": "kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen",
    "pl": "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście",
    "cs": "dvěma třemi čtyřmi pěti šesti sedmi osmi devíti deseti",
    "ru": "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    "uk": "два три чотири пять шість сім вісім девять десять",
    "tr": "iki üç dört beş altı yedi sekiz dokuz on",
    "id": "dua tiga empat lima enam tujuh delapan sembilan sepuluh",
}
MORE_NUMBERS = {"duas": 2, "две": 2, "дві": 2, "dwie": 2, "zwo": 2, "syv": 7, "sju": 7, "åtte": 8}
FIELD = re.compile(r"'([^']*)'|([a-zA-Z])\2*|[^a-zA-Z']+")


def load(name: str) -> Locale:
    """A locale with tables of its own: Babel's cache lets names leak from one language into others."""
    localedata._cache.clear()
    return Locale.parse(name)


def plain(value: Any) -> Any:
    """Babel's lazy mappings as dicts."""
    return {name: plain(item) for name, item in value.items()} if hasattr(value, "items") else value


def pieces(pattern: str) -> list[tuple[str, bool]]:
    """A CLDR pattern as (text, is a field)."""
    found = []
    for match in FIELD.finditer(pattern):
        field = match[2] is not None
        found.append((match[1] if match[1] is not None else match[0], field))
    return found


def patterns(locale: Locale) -> list[str]:
    """The date patterns of a language, without weeks and quarters."""
    whole = [item.pattern for item in locale.date_formats.values()]
    parts = [item.pattern for name, item in locale.datetime_skeletons.items() if not set(name) & set("wWQB")]
    return whole + parts


def attached(pattern: str, letters: str) -> Iterator[tuple[str, str]]:
    """Letters written against a name in a pattern, before and after it."""
    parts = [("", False), *pieces(pattern), ("", False)]
    for before, (text, field), after in zip(parts, parts[1:], parts[2:], strict=False):
        if field and text[0] in letters and len(text) > 2:
            head = "" if before[1] else re.search(rf"{LETTER}*$", before[0])[0]  # type: ignore[index]  # * always matches
            tail = "" if after[1] else re.match(rf"{LETTER}*", after[0])[0]  # type: ignore[index]  # * always matches
            yield head, tail


def names(table: Mapping[Any, Any], width: str, shapes: set[tuple[str, str]]) -> dict[str, int]:
    """Folded names of one width to their number."""
    found: dict[str, set[int]] = {}
    for context in ("format", "stand-alone"):
        for number, name in table.get(context, {}).get(width, {}).items():
            if re.match("de |d’", name):
                continue  # Catalan: CLDR counts the preposition to the name; the bare name is there too
            for head, tail in sorted(shapes):
                found.setdefault(key(fold(head + name + tail)), set()).add(number)
    # Azerbaijani Tuesday and Thursday are one once folded: such a name tells nothing.
    clear = {name: min(numbers) for name, numbers in found.items() if len(numbers) == 1}
    return {name: number for name, number in clear.items() if name and not re.search(r"\d", name)}


def past(fields: Mapping[str, Any]) -> tuple[list[list[str]], dict[str, list[Any]]]:
    """`[before, after, unit]` of "3 days ago", and whole phrases that hold their number."""
    counted: set[tuple[str, str, str]] = set()
    phrases: dict[str, list[Any]] = {}
    for unit in UNITS:
        for style in ("", "-short", "-narrow"):
            for plural, text in fields.get(unit + style, {}).get("past", {}).items():
                add_past(key_spaced(text), unit, plural, counted, phrases)
    return [list(item) for item in sorted(counted)], phrases


def key_spaced(text: str) -> str:
    """A template folded; its dots stay, as text is compared with it as it stands."""
    return re.sub(r"\s+", " ", fold(text).replace("\u200b", "")).strip()


def add_past(
    text: str, unit: str, plural: str, counted: set[tuple[str, str, str]], phrases: dict[str, list[Any]]
) -> None:
    """Sort one template in."""
    before, hole, after = text.partition("{0}")
    said = text.replace("{0}", "")
    if hole and text[0] not in "-+" and re.search(r"[^\W\d_] ?[^\W\d_]", said):
        counted.add((before.strip(), after.strip(), unit))
    elif not hole and plural in AMOUNTS:
        phrases[text] = [unit, AMOUNTS[plural]]


def order(pattern: str) -> str:
    """The order of day, month and year in a numeric pattern."""
    return "".join(dict.fromkeys(re.findall(r"[dMy]", pattern.replace("L", "M"))))


def language(code: str, variants: str) -> dict[str, Any]:
    """Everything about one language."""
    result: dict[str, Any] = {"months": {}, "short": {}, "days": {}, "shortdays": {}, "am": [], "pm": [], "fill": []}
    fill: set[str] = set()
    halves: dict[str, set[str]] = {"am": set(), "pm": set()}
    for name in variants.split():
        add_locale(load(name), result, fill, halves)
    for pair in MORE_MONTHS.get(code, "").split():
        word, number = pair.split("=")
        result["short"].setdefault(key(fold(word.replace("_", " "))), int(number))
    base = load(code)
    result["past"], result["phrases"] = [], {}
    for name in variants.split():
        counted, phrases = past(plain(load(name)._data["date_fields"]))
        result["past"] += [item for item in counted if item not in result["past"]]
        result["phrases"] = phrases | result["phrases"]
    for item in MORE_PAST.get(code, []):
        text, unit = item.split("=")
        result["past"].append([*map(str.strip, key_spaced(text).split("{0}")), unit])
    for days, text in enumerate(DAYS_AGO.get(code, ())):
        result["phrases"][key_spaced(text)] = ["day", days]
    result["fill"] = sorted(fill - {""})
    result |= {half: sorted(words) for half, words in halves.items()}
    result["order"] = order(base.date_formats["short"].pattern)
    result["long"] = order(base.date_formats["long"].pattern)
    return result


def add_locale(locale: Locale, result: dict[str, Any], fill: set[str], halves: dict[str, set[str]]) -> None:
    """Add one variant's names to its language."""
    written = patterns(locale)
    months = {("", "")} | {shape for item in written for shape in attached(item, "ML")}
    days = {("", "")} | {shape for item in written for shape in attached(item, "Ec")}
    if locale.language == "he":
        months.add(("ב", ""))
    tables = plain(locale._data["months"]), plain(locale._data["days"])
    for target, table, width, shapes in (
        ("months", tables[0], "wide", months),
        ("short", tables[0], "abbreviated", months),
        ("days", tables[1], "wide", days),
        ("shortdays", tables[1], "abbreviated", days),
        ("shortdays", tables[1], "short", days),
    ):
        for name, number in names(table, width, shapes).items():
            result[target].setdefault(name, number)
    for item in written:
        literals = " ".join(text for text, field in pieces(item) if not field)
        fill.update(key(word) for word in re.findall(rf"{LETTER}+", fold(literals)))
    periods = plain(locale._data["day_periods"])
    for half, words in halves.items():
        for width in ("abbreviated", "wide"):
            word = key(fold(periods.get("format", {}).get(width, {}).get(half, ""))).replace(" ", "")
            words.update({word} - {""})


def orders() -> dict[str, str]:
    """Regions that order day, month and year otherwise than their language."""
    known, found = set(localedata.locale_identifiers()), {}
    for name in sorted(known):
        locale = Locale.parse(name)
        usual = locale.script is None or f"{locale.language}_{locale.territory}" not in known
        if locale.territory and usual and not locale.variant and locale.language in LANGUAGES:
            own = order(locale.date_formats["short"].pattern)
            if own != order(Locale.parse(locale.language).date_formats["short"].pattern):
                found[f"{locale.language}-{locale.territory}".lower()] = own
    return found


def numbers() -> dict[str, int]:
    """Words for small numbers; one that means two numbers in two languages would tell nothing."""
    found = {fold(word): number for word, number in MORE_NUMBERS.items()}
    for words in NUMBERS.values():
        for number, word in enumerate(words.split(), start=2):
            assert found.setdefault(fold(word), number) == number, word
    return found


def build(codes: Mapping[str, str] = LANGUAGES) -> dict[str, Any]:
    """The whole table, or that of some languages."""
    return {code: language(code, variants) for code, variants in codes.items()}


def main() -> None:
    """Write the file."""
    target = Path(__file__).parents[1] / "src/blogforever/dates/data/names.json"
    table = {"languages": build(), "orders": orders(), "numbers": numbers()}
    target.write_text(json.dumps(table, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
