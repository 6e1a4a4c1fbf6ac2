"""Signed files between installations: what is not exactly what a key signed is refused in one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from blogforever.errors import BadInput
from blogforever.source import exchangefile
from blogforever.source.exchangefile import (
    ExchangeFile,
    HandedMetadata,
    HandedPlace,
    HandedSource,
    canonical,
    key_text,
    public_key,
    read_exchange,
    signed,
)

SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = key_text(SECRET.public_key())
FILE = ExchangeFile(
    made="2026-01-01T00:00:00+00:00",
    name="Bibliothèque",
    key=KEY,
    sources=(HandedSource("https://some.blog/", "Some “blog”", metadata=HandedMetadata(language="fr")),),
    blocked=(HandedPlace("host", "spam.example", "pills"),),
)


def resigned(plain: dict[str, Any]) -> bytes:
    """A file that is signed rightly, whatever it says."""
    signature = exchangefile._text(SECRET.sign(canonical(plain)))
    return json.dumps({**plain, "signature": signature}).encode()


def plain_file() -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(signed(FILE, SECRET))
    plain.pop("signature")
    return plain


def test_what_was_signed_is_read_again_however_its_json_is_written() -> None:
    assert read_exchange(signed(FILE, SECRET)) == FILE
    assert read_exchange(resigned(dict(reversed(plain_file().items())))) == FILE


def test_the_signature_is_that_of_the_canonical_json_which_anybody_can_write() -> None:
    plain = {"b": ["é", 1], "a": {"d": "", "c": None}}
    assert canonical(plain) == '{"a":{"c":null,"d":""},"b":["é",1]}'.encode()


@given(st.data())
def test_a_file_with_any_byte_changed_is_refused_or_says_the_same(data: st.DataObject) -> None:
    good = signed(FILE, SECRET)
    place = data.draw(st.integers(0, len(good) - 1))
    changed = good[:place] + bytes([data.draw(st.integers(0, 255))]) + good[place + 1 :]
    try:
        read = read_exchange(changed)
    except BadInput:
        return
    assert read == FILE


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(BadInput):
        read_exchange(data)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "understands"),
        ({"more": 1}, "understands"),
        ({"sources": [{"url": "x" * 3000}]}, "understands"),
        ({"sources": [{"url": ""}]}, "understands"),
        ({"blocked": [{"kind": "all", "what": "x"}]}, "understands"),
        ({"rules": [{"url": "https://a.blog/", "rules": "x" * 300_000}]}, "understands"),
        ({"lists": [{"name": "l"}] * 2000}, "understands"),
        ({"key": "ed25519:AAAA"}, "no key"),
        ({"key": None}, "no key"),
        ({"name": "\ud800"}, "understands"),
    ],
)
def test_what_is_signed_but_none_of_ours_is_refused(change: dict[str, Any], said: str) -> None:
    plain = plain_file() | change
    try:
        data = resigned(plain)
    except UnicodeEncodeError:  # what cannot be signed at all
        data = json.dumps({**plain, "signature": "AA"}).encode()
    with pytest.raises(BadInput, match=said):
        read_exchange(data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"blogforever": "exchange", "blogforever": "exchange"}',
        b'{"blogforever": "exchange", "version": 1.5}',
        b'{"blogforever": "exchange", "version": NaN}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"blogforever": "exchange", "version": ' + b"9" * 5000 + b"}",
        b"\xff\xfe\x00",
        b"",
    ],
)
def test_json_that_two_programs_could_read_differently_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="no JSON of an exchange"):
        read_exchange(data)


def test_a_file_of_somebody_elses_key_is_refused() -> None:
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    with pytest.raises(BadInput, match="not what its key has signed"):
        read_exchange(signed(FILE, other))


def test_a_large_file_is_not_even_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchangefile, "LARGEST_FILE", 2**20)
    with pytest.raises(BadInput, match="larger than 1 MB"):
        read_exchange(b" " * (2**20 + 1))


def test_a_key_is_written_in_one_way() -> None:
    assert key_text(public_key(KEY)) == KEY
    for wrong in (f"{KEY}=", f" {KEY}", KEY.replace("ed25519", "rsa"), KEY[:-4], ""):
        with pytest.raises(BadInput):
            public_key(wrong)
