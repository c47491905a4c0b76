"""The client's sessions, all generations that keep them in its database.

It holds all sessions in one SQLite database, which changes in place. `copies` keeps each as a file of
lines, of which `transcript` makes events. `hooks` serves the plugin, with the standard library alone.
"""
