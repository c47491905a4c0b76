"""Which user messages are a user's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onward.model import Compacted, Halt, Interrupt, Planned, Prompt, Reply, Titled

if TYPE_CHECKING:
    from tests.unit.transcripts.codex.conftest import Rollout

FRAME = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py: a.py\n\n## My request for Codex:\n"
SAVED = "---\ndescription: Make a plan.\n---\n\nUser input:\n\n$ARGUMENTS\n\n1. Run setup.sh\n"
OUTLINED = "## User Input\n\n```text\n{}\n```\n\nYou **MUST** consider it.\n\n## Outline\n\n1. **Setup**: Run setup.sh\n2. Go on\n"
LONG = "please finish milestone five once milestone four is satisfied"


@pytest.mark.parametrize(
    ("text", "source", "words"),
    [
        ("fix the login", "typed", "fix the login"),
        ("<b>why</b> is this bold?", "typed", "<b>why</b> is this bold?"),
        (f"{FRAME}fix the login\n", "typed", "fix the login"),
        (f"{FRAME}{FRAME}fix the login\n", "typed", "fix the login"),
        ("# Rules\nkeep them", "typed", "# Rules\nkeep them"),
        (SAVED, "command", "(saved prompt: Make a plan.)"),
        (OUTLINED.format(LONG), "command", f"{LONG}\n(saved prompt: Setup: Run setup.sh; Go on)"),
        (
            OUTLINED.format("FND-001"),
            "command",
            "FND-001\n(saved prompt: Setup: Run setup.sh; Go on)",
        ),
        (OUTLINED.format(""), "command", "(saved prompt: Setup: Run setup.sh; Go on)"),
        (
            OUTLINED.format("").replace("1. ", "You update the rules.\n\n1. "),
            "command",
            "(saved prompt: You update the rules.)",
        ),
        (
            "<user_shell_command>\n<command>\nls -la\n</command>\n<result>\na\n</result>\n</user_shell_command>",
            "shell",
            "!ls -la",
        ),
    ],
)
def test_a_persons_words_become_a_prompt(
    rollout: Rollout, text: str, source: str, words: str
) -> None:
    rollout.meta()
    rollout.says(text)
    prompt = rollout.events()[0]
    assert isinstance(prompt, Prompt)
    assert (prompt.source, prompt.text) == (source, words)


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/a</cwd>\n</environment_context>",
        "<user_instructions>\n\nBe brief.\n</user_instructions>",
        "# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
        "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
        '<hook_prompt hook_run_id="stop:0:x">go on</hook_prompt>',
        "<skill>\n<name>worktree</name>\n</skill>",
        "Warning: apply_patch was requested via shell. Use the apply_patch tool instead.",
        "onward briefing of yesterday",
        "Go on from here:\nonward briefing of yesterday",
        "<!-- onward:1 {} -->",
        "Go on from here: <!-- onward:1 {} -->",
    ],
)
@pytest.mark.parametrize("is_told", [True, False])
def test_what_the_client_puts_there_is_nobodys_words(
    rollout: Rollout, text: str, is_told: bool
) -> None:
    rollout.meta()
    rollout.message("user", text)
    if is_told:
        rollout.news("user_message", message=text)
    assert rollout.events() == []


def test_who_speaks_of_a_briefing_is_heard(rollout: Rollout) -> None:
    rollout.meta()
    rollout.says("Where does the onward briefing say that?")
    (prompt,) = rollout.events()
    assert isinstance(prompt, Prompt)
    assert prompt.text == "Where does the onward briefing say that?"


def test_what_a_hook_told_the_model_is_nobodys_words(rollout: Rollout) -> None:
    rollout.meta()
    rollout.message("developer", "SESSION_BACKUP_PENDING: 1")
    rollout.says("fix it")
    assert [type(event) for event in rollout.events()] == [Prompt]


def test_words_that_stand_twice_are_said_once(rollout: Rollout) -> None:
    rollout.meta()
    for text in ("go on", "go on"):
        rollout.says(text)
        rollout.replies("done")
    told = [event.text for event in rollout.events() if isinstance(event, Prompt | Reply)]
    assert told == ["go on", "done", "go on", "done"]


def test_a_message_that_no_screen_was_told_is_none_where_screens_are_told(
    rollout: Rollout,
) -> None:
    rollout.meta()
    rollout.says("fix it")
    rollout.message("user", "a text of the client's own that no list knows")
    rollout.replies("done")
    assert len(rollout.events(Prompt)) == 1


def test_an_excerpt_without_news_has_its_prompts_and_replies(rollout: Rollout) -> None:
    rollout.message("user", "fix it")
    rollout.message("assistant", "done")
    rollout.message("user", "go on")
    told = [event.text for event in rollout.events() if isinstance(event, Prompt | Reply)]
    assert told == ["fix it", "done", "go on"]


def test_images_count(rollout: Rollout) -> None:
    rollout.meta()
    rollout.says("why?", images=["data:image/png;base64,AAAA"], local_images=["/tmp/a.png"])
    (prompt,) = rollout.events()
    assert isinstance(prompt, Prompt)
    assert prompt.images == 2


def test_a_prompt_while_the_agent_works_was_queued(rollout: Rollout) -> None:
    rollout.meta()
    for texts in (("fix it", "and test it"), ("now push",)):
        rollout.news("task_started", turn_id="t")
        for text in texts:
            rollout.says(text)
        rollout.news("task_complete", turn_id="t")
    assert [e.source for e in rollout.events() if isinstance(e, Prompt)] == [
        "typed",
        "queued",
        "typed",
    ]


def test_an_interrupt_names_what_was_under_way(rollout: Rollout) -> None:
    rollout.meta()
    rollout.news("task_started", turn_id="t")
    rollout.says("test it")
    rollout.call("exec_command", "c1", cmd="make test")
    rollout.result("c1", "Wall time: 3.4 seconds\naborted by user")
    rollout.message("user", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>")
    line = rollout.news("turn_aborted", reason="interrupted")
    interrupt = rollout.events()[-1]
    assert isinstance(interrupt, Interrupt)
    assert (interrupt.act, interrupt.line) == ("make test", line)


def test_a_turn_that_another_prompt_replaced_was_not_interrupted(rollout: Rollout) -> None:
    rollout.meta()
    rollout.says("test it")
    rollout.news("turn_aborted", reason="replaced")
    assert rollout.events(Interrupt) == []


def test_an_error_of_the_client_halts_the_work(rollout: Rollout) -> None:
    rollout.meta()
    rollout.news("error", message="You've hit your usage limit.", codex_error_info="x")
    (halt,) = rollout.events()
    assert isinstance(halt, Halt)
    assert halt.reason == "You've hit your usage limit."


def test_a_threads_name_is_the_persons_title(rollout: Rollout) -> None:
    rollout.meta()
    rollout.news("thread_name_updated", thread_id=rollout.thread, thread_name="My login")
    (titled,) = rollout.events()
    assert isinstance(titled, Titled)
    assert (titled.text, titled.by_user) == ("My login", True)


# ------------------------------------------------------------------------------ plans


def test_a_plan_waits_for_the_persons_word(rollout: Rollout) -> None:
    rollout.meta()
    rollout.done("Plan", id="p", text="# Fix the login\n\n1. test")
    rollout.replies("Here it is:\n<proposed_plan>\n# Fix the login\n\n1. test\n</proposed_plan>")
    plan, reply = rollout.events()
    assert isinstance(plan, Planned)
    assert (plan.text, plan.approved) == ("# Fix the login\n\n1. test", None)
    assert isinstance(reply, Reply)
    assert reply.text == "Here it is:"


@pytest.mark.parametrize(
    "words", ["Implement the plan.", "PLEASE IMPLEMENT THIS PLAN:\n# Fix the login"]
)
def test_a_yes_to_a_plan_approves_it(rollout: Rollout, words: str) -> None:
    rollout.meta()
    rollout.done("Plan", id="p", text="# Fix the login")
    rollout.says(words)
    _, approved = rollout.events()
    assert isinstance(approved, Planned)
    assert (approved.text, approved.approved) == ("# Fix the login", True)


def test_a_yes_to_a_plan_that_other_words_settled_is_a_prompt_of_its_own(
    rollout: Rollout,
) -> None:
    rollout.meta()
    rollout.says("Implement the plan.")
    (prompt,) = rollout.events()
    assert isinstance(prompt, Prompt)
    assert prompt.text == "Implement the plan."


# ------------------------------------------------------------------------- compaction

LEAD_IN = (
    "Another language model started to solve this problem and produced a summary of its thinking "
    "process. Here is the summary produced by the other language model, use it:\n"
)


@pytest.mark.parametrize(
    ("message", "summary"),
    [("", ""), ("Half is done.", "Half is done."), (f"{LEAD_IN}Half is done.", "Half is done.")],
)
def test_a_compaction_brings_its_summary_where_it_can_be_read(
    rollout: Rollout, message: str, summary: str
) -> None:
    rollout.meta()
    rollout.says("fix it")
    kept = [{"type": "message", "role": "user", "content": [{"text": "fix it"}]}]
    line = rollout.add("compacted", message=message, replacement_history=kept)
    rollout.news("context_compacted")
    _, compacted = rollout.events()
    assert isinstance(compacted, Compacted)
    assert (compacted.summary, compacted.line) == (summary, line)


def test_a_summary_is_no_reply(rollout: Rollout) -> None:
    rollout.meta()
    rollout.done("UserMessage", content=[{"type": "text", "text": "fix it"}])
    rollout.message("assistant", "Half is done.")
    rollout.add("token_usage_record", usage={})
    rollout.add("compacted", message=f"{LEAD_IN}Half is done.")
    assert rollout.events(Reply) == []


@pytest.mark.parametrize(("prompts", "automatic"), [(1, True), (0, False)])
def test_a_compaction_in_a_turn_that_nobody_began_was_asked_for(
    rollout: Rollout, prompts: int, automatic: bool
) -> None:
    rollout.meta()
    rollout.news("task_started", turn_id="t")
    for _ in range(prompts):
        rollout.says("fix it")
    rollout.add("compacted", message="")
    (compacted,) = rollout.events(Compacted)
    assert isinstance(compacted, Compacted)
    assert compacted.automatic is automatic
