from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from blogforever.cli import COMMANDS, blogforever
from blogforever.cli.configfile import load_config
from blogforever.cli.helping import GROUPS
from blogforever.cli.moments import since_of
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


@pytest.mark.parametrize(
    "line",
    [
        *("delay = nan", "delay = inf", "delay = 1e300", "delay = true", "max-time = nan", "max-pages = inf"),
        *("max-pages = 1e400", "max-pages = 99999999999999999999999999", "max-pages = 2.7e30", "port = true"),
        *("replay = 5", "queue = 5", "policy = 5", "way = 5", "knowledge = -5", "a = " + "[" * 100_000),
        *("[[policy]]\nblog = 'b.example'\ndelay = nan", "[[policy]]\nblog = 'b.example'\ndelay = inf"),
    ],
)
def test_a_value_that_nobody_can_mean_is_refused_whatever_a_file_can_say(tmp_path: Path, line: str) -> None:
    file = tmp_path / "blogforever.toml"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError):
        load_config({}, {}, file)


def commands_of(group: click.Group) -> Iterator[click.Command]:
    for name in COMMANDS if group is blogforever else group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from commands_of(command)


def test_no_number_of_a_command_is_larger_than_a_database_takes() -> None:
    numbers = [
        (command.name, one.name, one.type.max)
        for command in commands_of(blogforever)
        for one in command.params
        if isinstance(one.type, click.IntRange) and not (isinstance(one, click.Option) and one.count)
    ]
    assert numbers
    assert [one for one in numbers if one[2] is None or one[2] >= 2**63] == []


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00+10:00", "9999-12-31T23:00-10:00", "999999w", "99999999999d", "soon"]
)
def test_a_moment_outside_of_time_is_told_in_words(moment: str) -> None:
    with pytest.raises(UsageError, match="--since wants a day"):
        since_of(moment)


@pytest.mark.parametrize("delay", ["nan", "inf", "1e308", "1e10"])
def test_nobody_waits_for_ever_between_two_requests(delay: str) -> None:
    with pytest.raises(UsageError, match="delay cannot be"):
        load_config({"delay": delay}, {}, Path("none.toml"))


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
