"""Looks at sites of which the kind is known: what the analyser answered about pages, kept without them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from blogforever.analyse.features import QUESTIONS, taken_together
from blogforever.analyse.values import Answer

KEPT = Path(__file__).with_name("examples.jsonl")
# An answer as it is kept.
LETTERS: Mapping[Answer, str] = {True: "y", False: "n", None: "-"}
ANSWERS: Mapping[str, Answer] = {letter: answer for answer, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Example:
    """One look at an address of a site: which program or person made it, what it is, what was
    answered.
    """

    program: str
    kind: str
    address: str
    answers: Mapping[str, Answer]

    @property
    def is_blog(self) -> bool:
        """Whether the site is one."""
        return self.kind == "blog"

    @property
    def is_front(self) -> bool:
        """Whether the front page of the site was looked at."""
        return urlsplit(self.address).path.strip("/") in ("", "index.html")


def keep(examples: Iterable[Example], file: Path = KEPT) -> None:
    """Write examples, a line each; what was answered twice about a site is kept once."""
    lines = [json.dumps(list(QUESTIONS))]
    for one in examples:
        letters = "".join(LETTERS[one.answers.get(name)] for name in QUESTIONS)
        lines.append(json.dumps([one.program, one.kind, one.address, letters], ensure_ascii=False))
    file.write_text("\n".join(dict.fromkeys(lines)) + "\n", encoding="utf-8")


def kept(file: Path = KEPT) -> Iterator[Example]:
    """The examples that are kept; a question that is new has no answer, but what others answer
    together is told anew.
    """
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    names = json.loads(head)
    for line in lines:
        program, kind, address, letters = json.loads(line)
        answers = {name: ANSWERS[letter] for name, letter in zip(names, letters, strict=True)}
        known: dict[str, Answer] = dict.fromkeys(QUESTIONS) | answers
        yield Example(program, kind, address, known | taken_together(known))


def decided(file: Path) -> Iterator[Example]:
    """What people decided, each a program of its own."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        told = json.loads(line)
        kind = "blog" if told["blog"] else "something else"
        yield Example(f"decided {number}", kind, "", told["answers"])
