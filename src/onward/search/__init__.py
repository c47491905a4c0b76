"""Search: words in, what was said with them out. Pure: bytes and texts come from the caller."""
