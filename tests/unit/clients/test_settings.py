"""Our hooks in a settings file: in, out again to the byte, and never at another's cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.clients.documents import EVENTS, REAL, documents, others

from onward.clients import settings, splice
from onward.clients.settings import Hook, Outcome
from onward.clients.splice import Edit, JsonError, Node

ANY = documents() | st.sampled_from(sorted(REAL.values()))
OLD = {event: f"sh .claude/hooks/on-{event.lower()}.sh # onward 0" for event in EVENTS}
HOOKS = [
    Hook(
        event=event,
        shim=f"on-{event.lower()}.sh",
        command=f'sh "$D"/.claude/hooks/on-{event.lower()}.sh || : "onward"',
        timeout=number,
        matcher="Bash" if event == "PreToolUse" else "",
        older=(OLD[event],),
    )
    for number, event in enumerate(EVENTS, 5)
]


def installed(text: str | None, hooks: Sequence[Hook] = HOOKS) -> tuple[str, Outcome]:
    outcome = settings.register(text, hooks, None)
    assert outcome.text is not None
    return outcome.text, outcome


def freed(text: str, outcome: Outcome) -> str | None:
    return settings.unregister(text, HOOKS, outcome.before).text


def plain(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"))


@given(ANY)
def test_installed_and_uninstalled_a_file_is_what_it_was_to_the_byte(text: str) -> None:
    after, outcome = installed(text)
    assert freed(after, outcome) == text


@given(ANY)
def test_installing_twice_is_installing_once(text: str) -> None:
    after, outcome = installed(text)
    again = settings.register(after, HOOKS, outcome.before)
    assert again.text == after
    assert again.before == outcome.before
    assert again.changed == ()
    assert freed(after, again) == text


@given(ANY)
def test_every_hook_is_registered_and_nothing_of_others_changes(text: str) -> None:
    after, _ = installed(text)
    ours = settings.registrations(after, HOOKS)
    assert [each.command for each in ours] == [hook.command for hook in HOOKS]
    found, was = plain(after), plain(text)
    for hook in HOOKS:
        assert found["hooks"][hook.event][-1] == hook.entry
        del found["hooks"][hook.event][-1]
        if hook.event not in was.get("hooks", {}):
            assert found["hooks"].pop(hook.event) == []
    if "hooks" not in was:
        assert found.pop("hooks") == {}
    assert found == was


def test_a_file_that_was_not_there_goes_again() -> None:
    after, outcome = installed(None)
    assert plain(after) == {"hooks": {hook.event: [hook.entry] for hook in HOOKS}}
    assert after.endswith("}\n")
    assert freed(after, outcome) is None


def test_a_file_that_came_with_us_stays_once_it_holds_more() -> None:
    after, outcome = installed(None)
    assert (
        freed(after.replace("{", '{\n  "model": "opus",', 1), outcome)
        == '{\n  "model": "opus"\n}\n'
    )


# ------------------------------------------------- edits of others between the two


def places(node: Node, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The ways to every child of a document, by number."""
    found = []
    for number, child in enumerate(node.children):
        found += [(*path, number), *places(child.node, (*path, number))]
    return found


def at(text: str, path: tuple[int, ...]) -> tuple[Node, Any]:
    """The container and the child at the end of a way."""
    node, child = splice.parse(text), None
    parent = node
    for number in path:
        parent, child = node, node.children[number]
        node = child.node
    return parent, child


def before_it(text: str, path: tuple[int, ...]) -> str:
    parent, child = at(text, path)
    key = '"new" : ' if parent.kind == "object" else ""
    return splice.apply(text, [Edit(child.start, child.start, f"{key}[ 1 ],\n ")])


def behind_it(text: str, path: tuple[int, ...]) -> str:
    parent, child = at(text, path)
    key = '"new" : ' if parent.kind == "object" else ""
    return splice.apply(text, [Edit(child.node.end, child.node.end, f" ,{key} 7")])


def space_before_it(text: str, path: tuple[int, ...]) -> str:
    _, child = at(text, path)
    return splice.apply(text, [Edit(child.start, child.start, "\n\t ")])


def another_value(text: str, path: tuple[int, ...]) -> str:
    _, child = at(text, path)
    assume(not child.node.children)
    assume(child.node.kind not in {"object", "array"})
    return splice.apply(text, [Edit(child.node.start, child.node.end, '"\\u00e4 ä"')])


def cut_away(text: str, path: tuple[int, ...]) -> str:
    parent, child = at(text, path)
    return splice.apply(text, splice.cut(parent, [child]))


def at_the_end(text: str, path: tuple[int, ...]) -> str:
    """Behind the last child of its container, which is ours where we have one there."""
    parent, _ = at(text, path)
    last = parent.children[-1]
    key = '"last": ' if parent.kind == "object" else ""
    return splice.apply(text, [Edit(last.node.end, last.node.end, f",\n{key}[]")])


EDITS = [before_it, behind_it, space_before_it, another_value, cut_away]


@given(
    ANY,
    st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 50)), max_size=3),
    # Last, since from then on the children are counted otherwise.
    st.lists(st.tuples(st.just(at_the_end), st.integers(0, 50)), max_size=1),
)
def test_whatever_was_edited_elsewhere_stays_and_only_ours_goes(
    text: str,
    edits: list[tuple[Callable[[str, tuple[int, ...]], str], int]],
    last: list[tuple[Callable[[str, tuple[int, ...]], str], int]],
) -> None:
    after, outcome = installed(text)
    expected = text
    for edit, number in edits + last:
        ways = places(splice.parse(expected))
        assume(ways)
        way = ways[number % len(ways)]
        if edit is cut_away:  # judged by the file without ours
            parent, _ = at(expected, way)
            assume(way[-1] + 1 < len(parent.children))
        expected, after = edit(expected, way), edit(after, way)
    assert freed(after, outcome) == expected


@given(ANY, st.sampled_from([None, 1, 3, "\t"]))
def test_a_file_that_a_tool_wrote_anew_is_freed_all_the_same(
    text: str, indent: int | str | None
) -> None:
    after, outcome = installed(text)
    result = freed(json.dumps(plain(after), indent=indent), outcome)
    assert result is not None
    assert plain(result) == plain(text)


@given(ANY, st.sampled_from(EVENTS), st.lists(others, min_size=1, max_size=2), st.data())
def test_hooks_that_others_put_among_ours_stay_in_their_order(
    text: str, event: str, new: list[Any], data: st.DataObject
) -> None:
    after, outcome = installed(text)
    whole = plain(after)
    entries = whole["hooks"][event]
    for entry in new:
        entries.insert(data.draw(st.integers(0, len(entries))), as_plain(entry))
    expected = [entry for entry in entries if entry != hook_of(event).entry]
    result = freed(json.dumps(whole, indent=2), outcome)
    assert result is not None
    assert plain(result)["hooks"][event] == expected


def as_plain(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return {name: as_plain(inner) for name, inner in value}
    return [as_plain(inner) for inner in value] if isinstance(value, list) else value


def hook_of(event: str) -> Hook:
    return next(hook for hook in HOOKS if hook.event == event)


@given(ANY)
def test_without_the_record_only_places_that_were_empty_may_differ(text: str) -> None:
    after, _ = installed(text)
    result = settings.unregister(after, HOOKS, None).text
    assert result is not None
    assert without_empty(plain(result)) == without_empty(plain(text))


def without_empty(found: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(found.get("hooks"), dict):
        return found
    hooks = {event: entries for event, entries in found["hooks"].items() if entries}
    rest = {key: value for key, value in found.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


# ----------------------------------------------------------- what a user changed


CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "another limit": lambda entry: entry["hooks"][0].update(timeout=60),
    "another command": lambda entry: entry["hooks"][0].update(
        command="nice sh .claude/hooks/on-stop.sh # onward, gently"
    ),
    "a matcher": lambda entry: entry.update(matcher="x"),
    "a field of the entry": lambda entry: entry.update(note="mine"),
    "a field of the hook": lambda entry: entry["hooks"][0].update({"async": True}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_entry_of_ours_that_a_person_changed_stays_and_is_named(
    change: Callable[[dict[str, Any]], None],
) -> None:
    after, outcome = installed('{\n  "model": "opus"\n}\n')
    whole = plain(after)
    entry = whole["hooks"]["Stop"][0]
    change(entry)
    changed = json.dumps(whole, indent=2)
    left = settings.unregister(changed, HOOKS, outcome.before)
    assert left.text is not None
    assert plain(left.text) == {"model": "opus", "hooks": {"Stop": [entry]}}
    [(line, event)] = left.changed
    assert event == "Stop"
    assert '"type": "command"' in "".join(left.text.splitlines()[line - 1 : line + 2])
    again = settings.register(changed, HOOKS, outcome.before)
    assert again.text == changed, "a second one beside it would do the work twice"
    assert [event for _, event in again.changed] == ["Stop"]


def test_a_hook_of_theirs_beside_ours_in_one_entry_stays_alone() -> None:
    after, outcome = installed("{}")
    whole = plain(after)
    theirs = {"type": "command", "command": "say done"}
    whole["hooks"]["Stop"][0]["hooks"].append(theirs)
    left = settings.unregister(json.dumps(whole), HOOKS, outcome.before)
    assert left.text is not None
    assert plain(left.text) == {"hooks": {"Stop": [{"hooks": [theirs]}]}}
    assert left.changed == ()


def test_hooks_of_another_program_with_shims_of_our_names_are_not_ours() -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ".claude/hooks/on-stop.sh"}]}]}}'
    after, outcome = installed(text)
    assert len(plain(after)["hooks"]["Stop"]) == 2
    assert outcome.changed == ()
    assert freed(after, outcome) == text


# ------------------------------------------------------------- former releases


@given(ANY)
def test_entries_of_a_former_release_are_upgraded_where_they_stand(text: str) -> None:
    former = [replace(hook, command=OLD[hook.event], older=()) for hook in HOOKS]
    old, outcome = installed(text, former)
    new = settings.register(old, HOOKS, outcome.before)
    assert new.text == installed(text)[0]
    assert new.changed == ()
    assert freed(new.text, new) == text
    assert freed(old, outcome) == text


@given(ANY, st.integers(0, 5))
def test_an_event_that_is_new_to_a_release_is_added(text: str, known: int) -> None:
    some, outcome = installed(text, HOOKS[:known])
    more = settings.register(some, HOOKS, outcome.before)
    assert more.text is not None
    ours = settings.registrations(more.text, HOOKS)
    assert [each.command for each in ours] == [hook.command for hook in HOOKS]
    assert freed(more.text, more) == text


# ------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", "the settings must be an object, {…}"),
        ('"x"', "the settings must be an object, {…}"),
        ('{"hooks": []}', '"hooks" must be an object, {…}'),
        ('{"hooks": null}', '"hooks" must be an object, {…}'),
        ('{"hooks": {"Stop": {}}}', '"Stop" must be a list, […]'),
        ('{"hooks": {"PreToolUse": "x"}}', '"PreToolUse" must be a list, […]'),
        ('{"hooks": {}, "hooks": {}}', 'the key "hooks" stands here a second time'),
        (
            '{"permissions": {}, "permissions": []}',
            'the key "permissions" stands here a second time',
        ),
        ('{"hooks": {"Stop": [], "Stop": []}}', 'the key "Stop" stands here a second time'),
        ('{"a": 1,}', "a comma that nothing follows"),
        ('{"a": 1} // mine', "a comment, which JSON does not have"),
    ],
)
@pytest.mark.parametrize("way", [settings.register, settings.unregister])
def test_json_that_cannot_hold_hooks_is_refused(text: str, what: str, way: Any) -> None:
    with pytest.raises(JsonError) as told:
        way(text, HOOKS, None)
    assert told.value.what == what


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": {"Elsewhere": {}, "Stop": ["x", {}, {"hooks": 1}, {"hooks": [1, {"command": 2}]}]}}',
        '{"a": {"hooks": []}, "hooks": {"Notification": null}}',
        '{"model": 1, "model": 2}',
    ],
)
def test_oddities_of_others_are_left_to_them(text: str) -> None:
    after, outcome = installed(text)
    assert freed(after, outcome) == text
