"""What a client calls while a session runs.

Nothing here may stop, slow or confuse the client: whatever breaks, the hook ends with status 0
and says nothing. `entry` is the boundary; until there is work to do it imports next to nothing.
"""
