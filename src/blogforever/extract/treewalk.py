"""One loop over a tree that need not go into every element, and is told when each one ends."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborNode


def walk_tree(
    root: LexborNode,
    enter: Callable[[LexborNode], bool],
    leave: Callable[[], None],
) -> None:
    """Show every node to `enter`, which says whether to go into it; tell `leave` when one ends.

    A loop and no recursion, for hostile pages make trees as deep as they like.
    """
    opened: list[LexborNode] = []
    node = root
    while True:
        if enter(node):
            below = node.child
            if below is not None:
                opened.append(node)
                node = below
                continue
            leave()
        following = node.next if opened else None
        while following is None:
            if not opened:
                return
            node = opened.pop()
            leave()
            following = node.next if opened else None
        node = following
