from __future__ import annotations

import pytest

from blogforever.page.view import PageView

PAGE = """<head><link rel="stylesheet" href="/a.css"><link rel="Shortlink" href="/?p=7"></head><body>
<a rel="prev" href="/6">before</a><a rel="nofollow" href="/9">else</a><a rel="next" href="/8">after</a>
<a rel="prev">no</a>
<script type="application/ld+json">{}</script><script>1</script></body>"""


def test_landmarks_are_found_wherever_they_stand() -> None:
    found = PageView(PAGE).landmarks
    assert [node.attributes["href"] for node in found.neighbours] == ["/6", "/8"]
    assert [node.text() for node in found.json_ld] == ["{}"]
    assert found.short_link is not None
    assert found.short_link.attributes["href"] == "/?p=7"
    assert found.password_form is None
    assert not found.asks_password


@pytest.mark.parametrize(
    ("html", "is_of_post", "asks"),
    [
        ('<form class="post-password-form"><input type="password"></form>', True, True),
        ('<form class="a post-password-form-b" action="/p?action=postpass"></form>', True, False),
        ('<form class="post-password-form-b" name="post_password"></form>', False, False),
        ('<form><input name="post_password"></form>', True, False),
        ('<form action="/login"><input type="PASSWORD" name="pwd"></form>', False, True),
        ("<form><input type='text'></form>", False, False),
    ],
)
def test_forms_for_the_password_of_a_post_are_told_from_others(html: str, is_of_post: bool, asks: bool) -> None:
    found = PageView(html).landmarks
    assert (found.password_form is not None) == is_of_post
    assert found.asks_password == asks
