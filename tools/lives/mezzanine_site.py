"""A Mezzanine site that serves a blog and does what it is told on standard input, one JSON object a line.

Runs in the environment that has Mezzanine: `python mezzanine_site.py SITE PORT HOST`, SITE being a project of
`mezzanine-project`, HOST what stands in addresses. Every command names itself in "do"; every answer is one line.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.template import engines

THEME = Path(__file__).parent / "mezzanine_theme"
Said = dict[str, Any]


class Threaded(ThreadingMixIn, WSGIServer):
    """One thread for each request."""

    daemon_threads = True


class Silent(WSGIRequestHandler):
    """Standard output belongs to the answers."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class Site:
    """The blog, by Mezzanine's own models."""

    def __init__(self, host: str) -> None:
        apps.get_model("sites.Site").objects.update_or_create(id=1, defaults={"domain": host, "name": "The lab"})
        self.users, self.posts = apps.get_model("auth.User").objects, apps.get_model("blog.BlogPost").objects
        self.kinds, self.words = apps.get_model("blog.BlogCategory").objects, apps.get_model("generic.Keyword").objects
        self.assigned, self.said = apps.get_model("generic.AssignedKeyword"), apps.get_model("generic.ThreadedComment")

    def told(self, said: Said) -> list[Said]:
        """Every post as the database has it."""
        return [self._told(post) for post in self.posts.all()]

    def _told(self, post: Any) -> Said:
        comments = self.said.objects.filter(object_pk=str(post.pk)).order_by("id")
        return {
            "id": post.pk,
            "url": post.get_absolute_url(),
            "title": post.title,
            "html": post.content,
            "published": post.publish_date.isoformat(),
            "live": post.status == 2,
            "author": post.user.get_full_name(),
            "tags": [str(word.keyword) for word in post.keywords.all()],
            "comments": [
                {
                    "id": comment.pk,
                    "parent": comment.replied_to_id,
                    "author": comment.user_name,
                    "text": comment.comment,
                    "published": comment.submit_date.isoformat(),
                    "shown": comment.is_public and not comment.is_removed,
                }
                for comment in comments
            ],
        }

    def write(self, said: Said) -> int:
        """A new post."""
        first, last = said["author"].split(" ", 1)
        user, _new = self.users.get_or_create(username=first.lower(), defaults={"first_name": first, "last_name": last})
        when = datetime.fromisoformat(said["published"])
        post = self.posts.create(
            title=said["title"], content=said["html"], user=user, publish_date=when, status=2, gen_description=True
        )
        post.categories.add(*(self.kinds.get_or_create(title=name)[0] for name in said.get("categories", ())))
        post.related_posts.add(*said.get("related", ()))
        self._tag(post, said.get("tags", ()))
        self.posts.filter(pk=post.pk).update(short_url=post.get_absolute_url())
        return int(post.pk)

    def _tag(self, post: Any, tags: Iterable[str]) -> None:
        post.keywords.all().delete()
        for name in tags:
            post.keywords.add(self.assigned(keyword=self.words.get_or_create(title=name)[0]), bulk=False)

    def change(self, said: Said) -> None:
        """Another title, text, date or state of a post; "quietly" so that no date of change tells of it."""
        values = dict(said["values"])
        if "publish_date" in values:
            values["publish_date"] = datetime.fromisoformat(values["publish_date"])
        post = self.posts.get(pk=said["id"])
        if "tags" in values:
            self._tag(post, values.pop("tags"))
        if "related" in values:
            post.related_posts.set(values.pop("related"))
        if said.get("quietly"):
            self.posts.filter(pk=said["id"]).update(**values)
            return
        for name, value in values.items():
            setattr(post, name, value)
        post.save()

    def comment(self, said: Said) -> int:
        """A reader's comment; given with its number, the comment is changed."""
        if number := said.get("id"):
            comment = self.said.objects.get(pk=number)
            if said.get("delete"):
                comment.delete()
                return int(number)
        else:
            comment = self.said(content_object=self.posts.get(pk=said["post"]), user_name=said["author"])
            comment.replied_to_id = said.get("parent")
            comment.user_email = "reader@example.org"
        comment.comment = said.get("text", comment.comment)
        comment.is_removed = said.get("removed", False)
        comment.is_public = said.get("public", True)
        if when := said.get("published"):
            comment.submit_date = datetime.fromisoformat(when)
        comment.save()
        return int(comment.pk)

    def settle(self, said: Said) -> None:
        """Let every post be as old as it says, and seen before: the first view of a post counts as a change of it."""
        for post in self.posts.all():
            self.posts.filter(pk=post.pk).update(updated=post.publish_date, short_url=post.get_absolute_url())

    def theme(self, said: Said) -> None:
        """Draw every page with other templates, or with Mezzanine's own."""
        engine = engines["django"].engine
        engine.dirs = [str(THEME)] if said["other"] else []
        for loader in engine.template_loaders:
            loader.reset()

    def excerpts(self, said: Said) -> None:
        """Let the feed say only how posts begin."""
        import_module("mezzanine.blog.feeds").PostsRSS.item_description = lambda _feed, post: post.description

    def permalinks(self, said: Said) -> None:
        """Other addresses; Mezzanine answers at the old ones, too."""
        settings.BLOG_URLS_DATE_FORMAT = said["format"]

    def answer(self, said: Said) -> object:
        """Do what is asked."""
        found: object = getattr(self, said["do"])(said)
        return found


def main() -> None:
    """Serve, and do what is said until nothing more is said."""
    folder, port, host = Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3]
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    os.environ["DJANGO_SETTINGS_MODULE"] = "lab.settings"
    django.setup()
    call_command("migrate", verbosity=0)
    server = make_server("127.0.0.1", port, get_wsgi_application(), Threaded, Silent)
    Thread(target=server.serve_forever, daemon=True).start()
    connection.cursor().execute("PRAGMA synchronous = OFF")
    site = Site(host)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        print(json.dumps(site.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
