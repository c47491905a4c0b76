"""The agents, each a folder: its `sessions`, their `reader`, its `hook`s, which must start at once, and `install`."""
