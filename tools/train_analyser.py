"""Train the host analyser's tree on sites whose kind is known, and say how good it is on makers held out.

    python tools/train_analyser.py --gather [--sites FOLDER]   build and look at all sites (tools/strangers), write what
                                                               was answered to tools/strangers/examples.jsonl
    python tools/train_analyser.py                             train on these, write analyse/data/tree.json
    python tools/train_analyser.py --check [-v]                train, print; write nothing; -v names what is wrong,
                                                               but for half of the real sites: they are the judges
    python tools/train_analyser.py --decided FILE              also learn from what people decided
                                                               (`blogforever sources examples > FILE`)

Needs scikit-learn (`pip install --group train`); --gather also what tools/strangers builds with. Precision and recall
are those of the whole analyser, rules and tree, on each maker by a tree that never saw it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from sklearn.tree import DecisionTreeClassifier

from blogforever.analyse.judging import by_answers
from blogforever.analyse.rules import LIKE_BLOGS
from blogforever.analyse.tree import DEEPEST, DecisionTree, Fork, Leaf
from blogforever.analyse.values import OF_BLOG, Answer
from strangers.examples import Example, decided, keep, kept

TREE = Path(__file__).parents[1] / "src/blogforever/analyse/data/tree.json"
FOR_BLOGS = (
    "dated items", "newest first", "items dated", "several days", "items fill", "comment links", "tag links",
    "marked entries", "feed", "feed dated", "feed own", "feed spread", "on front", "titles agree", "dates agree",
    "dated addresses", "dated article", "page lists", "says blog", "says post",
)  # fmt: skip
FOR_OTHERS = (
    "prices", "many prices", "product marks", "cart", "thread table", "forum links", "docs program", "contents beside",
    "heading anchors", "contact facts", "telephone", "office pages", "business", "mostly links", "links elsewhere",
    "feed fast", "front fast", "feed sound", "log-in form", "few words",
)  # fmt: skip
NAMES = (*FOR_BLOGS, *FOR_OTHERS)
"""What the tree may ask: what blogs and others differ in by nature, not what programs happen to write. What speaks for
blogs never speaks against them further down, however few examples there are.
"""
# As the tree sees an answer: what is not known lies between no and yes.
NUMBERS: Mapping[Answer, int] = {False: 0, None: 1, True: 2}
# How much simpler a tree must be than the examples it then gets wrong.
PRUNING, SMALLEST_LEAF = 0.002, 6
# The same tree each time.
SEED = 16
# Makers are held out in so many groups: one after the other would take minutes.
GROUPS = 20
# How programs begin that are real sites.
REAL = "real "


def trained(examples: Sequence[Example]) -> DecisionTree:
    """A small tree: entropy says what to ask first, pruning what not to ask.

    What only its feed tells from a blog is left to the rules.
    """
    examples = [example for example in examples if example.kind not in LIKE_BLOGS]
    rows = [[NUMBERS[example.answers.get(name)] for name in NAMES] for example in examples]
    # Every maker counts the same, however many pages he made, and so do blogs and others.
    per_program = Counter(example.program for example in examples)
    programs = Counter(example.is_blog for example in {one.program: one for one in examples}.values())
    weights = [1 / per_program[example.program] / programs[example.is_blog] for example in examples]
    model = DecisionTreeClassifier(
        criterion="entropy",
        ccp_alpha=PRUNING,
        min_samples_leaf=SMALLEST_LEAF,
        max_depth=DEEPEST - 1,
        monotonic_cst=[1] * len(FOR_BLOGS) + [-1] * len(FOR_OTHERS),
        random_state=SEED,
    )
    model.fit(rows, [example.is_blog for example in examples], sample_weight=weights)
    return DecisionTree(_node(model.tree_, 0, rows, [example.is_blog for example in examples]))


def _node(tree: Any, place: int, rows: Sequence[Sequence[int]], labels: Sequence[bool]) -> Fork | Leaf:
    if tree.children_left[place] == -1:
        return Leaf(sum(labels), len(labels) - sum(labels))
    question, limit = int(tree.feature[place]), float(tree.threshold[place])
    sides: dict[bool, tuple[list[Sequence[int]], list[bool]]] = {True: ([], []), False: ([], [])}
    for row, label in zip(rows, labels, strict=True):
        rows_there, said = sides[row[question] > limit]
        rows_there.append(row)
        said.append(label)
    yes = _node(tree, int(tree.children_right[place]), *sides[True])
    no = _node(tree, int(tree.children_left[place]), *sides[False])
    if isinstance(yes, Leaf) and isinstance(no, Leaf) and yes.answer == no.answer:
        return Leaf(yes.blogs + no.blogs, yes.others + no.others)
    return Fork(NAMES[question], yes, no, unknown=limit < NUMBERS[None])


Judged = tuple[Example, str]


def held_out(examples: Sequence[Example]) -> Iterator[Judged]:
    """Each look, and what the analyser calls it whose tree never saw its maker."""
    for group in range(GROUPS):
        judged = [example for example in examples if crc32(example.program.encode()) % GROUPS == group]
        programs = {example.program for example in judged}
        tree = trained([example for example in examples if example.program not in programs])
        for example in judged:
            kind = by_answers(example.address, example.answers, (), tree).kind
            yield example, "blog" if kind in OF_BLOG else kind


def table(judged: Iterable[Judged]) -> Iterator[str]:
    """Precision and recall of each class, and of blogs against all others."""
    told = [(example.kind, said) for example, said in judged]
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for true, said in told:
        counts[true][said] += 1
    for kind in sorted(counts):
        right, real = counts[kind][kind], counts[kind].total()
        called = sum(one[kind] for one in counts.values())
        yield f"| {kind} | {real} | {right / max(1, called):.3f} | {right / real:.3f} | {dict(counts[kind])} |"
    known = [(true, said) for true, said in told if said != "not known"]
    right = sum((true == "blog") == (said == "blog") for true, said in known)
    share = right / max(1, len(known))
    yield f"blog or not: {right} of {len(known)} right ({share:.3f}); not known: {len(told) - len(known)}"


def _print_tables(judged: Sequence[Judged]) -> str:
    """All tables; returns the last line of that of all."""
    real = [one for one in judged if one[0].program.startswith(REAL)]
    tables = {
        "all looks": judged,
        "fronts of real sites": [one for one in real if one[0].is_front],
        "other pages of real sites": [one for one in real if not one[0].is_front],
        "real sites whose mistakes nobody looked at": [one for one in real if _is_kept_apart(one[0])],
        "made here": [one for one in judged if not one[0].program.startswith(REAL)],
    }
    reports = {name: list(table(rows)) for name, rows in tables.items()}
    for name, report in reports.items():
        print(f"\n{name}\n| kind | looks | precision | recall | called |\n|---|---|---|---|---|")
        print("\n".join(report))
    return reports["all looks"][-1]


def _is_kept_apart(example: Example) -> bool:
    """Whether a real site is of the half that questions and rules are not mended by."""
    host = example.program.removeprefix(REAL)
    return host != example.program and crc32(host.encode()) % 2 == 1


def _print_wrong(judged: Sequence[Judged]) -> None:
    for example, said in judged:
        is_wrong = (said == "blog") != example.is_blog or said == "not known"
        if is_wrong and not _is_kept_apart(example):
            yes = ", ".join(name for name, answer in example.answers.items() if answer)
            print(f"{example.program}: {example.address} is a {example.kind}, was called {said}: {yes}")


def main() -> None:
    """Gather, or train, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gather", action="store_true", help="look at all sites again and keep what was answered")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--decided", type=Path, help="what people decided, one JSON object a line")
    parser.add_argument("--sites", type=Path, help="folder in which built sites stay, for the next time")
    parser.add_argument("-v", "--verbose", action="store_true", help="name what is wrong")
    given = parser.parse_args()
    if given.gather:
        from strangers.gathering import gathered  # noqa: PLC0415  needs all that builds sites

        with tempfile.TemporaryDirectory(prefix="blogforever-train-") as folder:
            keep(gathered(given.sites or Path(folder)))
        return
    examples = [*kept(), *(decided(given.decided) if given.decided else ())]
    tree = trained(examples)
    print(tree.printed())
    judged = list(held_out(examples))
    last = _print_tables(judged)
    if given.verbose:
        _print_wrong(judged)
    if not given.check:
        programs = sorted({example.program for example in examples})
        told = {"programs": programs, "looks": len(examples), "held out": last, "tree": tree.to_json()}
        TREE.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
