"""The packaged table of names is what CLDR gives."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from blogforever.dates.fold import fold, key
from blogforever.dates.names import base_languages, names, numeric_orders, raw_table

TOOL = Path(__file__).parents[2] / "tools" / "make_date_names.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_date_names", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "th", "eu", "zh"])
def test_the_packaged_table_equals_what_babel_gives(tool: ModuleType, language: str) -> None:
    variants = {language: tool.LANGUAGES[language]}
    assert tool.build(variants)[language] == raw_table()["languages"][language]


def test_every_language_has_all_months() -> None:
    for language, table in raw_table()["languages"].items():
        months = set(table["months"].values()) | set(table["short"].values())
        assert months in (set(range(1, 13)), set()), language
        assert set(table["days"].values()) | set(table["shortdays"].values()) == set(range(7)), language


def test_languages_without_month_names_write_numbers() -> None:
    nameless = {code for code, table in raw_table()["languages"].items() if not table["months"] and not table["short"]}
    assert nameless == {"ja", "ko"}


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("FÉVRIER", "fevrier"),
        ("İyul", "iyul"),
        ("Paź", "paz"),
        ("٢٠١٣", "2013"),
        ("２０１３", "2013"),
        ("4–5", "4-5"),
        ("a\u00a0b", "a b"),
        ("d’abril", "d'abril"),
        ("أغسطس", "اغسطس"),
    ],
)
def test_folding_keeps_the_length(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert len(fold(text)) == len(text)


def test_keys_leave_out_dots_and_marks() -> None:
    assert key(fold("มี.ค.")) == key(fold("มีค"))
    assert key(fold("fe\u0301vr.")) == "fevr"
    assert key(fold("segunda-feira")) == "segunda feira"


def test_orders_follow_the_region() -> None:
    assert numeric_orders(["en"]) == ["Mdy"]
    assert numeric_orders(["en_US"]) == ["Mdy"]
    assert numeric_orders(["en-GB", "de-AT"]) == ["dMy"]
    assert numeric_orders(["xx"]) == []
    assert base_languages(["pt_BR", "no", "zh-Hant-TW"]) == ("pt", "nb", "zh")


def test_one_name_can_mean_months_of_several_languages() -> None:
    assert {name.number for name in names().months["listopad"]} == {10, 11}


def test_importing_dates_loads_neither_babel_nor_the_table() -> None:
    code = "import sys, blogforever.dates; from blogforever.dates.names import names; "
    code += "print('babel' in sys.modules, names.cache_info().currsize)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "0"]
