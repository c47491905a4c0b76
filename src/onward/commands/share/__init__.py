"""What machines show each other of a project: `push` (and `forget`), `pull`, and what lies here of it
(`place`: `peers`, `NAME@MACHINE`). The records are in `sharing`, git in `repo.objects` and `repo.remote`.
"""
