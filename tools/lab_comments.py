"""The comments of a real WordPress, crawled twice, against what its database says.

    python tools/lab_comments.py DATA PORT

Prints one line for each figure and ends with 1 where one is wrong. A post behind a password shows nobody its comments;
its feed still tells who wrote when, so those are records without text and without a parent. A pingback's date is only
in its post's feed, which has the ten newest: one that is older may have none.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from blogforever.extract.clean import clean_article
from blogforever.urls import url_key
from labblog import Figures, Json, crawl, wordpress, words


def compare(name: str, truth: Json, posts: dict[str, Json]) -> Figures:
    """Each comment of the truth against the record's own, by the number WordPress gave it."""
    figures = Figures(name)
    for told in truth["posts"]:
        shown = posts.get(url_key(told["url"]), {"comments": []})["comments"]
        found = {comment["native_id"]: comment for comment in shown}
        numbers = {comment["id"]: comment["native_id"] for comment in shown}
        known = {str(comment["id"]) for comment in told["comments"]}
        figures.add(
            "posts", told["url"], True, {"all comments": known <= found.keys(), "no other": found.keys() <= known}
        )
        for comment in told["comments"]:
            mine = found.get(str(comment["id"]))
            facts = _facts(comment, mine, numbers, told["protected"]) if mine else {}
            figures.add("comments", comment["link"], mine is not None, facts)
    return figures


def _facts(told: Json, mine: Json, numbers: dict[str, str], protected: bool) -> dict[str, bool]:
    parent = numbers.get(mine["parent"] or "", "0")
    return {
        "parent": parent == ("0" if protected else str(told["parent"])),
        "kind": protected or mine["kind"] == told["type"],
        "author": (mine["author"] or {}).get("name") == told["author"],
        "date": mine["published"][:10] == told["date_gmt"][:10] if mine["published"] else told["type"] == "pingback",
        "text": _same_text(mine["text"], "" if protected else told["content"], told["author"]),
    }


def _same_text(mine: str, told: str, author: str) -> bool:
    """The same words; a page may show nothing of a pingback but its title."""
    titled = (f"Pingback: {author}", author)
    return words(mine) in [words(text) for text in (clean_article(told, "").text, *titled)]


def identities(posts: dict[str, Json]) -> set[tuple[str, str]]:
    """Which comment stands under which post."""
    return {(post["id"], comment["id"]) for post in posts.values() for comment in post["comments"]}


def main() -> int:
    """Crawl twice and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the lab's WordPress; made where it is missing")
    parser.add_argument("port", type=int, help="loopback port it listens on")
    chosen = parser.parse_args()
    with wordpress(chosen.data.resolve(), chosen.port) as truth, tempfile.TemporaryDirectory() as folder:
        options = ("--requisites", "none", "--render", "never")
        first, second = (crawl(truth["home"], Path(folder) / "archive", *options) for _ in range(2))
    good = compare("first crawl", truth, first).tell()
    good &= compare("second crawl", truth, second).tell()
    longest = max(truth["posts"], key=lambda post: len(post["comments"]))
    got = len(first.get(url_key(longest["url"]), {"comments": []})["comments"])
    same = identities(first) & identities(second)
    print(f"the longest thread: {got} of {len(longest['comments'])}")
    print(f"the same ids after the second crawl: {len(same)} of {len(identities(first) | identities(second))}")
    return 0 if good and same == identities(first) == identities(second) else 1


if __name__ == "__main__":
    raise SystemExit(main())
