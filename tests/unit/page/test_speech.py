"""The words that lead to a name are the same for posts, list pages, comments and their feeds."""

from __future__ import annotations

import pytest

from blogforever.comments.cleaning import clean_author
from blogforever.extract.names import clean_name


@pytest.mark.parametrize("lead", ["by", "von", "par", "por", "door", "oleh", "przez", "от", "Autor:", "作者："])
def test_what_leads_to_a_name_is_no_part_of_it_wherever_it_stands(lead: str) -> None:
    assert clean_name(f"{lead} Ann Lee") == "Ann Lee"
    assert clean_author(f"{lead} Ann Lee") == "Ann Lee"
