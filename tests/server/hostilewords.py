"""Command lines that nobody would type: every command and option there is, with words that fit none of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import click

from blogforever.cli import COMMANDS, blogforever

from .smallarchive import BLOG, address

LEFT_OUT = frozenset(["serve", "analyse", "update"])
"""The first ends when somebody stops it, the others ask the network."""
WORDS = (
    *("", " ", "-", "--", "-x", "--no-such", "0", "-1", "1.5", "9" * 400, "1e999", "nan", "-inf", "true", "null"),
    *("{}", "[", '{"a": [', "[" * 3000, "\0", "a\0b", "\udcff", "\ud800", "x" * 255, "x" * 256, "x" * 5000, "é" * 200),
    *(".", "..", "../x", "{here}", "{here}/archive", "{here}/archive/archive.db", "{here}/archive/archive.db/x"),
    *("{here}/all.wacz", "{here}/backup", "{here}/copy", "{out}/new", "{out}/new/er", "/dev/null", "/dev/null/x"),
    *(
        "2026",
        "2026-13-45",
        "0000-00-00",
        "9999-12-31",
        "10000-01-01",
        "2026-02-30T25:61",
        "yesterday",
        "-5h",
        "9999999d",
    ),
    *(
        BLOG,
        "c.example",
        address(1),
        f"https://{BLOG}/",
        "http://[",
        "http://[::1",
        "http://a:999999/",
        "https://\u2028/",
    ),
    *(
        "javascript:alert(1)",
        "ftp://x/",
        "http://a..b/",
        "https://xn--/",
        "HTTP://" + "a" * 70 + ".example/",
        "data:,x",
    ),
    *(
        "\x1b[2J",
        "\u202eabc",
        "\U0001f4a5",
        "%s%n",
        "'; DROP TABLE posts; --",
        '" OR 1=1',
        "*",
        "NEAR(",
        "a AND",
        "(",
        "[a-",
    ),
    *(
        "(a+)+$",
        "\n",
        "a\nb",
        "\u00b2",
        "\u0663",
        "\ufeff",
        "postgresql://127.0.0.1:1/x",
        "sqlite",
        "title",
        "all",
        "@",
    ),
    *("title:", "h1 >", "h1@", '{"css": 7}', "22-6", "25-30", "host", "url", "admin", "library", "ann", "Science"),
)
STDIN = (
    b"",
    b"\n",
    b"x\n",
    b"a lantern at the harbour\na lantern at the harbour\n",
    b"\xff\xfe\0\n",
    b"https://e.example/\n",
)
MOST_OPTIONS, MOST_WORDS, SENSIBLE = 3, 3, 0.8


def command_lines(random: Random) -> Iterator[tuple[list[str], bytes]]:
    """One command line after the other, each with what is typed while it runs; `{out}` and `{here}` are folders."""
    leaves = list(_leaves(blogforever, ()))
    while True:
        path, command = random.choice(leaves)
        yield _typed(random, path, command), random.choice(STDIN)


def _leaves(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in COMMANDS if group is blogforever else group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or name in LEFT_OUT:
            continue
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))


def _typed(random: Random, path: tuple[str, ...], command: click.Command) -> list[str]:
    options = [one for one in command.params if isinstance(one, click.Option)]
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    # As many as it takes, more often than not: a line with too many ends before anything is looked at.
    number = len(arguments) if random.random() < SENSIBLE else random.randint(0, MOST_WORDS)
    words = [random.choice(WORDS) for _ in range(number)]
    for option in random.sample(options, min(len(options), random.randint(0, MOST_OPTIONS))):
        words += _given(random, option)
    random.shuffle(words)
    # What is asked of the network is asked of a saved blog.
    return [*path, *words, *(["--replay", "{here}/archive/warc"] if path == ("crawl",) else [])]


def _given(random: Random, option: click.Option) -> list[str]:
    """An option with a word that may be one of its own."""
    name = random.choice([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return [name]
    own = [str(one) for one in getattr(option.type, "choices", ())]
    return [f"{name}={random.choice([*own, *WORDS])}" if name.startswith("--") else name]
