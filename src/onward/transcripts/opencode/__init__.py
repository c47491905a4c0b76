"""The client's sessions, all generations that keep them in its database.

It holds all sessions in one SQLite database, which changes in place. `copies` reads it, and keeps
each session as a file of lines, of which everything else reads: `agent` is what the rest of the
program sees, `transcript` makes events of the lines, `searchable` tells a search what one says.
`hooks` serves the plugin, with the standard library alone.
"""
