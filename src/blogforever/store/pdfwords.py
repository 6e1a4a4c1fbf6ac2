"""The words of one PDF from standard input to standard output: run as a process, because it may be made to harm."""

from __future__ import annotations

import logging
import resource
import sys
from io import BytesIO

CPU_SECONDS = 25
MEMORY = 1_500_000_000
MOST_PAGES = 5000


def main() -> int:
    """0 where the whole document was read."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    logging.disable(logging.CRITICAL)
    from pypdf import PdfReader  # noqa: PLC0415  only a PDF needs it

    try:
        reader = PdfReader(BytesIO(sys.stdin.buffer.read()))
        pages = reader.pages
        if len(pages) > MOST_PAGES:
            return 1
        said = [str(value) for value in (reader.metadata or {}).values()]
        said += [page.extract_text() for page in pages]
    except Exception:  # a broken or hostile document fails in any way; it counts as one that was not read
        return 1
    sys.stdout.buffer.write("\n".join(said).encode("utf-8", "replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
