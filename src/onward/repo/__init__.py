"""repo: what git and the files under a project's root say today. Runs git, changes nothing.

Hooks take `repo.invocation`, and have no time for the others.
"""
