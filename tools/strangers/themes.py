"""Blogs and documentation in many themes: these differ more from each other than the programs that use them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from labblog import CACHE

from .generators import NotHereError, ablog, pypi, run_program
from .others import BuildOther, OtherSite, mkdocs, sphinx
from .truth import ABOUT, TITLE, sown, write

HEXO = """hexo@8.1.2 hexo-cli@4.3.2 hexo-renderer-marked hexo-renderer-ejs hexo-renderer-stylus hexo-renderer-pug
hexo-renderer-less hexo-renderer-nunjucks hexo-generator-index
hexo-generator-archive hexo-generator-category hexo-generator-tag hexo-generator-feed hexo-pagination""".split()
HEXO_THEMES = """landscape butterfly fluid icarus apollo stun pure keep redefine ayer melody
reimu aurora solitude stellar diaspora async particlex""".split()
LANGUAGES = ("en", "de", "zh-CN", "fr", "es", "ja", "ru", "pt-BR")
SPHINX_THEMES: Mapping[str, str] = {
    "sphinx_book_theme": "sphinx-book-theme",
    "pydata_sphinx_theme": "pydata-sphinx-theme",
    "piccolo_theme": "piccolo-theme",
    "shibuya": "shibuya",
    "python_docs_theme": "python-docs-theme",
    "classic": "sphinx",
    "bizstyle": "sphinx",
    "nature": "sphinx",
    "haiku": "sphinx",
    "pyramid": "sphinx",
    "scrolls": "sphinx",
    "agogo": "sphinx",
}
MKDOCS_THEMES: Mapping[str, str] = {
    "cinder": "mkdocs-cinder",
    "bootstrap": "mkdocs-bootstrap",
    "gitbook": "mkdocs-gitbook",
    "ivory": "mkdocs-ivory",
    "windmill": "mkdocs-windmill",
    "terminal": "mkdocs-terminal",
}
PELICAN_THEMES = ("simple",)
NIKOLA_THEMES = ("base", "base-jinja", "bootstrap3", "bootstrap4-jinja", "bootblog4")


def hexo(theme: str, language: str, folder: Path, home: str) -> OtherSite:
    """A blog by Hexo in one of its themes."""
    npm = _hexo_packages()
    for name in ("package.json", "node_modules"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(npm / name)
    for name, seed in sown():
        facts = {"title": seed.title, "date": seed.published[:19].replace("T", " "), "tags": list(seed.tags)}
        head = "\n".join(f"{key}: {json.dumps(value)}" for key, value in facts.items())
        write(folder / f"source/_posts/{name}.md", f"---\n{head}\n---\n{seed.html}\n")
    write(folder / "source/about/index.md", f"---\ntitle: About\n---\n{ABOUT}\n")
    settings: dict[str, object] = {"title": TITLE, "url": home, "theme": theme, "language": language, "timezone": "UTC"}
    settings |= {"permalink": ":title/" if len(theme) % 2 else ":year/:month/:day/:title/", "author": "Vera Lind"}
    settings |= {"feed": {"type": "atom", "path": "atom.xml"}}
    write(folder / "_config.yml", json.dumps(settings))
    run_program(["node", "node_modules/hexo-cli/bin/hexo", "generate", "--force"], folder)
    front = folder / "public/index.html"
    if not front.exists() or not front.stat().st_size:
        raise NotHereError(f"Hexo cannot build the theme {theme}")
    return OtherSite(folder / "public", "blog")


def _hexo_packages() -> Path:
    """The folder with Hexo and all its themes, installed once; a theme that cannot be had is left
    out.
    """
    folder = CACHE / "strangers" / "hexo"
    if not (folder / "node_modules/hexo").exists():
        write(folder / "package.json", '{"name": "site", "private": true, "hexo": {"version": "8.1.2"}}')
        wanted = [*HEXO, *(f"hexo-theme-{theme}" for theme in HEXO_THEMES)]
        call = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"]
        if subprocess.run([*call, *wanted], cwd=folder, check=False).returncode:  # noqa: S603  our own lab
            raise NotHereError("Hexo cannot be installed here")
    return folder


def themed_ablog(theme: str, package: str, folder: Path, home: str) -> OtherSite:
    """A blog by Sphinx that looks like documentation."""
    pypi("sphinx-build", "ablog", "sphinx", package)
    ablog(folder, home)
    settings = (folder / "conf.py").read_text(encoding="utf-8")
    write(folder / "conf.py", f"{settings}\nhtml_theme = {theme!r}\n")
    run_program([pypi("sphinx-build", "ablog", "sphinx", package), "-q", "-E", ".", "themed"], folder)
    return OtherSite(folder / "themed", "blog")


def themed_mkdocs(theme: str, package: str, folder: Path, home: str) -> OtherSite:
    """Documentation by MkDocs in one of its themes."""
    pypi("mkdocs", "mkdocs", "mkdocs-material", package)
    return mkdocs(theme, folder, home)


def material_blog(folder: Path, home: str) -> OtherSite:
    """A blog by the plugin of MkDocs' best known theme."""
    for name, seed in sown():
        head = f"---\ndate: {seed.published[:10]}\ncategories: [{seed.tags[0]}]\n---\n\n# {seed.title}\n\n"
        write(folder / f"docs/posts/{name}.md", f"{head}{seed.html}\n")
    write(folder / "docs/about.md", f"# About\n\n{ABOUT}\n")
    write(folder / "docs/index.md", f"# {TITLE}\n")
    plugins = "plugins:\n  - blog:\n      blog_dir: .\n      post_excerpt: optional\n      archive: true\n"
    write(folder / "mkdocs.yml", f"site_name: {TITLE}\nsite_url: {home}/\ntheme:\n  name: material\n{plugins}")
    run_program([pypi("mkdocs", "mkdocs", "mkdocs-material"), "build", "-q", "-d", "out"], folder)
    return OtherSite(folder / "out", "blog")


def pelican_theme(theme: str, folder: Path, home: str) -> OtherSite:
    """A blog by Pelican in another theme, with a front page of titles only."""
    for name, seed in sown():
        facts = {"date": seed.published[:16].replace("T", " "), "tags": ", ".join(seed.tags), "author": seed.author}
        metas = "".join(f'<meta name="{key}" content="{value}">' for key, value in facts.items())
        page = f"<html><head><title>{seed.title}</title>{metas}</head><body>{seed.html}</body></html>"
        write(folder / f"content/{name}.html", page)
    settings: dict[str, object] = {"SITENAME": TITLE, "SITEURL": home, "PATH": "content", "TIMEZONE": "UTC"}
    settings |= {"FEED_ALL_ATOM": "feeds/all.atom.xml", "DEFAULT_PAGINATION": 10, "THEME": theme}
    write(folder / "conf.py", "\n".join(f"{key} = {value!r}" for key, value in settings.items()))
    run_program([pypi("pelican", "pelican[markdown]"), "-q", "-s", "conf.py"], folder)
    return OtherSite(folder / "output", "blog")


def nikola_theme(theme: str, folder: Path, home: str) -> OtherSite:
    """A blog by Nikola in another of the themes it brings; some show only titles on the front
    page.
    """
    program = pypi("nikola", "nikola")
    run_program([program, "init", "-q", "."], folder)
    for name, seed in sown():
        facts = {"title": seed.title, "slug": name, "date": f"{seed.published[:19].replace('T', ' ')} UTC"}
        lines = "\n".join(f".. {key}: {value}" for key, value in facts.items())
        write(folder / f"posts/{name}.html", f"<!--\n{lines}\n-->\n{seed.html}\n")
    own: dict[str, object] = {"SITE_URL": f"{home}/", "BLOG_TITLE": TITLE, "THEME": theme, "COMMENT_SYSTEM": ""}
    own |= {"POSTS": (("posts/*.html", "posts", "post.tmpl"),), "INDEX_TEASERS": len(theme) % 2 == 0}
    settings = (folder / "conf.py").read_text(encoding="utf-8")
    write(folder / "conf.py", settings + "\n".join(f"{key} = {value!r}" for key, value in own.items()))
    run_program([program, "build", "-q"], folder)
    return OtherSite(folder / "output", "blog")


THEMES: Mapping[str, BuildOther] = {
    **{
        f"hexo-{theme}": partial(hexo, theme, LANGUAGES[number % len(LANGUAGES)])
        for number, theme in enumerate(HEXO_THEMES)
    },
    **{f"sphinx-{theme}": partial(sphinx, theme, package) for theme, package in SPHINX_THEMES.items()},
    **{f"mkdocs-{theme}": partial(themed_mkdocs, theme, package) for theme, package in MKDOCS_THEMES.items()},
    **{
        f"ablog-{theme}": partial(themed_ablog, theme, SPHINX_THEMES.get(theme, theme))
        for theme in ("pydata_sphinx_theme", "classic")
    },
    "mkdocs-material-blog": material_blog,
    **{f"pelican-{theme}": partial(pelican_theme, theme) for theme in PELICAN_THEMES},
    **{f"nikola-{theme}": partial(nikola_theme, theme) for theme in NIKOLA_THEMES},
}
