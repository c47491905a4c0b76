"""share: what machines show each other of one project, as values. No git, no files.

`record` is what a writer's commits hold, how a stranger's is read and what may be called how,
`union` what all writers hold together, `mapping` one machine's paths as another's, `sealing`
encryption to recipients.
"""
