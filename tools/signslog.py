"""The command line, writing down on the way by which signs it judges each post that it reads (see calibration.py).

SIGNS=FOLDER .venv/bin/python tools/signslog.py crawl URL ...      as `blogforever crawl URL ...`
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from blogforever.cli import main
from blogforever.extract import post as reading
from blogforever.extract.confidence import rated
from blogforever.extract.signs import Signs, Surroundings, signs_of
from blogforever.model import Post

FOLDER = "SIGNS"
"""The variable that names the folder to write to; each process writes a file of its own."""

Note = Callable[[Post, Mapping[str, Signs]], None]


def watch(note: Note) -> None:
    """From now on, note every post that is read, with its signs."""

    def watched(post: Post, around: Surroundings) -> Post:
        note(post, signs_of(post, around))
        return rated(post, around)

    vars(reading).update(rated=watched)


def into(path: Path) -> Note:
    """Write a line for each post."""

    def note(post: Post, signs: Mapping[str, Signs]) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"url": post.url, "signs": signs}) + "\n")

    return note


if __name__ == "__main__":
    watch(into(Path(os.environ[FOLDER]) / f"{os.getpid()}.jsonl"))
    main()
