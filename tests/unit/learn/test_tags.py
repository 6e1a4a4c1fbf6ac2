"""What a post is filed under: learned from the feed, and from the pages alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from blogforever import Feed, Page, Post, extract_post, learn_rules

from .madeblog import Layout, MadePost, feed_of, make_posts, page, pages_of

POSTS = make_posts(16)
SEEN, UNSEEN = POSTS[:10], POSTS[10:]
MARK = "rel='tag'"
LINE = "What somebody wrote about the same thing in another year, cut short here. " * 3
KINDS = ("frost", "seeds", "old tools", "bees")


def own_tags(post: MadePost) -> list[str]:
    return sorted({KINDS[post.number % 4], KINDS[post.number % 3]})


def feed_with(tags_of: Callable[[MadePost], Sequence[str]]) -> Feed:
    feed = feed_of(SEEN)
    told = zip(feed.entries, SEEN, strict=True)
    return replace(feed, entries=tuple(replace(entry, tags=tuple(tags_of(post))) for entry, post in told))


def linked(names: Sequence[str], mark: str, folder: str) -> str:
    return " ".join(f"<a {mark} href='/{folder}/{name.replace(' ', '-')}/'>{name}</a>" for name in names)


def body(post: MadePost, above: str, below: str = "") -> str:
    return page(
        f"<title>{post.title}</title>",
        f"<div class='post'><h1>{post.title}</h1>{above}<div class='text'>{post.html}</div>{below}</div>",
    )


def read(post: MadePost, layout: Layout, feed: Feed) -> Post:
    rules = learn_rules(feed, pages_of(SEEN, layout))
    return extract_post(Page(post.url, layout(post).encode()), rules)


def filed(post: Post) -> list[str]:
    return sorted({*post.tags, *post.categories})


def test_tags_are_learned_from_the_pages_where_the_feed_has_none() -> None:
    def marked(post: MadePost) -> str:
        return body(post, "", f"<p>{linked(own_tags(post), MARK, 'about')}</p>")

    for post in UNSEEN:
        assert filed(read(post, marked, feed_with(lambda _post: ()))) == own_tags(post)


def test_a_list_may_be_called_one_of_categories_by_the_theme_alone() -> None:
    def named(post: MadePost) -> str:
        names = linked(own_tags(post), "class='post-category-link'", "x")
        return body(post, f"<div>{names}</div>")

    for post in UNSEEN:
        assert filed(read(post, named, feed_with(lambda _post: ()))) == own_tags(post)


def test_the_blogs_own_list_of_categories_is_no_posts() -> None:
    def with_list(post: MadePost) -> str:
        everything = linked(["Garden", "House", "Road"], "", "category")
        return body(post, f"<p class='all'>{everything}</p>", f"<p>{linked(own_tags(post), MARK, 'tag')}</p>")

    for post in UNSEEN:
        assert filed(read(post, with_list, feed_with(lambda _post: ()))) == own_tags(post)


def test_what_stands_in_two_places_is_read_in_both() -> None:
    def parted(post: MadePost) -> str:
        first, *others = own_tags(post)
        return body(
            post,
            f"<p class='top'>in {linked([first], '', 'shelf')}</p>",
            f"<p class='end'>{linked(others, '', 'word')}</p>",
        )

    for post in UNSEEN:
        assert filed(read(post, parted, feed_with(own_tags))) == own_tags(post)


def test_one_category_that_all_posts_have_is_each_posts() -> None:
    def with_one(post: MadePost) -> str:
        above = f"<p class='top'>in {linked(['Diary'], '', 'category')}</p>"
        return body(post, above, f"<p>{linked(own_tags(post), '', 'tag')}</p>")

    feed = feed_with(lambda post: [*own_tags(post), "Diary"])
    for post in UNSEEN:
        found = read(post, with_one, feed)
        assert (sorted(found.tags), found.categories) == (own_tags(post), ("Diary",))


def test_the_section_in_the_head_is_a_category() -> None:
    def in_head(post: MadePost) -> str:
        section = f"<meta property='article:section' content='{KINDS[post.number % 4]}'>"
        return body(post, "").replace("<title>", f"{section}<title>")

    for post in UNSEEN:
        assert read(post, in_head, feed_with(own_tags)).categories == (KINDS[post.number % 4],)


def test_tags_are_learned_from_the_pages_where_the_feed_has_but_the_category() -> None:
    def category(post: MadePost) -> list[str]:
        return [KINDS[post.number % 4]]

    def with_tags(post: MadePost) -> str:
        above = f"<p class='top'>in {linked(category(post), '', 'category')}</p>"
        return body(post, above, f"<ul class='tags'>Tags: {linked(own_tags(post), '', 'tag')}</ul>")

    def with_cloud(post: MadePost) -> str:
        cloud = f"<aside class='cloud'>{linked(KINDS, '', 'tag')}</aside></body>"
        return with_tags(post).replace("</body>", cloud)

    for post in UNSEEN:
        assert filed(read(post, with_tags, feed_with(category))) == own_tags(post)
        assert filed(read(post, with_cloud, feed_with(category))) == own_tags(post)


def test_tags_of_other_posts_below_are_not_this_posts() -> None:
    def with_others(post: MadePost) -> str:
        others = "".join(
            f"<li><h3>Another one</h3><p>{LINE}</p>{linked([kind], MARK, 'tag')}</li>"
            for kind in own_tags(POSTS[(post.number + 5) % len(POSTS)])
        )
        below = f"<p class='end'>{linked(own_tags(post), MARK, 'tag')}</p><ul class='related'>{others}</ul>"
        return body(post, "", below)

    for post in UNSEEN:
        assert filed(read(post, with_others, feed_with(own_tags))) == own_tags(post)
