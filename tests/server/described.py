"""Questions to an API out of its own description, and what every answer is held to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# What takes away comes last, so that the others find something.
ORDER = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Questions:
    """So many for each operation, right or wrong ones; half of them about what is there by these names."""

    number: int
    kind: Literal["positive", "negative"]
    known: dict[str, Any]
    headers: dict[str, str]
    always_the_same: bool

    def wrong_answers(self, app: FastAPI) -> Iterator[str]:
        """What was answered that the description does not have, or that is a fault."""
        schema: Any = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
        operations = [result.ok() for result in schema.get_all_operations()]
        for operation in sorted(operations, key=lambda one: ORDER.index(one.method)):
            # Where nothing can be given, nothing wrong can be given.
            with suppress(Unsatisfiable):
                try:
                    self._ask(operation)
                except FailureGroup as failures:
                    yield f"{operation.label}: {failures}"

    def _ask(self, operation: Any) -> None:
        usual = settings(max_examples=self.number, deadline=None, database=None, suppress_health_check=[*HealthCheck])

        @settings(usual, derandomize=self.always_the_same)
        @given(case=operation.as_strategy(generation_mode=GenerationMode(self.kind)), about_known=st.booleans())
        def once(case: Any, about_known: bool) -> None:
            if about_known:
                case.path_parameters |= {name: self.known[name] for name in case.path_parameters if name in self.known}
            case.call_and_validate(headers=self.headers, checks=CHECKS)

        once()
