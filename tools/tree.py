"""Prints the tree of the code, each module with what its docstring begins with; --write: docs/reference/code.md."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src/blogforever"
PAGE = ROOT / "docs/reference/code.md"
START, END = "<!-- tree: made by make tree -->", "<!-- /tree -->"
FIRST = ["errors", "model", "config", "protocols", "urls", "dom", "dates", "logs"]
LAST = ["pipeline", "crawl", "update", "archive", "cli", "__main__"]


def tree() -> str:
    """The whole tree: words first, then the stages by their number, then what puts them together."""
    lines = [("src/blogforever/", summary(PACKAGE))]
    lines += [line for path in sorted(members(PACKAGE), key=rank) for line in branch(path)]
    width = max(len(name) for name, _ in lines) + 2
    return "\n".join(f"{name:<{width}}{text}".rstrip() for name, text in lines)


def branch(path: Path, depth: int = 1) -> Iterator[tuple[str, str]]:
    """One module, or a folder and what is in it."""
    indent = "  " * depth
    if path.is_file():
        yield f"{indent}{path.name}", summary(path)
        return
    yield f"{indent}{path.name}/", summary(path)
    for member in sorted(members(path)):
        yield from branch(member, depth + 1)


def members(folder: Path) -> list[Path]:
    """The modules and packages of a package, itself left out."""
    packages = [path.parent for path in folder.glob("*/__init__.py")]
    return packages + [path for path in folder.glob("*.py") if path.name != "__init__.py"]


def summary(path: Path) -> str:
    """First paragraph of the docstring, in one line."""
    source = path / "__init__.py" if path.is_dir() else path
    said = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def rank(path: Path) -> tuple[int, int, str]:
    """Where a top-level module or folder stands in the tree."""
    name = path.stem
    if name in FIRST:
        return 0, FIRST.index(name), name
    if name in LAST:
        return 2, LAST.index(name), name
    number = summary(path).partition(" ")[0]
    return 1, int(number) if number.isdigit() else 99, name


def with_tree(text: str) -> str:
    """A text with the tree between its markers brought up to date."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n```\n{tree()}\n```\n{END}{after}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write it into docs/reference/code.md")
    if parser.parse_args().write:
        PAGE.write_text(with_tree(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(tree())


if __name__ == "__main__":
    main()
