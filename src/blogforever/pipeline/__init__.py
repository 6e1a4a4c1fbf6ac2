"""The stages in their order: for one page (page.py) and for one blog (crawl.py)."""
