"""Writes the list of all classes at the end of the glossary, each with the first sentence of its docstring.

python tools/classes.py            print it
python tools/classes.py --write    put it into docs/glossary.md
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src/blogforever"
GLOSSARY = ROOT / "docs/glossary.md"
HEADING = "## Every class\n"
INTRODUCTION = (
    "By folder and module, as their docstrings say it (`make docs` writes this list). What begins with an underscore\n"
    "concerns its own module only.\n"
)


def classes(path: Path) -> Iterator[tuple[str, str]]:
    """The public classes of a module, each with its first sentence."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            paragraph = (ast.get_docstring(node) or "").partition("\n\n")[0]
            yield node.name, " ".join(paragraph.split()).replace("|", "\\|")


def listed() -> str:
    """The whole section."""
    lines = [HEADING, INTRODUCTION, "| class | module | what it is |", "|---|---|---|"]
    for path in sorted(SOURCE.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        lines += [f"| `{name}` | `{module}` | {said} |" for name, said in classes(path)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Command line."""
    if "--write" not in sys.argv:
        print(listed())
        return
    written_by_hand = GLOSSARY.read_text(encoding="utf-8").partition(HEADING)[0].rstrip("\n")
    GLOSSARY.write_text(f"{written_by_hand}\n\n{listed()}", encoding="utf-8")


if __name__ == "__main__":
    main()
