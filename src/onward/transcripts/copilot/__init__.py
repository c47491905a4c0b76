"""The client's sessions, each a file of events in a folder of its own.

`agent` is what the rest of the program sees, and where things lie; `transcript` makes events of
the lines, `searchable` tells a search what one says. `hooks` serves the hooks, with the standard
library alone.
"""
