"""What the user said, word for word, and the title that is made of it."""

from __future__ import annotations

import pytest
from tests.unit.record.session import Session

from onward.model import Titled

LONG = "Please complete all remaining changes:\n" + "\n".join(
    f"{n}. change number {n} in the module for case {n}, with its test" for n in range(1, 16)
)


def test_a_list_in_a_request_is_kept_whole() -> None:
    (request,) = Session().user(LONG).done().record().requests
    assert request.text == LONG


def test_a_request_of_any_size_is_bounded_at_whole_lines() -> None:
    text = "\n".join(f"line {n} of what was pasted here" for n in range(5_000))
    (request,) = Session().user(text).record().requests
    assert len(request.text) <= 20_100
    assert set(request.text.splitlines()) - set(text.splitlines()) == {
        line for line in request.text.splitlines() if line.endswith(" lines omitted]")
    }


def test_each_request_but_the_last_tells_how_it_ended() -> None:
    session = Session().user("Add the login page now").done("Added it.").user("Then test it all")
    first, last = session.done("Tested it.").record().requests
    assert (first.ended, last.ended) == ("Added it.", None)


@pytest.mark.parametrize("words", ["yes", "2", "do it", "好", "ok saved"])
def test_a_short_reply_is_told_with_what_it_answers(words: str) -> None:
    session = Session().user("Add the login page to the shop").done("Shall I commit? 1) yes 2) no")
    request = session.user(words).record().requests[-1]
    assert (request.text, request.about) == (words, "Shall I commit? 1) yes 2) no")


@pytest.mark.parametrize(
    "words",
    [
        "Now the same for the page with the forgotten password",
        "每次更新文档的时候都要更新部署文档和说明文件然后提交并推送到主分支",
    ],
)
def test_an_earlier_request_that_says_enough_stands_alone(words: str) -> None:
    session = Session().user("Add the login page to the shop").done("Done.")
    session.user(words).done("Done too.").user("Now commit both of them, one at a time, please")
    before, active = session.record().requests[-2:]
    assert (before.about, active.about) == (None, "Done too.")


def test_answers_and_the_words_of_refusals_are_requests_too() -> None:
    session = Session().user("Add the login page to the shop")
    session.asked("Which database?", "PostgreSQL", ("PostgreSQL", "SQLite"))
    draft = session.refused("npm test", "use pnpm", kind="command").record()
    told = [(r.source, r.text, r.about) for r in draft.requests[1:]]
    assert told == [
        ("answer", "PostgreSQL", "Which database?"),
        ("refusal", "use pnpm", "`npm test`"),
    ]
    refusal, answer = draft.decisions
    assert "use pnpm" in refusal.text
    assert (answer.text, answer.why) == ("Which database? → PostgreSQL", "of PostgreSQL / SQLite")


def test_the_first_request_and_the_newest_forty_are_kept() -> None:
    session = Session()
    for n in range(60):
        session.user(f"Please do the piece of work number {n}").done()
    requests = session.record().requests
    assert [requests[0].text[-2:], requests[1].text[-2:], len(requests)] == [" 0", "20", 41]


def test_a_prompt_that_is_sent_again_at_once_is_one_request() -> None:
    session = (
        Session().user("Add the login page to the shop").user("Add the login page to the shop")
    )
    assert len(session.record().requests) == 1


@pytest.mark.parametrize("own", ["/checkpoint save x", "goodnight", "晚安", "exit"])
def test_our_own_commands_and_close_signals_are_no_requests(own: str) -> None:
    session = Session().user("Add the login page to the shop").done("It is there.")
    draft = session.user(own).done("Saved.").record()
    assert [request.text for request in draft.requests] == ["Add the login page to the shop"]
    assert draft.closing is not None
    assert draft.closing.text == "It is there."
    assert draft.status.kind == "finished"


def test_numbers_and_addresses_of_the_last_message_are_whole() -> None:
    text = "Bumped the version to 2.0.15. It runs at http://localhost:5173. Open it."
    draft = Session().user("Bump the version and run it").done(text).record()
    assert draft.closing is not None
    assert draft.closing.text == text
    words = " ".join(["Bumped the version to 2.0.15. It runs at http://localhost:5173."] * 9)
    told = Session().user("Bump it").agent(words).edited("a.py").done().record().trail
    line = next(item.text for item in told if "Bumped" in item.text)
    assert set(line.strip("“”").split()) - {"…"} <= set(words.split())


# -------------------------------------------------------------------------- the title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('<steps CRITICAL="TRUE">\nFix the parser\n</steps>', "Fix the parser"),
        ("```\nTraceback\n```\nWhy does the import fail?", "Why does the import fail?"),
        ("3\nKorjaa kirjautuminen kauppaan nyt", "Korjaa kirjautuminen kauppaan nyt"),
        ("---\n# Add a page", "Add a page"),
        ("修复登录页面", "修复登录页面"),
    ],
)
def test_the_title_is_the_first_line_with_words(text: str, title: str) -> None:
    assert Session().user(text).record().task.text == title


def test_a_short_reply_is_no_title_while_there_is_another_request() -> None:
    session = Session().user("Add the login page to the shop").done("Commit it?").user("ok saved")
    assert session.record().task.text == "Add the login page to the shop"


@pytest.mark.parametrize(
    ("text", "source", "title"),
    [
        ("/review", "command", ""),
        ("/review 172", "command", ""),
        ("/plan add a login page to the shop", "command", "add a login page to the shop"),
        ("ok", "typed", ""),
        ("run it again", "typed", ""),
        ("好的", "typed", ""),
    ],
)
def test_a_slash_command_and_a_short_reply_are_no_title(text: str, source: str, title: str) -> None:
    assert Session().user(text, source=source).edited("a.py").done().record().task.text == title


def test_the_sessions_own_title_goes_first_then_the_plan_then_the_task_in_progress() -> None:
    session = Session().user("Add the login page to the shop").todos(write_tests="in_progress")
    assert session.record().task.text == "write tests"
    session.planned("# Login in three steps\n1. a", approved=True)
    assert session.record().task.text == "Login in three steps"
    session.add(Titled(line=0, text="Shop login", by_user=True))
    session.add(Titled(line=0, text="A guess of the client"))
    assert session.record().task.text == "Shop login"
    assert session.record().task.author == "user"


def test_a_plan_that_was_refused_stays_until_the_user_goes_on() -> None:
    plan = "# Drop the old parser\n1. a"
    session = Session().user("Plan it").planned(plan, approved=False, words="No, keep it")
    held = session.refused("plan", "No, keep it", kind="plan").record()
    assert held.plan is not None
    assert (held.plan.why, held.task.text) == ("refused by the user", "Drop the old parser")
    assert session.user("Do something else instead, in the shop").record().plan is None


def test_a_title_is_cut_at_a_word() -> None:
    title = Session().user("word " * 60).record().task.text
    assert len(title) <= 100
    assert title.endswith("word …")


def test_the_title_leads_with_the_request_that_was_worked_on_and_adds_one_answered_in_words() -> (
    None
):
    session = Session().user("Add a login page to the shop, with tests").edited("a.py").done()
    session.user("Great job so far, we are done for now").done("Good night.")
    title = session.record().task.text
    assert (
        title
        == "Add a login page to the shop, with tests, then: Great job so far, we are done for now"
    )
    session.user("Thanks, bye").done("Bye.")
    assert session.record().task.text == "Add a login page to the shop, with tests"
    session.user("Now write the release notes for it please")
    title = "Now write the release notes for it please (began with: Add a login page to the shop, with tests)"
    assert session.record().task.text == title


def test_the_title_of_a_prompt_that_a_client_expanded_is_its_first_line() -> None:
    session = Session().user("Create the constitution of the project", source="command")
    assert session.record().task.text == "Create the constitution of the project"
    session = Session().user("/review the login page of the shop", source="command")
    assert session.record().task.text == "the login page of the shop"


def test_the_title_of_a_short_request_names_the_last_commit() -> None:
    session = Session().user("Add a login page to the shop, with tests").edited("a.py").done()
    session.user("Please commit that, in one piece").ran(
        "git commit -m x", "[main 9f5a3c7] Add the login page"
    )
    title = "Please commit that, in one piece (last commit: Add the login page)"
    assert session.record().task.text == title
    session.user(f"Now go on with the second page. {'It shows the orders. ' * 9}").edited("b.py")
    assert "last commit" not in session.record().task.text


def test_a_session_of_words_alone_has_its_newest_request_as_title() -> None:
    session = Session().user("What does this shop sell, in one line?").done("Books.")
    session.user("And who maintains the thing today?").done("Nobody.")
    draft = session.record()
    assert draft.task.text == "And who maintains the thing today?"
    assert draft.task.template == "first line of the request"


def titled(session: Session) -> str:
    return session.add(Titled(line=0, text="Tidy the login page")).record().task.text


def test_a_title_by_the_client_is_told_with_the_request_that_came_after_it() -> None:
    session = Session().user("Tidy the login page, its styles above all").edited("a.css").done()
    assert titled(session) == "Tidy the login page"
    session.user("Now write the release notes for version two").edited("NOTES.md").done()
    told = session.record().task.text
    assert told == "Tidy the login page, then: Now write the release notes for version two"


def test_a_title_by_the_user_stays_as_it_is() -> None:
    session = Session().user("Tidy the login page, its styles above all").edited("a.css").done()
    session.add(Titled(line=0, text="Login", by_user=True))
    session.user("Now write the release notes for version two").edited("NOTES.md").done()
    assert session.record().task.text == "Login"


def test_a_pasted_trace_of_one_long_path_is_no_title() -> None:
    session = Session().user("Make the server start on Windows too").ran("make run").done()
    session.user(f'File "C:{"x" * 200}.py", line 3, in setup\n    apps.populate()').done()
    assert session.record().task.text == "Make the server start on Windows too"


def test_the_title_of_a_pasted_log_is_how_it_ended() -> None:
    log = "\n".join(f"09:20:{n:02}.091 step {n} of the build" for n in range(9))
    session = Session().user(f'{log}\n09:21:01.788 Error: Command "npm run build" exited with 1')
    assert session.record().task.text == 'Error: Command "npm run build" exited with 1'
    session = Session().user(f"Please mend this build of the shop:\n{log}")
    assert session.record().task.text == "Please mend this build of the shop:"
