"""Posts that only some may read: a form or a call to subscribe stands in their place."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text, tokenise
from blogforever.page.view import PageView

WALLS = (
    ".gh-post-upgrade-cta, .post-upgrade-cta, .paywall-cta, .paywall-message, .wp-block-jetpack-paywall,"
    " .pmpro_content_message, .mepr-unauthorized-message, .wc-memberships-message, .rcp_restricted,"
    " .restrict-content-message, .members-only-message, .subscribers-only-message"
)
"""What membership programs put in the place of the rest of an article."""
FEW_WORDS = 60
"""Words an article may have beside the form that stands in its place, and a call to subscribe."""


def walls(article: LexborNode | None) -> list[LexborNode]:
    """The calls to subscribe that stand for what an article does not show."""
    found = article.css(WALLS) if article is not None else []
    return [node for node in found if len(tokenise(node_text(node))) <= FEW_WORDS]


def visibility_of(page: PageView, article: LexborNode | None) -> str | None:
    """Says `password` or `members` where the article, or its rest, is behind one; None else."""
    if walls(article):
        return "members"
    form = _password_form(page, article)
    if form is None:
        return None
    shown = article if article is not None else form
    is_all_there_is = len(tokenise(node_text(shown))) < FEW_WORDS
    return "password" if is_all_there_is else None


def _password_form(page: PageView, article: LexborNode | None) -> LexborNode | None:
    """The form for the post's password; any such form, where it stands in the article itself."""
    form = page.landmarks.password_form
    if form is None and article is not None and page.landmarks.asks_password:
        form = article.css_first("form input[type='password']")
    return form
