"""The verdict on an address: which kind of site, which part of a blog, why, and how sure."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from blogforever.analyse.judging import judge
from blogforever.analyse.looking import look
from blogforever.analyse.patterns import pattern_of
from blogforever.analyse.tree import DecisionTree, Fork, Leaf, trained_tree
from blogforever.analyse.values import HostVerdict, Kind, SeenHost, Sign
from blogforever.learn.urlpattern import UrlPattern
from server.somesites import HOME, blog, documentation, fetch_from, forum, parked, podcast, shop


def verdict(answers: dict[str, str], path: str = "/") -> HostVerdict:
    return judge(look(HOME + path, fetch_from(answers)))


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        (blog(), "blog"),
        (blog(feed=False), "blog"),
        (podcast(), "podcast"),
        (shop(), "shop"),
        (forum(), "forum"),
        (documentation(), "documentation"),
        (parked(), "parked"),
    ],
    ids=["blog", "blog without a feed", "podcast", "shop", "forum", "documentation", "parked"],
)
def test_the_kind_of_a_site_is_told_with_reasons(answers: dict[str, str], kind: Kind) -> None:
    found = verdict(answers)
    assert found.kind == kind
    assert found.confidence > 0.7
    assert any(reason.kind == kind and reason.says for reason in found.reasons)


@pytest.mark.parametrize("below", ["", "/~ann"])
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "blog"),
        ("/2024/09/the-lantern/", "post"),
        ("/tag/sea/", "list page"),
        ("/feed.xml", "feed"),
    ],
)
def test_each_address_of_a_blog_leads_to_its_home(below: str, path: str, kind: Kind) -> None:
    found = verdict(blog(below=below), below + path)
    assert (found.kind, found.said, found.root) == (kind, "blog", f"{HOME}{below}/")
    assert found.post_feed == f"{HOME}{below}/feed.xml"


def test_the_link_filter_tells_posts() -> None:
    posts = UrlPattern.from_json(dict(verdict(blog()).link_filter))
    assert posts.matches(f"{HOME}/2023/01/another-post/")
    assert not posts.matches(f"{HOME}/tag/sea/")


def test_what_was_not_seen_is_not_judged() -> None:
    found = verdict({}, "/")
    assert (found.kind, found.by, found.confidence) == ("not known", "nobody", 0.0)
    script = "<script src='/cdn-cgi/challenge-platform/x'></script>"
    challenge = f"<html><head><title>Just a moment...</title></head><body>{script}</body></html>"
    assert verdict({"/": challenge}).kind == "not known"


class Suspicious:
    """Sees spam everywhere, as far as he is believed."""

    def __init__(self, weight: float) -> None:
        self._weight = weight

    def signs(self, seen: SeenHost) -> Iterable[Sign]:
        yield Sign("suspicion", f"{seen.url} is suspicious", "spam", self._weight)


def test_signs_of_spam_are_heard_from_a_weight_on() -> None:
    seen = look(HOME + "/", fetch_from(blog()))
    assert judge(seen, [Suspicious(0.5)]).said == "blog"
    assert judge(seen, [Suspicious(0.6), Suspicious(0.6)]).said == "spam"


class Known:
    """Knows what hosts of one make are."""

    def __init__(self, pattern: str, kind: Kind) -> None:
        self._pattern, self._kind = pattern, kind

    def known(self, pattern: str) -> tuple[Kind, int] | None:
        return (self._kind, 9) if pattern == self._pattern else None


def test_what_people_found_other_hosts_of_the_same_make_to_be_goes_first() -> None:
    classes = "".join(f"<p class='a-item b-item c-item d-item'><a href='/{n}'>x</a></p>" for n in range(4))
    seen = look(HOME + "/", fetch_from({"/": classes}))
    found = judge(seen, patterns=Known(pattern_of(seen), "forum"))
    assert (found.kind, found.by) == ("forum", "known pattern")
    assert judge(seen, patterns=Known("another", "forum")).by != "known pattern"


TREE = DecisionTree(Fork("feed", Fork("cart", Leaf(1, 9), Leaf(9, 0), unknown=False), Leaf(2, 2), unknown=False))


def test_a_tree_has_three_answers() -> None:
    assert TREE.ask({"feed": True, "cart": False})[0].answer is True
    assert TREE.ask({"feed": True, "cart": None})[0].answer is True
    assert TREE.ask({"feed": True, "cart": True})[0].answer is False
    leaf, way = TREE.ask({"feed": None})
    assert (leaf.answer, way) == (None, (("feed", None),))


def test_a_tree_is_kept_and_printed() -> None:
    assert DecisionTree.from_json(TREE.to_json()) == TREE
    assert TREE.printed().splitlines()[0] == "feed? yes:"
    with pytest.raises(ValueError, match="no question"):
        DecisionTree.from_json({"ask": "whatever"})


def test_the_tree_of_this_version_is_small_enough_to_be_read() -> None:
    assert 3 < len(trained_tree().printed().splitlines()) < 60
