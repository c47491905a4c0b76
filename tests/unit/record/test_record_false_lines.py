"""False lines that readers proved on real sessions: none of them may come back."""

from __future__ import annotations

from typing import cast

import pytest
from tests.unit.record.session import ROOT, Session

from onward import requests
from onward.briefing import brief
from onward.briefing.files import possibly_open
from onward.model import (
    Checkpoint,
    Delegated,
    Draft,
    Edited,
    Interrupt,
    Looked,
    Moved,
    Searched,
)
from onward.paths import apart
from onward.record.commands import normal_form
from onward.record.consistency import contradictions


def lines(draft: Draft) -> str:
    """Every line of a draft that states something."""
    items = [draft.next_action, *draft.blockers, *draft.dead_ends, *draft.progress, *draft.trail]
    return "\n".join(item.text for item in items if item)


def checkpoint(draft: Draft) -> Checkpoint:
    """The draft as if it had been redacted: nothing in it is secret."""
    return cast("Checkpoint", draft)


def asked() -> Session:
    return Session().user("Move the shop to the new login and commit it")


@pytest.mark.parametrize(
    "session",
    [
        asked()
        .edited("a.py")
        .ran("git commit -am x", background="b1x")
        .news("b1x", "done", "[main 156c7fc] Move the login\n 1 file changed"),
        asked().edited("a.py").ran("rtk git commit -am x", "[main 156c7fc] Move the login"),
        asked()
        .edited("a.py")
        .ran(
            "cd . && FOO=1 git commit -qam 'Move the login' && git log --oneline -1",
            "156c7fc Move the login",
        ),
    ],
)
def test_a_commit_in_the_background_or_behind_a_wrapper_is_a_commit(session: Session) -> None:
    draft = session.done("Committed 156c7fc.").record()
    assert [item.text.removesuffix(" (1 file)") for item in draft.progress] == [
        "Committed 156c7fc Move the login"
    ]
    assert [(f.path, f.commit) for f in draft.files] == [("a.py", "156c7fc")]


def test_what_an_amended_commit_took_in_is_committed() -> None:
    session = asked().edited("a.py").ran("git commit -am x", "[main 1111111] Move it")
    session.edited("b.py").ran("git commit -a --amend", "[main 2222222] Move it")
    draft = session.done().record()
    assert [(f.path, f.commit) for f in draft.files] == [("b.py", "2222222"), ("a.py", "2222222")]
    assert [item.text for item in draft.progress] == ["Committed 2222222 Move it (amended)"]


def test_no_file_of_gits_own_is_a_file_of_the_work() -> None:
    draft = asked().ran("rm -f .git/index.lock").edited(".git/hooks/pre-push").edited("a.py")
    assert [fact.path for fact in draft.record().files] == ["a.py"]


def test_a_check_that_passed_elsewhere_is_not_failing() -> None:
    session = asked().ran("cargo test", "error: could not find `Cargo.toml`", failed=True)
    session.ran("cd core && cargo test", "test result: ok. 230 passed; 0 failed; 0 ignored")
    draft = session.done().record()
    assert [(run.command, run.outcome) for run in draft.runs] == [("cargo test", "passed")]
    assert "cargo test` fails" not in lines(draft)
    assert draft.blockers == ()


def test_what_one_runner_printed_is_not_the_end_of_another_check() -> None:
    script = "python -m py_compile a.py\npython -m unittest test_a -v\npython -m unittest test_b -v\ngit diff"
    said = "test_b (t) ... ERROR\n\nRan 1 test in 0.000s\n\nFAILED (errors=1)"
    draft = asked().edited("a.py").ran(script, said).done().record()
    found = {run.command: run.outcome for run in draft.runs}
    assert set(found.values()) == {"unseen"}
    assert "fails" not in lines(draft)


def test_a_question_that_was_answered_is_not_to_be_answered() -> None:
    draft = Session().user("what is the otp?").done("It is in the log.").record()
    assert "otp" not in lines(draft).replace("The user: “what is the otp?”", "")


def test_a_command_that_is_no_check_is_not_to_be_fixed() -> None:
    draft = asked().ran("rtk git add a.py", "fatal: pathspec", failed=True).done().record()
    assert draft.runs == ()
    assert "Fix the failing" not in lines(draft)


def test_a_server_that_was_stopped_is_no_failed_approach() -> None:
    session = asked().ran("pnpm --filter web dev", background="b1").news("b1", "killed")
    assert session.edited("a.py").done().record().dead_ends == ()


def test_a_command_that_never_worked_is_a_repeated_failure() -> None:
    session = asked()
    for _ in range(3):
        session.ran("npm install", "npm error code EPERM\nnpm error errno -1", failed=True)
    (failure,) = session.done("please run `sudo chown …`").record().failures
    assert (failure.command, failure.times) == ("npm install", 3)
    assert "npm error code EPERM" in failure.lines


def test_a_template_and_a_remark_are_no_decision() -> None:
    session = Session().user("NEVER break character. Always answer as a pirate.")
    assert session.done("Aye, we decided on the plank.").record().decisions == ()


@pytest.mark.parametrize(
    ("command", "back"),
    [("git checkout -- a.py", True), ("git reset --hard", True), ("git stash", False)],
)
def test_edits_that_git_took_back_are_a_failed_approach(command: str, back: bool) -> None:
    draft = asked().edited("a.py").ran(command).done().record()
    assert bool(draft.dead_ends) == back
    assert [fact.path for fact in draft.files] == ([] if back else ["a.py"])


def test_what_was_there_before_a_repository_was_begun_is_not_taken_back_with_git() -> None:
    session = asked().edited("a.py").ran("git init && git fetch origin")
    draft = session.ran("git reset --hard origin/main").done().record()
    assert draft.dead_ends == ()
    assert [fact.path for fact in draft.files] == ["a.py"]


def test_a_server_whose_script_ended_with_a_look_did_not_fail() -> None:
    session = asked().ran("PORT=80 npm start &\nsleep 3\nss -tlnp | grep 80", background="b1")
    assert session.news("b1", "failed", "exit code 1").done().record().dead_ends == ()


def test_a_refused_call_that_was_let_through_later_is_no_failed_approach() -> None:
    session = asked().refused("rg spec", kind="command")
    assert session.ran("rg spec", "rg: not found", failed=True).record().dead_ends == ()
    # Of a script that failed, it is not known which of its commands ran.
    session = asked().refused("git push", kind="command")
    assert session.ran("npm test && git push", failed=True).record().dead_ends


def test_a_call_that_was_refused_and_done_after_all_is_no_failed_approach() -> None:
    session = asked().refused("git push", "not yet", kind="command")
    assert [item.text for item in session.record().dead_ends] == ["Refused by the user: `git push`"]
    assert session.ran("git push -u origin main").record().dead_ends == ()


def test_a_conflict_stands_in_the_way_until_it_is_resolved() -> None:
    session = asked().ran("git merge x", "CONFLICT (content): Merge conflict in a.py", failed=True)
    assert [item.text for item in session.record().blockers] == ["Merge conflict in `a.py`"]
    assert session.ran("git commit -am 'Merge x'", "[main 9f5a3c7] Merge x").record().blockers == ()


def test_the_result_of_a_run_is_told_in_one_way() -> None:
    session = asked().ran("pytest -q", "1 failed, 2 passed in 1s", failed=True).edited("a.py")
    draft = session.ran("uv run pytest -q", "3 passed in 1s").done().record()
    assert contradictions(draft) == []
    assert [(run.command, run.outcome) for run in draft.runs] == [("uv run pytest -q", "passed")]


def test_what_went_through_a_pipe_is_believed_by_the_runners_own_summary() -> None:
    passed, failed = "5 passed in 1s", "FAILED t.py::a - x\n1 failed, 4 passed in 1s"
    outcomes = {
        output: asked().ran("pytest 2>&1 | tail -5", output).record().runs[0].outcome
        for output in (passed, failed, "collecting ...")
    }
    assert list(outcomes.values()) == ["passed", "failed", "unseen"]


def test_a_refusal_with_words_is_what_the_agent_goes_on_from_and_no_interruption() -> None:
    session = Session().user("Plan the folders").planned("# Folders", approved=False)
    session.refused("Folders", "What about the second account?", kind="plan")
    draft = session.record()
    assert draft.status.kind == "cut-off"
    assert [r.text for r in draft.requests][-1] == "What about the second account?"
    assert (
        Session().user("Plan it").refused("Folders", kind="plan").record().status.kind
        == "interrupted"
    )


def test_a_request_behind_an_unanswered_one_answers_nothing_of_the_agent_s() -> None:
    session = Session().user("Plan the folders").agent("Should I add both?")
    draft = session.user("Yes, and the others").user("I misclicked, oops!").record()
    assert [r.about for r in draft.requests] == [None, "Should I add both?", None]


def test_a_check_that_failed_before_edits_is_to_be_run_again_and_not_to_be_fixed() -> None:
    session = asked().edited("a.py").ran("pytest -q", "1 failed", failed=True, exit_code=1)
    following = session.record().next_action
    assert following
    assert following.text == "Fix the failing test run: `pytest -q`"
    following = session.edited("a.py").edited("b.py").record().next_action
    assert following
    assert following.text == "Run again: `pytest -q`, it failed before the last 2 edits"


def test_a_script_that_failed_after_its_first_command_did_not_fail_there() -> None:
    session = asked()
    for _ in range(2):
        session.ran(
            "python3 convert.py && grep -c Edits a.md", "done.\n0", failed=True, exit_code=1
        )
    assert session.record().failures == ()


def test_a_commit_of_files_named_by_a_pattern_holds_no_others() -> None:
    session = asked().edited("keys.py").edited("apps/shop/TRIGGER.md")
    session.ran("git add apps/*/TRIGGER.md && git commit -m x", "[main 76f0f9f] x\n 1 file changed")
    assert {f.path: f.commit for f in session.record().files} == {
        "apps/shop/TRIGGER.md": "76f0f9f",
        "keys.py": "",
    }


def test_a_command_behind_a_cd_to_the_project_ran_there() -> None:
    session = asked().ran(f"cd {ROOT} && bash stop.sh || true", "stopped", cwd=f"{ROOT}/api")
    (step,) = [item.text for item in session.record().trail if "stop.sh" in item.text]
    assert step.startswith("Ran `bash stop.sh")


def test_a_call_that_was_cut_off_is_not_told_as_done() -> None:
    session = asked().agent("Now the badges").used("Write", detail="badges.tsx", open=True)
    assert session.record().trail[-1].text == "Began Write badges.tsx: no result"


def test_a_copy_to_a_folder_that_only_the_shell_knows_changes_none_of_its_sources() -> None:
    draft = asked().edited("a.py").ran('cp src/b.py src/c.py "$folder/src/"').record()
    assert [f.path for f in draft.files] == ["a.py"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat .env 2>/dev/null", ""),
        ("pytest -q 2>&1 | grep Warning", "/lib/contextlib.py:103: FutureWarning: deprecated"),
    ],
)
def test_a_file_is_inspected_only_where_a_command_printed_it(command: str, output: str) -> None:
    assert asked().ran(command, output).record().files == ()


def test_the_second_of_two_alternatives_is_not_inspected() -> None:
    draft = asked().ran("cat a/.env || cat b/.env", "PORT=1").record()
    assert [f.path for f in draft.files] == ["a/.env"]


def test_what_was_changed_before_git_said_that_all_is_clean_is_not_uncommitted() -> None:
    session = asked().edited("a.py").edited("b.py")
    session.ran("git status", "On branch main\nnothing to commit, working tree clean")
    draft = session.edited("b.py").record()
    assert {f.path: f.clean for f in draft.files} == {"a.py": True, "b.py": False}
    elsewhere = (
        asked()
        .edited("a.py")
        .ran("git -C /tmp/other status", "nothing to commit, working tree clean")
    )
    assert not elsewhere.record().files[0].clean


def test_a_path_from_the_home_is_the_same_file_as_its_absolute_path() -> None:
    session = Session().user("Move the notes home").edited("notes/plan.md")
    session.ran("mv notes/plan.md ~/plan.md")
    session.edited("../plan.md").done()
    changed = [fact.to or fact.path for fact in session.record().files]
    assert changed == ["/home/ann/plan.md"]


def test_a_file_that_was_read_and_then_moved_away_is_not_told_at_its_old_place() -> None:
    session = Session().user("Move the notes home")
    session.add(Looked(line=0, path=f"{ROOT}/notes/plan.md"))
    session.ran("mv notes/plan.md ~/plan.md").done()
    assert [fact.path for fact in session.record().files if fact.change == "read"] == []


def test_a_memory_folder_of_the_project_is_work_and_an_agents_is_not() -> None:
    session = Session().user("Write the constitution")
    session.edited(".specify/memory/constitution.md").edited(".claude/plans/move.md").done()
    open_files = [fact.path for fact in session.record().files if not apart(fact.path)]
    assert open_files == [".specify/memory/constitution.md"]


def test_an_uncommitted_file_is_described_by_what_came_after_its_commit() -> None:
    session = Session().user("Write the exporter")
    session.edited("a.py", text="def first():\n", spans=((1, 2),), added=1)
    commit = "[main 1a2b3c4] First\n 1 file changed, 1 insertion(+)\n"
    session.ran("git add a.py && git commit -m First", commit)
    session.edited("a.py", text="def second():\n", spans=((9, 10),), added=1).done()
    (fact,) = session.record().files
    assert fact.why == "defines second"
    assert not fact.commit


def test_edits_in_another_folder_do_not_age_a_check_of_the_project() -> None:
    session = Session().user("Fix the exporter").edited("a.py").ran("pytest -q", "3 passed in 1s\n")
    session.ran("rm -rf /srv/other/build.d /srv/other/notes.md")
    session.edited("../other/b.py").done()
    (run,) = session.record().runs
    assert run.edits_after == 0
    (run,) = session.edited("c.py").record().runs
    assert run.edits_after == 1


def test_a_removed_folder_of_a_tool_is_no_uncommitted_file() -> None:
    session = Session().user("Clean up").edited("a.py").ran("pytest -q", "3 passed in 1s\n")
    draft = session.ran("rm -rf .agents .claude").done().record()
    assert [fact.path for fact in draft.files] == ["a.py"]
    assert draft.runs[0].edits_after == 0


def test_a_request_does_not_end_with_what_was_said_before_a_word_in_mid_turn() -> None:
    session = Session().user("Review the branch").agent("Let me look first.")
    session.user("and the tests", source="queued").done("All is well.")
    session.user("Thanks, now push it").done()
    assert [request.ended for request in session.record().requests] == [None, "All is well.", None]


@pytest.mark.parametrize("marked", [True, False])
def test_a_plan_taken_into_a_new_session_is_not_told_as_refused(marked: bool) -> None:
    """A client writes the same for it as for a refusal without words, at times an interrupt too."""
    session = Session().user("Plan it").planned("# Drop the old parser\n1. a", approved=False)
    session.refused("Drop the old parser", kind="plan")
    draft = (session.interrupted("Drop the old parser") if marked else session).record()
    assert draft.plan is not None
    assert draft.plan.why == "left without a word"
    assert (draft.status.kind, draft.status.waits_for) == ("interrupted", "plan")
    assert "refused" not in lines(draft)
    gone_on = session.user("Do it in two steps").done().record()
    assert (gone_on.status.kind, gone_on.status.waits_for) == ("finished", "")


def test_what_the_user_wrote_right_after_a_refusal_stands_with_it() -> None:
    session = asked().refused("cargo clippy", kind="command").interrupted("cargo clippy")
    session.user("use tspec instead of cargo, please").done()
    (refused,) = session.record().dead_ends
    assert (refused.why, len(refused.places)) == ("use tspec instead of cargo, please", 2)
    (alone,) = (
        asked().refused("cargo clippy", kind="command").done().user("Thanks").record().dead_ends
    )
    assert (alone.why, len(alone.places)) == (None, 1)


def test_a_file_that_was_read_before_it_was_written_anew_is_not_created() -> None:
    session = asked().ran("cat notes.md", "old text").edited("notes.md", added=8, removed=8)
    session.ran("cat > notes.md <<'EOF'\nnew\nEOF")
    (fact,) = session.record().files
    assert (fact.change, fact.added, fact.removed) == ("edited", 0, 0)
    (fresh,) = asked().ran("cat > notes.md <<'EOF'\nnew\nEOF").record().files
    assert fresh.change == "created"


def test_an_edit_that_was_taken_back_and_made_again_is_no_failed_approach() -> None:
    session = asked().edited("a.py").ran("git checkout -- a.py")
    assert "took the edits back" in session.record().dead_ends[0].text
    assert session.edited("a.py").record().dead_ends == ()


def test_a_sub_agent_that_failed_is_told_until_it_was_sent_again() -> None:
    session = asked().helper("write the plan", "You've hit your limit", state="failed")
    (failed,) = session.record().dead_ends
    assert (failed.text, failed.why) == (
        "Failed sub-agent: write the plan",
        "You've hit your limit",
    )
    assert session.helper("write the plan", "Written.").record().dead_ends == ()


def test_where_nothing_was_done_after_the_prompt_the_status_says_so() -> None:
    assert asked().interrupted().record().status.idle
    assert not asked().edited("a.py").interrupted().record().status.idle
    assert not asked().done().record().status.idle


def test_a_command_whose_pipe_printed_an_error_last_is_not_told_as_working() -> None:
    session = asked().ran("op item list").ran("op item list | head", "[ERROR] vault not found")
    assert session.record().commands == ()


def test_a_merge_by_the_host_tells_where_the_branch_stands() -> None:
    said = "Updating f5557aa5..e973b7af\nFast-forward\n biome.json | 3 +++\n"
    draft = asked().ran("gh pr merge 754 --squash --delete-branch", said).record()
    text = "Merged: gh pr merge 754 --squash --delete-branch, now at e973b7a"
    assert [item.text for item in draft.progress] == [text]
    assert asked().ran("gh pr merge 754 --auto").record().progress == ()


def test_the_last_line_with_letters_is_what_was_said_of_an_edit() -> None:
    session = asked().agent("Now each agent gets its model.\n`─────────────`").edited("a.py")
    assert session.record().files[0].said == ("Now each agent gets its model.",)


def test_the_branch_of_a_script_that_was_printed_tells_how_a_check_ended() -> None:
    command = "node -c a.js 2>&1 && echo 'all fine' || echo broken"
    failed = asked().ran(command, "SyntaxError: missing )\nbroken").record()
    assert [run.outcome for run in failed.runs] == ["failed"]
    passed = asked().ran(command, "all fine").record()
    assert [run.outcome for run in passed.runs] == ["passed"]


def test_a_command_among_the_looks_is_not_told_as_a_file() -> None:
    session = asked().ran("ls docs/a-template.md", failed=True, output="ls: cannot access")
    for name in "bcdefgh":
        session.ran(f"cat docs/{name}.md", "text")
    assert "``" not in session.record().trail[-1].text


def test_a_check_that_failed_in_a_scratch_folder_is_no_next_step() -> None:
    trial = asked().ran("cd /tmp/trial && node -c a.js", "SyntaxError: x", failed=True).record()
    assert [run.outcome for run in trial.runs] == ["failed"]
    assert "node" not in (trial.next_action.text if trial.next_action else "")


def test_a_compilers_last_line_is_not_of_a_run_whose_output_a_search_cut() -> None:
    session = (
        asked()
        .edited("a.rs")
        .ran(
            "cargo clippy 2>&1 | tail -2 && cargo test 2>&1 | grep 'test result' | head -1",
            "    Finished `dev` profile [unoptimized] target(s) in 1.6s\n"
            "test result: ok. 382 passed; 0 failed; 0 ignored; 0 measured",
        )
    )
    runs = session.done().record().runs
    assert {(run.command, run.outcome) for run in runs} == {
        ("cargo clippy", "passed"),
        ("cargo test", "unseen"),
    }


def test_a_document_edited_since_undoes_no_pass_but_may_repair_a_failure() -> None:
    session = asked().ran("cargo test", "test result: ok. 2 passed; 0 failed; 0 ignored")
    session.ran("npm run lint", "bad.md: no heading", failed=True).edited("notes/a.md").done()
    after = {run.command: run.edits_after for run in session.record().runs}
    assert after == {"cargo test": 0, "npm run lint": 1}


def test_of_more_files_than_git_counted_in_a_commit_only_those_that_it_named_are_committed() -> (
    None
):
    session = asked().edited("a.py").edited("b.py").edited("ignored.json")
    session.ran(
        "git add a.py b.py ignored.json && git commit -m x",
        "[main 156c7fc] x\n 2 files changed, 3 insertions(+)\n create mode 100644 a.py",
    )
    facts = {f.path: f.commit for f in session.done().record().files}
    assert facts == {"a.py": "156c7fc", "b.py": "", "ignored.json": ""}


def test_a_commit_of_everything_tells_how_many_files_it_took() -> None:
    session = (
        asked()
        .edited("a.py")
        .ran(
            "git add -A && git commit -m x",
            "[main 156c7fc] x\n 73 files changed, 19518 insertions(+)",
        )
    )
    draft = session.done().record()
    assert [item.text for item in draft.progress] == ["Committed 156c7fc x (73 files)"]
    assert [f.commit for f in draft.files] == ["156c7fc"]


def test_a_push_that_replaced_what_the_remote_had_says_so() -> None:
    session = asked().ran("git push -f", " + 33aef1c...713578b main -> main (forced update)")
    assert [item.text for item in session.done().record().progress] == [
        "Pushed main (forced update)"
    ]


def test_what_an_agent_prints_itself_is_nothing_that_it_inspected() -> None:
    session = (
        asked().ran("cat <<'REPORT'\nAll is well\nREPORT", "All is well").ran("echo done", "done")
    )
    assert "Inspected" not in lines(session.done().record())


def test_a_listing_of_git_is_not_believed_past_an_amended_commit() -> None:
    session = asked().edited("a.py").ran("git status --short", " M a.py\n M b.py")
    session.ran("git add a.py && git commit --amend -m x", "[main 2222222] x\n 2 files changed")
    git = session.done().record().git
    assert git is None or not git.dirty


def test_what_stands_behind_or_may_not_have_run() -> None:
    session = asked().ran("tool rebase --onto x || tool rebase -d x", "Rebased 1 commit")
    assert "tool rebase -d x" not in [item.text for item in session.done().record().commands]


def test_a_refused_edit_says_whether_the_file_was_edited_since() -> None:
    session = (
        asked().refused(f"edit {ROOT}/a.py", "share the switch").refused(f"edit {ROOT}/b.py", "no")
    )
    decided = session.edited("a.py").done().record().decisions
    told = "(the file was edited since)"
    assert [item.text.endswith(told) for item in decided] == [False, True]


def test_a_refused_command_without_its_options_is_another_one() -> None:
    refused = 'claude --print --dangerously-skip-permissions "hi"'
    session = asked().refused(refused, "nothing that far", kind="command")
    decided = session.ran('claude --print --model x "hi"', "hi").record().decisions
    assert "since)" not in decided[0].text
    decided = session.ran(f"{refused} --model x", "hi").record().decisions
    assert decided[0].text.endswith("(run since in another form)")
    decided = session.refused(refused, "no", kind="command").ran(refused, "hi").record().decisions
    assert decided[0].text.endswith("(run since)")


def test_an_exit_status_that_is_passed_on_past_a_pipe_counts() -> None:
    # Of a tool of the project only its first output told that it is a check.
    session = asked().ran("tool validate", "4 passed in 2.1s").edited("a.py")
    session.ran("tool validate 2>&1 | tail -1; exit ${PIPESTATUS[0]}", "validate: all well")
    runs = session.done().record().runs
    assert [(run.command, run.outcome, run.edits_after) for run in runs] == [
        ("tool validate", "passed", 0)
    ]
    failed = asked().ran("pytest -q | tail -1; exit ${PIPESTATUS[0]}", "x", failed=True)
    assert [run.outcome for run in failed.done().record().runs] == ["failed"]


def test_a_push_by_a_tool_of_the_project_is_told_with_its_result_where_that_is_known() -> None:
    listed = " src/a.py | 2 +-\n 1 file changed, 1 insertion(+)\nall done"
    session = asked().edited("src/a.py").ran("tool push x | tail -9", listed)
    session.ran("tool push y | tail -9; exit ${PIPESTATUS[0]}", listed)
    told = [item.text for item in session.done().record().progress]
    assert told == ["Ran `tool push x`: result unknown", "Ran `tool push y`"]


def test_what_git_would_have_named_in_a_commit_and_did_not_is_in_none() -> None:
    session = asked().edited("new.py", change="created").edited("old.py")
    session.edited("übung.py", change="created")
    session.ran(
        "git add -A && git commit -m x",
        "[main 156c7fc] x\n 3 files changed, 29 insertions(+)\n"
        ' create mode 100644 "\\303\\274bung.py"\n',
    )
    facts = {f.path: f.commit for f in session.done().record().files}
    assert facts == {"new.py": "", "old.py": "156c7fc", "übung.py": "156c7fc"}


def test_of_several_files_a_search_has_read_those_that_it_printed() -> None:
    searched = asked().ran("grep -n x a.py lib.rs 2>/dev/null", "a.py:3:x = 1").done().record()
    assert [f.path for f in searched.files] == ["a.py"]


HOOKS = "Lint" + "." * 60 + "{}\nTest" + "." * 60 + "Passed\n"


def test_the_hooks_that_a_push_ran_are_a_check_until_it_is_tried_again() -> None:
    session = asked().edited("a.py").ran("git push", HOOKS.format("Failed"), failed=True)
    (run,) = session.record().runs
    assert (run.kind, run.outcome) == ("other", "failed")
    assert session.record().next_action is not None
    assert "hooks of: `git push`" in lines(session.record())
    session.ran("git push 2>&1 | tail -1", "   1234567..89abcde  main -> main")
    assert not session.record().runs


def test_what_sets_up_the_shell_stands_before_the_command_that_needs_it() -> None:
    session = asked().ran("source .venv/bin/activate && uvicorn app:main", "ok")
    session.ran(". ./env.sh; cd web && npm run dev", "ready")
    assert [item.text for item in session.record().commands] == [
        "cd web && npm run dev",
        "source .venv/bin/activate && uvicorn app:main",
    ]


def test_a_file_without_an_ending_that_is_renamed_is_moved_into_no_folder() -> None:
    draft = asked().ran("mv docker/Dockerfile docker/Containerfile").record()
    assert [(f.path, f.to) for f in draft.files] == [("docker/Dockerfile", "docker/Containerfile")]


def test_a_command_that_failed_says_with_what_status_before_what_it_printed_last() -> None:
    draft = asked().ran("./deploy.sh all", "import re", failed=True, exit_code=127).record()
    assert "`./deploy.sh all`: failed (exit 127): import re" in lines(draft)


def test_a_file_of_another_commit_is_not_read_in_the_folder() -> None:
    session = asked().ran("git show v1:src/old.py && git show HEAD:src/new.py", "x = 1")
    assert [f.path for f in session.record().files] == ["src/new.py"]


def test_an_end_in_the_background_that_is_written_before_the_call_counts() -> None:
    session = asked().news("b1", "done", "exit 0").ran("npm run dev &", background="b1")
    assert not session.done().record().background
    session = asked().news("b1", "failed", "exit code 144")
    session.ran("pkill -f next && cd web && pnpm dev", background="b1")
    draft = session.done().record()
    assert not draft.commands
    assert [item.text for item in draft.dead_ends] == [
        "Failed in the background: `pkill -f next && cd web && pnpm dev`"
    ]


def test_a_command_whose_script_was_deleted_is_not_worth_keeping() -> None:
    session = asked().ran("npm run dev", "ready").ran("node ./split.mjs", "ok")
    assert len(session.record().commands) == 2
    assert [c.text for c in session.ran("rm split.mjs").record().commands] == ["npm run dev"]


def test_what_the_shell_did_not_understand_wrote_nothing_and_a_copy_of_tee_did() -> None:
    error = "bash: -c: line 9: syntax error near unexpected token `('"
    failed = asked().ran("cat a > docs/b.md; (", error, failed=True, exit_code=2)
    assert not failed.record().files
    wrote = asked().ran("cat <<'E' | sudo tee docs/b.md > /dev/null\nx\nE")
    assert [(f.path, f.change) for f in wrote.record().files] == [("docs/b.md", "edited")]


def test_a_check_passed_if_the_one_behind_it_ran() -> None:
    shown = "src/a.py:1: error: Bad\nFound 1 error in 1 file (checked 9 source files)"
    draft = asked().ran("tool lint --check && mypy src", shown, failed=True, exit_code=1).record()
    assert {run.command: run.outcome for run in draft.runs} == {
        "tool lint --check": "passed",
        "mypy src": "failed",
    }


def test_commits_of_jj_are_told_by_hash_and_change_and_take_in_what_was_edited() -> None:
    now = "Working copy  (@) now at: xlnr e47f032f (empty) (no description set)\n"
    parent = "Parent commit (@-)      : vyzowsmw {} Move it"
    session = (
        asked().edited("a.py").ran("jj commit -R . -m 'Move it'", now + parent.format("f857d83a"))
    )
    session.edited("b.py").ran("jj squash --into @- -R .", now + parent.format("b0c54ebf"))
    other = parent.replace("vyzowsmw", "rtuwyzyo").format("11111111")
    session.ran("jj commit -R .claude -m x", now + other)
    draft = session.record()
    assert [item.text for item in draft.progress] == [
        "Committed b0c54eb Move it (amended) (change vyzowsmw)",
        "Committed 1111111 Move it (change rtuwyzyo in .claude)",
    ]
    assert [(f.path, f.commit) for f in draft.files] == [("b.py", "b0c54eb"), ("a.py", "b0c54eb")]


def test_a_commit_of_jj_that_was_described_anew_is_told_by_its_last_hash() -> None:
    parent = "Parent commit (@-)      : vyzowsmw {} {}"
    session = asked().ran("jj commit -m 'Move it'", parent.format("f857d83a", "Move it"))
    session.ran("jj describe @- -m 'Move it all'", parent.format("09320b9a", "Move it all"))
    (item,) = session.record().progress
    assert item.places[0] == "c:09320b9"
    assert "f857d83" not in item.text


def test_what_jj_does_not_list_is_not_uncommitted() -> None:
    session = asked().edited("a.py").edited("b.py")
    listed = (
        "Working copy changes:\nM b.py\nA new.py\nWorking copy  (@) : vuptuvut 99507459 (no des"
    )
    draft = session.ran("jj st", listed).record()
    assert draft.git
    assert draft.git.dirty == ("b.py", "new.py")
    assert {f.path: f.clean for f in draft.files} == {"b.py": False, "a.py": True}
    draft = session.ran("jj commit -m x", "Parent commit (@-): vyzowsmw f857d83a x").record()
    assert not (draft.git and draft.git.dirty)


def test_a_push_of_a_projects_own_tool_behind_a_pipe_is_told_with_what_is_not_known() -> None:
    listed = "pending:\n  a.py | 2 +-\n  1 file changed\npush: completed"
    draft = asked().edited("a.py").ran("tool push main | tail -40", listed).record()
    assert [item.text for item in draft.progress] == ["Ran `tool push main`: result unknown"]


def test_edits_that_took_each_other_back_leave_no_changed_file() -> None:
    session = asked().edited("a.py", text="# why\n", added=1).edited("b.py", text="x = 1", added=1)
    session.edited("a.py", gone="# why\n", removed=1)
    assert [fact.path for fact in session.record().files] == ["b.py"]
    session.edited("a.py", text="# why\n", added=1)
    assert [fact.path for fact in session.record().files] == ["a.py", "b.py"]
    session.edited("a.py", text="# why\n", added=1).edited("a.py", gone="# why\n", removed=1)
    assert [fact.path for fact in session.record().files] == ["a.py", "b.py"]  # twice in, once out
    session.edited("a.py", gone="x\n" * 9, text="pass\n", added=1, removed=10)
    session.edited("a.py", gone="pass\n", text="x\n" * 9, added=10, removed=1)
    assert [fact.path for fact in session.record().files] == [
        "a.py",
        "b.py",
    ]  # heads alone are known
    # What a commit took in is taken out again: that is a change.
    session.ran("git commit -am x", "[main 156c7fc] x").edited("a.py", gone="# why\n", removed=1)
    assert [(f.path, f.commit) for f in session.record().files] == [
        ("a.py", ""),
        ("b.py", "156c7fc"),
    ]


def test_what_the_user_may_have_committed_meanwhile_is_changed_though_it_was_taken_back() -> None:
    session = asked().edited("a.py", text="# why\n", added=1).done()
    session.user("take it out again").edited("a.py", gone="# why\n", removed=1)
    assert [fact.path for fact in session.record().files] == ["a.py"]


def test_a_quiet_commit_takes_no_hash_from_a_later_push() -> None:
    output = "Successfully rebased and updated.\n   1111111..2222222  main -> main"
    session = (
        asked().ran("git push origin old", " * [new branch] old -> old").ran("git commit -qm x")
    )
    draft = session.ran("git pull --rebase && git push", output).record()
    assert [item.text for item in draft.progress] == [
        "Pushed old",
        "Committed: x",
        "Pushed main",
    ]


def test_what_jj_only_looks_at_gives_a_change_no_other_hash() -> None:
    session = asked().ran("jj commit -m x", "Parent commit (@-): kkmpptxz 33333333 x")
    session.ran("jj evolog -r kkmpptxz", "kkmpptxz 33333333 x\nkkmpptxz hidden 22222222 x")
    session.ran("jj log && cat notes.md", "○ kkmpptxz 0000dead x")
    assert session.record().progress[0].places[0] == "c:3333333"


def test_a_word_of_a_look_pushes_nothing_and_a_removed_work_tree_takes_only_its_own() -> None:
    session = asked().ran("git status -sb", "## main...origin/main [ahead 2]\n")
    session.ran("grep commit README.md | head", "commit").ran("git worktree remove --force /tmp/x")
    draft = session.ran("git worktree remove .worktrees/x").record()
    assert draft.git
    assert draft.git.unpushed == 2
    assert draft.progress == ()


def test_of_a_link_with_encoded_blanks_no_piece_is_a_file() -> None:
    draft = asked().agent("See [it](notes/!%20It%20is%20quiet%20here/DOCKET.md)").record()
    assert draft.files == ()


def test_a_path_of_prose_that_begins_above_is_not_joined_with_the_sessions_folder() -> None:
    assert asked().agent("As `../research/plan.md` says.").record().files == ()


def test_what_was_added_before_a_switch_is_in_no_commit_of_fewer_files() -> None:
    session = asked().edited("a.py").edited("b.py").ran("git add a.py b.py")
    session.edited("c.py").ran(
        "git add c.py && git commit -m x", "[main 69e810e] x\n 1 file changed, 1 insertion(+)"
    )
    assert {f.path: f.commit for f in session.record().files} == {
        "c.py": "69e810e",
        "b.py": "",
        "a.py": "",
    }


def test_a_commit_that_was_rebased_before_its_push_is_told_by_the_hash_that_was_sent() -> None:
    output = (
        "[main 338bda3] Move it\n 1 file changed\nSuccessfully rebased and updated refs/heads/main.\n"
        "To github.com:ann/shop.git\n   e5505b05..496a50d0  main -> main"
    )
    command = "git commit -am x && git pull --rebase && git push"
    draft = asked().edited("a.py").ran(command, output).record()
    assert draft.progress[0].text.startswith("Committed 496a50d Move it")
    assert [f.commit for f in draft.files] == ["496a50d"]


def test_a_pull_request_that_was_there_already_is_not_told_as_opened() -> None:
    url = "https://github.com/ann/shop/pull/109"
    said = f'a pull request for branch "login" into branch "main" already exists:\n{url}'
    draft = asked().ran("gh pr create --fill", said, failed=True).record()
    assert [item.text for item in draft.progress] == [f"Pull request {url} (it was there already)"]


def test_a_run_with_other_files_does_not_follow_a_check() -> None:
    session = asked().ran("python -m py_compile a.py b.py").ran("python -m py_compile a.py; ls")
    (run,) = session.record().runs
    assert (run.outcome, run.places) == ("passed", ("t:3",))


def test_what_the_agent_said_is_said_of_the_first_edit_behind_it() -> None:
    session = asked().agent("Now let me build the configuration of all of it.", more=True)
    draft = session.edited("config.py").edited("__init__.py").record()
    assert {f.path: bool(f.said) for f in draft.files} == {"__init__.py": False, "config.py": True}


def test_of_two_runs_of_one_runner_a_failed_one_has_not_passed() -> None:
    output = "Ran 1 test in 0.7s\n\nOK\n\nRan 1 test in 0.0s\n\nFAILED (errors=1)\n"
    script = "python -m unittest tests.a -v\npython -m unittest tests.b -v\ngit diff | cat"
    assert {run.outcome for run in asked().ran(script, output).record().runs} == {"unseen"}


def test_edits_count_from_the_run_that_is_told_though_it_ended_later() -> None:
    session = asked().ran("pytest -q", "3 passed in 1s").edited("a.py").edited("b.py")
    session.ran("pytest -q", "", background="b1x").edited("c.py")
    session.news("b1x", "done", "4 passed in 1s")
    (run,) = session.record().runs
    assert (run.summary, run.edits_after) == ("4 passed in 1s", 1)


def test_what_was_ahead_in_a_work_tree_goes_with_it() -> None:
    ahead = "## main...origin/main [ahead 1]\n"
    tree = f"{ROOT}/trees/login"
    session = asked().ran("git status -sb", ahead, cwd=tree)
    session.ran("git commit -am x", "[main 156c7fc] x", cwd=tree)
    git = session.record().git
    assert git
    assert git.unpushed == 2
    git = session.ran(f"git worktree remove {tree}").record().git
    assert not (git and git.unpushed)


def test_a_plan_is_no_change_of_a_file_and_a_removal_is_one() -> None:
    session = asked().edited("../.claude/plans/quiet-lake.md").ran("pytest -q", "1 passed")
    assert session.record().requests[-1].changes == 0
    assert session.ran("rm -rf runs.txt").record().requests[-1].changes == 1


def test_what_a_sub_agent_changed_is_not_known() -> None:
    session = asked().add(Delegated(line=0, task="Write the design", report="Done."))
    assert session.edited("a.md").record().requests[-1].changes is None


def test_a_look_is_not_told_by_the_last_of_its_lines() -> None:
    log = "22bf154 Merge main\n8ada817 Fix two dates"
    listed = " M a.py\n?? swarm/"
    session = asked().ran("git log --oneline -2", log).ran("git status -s", listed)
    (item,) = session.ran("ls | wc -l", "12").record().trail[-1:]
    assert item.text == (
        "Inspected `git log --oneline -2` (22bf154 Merge main), `git status -s`, `ls | wc -l` (12)"
    )


def test_the_result_of_a_command_is_not_taken_for_that_of_the_one_before() -> None:
    session = asked().ran("./first.sh", "").ran("./second.sh", "7 rows")
    told = [item.text for item in session.record().trail[-2:]]
    assert told == ["Ran `./first.sh`", "Ran `./second.sh`: 7 rows"]


def test_what_the_user_wrote_after_an_interruption_is_a_decision_unless_it_is_a_word() -> None:
    session = asked().agent("I push to main now").interrupted("git push origin main")
    session.user("this goes to the branch login only").edited("a.py")
    session.interrupted().user("go on")
    (item,) = session.done().record().decisions
    assert item.text == (
        "Interrupted the agent at `git push origin main`, saying: "
        "“this goes to the branch login only”"
    )


def test_the_hits_of_a_search_over_a_folder_were_found_and_not_read() -> None:
    session = asked().add(Searched(line=0, pattern="x", where=f"{ROOT}/src", found=("a.py: x",)))
    place = session.events[-1].line
    draft = session.add(Looked(line=0, path=f"{ROOT}/src/a.py")).record()
    assert draft.files[0].change == "read"
    session.events[-1] = Looked(line=place, path=f"{ROOT}/src/a.py")
    assert session.record().files[0].change == "found"


def test_a_check_between_stash_and_pop_says_nothing_of_this_tree() -> None:
    session = asked().ran("ruff check .", "All checks passed!")
    session.ran("git stash && ruff check . ; git stash pop", "Found 3 errors.", failed=True)
    (run,) = session.record().runs
    assert (run.outcome, run.places) == ("passed", ("t:3",))


def test_the_branch_is_the_one_that_the_client_or_a_commit_named_last() -> None:
    session = asked().ran("git status", "On branch main\nnothing to commit, working tree clean")
    session.add(Moved(line=0, cwd=ROOT, branch="login"))
    git = session.record().git
    assert git is not None
    assert git.branch == "login"
    session.ran("git commit -qm x && git log -1", "[staff 1234567] x\n 1 file changed")
    git = session.record().git
    assert git is not None
    assert git.branch == "staff"


def test_a_commit_that_was_amended_instead_is_not_the_refused_one_tried_again() -> None:
    session = asked().refused("git commit -m docs", "amend it", kind="command")
    session.ran("git commit --amend --no-edit", "[main 1234567] x\n 1 file changed")
    assert "tried again" not in session.record().decisions[0].text
    session = asked().refused("git log --oneline -3", "run read-tree first", kind="command")
    session.ran("git read-tree HEAD").ran("git log --oneline -3", "1234567 x")
    assert not session.record().dead_ends


def test_a_push_that_failed_is_told_as_one() -> None:
    session = asked().ran("git commit -am x", "[main 1234567] x\n 1 file changed")
    session.ran("timeout 60 git push", "", failed=True, exit_code=124)
    git = session.record().git
    assert git is not None
    assert (git.unpushed, git.refused, git.places) == (1, True, ("t:4",))


def test_all_that_git_listed_is_counted() -> None:
    listing = "\n".join(f"?? new_{n}.py" for n in range(100)) + "\n M .cache\n"
    git = asked().ran("git status --short", listing).record().git
    assert git is not None
    assert (len(git.dirty), git.more, ".cache" in git.dirty) == (60, 41, False)


def test_a_title_that_leads_to_the_next_line_goes_on_with_it() -> None:
    draft = Session().user("got this feedback:\n\nthe count of removed lines is wrong").record()
    assert draft.task.text == "got this feedback: the count of removed lines is wrong"


def test_a_point_is_no_request_that_is_worked_on() -> None:
    session = asked().done("Moved it.").user(".").done("Yes?")
    assert "the new login" in session.record().task.text
    assert requests.active(session.record().requests) == 0


def test_a_mention_is_the_end_of_a_known_path_with_a_blank_in_it() -> None:
    session = asked().add(Looked(line=0, path=f"{ROOT}/notes/The world is quiet here/DOCKET.md"))
    session.done("See notes/The world is quiet here/DOCKET.md")
    assert [f.path for f in session.record().files] == ["notes/The world is quiet here/DOCKET.md"]


def test_a_push_leaves_what_git_listed_as_it_is() -> None:
    session = asked().ran("git commit -qam x && git log -1", "[main 1234567] x\n 1 file changed")
    session.ran("git status --short", " M gen.py").ran("git push", "", failed=True, exit_code=1)
    git = session.record().git
    assert git is not None
    assert (git.dirty, git.listed) == (("gen.py",), "t:4")


def test_what_git_listed_before_two_commits_or_a_part_of_a_folder_is_not_known() -> None:
    def commit(session: Session, name: str) -> Session:
        return session.ran(
            f"git add {name} && git commit -m x", "[main 1234567] x\n 1 file changed"
        )

    session = asked().ran("git status --short", "?? a.py\n?? b.py\n?? c.py")
    git = commit(session, "a.py").record().git
    assert git is not None
    assert git.dirty == ("b.py", "c.py")
    git = commit(session, "b.py").record().git
    assert git is not None
    assert not git.listed
    session = asked().ran("git status --short", "?? a.py\n?? lib/")
    git = commit(session, "lib/x.py").record().git
    assert git is not None
    assert not git.listed


def test_a_number_behind_an_option_of_a_search_is_no_pattern() -> None:
    session = asked().ran('tail -200 a.log | grep -A 20 "server.js"', "made server.js")
    assert [f.path for f in session.record().files] == ["a.log"]


def test_which_branch_was_printed_is_seen_behind_a_backslash_of_the_clients_shell() -> None:
    script = 'node -c a.js && echo "fine!" || echo "broken!"'
    (run,) = asked().ran(f"{script}; cat b.txt | head", "broken\\!").record().runs
    assert run.outcome == "failed"


def test_a_check_that_passed_and_ran_again_with_an_unknown_result_says_so() -> None:
    session = asked().ran("tspec lint --check").edited("a.rs").ran("tspec lint --check | tail", "x")
    (run,) = session.record().runs
    assert (run.outcome, run.places) == ("passed", ("t:3", "t:5"))


def test_commits_of_another_work_tree_are_not_the_sessions_to_push() -> None:
    ahead = "## main...origin/main [ahead 1, behind 11]"
    session = asked().ran("git status -sb", ahead, cwd="/home/ann/other")
    git = session.record().git
    assert git is None or not git.unpushed
    git = asked().ran("git status -sb", ahead).record().git
    assert git is not None
    assert git.unpushed == 1


def test_what_is_listed_right_after_files_were_removed_counts() -> None:
    session = asked().ran("git status --short", "?? runs/\n M a.py")
    git = session.ran("rm -rf runs && git status --short", " M a.py").record().git
    assert git is not None
    assert (git.dirty, git.listed) == (("a.py",), "t:4")


def test_a_file_whose_absence_was_hidden_beside_other_output_was_not_read() -> None:
    listed = asked().ran("ls -la .x*; cat .x.json 2>/dev/null", "drwxr-xr-x .x")
    assert [fact.path for fact in listed.record().files] == []
    alone = asked().ran("cd . && cat .x.json 2>/dev/null | head -3", "{}")
    assert [fact.path for fact in alone.record().files] == [".x.json"]


def test_a_look_that_failed_says_so() -> None:
    session = asked().ran("rg -n TODO a.md", "", failed=True, exit_code=1)
    assert "(exit 1, no output)" in lines(session.record())
    session = asked().ran("find . | awk '{x'", "a\nawk: syntax error at line 1", failed=True)
    assert "(failed: awk: syntax error at line 1)" in lines(session.record())


def test_what_was_copied_from_a_terminal_is_titled_by_command_and_error() -> None:
    pasted = (
        "me@box:~/shop$ ./run.sh\n[+] Building 1.3s (1/2)\nError: failed to solve: exit code: 1\n"
    )
    titled = Session().user(pasted).edited("a.py").done().record().task.text
    assert titled == "./run.sh: Error: failed to solve: exit code: 1"
    typed = Session().user("\u276f commit the login please").edited("a.py").done().record()
    assert "commit the login please" in typed.task.text


def test_a_merge_takes_in_nothing_that_is_uncommitted() -> None:
    session = asked().edited("a.py").ran("git status --short", " M a.py")
    forward = "Updating 1111111..2222222\nFast-forward\n b.py | 2 +-\n 1 file changed"
    draft = session.ran("git merge --ff-only origin/main", forward).edited("c.py").done().record()
    assert [fact.path for fact in possibly_open(checkpoint(draft), None)] == ["c.py", "a.py"]


def test_the_branch_of_a_linked_work_tree_is_told_beside_its_folder() -> None:
    session = asked()
    for name in ("a.py", "b.py", "d.py"):
        session.edited(f"../trees/login/x/{name}")
    listed = "## feat/login\n M x/a.py\n M x/b.py\n M x/d.py"
    session.ran(f"cd {ROOT}/../trees/login && git status -sb", listed)
    draft = session.done().record()
    assert draft.git
    ((branch, folder),) = [(tree.text, tree.why) for tree in draft.git.trees]
    assert (branch, str(folder).endswith("/trees/login")) == ("feat/login", True)
    assert "/trees/login/x/` (branch feat/login)" in brief(checkpoint(draft), None)


def test_a_command_that_would_not_run_as_it_stands_is_none_to_type_again() -> None:
    long = f"export TOKEN={'x' * 60} && gh api repos/a/b/contents/c.md"
    draft = asked().ran(long, "{}").ran("source .env && make seed", "ok").record()
    assert [item.text for item in draft.commands] == ["source .env && make seed"]


def test_a_file_that_was_only_searched_is_not_read() -> None:
    session = asked().ran("cd . && rg -n token a.py | head -5", "3:token = 1")
    assert [(f.path, f.change) for f in session.record().files] == [("a.py", "found")]
    session.ran("cat a.py | grep token", "token = 1")
    assert [(f.path, f.change) for f in session.record().files] == [("a.py", "read")]


def test_a_script_that_only_passes_a_status_on_is_read_too() -> None:
    for script in ("exit ${PIPESTATUS[0]}", 'bash -c "exit ${PIPESTATUS[0]}"'):
        assert asked().ran(script).done().record().requests


def test_a_long_line_without_blanks_is_no_prompt_of_a_shell_and_costs_no_time() -> None:
    # A pattern that went back over it took 23 s for 3,000 characters.
    for line in ("a@" * 40_000, "@s/p1@1.1," * 8_000, "a@b.example;" * 8_000):
        assert Session().user(f"{line}\nError: x").edited("a.py").done().record().requests


def test_an_answer_of_another_command_is_not_the_refused_one() -> None:
    session = asked().refused("rm -rf data", "keep it", kind="command").ran("rm -rf dist")
    assert "since)" not in session.done().record().decisions[0].text


def test_the_word_of_a_shells_option_is_told_from_those_of_its_script() -> None:
    assert normal_form(("bash", "-euo", "pipefail", "x.sh", "a")) == ("x.sh", "", "a", "")
    assert normal_form(("bash", "build.sh", "-o", "dist", "test")) == ("build.sh", "", "test", "")


def test_a_message_that_was_sent_again_is_no_decision() -> None:
    text = "Hmm, thats right, but is the seperate tool needed for the pull requests?"
    session = Session().user("Start").agent("I look.").user(text).ran("ls")
    session.add(Interrupt(line=0)).user(text.replace("thats", "that's").replace("seper", "separ"))
    assert session.done("It is.").record().decisions == ()


def test_a_commit_in_a_scratch_repository_is_none_of_the_project() -> None:
    session = asked().edited("a.py").ran("git commit -am x", "[main 9f5a3c7] Fix the login")
    session.edited("b.py")
    session.ran("cd /tmp/try && git commit -am init", "[main 1234567] init")
    draft = session.record()
    assert [item.text for item in draft.progress] == ["Committed 9f5a3c7 Fix the login"]
    assert "init" not in draft.task.text


def test_a_push_by_a_tool_of_the_project_may_have_taken_what_was_changed() -> None:
    session = asked().edited("a.py").ran("vc push main --yes | tail -1", "push: done")
    assert [item.text for item in session.record().progress] == [
        "Ran `vc push main --yes`: result unknown"
    ]
    assert asked().ran("docker push shop", "done").record().progress == ()


def test_words_before_a_sub_agent_belong_to_none_of_its_edits() -> None:
    session = asked().agent("The fifth report is complete, and the sixth one comes next.").ran("ls")
    session.add(Edited(line=0, path=f"{ROOT}/six.md", change="created", thread="a1"))
    session.add(Delegated(line=0, task="Six", agent="a1"))
    assert [fact.said for fact in session.record().files if fact.path == "six.md"] == [()]


def test_a_check_that_could_not_start_is_told_until_it_runs_anywhere() -> None:
    session = asked().ran(
        "python3 -m pytest -q", "/usr/bin/python3: No module named pytest", failed=True, exit_code=1
    )
    (run,) = session.record().runs
    assert (run.outcome, run.edits_after) == ("unseen", 0)
    assert run.summary == "/usr/bin/python3: No module named pytest"
    assert "could not start: /usr/bin/python3: No module named pytest [t:" in brief(
        checkpoint(session.record()), None
    )
    session.ran("cd app && uv run pytest -q", "2 passed in 0.1s", failed=False, exit_code=0)
    assert [run.outcome for run in session.record().runs] == ["passed"]


def test_a_check_that_its_time_limit_stopped_says_so() -> None:
    session = asked().ran("npm run build", "> next build", state="timeout", failed=None)
    assert "`npm run build`: stopped by its time limit [t:" in brief(
        checkpoint(session.record()), None
    )


def test_of_a_script_that_only_its_name_calls_a_test_the_status_is_told() -> None:
    session = asked().ran("python scripts/test_api.py", "404 Not Found", exit_code=0)
    assert "`python scripts/test_api.py`: passed (exit status 0) [t:" in brief(
        checkpoint(session.record()), None
    )


def test_no_passing_run_is_missed_where_a_later_one_has_no_known_result() -> None:
    session = asked().ran("pytest -q", "2 passed in 0.1s", exit_code=0).edited("a.py")
    assert [fact.since_green for fact in session.record().files] == [True]
    cut = session.ran("pytest -q", state="interrupted", failed=None).record()
    assert [fact.since_green for fact in cut.files] == [True]
    for command in ("pytest -q tests/test_a.py | tail -1", "pytest -q | grep -A3 test_b"):
        later = Session()
        later.events = [*session.events]
        draft = later.ran(command, "", exit_code=0).record()
        assert [fact.since_green for fact in draft.files] == [False]


def test_a_test_binary_that_did_not_compile_is_closed_by_a_test_of_the_same_package() -> None:
    session = asked().ran(
        "go test -c ./cli -o /dev/null", "cli/a.go:2:1: undefined: x", failed=True, exit_code=1
    )
    assert [run.outcome for run in session.record().runs] == ["failed"]
    other = session.ran("go test ./api -run TestA", "ok  \tapi\t0.1s", exit_code=0)
    assert [run.outcome for run in other.record().runs] == ["passed", "failed"]
    session.ran("go test ./cli -run TestA", "ok  \tcli\t0.1s", exit_code=0)
    assert {run.outcome for run in session.record().runs} == {"passed"}


def test_a_failed_command_is_told_by_its_first_and_its_last_line() -> None:
    output = (
        "ensurepip is not available.\nInstall python3-venv.\nFailing command: .venv/bin/python3"
    )
    session = asked().ran("python3 -m venv .venv", output, failed=True, exit_code=1)
    told = lines(session.record())
    assert "failed: ensurepip is not available. … Failing command: .venv/bin/python3" in told


def test_of_files_added_together_of_which_git_counted_one_none_is_left_uncommitted() -> None:
    session = asked().edited("a.md").edited("b.md")
    session.ran("git status", "On branch main\nChanges not staged for commit:\n\tmodified:   a.md")
    session.ran("git add a.md b.md && git commit -m x", "[main 9f5a3c7] x\n 1 file changed")
    facts = {f.path: (f.commit, f.clean) for f in session.record().files}
    assert facts == {"a.md": ("", True), "b.md": ("", True)}


def test_a_limit_right_after_a_request_leaves_it_undone() -> None:
    status = asked().done().user("Now the shop").halted("429 Too Many Requests").record().status
    assert (status.kind, status.idle) == ("cut-off", True)


def test_a_command_of_powershell_that_gets_something_is_no_command_to_run_again() -> None:
    assert asked().ran("Get-Command git", "git", exit_code=0).record().commands == ()


def test_what_a_look_that_found_nothing_kept_from_running_deleted_nothing() -> None:
    session = asked().edited("a.md").ran("ls a.md && rm a.md || echo 'already clean'", exit_code=0)
    assert [fact.change for fact in session.record().files] == ["edited"]
    session.ran("cd app && rm ../a.md || true", exit_code=0)
    assert [fact.change for fact in session.record().files] == ["deleted"]


def test_what_every_later_commit_left_out_may_be_uncommitted() -> None:
    session = asked().edited("a.py").edited("b.py")
    session.ran("git add b.py && git commit -m one", "[main 1111111] one\n 1 file changed")
    session.ran("git add c.py && git commit -m two", "[main 2222222] two\n 1 file changed")
    assert [f.path for f in possibly_open(checkpoint(session.record()), None)] == ["a.py"]
    cut = session.ran("git add . && git commit -m three && git push", state="timeout", failed=None)
    assert possibly_open(checkpoint(cut.record()), None) == []


def test_a_push_that_no_commit_was_seen_for_may_have_sent_what_was_left_out() -> None:
    session = asked().edited("a.py").edited("b.py")
    session.ran("git add b.py && git commit -m one", "[main 1111111] one\n 1 file changed")
    # Of a push that no commit was seen for it is not known what it sent.
    session.ran("git push", "   2222222..3333333  main -> main")
    assert possibly_open(checkpoint(session.record()), None) == []


def test_a_commit_of_another_folder_left_nothing_of_the_project_out() -> None:
    session = asked().edited("a.py")
    session.ran("cd ../docs && git add x.md && git commit -m one", "[main 1111111] one", cwd=ROOT)
    assert possibly_open(checkpoint(session.record()), None) == []


def test_a_file_that_was_put_in_the_place_of_one_that_was_read_is_in_the_commit() -> None:
    session = asked().add(Looked(line=0, path=f"{ROOT}/a.md")).edited("a.md", change="created")
    session.ran(
        "git add a.md; git commit -m x", "[main 9f5a3c7] x\n 1 file changed, 9 deletions(-)"
    )
    assert [(f.change, f.commit) for f in session.record().files] == [("edited", "9f5a3c7")]


def test_tests_of_two_packages_are_two_checks() -> None:
    session = asked().ran("cargo test -p shop", "test result: ok. 3 passed; 0 failed", exit_code=0)
    session.ran("cargo test -p cart", "test result: ok. 2 passed; 0 failed", exit_code=0)
    runs = [run.command for run in session.record().runs]
    assert runs == ["cargo test -p cart", "cargo test -p shop"]
    session.ran("cargo test", "test result: ok. 5 passed; 0 failed", exit_code=0)
    assert [run.command for run in session.record().runs][:1] == ["cargo test"]


@pytest.mark.parametrize(
    "command",
    [
        "curl -fsSLo install.sh https://example.org/i",
        "wget -O install.sh https://example.org/i",
        "Invoke-WebRequest https://example.org/i -OutFile install.sh",
    ],
)
def test_a_file_that_was_fetched_is_a_file_of_the_session(command: str) -> None:
    session = asked().ran(command, exit_code=0)
    assert [(f.path, f.change) for f in session.record().files] == [("install.sh", "created")]


def test_a_member_of_what_a_powershell_command_returned_is_no_command() -> None:
    session = asked().ran("(Invoke-WebRequest https://example.org/i).Content", "x", exit_code=0)
    assert ".Content" not in [item.text for item in session.record().commands]


def test_words_behind_a_limit_follow_no_message() -> None:
    session = asked().agent("I begin with the login.").halted("usage limit").user("continue")
    assert session.record().requests[-1].about is None


def test_a_work_tree_that_was_removed_is_told_as_removed() -> None:
    session, tree = asked(), "/w/login"
    for name in "abcd":
        session.add(Edited(line=0, path=f"{tree}/src/{name}.py"))
    session.ran(f"git worktree remove {tree}")
    assert f"`{tree}/src/` (a work tree, removed [t:" in brief(checkpoint(session.record()), None)
    session.ran(f"git worktree add {tree}")
    assert "a work tree, removed" not in brief(checkpoint(session.record()), None)


def test_a_log_in_full_gives_a_commit_its_new_hash_too() -> None:
    session = asked().edited("a.py").ran("git commit -am 'Fix it'", "[main 1111111] Fix it")
    log = f"commit {'2' * 40}\nAuthor: A <a@b.c>\nDate:   Mon Feb 23 12:30:00 2026\n\n    Fix it\n"
    facts = session.ran("git log -1 --name-only", f"{log}\na.py").record().files
    assert [fact.commit for fact in facts] == ["2222222"]


def test_files_that_somebody_else_may_have_committed_are_not_called_uncommitted() -> None:
    session = asked().ran("git log -1 --format=%H", "1" * 40).edited("a.py")
    session.ran("git log --all -1", f"commit {'3' * 40}").ran("git log -1 --format=%H", "1" * 40)
    assert [f.path for f in possibly_open(checkpoint(session.record()), None)] == ["a.py"]
    draft = session.ran("git log -1 --format=%H", "2" * 40).record()
    assert "HEAD was at 2222222, not seen to be made in this session" in lines(draft)
    assert possibly_open(checkpoint(draft), None) == []


def test_a_branch_that_was_switched_to_has_no_commit_of_somebody_else() -> None:
    session = asked().ran("git log -1 --format=%H", "1" * 40).ran("git switch login")
    draft = session.ran("git log -1 --format=%H", "2" * 40).record()
    assert "HEAD was at" not in lines(draft)


def test_a_commit_that_was_rebased_and_sent_has_its_new_hash() -> None:
    session = asked().edited("a.py").ran("git commit -am 'Fix it'", "[main 1111111] Fix it")
    session.ran("git pull --rebase", "Successfully rebased and updated refs/heads/main.")
    session.ran("git push", "   3333333..2222222  main -> main")
    assert [fact.commit for fact in session.record().files] == ["2222222"]


def test_a_file_that_was_read_after_its_commit_was_not_edited_there() -> None:
    made = "[main 1111111] x\n 1 file changed\n create mode 100644 a.toml"
    session = asked().ran("git commit -am x", made)
    session.ran("pytest -q", "2 passed in 0.1s").add(Looked(line=0, path=f"{ROOT}/a.toml"))
    facts = [(f.path, f.commit, f.places) for f in session.record().files]
    assert facts == [("a.toml", "1111111", ("t:3",))]
    assert "after the last edit of code" not in brief(checkpoint(session.record()), None)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git log --oneline -50 | tail -1", "2222222 Old"),
        ("git show --stat HEAD~5; git log --oneline -1", "commit 2222222\n1111111 New"),
        ("for d in a b; do git -C $d log --oneline -1; done", "2222222 Other"),
        ("git log -1 --format='%p %s'", "2222222 New"),
        ("git log -1 --format='%ct'", "1718000000"),
        ("git log ''", "2222222 x"),
    ],
)
def test_no_other_line_of_a_log_is_taken_for_head(command: str, output: str) -> None:
    session = asked().ran("git log --oneline -1", "1111111 New").ran(command, output)
    assert "HEAD was at" not in lines(session.record())


@pytest.mark.parametrize("push", ["cd /w/other && git push", "git checkout x && git push"])
def test_what_another_folder_or_branch_sent_after_a_rebase_is_another_commit(push: str) -> None:
    session = asked().edited("a.py").ran("git commit -am 'Fix it'", "[main 1111111] Fix it")
    session.ran("git pull --rebase", "Successfully rebased and updated refs/heads/main.")
    session.ran(push, "   3333333..2222222  main -> main")
    assert [fact.commit for fact in session.record().files] == ["1111111"]


def test_an_amend_with_a_message_of_its_own_replaces_the_last_commit() -> None:
    session = asked().ran("git commit -m wip", "[main 1111111] wip")
    session.ran("git commit -m fix", "[main 2222222] fix")
    told = lines(session.ran("git commit --amend -m wip", "[main 3333333] wip").record())
    assert "Committed 1111111 wip" in told
    assert "Committed 2222222" not in told.split("Committed 3333333")[0].split("1111111 wip")[-1]


def test_a_commit_by_a_script_of_the_project_may_have_taken_what_others_left_out() -> None:
    session = asked().edited("a.py").edited("b.py")
    session.ran("git add b.py && git commit -m one", "[main 1111111] one\n 1 file changed")
    session.ran("sh release.sh", "[main 2222222] all\n 2 files changed")
    assert possibly_open(checkpoint(session.record()), None) == []


@pytest.mark.parametrize("command", ["git worktree remove /w/x || true", "git worktree add ''"])
def test_a_work_tree_that_git_refused_to_remove_is_there(command: str) -> None:
    git = asked().ran(command, "fatal: '/w/x' contains modified or untracked files").record().git
    assert git is None or git.gone == ()


def test_a_download_that_may_have_failed_made_no_file() -> None:
    session = asked().ran("curl -o out.json https://example.org/i || true", "curl: (6) no host")
    assert session.record().files == ()


@pytest.mark.parametrize("first", ["cargo test -p a -p b", "cargo test --package=b"])
def test_a_pass_of_one_package_closes_no_failure_of_another(first: str) -> None:
    failed = "test result: FAILED. 1 passed; 1 failed"
    session = asked().ran(first, failed, failed=True, exit_code=101)
    session.ran("cargo test --package=a", "test result: ok. 1 passed; 0 failed", exit_code=0)
    assert [run.outcome for run in session.record().runs] == ["passed", "failed"]


def test_what_follows_a_list_in_the_background_runs_where_that_began() -> None:
    script = (
        "cd app && . ./env && npm run dev > /tmp/log &\nsleep 5 && curl -s http://localhost:8000/h"
    )
    session = asked().ran(script, failed=None, background="b1")
    told = {item.text: item.why for item in session.record().commands}
    served = "cd app && . ./env && npm run dev"
    assert told == {served: "start, end not seen", "curl -s http://localhost:8000/h": None}
