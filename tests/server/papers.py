"""Small documents that hold a text: PDF, Office, EPUB, a picture with a description."""

from __future__ import annotations

import struct
import zipfile
import zlib
from io import BytesIO


def pdf(text: str, width: int = 60) -> bytes:
    """A PDF of one page, packed as programs pack it, its lines cut in the middle of words."""
    lines = [text[start : start + width] for start in range(0, len(text), width)]
    lines = [f"{line}-" if n + 1 < len(lines) and line[-1].isalpha() else line for n, line in enumerate(lines)]
    shown = "\n".join(f"({line}) Tj 0 -14 Td" for line in lines)
    stream = zlib.compress(f"BT /F1 12 Tf 50 780 Td\n{shown}\nET".encode("latin-1"))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    out.write(b"xref\n0 6\n0000000000 65535 f \n" + rows)
    out.write(b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def packed(files: dict[str, bytes]) -> bytes:
    """A zip of these files."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
        for name, data in files.items():
            box.writestr(name, data)
    return out.getvalue()


def docx(text: str) -> bytes:
    """A text document with mark-up between its words."""
    runs = "".join(f"<w:r><w:t xml:space='preserve'>{word} </w:t></w:r>" for word in text.split())
    document = f"<?xml version='1.0'?><w:document><w:body><w:p>{runs}</w:p></w:body></w:document>"
    return packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": document.encode()})


def epub(text: str) -> bytes:
    """A book of one chapter."""
    chapter = f"<html><body><h1>One</h1><p>{text}</p></body></html>"
    return packed({"mimetype": b"application/epub+zip", "OEBPS/one.xhtml": chapter.encode()})


def png(text: str) -> bytes:
    """A picture that says in a packed note what it shows."""
    note = b"Description\0\0" + zlib.compress(text.encode())
    chunk = struct.pack(">I", len(note)) + b"zTXt" + note + struct.pack(">I", zlib.crc32(b"zTXt" + note))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IEND" + b"\xaeB`\x82"


def jpeg(text: str) -> bytes:
    """The beginning of a photograph with a description."""
    said = f"<x:xmpmeta><rdf:RDF><dc:description>{text}</dc:description></rdf:RDF></x:xmpmeta>".encode()
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(said) + 2) + said + bytes(range(256))
