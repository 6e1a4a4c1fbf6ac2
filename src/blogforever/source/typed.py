"""Typed text to addresses: cut where one ends and the next begins, and each a URL or one sentence why it is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from blogforever.errors import UsageError
from blogforever.urls import LONGEST, host_of
from blogforever.wording import N_, printable

from .address import read_address

# Of what was typed, as much as is kept and shown again where it is no address.
SHOWN = 200
QUOTED = 60
# What people put around an address: brackets of a mail, quotes of a table, a full stop at the end.
AROUND = " \t\r\n<>()[]{}\"'`´“”„‘’«»"
AFTER = ".,;:!|"
LONGEST_LABEL = 63
LOCAL = "localhost"
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?")
WITH_SCHEME = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,30}://", re.IGNORECASE)
FEED_SCHEME = re.compile(r"feed:(?://)?(?=https?:|[\w.-]+\.)", re.IGNORECASE)
# What people put where an address should be, and what is said of it.
OTHER_FORMS = (
    (re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]"), N_("{text} holds characters that no address has.")),
    (re.compile(r"^="), N_("{text} is a formula, not an address.")),
    (re.compile(r"^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$"), N_("{text} is an e-mail address, not that of a blog.")),
    (
        re.compile(r"^(?:(?:mailto|javascript|data|tel|file|about|feed):|(?!https?:)[a-z][a-z0-9+.-]{0,30}://)", re.I),
        N_("{text} is not the address of a blog: it does not begin with http."),
    ),
)
# An address begins here, whatever stood before: with its scheme, or with www.
BEGINS = re.compile(r"(?:https?://|www\.)", re.IGNORECASE)
# A host with a dot in it, as the whole address or before its path.
HOST_BEGINS = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?=[/:;,?\s]|$)")
SEPARATOR = re.compile(r"[;,]")


def given_address(typed: str) -> tuple[str, str]:
    """The address that was meant, or else the sentence that says why there is none."""
    text = FEED_SCHEME.sub("", tidied(typed))
    problem = _unlike_an_address(text)
    if problem:
        return "", problem
    try:
        url = read_address(text)
    except UsageError as error:
        return "", str(error)
    if not _has_real_host(url):
        return "", N_(f"{quoted(text)} is not the address of a blog: it names no host.")
    return url, ""


def tidied(typed: str) -> str:
    """Without what stands around an address in mails, tables and sentences."""
    return typed.strip(AROUND).rstrip(AFTER).strip(AROUND)


def quoted(text: str) -> str:
    """As much of a text as a sentence can hold."""
    shown = printable(text).strip()
    return repr(shown if len(shown) <= QUOTED else f"{shown[:QUOTED]}…")


def shortened(text: str) -> str:
    """What was typed, as it is kept: without what a
    terminal or a table would obey, and not without end.
    """
    shown = " ".join(printable(text[: 2 * SHOWN]).split())
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"


def is_address(text: str) -> bool:
    """Whether a text is an address and nothing else."""
    bare = tidied(text)
    looks_like = BEGINS.match(bare) or HOST_BEGINS.match(bare)
    return bool(looks_like) and not given_address(bare)[1]


def only_addresses(text: str) -> list[str]:
    """The addresses of a text that holds nothing else: one, or several with semicolons or commas between them."""
    pieces = list(_pieces(text))
    return pieces if all(is_address(piece) for piece in pieces) else []


def _unlike_an_address(text: str) -> str:
    """What can be told without taking the text apart."""
    if not text:
        return N_("There is no address.")
    if len(text) > LONGEST:
        return N_(f"{quoted(text)} has {len(text):,} characters; no address is so long.")
    for form, words in OTHER_FORMS:
        if form.search(text):
            return words.format(text=quoted(text))
    return ""


def _has_real_host(url: str) -> bool:
    """Whether the host is one that can be asked: a name with a dot, or an address of the
    network.
    """
    host = host_of(url)
    if host == LOCAL or host.startswith("[") or _is_network_address(host):
        return True
    labels = host.split(".")
    are_labels = all(LABEL.fullmatch(label) and len(label) <= LONGEST_LABEL for label in labels)
    return are_labels and len(labels) > 1 and not labels[-1].isdigit()


def _is_network_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def addresses_in(line: str) -> Iterator[str]:
    """The pieces of a line that are one address each, as
    it was typed; words around an address are left out.
    """
    for piece in _pieces(line):
        if " " not in piece and "\t" not in piece:
            yield piece
        elif found := WITH_SCHEME.findall(piece):
            yield from found
        elif all(is_address(word) for word in piece.split()):
            yield from piece.split()
        else:
            yield piece


def _pieces(line: str) -> Iterator[str]:
    """A line cut at its semicolons and commas, but for those that are part of an address."""
    start = 0
    for mark in SEPARATOR.finditer(line):
        if mark.start() >= start and _separates(line, start, mark):
            yield from _some(line[start : mark.start()])
            start = mark.end()
    yield from _some(line[start:])


def _some(piece: str) -> Iterator[str]:
    piece = piece.strip()
    if piece:
        yield piece


def _separates(line: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a semicolon or comma stands between two addresses: a path may hold both of them."""
    following = mark.end()
    ends_a_word = following == len(line) or line[following].isspace()
    if ends_a_word or BEGINS.match(line, following):
        return True
    scheme = SCHEME.match(line, start)
    has_path = line.find("/", scheme.end() if scheme else start, mark.start()) >= 0
    if not has_path:
        return True
    return mark[0] == ";" and HOST_BEGINS.match(line, following) is not None
