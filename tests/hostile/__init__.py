"""Input that means harm: what every function must survive, and at which cost."""
