"""What machines show each other of a project: `push`, `pull`, `peers`, `forget`, and reading
`NAME@MACHINE`. The records are in `share`, git in `repo.objects` and `repo.remote`.
"""
