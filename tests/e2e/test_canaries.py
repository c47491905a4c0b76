"""What we rely on in the client and it does not promise; red here means: measure it again."""

from __future__ import annotations

import pytest
from tests.e2e.kit.lab import Lab

pytestmark = pytest.mark.every_version

COMMAND = "---\ndescription: Save the place\n---\nOUR CHECKPOINT with: $ARGUMENTS\n"
PLACE = ".claude/commands/checkpoint.md"


def test_checkpoint_is_the_clients_own_word_for_rewind(lab: Lab) -> None:
    window = lab.terminal()
    window.type("/checkpoint")
    window.wait("Rewind")
    assert not lab.requests()


def test_a_projects_checkpoint_command_wins_over_the_clients_in_a_terminal(lab: Lab) -> None:
    lab.write(PLACE, COMMAND)
    window = lab.terminal()
    window.type("/checkpoint save before-lunch")
    assert lab.model.wait().where("OUR CHECKPOINT with: save before-lunch")


def test_a_projects_checkpoint_command_wins_over_the_clients_without_arguments(lab: Lab) -> None:
    lab.write(PLACE, COMMAND)
    window = lab.terminal()
    window.type("/checkpoint")
    assert lab.model.wait().where("OUR CHECKPOINT with:")


def test_a_persons_checkpoint_command_wins_over_the_clients_headless(lab: Lab) -> None:
    path = lab.config / "commands" / "checkpoint.md"
    path.parent.mkdir()
    path.write_text(COMMAND)
    assert lab.headless("/checkpoint list").code == 0
    assert lab.model.wait().where("OUR CHECKPOINT with: list")
