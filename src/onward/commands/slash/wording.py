"""Commands, slash: how the agent is asked for what it alone knows. Printed only where it applies,
so that a list or a refusal does not carry it.
"""

from __future__ import annotations

_ASKED = """\
Now add what only you know: write the file named in the last line as JSON, any of the fields below
and no others, then run exactly `{command}`. That reads the file, {again}, and removes it. Where it
refuses the file, fix that as it says and run the same again. Paths, commits and checks are compared
with the record: what does not agree is answered in one line each, to be corrected once.

```json
{{
  "next": "Run pytest tests/test_login.py; test_expiry still fails in src/login.py:88",
  "why": "the expiry check compares local time with UTC",
  "progress": ["Wrote src/login.py lines 45-120, login flow complete"],
  "blockers": ["Merge conflict in src/main.py lines 80-95"],
  "decisions": [{{"text": "RS256, not HS256", "why": "the gateway has only the public key"}}],
  "constraints": ["The user wants verbose error messages"],
  "avoid": ["HS256: tried, the gateway refused the token"],
  "tasks": [{{"title": "Fix test_expiry", "status": "in_progress"}}],
  "context": ["The staging server is reached over the jump host"],
  "memory": ["Tests need TZ=UTC"]
}}
```

Say what was done, not that something was done: paths, lines, commands, error messages. `next` can
be carried out by somebody who knows nothing of this session. `tasks` is your own list, if you keep
one. `memory` is for what still holds when this work is long done, three lines at most, and is often
empty. No raw conversation, no secrets.

Draft: {path}"""
_AGAIN = {
    "checkpoint": "saves the checkpoint again",
    "save-session-protocol": "writes the protocol again",
}


def draft(command: str, prefix: str, path: str) -> str:
    """What to write, where (in the last line), and the one command to run then."""
    again = _AGAIN.get(command, "writes both files again")
    return _ASKED.format(command=f"onward slash {prefix}{command} add", again=again, path=path)
