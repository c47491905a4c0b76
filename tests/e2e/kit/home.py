"""End-to-end kit: a home in which the client has nothing left to ask, and its environment."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

KEY = "no-key-at-all-000000000000"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def environment(home: Path, port: int, *, user: str = "ada") -> dict[str, str]:
    """All variables that the client is started with; nothing of the caller's own goes in."""
    return {
        "PATH": f"{home}/.local/bin:{SYSTEM_PATH}",
        "HOME": str(home),
        "USER": user,
        "SHELL": "/bin/bash",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "IS_SANDBOX": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
    }


def settle(home: Path, trusted: Iterable[Path]) -> None:
    """Answer onboarding, the key and the trust in these folders; give git a name."""
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    (home / ".local" / "bin").mkdir(parents=True, exist_ok=True)
    accepted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    state = {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": "99.0.0",
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "bypassPermissionsModeAccepted": True,
        "projects": {str(folder.resolve()): accepted for folder in trusted},
    }
    (home / ".claude.json").write_text(json.dumps(state))
    (home / ".gitconfig").write_text(
        "[user]\nname = Ada Moreno\nemail = ada@example.com\n[init]\ndefaultBranch = main\n"
    )
