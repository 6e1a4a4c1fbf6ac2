"""The stages of a page's way as configured: our own, switched off, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from blogforever.config import Config
from blogforever.errors import ArchiveError, UsageError
from blogforever.extract.post import extract_post
from blogforever.media.requisites import page_files
from blogforever.model import Rules
from blogforever.pipeline.gathering import gathered
from blogforever.pipeline.guard import StageGuard
from blogforever.pipeline.reading import Comments, Extract, Reading
from blogforever.pipeline.requisites import FindFiles
from blogforever.protocols import BackEnd, Record, Renderer

from .knowing import learn_knowledge


@dataclass(frozen=True, slots=True)
class Loaded:
    """What runs in each stage. No comments: they are off; no renderer or back end: there is none
    but our own.
    """

    render: Callable[[], Renderer] | None
    extract: Extract
    comments: Comments | None
    media: FindFiles
    back_end: Callable[[], BackEnd] | None


def load_stages(config: Config | None = None) -> Loaded:
    """The stages of a crawl; what cannot be loaded is a UsageError, before anything is fetched."""
    if config is not None:
        learn_knowledge(config.knowledge)
    stages = (config or Config()).stages
    return Loaded(
        render=_own("render", stages.render),
        extract=_own("extract", stages.extract) or extract_post,
        comments=None if stages.comments == "off" else _own("comments", stages.comments) or gathered,
        media=_own("media", stages.media) or page_files,
        back_end=_own("back_end", stages.back_end),
    )


def reading_by(rules: Rules | None, stages: Loaded, guard: StageGuard) -> Reading:
    """How kept pages are read again: as the configured stages read them while they are fetched."""
    return Reading(rules, guard.extract(stages.extract), guard.comments(stages.comments))


def switched(config: Config) -> Config:
    """The options of a crawl whose stages are partly off."""
    if config.stages.render == "off":
        config = replace(config, render="never", screenshots=False)
    if config.stages.media == "off":
        config = replace(config, requisites="none", media=False)
    return config


def _own(stage: str, value: str) -> Any:
    """What `package.module:name` names; None where the stage is on or off."""
    if value in ("on", "off"):
        return None
    module, _, name = value.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # somebody else's module may fail in any way while it is loaded
        raise UsageError(f"The stage {stage} = {value!r} cannot be loaded: {error}.") from error
    if not callable(found):
        raise UsageError(f"The stage {stage} = {value!r} is nothing that can be called.")
    return found


def hand_over(make: Callable[[], BackEnd] | None, records: Iterable[Record]) -> None:
    """Give every record to the back end; the archive has them all, whatever happens here."""
    if make is None:
        return
    try:
        back_end = make()
        for record in records:
            back_end.record(record)
        back_end.close()
    except Exception as error:  # somebody else's code
        raise ArchiveError(
            f"The back end failed ({type(error).__name__}: {error}); the archive has every record."
        ) from error
