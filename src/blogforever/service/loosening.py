"""What was half remembered: as many of somebody's words as some post holds, where none holds all of them; the whole
names of authors of whom somebody knows a part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from blogforever.dom import tokenise
from blogforever.export.excerpt import found_at
from blogforever.records import read_post
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder
from blogforever.store.indexes import TERM

from .browsing import search_posts

# Words that are looked at, each by some searches: who pastes a whole sentence means its beginning.
MOST_WORDS = 12
# Letters that the beginning of a word must have to say anything; and letters that are left off its end at most.
SHORTEST, MOST_LEFT_OFF = 4, 6
# Posts in which names are looked for: those that fit best hold the words in a name. And names that are shown.
POSTS_ASKED, MOST_NAMES = 100, 8


def looser_words(archive: ArchiveFolder, search: PostSearch) -> str:
    """Words that find something where those of a search find nothing: the longest, which tell most,
    and each further one that goes with them, as it is, as the beginning of a word, or by its own
    beginning. Empty where there is nothing looser, or it finds nothing either.
    """
    words, unwanted = _words_of(search.words)
    kept: dict[int, str] = {}
    for place in sorted(range(len(words)), key=lambda place: -len(words[place])):
        for form in _forms(words[place]):
            if _finds_any(archive, search, [*_in_order(kept | {place: form}), *unwanted]):
                kept[place] = form
                break
    found = " ".join([*_in_order(kept), *unwanted]) if kept else ""
    return "" if found == " ".join(search.words.split()) else found


def fuller_names(archive: ArchiveFolder, search: PostSearch) -> list[str]:
    """The authors of posts that a search would find under their whole names, where what it has is a part of them;
    who wrote most of the posts that were asked comes first.
    """
    parts = tokenise(search.author)[:MOST_WORDS]
    if not parts:
        return []
    words = " ".join([search.words, *(f"{part}*" for part in parts)]).strip()
    found = search_posts(archive, replace(search, words=words, author=""), limit=POSTS_ASKED)
    names = Counter(author.name for line in found.lines for author in read_post(line).authors)
    fitting = (name for name, _posts in names.most_common() if all(found_at(name, [part]) for part in parts))
    return [*fitting][:MOST_NAMES]


def _words_of(typed: str) -> tuple[list[str], list[str]]:
    """The words that are wanted, also those of "words in a row" one by one; and what is to be left out."""
    wanted, unwanted = list[str](), list[str]()
    for term in TERM.finditer(typed):
        if term["no"]:
            unwanted.append(term[0])
        else:
            wanted += (term["phrase"] or term["word"] or "").split()
    bare = (word.rstrip("*") for word in wanted)
    return list(dict.fromkeys(word for word in bare if any(map(str.isalnum, word))))[:MOST_WORDS], unwanted


def _forms(word: str) -> list[str]:
    """A word as it is, as the beginning of others, and its beginnings, the longest first: who half remembers a word
    has another ending in mind, or a letter too few behind its middle.
    """
    least = max(SHORTEST, len(word) - MOST_LEFT_OFF, len(word) // 2)
    shorter = (word[:length] for length in range(len(word) - 1, least - 1, -1))
    return [word, *(f"{beginning}*" for beginning in (word, *shorter))]


def _in_order(kept: dict[int, str]) -> list[str]:
    return [kept[place] for place in sorted(kept)]


def _finds_any(archive: ArchiveFolder, search: PostSearch, words: list[str]) -> bool:
    found = search_posts(archive, replace(search, words=" ".join(words)), best_first=False, limit=1)
    return bool(found.lines)
