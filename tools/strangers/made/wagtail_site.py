"""A company in Wagtail as `wagtail start` makes it, with pages of its own in a template of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

work, out, home = Path.cwd(), Path(sys.argv[1]), sys.argv[2]
HERE = Path(__file__).parent
BODY = """
from django.db import models
from wagtail.fields import RichTextField
from wagtail.models import Page


class HomePage(Page):
    body = RichTextField(blank=True)
"""
TEMPLATE = """{% extends "base.html" %}{% load wagtailcore_tags %}{% block content %}
<nav><ul>{% for one in page.get_site.root_page.get_children.live %}<li><a href="{{ one.url }}">{{ one.title }}</a></li>
{% endfor %}</ul></nav><main><h1>{{ page.title }}</h1>{{ page.body|richtext }}</main>
<footer><address>Kettle Works Ltd, 12 Quay Street</address><form action="/contact/"><input type="email"></form></footer>
{% endblock %}"""
FILL = """
import sys
sys.path.insert(0, {here!r})
from pathlib import Path
from django.test import Client
from home.models import HomePage
from pages import write_pages
root = HomePage.objects.first()
root.body = '<p>We make boilers for ships since 1923.</p>'
root.save()
for title in ('Boilers', 'Pipes', 'Repair', 'Careers', 'About us', 'Contact'):
    body = '<p>Our %s are known on every quay. Ask us.</p>' % title.lower()
    root.add_child(instance=HomePage(title=title, body=body))
write_pages(Client(HTTP_HOST='localhost'), Path({out!r}), {home!r})
"""
program = Path(sys.executable).with_name("wagtail")
site = work / "company"
subprocess.run([program, "start", "company", "."], cwd=work, check=True)  # noqa: S603  our own lab
(work / "home/models.py").write_text(BODY, encoding="utf-8")
(work / "home/templates/home/home_page.html").write_text(TEMPLATE, encoding="utf-8")
manage = [sys.executable, "manage.py"]
for words in (["makemigrations", "home"], ["migrate"]):
    subprocess.run([*manage, *words], cwd=work, check=True)  # noqa: S603  our own lab
fill = FILL.format(here=str(HERE), out=str(out), home=home)
subprocess.run([*manage, "shell", "-c", fill], cwd=work, check=True)  # noqa: S603  our own lab
