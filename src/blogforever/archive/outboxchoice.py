"""Which accounts of the outbox a file is for: each may choose by blog, list, tag, language, or filter of pings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from blogforever.ping.filters import FilterTree, is_spoken
from blogforever.ping.notice import Notice
from blogforever.records import PostRecord
from blogforever.storage.following import FollowedBlog
from blogforever.storage.outbox import AccountChoice, FtpAccount, OutboxFile
from blogforever.store.folder import ArchiveFolder


@dataclass(frozen=True, slots=True)
class BlogTraits:
    """What accounts choose a blog by."""

    names: frozenset[str]
    lists: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()
    language: str = ""


@dataclass(slots=True)
class Chooser:
    """Says of files for whom they are; what it knows of a blog it looks up once."""

    archive: ArchiveFolder
    accounts: list[FtpAccount] = field(init=False)
    _blogs: dict[str, BlogTraits] = field(default_factory=dict)
    _tree: FilterTree | None = None

    def __post_init__(self) -> None:
        self.accounts = self.archive.store.ftp_accounts.all()

    def unwanted_by(self, file: OutboxFile) -> list[str]:
        """The accounts that have not chosen it, though it is for all or for one of them."""
        meant = [one for one in self.accounts if file.account in ("", one.name)]
        choosy = [one for one in meant if not one.choice.is_all]
        post = self.archive.store.posts.find(file.post) if choosy and file.kind == "post" else None
        return [one.name for one in choosy if not self._is_chosen(one.choice, file.blog, post)]

    def _is_chosen(self, choice: AccountChoice, blog: str, post: PostRecord | None) -> bool:
        """Whether a choice has a post; of one that nobody may see any more only its blog is asked."""
        traits = self._traits(blog)
        of_blog = (
            _is_among(choice.blogs, traits.names)
            and _is_among(choice.lists, traits.lists)
            and _is_among(choice.filters, traits.filters)
        )
        return of_blog if not of_blog or post is None else self._is_post_chosen(choice, traits, post)

    def _is_post_chosen(self, choice: AccountChoice, traits: BlogTraits, post: PostRecord) -> bool:
        language = post.language or traits.language
        is_read = not choice.languages or any(is_spoken(language, wanted) for wanted in choice.languages)
        if not is_read or not choice.tags:
            return is_read
        given = self.archive.search.given_tags([post.id]).get(post.id, ())
        tags = {tag.casefold() for tag in (*traits.tags, *post.tags, *post.categories, *given)}
        return _is_among([tag.casefold() for tag in choice.tags], tags)

    def _traits(self, blog: str) -> BlogTraits:
        if blog not in self._blogs:
            self._blogs[blog] = self._read_traits(blog)
        return self._blogs[blog]

    def _read_traits(self, blog: str) -> BlogTraits:
        store = self.archive.store
        followed, record = store.followed.in_archive(blog), store.blogs.find(blog)
        language = (record.language if record else None) or ""
        return BlogTraits(
            frozenset({blog, *(one.id for one in followed)}),
            frozenset(name for one in followed for name in one.lists),
            frozenset(name for one in followed for name in one.tags),
            frozenset(name for one in followed for name in self._takers(one, language)),
            language,
        )

    def _takers(self, blog: FollowedBlog, language: str) -> Iterable[str]:
        """The filters that would take a ping of this blog, as far as it is known now."""
        if self._tree is None:
            self._tree = FilterTree(self.archive.store.ping_filters.all())
        filters = {one.id: one for one in self.archive.store.ping_filters.all()}
        takers = self._tree.decide(Notice(blog.url, blog.title)).takers
        return [one for one in takers if not filters[one].conditions.why_not(blog.platform, language)]


def _is_among(wanted: Iterable[str], names: Iterable[str]) -> bool:
    """Whether one of these is wanted; where none is named, all are."""
    chosen = {*wanted}
    return not chosen or not chosen.isdisjoint(names)
