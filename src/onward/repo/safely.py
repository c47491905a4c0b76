"""repo.safely: how git is called so that it locks nothing, runs nothing and asks nobody.

Hooks import it, so it imports next to nothing.
"""

from __future__ import annotations

import os

# A repository's own settings can name programs; these are the ones that a reading call runs.
OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    "--literal-pathspecs",  # `app/[id]/page.tsx` is a file, not a pattern
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),
    *("-c", "color.ui=false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch; older git knows only this
    "LC_ALL": "C",
}
# `git rev-parse --local-env-vars`: set inside a git hook, they point at another repository.
_INHERITED = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
        "GIT_EXTERNAL_DIFF",
    )
)


def environment() -> dict[str, str]:
    """What git finds around it: ours, without what points at another repository."""
    kept = {name: value for name, value in os.environ.items() if name not in _INHERITED}
    return kept | _ENVIRONMENT
