"""Builds the docs into site/: plain Markdown to plain HTML, one page each, with a list of all pages beside it."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parents[1]
DOCS, SITE = ROOT / "docs", ROOT / "site"
PICTURES = frozenset({".svg", ".png", ".jpg"})
EXTENSIONS = ["extra", "toc", "sane_lists"]
STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
ORDER = [
    "index.md",
    "explanation",
    "howto",
    "reference",
    "glossary.md",
    "quality.md",
    "bench.md",
    "frontier.md",
    "replay.md",
    "contributing.md",
    "decisions",
]


def pages() -> list[Path]:
    """All pages in reading order; those that nobody put in order come last."""
    return sorted(DOCS.rglob("*.md"), key=lambda path: (_place(path.relative_to(DOCS).parts[0]), path))


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def title_of(path: Path) -> str:
    """The first heading of a page."""
    return path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def build_page(path: Path, listed: list[Path]) -> None:
    """One page, with its links to other pages turned to .html."""
    target = SITE / path.relative_to(DOCS).with_suffix(".html")
    up = "../" * (len(path.relative_to(DOCS).parts) - 1)
    body = markdown.markdown(path.read_text(encoding="utf-8"), extensions=EXTENSIONS)
    body = re.sub(r'href="(?!\w+:)([^"#]+)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    links = "".join(
        f'<li><a href="{up}{page.relative_to(DOCS).with_suffix(".html")}">{html.escape(title_of(page))}</a></li>'
        for page in listed
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title_of(path))} | BlogForever</title><style>{STYLE}</style></head>"
        f"<body><nav><ul>{links}</ul></nav><main>{body}</main></body></html>\n",
        encoding="utf-8",
    )


def main() -> None:
    """Build everything anew."""
    shutil.rmtree(SITE, ignore_errors=True)
    listed = pages()
    for path in listed:
        build_page(path, listed)
    for picture in (path for path in DOCS.rglob("*") if path.suffix in PICTURES):
        shutil.copy(picture, SITE / picture.relative_to(DOCS))
    print(f"site/index.html and {len(listed) - 1} more pages")


if __name__ == "__main__":
    main()
