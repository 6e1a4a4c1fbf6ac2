"""A forum in django-machina: two boards, thirty topics with replies."""

from __future__ import annotations

import sys
from pathlib import Path

import django
from django.conf import settings
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

sys.path.insert(0, str(Path(__file__).parent))
APPS = """django.contrib.admin django.contrib.auth django.contrib.contenttypes django.contrib.sessions
django.contrib.messages django.contrib.staticfiles mptt haystack widget_tweaks machina machina.apps.forum
machina.apps.forum_conversation machina.apps.forum_conversation.forum_attachments
machina.apps.forum_conversation.forum_polls machina.apps.forum_feeds machina.apps.forum_moderation
machina.apps.forum_search machina.apps.forum_tracking machina.apps.forum_member machina.apps.forum_permission""".split()
MIDDLEWARE = """django.contrib.sessions.middleware.SessionMiddleware django.middleware.csrf.CsrfViewMiddleware
django.contrib.auth.middleware.AuthenticationMiddleware django.contrib.messages.middleware.MessageMiddleware
machina.apps.forum_permission.middleware.ForumPermissionMiddleware""".split()
CONTEXT = """django.template.context_processors.request django.contrib.auth.context_processors.auth
django.contrib.messages.context_processors.messages machina.core.context_processors.metadata""".split()
settings.configure(
    DEBUG=False,
    SECRET_KEY="x",  # noqa: S106  nobody logs in
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="machina_urls",
    INSTALLED_APPS=APPS,
    MIDDLEWARE=MIDDLEWARE,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    CACHES={
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
        "machina_attachments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "a"},
    },
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [MACHINA_MAIN_TEMPLATE_DIR],
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": CONTEXT},
        }
    ],
    STATICFILES_DIRS=[MACHINA_MAIN_STATIC_DIR],
    STATIC_URL="/static/",
    MEDIA_URL="/media/",
    LOGIN_URL="/login/",
    USE_TZ=True,
    MACHINA_DEFAULT_AUTHENTICATED_USER_FORUM_PERMISSIONS=["can_see_forum", "can_read_forum"],
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from machina.apps.forum.models import Forum  # noqa: E402
from machina.apps.forum_conversation.models import Post, Topic  # noqa: E402
from machina.apps.forum_permission.models import ForumPermission, UserForumPermission  # noqa: E402
from pages import write_pages  # type: ignore[import-not-found]  # noqa: E402  beside this file, which is run alone


def fill() -> None:
    """Topics with replies, which everybody may read."""
    users = [User.objects.create_user(f"sailor{number}", password=None) for number in range(6)]
    for board in ("Rigging", "Harbours"):
        forum = Forum.objects.create(name=board, type=Forum.FORUM_POST, description=f"All about {board.lower()}.")
        for name in ("can_see_forum", "can_read_forum"):
            permission = ForumPermission.objects.get(codename=name)
            UserForumPermission.objects.create(forum=forum, permission=permission, anonymous_user=True, has_perm=True)
        for number in range(15):
            title = f"Question {number} on {board.lower()}"
            topic = Topic.objects.create(
                subject=title, forum=forum, poster=users[number % 6], type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED
            )
            for reply in range(1 + number % 5):
                text = "Has anybody seen how this is done on an old ship? " * (2 + reply)
                Post.objects.create(topic=topic, subject=title, poster=users[(number + reply) % 6], content=text)


call_command("migrate", verbosity=0)
fill()
write_pages(Client(), Path(sys.argv[1]), sys.argv[2])
