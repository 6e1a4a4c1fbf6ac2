"""The figures of the service as Prometheus reads them; gathered from the store, so that every process counts."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from blogforever.service.standing import Standing

from .access import bearer, holder_of
from .problems import OF_THE_API


class ServiceFigures(Collector):
    """How the service stands at this moment."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All figures, looked up now."""
        store = self._standing.archive.store
        blogs = GaugeMetricFamily("blogforever_blogs", "Followed blogs in each state.", labels=["state"])
        for state, number in store.followed.counts().items():
            blogs.add_metric([state], number)
        jobs = GaugeMetricFamily("blogforever_jobs", "Jobs of each kind, by how they stand.", labels=["kind", "state"])
        for (kind, how), number in store.jobs.counts().items():
            jobs.add_metric([kind, how], number)
        workers = store.workers.rows()
        alive = GaugeMetricFamily("blogforever_workers", "Worker processes that live.", value=len(workers))
        memory = GaugeMetricFamily("blogforever_worker_memory_bytes", "Memory of each worker.", labels=["worker"])
        running = GaugeMetricFamily("blogforever_worker_jobs", "Jobs under way in each worker.", labels=["worker"])
        for worker in workers:
            memory.add_metric([worker.name], worker.memory)
            running.add_metric([worker.name], worker.running)
        ready = GaugeMetricFamily(
            "blogforever_ready", "Whether the service takes work.", value=not self._standing.not_ready()
        )
        yield from (blogs, jobs, alive, memory, running, ready)


def metric_routes(standing: Standing) -> APIRouter:
    """`/metrics`, from this machine without a token."""
    routes = APIRouter(tags=["health"])
    registry = CollectorRegistry()
    registry.register(ServiceFigures(standing))

    @routes.get("/metrics", response_class=Response, responses=OF_THE_API)
    async def metrics(request: Request) -> Response:
        """The figures of the service, as Prometheus reads them."""
        if not is_from_here(request):
            holder_of(standing.archive.store, await bearer(request), "read")
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

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
