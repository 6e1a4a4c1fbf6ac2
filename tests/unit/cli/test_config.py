from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.cli.configfile import load_config
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


def test_a_broken_file_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "blogforever.toml"
    file.write_text("delay = = 2", encoding="utf-8")
    with pytest.raises(UsageError, match="not valid TOML"):
        load_config({}, {}, file)
