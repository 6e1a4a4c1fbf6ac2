"""How well stated confidence and truth agree: weights of signs fitted by blog, buckets, AUC, and the figure of them."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

Numbers = NDArray[np.float64]
Truths = NDArray[np.bool_]

FOLDS = 10
ONE_BLOG = 30
"""A blog read in one way counts for so many readings at most: its pages are right or wrong together."""
EXPECTED = 0.5
"""What a sign weighs until readings say how much: each speaks a little."""
RIDGE = 5.0
"""How many readings it takes to say so: from 5 to 12 the largest gap stays below .035; with 3 or fewer it hangs on
single pages of single blogs."""
MOST_WEIGHT = 3.0
"""No sign decides alone: at most it makes a value twenty times less likely."""
SUREST = 0.995  # as in extract/confidence.py: nothing is certain
BUCKETS = 10
TELLING = 50  # fields of a bucket from which on its gap is held


@dataclass(frozen=True)
class Reading:
    """One field of one page as it was read: its signs, and whether it is right."""

    blog: str
    way: str
    field: str
    signs: Mapping[str, float]
    right: bool


@dataclass(frozen=True)
class Bucket:
    """The fields that are said to be about equally sure."""

    fields: int
    stated: float
    true: float

    @property
    def gap(self) -> float:
        """How far what is said is from the truth."""
        return abs(self.stated - self.true)


# --- fitting


def names_of(readings: Sequence[Reading]) -> list[str]:
    """The signs of a field, in a fixed order; before them stands the bias."""
    return ["bias", *dict.fromkeys(name for reading in readings for name in reading.signs)]


def table_of(readings: Sequence[Reading]) -> Numbers:
    """A row of signs for each reading."""
    names = names_of(readings)[1:]
    return np.array([[1.0, *(reading.signs[name] for name in names)] for reading in readings])


def with_unknown(table: Numbers, right: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The readings and two more of which no sign speaks, one right, one wrong: what was never wrong is not certain."""
    unknown = np.zeros((2, table.shape[1]))
    unknown[:, 0] = 1.0
    return np.vstack([table, unknown]), np.append(right, [1.0, 0.0]), np.append(counts, [1.0, 1.0])


def counts_of(readings: Sequence[Reading]) -> Numbers:
    """For how much each reading counts."""
    of_blog = Counter((reading.blog, reading.way) for reading in readings)
    return np.array([min(1.0, ONE_BLOG / of_blog[reading.blog, reading.way]) for reading in readings])


def fitted(table: Numbers, right: Numbers, counts: Numbers) -> Numbers:
    """The weights under which what is right is likeliest; none lets a sign speak against itself."""
    table, right, counts = with_unknown(table, right, counts)
    expected = np.concatenate([[0.0], np.full(table.shape[1] - 1, EXPECTED)])
    held = np.concatenate([[0.0], np.full(table.shape[1] - 1, RIDGE)])

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        odds, off = table @ weights, weights - expected
        slope = table.T @ (counts * (sure(odds) - right)) + held * off
        return float(counts @ (np.logaddexp(0, odds) - right * odds) + held @ off**2 / 2), slope

    bounds = [(None, None), *[(0.0, MOST_WEIGHT)] * (table.shape[1] - 1)]
    weights: Numbers = minimize(loss, expected, jac=True, method="L-BFGS-B", bounds=bounds).x
    return weights


def sure(odds: Numbers) -> Numbers:
    """Logarithms of odds as probabilities."""
    return 1 / (1 + np.exp(-odds))


def fit(readings: Sequence[Reading]) -> dict[str, float]:
    """The weights of one field's signs, fitted on all readings."""
    right = np.array([float(reading.right) for reading in readings])
    weights = fitted(table_of(readings), right, counts_of(readings))
    return dict(zip(names_of(readings), map(float, weights), strict=True))


def held_out(readings: Sequence[Reading]) -> Numbers:
    """How sure each reading of one field is by weights that were fitted on other blogs."""
    fold = np.array([zlib.crc32(reading.blog.encode()) % FOLDS for reading in readings])
    table, counts = table_of(readings), counts_of(readings)
    right = np.array([float(reading.right) for reading in readings])
    stated = np.zeros(len(readings))
    for one in set(fold.tolist()):
        own = fold == one
        stated[own] = sure(table[own] @ fitted(table[~own], right[~own], counts[~own]))
    return SUREST * stated


# --- measuring


def auc(stated: Numbers, right: Truths) -> float:
    """How often a right value is said to be surer than a wrong one."""
    good, bad = int(right.sum()), int((~right).sum())
    if not good or not bad:
        return 1.0
    return float((rankdata(stated)[right].sum() - good * (good + 1) / 2) / (good * bad))


def buckets_of(stated: Numbers, right: Truths) -> dict[int, Bucket]:
    """The fields by tenths of what is said of them."""
    tenth = np.minimum((stated * BUCKETS).astype(int), BUCKETS - 1)
    chosen = {one: tenth == one for one in range(BUCKETS)}
    return {
        one: Bucket(int(own.sum()), float(stated[own].mean()), float(right[own].mean()))
        for one, own in chosen.items()
        if own.any()
    }


def largest_gap(buckets: Iterable[Bucket]) -> float:
    """The largest gap of those with enough fields to tell."""
    return max((bucket.gap for bucket in buckets if bucket.fields >= TELLING), default=0.0)


# --- the figure

_SIZE, _EDGE = 360, 50


def figure(buckets: Iterable[Bucket], wanted: float) -> str:
    """Stated beside true, as SVG: a dot for each bucket, the larger the more fields, and the band they should be in."""
    inner = _SIZE - 2 * _EDGE
    low, high = wanted * inner, (1 - wanted) * inner
    band = f"0,{inner} 0,{inner - low} {high},0 {inner},0 {inner},{low} {low},{inner}"
    ticks = [n / 5 for n in range(6)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" font-family="sans-serif">',
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="#fff"/>',
        f'<g transform="translate({_EDGE} {_EDGE / 2})" font-size="12">',
        f'<polygon points="{band}" fill="#e3eef7"/>',
        f'<path d="M0 0V{inner}H{inner}M0 {inner}L{inner} 0" fill="none" stroke="#888"/>',
        *(f'<text x="{inner * n:.0f}" y="{inner + 16}" text-anchor="middle">{n:.1f}</text>' for n in ticks),
        *(f'<text x="-6" y="{inner * (1 - n) + 4:.0f}" text-anchor="end">{n:.1f}</text>' for n in ticks),
        *(_dot(bucket, inner) for bucket in buckets),
        f'<text x="{inner / 2}" y="{inner + 36}" text-anchor="middle">stated confidence</text>',
        f'<text transform="translate(-34 {inner / 2}) rotate(-90)" text-anchor="middle">share that is right</text>',
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _dot(bucket: Bucket, inner: int) -> str:
    """A bucket: hollow where it has too few fields to tell; how many stands beside it."""
    x, y = bucket.stated * inner, (1 - bucket.true) * inner
    fill = "#2e6da4" if bucket.fields >= TELLING else "#fff"
    radius = 2 + float(np.log10(bucket.fields))
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="#2e6da4"/>'
        f'<text x="{x - radius - 4:.1f}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{bucket.fields}</text>'
    )
