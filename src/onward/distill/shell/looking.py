"""Distil: commands that only look, and commands that nobody needs to be told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.distill.shell.forms import Form, normal_form
from onward.distill.shell.split import Command
from onward.distill.text import vocabulary

_READERS = vocabulary(
    """ls cat head tail grep egrep fgrep rg ag find fd wc echo printf pwd which type file stat diff
    cmp comm du df ps lsof sort uniq cut tr awk sed jq yq column tree date env less more basename
    dirname realpath readlink id whoami hostname uname printenv xxd od strings md5sum sha256sum
    shasum sleep true false test [ [[ cd pushd popd export unset set source . history man nl tac
    pgrep seq yes watch tput clear return exit wait for done fi esac case in select read xargs
    get-content get-childitem get-item get-location get-process test-path select-string
    select-object where-object foreach-object sort-object measure-object write-host write-output
    format-table format-list out-string out-null dir findstr where set-location convertfrom-json
    convertto-json invoke-webrequest timeout gtimeout time trap break shift local function else
    then do netstat ss ping nslookup dig host traceroute free lscpu umask ulimit alias hash declare readonly let"""
)
_GIT_READS = vocabulary(
    """status diff log show blame ls-files ls-tree ls-remote rev-parse rev-list cat-file grep
    describe shortlog reflog merge-base symbolic-ref for-each-ref remote config fetch check-ignore
    name-rev show-ref count-objects whatchanged range-diff help version"""
)
_SUB_READS = vocabulary(
    """ls list view status st logs log show ps get describe inspect info diff checks version help
    top events outdated why images search config whoami"""
)
_PLAIN = vocabulary(
    """mkdir rmdir touch chmod chown cp mv rm ln tee kill pkill killall unzip zip tar apply_patch
    ssh sshpass scp rsync open new-item remove-item set-content out-file add-content move-item
    copy-item md del copy move rd eval install patch dd mktemp stop-process tmux screen perl
    code"""
)
_IN_PLACE = re.compile(r"-(?:(?![efFIMmvx])[^\W_])*i|--in-place\b")
_ASKS = frozenset({"--version", "-V", "--help", "-h", "-version", "version"})


def is_looking(command: Command) -> bool:
    """Whether a command changes nothing and checks nothing: `ls`, `git status`, `--version`."""
    form = normal_form(command.words)
    if form is None:
        return True
    words = command.words
    program = form.program.lower()
    if program in {"sed", "perl", "awk"}:
        return not in_place(words)
    # `npm version patch` and `psql -h db` ask for nothing: only a last word asks.
    if program in _READERS or _ASKS & {*words[-1:]} or "--help" in words:
        return True
    if program == "git":
        return form.sub in _GIT_READS or (
            form.sub in {"branch", "tag", "stash"} and (not form.arg or form.arg in _SUB_READS)
        )
    return bool(form.sub) and form.sub.split(" ")[-1] in _SUB_READS and program != "bun"


def in_place(words: Sequence[str]) -> bool:
    """Whether `sed` or `perl` writes into its files: `-i.bak`, `-Ei`, `-0pi`, `--in-place`. A
    letter that takes a value ends a word of options: `-Ilib` and `-efinal` are none.
    """
    options = words[1 : words.index("--")] if "--" in words else words[1:]
    return any(_IN_PLACE.match(word) for word in options)


def is_plain(form: Form) -> bool:
    """A command that every agent knows: to carry it over is worth nothing."""
    program = form.program.lower()
    return (
        program in _READERS
        or program in _PLAIN
        or program == "git"
        or (form.sub in {"-c", "-e"})
        or (program in {"python", "node", "ruby", "php"} and form.arg in {"", "-"} and not form.sub)
        or not program  # a bare `./`
        or not (program[0].isalpha() or program[0] in "_./~@")
        or any(c in program for c in "$(){}[]=*'\"`,;<>|&!")
    )
