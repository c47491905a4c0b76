"""The plugin and its marketplace file, from the templates that `onward install` puts in place.

A plugin's commands bear its name: `/onward:checkpoint`. Its folder is read as it stands when it
is added as a marketplace, so it is kept in the repository; `tools/docs.py` writes and checks it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from onward import __version__
from onward.agents.claude_code import install as hooks
from onward.clients.files import shipped
from onward.commands.slash import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "plugins/onward"
NAME = "onward"
ABOUT = "Save your place in a session and carry on from exactly there, days later."
_COMMAND = re.compile(rf"(?<![\w.])/({'|'.join(COMMANDS)})(?![\w-])")
_SLASH = re.compile(rf"\bonward slash ({'|'.join(COMMANDS)})(?![\w-])")
_SCRIPT = re.compile(r", Bash\(sh [^)]+\)|^sh \..+<<'(\w+)'\n(?s:.*?)^\1\n", re.MULTILINE)
"""The grant and the call of what lies in a project."""

README = f"""# onward

{ABOUT} onward reads the transcript that the client wrote, distils it without a model, removes
secrets, checks it against the repository, and hands the next session a briefing.

This plugin holds the hooks (each session is kept when it ends or is compacted; a new one is told what
the last one left), the commands `/{NAME}:checkpoint`, `/{NAME}:document-and-save`,
`/{NAME}:resume-latest` and six more, and two skills. They call the program `onward`, which has to be on
the PATH: `pipx install .` in a clone of the repository that this plugin came from.

In a project, `onward install` does the same without a plugin, under the bare names, and lets `CLAUDE.md`
load what was saved last. Both at once do the work once.
"""


def files() -> dict[Path, str]:
    """Every file with its text."""
    found = {
        PLUGIN / ".claude-plugin/plugin.json": _json(_manifest()),
        PLUGIN / "hooks/hooks.json": _json(_hooks()),
        PLUGIN / "README.md": README,
        PLUGIN / "LICENSE": (ROOT / "LICENSE").read_text("utf-8"),
        ROOT / ".claude-plugin/marketplace.json": _json(_marketplace()),
    }
    for path, data in hooks.shims(PLUGIN).items():
        found[path] = data.decode()
    for path, data in shipped(
        "commands", "skills", root=hooks.ClaudeCode.TEMPLATES, base=PLUGIN
    ).items():
        found[path] = renamed(data.decode())
    return found


def renamed(text: str) -> str:
    """A template as the plugin has it."""
    text = _SCRIPT.sub("", text)
    return _COMMAND.sub(rf"/{NAME}:\1", _SLASH.sub(rf"onward slash {NAME}:\1", text))


def _manifest() -> dict[str, object]:
    return {
        "name": NAME,
        "version": __version__,
        "description": ABOUT,
        "author": {"name": "The onward authors"},
        "license": "MIT",
        "keywords": ["session", "checkpoint", "resume", "transcript", "compaction"],
    }


def _hooks() -> dict[str, object]:
    events: dict[str, list[object]] = {}
    for hook in hooks.HOOKS:
        call = {
            "type": "command",
            "command": hooks.command(hook, "plugin").command,
            "timeout": hook.timeout,
        }
        matcher = {"matcher": hook.matcher} if hook.matcher else {}
        events.setdefault(hook.event, []).append({**matcher, "hooks": [call]})
    return {"description": "Keeps every session, and hands it on to the next.", "hooks": events}


def _marketplace() -> dict[str, object]:
    return {
        "name": NAME,
        "owner": {"name": "The onward authors"},
        "metadata": {"description": "The plugin of onward."},
        "plugins": [
            {
                "name": NAME,
                "source": f"./{PLUGIN.relative_to(ROOT).as_posix()}",
                "description": ABOUT,
            }
        ],
    }


def _json(data: dict[str, object]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
