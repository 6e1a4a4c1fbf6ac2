"""The figures of the service as Prometheus reads them; gathered from the store, so that every process counts."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from blogforever.service.figures import ServiceFigures
from blogforever.service.standing import Standing

from .access import bearer, holder_of
from .problems import OF_THE_API

PREFIX = "blogforever"


class FigureCollector(Collector):
    """Hands the figures over as Prometheus wants them."""

    def __init__(self, figures: ServiceFigures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """All figures, looked up now."""
        for figure in self._figures.all():
            family = CounterMetricFamily if figure.counted else GaugeMetricFamily
            metric = family(f"{PREFIX}_{figure.name}", figure.said, labels=figure.labels)
            for labels, value in figure.values.items():
                metric.add_metric(labels, value)
            yield metric


def metric_routes(standing: Standing) -> APIRouter:
    """`/metrics`, from this machine without a token."""
    routes = APIRouter(tags=["health"])
    registry = CollectorRegistry()
    registry.register(FigureCollector(ServiceFigures(standing)))
    ProcessCollector(registry=registry)

    @routes.get("/metrics", response_class=Response, responses=OF_THE_API)
    async def metrics(request: Request) -> Response:
        """The figures of the service, as Prometheus reads them."""
        if not is_from_here(request):
            holder_of(standing.archive.store, await bearer(request), "read")
        # Beside the event loop: they are looked up in the database.
        told = await asyncio.to_thread(generate_latest, registry)
        return Response(told, media_type=CONTENT_TYPE_LATEST)

    return routes


def is_from_here(request: Request) -> bool:
    """Whether who asks is on this machine, and no proxy speaks for somebody else."""
    speaks_for_another = "forwarded" in request.headers or "x-forwarded-for" in request.headers
    if request.client is None or speaks_for_another:
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
