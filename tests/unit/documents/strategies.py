"""Arbitrary snapshots, for any test that states a law over them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

from hypothesis import strategies as st

from onward.documents.headings import field_of
from onward.model import (
    Anchor,
    Author,
    Block,
    Category,
    Change,
    Checklist,
    Clean,
    Draft,
    Evidence,
    Failure,
    FileFact,
    Item,
    Origin,
    Outcome,
    Priority,
    RepoState,
    Request,
    Run,
    RunEnd,
    RunKind,
    Section,
    Source,
    Status,
    StatusKind,
    Task,
    TaskStatus,
    WaitsFor,
)

# What tends to break Markdown, JSON and our own grammar, beside ordinary characters.
NASTY = (
    "\n", "\n\n", "# ", "## Progress", "- ", "* ", "1. ", "```", "~~~", "`", "|", "[", "]",
    "[ ] ", "[x] ", "-->", "<!--", "<!-- onward:1 {} -->", "<pre>", "---", "===", "> ", "why: ",
    "context: ", "line 3: ", "\\", "\\why: ", "**Task:** ", "None.", "[observed t:5]", "    ",
    "\t", "  ", "登录页面", "完成了", "é", "👍🏽", "&amp;", "{", "}", '"', "'", ":", "$HOME", "\u2028",
)  # fmt: skip
_letters = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
texts = (
    st.lists(st.sampled_from(NASTY) | st.text(_letters, max_size=12), max_size=6)
    .map("".join)
    .map(str.strip)
)
"""Any text, several lines included, without blanks at both ends."""
lines = texts.map(lambda text: " ".join(text.split())).filter(bool)
"""One line that is not empty."""

evidences = st.sampled_from(get_args(Evidence))
stamps = st.just("") | st.integers(10**8, 3 * 10**10).map(
    lambda seconds: f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}Z"
)
hashes = st.text("0123456789abcdef", min_size=7, max_size=40)
_place = (
    st.integers(1, 9999).map("t:{}".format)
    | st.integers(1, 9999).map("t:a1b2c3:{}".format)
    | hashes.map("c:{}".format)
)
places = st.lists(_place, max_size=3).map(tuple)
ids = st.just("") | st.integers(1, 999).map("TASK_{:03}".format) | st.just("7")
paths = st.builds(
    "{}/{}".format, st.sampled_from(["src", "~", "a b", "文"]), st.text(_letters, max_size=8)
).map(lambda path: "/".join(path.replace("\u2028", "").split()))


def tuples(of: st.SearchStrategy, size: int = 2) -> st.SearchStrategy:
    return st.lists(of, max_size=size).map(tuple)


authors = st.sampled_from(get_args(Author))
items = st.builds(
    Item,
    text=texts,
    evidence=evidences,
    places=places,
    why=st.none() | texts,
    author=authors,
    unverified=st.none() | texts,
)
requests = st.builds(
    Request,
    text=texts,
    evidence=evidences,
    places=places,
    author=authors,
    source=st.sampled_from(get_args(Source)),
    at=stamps,
    about=st.none() | texts,
    ended=st.none() | texts,
)
statuses = st.builds(Status) | st.builds(
    Status,
    kind=st.sampled_from([kind for kind in get_args(StatusKind) if kind != "unknown"]),
    waits_for=st.sampled_from(get_args(WaitsFor)),
    detail=st.none() | texts,
    at=stamps,
    places=places,
)
failures = st.builds(
    Failure,
    command=texts,
    times=st.integers(0, 99),
    varied=st.booleans(),
    outcome=st.sampled_from(["failed", "passed"]),
    lines=tuples(texts),
    changed=tuples(texts),
    cwd=st.none() | texts,
    places=places,
)
tasks = st.builds(
    Task,
    title=texts,
    status=st.sampled_from(get_args(TaskStatus)),
    id=ids,
    priority=st.sampled_from([None, *get_args(Priority)]),
    category=st.sampled_from([None, *get_args(Category)]),
    created=stamps,
    completed=stamps,
    context=st.none() | texts,
    doing=st.none() | texts,
    files=tuples(texts),
    consolidated=st.just(False),
    evidence=evidences,
    places=places,
) | st.builds(Task, title=texts, consolidated=st.just(True), consolidated_count=st.integers(0, 99))
checklists = st.builds(
    Checklist,
    path=texts,
    done=st.integers(0, 99),
    total=st.integers(0, 99),
    ticked=st.integers(0, 99),
    open=tuples(texts),
    places=places,
)
runs = st.builds(
    Run,
    command=texts,
    kind=st.sampled_from(get_args(RunKind)),
    outcome=st.sampled_from(get_args(Outcome)),
    summary=st.none() | texts,
    decisive=tuples(texts),
    edits_after=st.integers(0, 99),
    pasted=st.booleans(),
    known=st.sampled_from(get_args(RunEnd)),
    cwd=st.none() | texts,
    places=places,
)
files = st.builds(
    FileFact,
    path=texts,
    change=st.sampled_from(get_args(Change)),
    to=st.none() | texts,
    added=st.integers(0, 999),
    removed=st.integers(0, 999),
    spans=tuples(st.tuples(st.integers(1, 999), st.integers(1, 999))),
    why=st.none() | texts,
    said=tuples(texts.filter(bool)),
    since_green=st.booleans(),
    left=st.booleans(),
    uses=st.integers(0, 9999),
    commit=st.just("") | hashes,
    size=st.none() | st.integers(0, 10**9),
    hash=st.just("") | st.text("0123456789abcdef", min_size=16, max_size=16),
    anchors=tuples(st.builds(Anchor, line=st.integers(1, 9999), text=texts)),
    places=places,
)
blocks = st.builds(
    Block, title=texts, content=texts, updated=stamps, related_tasks=tuples(ids.filter(bool))
)
headings = (
    st.text(_letters, min_size=1, max_size=20)
    .map(lambda title: " ".join(f"Own {title}".replace("#", "").split()))
    .filter(lambda title: field_of(title) is None and ":" not in title)
)
sections = st.builds(Section, heading=headings, body=texts)
origins = st.builds(
    Origin,
    agent=st.sampled_from(["", "some-agent"]),
    session=st.just("") | st.uuids().map(str),
    transcript=st.none() | texts,
    cwd=st.none() | texts,
    branch=st.none() | texts,
    started=stamps,
    ended=stamps,
    lines=st.integers(0, 10**6),
    version=st.sampled_from(["", "2.1.0"]),
    problems=st.integers(0, 9),
)
branches = st.none() | st.sampled_from(["main", "feature/auth", "fix/文", "v1.2", "ana@deadbeef1"])
repos = st.builds(
    RepoState,
    root=texts,
    branch=branches,
    commit=st.just("") | st.text("0123456789abcdef", min_size=40, max_size=40),
    upstream=st.none() | texts,
    ahead=st.integers(0, 9),
    behind=st.integers(0, 9),
    dirty=tuples(texts),
    operation=st.sampled_from(["", "merge", "rebase"]),
    stashes=st.integers(0, 3),
    worktree=st.booleans(),
)
names = st.just("") | st.sampled_from(["build-login-page", "q1-data"])

snapshots: st.SearchStrategy[Draft] = st.builds(
    Draft,
    task=items,
    name=names,
    saved=stamps,
    created=stamps,
    origin=origins,
    status=statuses,
    requests=tuples(requests),
    constraints=tuples(items),
    failures=tuples(failures),
    background=tuples(items),
    plan=st.none() | items,
    tasks=tuples(tasks, 4),
    checklists=tuples(checklists),
    progress=tuples(items),
    runs=tuples(runs),
    next_action=st.none() | items,
    blockers=tuples(items),
    decisions=tuples(items),
    dead_ends=tuples(items),
    # A record holds one fact of a path.
    files=st.lists(files, max_size=2, unique_by=lambda fact: fact.path).map(tuple),
    commands=tuples(items),
    context=tuples(items),
    closing=st.none() | items,
    repo=st.none() | repos,
    blocks=tuples(blocks),
    extra=tuples(sections),
)
"""Any checkpoint. `Clean` and `str` are one at run time, so these serve as both."""


def clean(text: str) -> Clean:
    """A redactor that finds nothing."""
    return Clean(text)
