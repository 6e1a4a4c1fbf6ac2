"""The addresses of the forum."""

from django.http import HttpResponse
from django.urls import include, path

urlpatterns = [
    path("login/", lambda _request: HttpResponse("log in"), name="login"),
    path("", include("machina.urls")),
]
