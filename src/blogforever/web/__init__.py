"""The service over HTTP: health, readiness, and the REST API."""
