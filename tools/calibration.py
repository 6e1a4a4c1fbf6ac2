"""How far the confidence of a field can be believed: fits the weights of its signs, and measures them by blog.

    .venv/bin/python tools/calibration.py          measure: weights fitted on nine tenths of the blogs, tried on a tenth
    .venv/bin/python tools/calibration.py --write  the same; then fit on all, write the weights and the figure

What is read, so that readings that go wrong are among them (with whole feeds hardly one in two hundred does):

- every blog of the corpus, crawled as it is: the records and verdicts of the gate (`make quality` measures this, too);
- every second one crawled with its feeds cut to one entry or none;
- ten posts of each, and the pages of two suites that nobody here wrote, each read alone, without rules.

Needs ../shared. The weights are in src/blogforever/extract/data/confidence.toml.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from benchpages import CORPUS, ROOT, read_warc
from blogforever.extract.confidence import weighed_as
from blogforever.extract.post import extract_post
from blogforever.extract.signs import Signs
from blogforever.model import Page, Post
from blogforever.urls import url_key
from short_feeds import shorten_bundle
from signslog import FOLDER, watch
from sureness import Numbers, Reading, Truths, auc, buckets_of, figure, fit, held_out, largest_gap

SHARED = CORPUS.parent
WEIGHTS = ROOT / "src/blogforever/extract/data/confidence.toml"
FIGURE = ROOT / "docs/confidence.svg"
RIGHT_BODY = 0.9  # F1 of a body that counts as right
ALONE = 10  # posts of a blog that are also read alone
SHORTENED = 2  # one in so many blogs is also read with a shorter feed
LENGTHS = (0, 1)  # entries that feeds are cut to, in turns
LOGGING = f"{sys.executable} {Path(__file__).with_name('signslog.py')}"
"""The command that writes down signs while it crawls."""
GAP, AUC = "confidence gap", "AUC of wrong bodies"
GOALS = {GAP: 0.05, AUC: 0.85}

BODIES = ("html", "html_without_rule")

Json = dict[str, Any]
SignsOfPage = Mapping[str, Signs]


# --- crawls


def logged(folder: Path) -> dict[str, SignsOfPage]:
    """The signs of the pages as they were read last."""
    lines = (line for path in sorted(folder.glob("*.jsonl")) for line in path.open(encoding="utf-8"))
    return {url_key(row["url"]): row["signs"] for row in map(json.loads, lines)}


def crawled(report: Json, signs: Mapping[str, SignsOfPage], way: str) -> Iterator[Reading]:
    """The fields of the posts that a run over the corpus found."""
    for blog, told in report["blogs"].items():
        for row in told["rows"]:
            if row["found"]:
                verdicts = {"html": row["f1"] >= RIGHT_BODY, "title": row["title"]}
                verdicts |= {"authors": row["author"], "published": row["date"]}
                yield from judged(blog, way, signs.get(url_key(row["url"]), {}), verdicts)


def judged(blog: str, way: str, signs: SignsOfPage, verdicts: Mapping[str, bool | None]) -> Iterator[Reading]:
    """The fields of a post on which there is a verdict."""
    for name, found in signs.items():
        verdict = verdicts.get(name)
        if verdict is not None:
            yield Reading(blog, way, weighed_as(name, found), found, bool(verdict))


def crawl(corpus: Path, jobs: int) -> tuple[Json, dict[str, SignsOfPage]]:
    """Crawl all blogs of a corpus: the verdicts on their posts, and the signs."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "report"
        call = [sys.executable, str(SHARED / "eval/run_corpus.py"), "--command", LOGGING, "--corpus", str(corpus)]
        call += ["--extra", "--render never", "--jobs", str(jobs), "--out", str(out)]
        told = {**os.environ, FOLDER: name}
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL, env=told)  # noqa: S603  # our own scorer
        return json.loads(out.read_text(encoding="utf-8")), logged(Path(name))


def with_short_feeds(jobs: int) -> list[Reading]:
    """The readings of some blogs whose feeds show little."""
    with tempfile.TemporaryDirectory() as name:
        for n, bundle in enumerate(bundles()[::SHORTENED]):
            shorten_bundle(bundle, Path(name) / bundle.name, LENGTHS[n % len(LENGTHS)])
        report, signs = crawl(Path(name), jobs)
        return list(crawled(report, signs, "short feed"))


def bundles() -> list[Path]:
    """The folders of the corpus."""
    return sorted(path.parent for path in CORPUS.glob("*/meta.json"))


# --- pages alone


@dataclass(frozen=True)
class Alone:
    """A page that is read without rules, and what is true of it."""

    blog: str
    page: Page
    truth: Json


def of_corpus() -> Iterator[Alone]:
    """Some of the posts of every blog."""
    for bundle in bundles():
        with gzip.open(bundle / "truth.jsonl.gz", "rt", encoding="utf-8") as lines:
            posts = [truth for truth in map(json.loads, lines) if truth.get("post")]
        pages = {url_key(url): page for url, page in read_warc(bundle / "blog.warc.gz")}
        for truth in posts[:: ceil(len(posts) / ALONE)]:
            if page := pages.get(url_key(truth["url"])):
                yield Alone(bundle.name, page, truth)


def of_suites() -> Iterator[Alone]:
    """The pages of the suites of articles and of comments; only on their bodies there is a verdict."""
    articles, comments = eval_module("suite_articles"), eval_module("suite_comments")
    for key, url, raw, truth in articles.defuddle(SHARED / "suites/articles"):
        yield Alone(key, Page(url, raw), {"text": truth["text"]})
    for path in sorted((SHARED / "suites/comments").glob("*.html.gz")):
        gold = path.with_name(path.name.replace(".html.", ".txt."))
        text = comments.MARK.split(comments.decode(gzip.decompress(gold.read_bytes())), maxsplit=1)[0]
        page = Page("http://blog.example/a-post/", gzip.decompress(path.read_bytes()))
        yield Alone(path.name, page, {"text": text})


def read_alone(case: Alone) -> list[Reading]:
    """The fields of one page."""
    noted: list[SignsOfPage] = []
    watch(lambda _post, signs: noted.append(signs))
    post = extract_post(case.page)
    return list(judged(case.blog, "alone", noted[-1], verdicts_on(post, case.truth)))


def verdicts_on(post: Post, truth: Json) -> dict[str, bool | None]:
    """Whether each field is what the truth has; None where the truth has none."""
    score = eval_module("score")
    names, date = [author.name for author in post.authors], post.published.iso if post.published else None
    return {
        "html": score.token_prf(post.text, truth["text"]).f1 >= RIGHT_BODY,
        "title": score.title_match(post.title, truth["title"]) if truth.get("title") else None,
        "authors": score.author_match(names, truth["authors"]) if truth.get("authors") else None,
        "published": score.date_match(date, truth["date"], days=1) if truth.get("date") else None,
    }


def eval_module(name: str) -> Any:
    """One of the corpus's own scorers."""
    if str(SHARED / "eval") not in sys.path:
        sys.path.insert(0, str(SHARED / "eval"))
    return importlib.import_module(name)


def pages_alone(jobs: int) -> list[Reading]:
    """The readings of single pages."""
    with Pool(jobs) as pool:
        found = pool.imap(read_alone, [*of_corpus(), *of_suites()], chunksize=8)
        return [reading for readings in found for reading in readings]


# --- the figures


def by_field(readings: Sequence[Reading]) -> dict[str, list[Reading]]:
    """The readings of each field."""
    found: defaultdict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        found[reading.field].append(reading)
    return dict(sorted(found.items()))


def measure(readings: Sequence[Reading], draw: Path | None = None) -> dict[str, float]:
    """Print how far stated and true are apart on blogs the weights were not fitted on; what of it is held."""
    fields = by_field(readings)
    stated = {name: held_out(chosen) for name, chosen in fields.items()}
    right = {name: np.array([reading.right for reading in chosen]) for name, chosen in fields.items()}
    for name, chosen in fields.items():
        show_row(name, stated[name], right[name])
        if name in BODIES:
            show_ways(chosen, stated[name], right[name])
    buckets = buckets_of(np.concatenate(list(stated.values())), np.concatenate(list(right.values())))
    print(f"{'stated':>10}{'fields':>9}{'mean':>8}{'true':>8}")
    for tenth, bucket in buckets.items():
        print(f"{tenth / 10:>7.1f} - {bucket.fields:>9}{bucket.stated:>8.3f}{bucket.true:>8.3f}")
    if draw:
        draw.write_text(figure(buckets.values(), GOALS[GAP]), encoding="utf-8")
    bodies = [name for name in fields if name in BODIES]
    of_bodies = [np.concatenate([values[name] for name in bodies]) for values in (stated, right)]
    return {GAP: largest_gap(buckets.values()), AUC: auc(*of_bodies)}


def show_ways(readings: Sequence[Reading], stated: Numbers, right: Truths) -> None:
    """Bodies way by way: which of them make the figure what it is."""
    ways = np.array([reading.way for reading in readings])
    for way in dict.fromkeys(ways.tolist()):
        show_row(f"  {way}", stated[ways == way], right[ways == way])


def show_row(name: str, stated: Numbers, right: Truths) -> None:
    """How many were read, how many of them wrong, and how well these are told from the others."""
    print(f"{name:<20}{len(right):>7} read {int((~right).sum()):>5} wrong   AUC {auc(stated, right):.3f}")


def other_readings(jobs: int) -> list[Reading]:
    """What is measured beside the crawls of the corpus as it is."""
    return [*with_short_feeds(jobs), *pages_alone(jobs)]


def write(readings: Sequence[Reading]) -> None:
    """Fit on all blogs, and write the weights."""
    lines = ["# Weights of the signs for a field (extract/signs.py), fitted by tools/calibration.py --write.\n"]
    for name, chosen in by_field(readings).items():
        lines.append(f"\n[{name}]\n")
        lines += [f"{sign} = {weight:.3f}\n" for sign, weight in fit(chosen).items()]
    WEIGHTS.write_text("".join(lines), encoding="utf-8")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="fit on all blogs; write the weights and the figure")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if not CORPUS.is_dir():
        print("There is no ../shared/corpus here, so there is nothing to measure.", file=sys.stderr)
        return 2
    readings = [*crawled(*crawl(CORPUS, args.jobs), "crawl"), *other_readings(args.jobs)]
    figures = measure(readings, FIGURE if args.write else None)
    for name, value in figures.items():
        print(f"{name:<24}{value:.3f}   wanted {GOALS[name]}")
    if args.write:
        write(readings)
    return 0 if figures[GAP] <= GOALS[GAP] and figures[AUC] >= GOALS[AUC] else 1


if __name__ == "__main__":
    sys.exit(main())
