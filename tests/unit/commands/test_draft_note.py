"""`save --from`: the note of the agent, over the record and checked by it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from onward.commands import draft_note
from onward.errors import InputError, NotFoundError
from onward.model import Clean, Draft, Item, Task

FOUND = Draft(
    task=Item(text="Add a login", evidence="asked", places=("t:1",)),
    next_action=Item(text="Fix test_login", evidence="observed"),
    progress=(Item(text="Wrote src/auth.py", evidence="observed"),),
    decisions=(Item(text="Use RS256", evidence="asked", why="public key only"),),
    tasks=(
        Task(title="Write the token", status="in_progress", places=("t:9",)),
        Task(title="Write the docs"),
    ),
)


def _read(tmp_path: Path, text: str) -> draft_note.Note:
    path = tmp_path / "draft.json"
    path.write_bytes(text.encode())
    return draft_note.read(path)


def test_words_lead_and_count_as_claimed(tmp_path: Path) -> None:
    said = _read(tmp_path, '{"task": "Finish the login", "next": "Run pytest", "why": "one fails"}')
    draft = draft_note.lay_over(FOUND, said)
    assert draft.task == Item(text="Finish the login", author="agent")
    assert draft.next_action == Item(text="Run pytest", why="one fails", author="agent")


def test_what_the_words_do_not_speak_of_stays(tmp_path: Path) -> None:
    assert draft_note.lay_over(FOUND, draft_note.Note()) == FOUND


def test_entries_may_be_sentences_or_objects(tmp_path: Path) -> None:
    said = _read(tmp_path, '{"decisions": ["Keep JWT", {"text": "No cookies", "why": "mobile"}]}')
    decisions = draft_note.lay_over(FOUND, said).decisions
    assert [(d.text, d.why) for d in decisions] == [
        ("Keep JWT", None),
        ("No cookies", "mobile"),
        ("Use RS256", "public key only"),
    ]


def test_what_is_known_already_is_not_said_twice(tmp_path: Path) -> None:
    said = _read(tmp_path, '{"decisions": ["use  rs256"], "progress": ["Wrote src/auth.py", " "]}')
    draft = draft_note.lay_over(FOUND, said)
    assert (draft.decisions, draft.progress) == (FOUND.decisions, FOUND.progress)


def test_a_task_of_the_same_title_gets_the_new_status_and_keeps_its_place(tmp_path: Path) -> None:
    said = _read(
        tmp_path, '{"tasks": [{"title": "write the token", "status": "completed"}, "Ship"]}'
    )
    assert draft_note.lay_over(FOUND, said).tasks == (
        Task(title="Write the token", status="completed", places=("t:9",)),
        Task(title="Ship"),
        Task(title="Write the docs"),
    )


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ('{"next_action": "Run pytest"}', "`next`"),
        ('{"nextStep": "Run pytest"}', "`next`"),
        ('{"todos": ["Ship"]}', "`tasks`"),
        ('{"notes": ["Ship"], "next": "Run pytest"}', "`context`"),
        ('{"progres": ["Wrote a.py"]}', "`progress`"),
        ('{"decisions": [{"text": "No cookies", "whi": "mobile"}]}', "`why`"),
        ('{"tasks": [{"title": "Ship", "state": "done"}]}', "`status`"),
        ('{"zzz": 7}', "one of task, next, why, progress"),
    ],
)
def test_an_unknown_key_is_refused_with_the_one_that_was_meant(
    text: str, better: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        _read(tmp_path, text)
    assert "` is no field" in caught.value.message
    assert ("did you mean" in caught.value.message) == better.startswith("`")
    assert f"write {better}" in caught.value.hint


@pytest.mark.parametrize("text", ["{}", '{"next": " ", "progress": [" "], "tasks": null}'])
def test_a_draft_that_says_nothing_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="says nothing"):
        _read(tmp_path, text)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert _read(tmp_path, '\ufeff{"next": "Run pytest"}').next == "Run pytest"


@pytest.mark.parametrize(
    "text",
    ["", "not json", "[]", '"x"', "null", '{"next": 7}', '{"tasks": [{"status": "done"}]}', "\x00",
     '{"progress": 7}', '{"decisions": [{"why": "x"}]}', '{"tasks": [[]]}'],
)  # fmt: skip
def test_what_is_no_such_file_is_an_error_without_its_words(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _read(tmp_path, text)
    assert "draft.json" in caught.value.message
    assert caught.value.hint


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "draft.json").write_bytes(b'{"next": "\xff\xfe"}')
    with pytest.raises(InputError):
        draft_note.read(tmp_path / "draft.json")


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        draft_note.read(tmp_path / "none.json")
    with pytest.raises(InputError):
        draft_note.read(tmp_path)


@pytest.mark.parametrize(
    ("text", "progress"),
    [
        ('{"progress": "Wrote b.py", "blockers": null, "task": null}', ["Wrote b.py"]),
        ('{"progress": {"text": "Wrote b.py"}, "next": null, "tasks": null}', ["Wrote b.py"]),
        ('{"progress": "", "task": "Add a login"}', []),
    ],
)
def test_a_list_of_one_may_be_its_entry_alone_and_null_is_nothing(
    text: str, progress: list[str], tmp_path: Path
) -> None:
    draft = draft_note.lay_over(FOUND, _read(tmp_path, text))
    assert [item.text for item in draft.progress[1:]] == progress
    assert draft.tasks == FOUND.tasks


@pytest.mark.parametrize(
    ("status", "meant"),
    [("done", "completed"), ("Completed", "completed"), ("in-progress", "in_progress"),
     ("In Progress", "in_progress"), ("todo", "pending"), ("pending", "pending"), ("?", "pending")],
)  # fmt: skip
def test_a_status_may_be_spelled_as_people_do(status: str, meant: str, tmp_path: Path) -> None:
    said = f'{{"tasks": [{{"title": "Ship", "status": "{status}", "priority": "high"}}]}}'
    task = draft_note.lay_over(FOUND, _read(tmp_path, said)).tasks[0]
    assert (task.status, task.priority) == (meant, None)


def test_what_power_shell_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "draft.json"
    path.write_bytes('{"next": "Grüße prüfen"}'.encode("utf-16"))
    assert draft_note.read(path).next == "Grüße prüfen"


def test_the_hint_never_overwrites_what_the_agent_wrote(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _read(tmp_path, '{"next": "Run pytest tests/long_story.py",')
    assert ">" not in caught.value.hint


def test_what_is_to_last_is_no_part_of_the_draft(tmp_path: Path) -> None:
    said = _read(
        tmp_path, '{"memory": ["Tests  need\\nTZ=UTC", {"text": "No Redis", "why": "cost"}]}'
    )
    assert draft_note.lasting(said) == ("Tests need TZ=UTC", "No Redis (cost)")
    assert draft_note.lay_over(FOUND, said) == FOUND


@pytest.mark.parametrize("empty", ["null", "[]", '""', '[" "]'])
def test_nothing_to_last_is_nothing(empty: str, tmp_path: Path) -> None:
    said = _read(tmp_path, f'{{"next": "x", "memory": {empty}}}')
    assert draft_note.lasting(said) == ()


def test_several_next_steps_stand_in_order(tmp_path: Path) -> None:
    said = _read(tmp_path, '{"next": ["Run pytest", "Commit"]}')
    following = draft_note.lay_over(FOUND, said).next_action
    assert following
    assert following.text == "Run pytest\nCommit"


def test_constraints_and_what_to_avoid_have_places_of_their_own(tmp_path: Path) -> None:
    said = _read(tmp_path, '{"constraints": ["No force push"], "avoid": ["HS256: one key"]}')
    draft = draft_note.lay_over(FOUND, said)
    assert [item.text for item in draft.constraints] == ["No force push"]
    assert [item.text for item in draft.dead_ends] == ["HS256: one key"]


def test_a_task_keeps_category_and_files(tmp_path: Path) -> None:
    said = _read(
        tmp_path, '{"tasks": [{"title": "Ship", "category": "bugfix", "files": ["src/a.py:3"]}]}'
    )
    (task, *_) = draft_note.lay_over(FOUND, said).tasks
    assert (task.category, task.files) == ("BUGFIX", ("src/a.py:3",))


def test_a_task_without_a_status_keeps_the_one_it_had(tmp_path: Path) -> None:
    said = _read(tmp_path, '{"tasks": [{"title": "Write the token", "context": "half"}]}')
    (task, *_) = draft_note.lay_over(FOUND, said).tasks
    assert task.status == "in_progress"


def test_what_the_user_gave_stays_where_the_note_says_otherwise(tmp_path: Path) -> None:
    own = Draft(
        task=Item(text="Give the shop a login", author="user"),
        next_action=Item(text="Ask Ana", author="user"),
    )
    said = _read(tmp_path, '{"task": "Refactor", "next": "Run pytest"}')
    draft = draft_note.lay_over(own, said)
    assert draft.task == own.task
    assert draft.next_action
    assert draft.next_action.text == "Run pytest"
    assert [(each.text, each.author) for each in draft.requests] == [("Ask Ana", "user")]


def test_a_note_of_any_size_is_checked_with_a_few_look_ups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(_: Path, *words: str) -> bytes | None:
        asked.append(words)
        return b"src/a.py\0" if words[0] == "ls-files" else None

    monkeypatch.setattr("onward.repo.git.ask", ask)
    lines = [f"Wrote src/gone{n}.py in {n:07x}a1" for n in range(2000)]
    note = draft_note.Note(progress=tuple(lines))
    draft, told = draft_note.checked(draft_note.lay_over(FOUND, note), FOUND, note, tmp_path, Clean)
    assert len(asked) < 100
    assert len(told) <= 20
    assert [item.text for item in draft.progress[1:]] == lines
    assert all(item.unverified for item in draft.progress[1:])


def test_what_is_suggested_works_where_the_folder_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "my memory" / ".draft.json"
    with pytest.raises(NotFoundError) as told:
        draft_note.read(path)
    subprocess.run(["sh", "-c", told.value.hint], check=True)
    assert draft_note.read(path).next
