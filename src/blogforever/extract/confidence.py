"""How sure a reading is of each field: what its way is worth, and what this page says for and
against it.

Each sign (`signs.py`) has a weight. The weights were fitted over many blogs, so that of the fields
that are said to be 90 % sure nine in ten are right; `tools/calibration.py` fits them, and `make
quality` measures them on blogs that they were not fitted on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import exp

from blogforever.extract.bodies import DOUBTFUL
from blogforever.extract.signs import Signs, Surroundings, signs_of
from blogforever.model import Post, Provenance
from blogforever.wordlists import data_of

# Nothing is certain; but what is nearly so is still told apart, by so many digits.
_SUREST = 0.995
_DIGITS = 4


def rated(post: Post, around: Surroundings) -> Post:
    """The post, with how sure each field is on this page
    in the place of what its way is worth on any page.
    """
    signs = signs_of(post, around)
    ways = {name: _rated_way(way, name, signs.get(name)) for name, way in post.provenance.items()}
    return replace(post, provenance=ways)


def weighed_as(field: str, signs: Signs) -> str:
    """The name of a field's weights: what speaks for a
    body is of another weight where no rule chose it.
    """
    is_guess = field == "html" and not signs["by_rule"]
    return "html_without_rule" if is_guess else field


def stated(signs: Signs, weights: Signs) -> float:
    """How sure a value with these signs is."""
    total = weights["bias"] + sum(weights[name] * value for name, value in signs.items())
    return _SUREST / (1 + exp(-total))


def _rated_way(way: Provenance, name: str, signs: Signs | None) -> Provenance:
    if signs is None:
        return way
    sureness = stated(signs, _weights()[weighed_as(name, signs)])
    # What its reader would not believe stays so, and nothing else is called that: others take it
    # for no reading.
    is_doubted = way.confidence < DOUBTFUL
    sureness = min(sureness, way.confidence) if is_doubted else max(sureness, DOUBTFUL)
    return Provenance(way.by, way.rule, round(sureness, _DIGITS))


@cache
def _weights() -> Mapping[str, Signs]:
    text = (data_of("blogforever.extract") / "confidence.toml").read_text("utf-8")
    return tomllib.loads(text)
