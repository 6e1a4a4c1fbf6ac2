"""What was half remembered: as many of somebody's words as some post holds, where none holds all of them."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder
from blogforever.store.indexes import TERM

from .browsing import search_posts

# Words that are looked at, each by a search or two: who pastes a whole sentence means its beginning.
MOST_WORDS = 12


def looser_words(archive: ArchiveFolder, search: PostSearch) -> str:
    """Words that find something where those of a search find nothing: the longest, which tell most,
    and each further one that goes with them, as it is or as the beginning of a word. Empty where
    there is nothing looser, or it finds nothing either.
    """
    words, unwanted = _words_of(search.words)
    kept: dict[int, str] = {}
    for place in sorted(range(len(words)), key=lambda place: -len(words[place])):
        for form in (words[place], f"{words[place]}*"):
            if _finds_any(archive, search, [*_in_order(kept | {place: form}), *unwanted]):
                kept[place] = form
                break
    found = " ".join([*_in_order(kept), *unwanted]) if kept else ""
    return "" if found == " ".join(search.words.split()) else found


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


def _in_order(kept: dict[int, str]) -> list[str]:
    return [kept[place] for place in sorted(kept)]


def _finds_any(archive: ArchiveFolder, search: PostSearch, words: list[str]) -> bool:
    found = search_posts(archive, replace(search, words=" ".join(words)), best_first=False, limit=1)
    return bool(found.lines)
