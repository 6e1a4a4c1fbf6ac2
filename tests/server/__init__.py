"""A loopback site for the tests: a small blog, and one route per misbehaviour."""
