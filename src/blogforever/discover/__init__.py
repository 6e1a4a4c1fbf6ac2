"""2 discover: what a blog offers: feeds, sitemaps, and the platform it runs on. Pure: values in, values out."""
