"""Blocks of an article that are judged by what they have in common over the pages."""

from __future__ import annotations

from collections import Counter

from blogforever.learn.exclude import Block
from blogforever.learn.frames import is_framed
from blogforever.learn.samples import FURNITURE, prefix_sums


def test_a_block_of_furniture_alone_only_leads_however_its_sums_are_rounded() -> None:
    sums = prefix_sums([1.0] * 37 + [FURNITURE] * 20)
    block = Block(pages=set(range(10)), words=20, furniture=20 - (sums[57] - sums[37]))
    assert block.only_leads(10)
    block.furniture -= 1
    assert not block.only_leads(10)


def test_lines_are_framed_alike_where_nearly_all_have_one_of_a_few_forms() -> None:
    assert is_framed(Counter({"posted by at": 6, "posted by at tags": 4}), 10)
    assert not is_framed(Counter({"posted by at": 6}), 10)
    assert not is_framed(Counter(str(n) for n in range(3)), 3)
