"""Knowledge that others add, from folders that are named and from installed packages, put into force and checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from blogforever.comments.systems import load_systems
from blogforever.discover.platform import load_platforms
from blogforever.errors import UsageError
from blogforever.knowledge import own_folders, use_knowledge
from blogforever.render.hosted import load_hosted

from .vocabularies import learn_words

GROUP = "blogforever.knowledge"
"""The entry points of packages whose folder has such data: `some-name = "their_package"`."""
# How the folders end in which installers write what a package has: `.dist-info`, and of old
# `.egg-info`, `EGG-INFO`.
ABOUT = "-info"


def learn_knowledge(named: Iterable[str]) -> None:
    """Let what installed packages and then these folders have count, in this process; UsageError
    where something in them is wrong, before anything is fetched. Our own data is read when it is
    needed.
    """
    installed = _installed(tuple(sys.path))
    use_knowledge([*installed, *(Path(name).expanduser().absolute() for name in named)])
    if own_folders():
        load_platforms()
        load_systems()
        load_hosted()
    learn_words()


@cache
def _installed(path: tuple[str, ...]) -> list[Path]:
    """The folders of installed packages: all of them are gone through for that, so it is done once
    where it can find nothing else.
    """
    if not _is_named(path):
        return []
    return [_folder_of(point) for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)]


def _is_named(path: Iterable[str]) -> bool:
    """Whether any package may have such data: nearly always none has, and to read what all of them
    have to say takes five times as long as to see that they do not name us.
    """
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    # Who finds packages in other ways, or keeps them in one file, is asked.
    return finders != [PathFinder] or any(map(_names_us, path))


def _names_us(place: str) -> bool:
    try:
        names = os.listdir(place or ".")  # noqa: PTH208  hundreds of names, and nothing else of them
    except NotADirectoryError:
        return True
    except OSError:
        return False
    return any(GROUP.encode() in _points(place, name) for name in names if name.lower().endswith(ABOUT))


def _points(place: str, name: str) -> bytes:
    """The entry points that a package has, as they are written."""
    try:
        handle = os.open(f"{place or '.'}/{name}/entry_points.txt", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(handle, os.fstat(handle).st_size)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _folder_of(point: EntryPoint) -> Path:
    """The folder of the package that an entry point names; nothing of it is run."""
    try:
        spec = find_spec(point.module)
    except (ImportError, ValueError) as error:
        raise UsageError(f"The entry point {point.name} of {GROUP} cannot be used: {error}.") from error
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(f"The entry point {point.name} of {GROUP} names {point.module}, which is no package.")
    return Path(next(iter(spec.submodule_search_locations)))
