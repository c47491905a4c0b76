"""Saved in one form, resumed in another: nothing of the common fields is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product

from hypothesis import given, settings
from tests.sampling import examples
from tests.unit.documents import strategies

from onward.documents import active_context, checkpoint_md, protocol_json, session_md
from onward.model import Checkpoint, Clean, Draft, Item

NOW = datetime(2026, 3, 1, 13, 40, tzinfo=UTC)


def as_protocol(checkpoint: Checkpoint) -> Clean:
    return protocol_json.merge(None, checkpoint, NOW, strategies.clean)


FORMS: dict[str, tuple[Callable[[Checkpoint], Clean], Callable[[str], Draft]]] = {
    "checkpoint": (checkpoint_md.render, checkpoint_md.parse),
    "protocol": (as_protocol, protocol_json.parse),
    "document": (session_md.render, session_md.parse),
}


def common(draft: Draft | Checkpoint) -> dict[str, object]:
    tasks = [(task.title, task.status, task.context or None) for task in draft.tasks]
    return {
        "task": draft.task,
        "progress": draft.progress,
        "next action": draft.next_action,
        "blockers": draft.blockers,
        "decisions": draft.decisions,
        "tasks": sorted(tasks, key=repr),
        "files": [(f.path, f.change, f.to, f.added, f.removed, f.why) for f in draft.files],
        "git": (draft.repo.branch, draft.repo.commit)
        if draft.repo and (draft.repo.branch or draft.repo.commit)
        else None,
    }


def is_listed(snapshot: Draft) -> bool:
    """Whether its own list names what is to do next: else the protocol file adds a task."""
    is_open = any(task.status != "completed" for task in snapshot.tasks)
    return bool(snapshot.tasks) and (is_open or snapshot.next_action is None)


@settings(max_examples=examples(40), deadline=None)
@given(checkpoint=strategies.snapshots.filter(is_listed))
def test_saved_in_one_form_and_carried_on_in_another(checkpoint: Checkpoint) -> None:
    for names in product(FORMS, FORMS):
        carried = checkpoint
        for name in names:
            render, parse = FORMS[name]
            # The commands redact a draft between the two; here it holds nothing to redact.
            carried = parse(render(carried))  # type: ignore[assignment]
        assert common(carried) == common(checkpoint), names


def test_a_session_that_never_said_its_task_has_none_in_any_form() -> None:
    """A line that says so, not a mark behind nothing; read again it is still no task."""
    checkpoint: Checkpoint = Checkpoint(task=Item(text=Clean("")), name="a")
    active = (active_context.render, active_context.parse)
    for name, (render, parse) in {**FORMS, "active context": active}.items():
        text = render(checkpoint)
        assert "[claimed]" not in text, name
        assert "none recorded" in text, name
        assert parse(text).task.text == "", name
        assert parse(render(parse(text))).task.text == "", name  # type: ignore[arg-type]
