"""The last steps of a session: which they are, and how each reads."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from onward.distill import distill
from onward.model import (
    Asked,
    Delegated,
    Edited,
    Event,
    Halt,
    Interrupt,
    Item,
    Looked,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    Searched,
    Used,
)

ROOT = "/home/ana/shop"


def steps(*events: Event) -> list[Item[str]]:
    """The trail of events at lines 1, 2, 3 …"""
    placed = [msgspec.structs.replace(event, line=n) for n, event in enumerate(events, 1)]
    return list(distill(placed, ROOT).trail)


def told(*events: Event) -> list[str]:
    return [step.text for step in steps(*events)]


def ran(command: str, output: str = "", **more: Any) -> Ran:
    return Ran(
        **{"line": 0, "command": command, "cwd": ROOT, "failed": False, "output": output, **more}
    )


def edited(path: str, text: str = "", *spans: tuple[int, int], change: Any = "edited") -> Edited:
    return Edited(line=0, path=f"{ROOT}/{path}", text=text, spans=spans, change=change, added=1)


def reply(text: str) -> Reply:
    return Reply(line=0, text=text)


def test_steps_stand_in_order_with_who_vouches_for_each_and_where() -> None:
    found = steps(
        Prompt(line=0, text="Mend the total of the cart"),
        reply("The total leaves out the shipping."),
        edited("src/cart.py", "return net + shipping", (4, 4)),
        ran("pytest -q", "1 failed, 3 passed in 0.10s\n", failed=True, exit_code=1),
    )
    assert [(s.text, s.evidence, s.places) for s in found] == [
        ("“Mend the total of the cart”", "asked", ("t:1",)),
        ("“The total leaves out the shipping.”", "claimed", ("t:2",)),
        ("Edited `src/cart.py` line 4 — `return net + shipping`", "observed", ("t:3",)),
        ("Ran `pytest -q`: failed (1 failed, 3 passed in 0.10s)", "observed", ("t:4",)),
    ]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ran("pytest -q", "4 passed in 0.10s\n"), "Ran `pytest -q`: passed (4 passed in 0.10s)"),
        (ran("pytest -q | tail -3", "…"), "Ran `pytest -q`: outcome not seen"),
        (ran("npm test", state="open", failed=None), "Ran `npm test`: end not seen"),
        (ran("npm start", background="b1"), "Ran `npm start`: left running in the background"),
        (ran("./deploy.sh", "copied\nlive at shop.test\n"), "Ran `./deploy.sh`: live at shop.test"),
        (
            ran("./deploy.sh", "Error: no route to host\n", failed=True, exit_code=1),
            "Ran `./deploy.sh`: failed: Error: no route to host",
        ),
        (
            ran("git commit -m x", "[main 1234567] Mend the cart\n"),
            "Committed 1234567 Mend the cart",
        ),
        (
            ran("git switch next", "Switched to branch 'next'\n"),
            "Ran `git switch next`: on branch next",
        ),
        (
            ran(
                "git merge next",
                "CONFLICT (content): Merge conflict in src/cart.py\n",
                failed=True,
                exit_code=1,
            ),
            "Ran `git merge next`: conflicts in `src/cart.py`",
        ),
        (
            ran("jj new main", "There are conflicts:\nsrc/cart.py    2-sided conflict\n"),
            "Ran `jj new main`: conflicts in `src/cart.py`",
        ),
        (ran(f"cd {ROOT} && ./go.sh 2>&1 | tail -5"), "Ran `./go.sh`"),
        (
            ran(f"cd {ROOT}/web && npm test", "1 passing\n"),
            "Ran in `web`: `npm test`: passed (1 passing)",
        ),
        (ran("node --version", "v22.1.0\n"), "Looked at `node --version` (v22.1.0)"),
        (ran("sed -n 1,20p src/cart.py", "a\nb\nc\n"), "Looked at `src/cart.py` lines 1-20"),
        (Looked(line=0, path=f"{ROOT}/src/cart.py"), "Looked at `src/cart.py`"),
        (Looked(line=0, path="a.py", span=(7, 9)), "Looked at `a.py` lines 7-9"),
        (Looked(line=0, path="a.py", span=(7, 0)), "Looked at `a.py` from line 7 on"),
        (
            ran("grep -n total src/cart.py", "3:def total(\n9:    return total\n"),
            "Looked at `grep -n total src/cart.py` (3:def total(; 9: return total)",
        ),
        (
            ran(
                "curl -sI https://shop.test", "HTTP/1.1 403 Forbidden\nServer: nginx\nDate: x\n" * 3
            ),
            "Ran `curl -sI https://shop.test`: HTTP/1.1 403 Forbidden",
        ),
        (ran("cat > notes.md <<'E'\nhello\nE"), "Wrote `notes.md`"),
        (edited("a.py", "", change="created"), "Wrote `a.py`"),
        (edited("a.py", "", change="deleted"), "Edited `a.py` (deleted)"),
        (
            edited("a.py", "# why\nimport os\nx = total()", (1, 3)),
            "Edited `a.py` lines 1-3 — `x = total()`",
        ),
        (Interrupt(line=0), "The person stopped the agent"),
        (
            Refusal(line=0, act="rm -rf src", words="keep it", kind="command"),
            "The person refused `rm -rf src`, saying “keep it”",
        ),
        (Halt(line=0, reason="limit reached"), "The client broke off the work: limit reached"),
        (
            Delegated(line=0, task="Look for callers", report="3"),
            "The sub-agent “Look for callers” reported",
        ),
        (
            Planned(line=0, text="# Plan", approved=True),
            "Put a plan before the person, who approved it",
        ),
        (
            Asked(
                line=0, questions=(Question(text="Which one?", answer="the first"),), answered=True
            ),
            "Asked in a form: Which one? the first",
        ),
        (Used(line=0, tool="WebFetch", detail="https://a.test"), "Used WebFetch https://a.test"),
        (
            Searched(line=0, pattern="total", where=f"{ROOT}/src", found=("a.py", "b.py"), more=9),
            "Searched for `total` in `src`: `a.py`, `b.py` and 9 more",
        ),
        (
            Searched(line=0, pattern="total", found=(f"{ROOT}/a.py:3:def total(",)),
            "Searched for `total`: a.py:3:def total(",
        ),
        (Searched(line=0, pattern="*.rs"), "Searched for `*.rs`: nothing found"),
        (
            Delegated(line=0, task="Look for callers", report="Two callers pass no currency."),
            "The sub-agent “Look for callers” reported: “Two callers pass no currency.”",
        ),
    ],
)
def test_an_act_is_told_with_how_it_ended(event: Event, words: str) -> None:
    assert told(event) == [words]


@pytest.mark.parametrize(
    "event",
    [
        ran("mkdir -p src/a"),
        ran("pytest -q", state="cancelled", failed=None),
        Planned(line=0, text="# Plan", approved=False),
        Prompt(line=0, text="ls", source="shell"),
        Edited(line=0, path="src/a.py", thread="helper"),
        reply("Let me look at the cart:"),
        reply("Got it."),
    ],
)
def test_what_tells_nothing_of_the_work_is_no_step(event: Event) -> None:
    assert told(event, ran("./go.sh"), reply("All of it is done.")) == [
        "Ran `./go.sh`",
        "“All of it is done.”",
    ]


@pytest.mark.parametrize("sign", [".", "!", "[ ! ]"])
def test_a_sign_that_sends_the_agent_on_is_no_step(sign: str) -> None:
    assert told(Prompt(line=0, text=sign), ran("./go.sh")) == ["Ran `./go.sh`"]


FOUND = """Perfect! Now I have all that I need.

## Callers
- `report.py` passes no currency
- `export.py` passes it twice
- `totals.py` takes it from the environment
"""


def test_a_report_is_told_at_length_without_its_greeting() -> None:
    (step,) = steps(Delegated(line=0, task="Look for callers", report=FOUND))
    assert step.why is not None
    assert step.why.splitlines() == [
        "**Callers**",
        "- `report.py` passes no currency",
        "- `export.py` passes it twice",
        "- `totals.py` takes it from the environment",
    ]


def test_a_message_that_says_more_than_its_claim_is_kept_by_its_lines() -> None:
    short, long = "The total leaves out the shipping.", f"The total is wrong.\n\n{FOUND}"
    assert [step.why and len(step.why.splitlines()) for step in steps(reply(short))] == [None]
    kept, _, last = steps(reply(long), ran("./go.sh"), reply(f"All is done.\n\n{FOUND}"))
    assert "- `export.py` passes it twice" in (kept.why or "")
    assert last.why is None  # the last words are kept by themselves


def test_what_only_thinks_aloud_is_told_in_no_more_than_a_line() -> None:
    aloud = (
        "The total is wrong by the shipping. Wait, it is added in `report.py` too. "
        "Let me take it out there. Actually, that breaks the export. Let me add a flag instead."
    )
    assert [step.why for step in steps(reply(aloud), ran("./go.sh"))] == [None, None]


def test_of_a_search_and_the_file_that_it_hit_one_is_told() -> None:
    search = Searched(line=4, pattern="total", found=("a.py:3:def total(",))
    steps = distill([search, Looked(line=4, path="a.py")], ROOT).trail
    assert [step.text for step in steps] == ["Searched for `total`: a.py:3:def total("]


def test_a_search_is_told_only_where_nothing_was_done_after_it() -> None:
    search = Searched(line=0, pattern="total", found=("a.py",))
    assert told(search, ran("./go.sh")) == ["Ran `./go.sh`"]


def test_prose_is_told_by_a_line_that_does_not_lead_to_others() -> None:
    text = "The cause was simple:\n- the total is rounded twice"
    assert told(edited("NOTES.md", text)) == ["Edited `NOTES.md` — `- the total is rounded twice`"]
    assert told(edited("a.py", "class Cart:\n    total = 0")) == ["Edited `a.py` — `class Cart:`"]


def test_of_an_announcement_only_what_it_claims_is_told() -> None:
    assert told(reply("The linter passes now. Let me also run the tests:")) == [
        "“The linter passes now.”"
    ]


def test_an_announcement_at_the_end_is_told_since_nothing_came_of_it() -> None:
    assert told(edited("a.py"), reply("Now let me run the tests:")) == [
        "Edited `a.py`",
        "“Now let me run the tests:”",
    ]


def test_edits_in_a_row_are_one_step_and_a_file_is_named_once() -> None:
    (step,) = told(
        edited("a.py", "x = one(10)", (1, 1)),
        edited("a.py", "y = two(20)", (9, 9)),
        edited("b.py", "", (3, 4)),
    )
    assert step == "Edited `a.py` line 1 — `x = one(10)`; line 9 — `y = two(20)`; `b.py` lines 3-4"


LONG = ", ".join(f"part{n}" for n in range(8))
"""Arguments of a line that takes nearly half the room of a step's edit."""


@pytest.mark.parametrize(
    ("gone", "text", "words"),
    [
        ("x = one(10)", "x = one(20)", "`x = one(10)` → `x = one(20)`"),
        ("# of old\nx = one(10)", "\nx = two(10)", "`x = one(10)` → `x = two(10)`"),
        ("return", "def total(rows):", "`def total(rows):`"),
        ("x = one(10)", "x  =  one(10)", "`x = one(10)`"),
        ("import os\nx = one(10)", "", "`x = one(10)` taken out"),
        (f"x=f({LONG})", f"x=f({LONG}, last)", f"`x=f({LONG})` → `x=f({LONG}, last)`"),
    ],
)
def test_an_edit_tells_what_became_what(gone: str, text: str, words: str) -> None:
    edit = replace(edited("a.py", text, (1, 1)), gone=gone)
    assert told(edit) == [f"Edited `a.py` line 1 — {words}"]


def test_a_command_that_was_run_again_is_told_where_it_ran_last() -> None:
    assert told(
        ran("pytest -q", "1 failed in 0.1s\n", failed=True, exit_code=1),
        edited("a.py", "x = total(1)", (1, 1)),
        ran("pytest -q", "1 passed in 0.1s\n"),
    ) == ["Edited `a.py` line 1 — `x = total(1)`", "Ran `pytest -q`: passed (1 passed in 0.1s)"]


def test_a_look_that_an_act_came_after_is_left_out() -> None:
    assert told(ran("node --version", "v22.1.0\n"), edited("a.py", "x = total(1)", (1, 1))) == [
        "Edited `a.py` line 1 — `x = total(1)`"
    ]


def test_words_of_the_person_that_nothing_came_of_are_left_out() -> None:
    assert told(
        Prompt(line=0, text="Mend the cart"), Prompt(line=0, text="stop"), ran("./go.sh")
    ) == ["“stop”", "Ran `./go.sh`"]


def test_what_a_client_says_of_a_command_s_own_change_is_no_step_of_its_own() -> None:
    change = edited("a.py", "x = total(1)", (1, 1))
    both = [msgspec.structs.replace(e, line=1) for e in (ran("sed -i s/a/b/ a.py"), change)]
    assert [step.text for step in distill(both, ROOT).trail] == ["Ran `sed -i s/a/b/ a.py`"]


def test_a_trail_has_twelve_steps_at_most_the_newest_ones() -> None:
    found = told(
        *(ran(f"./go.sh {n}") for n in range(1)),
        *(
            event
            for n in range(40)
            for event in (reply(f"Step {n} of the work is done."), ran(f"./go.sh {n}"))
        ),
    )
    assert len(found) == 12
    assert found[-1] == "Ran `./go.sh 39`"


def test_a_long_step_keeps_its_last_parts_whole_and_tells_the_others_in_short() -> None:
    found = told(*(ran(f"./go.sh {n} {'x' * 120}", output=f"took {n} s") for n in range(6)))
    assert len(found) == 1
    assert f"`./go.sh 5 {'x' * 120}`: took 5 s; before that `./go.sh 3 …`: took 3 s" in found[0]
    assert found[0].endswith("`./go.sh 0 …`: took 0 s")


def test_files_for_which_a_step_has_no_room_are_told_by_their_names() -> None:
    (found,) = told(*(edited(f"src/part{n}/{'long' * 12}{n}.py", "x = 1") for n in range(6)))
    assert "; before that `" in found
    assert f"`{'long' * 12}1.py`" in found


def test_of_many_edits_of_one_file_the_others_are_counted() -> None:
    (found,) = told(*(edited("src/a.py", f"value_{n} = {n}" * 9, (n, n)) for n in range(1, 9)))
    assert found.endswith("more edits of the same before")


def test_while_the_agent_polls_what_it_says_of_waiting_is_left_out() -> None:
    waits = [
        e
        for n in range(4)
        for e in (ran("bd status"), reply(f"Still no handoff at look {n} of it."))
    ]
    found = told(*waits, ran("bd show 8"), reply("The build of it is through now."), *waits[:2])
    assert [line for line in found if "Still" in line] == ["“Still no handoff at look 0 of it.”"]
    assert "“The build of it is through now.”" in found
    assert found[-1] == "“Still no handoff at look 0 of it.”"


def test_a_check_that_is_run_again_and_again_is_no_polling() -> None:
    fails = [
        event
        for n in range(4)
        for event in (
            ran("pytest -q", output=f"{n + 1} failed, 1 passed", failed=True),
            reply(f"The header of page {n} is wrong."),
        )
    ]
    assert "“The header of page 1 is wrong.”" in told(*fails)


def test_a_long_answer_is_told_by_the_line_that_takes_up_the_question() -> None:
    long = "Here are the fields:\n\n## Old\n\nThese may go soon.\n\n## Log\n\nThe log holds two tokens."
    ask = Prompt(line=0, text="Which tokens does the log hold?")
    assert told(reply(long))[-1] == "“These may go soon.”"
    assert told(ask, reply(long))[-1] == "“The log holds two tokens.”"


def test_an_act_that_the_person_stopped_is_one_step() -> None:
    cut = ran("./go.sh", state="interrupted", failed=None)
    assert told(cut, Interrupt(line=0, act="./go.sh")) == ["Ran `./go.sh`: stopped by the person"]


def test_the_save_that_reads_the_transcript_is_no_step() -> None:
    assert told(ran("make; onward save", state="open", failed=None)) == []


def test_the_head_of_an_earlier_command_is_told_in_a_fence_of_its_own() -> None:
    first = ran(f"cat <<'EOF' > note.txt\n{'x' * 400}\nEOF\ngit add . && make site && make push")
    (step,) = told(first, ran(f"make {'y' * 280}"))
    assert step.count("`") % 2 == 0
    assert "``" not in step


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            "a.py  2-sided\n\nb.py  2-sided\nc.py  2-sided\n",
            "a.py 2-sided; b.py 2-sided; c.py 2-sided",
        ),
        ("\n".join(f"file {n}" for n in range(6)), ""),
        (f"{'x' * 100}\n{'y' * 100}\n{'z' * 100}", ""),
    ],
)
def test_a_short_output_of_a_last_look_is_told_whole(output: str, told: str) -> None:
    (step,) = steps(ran("git status -s", output))
    assert step.text == "Looked at `git status -s`" + (f" ({told})" if told else "")


def test_what_a_script_writes_above_its_output_is_neither_the_command_nor_what_it_said() -> None:
    script = "echo '=== the port of the server ==='\ngrep -rn PORT config\necho '=== and who has it ==='\nlsof -i :80"
    output = "=== the port of the server ===\n=== and who has it ===\nnginx 81 root"
    (step,) = told(ran(script, output))
    assert step == "Looked at `lsof -i :80` and more before it (nginx 81 root)"


@pytest.mark.parametrize("verdict", ["it is there", "it is missing"])
def test_what_a_script_says_only_in_one_case_is_its_answer(verdict: str) -> None:
    script = "echo '=== config ==='; test -f a.toml && echo 'it is there' || echo 'it is missing'"
    (step,) = told(ran(script, f"=== config ===\n{verdict}"))
    assert step.endswith(f" ({verdict})")
