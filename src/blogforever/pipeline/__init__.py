"""The stages of a page in their order, and the step machine that crawl and update stand on."""
