"""Words are found in documents of all kinds, and a document that cannot be read is never taken for an empty one."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from blogforever.care.blank import Passages
from blogforever.store import documents
from blogforever.store.documents import document_words, is_document
from server import papers

TEXT = (
    "Nine grey herons stood on the weir that morning, and the miller counted them twice before he believed it,"
    " because nobody had seen more than four since the flood took the old bridge away."
)
KINDS: list[tuple[Callable[[str], bytes], str]] = [
    (papers.pdf, "application/pdf"),
    (papers.docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (papers.epub, "application/epub+zip"),
    (papers.png, "image/png"),
    (papers.jpeg, "image/jpeg"),
    (lambda text: gzip.compress(text.encode()), "application/gzip"),
    (lambda text: text.encode(), "application/octet-stream"),
    (lambda text: papers.packed({"inner.docx": papers.docx(text)}), "application/zip"),
    (lambda text: papers.packed({"inner.pdf": papers.pdf(text)}), "application/zip"),
    (papers.pdf, "text/html"),
]


@pytest.mark.parametrize(("make", "mime"), KINDS)
def test_the_words_of_a_document_are_found(make: Callable[[str], bytes], mime: str) -> None:
    sought = Passages([TEXT])
    content = make(TEXT)
    assert is_document(content, mime)
    words = document_words(content, mime)
    assert words is not None
    assert any(sought.blank(text) != text for text in words)
    others = document_words(make(TEXT[::-1]), mime)
    assert others is not None
    assert all(sought.blank(text) == text for text in others)


@pytest.mark.parametrize("content", [b"%PDF-1.7 and nothing more", b"PK\x03\x04 broken", b"\x1f\x8b\x08 broken"])
def test_what_is_broken_is_not_taken_for_empty(content: bytes) -> None:
    assert document_words(content) is None


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LARGEST", 100_000)
    assert document_words(papers.packed({"a.txt": b"a" * 200_000})) is None
    assert document_words(gzip.compress(b"a" * 200_000)) is None
    nested = b"a"
    for _ in range(6):
        nested = papers.packed({"a.zip": nested})
    assert document_words(nested) is None


def test_pages_and_drawings_are_no_documents() -> None:
    assert not is_document(b"<html>", "text/html")
    assert not is_document(b"<svg>", "image/svg+xml")
