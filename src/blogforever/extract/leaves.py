"""Pictures, films and frames as cleaned mark-up, each with its real address, and what they show."""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text
from blogforever.extract.pictures import (
    fallback_url,
    frame_url,
    is_tracker,
    picture_set,
    picture_url,
    written_set,
)
from blogforever.extract.safe import FILM, PICTURE
from blogforever.extract.visible import Attributes
from blogforever.extract.writing import present, sized, tag_of
from blogforever.model import MediaRef
from blogforever.urls import join

PICTURES = frozenset(["img", "amp-img", "picture"])
OLD_PLAYER = re.compile(r"^(https?://www\.youtube(?:-nocookie)?\.com)/v/")
VIDEO_ID = re.compile(r"[\w-]{5,20}")
PLAYER_PARTS = "embed[src], iframe[src], param[name=movie], param[name=src]"

# Sources, tracks or pictures of one element that are read; no honest one has more.
MOST_PARTS = 200
# Elements around a picture of which one may be its figure: a link, a wrapper for its size.
FIGURE_DEPTH = 4


class LeafWriter:
    """Writes elements that show something without text, and gathers the media they show."""

    def __init__(self, base: str, out: list[str]) -> None:
        self.base = base
        self.out = out
        self.written = 0
        self.media: dict[str, MediaRef] = {}
        self.captions: dict[int, str | None] = {}
        # The picture that a noscript has shown in place of a lazy one.
        self.promised: str | None = None

    def _write(self, name: str, attributes: Attributes, end: str = "") -> None:
        self.written += 1
        self.out.append(tag_of(name, attributes) + end)

    # --- pictures

    def picture(self, node: LexborNode, attributes: Attributes) -> None:
        """An img element, or the noscript beside it, whichever knows the picture."""
        if is_tracker(attributes):
            return
        url = picture_url(attributes, self.base)
        if url is None and _has_picture(_beside(node.next, forward=True)):
            return
        url = url or fallback_url(attributes, self.base)
        if url is None or url == self.promised:
            self.promised = None
            return
        self._write_picture(node, url, attributes)

    def _write_picture(self, node: LexborNode, url: str, attributes: Attributes) -> None:
        """An img element with its real address."""
        kept: Attributes = {"src": url, **sized(attributes, PICTURE)}
        sizes = picture_set(attributes, self.base)
        if sizes:
            kept["srcset"] = written_set(sizes)
            kept |= present(attributes, ("sizes",))
        self._write("img", kept)
        if not url.startswith("data:") and url not in self.media:
            alt = attributes.get("alt") or None
            self.media[url] = MediaRef(url, alt=alt, caption=self._caption(node))

    def unscripted(self, node: LexborNode, _: Attributes) -> None:
        """A noscript element: only the pictures that a lazy one beside it stands for."""
        before = _beside(node.prev, forward=False)
        if before is not None and _is_known_picture(before, self.base):
            return
        for image in node.css("img")[:MOST_PARTS]:
            attributes = image.attributes
            url = picture_url(attributes, self.base)
            if url and url not in self.media and not is_tracker(attributes):
                self._write_picture(node, url, attributes)
                self.promised = url

    def choice(self, node: LexborNode, _: Attributes) -> None:
        """A picture element with its sources."""
        start = len(self.out)
        for source in node.css("source")[:MOST_PARTS]:
            self._write_source(source)
        sources = self.out[start:]
        del self.out[start:]
        image = node.css_first("img")
        if image is not None:
            self.picture(image, image.attributes)
        is_image_written = len(self.out) > start
        if sources and is_image_written:
            self.out[start:] = ["<picture>", *sources, self.out[-1], "</picture>"]

    def _write_source(self, source: LexborNode) -> None:
        sizes = picture_set(source.attributes, self.base)
        if sizes:
            kept: Attributes = {"srcset": written_set(sizes)}
            self._write("source", kept | present(source.attributes, ("type", "media", "sizes")))

    # --- films and frames

    def frame(self, node: LexborNode, attributes: Attributes) -> None:
        """An embedded page or player."""
        url = frame_url(attributes, self.base) or _player(node, attributes, self.base)
        if url is None or is_tracker(attributes):
            return
        if (attributes.get("type") or "").startswith("image/"):
            self._write_picture(node, url, attributes)
            return
        url = OLD_PLAYER.sub(r"\1/embed/", url)
        kept: Attributes = {"src": url, **sized(attributes, ("title", *FILM))}
        self._write("iframe", kept | {"allowfullscreen": ""}, "</iframe>")
        self.media.setdefault(url, MediaRef(url, role="embed"))

    def film(self, node: LexborNode, attributes: Attributes) -> None:
        """A video or audio element with its sources and tracks."""
        name = "audio" if node.tag == "audio" else "video"
        url = frame_url(attributes, self.base)
        kept = self._film_attributes(attributes, url)
        inner = "".join([self._part(part) for part in node.css("source, track")[:MOST_PARTS]])
        if url is None and not inner:
            return
        self._write(name, kept, inner + f"</{name}>")
        parts = node.css("source")[:MOST_PARTS]
        sources = [frame_url(part.attributes, self.base) for part in parts]
        for address in filter(None, [url, *sources]):
            shown = MediaRef(address, role=name, caption=self._caption(node))
            self.media.setdefault(address, shown)

    def _film_attributes(self, attributes: Attributes, url: str | None) -> Attributes:
        kept: Attributes = sized(attributes, FILM) | {"controls": ""}
        if url:
            kept["src"] = url
        poster = attributes.get("poster")
        picture = join(self.base, poster) if poster else None
        if picture:
            kept["poster"] = picture
        return kept

    def _part(self, node: LexborNode) -> str:
        """A source or track; empty without an address."""
        attributes = node.attributes
        url = frame_url(attributes, self.base)
        if url is None:
            return ""
        kept: Attributes = {"src": url, **present(attributes, ("type", "kind", "srclang", "label"))}
        return tag_of(node.tag or "", kept)

    def _caption(self, node: LexborNode) -> str | None:
        figure = _figure(node)
        if figure is None:
            return None
        if figure.mem_id not in self.captions:  # one figure may hold thousands of pictures
            caption = figure.css_first("figcaption, .wp-caption-text")
            text = node_text(caption) if caption is not None else ""
            self.captions[figure.mem_id] = text or None
        return self.captions[figure.mem_id]


FRAMES = ("iframe", "amp-iframe", "object", "embed", "amp-youtube", "lite-youtube")
FILMS = ("audio", "video", "amp-video")
LEAF_WRITERS: dict[str, Callable[[LeafWriter, LexborNode, Attributes], None]] = {
    "img": LeafWriter.picture,
    "amp-img": LeafWriter.picture,
    "noscript": LeafWriter.unscripted,
    "picture": LeafWriter.choice,
    **dict.fromkeys(FRAMES, LeafWriter.frame),
    **dict.fromkeys(FILMS, LeafWriter.film),
}
LEAVES = frozenset(LEAF_WRITERS)


def _player(node: LexborNode, attributes: Attributes, base: str) -> str | None:
    """The address in an old object element or a named player."""
    video = attributes.get("videoid") or attributes.get("data-videoid")
    if video:
        return f"https://www.youtube.com/embed/{video}" if VIDEO_ID.fullmatch(video) else None
    for part in node.css(PLAYER_PARTS):
        value = part.attributes.get("src") or part.attributes.get("value")
        url = join(base, value) if value else None
        if url:
            return url
    return None


def _figure(node: LexborNode) -> LexborNode | None:
    """The element around a picture that may hold its caption."""
    current = node.parent
    for _ in range(FIGURE_DEPTH):
        if current is None:
            return None
        classes = (current.attributes.get("class") or "").split()
        if current.tag == "figure" or "wp-caption" in classes:
            return current
        current = current.parent
    return None


def _beside(node: LexborNode | None, *, forward: bool) -> LexborNode | None:
    """The nearest sibling that is not white space."""
    while node is not None and _is_white_space(node):
        node = node.next if forward else node.prev
    return node


def _is_white_space(node: LexborNode) -> bool:
    return node.is_text_node and not (node.text_content or "").strip()


def _has_picture(node: LexborNode | None) -> bool:
    """Whether a node is what a page shows without scripts, with a picture in it."""
    return node is not None and node.tag == "noscript" and node.css_first("img") is not None


def _is_known_picture(node: LexborNode, base: str) -> bool:
    """Whether a node is a picture that tells its real address."""
    if node.tag not in PICTURES:
        return False
    image = node if node.tag != "picture" else node.css_first("img")
    return image is not None and picture_url(image.attributes, base) is not None
