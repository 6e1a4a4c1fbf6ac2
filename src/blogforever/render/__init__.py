"""4 render: only where needed, a real browser draws the page; the only place that knows Playwright."""
