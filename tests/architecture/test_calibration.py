"""Stated confidence is measured on blogs that it was not fitted on."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from blogforever.urls import url_key

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import calibration  # a script beside the package, not part of it
import sureness
from sureness import Bucket, Reading


def readings(blogs: int = 20, pages: int = 20) -> list[Reading]:
    """Blogs whose pages are right where a sign says so, and in half of the cases where it is against."""
    return [
        Reading(f"blog {blog}", "crawl", "html", {"sign": 1.0 if page % 4 else -1.0}, bool(page % 8))
        for blog in range(blogs)
        for page in range(pages)
    ]


def test_what_is_stated_is_what_is_true() -> None:
    stated = sureness.held_out(readings())
    right = np.array([reading.right for reading in readings()])
    assert sureness.largest_gap(sureness.buckets_of(stated, right).values()) < 0.05
    assert sureness.auc(stated, right) > 0.9


def test_a_blog_does_not_judge_itself() -> None:
    """One blog where the sign lies: by weights fitted on it alone it would be found out."""
    lying = [Reading("liar", "crawl", "html", {"sign": 1.0}, False)] * 20
    stated = sureness.held_out([*readings(), *lying])
    assert stated[-1] > 0.9


def test_a_sign_never_speaks_against_itself_and_what_was_never_wrong_is_not_certain() -> None:
    lying = [Reading(f"blog {n}", "crawl", "html", {"sign": -1.0 if n % 2 else 1.0}, bool(n % 2)) for n in range(90)]
    assert sureness.fit(lying)["sign"] >= 0
    always = [Reading(f"blog {n}", "crawl", "html", {"sign": 1.0}, True) for n in range(90)]
    assert sureness.fit(always)["bias"] < 10
    assert max(sureness.held_out(always)) <= sureness.SUREST


def test_a_large_blog_counts_for_no_more_than_a_few_pages() -> None:
    large = [Reading("large", "crawl", "html", {"sign": 0.0}, True)] * 600
    assert sureness.counts_of(large).sum() == pytest.approx(sureness.ONE_BLOG)


def test_only_buckets_with_enough_fields_are_held() -> None:
    assert sureness.largest_gap([Bucket(49, 0.5, 0.9), Bucket(50, 0.8, 0.81)]) == pytest.approx(0.01)


def test_verdicts_and_signs_meet_by_the_address() -> None:
    row = {"url": "http://www.blog.example/a/", "found": True, "f1": 0.95, "title": None, "author": False, "date": True}
    report = {"blogs": {"blog": {"rows": [row, {**row, "url": "http://blog.example/b", "found": False}]}}}
    signs = {"blog.example/a": {"html": {"by_rule": 1.0}, "title": {"trust": 1.0}, "authors": {"trust": 2.0}}}
    keyed = {url_key(f"http://{name}"): one for name, one in signs.items()}
    found = [(one.field, one.right) for one in calibration.crawled(report, keyed, "crawl")]
    assert found == [("html", True), ("authors", False)]


def test_the_figure_shows_every_bucket() -> None:
    drawn = sureness.figure([Bucket(10, 0.5, 0.4), Bucket(900, 0.98, 0.99)], 0.05)
    assert drawn.count("<circle") == 2
    assert drawn.startswith("<svg")
    assert drawn.endswith("</svg>\n")
