"""A post as a terminal shows it."""

from __future__ import annotations

from blogforever.archive.reading import ShownPost
from blogforever.cli.terminal import post_lines
from server.somerecords import some_comment, some_post


def test_a_post_reads_well_in_a_terminal() -> None:
    post = some_post(
        title="A \x1b[31mred\x1b[0m title",
        published="2020-05-01",
        authors=[{"name": "Ann"}],
        text="word " * 60 + "\n\n" + "字" * 100,
        tags=["boats"],
    )
    thread = (
        (0, some_comment(id="a", author={"name": "A"})),
        (1, some_comment(id="b", author={"name": "B"}, text="says b")),
    )
    lines = list(post_lines(ShownPost(post, thread), 60))
    assert lines[0] == "A [31mred[0m title"
    assert "Ann · 1 May 2020" in lines
    assert all(len(line) <= 60 for line in lines)
    assert max(len(line) for line in lines if "字" in line) == 30
    assert "A" in lines
    assert "  B" in lines
    assert "    says b" in lines


def test_a_post_says_what_its_page_states_and_what_has_no_text() -> None:
    post = some_post(title="T", text="x", extra={"comments_stated": 3})
    lines = list(post_lines(ShownPost(post, ((0, some_comment(id="a", text="")),)), 80))
    assert "── 1 comment (the page states 3)" in lines
    assert lines[-1] == "  (no text)"


def test_a_post_says_that_not_all_of_it_was_read() -> None:
    lines = list(post_lines(ShownPost(some_post(text="So it begins.", extra={"cut": ["page"]}), ()), 80))
    assert any("the end is missing" in line for line in lines)
