"""The client's sessions, each a file of events in a folder of its own.

`transcript` makes events of the lines. `hooks` serves the hooks, with the standard library alone.
"""
