"""Golden sessions, scenes: what is played, one module a scene."""

from __future__ import annotations

from tests.golden.scenes import (
    answered,
    chinese,
    compacted,
    finished,
    helpers,
    interrupted,
    open_question,
    plan,
    refusal,
    tally,
)
from tests.golden.scenes.script import Scene

SCENES: dict[str, Scene] = {
    module.SCENE.name: module.SCENE
    for module in (
        tally,
        open_question,
        refusal,
        plan,
        answered,
        compacted,
        interrupted,
        finished,
        helpers,
        chinese,
    )
}
