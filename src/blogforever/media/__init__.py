"""8 media: what a page loads, and the files a post is about. Pure: bytes in, addresses out."""
