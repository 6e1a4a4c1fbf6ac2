"""Posts that only some may read: the page shows a form for a password where the article would be."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import node_text, tokenise

FORMS = (
    "form.post-password-form, form[action*='action=postpass'], input[name='post_password'],"
    " form.protected input[name='protectPassword'], input[name='protectPassword']"
)
FEW_WORDS = 60
"""Words an article may have beside the form that stands in its place."""


def visibility_of(tree: LexborHTMLParser, article: LexborNode | None) -> str | None:
    """Says `password` where the article is behind one; None where anybody may read it."""
    form = tree.css_first(FORMS)
    if form is None and article is not None:
        form = article.css_first("form input[type='password']")
    if form is None:
        return None
    shown = article if article is not None else form
    return "password" if len(tokenise(node_text(shown))) < FEW_WORDS else None
