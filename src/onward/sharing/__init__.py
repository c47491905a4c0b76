"""share: what machines show each other of one project, as values. No git, no files.

`record` is what a writer's commits hold, `names` what may be called how, `trees` the strict
reading of a stranger's tree, `union` what all writers hold together, `mapping` one machine's
paths as another's, `sealing` encryption to recipients.
"""
