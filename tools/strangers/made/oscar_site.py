"""A shop in django-oscar: two categories, thirty products with prices."""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

import django
from django.conf import settings
from oscar.defaults import *  # noqa: F403  as oscar's own documentation has it

sys.path.insert(0, str(Path(__file__).parent))
APPS = """django.contrib.admin django.contrib.auth django.contrib.contenttypes django.contrib.sessions
django.contrib.messages django.contrib.staticfiles django.contrib.sites django.contrib.flatpages oscar.config.Shop
oscar.apps.analytics.apps.AnalyticsConfig oscar.apps.checkout.apps.CheckoutConfig oscar.apps.address.apps.AddressConfig
oscar.apps.shipping.apps.ShippingConfig oscar.apps.catalogue.apps.CatalogueConfig
oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig oscar.apps.communication.apps.CommunicationConfig
oscar.apps.partner.apps.PartnerConfig oscar.apps.basket.apps.BasketConfig oscar.apps.payment.apps.PaymentConfig
oscar.apps.offer.apps.OfferConfig oscar.apps.order.apps.OrderConfig oscar.apps.customer.apps.CustomerConfig
oscar.apps.search.apps.SearchConfig oscar.apps.voucher.apps.VoucherConfig oscar.apps.wishlists.apps.WishlistsConfig
oscar.apps.dashboard.apps.DashboardConfig oscar.apps.dashboard.reports.apps.ReportsDashboardConfig
oscar.apps.dashboard.users.apps.UsersDashboardConfig oscar.apps.dashboard.orders.apps.OrdersDashboardConfig
oscar.apps.dashboard.catalogue.apps.CatalogueDashboardConfig oscar.apps.dashboard.offers.apps.OffersDashboardConfig
oscar.apps.dashboard.partners.apps.PartnersDashboardConfig oscar.apps.dashboard.pages.apps.PagesDashboardConfig
oscar.apps.dashboard.ranges.apps.RangesDashboardConfig oscar.apps.dashboard.reviews.apps.ReviewsDashboardConfig
oscar.apps.dashboard.vouchers.apps.VouchersDashboardConfig
oscar.apps.dashboard.communications.apps.CommunicationsDashboardConfig
oscar.apps.dashboard.shipping.apps.ShippingDashboardConfig widget_tweaks haystack treebeard sorl.thumbnail
django_tables2""".split()
MIDDLEWARE = """django.middleware.security.SecurityMiddleware django.contrib.sessions.middleware.SessionMiddleware
django.middleware.common.CommonMiddleware django.middleware.csrf.CsrfViewMiddleware
django.contrib.auth.middleware.AuthenticationMiddleware django.contrib.messages.middleware.MessageMiddleware
oscar.apps.basket.middleware.BasketMiddleware""".split()
CONTEXT = """django.template.context_processors.debug django.template.context_processors.request
django.contrib.auth.context_processors.auth django.contrib.messages.context_processors.messages
oscar.apps.search.context_processors.search_form oscar.apps.checkout.context_processors.checkout
oscar.apps.communication.notifications.context_processors.notifications
oscar.core.context_processors.metadata""".split()
OSCAR = {name: value for name, value in globals().items() if name.startswith("OSCAR_")}
settings.configure(
    **OSCAR,
    DEBUG=False,
    SECRET_KEY="x",  # noqa: S106  nobody logs in
    ALLOWED_HOSTS=["*"],
    SITE_ID=1,
    ROOT_URLCONF="oscar_urls",
    INSTALLED_APPS=APPS,
    MIDDLEWARE=MIDDLEWARE,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "ATOMIC_REQUESTS": True}},
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": CONTEXT},
        }
    ],
    STATIC_URL="/static/",
    MEDIA_URL="/media/",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.apps.catalogue.models import Product, ProductCategory, ProductClass  # noqa: E402
from oscar.apps.partner.models import Partner, StockRecord  # noqa: E402
from pages import write_pages  # type: ignore[import-not-found]  # noqa: E402  beside this file, which is run alone

NAMES = "Kettle Pot Lamp Rope Sail Anchor Buoy Chart Compass Lantern Bell Net Oar Hook Tar".split()


def fill() -> None:
    """Products with prices."""
    kind, partner = ProductClass.objects.create(name="Things"), Partner.objects.create(name="Quay")
    for number in range(30):
        name = f"{NAMES[number % 15]} {'small' if number < 15 else 'large'}"
        product = Product.objects.create(title=name, product_class=kind, upc=str(number), description=f"A {name}.")
        category = create_from_breadcrumbs(f"Ship > {'Deck' if number % 2 else 'Galley'}")
        ProductCategory.objects.create(product=product, category=category)
        price = Decimal(5 + number * 3)
        StockRecord.objects.create(
            product=product, partner=partner, partner_sku=str(number), price=price, num_in_stock=9
        )


call_command("migrate", verbosity=0)
fill()
write_pages(Client(), Path(sys.argv[1]), sys.argv[2])
