"""How each program is fed and run: out of Debian, or of PyPI into a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from labblog import CACHE

from .truth import ABOUT, TITLE, Built, TruePost, sown, write

Build = Callable[[Path, str], Built]
"""Builds a blog in a folder for an address (without a slash at its end)."""


class NotHereError(Exception):
    """A program that cannot be had."""


def pelican(folder: Path, home: str) -> Built:
    """Pelican in the theme it brings."""
    for name, seed in sown():
        facts = {"date": seed.published[:16].replace("T", " "), "tags": ", ".join(seed.tags), "author": seed.author}
        metas = "".join(f'<meta name="{key}" content="{value}">' for key, value in facts.items())
        page = f"<html><head><title>{seed.title}</title>{metas}</head><body>{seed.html}</body></html>"
        write(folder / f"content/{name}.html", page)
    about = f"<html><head><title>About</title></head><body><p>{ABOUT}</p></body></html>"
    write(folder / "content/pages/about.html", about)
    settings = {"SITENAME": TITLE, "SITEURL": home, "PATH": "content", "TIMEZONE": "UTC", "THEME": "notmyidea"}
    settings |= {"FEED_ALL_ATOM": "feeds/all.atom.xml", "DEFAULT_CATEGORY": "notes"}
    lines = [f"{key} = {value!r}" for key, value in settings.items()]
    write(folder / "conf.py", "\n".join([*lines, "DEFAULT_PAGINATION = 8\n"]))
    run_program([pypi("pelican", "pelican[markdown]"), "-q", "-s", "conf.py"], folder)
    posts = [TruePost(f"{home}/{name}.html", seed, seed.author, seed.tags) for name, seed in sown()]
    return Built(folder / "output", posts)


def nikola(folder: Path, home: str) -> Built:
    """Nikola as it begins."""
    program = pypi("nikola", "nikola")
    run_program([program, "init", "-q", "."], folder)
    for name, seed in sown():
        facts = {"title": seed.title, "slug": name, "date": f"{seed.published[:19].replace('T', ' ')} UTC"}
        facts |= {"author": seed.author, "tags": ", ".join(seed.tags)}
        lines = "\n".join(f".. {key}: {value}" for key, value in facts.items())
        write(folder / f"posts/{name}.html", f"<!--\n{lines}\n-->\n{seed.html}\n")
    own = {"SITE_URL": f"{home}/", "BLOG_TITLE": TITLE, "POSTS": (("posts/*.html", "posts", "post.tmpl"),)}
    own |= {"COMMENT_SYSTEM": ""}
    settings = (folder / "conf.py").read_text(encoding="utf-8")
    write(folder / "conf.py", settings + "\n".join(f"{key} = {value!r}" for key, value in own.items()))
    run_program([program, "build", "-q"], folder)
    posts = [TruePost(f"{home}/posts/{name}/", seed, seed.author, seed.tags) for name, seed in sown()]
    return Built(folder / "output", posts)


def ablog(folder: Path, home: str) -> Built:
    """Sphinx with its extension for blogs."""
    for name, seed in sown():
        facts = f"   :tags: {', '.join(seed.tags)}\n   :author: {seed.author}\n"
        day = f"{datetime.fromisoformat(seed.published):%b %d, %Y}"
        head = f"{seed.title}\n{'=' * len(seed.title)}\n\n.. post:: {day}\n{facts}"
        write(folder / f"posts/{name}.rst", f"{head}\n.. raw:: html\n\n   {seed.html}\n")
    write(folder / "about.rst", f"About\n=====\n\n{ABOUT}\n")
    index = f"{TITLE}\n{'=' * len(TITLE)}\n\n.. postlist:: 5\n   :excerpts:\n\n.. toctree::\n   :hidden:\n\n   about\n"
    write(folder / "index.rst", index)
    bars = ("ablog/postcard.html", "ablog/recentposts.html", "ablog/tagcloud.html", "ablog/archives.html")
    settings = {"project": TITLE, "blog_title": TITLE, "blog_baseurl": home, "extensions": ["ablog"]}
    lines = [f"{key} = {value!r}" for key, value in (settings | {"html_sidebars": {"**": list(bars)}}).items()]
    write(folder / "conf.py", "\n".join(lines))
    run_program([pypi("sphinx-build", "ablog", "sphinx"), "-q", ".", "out"], folder)
    posts = [TruePost(f"{home}/posts/{name}.html", seed, seed.author, seed.tags) for name, seed in sown()]
    return Built(folder / "out", posts)


def jekyll(folder: Path, home: str) -> Built:
    """Jekyll in its own theme, which shows no tags; those of the newest stand in the feed."""
    for name, seed in sown():
        head = f'layout: post\ntitle: "{seed.title}"\nauthor: {seed.author}\ndate: {seed.published[:19]}Z'
        write(folder / f"_posts/{seed.published[:10]}-{name}.html", f"---\n{head}\n---\n{seed.html}\n")
    write(folder / "index.md", "---\nlayout: home\n---\n")
    write(folder / "about.md", f"---\nlayout: page\ntitle: About\npermalink: /about/\n---\n{ABOUT}\n")
    write(
        folder / "_config.yml", f"title: {TITLE}\nurl: {home}\ntheme: minima\nplugins: [jekyll-feed]\ntimezone: UTC\n"
    )
    run_program([debian("jekyll"), "build", "-q"], folder)
    days = {name: seed.published[:10].replace("-", "/") for name, seed in sown()}
    posts = [TruePost(f"{home}/{days[name]}/{name}.html", seed, seed.author) for name, seed in sown()]
    return Built(folder / "_site", posts)


def chronicle(folder: Path, home: str) -> Built:
    """Chronicle, which shows no authors."""
    posts = []
    for name, seed in sown():
        moment = f"{datetime.fromisoformat(seed.published):%d %B %Y %H:%M}"
        head = f"Title: {seed.title}\nDate: {moment}\nTags: {', '.join(seed.tags)}"
        write(folder / f"in/{name}.txt", f"{head}\n\n{seed.html}\n")
        file = "".join(letter if letter.isalnum() else "_" for letter in seed.title.lower())
        posts.append(TruePost(f"{home}/{file}.html", seed, "", seed.tags))
    places = [f"--input={folder / 'in'}", f"--output={folder / 'out'}", f"--url-prefix={home}/"]
    run_program([debian("chronicle"), *places, "--lower-case", "--no-cache", "--format=html"], folder)
    return Built(folder / "out", posts)


IKIWIKI = """# IkiWiki::Setup::Yaml - YAML formatted setup file
wikiname: {title}
srcdir: {folder}/src
destdir: {folder}/out
url: {home}
cgiurl: {home}/ikiwiki.cgi
add_plugins: [goodstuff, comments, sidebar, html, tag]
comments_pagespec: "posts/*"
tagbase: tags
rss: 1
atom: 1
discussion: 0
tag_autocreate: 1
global_sidebars: 1
"""


def ikiwiki(folder: Path, home: str) -> Built:
    """Ikiwiki, whose pages say only when they were last edited, with comments that are counted."""
    source, posts = folder / "src", []
    for name, seed in sown():
        facts = {"title": seed.title, "author": seed.author, "date": f"{seed.published[:19]}Z"}
        head = "\n".join(f'[[!meta {key}="{value}"]]' for key, value in facts.items())
        write(source / f"posts/{name}.html", f"{head}\n[[!tag {' '.join(seed.tags)}]]\n{seed.html}\n")
        for number, said in enumerate(seed.comments, 1):
            about = f'username="{said.author}" subject="comment {number}" date="{said.published[:19]}Z"'
            comment = f'[[!comment format=mdwn {about} content="""\n{said.text}\n"""]]\n'
            write(source / f"posts/{name}/comment_{number}_{number:032x}._comment", comment)
        posts.append(TruePost(f"{home}/posts/{name}/", seed, seed.author, seed.tags, seed.comments))
    every = 'pages="page(posts/*)" feeds=no archive=yes quick=yes show=0'
    write(source / "index.mdwn", '[[!inline pages="page(posts/*)" show="10" rootpage="posts"]]\n')
    write(source / "archives.mdwn", f"[[!inline {every}]]\n")
    write(source / "sidebar.mdwn", "[[Archives]]\n")
    write(folder / "iki.setup", IKIWIKI.format(title=TITLE, folder=folder, home=home))
    run_program([debian("ikiwiki"), "--setup", "iki.setup", "--rebuild"], folder)
    return Built(folder / "out", posts)


PROGRAMS: Mapping[str, Build] = {
    build.__name__: build for build in (pelican, nikola, ablog, jekyll, chronicle, ikiwiki)
}


def debian(program: str) -> str:
    """A program of Debian's."""
    found = shutil.which(program)
    if found is None:
        raise NotHereError(f"{program} is not installed: apt-get install {program}")
    return found


def pypi(program: str, *packages: str) -> str:
    """A program of PyPI's in an environment of its own; made where there is none."""
    python = pypi_python(program, *packages, makes=program)
    return str(Path(python).with_name(program))


def pypi_python(name: str, *packages: str, makes: str = "") -> str:
    """The Python of an environment of its own with these packages; made where there is none."""
    python = CACHE / "strangers" / name / "bin" / "python"
    wanted = sorted(packages)
    noted = python.parents[1] / "packages"
    has_all = noted.exists() and set(wanted) <= set(noted.read_text(encoding="utf-8").split())
    if not has_all or (makes and not python.with_name(makes).exists()):
        install = [str(python), "-m", "pip", "install", "-q", *packages]
        make = [sys.executable, "-m", "venv", str(python.parents[1])]
        for call in [install] if python.exists() else [make, install]:
            if subprocess.run(call, check=False, stdout=sys.stderr).returncode:  # noqa: S603  our own lab
                shutil.rmtree(python.parents[1], ignore_errors=True)
                raise NotHereError(f"{name} cannot be installed here: `pip install` did not get it")
        before = noted.read_text(encoding="utf-8").split() if noted.exists() else []
        noted.write_text(" ".join(sorted({*before, *wanted})), encoding="utf-8")
    return str(python)


def run_program(call: Sequence[str], folder: Path) -> None:
    """Run a program in a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(call, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  our own lab
