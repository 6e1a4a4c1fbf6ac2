"""When a followed blog is looked at next, and why; what a look makes of its state: pure, values in and out."""
