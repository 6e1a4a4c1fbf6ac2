"""The use cases behind every face: crawl, extract, export. One module each, so that a command loads only its own."""
