"""Sites that are no blogs, made by real programs: documentation, companies, a news site, a podcast, a shop, a forum.

Each builder writes a site as files for an address and says what kind of site it is.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from lives.seeding import Seed

from .generators import debian, pypi, pypi_python, run_program
from .truth import NOW, sown, write

MADE = Path(__file__).with_name("made")
FEW = 12


@dataclass(frozen=True, slots=True)
class OtherSite:
    """Where the files are, and what the site is."""

    output: Path
    kind: str


BuildOther = Callable[[Path, str], OtherSite]


def sphinx(theme: str, package: str, folder: Path, _home: str) -> OtherSite:
    """The documentation of a program, by Sphinx in one of its themes."""
    names = []
    for name, seed in sown()[:FEW]:
        names.append(name)
        head = f"{seed.title}\n{'=' * len(seed.title)}\n"
        code = ".. code-block:: python\n\n   import kettle\n   kettle.boil(3)\n"
        write(
            folder / f"{name}.rst",
            f"{head}\n{_plain(seed)}\n\nUsage\n-----\n\n{code}\nNotes\n-----\n\n{_plain(seed)}\n",
        )
    tree = ".. toctree::\n   :maxdepth: 2\n\n" + "".join(f"   {name}\n" for name in names)
    write(folder / "index.rst", f"Kettle\n======\n\nA library that boils water.\n\n{tree}")
    write(folder / "conf.py", f"project = 'Kettle'\nversion = '2.1'\nhtml_theme = {theme!r}\n")
    run_program([pypi("sphinx-build", "ablog", "sphinx", package), "-q", ".", "out"], folder)
    return OtherSite(folder / "out", "documentation")


def mkdocs(theme: str, folder: Path, home: str) -> OtherSite:
    """The same by MkDocs."""
    for name, seed in sown()[:FEW]:
        text = f"# {seed.title}\n\n{_plain(seed)}\n\n## Usage\n\n    kettle.boil(3)\n\n## Notes\n\n{_plain(seed)}\n"
        write(folder / f"docs/{name}.md", text)
    write(folder / "docs/index.md", "# Kettle\n\nA library that boils water.\n\n## Install\n\n    pip install kettle\n")
    write(folder / "mkdocs.yml", f"site_name: Kettle\nsite_url: {home}/\ntheme:\n  name: {theme}\n")
    run_program([pypi("mkdocs", "mkdocs", "mkdocs-material"), "build", "-q", "-d", "out"], folder)
    return OtherSite(folder / "out", "documentation")


COMPANY = (
    "<p>{text}</p><h2>Services</h2><ul><li>Boilers</li><li>Pipes</li><li>Repair</li></ul>"
    "<address>Kettle Works Ltd, 12 Quay Street, Port</address><p><a href='tel:+4412345'>+44 12345</a></p>"
)


def pelican_company(folder: Path, home: str) -> OtherSite:
    """A company in Pelican: pages only."""
    for name, seed in sown()[:6]:
        head = f"<html><head><title>{seed.title}</title></head>"
        write(folder / f"content/pages/{name}.html", f"{head}<body>{COMPANY.format(text=_plain(seed))}</body></html>")
    home_page = "<html><head><title>Kettle Works</title><meta name='save_as' content='index.html'></head>"
    body = COMPANY.format(text="We make boilers since 1923.")
    write(folder / "content/pages/home.html", f"{home_page}<body>{body}</body></html>")
    settings: dict[str, object] = {"SITENAME": "Kettle Works", "SITEURL": home, "PATH": "content", "TIMEZONE": "UTC"}
    settings |= {"INDEX_SAVE_AS": "", "FEED_ALL_ATOM": None, "CATEGORY_FEED_ATOM": None, "THEME": "simple"}
    write(folder / "conf.py", "\n".join(f"{key} = {value!r}" for key, value in settings.items()))
    run_program([pypi("pelican", "pelican[markdown]"), "-q", "-s", "conf.py"], folder)
    return OtherSite(folder / "output", "company page")


def jekyll_company(folder: Path, home: str) -> OtherSite:
    """A company in Jekyll's own theme: pages only."""
    for name, seed in sown()[:6]:
        head = f'---\nlayout: page\ntitle: "{seed.title}"\npermalink: /{name}/\n---\n'
        write(folder / f"{name}.md", f"{head}{COMPANY.format(text=_plain(seed))}\n")
    write(folder / "index.md", f"---\nlayout: page\ntitle: Kettle Works\n---\n{COMPANY.format(text='Since 1923.')}\n")
    write(folder / "_config.yml", f"title: Kettle Works\nurl: {home}\ntheme: minima\n")
    run_program([debian("jekyll"), "build", "-q"], folder)
    return OtherSite(folder / "_site", "company page")


def pelican_news(folder: Path, home: str) -> OtherSite:
    """A news site in Pelican: many writers, sections, an item every quarter of an hour."""
    writers = [f"Reporter {letter}" for letter in "ABCDEFGHIJ"]
    sections = ("politics", "economy", "sports", "culture", "world", "science")
    for number, (name, seed) in enumerate(sown()):
        moment = NOW - timedelta(minutes=15 * number)
        facts = {"date": f"{moment:%Y-%m-%d %H:%M}", "category": sections[number % 6], "author": writers[number % 10]}
        metas = "".join(f'<meta name="{key}" content="{value}">' for key, value in facts.items())
        page = f"<html><head><title>{seed.title}</title>{metas}</head><body>{seed.html}</body></html>"
        write(folder / f"content/{name}.html", page)
    settings: dict[str, object] = {"SITENAME": "The Quay Times", "SITEURL": home, "PATH": "content", "TIMEZONE": "UTC"}
    settings |= {"FEED_ALL_ATOM": "feeds/all.atom.xml", "DEFAULT_PAGINATION": 50, "THEME": "notmyidea"}
    write(folder / "conf.py", "\n".join(f"{key} = {value!r}" for key, value in settings.items()))
    run_program([pypi("pelican", "pelican[markdown]"), "-q", "-s", "conf.py"], folder)
    return OtherSite(folder / "output", "news site")


PODCAST = """---
layout: null
---
<?xml version="1.0"?><rss version="2.0"><channel><title>The Kettle Hour</title><link>{home}/</link>
{{% for post in site.posts %}}<item><title>{{{{ post.title | xml_escape }}}}</title>
<link>{home}{{{{ post.url }}}}</link>
<pubDate>{{{{ post.date | date_to_rfc822 }}}}</pubDate><enclosure url="{home}/{{{{ post.slug }}}}.mp3" type="audio/mpeg"
length="1"/><description>An hour.</description></item>{{% endfor %}}</channel></rss>
"""


def jekyll_podcast(folder: Path, home: str) -> OtherSite:
    """A podcast in Jekyll."""
    for name, seed in sown()[:20]:
        head = f'layout: post\ntitle: "{seed.title}"\ndate: {seed.published[:19]}Z'
        sound = f'<audio controls src="/{name}.mp3"></audio>'
        write(folder / f"_posts/{seed.published[:10]}-{name}.html", f"---\n{head}\n---\n{sound}<p>{_plain(seed)}</p>\n")
    write(folder / "index.md", "---\nlayout: home\n---\n")
    write(folder / "feed.xml", PODCAST.format(home=home))
    write(folder / "_config.yml", f"title: The Kettle Hour\nurl: {home}\ntheme: minima\ntimezone: UTC\n")
    run_program([debian("jekyll"), "build", "-q"], folder)
    return OtherSite(folder / "_site", "podcast")


def django_site(script: str, kind: str, packages: tuple[str, ...], folder: Path, home: str) -> OtherSite:
    """A site that runs in Django: filled by a script of ours, its pages written to files."""
    python = pypi_python(script, *packages)
    folder.mkdir(parents=True, exist_ok=True)
    call = [python, str(MADE / f"{script}.py"), str(folder / "out"), home]
    subprocess.run(call, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  our own lab
    return OtherSite(folder / "out", kind)


def _plain(seed: Seed) -> str:
    """The words of a post without its mark-up."""
    words, inside = [], False
    for letter in seed.html:
        inside = letter == "<" or (inside and letter != ">")
        if not inside:
            words.append(" " if letter == ">" else letter)
    return " ".join("".join(words).split())


OTHERS: Mapping[str, BuildOther] = {
    "sphinx-alabaster": partial(sphinx, "alabaster", "alabaster"),
    "sphinx-rtd": partial(sphinx, "sphinx_rtd_theme", "sphinx-rtd-theme"),
    "sphinx-furo": partial(sphinx, "furo", "furo"),
    "mkdocs": partial(mkdocs, "mkdocs"),
    "mkdocs-readthedocs": partial(mkdocs, "readthedocs"),
    "mkdocs-material": partial(mkdocs, "material"),
    "pelican-company": pelican_company,
    "jekyll-company": jekyll_company,
    "pelican-news": pelican_news,
    "jekyll-podcast": jekyll_podcast,
    "oscar": partial(django_site, "oscar_site", "shop", ("django-oscar[sorl-thumbnail]",)),
    "machina": partial(django_site, "machina_site", "forum", ("django-machina",)),
    "wagtail": partial(django_site, "wagtail_site", "company page", ("wagtail",)),
}
