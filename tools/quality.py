"""The quality gate: scores the corpus through the command line and holds every figure to its pinned floor.

    make quality                      measure, fail below a floor, raise floors that results have left behind
    make quality ARGS=--check         the same, but never write the floors file (CI)
    make quality ARGS="--lower NAME"  let one floor sink to what is measured; say why in the commit

The floors and the digest of the corpus they were measured on are in tools/quality_floors.json, beside the goals: a
figure that has not reached its goal is named in every run, with its floor at what was reached. A figure without a
floor gets one from the run that first measures it; another corpus needs its floors pinned anew (`corpus` and `floors`
emptied by hand), with the reason in the commit.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

import calibration
import score_analyser
from signslog import FOLDER

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
FLOORS = Path(__file__).with_name("quality_floors.json")
REPORT = ROOT / "out/quality.json"
COMMAND = str(Path(sys.executable).with_name("blogforever"))
MARGIN = 0.003  # a raised floor stays this far below what was measured
CEILINGS = {"invented", "false comments", calibration.GAP}
HELD = calibration.GOALS
"""Figures that are held at their goals: how near their weights, fitted anew, come is no merit of the code."""
COLUMNS = {
    "body F1": "body_f1_of_found",
    "body F1 >= 0.9": "body_ok_of_found",
    "word order": "body_order_of_found",
    "title": "title_of_found",
    "date": "date_of_found",
    "author": "author_of_found",
    "post recall": "post_recall",
    "post precision": "post_precision",
    "invented": "invented",
    "comments": "comments",
    "comment author": "comment_author",
    "comment date": "comment_date",
    "comment parent": "comment_parent",
    "false comments": "false_comments",
}
WORST = {
    "worst tenth: body F1": "body_f1_of_found",
    "worst tenth: post recall": "post_recall",
    "worst tenth: post precision": "post_precision",
}
SPECIAL = "comments of special cases"
ANALYSER = "kinds of addresses"
FRONT = ("front posts", "front titles", "front dates")

Figures = dict[str, float]


def measure(jobs: int) -> Figures:
    """All figures of one run over the corpus, means over the blogs."""
    REPORT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.environ[FOLDER] = name
        arguments = ["--extra", "--render never", "--jobs", str(jobs), "--out", str(REPORT)]
        run_script("run_corpus.py", *arguments, command=calibration.LOGGING)
        signs = calibration.logged(Path(name))
    report = json.loads(REPORT.read_text(encoding="utf-8"))
    figures = {name: float(report["mean"][column] or 0.0) for name, column in COLUMNS.items()}
    figures |= {name: worst_tenth(report["blogs"], column) for name, column in WORST.items()}
    figures[SPECIAL] = special_comments()
    figures |= dict(zip(FRONT, front_figures(), strict=True))
    figures[ANALYSER] = score_analyser.share_right()
    readings = [*calibration.crawled(report, signs, "crawl"), *calibration.other_readings(jobs)]
    return figures | calibration.measure(readings)


def run_script(name: str, *arguments: str, command: str = COMMAND) -> str:
    """Run one of the scorers on the installed command, letting it talk."""
    call = [sys.executable, str(SHARED / "eval" / name), "--command", command, *arguments]
    print("$", name, *arguments, flush=True)
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603  # our own scorer
    print(done.stdout[-1200:], flush=True)
    return done.stdout


def special_comments() -> float:
    """Share of the comments found on the single pages kept apart, each with its comment feed where it has one."""
    sys.path.insert(0, str(SHARED / "eval"))
    score = importlib.import_module("score")  # the corpus's own scorer
    found = expected = 0
    for bundle in sorted((SHARED / "corpus/special").iterdir()):
        kept = responses(bundle / "blog.warc.gz")
        with gzip.open(bundle / "truth.jsonl.gz", "rt", encoding="utf-8") as lines:
            truths = [truth for truth in map(json.loads, lines) if truth.get("comments")]
        for truth in truths:
            told = next((body for url, body in kept.items() if "/feeds/" in url), None)
            comments = extracted(kept[truth["url"]], truth["url"], told)
            plain = [{"text": c["text"], "author": c["author"]["name"], "date": c["published"]} for c in comments]
            found += score.match_comments(plain, truth["comments"]).matched
            expected += len(truth["comments"])
    return found / expected if expected else 0.0


def responses(path: Path) -> dict[str, bytes]:
    """The bodies of a WARC file that have one, by address."""
    with path.open("rb") as stream:
        records = ((r.rec_headers.get_header("WARC-Target-URI"), r) for r in ArchiveIterator(stream))
        bodies = ((url, r.content_stream().read()) for url, r in records if r.rec_type == "response")
        return {url: body for url, body in bodies if body}


def extracted(page: bytes, url: str, told: bytes | None) -> list[dict[str, Any]]:
    """The comments the command line gives for a page and its comment feed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "page.html").write_bytes(page)
        (folder / "feed.xml").write_bytes(told or b"")
        feed = ["--comment-feed", str(folder / "feed.xml")] if told else []
        call = [COMMAND, "extract", str(folder / "page.html"), "--url", url]
        done = subprocess.run([*call, *feed], check=True, stdout=subprocess.PIPE)  # noqa: S603  # our own command
    comments: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[0])["comments"]
    return comments


def worst_tenth(blogs: dict[str, Any], column: str) -> float:
    """Mean over the tenth of the blogs that do worst."""
    values = sorted(v for blog in blogs.values() if (v := blog["summary"].get(column)) is not None)
    chosen = values[: max(1, len(blogs) // 10)]
    return sum(chosen) / len(chosen) if chosen else 0.0


def front_figures() -> list[float]:
    """F1 of posts, titles and dates on list pages: the last line of the scorer."""
    last = run_script("run_front.py").strip().splitlines()[-1]
    return [float(cell) for cell in last.strip("| ").split("|")[-3:]]


def corpus_digest() -> str:
    """One digest for everything the figures were measured on."""
    digest = hashlib.sha256()
    for path in sorted(path for path in (SHARED / "corpus").glob("*/*") if path.is_file()):
        digest.update(f"{path.parent.name}/{path.name} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def holds(name: str, value: float, floor: float) -> bool:
    """Whether a figure is on the right side of its floor, or of its ceiling."""
    return value <= floor + 1e-9 if name in CEILINGS else value >= floor - 1e-9


def pinned_at(name: str, value: float) -> float:
    """The floor, or ceiling, of a figure that has just been measured."""
    return round(value + MARGIN if name in CEILINGS else value - MARGIN, 4)


def raised(name: str, value: float, floor: float) -> float:
    """A floor after a good run: nearer to what was measured, never back."""
    if name in HELD:
        return floor
    nearer = pinned_at(name, value)
    return min(floor, nearer) if name in CEILINGS else max(floor, nearer)


def show(figures: Figures, floors: Figures, goals: Figures) -> list[str]:
    """Print the table; gives the names of the figures that fell."""
    fallen = [name for name, value in figures.items() if not holds(name, value, floors[name])]
    print(f"{'':<28}{'now':>8}{'floor':>8}{'goal':>8}")
    for name, value in figures.items():
        short = "" if holds(name, value, goals[name]) else "   SHORT OF ITS GOAL"
        said = "   FELL" if name in fallen else short
        print(f"{name:<28}{value:>8.4f}{floors[name]:>8.4f}{goals[name]:>8.4f}{said}")
    return fallen


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="never write the floors file")
    parser.add_argument("--lower", action="append", default=[], metavar="NAME", help="let this floor sink")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if not (SHARED / "corpus").is_dir():
        print("There is no ../shared/corpus here, so there is nothing to measure.", file=sys.stderr)
        return 2
    pinned = json.loads(FLOORS.read_text(encoding="utf-8"))
    digest = corpus_digest()
    if pinned["corpus"] not in ("", digest):
        print("The corpus is another one than the floors were measured on: empty `corpus` and `floors` in", FLOORS.name)
        return 1
    figures = measure(args.jobs)
    floors = {name: pinned_at(name, value) for name, value in figures.items()} | pinned["floors"]
    for name in args.lower:
        floors[name] = round(figures[name], 4)
    fallen = show(figures, floors, pinned["goals"])
    if not args.check:
        floors |= {name: raised(name, value, floors[name]) for name, value in figures.items() if name not in fallen}
        written = json.dumps({"corpus": digest, "floors": floors, "goals": pinned["goals"]}, indent=2)
        FLOORS.write_text(written + "\n", encoding="utf-8")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
