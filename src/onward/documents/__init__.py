"""The file formats: text in, text out. Each module renders and parses one of them.

A `Checkpoint` goes in and `Clean` text comes out; what is parsed is a `Draft` again,
because a user may have written secrets into the file. Nothing here opens a file.
"""
