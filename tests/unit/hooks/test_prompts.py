"""What a user types: commands, answers, close signals, input to log. And long commands."""

from __future__ import annotations

import pytest
from tests.unit.hooks.conftest import ONE, Scene, Stub

from onward import slash_commands
from onward.model import Clean
from onward.storage import live


def fields(scene: Scene) -> dict[str, str]:
    return {"project": str(scene.root), "session": ONE, "transcript": str(scene.transcript())}


@pytest.mark.parametrize(
    ("prompt", "job"),
    [
        ("Goodnight", "close"),
        ("晚安", "close"),
        ("add a logout button please", "prompt"),
        ("请把登录页面改成蓝色", "prompt"),
        ("yes, go on", None),
        ("", None),
    ],
)
def test_a_child_does_what_takes_longer(scene: Scene, prompt: str, job: str | None) -> None:
    assert scene.call("prompt", prompt=prompt) == ""
    assert scene.jobs == ([(job, fields(scene) | {"prompt": prompt})] if job else [])


@pytest.mark.parametrize(
    "prompt", ["/exit goodnight", "/resume-latest", "/onward:checkpoint save x"]
)
def test_a_slash_command_is_not_logged(scene: Scene, prompt: str) -> None:
    assert scene.call("prompt", prompt=prompt) == ""
    assert scene.jobs == []


class TestAnAnswer:
    @pytest.fixture(autouse=True)
    def asked(self, scene: Scene) -> None:
        live.put(str(scene.data), ONE, "awaiting", "resume", "fix-login", str(scene.root))

    def test_is_told_to_the_agent_at_once(self, scene: Scene, stub: Stub) -> None:
        calls = stub("onward.commands.resume.answer", answer=Clean("Continue with: make"))
        assert scene.call("prompt", prompt="yes") == "Continue with: make"
        assert calls[0][1:3] == (ONE, "yes")
        assert scene.jobs == []

    def test_that_is_none_is_a_prompt_like_any_other(self, scene: Scene) -> None:
        assert scene.call("prompt", prompt="What was that about?") == ""
        assert len(scene.jobs) == 1

    def test_is_not_looked_for_in_a_command(self, scene: Scene, stub: Stub) -> None:
        calls = stub("onward.commands.resume.answer", answer=Clean("Go on"))
        assert scene.call("prompt", prompt="/yes") == ""
        assert calls == []

    def test_is_not_looked_for_without_a_question(self, scene: Scene, stub: Stub) -> None:
        calls = stub("onward.commands.resume.answer", answer=Clean("Go on"))
        live.drop(str(scene.data), ONE, "awaiting")
        assert scene.call("prompt", prompt="yes") == ""
        assert calls == []


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("/resume-latest", True),
        ("/checkpoint save fix-login", True),
        ("/onward:checkpoint\nsave x", True),
        ("/document-and-save-to a b", True),
        ("/other:checkpoint", False),
        ("/checkpoints", False),
        ("/review", False),
        ("checkpoint", False),
        ("see /checkpoint", False),
        ("/", False),
        ("", False),
    ],
)
def test_our_commands_are_known_by_their_names(prompt: str, expected: bool) -> None:
    assert slash_commands.is_ours(prompt) == expected


class TestALongCommand:
    @pytest.mark.parametrize(
        ("limit", "background", "long"),
        [(0, False, False), (30_000, False, False), (30_001, False, True), (0, True, True)],
    )
    def test_is_autosaved_before(
        self, scene: Scene, limit: int, background: bool, long: bool
    ) -> None:
        scene.call("tool", command="make", limit=limit, background=background)
        expected = [("autosave", fields(scene) | {"signal": "long"})] if long else []
        assert scene.jobs == expected

    def test_but_at_most_once_a_minute(self, scene: Scene) -> None:
        for seconds in (0, 30, 59, 61):
            scene.time = 1772372407.0 + seconds
            scene.call("tool", command="make", limit=60_000)
        assert len(scene.jobs) == 2

    def test_of_a_sub_agent_is_its_own_business(self, scene: Scene) -> None:
        scene.call("tool", command="make", limit=60_000, helper="a53f846e")
        assert scene.jobs == []
