"""BlogForever keeps whole blogs: give it an address, it keeps every post."""
