"""A stand-in for the feed where it says too little: generic extraction proposes, the pages together decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from typing import Any

from blogforever.dates import find_dates, same_day
from blogforever.dom import tokenise
from blogforever.extract.byline import BylinePlace, find_authors
from blogforever.extract.container import junk_spans
from blogforever.extract.headline import title_key
from blogforever.extract.metadata import SLOWLY_SOUGHT, Candidate
from blogforever.extract.untitled import is_its_day
from blogforever.learn.article import find_articles
from blogforever.learn.samples import ENOUGH_WORDS, Sample, aim, html_texts, spread
from blogforever.learn.titleplace import titles_by_place
from blogforever.model import Author, Entry, Moment
from blogforever.page.view import PageView
from blogforever.similarity import shingle_marks

# A text so sure needs no second opinion.
_SURE_BODY = 0.7
# Pages that tell whether a feed carries whole articles.
_ASKED = 3
# An article that is so much longer than its entry was cut short in the feed;
_LONGER = 1.4
# so much where the entries look like whole articles,
# as generic extraction may take comments for text.
_MUCH_LONGER = 2.5
# Words that a longer article has at least beyond its entry: a by-line is no rest of a text.
_LONGER_WORDS = 5
# Share of the entries that look like whole articles.
_MOSTLY = 0.7
_BLOCK = re.compile(r"<(?:p|li|pre|blockquote|h[2-6]|tr|br\s*/?><br)\b", re.IGNORECASE)
_SEVERAL_BLOCKS = 3
# Characters of an entry in which a mark that it was cut stands.
_ENDING = 400
_CUT = re.compile(
    r"(?:…|\.\.\.|&hellip;|&#8230;|&#x2026;)[\])]?\s*(?:</?\w[^>]*>\s*)*$|class=.more-link|#more-\d"
    r"|\b(?:continue|keep|read|weiter)\s*(?:reading|more|lesen|the rest|on)|\blire la suite"
    r"|\bleer m[áa]s|\bleia mais|\bcontinua a leggere|читать дальше|阅读全文|阅读更多|続きを読む",
    re.IGNORECASE,
)
# Words of a text that may be but a by-line.
_BYLINE = 16
# Words of a line that may sign and date a post or a comment, with what can be done with it.
_LONGEST_LINE = 40
# Characters of a text that may date a post: sentences of it are longer.
_LONGEST_DATELINE = 100
_DIGIT = re.compile(r"\d")
# What is not about the post, whatever stands in it.
_FOREIGN = frozenset(("comment", "furniture"))
# With fewer titles nobody can tell what the blog adds to all of them.
_FEW = 3
_SIGNS = " |»«:-–—·•~/"
# Signs of these, and any other at the end of a word.
_PARTING = re.compile(rf"[{re.escape(_SIGNS.strip())}]|[^\w\s](?=\s)")
_PARTS = re.compile(r"(?<!\s)\s++[|»«:–—·•~/-]++\s++|(?<!\s)\s*+[|»«]\s*+")
# Words before an article's text in which its title may stand.
_TITLE_WITHIN = 60
# Share of the entry's words that generic extraction must have found too.
_HOLDS = 0.6
# Share of the titles that must be different, or else they are the blog's; and that must have a last
# part, for it to be the blog's, too.
_NEARLY_ALL = 0.9


def read_page(sample: Sample) -> Mapping[str, Any]:
    """The fields generic extraction reads on a page.

    The slow ways, a second opinion among them, are gone only where the quick ones find no text, or
    one that neither a name nor a heading speaks for, and only for that and what they do not find.
    """
    if sample.reading is None:
        found = _read(sample, sought=frozenset())
        if "html" not in found or found["html"].confidence < _SURE_BODY:
            found = _read(sample, sought=SLOWLY_SOUGHT - found.keys() | {"html"})
        sample.reading = {name: choice.value for name, choice in found.items()}
    return sample.reading


def _read(sample: Sample, *, sought: Set[str]) -> dict[str, Candidate]:
    """What generic extraction reads, by slow ways, too, what is sought."""
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    page = sample.page
    found = fallback_fields(sample.tree, page.url, captured=page.captured, sought=sought)
    sample.dates = tuple(found.get("published", ()))
    titles = [one for one in found.get("title", ()) if title_key(one.value) not in sample.placeholders]
    read = {**found, "title": titles}
    names = ("title", "authors", "published", "tags", "categories", "html")
    return {name: choice for name in names if (choice := choose(read.get(name, ())))}


def carries_excerpts(samples: Sequence[Sample]) -> bool:
    """Whether the feed's texts are only the beginnings of what stands on the pages."""
    asked = _longer_ones(samples)
    whole = sum(looks_whole(sample.entry) for sample in samples if sample.entry)
    look_whole = whole > _MOSTLY * len(samples)
    times = _MUCH_LONGER if look_whole else _LONGER
    cut = sum(_is_cut(sample, times) for sample in asked)
    return cut == len(asked) if look_whole else 2 * cut > len(asked)


def _longer_ones(samples: Sequence[Sample]) -> list[Sample]:
    """A few of the samples with the longer entries: what signs a short note is as long as that."""
    by_length = sorted(samples, key=lambda sample: -len(sample.target))
    return spread(by_length[: max(_ASKED, len(samples) // 2)], _ASKED)


def _is_cut(sample: Sample, times: float) -> bool:
    """Whether the page has the entry's text and so many times more."""
    words = tokenise(" ".join(html_texts(read_page(sample).get("html", ""))))
    in_entry = len(sample.target) + len(sample.refrain) + len(sample.signature)
    is_longer = len(words) > times * in_entry + _LONGER_WORDS
    return is_longer and _holds(words, sample.target)


def looks_whole(entry: Entry) -> bool:
    """Whether an entry is written like an article: several blocks, and no mark that it was cut."""
    html = entry.html or entry.summary_html
    return len(_BLOCK.findall(html)) >= _SEVERAL_BLOCKS and not _CUT.search(html[-_ENDING:])


def _holds(words: Sequence[str], target: Sequence[str]) -> bool:
    """Whether enough of the wanted words stand among these in the same company."""
    return sum(shingle_marks(words, target)) >= _HOLDS * len(target)


def teach(samples: Sequence[Sample]) -> list[Sample]:
    """Give pages the text, title, author and date that generic
    extraction reads on them, where their entries have none.

    Those are left out on which nothing was read, or
    something that does not hold what the entry says.
    """
    titles = _as_shown(samples, head_titles(samples))
    pairs = zip(samples, titles, strict=True)
    return [sample for sample, title in pairs if _teach_one(sample, title)]


def _as_shown(samples: Sequence[Sample], titles: Sequence[str]) -> list[str]:
    """The titles as the headings show them, where nearly all of these say the same without what
    stands beside; as their place tells them, where all pages are called alike.
    """
    shown = [read_page(sample).get("title") or "" for sample in samples]
    if len(shown) >= _FEW and not any(titles) and _are_mostly_one(shown):
        return titles_by_place(samples)
    pairs = list(zip(titles, shown, strict=True))
    fits = [bool(text) and _is_edge(title_key(text), title_key(title)) for title, text in pairs]
    is_usual = sum(fits) >= _NEARLY_ALL * len(pairs)
    tells_apart = len(set(shown)) >= _NEARLY_ALL * len(pairs)
    if not (is_usual and tells_apart):
        return list(titles)
    return [text if fit else title for (title, text), fit in zip(pairs, fits, strict=True)]


def _are_mostly_one(titles: Sequence[str]) -> bool:
    """Whether most titles are the same: the others are headings inside of texts."""
    return 2 * Counter(titles).most_common(1)[0][1] > len(titles)


def _is_edge(part: str, whole: str) -> bool:
    return bool(part) and (whole.startswith(part) or whole.endswith(part))


def _teach_one(sample: Sample, head_title: str) -> bool:
    """Give one page what generic extraction reads on it; False where that is not its article."""
    reading = read_page(sample)
    shows_entry = sum(sample.hits[-1:]) >= _HOLDS * len(sample.target)
    is_telling = len(sample.target) >= ENOUGH_WORDS
    # An entry whose words are not on the page speaks of another one.
    is_other_pages = is_telling and not shows_entry
    entry = Entry(sample.page.url) if is_other_pages or not sample.entry else sample.entry
    title = entry.title or _read_title(sample, head_title or reading.get("title"))
    text = " ".join(html_texts(reading.get("html", "")))
    words = _after_title(tokenise(text), tokenise(title or ""))
    if len(words) < ENOUGH_WORDS or _is_byline(words):
        return False
    if is_telling and shows_entry and not _holds(words, sample.target):
        return False
    sample.entry = _completed(entry, title, reading)
    sample.taught = True
    aim(sample, words)
    return True


def _read_title(sample: Sample, title: str | None) -> str | None:
    """What a page is called, unless that is but the day of a note."""
    published = read_page(sample).get("published")
    return None if title and is_its_day(title, published, sample.tree) else title


def _completed(entry: Entry, title: str | None, reading: Mapping[str, Any]) -> Entry:
    """The entry with the text of the page, and with what else it does not say itself."""
    return replace(
        entry,
        title=title,
        authors=entry.authors or reading.get("authors", ()),
        published=entry.published or reading.get("published"),
        html=reading["html"],
    )


def _is_byline(words: Sequence[str]) -> bool:
    """Whether what generic extraction took for the article is only the line that dates it."""
    return len(words) <= _BYLINE and bool(find_dates(" ".join(words), limit=1))


def _after_title(words: list[str], title: list[str]) -> list[str]:
    """The words after the title, where that stands near the beginning of the text, and more follows
    than was before: a short text may speak of what it is called after.

    Where it stands there twice in a row, above the heading and in it, those after both.
    """
    if not title:
        return words
    for n in range(min(_TITLE_WITHIN, len(words))):
        after = n + len(title)
        if words[n:after] == title and n < len(words) - after:
            is_again = words[after : after + len(title)] == title
            return words[after + is_again * len(title) :]
    return words


def head_titles(samples: Sequence[Sample]) -> list[str]:
    """What the pages' title elements say without what the blog adds to all of them.

    Empty where they do not differ, and where one says no more than that: the post has no title.
    """
    texts = [_head_title(sample) for sample in samples]
    given = [text for text in texts if text]
    if len(given) < _FEW or len(set(given)) < _NEARLY_ALL * len(given):
        return [""] * len(texts)
    whole = [text for text in given if not _is_name_alone(text, given)]
    before = _joint(whole)
    after = _joint([text[::-1] for text in whole])[::-1]
    names = set(given) - set(whole)
    titles = ["" if text in names else text.removeprefix(before).removesuffix(after).strip() for text in texts]
    return _without_names(_without_names(titles, last=True), last=False)


def _head_title(sample: Sample) -> str:
    """What the page's title element says, in one line."""
    node = sample.tree.tree.css_first("title")
    return " ".join(node.text().split()) if node is not None else ""


def _without_names(titles: list[str], *, last: bool) -> list[str]:
    """The titles without a last or first part that few names take turns in: the blog's, which
    changed, or a category's.

    One page in few may lack it, as a page about the blog does.
    """
    parts = [_PARTS.split(title) for title in titles]
    edge, rest = (-1, 0) if last else (0, -1)
    names = [part[edge] for part in parts if len(part) > 1]
    others = {part[rest] for part in parts}
    enough = min(_NEARLY_ALL * len(titles), max(_FEW, len(titles) - 1))
    is_usual = len(names) >= enough
    few_take_turns = 2 * len(set(names)) <= len(titles)
    rest_tells_apart = len(others) >= _NEARLY_ALL * len(titles)
    if not (is_usual and few_take_turns and rest_tells_apart):
        return titles
    return [_without_part(title, part, last=last) for title, part in zip(titles, parts, strict=True)]


def _without_part(title: str, parts: list[str], *, last: bool) -> str:
    """A title without its last or first part and the sign beside it."""
    if len(parts) < 2:
        return title
    if last:
        return title[: title.rindex(parts[-1])].rstrip(_SIGNS)
    return title[len(parts[0]) :].lstrip(_SIGNS)


def _joint(texts: Sequence[str]) -> str:
    """What all the texts begin with, up to a sign that parts a title from the blog's name."""
    # What the first and the last in order share, all between them share.
    shared = _shared_beginning(min(texts), max(texts))
    ends = [sign.end() for sign in _PARTING.finditer(shared)]
    return next((shared[:end] for end in reversed(ends) if not _is_amid_numbers(end, texts)), "")


def _is_amid_numbers(end: int, texts: Sequence[str]) -> bool:
    """Whether the sign that ends there stands between digits, as in a day: what all notes of a year are called has
    the year in it.
    """
    return all(text[end - 2 : end - 1].isdigit() and text[end : end + 1].isdigit() for text in texts)


def _is_name_alone(title: str, titles: Sequence[str]) -> bool:
    """Whether a page, such as the blog's front page, is called by no more than what the blog adds
    to all titles.
    """
    holding = sum(other.startswith(title) or other.endswith(title) for other in titles)
    return 2 * holding > len(titles)


def _shared_beginning(a: str, b: str) -> str:
    """What two texts begin with alike."""
    for n, (mine, other) in enumerate(zip(a, b, strict=False)):
        if mine != other:
            return a[:n]
    return a[: len(b)]


def teach_authors(sample: Sample) -> None:
    """Give a page whose feed names no author the name
    that stands beside the article, if one surely does.
    """
    authors = read_page(sample).get("authors") or _beside_told_text(sample)
    if authors and sample.entry and not _signs_another_day(sample, authors[0].name):
        sample.entry = replace(sample.entry, authors=authors)


def _beside_told_text(sample: Sample) -> tuple[Author, ...]:
    """Whom the lines around the text name that the feed tells: generic extraction may have taken
    them for a part of it.
    """
    page, told = sample.tree, () if sample.taught else find_articles(sample)[:1]
    for place in (found.place for found in told):
        words = (page.start[place], page.end[place])
        authors = find_authors(page, BylinePlace(words=words), junk_spans(page, place, _FOREIGN), sample.page.url)
        return tuple(found.author for found in authors[:1])
    return ()


def _signs_another_day(sample: Sample, name: str) -> bool:
    """Whether somebody stands beside other days than the post's, and never beside that: who
    commented on it does.
    """
    published = sample.entry.published if sample.entry else None
    if published is None:
        return False
    lines = (text for text in _short_lines(sample.tree) if name in text)
    days = [found.moment for text in lines for found in find_dates(text)]
    return bool(days) and not any(same_day(day, published) for day in days)


def _short_lines(page: PageView) -> Iterator[str]:
    """The lines of a page that may date what stands above or below them."""
    for i in range(len(page.nodes)):
        if not page.blocks[i] and 0 < page.count(i) <= _LONGEST_LINE:
            yield page.line(i)


def teach_date(sample: Sample) -> None:
    """Give a page whose feed does not date it the day that generic extraction reads on it."""
    published = read_page(sample).get("published")
    if published and sample.entry:
        sample.entry = replace(sample.entry, published=published)


def forget_shared_day(samples: Sequence[Sample]) -> None:
    """Take from several pages the day that all of them have: it is that of another post, which the
    blog shows on every page, or the one on which a program made the pages or the feed.

    Where the pages show earlier days of their own, these take its place; else what the feed told
    stays.
    """
    shared = _shared_day(samples)
    if shared is None:
        return
    own = [_day_before(sample, shared) for sample in samples]
    tells_apart = len({moment.day for moment in own if moment}) > 1
    for sample, moment in zip(samples, own, strict=True):
        if sample.entry and (tells_apart or sample.taught):
            sample.entry = replace(sample.entry, published=moment if tells_apart else None)


def _shared_day(samples: Sequence[Sample]) -> date | None:
    """The day that several entries have, and no other."""
    days = [sample.entry.published.day for sample in samples if sample.entry and sample.entry.published]
    return days[0] if len(days) >= _FEW and len(set(days)) == 1 else None


def _day_before(sample: Sample, shared: date) -> Moment | None:
    """The likeliest date of a page that is of an earlier day; none where the page shows the shared
    day, too: it may be the post's after all.
    """
    from blogforever.extract.fallback import choose  # noqa: PLC0415  heavy, and seldom needed

    read_page(sample)
    found = choose([said for said in sample.dates if said.value.day != shared])
    is_earlier = found is not None and found.value.day < shared
    return found.value if found and is_earlier and not _shows(sample, shared) else None


def _shows(sample: Sample, day: date) -> bool:
    """Whether a short text of the page is, or has, a day."""
    short = (text for _parent, _first, _stop, text in sample.tree.texts if len(text) <= _LONGEST_DATELINE)
    return any(found.moment.day == day for text in short if _DIGIT.search(text) for found in find_dates(text))
