from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from blogforever.cli import blogforever
from blogforever.cli.configfile import load_config
from blogforever.cli.helping import GROUPS
from blogforever.config import Config, make_config, options
from blogforever.errors import UsageError


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    file = tmp_path / "blogforever.toml"
    file.write_text("delay = 2\nmax-pages = 5\ncontact = 'file'\n", encoding="utf-8")
    config = load_config(
        {"delay": "4", "contact": None}, {"BLOGFOREVER_DELAY": "3", "BLOGFOREVER_MAX_PAGES": "6"}, file
    )
    assert (config.delay, config.max_pages, config.contact, config.retries) == (4.0, 6, "file", 2)


def test_every_option_has_help_and_reads_its_own_default() -> None:
    for option in options():
        assert option.metadata["help"].endswith(".")
    assert make_config({o.name: o.default for o in options()}) == Config()


@pytest.mark.parametrize(
    "values", [{"no_such": 1}, {"delay": "fast"}, {"max_pages": -1}, {"render": "maybe"}, {"allow_private": "perhaps"}]
)
def test_impossible_values_are_named(values: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        make_config(values)


def test_words_of_the_environment_are_read() -> None:
    env = {"BLOGFOREVER_ALLOW_PRIVATE": "yes", "BLOGFOREVER_REPLAY": "a.warc:b.warc"}
    config = load_config({}, env, Path("none.toml"))
    assert config.allow_private is True
    assert config.replay == ("a.warc", "b.warc")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("32M", 32 * 1024**2),
        ("32MB", 32_000_000),
        ("1.5G", 3 * 1024**3 // 2),
        ("500k", 512_000),
        ("64MiB", 64 * 1024**2),
        ("33_554_432", 33_554_432),
        ("7", 7),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert make_config({"max_size": text}).max_size == size


@pytest.mark.parametrize("text", ["much", "32X", "-1M", "", "1e9"])
def test_what_is_no_size_is_answered_with_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"500k, 32M or 1\.5G"):
        make_config({"max_size": text})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("delay = 1\nmax-page = 5\n", r"line 2: there is no option called 'max-page'; did you mean max-pages"),
        ("delay = 1\n\nrender = 'maybe'\n", r"line 3: render must be one of"),
        ("[stages]\nexract = 'on'\n", r"line 1: The stages are"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "blogforever.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        load_config({}, {}, file)


def test_options_of_a_crawl_stand_under_headings() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    told = CliRunner().invoke(blogforever, ["crawl", "--help"]).output
    assert [heading for heading in GROUPS if f"{heading}:" in told] == list(GROUPS)
    assert told.index("Manners:") < told.index("--delay") < told.index("Network and log-ins:")
    assert told.endswith("Show this message and exit.\n")


def test_a_broken_file_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "blogforever.toml"
    file.write_text("delay = = 2", encoding="utf-8")
    with pytest.raises(UsageError, match="not valid TOML"):
        load_config({}, {}, file)
