"""When posts were published whose own pages do not say it: the blog's lists of posts often do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from msgspec import structs

from blogforever.extract.segment import segment_page
from blogforever.learn.postpages import LIST_KINDS
from blogforever.model import Moment, Page, Rules
from blogforever.protocols import Ref
from blogforever.records import FieldSource, PostRecord
from blogforever.urls import url_key

from .harvest import HarvestedPost
from .learning import SeenPage
from .record import BY_LISTS, is_roughly

# A list that dates other posts rightly is right about this one, too; less sure where no other post
# has a date.
_PROVEN, _UNPROVEN = 0.85, 0.6
# Lists that are read, those with most posts first, and links to posts that surely make a page a
# list.
_MOST_LISTS = 100
_FEWEST_LINKS = 3
# Share of the posts with a date of their own whose lists say the same day, give or take what zones
# make of it.
_AGREE = 0.9
_ZONE_DAYS = 1
# Posts with a date of their own that are enough to prove it.
_ENOUGH = 20
# Characters of a date that names a day.
_DAY = 10
_EXACT = ("day", "minute", "second")
# Posts that must seem to be of one day, and their share, for it to be the day the site was made.
_FEWEST_ALIKE, _NEARLY_ALL = 5, 0.9
_SURE_WAYS = ("rule", "feed")


@dataclass(frozen=True, slots=True)
class ListedDate:
    """A date that lists give a post, and how sure it is."""

    moment: Moment
    confidence: float


def day_of_all(found: Iterable[HarvestedPost], seen: Mapping[str, SeenPage], rules: Rules | None) -> str:
    """The day that pages seem to give nearly all posts, where the feed knows posts of other days and no rule finds
    them: the site was made on it, or it stands in a margin. Empty where there is none.
    """
    if _finds_dates(rules):
        return ""
    pages = [page for post in found if (page := seen.get(url_key(post.url)))]
    told = {_own_day(page) for page in pages if page.evidence.date_by == "feed"}
    day = _day_of_nearly_all([_own_day(page) for page in pages if page.evidence.date_by not in _SURE_WAYS])
    return day if told and day not in told else ""


def _finds_dates(rules: Rules | None) -> bool:
    """Whether a rule finds when posts were published; without rules nobody has looked for one."""
    return rules is None or any(template.fields.get("published") for template in rules.templates)


def _day_of_nearly_all(days: Sequence[str]) -> str:
    """The one day that nearly all have; empty where they differ, or are few."""
    day, times = Counter(days).most_common(1)[0] if days else ("", 0)
    return day if times >= max(_FEWEST_ALIKE, _NEARLY_ALL * len(days)) else ""


def without_day_of_all(record: PostRecord, day: str) -> PostRecord:
    """The record without the day that all pages show, which is not that of the post."""
    way = record.provenance.get("published")
    if not day or way is None or way.by in _SURE_WAYS or not (record.published or "").startswith(day):
        return record
    others = {name: way for name, way in record.provenance.items() if name != "published"}
    return structs.replace(record, published=None, published_precision=None, published_raw=None, provenance=others)


def dates_by_lists(
    found: Sequence[HarvestedPost],
    seen: Mapping[str, SeenPage],
    read: Callable[[Ref], Page],
    rules: Rules | None,
    not_own: str = "",
) -> dict[str, ListedDate]:
    """By address, the dates that the blog's lists give posts that have none, or none to the day; `not_own` is none.

    Lists must prove themselves on the posts that have one.
    """
    own = {post.url: _own_day(seen.get(url_key(post.url)), not_own) for post in found}
    undated = {url for url, day in own.items() if not day}
    if not undated:
        return {}
    posts = {url_key(name): post.url for post in found for name in (post.url, *post.aliases)}
    chosen = _chosen(_told(_lists(seen, posts), posts, own, read, rules))
    sure = _sureness([_same_day(moment, own[url]) for url, moment in chosen.items() if own[url]])
    return {url: ListedDate(chosen[url], sure) for url in undated & chosen.keys() if sure}


def _sureness(proofs: Sequence[bool]) -> float:
    """How sure dates of lists are, by whether lists are right about posts that have one; not at all
    if they are not.
    """
    if not proofs:
        return _UNPROVEN
    return _PROVEN if sum(proofs) >= _AGREE * len(proofs) else 0.0


def with_list_date(record: PostRecord, listed: ListedDate | None) -> PostRecord:
    """The record with the date that lists give it, where it has none or but a month or year that
    means the same.
    """
    if listed is None or (record.published and not is_roughly(record.published, listed.moment.iso)):
        return record
    source = FieldSource("generic", BY_LISTS, listed.confidence)
    return structs.replace(
        record,
        published=listed.moment.iso,
        published_precision=listed.moment.precision,
        published_raw=listed.moment.raw or None,
        provenance={**record.provenance, "published": source},
    )


def _own_day(page: SeenPage | None, not_own: str = "") -> str:
    """The day that a post's own page or its feed names; empty where neither does, or it is that of no post."""
    published = page.evidence.published if page else None
    day = published[:_DAY] if published and len(published) >= _DAY else ""
    return "" if day == not_own else day


def _same_day(listed: Moment, own: str) -> bool:
    return abs((listed.day - date.fromisoformat(own)).days) <= _ZONE_DAYS


def _lists(seen: Mapping[str, SeenPage], posts: Mapping[str, str]) -> Iterator[Ref]:
    """Where the pages lie that lead to many posts and are none, those that lead to most first.

    Where there are such lists, the last page of one may lead to a single post. Lists that came
    before it was known what leads to posts count none; where all did, any page may be one.
    """
    pages = [(key, _shown(page), page.ref) for key, page in seen.items() if key not in posts]
    pages.sort(key=lambda page: (-page[1], page[0]))
    has_lists = any(links >= _FEWEST_LINKS for _key, links, _ref in pages)
    return islice((ref for _key, links, ref in pages if ref and (links or not has_lists)), _MOST_LISTS)


def _shown(page: SeenPage) -> int:
    """To how many posts a page leads; of a list that was read before anybody knew what addresses
    posts have, how many it shows.
    """
    evidence = page.evidence
    is_list = evidence.kind in LIST_KINDS
    return max(evidence.post_links, evidence.entries if is_list else 0)


def _told(
    lists: Iterable[Ref],
    posts: Mapping[str, str],
    own: Mapping[str, str],
    read: Callable[[Ref], Page],
    rules: Rules | None,
) -> Mapping[str, list[Moment]]:
    """What lists say of the posts; no more of them are read than are needed."""
    told: defaultdict[str, list[Moment]] = defaultdict(list)
    for ref in lists:
        for item in segment_page(read(ref), rules):
            url = posts.get(url_key(item.url))
            if url and item.published and item.published.precision in _EXACT:
                told[url].append(item.published)
        undated = sum(not day and url not in told for url, day in own.items())
        proven = sum(bool(day) and url in told for url, day in own.items())
        if not undated and proven >= min(_ENOUGH, sum(map(bool, own.values()))):
            break
    return told


def _chosen(told: Mapping[str, Sequence[Moment]]) -> dict[str, Moment]:
    """The one day that the lists give each post."""
    chosen = {}
    for url, moments in told.items():
        if day := _most_said(moments):
            chosen[url] = day
    return chosen


def _most_said(moments: Sequence[Moment]) -> Moment | None:
    """The day most lists say, as exactly as one of them says it; none where they do not agree."""
    days = Counter(moment.day for moment in moments).most_common(2)
    if len(days) > 1 and days[0][1] == days[1][1]:
        return None
    same = [moment for moment in moments if moment.day == days[0][0]]
    return max(same, key=lambda moment: len(moment.iso))
