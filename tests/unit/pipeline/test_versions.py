"""Is it an edit? Pages in one theme, in two themes, and pages that are something else."""

from __future__ import annotations

import pytest

from blogforever.extract.post import extract_post
from blogforever.model import Page, Post, Rule, Rules, Template
from blogforever.update.versions import Capture, judge, same_text_told
from server.blogserver import story

URL = "https://b.example/kettles/"
RULES = Rules(
    "b",
    (
        Template(Rule("div.entry", "//div"), fields={"title": (Rule("h1", "//h1"),)}, pages=9),
        Template(Rule("section.prose", "//section"), fields={"title": (Rule("h2.top", "//h2"),)}, pages=9),
    ),
)
TEXT = story(3)


def old_theme(text: list[str], title: str = "Kettles", more: str = "") -> Page:
    body = "".join(f"<p>{line}</p>" for line in text)
    html = (
        f"<body class='old wide'><nav class=menu>Home</nav><h1>{title}</h1><div class=entry>{body}{more}</div></body>"
    )
    return Page(URL, html.encode())


def new_theme(text: list[str], title: str = "Kettles", more: str = "") -> Page:
    body = "".join(f"<p>{line}</p>" for line in text)
    html = f"<main class=page><h2 class=top>{title}</h2><section class=prose>{body}{more}</section>"
    return Page(URL, f"<body class='fresh grid'>{html}<footer class=end>The end</footer></main></body>".encode())


def read(page: Page) -> Post:
    return extract_post(page, RULES, None)


def verdict(old: Page, new: Page, announced: bool = False) -> str:
    return judge(Capture(old, read), Capture(new, read), announced).judgement


EDITED = [TEXT[0], TEXT[1].replace("begins", "ends"), TEXT[2]]


def test_in_one_theme_the_contents_are_compared() -> None:
    assert verdict(old_theme(TEXT), old_theme(TEXT)) == "same"
    assert verdict(old_theme(TEXT), old_theme(EDITED)) == "edit"
    assert verdict(old_theme(TEXT), old_theme(TEXT, title="Pots")) == "edit"
    assert verdict(old_theme(TEXT), old_theme(TEXT, more="<img src=/pot.jpg>")) == "edit"
    assert verdict(old_theme(TEXT), old_theme(TEXT, more="<img src='home.jpg'>")) == "edit"  # the menu says "Home"
    assert (
        verdict(old_theme(TEXT, more="<img src=/pot-300x200.jpg>"), old_theme(TEXT, more="<img src=/pot.jpg>"))
        == "same"
    )


@pytest.mark.parametrize("announced", [True, False])
def test_a_new_theme_is_no_edit(announced: bool) -> None:
    assert verdict(old_theme(TEXT), new_theme(TEXT), announced) == "same"
    assert verdict(old_theme(TEXT, more="<p>Kettles, begins</p>"), new_theme(TEXT), announced) == "revision"


def test_an_edit_across_themes_is_believed_where_the_blog_says_so() -> None:
    assert verdict(old_theme(TEXT), new_theme(EDITED), announced=True) == "edit"
    assert verdict(old_theme(TEXT), new_theme(EDITED), announced=False) == "revision"


def test_another_page_is_no_edit() -> None:
    other = ["This name may be for sale. Related searches follow here, and nothing else does, whatever you do."]
    assert verdict(old_theme(TEXT), old_theme(other, title="For sale")) == "replaced"
    assert verdict(old_theme(TEXT), new_theme(other, title="For sale")) == "replaced"


def test_what_nothing_announced_is_not_sure() -> None:
    told = judge(Capture(old_theme(TEXT), read), Capture(old_theme(EDITED), read), announced=True)
    found = judge(Capture(old_theme(TEXT), read), Capture(old_theme(EDITED), read), announced=False)
    assert (told.sure, found.sure) == (True, False)


def test_a_feed_that_is_cut_short_says_the_same() -> None:
    whole = " ".join(TEXT)
    assert same_text_told(whole, f"{whole[:200]} …")
    assert same_text_told(f"{whole[:200]}...", whole)
    assert not same_text_told(whole, whole.replace("begins", "ends"))


def test_what_only_some_may_read_any_more_was_not_edited() -> None:
    form = "<form class=post-password-form><input name=post_password type=password></form>"
    wall = "<aside class=gh-post-upgrade-cta><h2>This post is for subscribers only</h2></aside>"
    for closed in (old_theme([], more=form), old_theme([], more=wall), old_theme(TEXT[:1], more=wall)):
        assert verdict(old_theme(TEXT), closed, announced=True) == "closed"
        assert verdict(closed, closed) == "same"
        assert verdict(closed, old_theme(TEXT), announced=True) == "edit"


def test_a_call_to_subscribe_is_no_part_of_the_text() -> None:
    wall = "<aside class=gh-post-upgrade-cta><h2>This post is for subscribers only</h2></aside>"
    post = read(old_theme(TEXT[:1], more=wall))
    assert (post.text, post.visibility) == (TEXT[0], "members")
