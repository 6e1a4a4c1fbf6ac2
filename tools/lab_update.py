"""Drive blog programs on loopback through a blog's life; after each event update the archive and check what it says.

    python tools/lab_update.py [wordpress ghost mezzanine hexo hugo ...] [--data DIR] [--port PORT]

Prints a line for each event with what the update found, and exits with 1 where anything differs from the truth.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from labblog import free_ports
from lives import hexo, hugo
from lives.editing import Desk, Editing
from lives.ghost import Ghost
from lives.mezzanine import Mezzanine
from lives.platform import Platform
from lives.story import Story
from lives.wordpress import WordPress

PLATFORMS: Mapping[str, Callable[[Path, int], Platform]] = {
    "wordpress": WordPress,
    "ghost": Ghost,
    "mezzanine": Mezzanine,
    **{name: partial(hexo.Hexo, kind=kind) for name, kind in hexo.KINDS.items()},
    **{name: partial(hugo.Hugo, kind=kind) for name, kind in hugo.KINDS.items()},
}
"""Every program that can be driven, made from its data folder and its first port; it may use the two after it, too."""
USUAL = "wordpress"
PORTS = 3


def live(name: str, data: Path, port: int) -> list[str]:
    """Run the life of a blog on one platform; what was wrong."""
    print(f"--- {name}")
    data = data.resolve()  # programs that run in folders of their own must find it
    platform = PLATFORMS[name](data / name, port)
    story = Story(platform, data / f"{name}-archive")
    shutil.rmtree(story.archive, ignore_errors=True)
    try:
        story.tell()
        if isinstance(platform, Desk):
            Editing(story, platform).tell()
        story.crowds()
    finally:
        platform.stop()
    return [f"{name}: {failure}" for failure in story.failures]


def main() -> int:
    """Run the life of a blog on each platform that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platforms", nargs="*", choices=[*PLATFORMS, []], help=f"{USUAL} where none is named")
    parser.add_argument("--data", type=Path, default=Path("out/lab-update"), help="where blogs and archives are kept")
    parser.add_argument("--port", type=int, help="the first of three ports to use; otherwise free ones")
    given = parser.parse_args()
    failures = [
        failure
        for name in given.platforms or [USUAL]
        for failure in live(name, given.data, given.port or free_ports(PORTS))
    ]
    for failure in failures:
        print(f"WRONG  {failure}")
    print("All as it should be." if not failures else f"{len(failures)} things are wrong.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
