"""Files on disk: where they lie, and the order in which they are written.

Every change of a file goes through `atomic`. Text that is written is `Clean`; bytes are
copied as they are only into `raw/` and the trash.
"""
