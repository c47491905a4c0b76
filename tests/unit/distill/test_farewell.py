"""A message that says good-bye, and all those that only speak of it."""
# ruff: noqa: RUF001 - people type the punctuation of their own script

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill.said import farewell
from onward.distill.said.farewell import is_farewell, is_only_farewell

DOCUMENTS = ("goodnight", "晚安", "logout", "exit", "明天见")
KIN = """Goodnight!
good night
Good-night.
EXIT
quit
log out
logging off
bye
Bye bye
goodbye
good-bye!
bye 👋
gn
ttyl
see you tomorrow
See ya
see you on Monday
talk to you tomorrow
have a great evening
sleep well
signing off
I'm going to bed
off to bed, thanks for the help
done for today
done for the day
that's all for now
That's enough for today
let's call it a day
let's continue tomorrow
we'll pick this up tomorrow
I have to go now. See you later
logging off for today
Bye everyone
good night my friend
goodnight Sam
Goodnight, Sam
晚安～
再见
拜拜
好的，晚安
晚安，谢谢
我先睡了
下班了
88
退出
登出
好的，那明天见
今天就到这里吧
今天先到这儿
先到这吧，明天继续
明天再继续吧
辛苦了，早点休息
再見
Gute Nacht
bis morgen
bonne nuit
à demain
hasta mañana
buenas noches
boa noite
до завтра
おやすみなさい
また明日
안녕히 계세요"""
AT_THE_END = """thanks, that's all for today, goodnight!
thanks, bye
ok exit
Bye! Thanks a lot
bye for now
Great work. Good night!
Thanks! That's it for today.
no that's it for today
tomorrow, done for today
commit everything and push. Goodnight
push it, then goodnight
The tests pass now, good night!
谢谢，明天见！
都提交了。晚安
Fix the last test before you stop and leave the rest as it is. See you tomorrow!
Then merge it -- good night"""
NONE = """exit code 1
the exit code is 0
Process completed with exit code 1.
Exit status of the last command, then quit
exit 0
exit plan mode
exit the loop early
early exit
on exit
on error, exit
if x: exit
it should exit
handle SIGTERM, exit
sys.exit
process.exit()
add a logout button
Add a logout button to the header
fix logout
logout fails with 500
the logout
logout endpoint
logout.tsx
/logout returns 404
log out users after 30 minutes
log in, log out
sign in, sign out
the flow is login, checkout, logout
goodbye.py
src/goodbye.py
open bye.md
@goodbye
say_goodbye
say goodbye
goodbye world
bye button
the button says bye
add "bye" to the list
print("goodbye")
`exit`
write a test for goodbye
The function name is goodbye
rename the label from hello to goodbye
The options are: hello, goodbye
translate these, hello, goodbye
Translate: good night
show a page with hello, bye
The bot prints hello. Goodbye
How do I say good night in German?
yes, commit and then I'm going to "/exit" and restart you to see how it goes.
", exit the agent and run"
we'd either exit and rewind to the previous point or get the agent to fixup
I assume the summary call will just fail as it will exit non-zero?
night mode
dark night theme
see you in the logs
see tomorrow's notes
remember tomorrow's demo
tomorrow
later
we'll do it later on
let's get a plan for the ladder and we'll work on it tomorrow
update the backup for today's session and verify the label
What is the task list for today
for the day, does anything need to be done to startup clean tomorrow?
it can't happen, let's call it `ancestor-main`, thoughts
that's it
that's all wrong
done
all done
thanks
ok
continue
continue with the next one
wrap up
stop for now and explain
let's stop the server
go to sleep mode after 10 s
I need to leave the branch as it is
do we have to go?
what does exit do?
why does it exit?
should I log out?
goodnight?
quit vim
how to quit
git checkout main
Show me the cycle, or are we done for today?
退出码是 1
为什么会退出？
添加登出按钮
登出功能坏了
再见页面
晚安文案改成早安
把按钮文字改成 再见
翻译: 晚安
明天见到客户之前完成"""


@pytest.mark.parametrize("text", [*DOCUMENTS, *KIN.splitlines()])
def test_a_farewell_is_one_in_any_dress(text: str) -> None:
    assert is_farewell(text)
    assert is_farewell(f"\n {text.upper()} \n")


@pytest.mark.parametrize("text", AT_THE_END.splitlines())
def test_a_farewell_at_the_end_counts(text: str) -> None:
    assert is_farewell(text)


@pytest.mark.parametrize("text", NONE.splitlines())
def test_words_about_leaving_are_no_farewell(text: str) -> None:
    assert not is_farewell(text)


def test_the_negatives_are_many() -> None:
    assert len(set(NONE.splitlines())) >= 60


@pytest.mark.parametrize("text", DOCUMENTS)
@pytest.mark.parametrize(
    "frame", ["`{}`", "```\n{}\n```", "{}?", "{}？", "{}.py", "src/{}", "'{}' x"]
)
def test_code_questions_and_names_are_none(text: str, frame: str) -> None:
    assert not is_farewell(frame.format(text))


@pytest.mark.parametrize("last", ["goodnight", "see you tomorrow", "晚安", "明天见"])
def test_a_long_message_may_end_in_one(last: str) -> None:
    brief = "The parser drops the last row of the table, and nobody knows why.\n" * 200
    assert is_farewell(f"{brief}{last}")


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_question_is_never_a_farewell(before: str, after: str) -> None:
    assert not is_farewell(f"{before} goodnight{after}?")


@pytest.mark.parametrize("text", [". " * 20_000, "." * 20_000 + "x", "goodnight. " * 2000])
def test_of_a_long_message_only_the_end_is_taken_apart(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    class Counted:
        def split(self, part: str, clause: re.Pattern[str] = farewell._CLAUSE) -> list[str]:
            taken.append(len(part))
            return clause.split(part)

    monkeypatch.setattr(farewell, "_CLAUSE", Counted())
    assert not is_only_farewell(text)
    assert max(taken, default=0) <= 400
