"""All the ways an archive may be hurt: what disks, editors, other programs and other people leave behind."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

Damage = Callable[[Path], object]
"""Hurts the archive in a folder; beside that folder lie a backup of it and what was exported."""

NOISE = bytes(range(256)) * 3
PAGE = 4096
"""Bytes of one page of SQLite, as it makes them where nothing else is said."""
LONGEST_NAME = 255
"""Bytes of a file's name: no file system of today takes more."""
NESTED = 100_000
# A word that no column expects, with a NUL, half a character and an escape of terminals.
ODD_WORD = b"\xff\xfe odd\x00 \x1b[2J \xc3"


def _path_of(place: str) -> Callable[[Path], Path]:
    """From a name with stars to the first file of that name."""

    def found(archive: Path) -> Path:
        return sorted(archive.parent.glob(place))[0]

    return found


FILES = {
    "database": _path_of("archive/archive.db"),
    "rules": _path_of("archive/rules/*.json"),
    "journal": _path_of("archive/journal/b.example.jsonl"),
    "journal of all": _path_of("archive/journal/_archive.jsonl"),
    "journal of the service": _path_of("archive/journal/service/*.jsonl"),
    "plan": _path_of("archive/journal/unfinished/*.json"),
    "index": _path_of("archive/indexes/*.cdxj"),
    "warc": _path_of("archive/warc/*/*.warc.gz"),
    "manifest": _path_of("archive/warc/*/manifest-sha256.txt"),
    "backup list": _path_of("backup/blogforever-backup.json"),
    "backup warc": _path_of("backup/warc/*/*.warc.gz"),
    "backup rules": _path_of("backup/rules/*.json"),
    "backup journal": _path_of("backup/journal/b.example.jsonl"),
    "backup manifest": _path_of("backup/warc/*/manifest-sha256.txt"),
    "copy marker": _path_of("copy/blogforever-copy.json"),
    "wacz": _path_of("all.wacz"),
}
FOLDERS = {
    "warc": _path_of("archive/warc"),
    "warc of a blog": _path_of("archive/warc/b.example"),
    "journal": _path_of("archive/journal"),
    "service": _path_of("archive/journal/service"),
    "unfinished": _path_of("archive/journal/unfinished"),
    "indexes": _path_of("archive/indexes"),
    "rules": _path_of("archive/rules"),
    "locks": _path_of("archive/.locks"),
    "backup warc": _path_of("backup/warc"),
    "backup journal": _path_of("backup/journal"),
    "backup rules": _path_of("backup/rules"),
    "archive": _path_of("archive"),
}


def _become_folder(path: Path) -> None:
    _remove(path)
    (path / "inside").mkdir(parents=True)


def _become_file(path: Path) -> None:
    _remove(path)
    path.write_bytes(b"no folder\n")


def _become_link(path: Path) -> None:
    _remove(path)
    path.symlink_to("to-nowhere")


def _become_loop(path: Path) -> None:
    _remove(path)
    path.symlink_to(path.name)


def _become_pipe(path: Path) -> None:
    _remove(path)
    os.mkfifo(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _in_the_middle(path: Path, what: bytes) -> None:
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(content[:middle] + what + content[middle + len(what) :])


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])


def _odd_names(folder: Path) -> None:
    """Names that a file system takes, and programs stumble over."""
    at = os.fsencode(folder)
    for name in (
        b"\xff\xfe.json",
        b"a\nb.jsonl",
        b"-rf",
        b"x" * (LONGEST_NAME - 8) + b".warc.gz",
        b"\xe2\x80\xae.cdxj",
    ):
        Path(os.fsdecode(at + b"/" + name)).write_bytes(b"{}")


FILE_DAMAGES: dict[str, Callable[[Path], object]] = {
    "is gone": _remove,
    "is empty": lambda path: path.write_bytes(b""),
    "is noise": lambda path: path.write_bytes(NOISE),
    "has noise inside": lambda path: _in_the_middle(path, NOISE),
    "has a NUL inside": lambda path: _in_the_middle(path, b"\0"),
    "is cut off": _cut,
    "goes on after its end": lambda path: path.write_bytes(path.read_bytes() + NOISE),
    "is Latin-1": lambda path: path.write_bytes("für später\n".encode("latin-1")),
    "is a folder": _become_folder,
    "leads nowhere": _become_link,
    "leads to itself": _become_loop,
    "is a pipe": _become_pipe,
    "may not be read": lambda path: path.chmod(0),
}
FOLDER_DAMAGES: dict[str, Callable[[Path], object]] = {
    "is gone": _remove,
    "is a file": _become_file,
    "leads nowhere": _become_link,
    "leads to itself": _become_loop,
    "may not be read": lambda path: path.chmod(0),
    "may not be written": lambda path: path.chmod(0o555),
    "has odd names": _odd_names,
}
JSON_FILES = [name for name in FILES if name not in ("database", "warc", "backup warc", "wacz", "manifest")]
JSON_FILES.remove("backup manifest")
JSON_DAMAGES: dict[str, str] = {
    "is no object": "[]\n",
    "is null": "null\n",
    "is a number": "7\n",
    "is a text": '"text"\n',
    "is half an object": '{"blog": \n',
    "is nested": "[" * NESTED + "\n",
    "says a huge number": '{"at": 1e999, "version": 1' + "0" * 5000 + "}\n",
    "has half a character": '{"blog": "\\ud800", "at": "\\ud800"}\n',
}


def _say(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _each_value(path: Path, value: object) -> None:
    """Every value of an object, or of the objects of each line, becomes this one."""

    def changed(found: object) -> object:
        return dict.fromkeys(found, value) if isinstance(found, dict) else [value]

    text = path.read_text(encoding="utf-8")
    lines = [text] if path.suffix == ".json" else text.splitlines()
    path.write_text("".join(json.dumps(changed(_read(line))) + "\n" for line in lines), encoding="utf-8")


def _read(line: str) -> object:
    """What a line of JSON says; in an index it stands behind two other words."""
    return json.loads(line[line.find("{") :])


VALUES: dict[str, object] = {"null": None, "a number": -1, "a list": [[]], "an object": {"a": {}}, "odd": "../../x\0"}


def _tables(archive: Path) -> list[str]:
    with closing(sqlite3.connect(archive / "archive.db")) as database:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return sorted(name for (name,) in rows)


def in_database(*statements: str, parameters: tuple[object, ...] = ()) -> Damage:
    """Statements that nobody who knows the tables would run."""

    def hurt(archive: Path) -> None:
        with closing(sqlite3.connect(archive / "archive.db")) as database:
            database.execute("PRAGMA foreign_keys = OFF")
            database.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                database.execute(statement, parameters)
            database.commit()

    return hurt


def _odd_values(table: str, value: object) -> Damage:
    """Every column of a table that takes this value has it."""

    def hurt(archive: Path) -> None:
        with closing(sqlite3.connect(archive / "archive.db")) as database:
            database.execute("PRAGMA foreign_keys = OFF")
            for column in [row[1] for row in database.execute(f"PRAGMA table_info({table})")]:
                try:
                    database.execute(f"UPDATE {table} SET {column} = CAST(? AS TEXT)", (value,))
                except sqlite3.DatabaseError:  # a column that takes no such value, or no value twice
                    continue
            database.commit()

    return hurt


def _page(number: int, what: bytes) -> Damage:
    def hurt(archive: Path) -> None:
        with (archive / "archive.db").open("r+b") as file:
            file.seek(number * PAGE)
            file.write((what * PAGE)[:PAGE])

    return hurt


def damages(archive: Path) -> dict[str, Damage]:
    """Every damage of an archive like this one, by its name."""
    return dict(
        (
            *_of_files(),
            *_of_values(),
            *_of_pages(archive),
            *_of_tables(archive),
            *_of_records(),
        )
    )


def _of_files() -> Iterator[tuple[str, Damage]]:
    for kinds, ways in ((FILES, FILE_DAMAGES), (FOLDERS, FOLDER_DAMAGES)):
        for kind, find in kinds.items():
            for way, hurt in ways.items():
                yield f"{'file' if kinds is FILES else 'folder'} {kind} {way}", _hurting(hurt, find)


def _hurting(hurt: Callable[[Path], object], find: Callable[[Path], Path]) -> Damage:
    return lambda archive: hurt(find(archive))


def _of_values() -> Iterator[tuple[str, Damage]]:
    for kind in JSON_FILES:
        find = FILES[kind]
        for way, text in JSON_DAMAGES.items():
            yield f"file {kind} {way}", _hurting(partial(_say, text=text), find)
        for word, value in VALUES.items():
            yield f"file {kind} says only {word}", _hurting(partial(_each_value, value=value), find)


def _of_pages(archive: Path) -> Iterator[tuple[str, Damage]]:
    pages = (archive / "archive.db").stat().st_size // PAGE
    for number in range(0, pages, 3):
        yield f"page {number} is noise", _page(number, NOISE)
        yield f"page {number + 1} is empty", _page(number + 1, b"\0")


def _of_tables(archive: Path) -> Iterator[tuple[str, Damage]]:
    for table in _tables(archive):
        yield f"table {table} is gone", in_database(f"DROP TABLE {table}")
        yield f"table {table} has odd words", _odd_values(table, ODD_WORD)
        yield f"table {table} has huge words", _odd_values(table, "9" * 5000)
    yield "schema of a later version", in_database("UPDATE alembic_version SET version_num = '9999'")
    yield "schema of no version", in_database("DELETE FROM alembic_version")


def _of_records() -> Iterator[tuple[str, Damage]]:
    for table in ("posts", "blogs"):
        for way, text in JSON_DAMAGES.items():
            yield f"records of {table}: {way}", in_database(f"UPDATE {table} SET record = ?", parameters=(text,))
        for word, value in VALUES.items():
            set_all = f"UPDATE {table} SET record = (SELECT json_group_object(key, json(?)) FROM json_each(record))"
            yield f"records of {table} say only {word}", in_database(set_all, parameters=(json.dumps(value),))
