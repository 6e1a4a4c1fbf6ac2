"""The pages of a Django site written to files, as far as its own links lead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

MOST = 60


def write_pages(client: Any, folder: Path, home: str) -> None:
    """Follow links from the front page and write what answers; addresses of a query stay out."""
    waiting: list[str] = ["/"]
    done: set[str] = set()
    while waiting and len(done) < MOST:
        path = waiting.pop(0)
        if path in done:
            continue
        done.add(path)
        answer = client.get(path, follow=True)
        if answer.status_code != 200 or "html" not in answer.get("Content-Type", ""):
            continue
        text = answer.content.decode()
        file = folder / path.lstrip("/") / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        links = re.findall(r'href="(/[^"?#]*/)"', text)
        waiting += [link for link in dict.fromkeys(links) if link not in done]
