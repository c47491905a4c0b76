"""The agents, each a folder: its `sessions`, what `reader` makes of them, what a `hook` is told, what to `install`.
The packages import nothing, and `hook` next to nothing: a hook must start at once.
"""
