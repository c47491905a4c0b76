"""The frozen types that the layers hand to each other.

    bytes -> Event* -> Draft -> Checkpoint -> text

`Draft` and `Checkpoint` are one shape (`Snapshot`) over two kinds of text: raw `str`, and
`Clean`, which only `redact` makes of it. What writes or shows text takes `Clean`, so that
forgetting to redact is a type error.

Times are ISO 8601 strings in UTC as the transcript has them (`2026-03-01T13:40:00.123Z`)
or `""` where unknown. Lines are counted from 1.
"""

from __future__ import annotations

from typing import Final, Generic, Literal, NewType, TypeVar

from msgspec import Struct

Clean = NewType("Clean", str)
"""Text without secrets and without anything a terminal or a client would obey."""

CheckpointName = NewType("CheckpointName", str)
"""A kebab-case name that `storage.checkpoints.name_of` let through."""

T = TypeVar("T", bound=str)

Evidence = Literal["asked", "observed", "claimed"]
"""Who vouches for a line: the user, a machine's result, or only the agent's words."""

Author = Literal["", "user", "agent", "client"]
"""Who wrote a line of the note: the user, an agent, or the client's compaction summary; "" for a
line of the record.
"""

TaskStatus = Literal["pending", "in_progress", "completed"]
Priority = Literal["P1", "P2", "P3"]
Category = Literal["BUGFIX", "FEATURE", "CONFIG", "DOCS", "TEST", "REFACTOR"]
Change = Literal["created", "edited", "deleted", "renamed", "read", "found", "named"]
MERGED: Final = "merged"
"""Template of a merge, which takes in nothing that is uncommitted."""
PIPED: Final = "piped"
"""Template of a command whose exit status a pipe hid."""
LOOKED: Final = frozenset({"read", "found", "named"})
"""Changes of a file that are none."""
RunKind = Literal["test", "build", "lint", "types", "format", "other"]
Outcome = Literal["passed", "failed", "unseen"]
RunEnd = Literal["", "status", "time-limit", "interrupted", "not-started", "failed-before"]
Source = Literal["typed", "queued", "command", "shell", "agent", "answer", "refusal"]
WaitsFor = Literal["", "question", "plan", "permission"]
StatusKind = Literal["unknown", "waiting", "finished", "interrupted", "cut-off", "background"]


# --------------------------------------------------------------------------- events
#
# One transcript as a sequence of neutral events, in file order. An adapter joins a tool
# call with its result and gives one event when the result arrives; a call that never got
# one comes at the end of the file with `open=True` or an outcome that says so.


class Event(Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened. `line` is where its (last) record stands in the file.

    `thread` is "" for the session itself, else the id of the sub-agent whose own
    transcript holds the line.
    """

    line: int
    at: str = ""
    thread: str = ""

    @property
    def place(self) -> str:
        """The pointer that `onward show` opens: `t:541`, `t:<sub-agent>:12`."""
        return f"t:{self.thread}:{self.line}" if self.thread else f"t:{self.line}"


class Prompt(Event, frozen=True, kw_only=True):
    """Words of the user: typed, queued while the agent worked, a slash command with its
    arguments (`/review 172`), or a command they ran themselves (`!ls`). In the file of a sub-agent
    by itself, what the `agent` above it asked for.
    """

    text: str
    source: Literal["typed", "queued", "command", "shell", "agent"] = "typed"
    images: int = 0


class Reply(Event, frozen=True, kw_only=True):
    """Words of the agent: one text block. Blocks of one answer share `message`."""

    text: str
    message: str = ""
    more: bool = False
    """The answer went on with a tool call: it did not end the turn."""


class TurnEnded(Event, frozen=True, kw_only=True):
    """The client recorded that the agent's turn ended by itself."""


class Halt(Event, frozen=True, kw_only=True):
    """The client stopped the work, not the agent: context full, limit reached, API down."""

    reason: str


class Interrupt(Event, frozen=True, kw_only=True):
    """The user stopped the agent. `act` says in one line what was under way, if known."""

    act: str = ""


class Refusal(Event, frozen=True, kw_only=True):
    """The user did not let one tool call happen. `words` is what they said instead."""

    act: str
    """One line: the command, or `edit path`, or the plan's title."""
    words: str = ""
    kind: Literal["command", "edit", "plan", "question", "other"] = "other"


class Ran(Event, frozen=True, kw_only=True):
    """A shell command of the agent and what came of it.

    `failed` is the client's own flag: None when there is no result. It is the exit status
    of the *last* command of a pipe, so a piped run that did not fail may have.
    """

    command: str
    cwd: str = ""
    failed: bool | None = None
    exit_code: int | None = None
    output: str = ""
    """stdout and stderr; the middle of a long one is cut (`transcripts.truncation`)."""
    background: str = ""
    """Id of the background task that goes on after the call returned."""
    escalated: bool = False
    """It ran outside of the client's sandbox, with the user's permission."""
    state: Literal["done", "open", "interrupted", "timeout", "cancelled", "denied"] = "done"
    """`cancelled`: a parallel call failed; `denied`: a rule said no, nobody was asked."""


class Edited(Event, frozen=True, kw_only=True):
    """A file that a tool changed, successfully. `path` as the tool had it."""

    path: str
    change: Literal["created", "edited", "deleted", "renamed"] = "edited"
    to: str = ""
    added: int = 0
    removed: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    """Lines of the new file that the change covers, first and last, both counted."""
    by_user: bool = False
    """The user changed the proposed edit before it was applied."""
    text: str = ""
    """The first lines that were put in (`transcripts.truncation`): what an edit was about, and its names."""
    gone: str = ""
    """The first lines that were taken out, as far as it is known."""
    boxes: tuple[Box, ...] = ()
    """The entries of checklists among the lines that were put in, and those shown around them."""
    unboxed: tuple[Box, ...] = ()
    """Those among the lines that were taken out."""


class Box(Struct, frozen=True):
    """An entry of a checklist in a file: `- [x] Fix the login`."""

    title: str
    done: bool


class Looked(Event, frozen=True, kw_only=True):
    """A file that the agent read."""

    path: str
    span: tuple[int, int] = (0, 0)
    """The first and the last line that it asked for, counted from 1; 0 where it did not say."""
    boxes: tuple[Box, ...] = ()
    """The entries of checklists that it was shown."""


class Searched(Event, frozen=True, kw_only=True):
    """A search through the files by a tool of its own. `found` are its first lines: paths, or
    `path:12:text`; `more` is how many came after them.
    """

    pattern: str
    where: str = ""
    """The file, the folder or the kind of files that it was kept to, "" for all."""
    found: tuple[str, ...] = ()
    more: int = 0


class TodoItem(Struct, frozen=True, kw_only=True):
    """One entry of the client's own task list."""

    id: str = ""
    title: str
    status: TaskStatus = "pending"
    doing: str = ""  # what the client shows while it is in progress


class TodoList(Event, frozen=True, kw_only=True):
    """The whole task list as it stands after this line, deleted entries left out."""

    items: tuple[TodoItem, ...]


class Planned(Event, frozen=True, kw_only=True):
    """A plan put before the user. `approved` is None while they have not answered."""

    text: str
    approved: bool | None = None
    path: str = ""
    words: str = ""


class Question(Struct, frozen=True, kw_only=True):
    """One question of the agent in a form, with what was offered and what was chosen."""

    text: str
    options: tuple[str, ...] = ()
    """What they are called, without what was said of each."""
    answer: str = ""
    meaning: str = ""
    """What was said of the option that was chosen."""


class Asked(Event, frozen=True, kw_only=True):
    """A form of questions to the user; without answers while it is open or refused."""

    questions: tuple[Question, ...]
    answered: bool = False


class Delegated(Event, frozen=True, kw_only=True):
    """A sub-agent's work: what it was told, and what it reported."""

    task: str
    report: str = ""
    agent: str = ""
    state: Literal["done", "running", "failed"] = "done"


class Background(Event, frozen=True, kw_only=True):
    """News of a background task that was started earlier (`Ran.background` is its id)."""

    id: str
    state: Literal["running", "done", "failed", "killed"]
    output: str = ""


class Compacted(Event, frozen=True, kw_only=True):
    """The client replaced its context by a summary. What came before is still in the file."""

    summary: str = ""
    automatic: bool = False


class Linked(Event, frozen=True, kw_only=True):
    """A pull request that the client tied to the session."""

    url: str
    title: str = ""


class Used(Event, frozen=True, kw_only=True):
    """Any other call (web, MCP), each field in one line; `path` is the file that an edit failed to change."""

    tool: str
    detail: str = ""
    error: str = ""
    open: bool = False
    """The transcript ends before the result."""
    path: str = ""


class Moved(Event, frozen=True, kw_only=True):
    """Folder, branch or client version as of this record, where one of them changed."""

    cwd: str = ""
    branch: str = ""
    version: str = ""


class Titled(Event, frozen=True, kw_only=True):
    """A name for this session, by the user or by the client."""

    text: str
    by_user: bool = False


# -------------------------------------------------------------------------- snapshot


class Item(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """One entry of a checkpoint: what (the user's words may have several lines), who
    vouches for it, where it can be seen.

    A place is `t:541` (line of the transcript), `t:<sub-agent>:12` (line of a sub-agent's
    transcript) or `c:9f5a3c7` (commit). `why` is the reason given, if any; of an earlier
    request it tells how that ended, of a message of the agent in the trail its lines.
    """

    text: T
    evidence: Evidence = "claimed"
    places: tuple[str, ...] = ()
    why: T | None = None
    author: Author = ""
    unverified: T | None = None
    """Why a line of the note does not agree with the record; None where it does."""
    template: str = ""
    """Which of the record's templates made the text (`record.status`), "" for none; not saved."""


class Request(Item[T], Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """What the user said, verbatim, by a prompt, an answer to a question or a refusal.

    `why` is not used here: what a request is about and how it ended have fields of their own.
    """

    source: Source = "typed"
    at: str = ""
    work: int = 0
    """Calls of tools after it and before the next one."""
    changes: int | None = None
    """How many of these changed a file; None where that is not known, as in a saved checkpoint."""
    about: T | None = None
    """What the words answer: the question, the refused call, or the agent's message right before."""
    ended: T | None = None
    """The agent's last message before the next request; None for the active request."""


class Status(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """How the session stood at its last event, known from turn ends and never from prose.

    `detail` quotes what it rests on: the open question, the plan, the command that waits for
    permission, that was interrupted or still runs, the limit's or error's own words.
    """

    kind: StatusKind = "unknown"
    waits_for: WaitsFor = ""
    """Set where `kind` is `waiting`; `plan` also where it is `interrupted` by a plan that came back
    without a word: refused, or taken into a new session.
    """
    detail: T | None = None
    idle: bool = False
    """Nothing was done or said since the user's last words; told of `interrupted` and `cut-off`."""
    lost: bool = False
    """`detail` is a call whose result was never written."""
    at: str = ""
    """Time of the session's last event."""
    places: tuple[str, ...] = ()


class Failure(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """A command that failed at least twice (`varied`: with other variables) and was not seen to work
    since, or then did (`outcome`), at the third place. `lines` are decisive, the newest last; `changed` what
    was installed and edited between the failures, or before it worked.
    """

    command: T
    times: int
    varied: bool = False
    outcome: Literal["failed", "passed"] = "failed"
    lines: tuple[T, ...] = ()
    changed: tuple[T, ...] = ()
    cwd: T | None = None
    places: tuple[str, ...] = ()


class Task(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """One entry of the work. Fields are those of session-protocol.json."""

    title: T
    status: TaskStatus = "pending"
    doing: T | None = None
    """What the client shows meanwhile, where the agent changed that."""
    id: str = ""
    """`TASK_001`; "" until a protocol file numbered it."""
    priority: Priority | None = None
    category: Category | None = None
    created: str = ""
    completed: str = ""
    context: T | None = None
    files: tuple[T, ...] = ()
    consolidated: bool = False
    consolidated_count: int = 0
    evidence: Evidence = "claimed"
    places: tuple[str, ...] = ()


class Run(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """The last run of one test, build, lint or type-check command."""

    command: T
    kind: RunKind = "test"
    """`other`: the hooks that a step of git ran first."""
    outcome: Outcome = "unseen"
    summary: T | None = None
    """The runner's own summary line (`18 failed, 1 passed`)."""
    decisive: tuple[T, ...] = ()
    """Failing tests and error lines, at most a handful."""
    edits_after: int = 0  # how many came after this run: the result may no longer hold
    pasted: bool = False  # the user ran it and pasted what it printed
    known: RunEnd = ""
    """Of one that passed: only by its exit `status`. Of one whose result is not seen: what ended it, that
    it did not start (`summary` says why), or that it failed before (by `summary`) and ran again.
    """
    cwd: T | None = None
    places: tuple[str, ...] = ()


class Checklist(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """The checklist in a file that the session wrote or ticked, as far as it was shown."""

    path: T
    done: int = 0
    total: int = 0
    ticked: int = 0
    """How many of these the session ticked itself."""
    open: tuple[T, ...] = ()
    """The first entries that are not ticked."""
    places: tuple[str, ...] = ()


class Anchor(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """A line that the checkpoint names (`path:45`) and what stood there when it was saved."""

    line: int
    text: T


class FileFact(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """A file of the work. `path` is relative to the project, or starts with `~/` or `/`."""

    path: T
    change: Change = "edited"
    to: T | None = None
    added: int = 0
    removed: int = 0
    edits: int = 0
    """In how many edits the lines were added and removed: what one put in another may take out."""
    spans: tuple[tuple[int, int], ...] = ()
    why: T | None = None
    said: tuple[T, ...] = ()
    """What the agent said right before its edits that it does there, oldest first: its claims."""
    since_green: bool = False
    """Changed after the last passing test run."""
    uses: int = 0
    """How often it was read, changed or given to a command; 0 where nobody counted."""
    commit: str = ""
    """Short hash of the commit that took the last edit in, if one was seen."""
    of: int = 0
    """Files of that commit, where it took in every change and git counted them; not saved."""
    left: bool = False
    """Whether commits came after the last edit, each told what it took in, and none took this."""
    clean: bool = False
    """Whether git said after the last edit that nothing was to commit; told where no commit is."""
    size: int | None = None
    hash: str = ""
    """sha256 of the content when saved, 16 hex digits."""
    anchors: tuple[Anchor[T], ...] = ()
    places: tuple[str, ...] = ()


class Commit(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """A commit: full hash where known, and its subject line."""

    hash: str
    subject: T


class RepoState(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """git at one moment. `branch` is None on a detached head, `commit` "" before the first."""

    root: T
    branch: T | None = None
    commit: str = ""
    upstream: T | None = None
    ahead: int = 0
    behind: int = 0
    dirty: tuple[T, ...] = ()
    """Paths with uncommitted changes, untracked ones included, relative to `root`."""
    operation: Literal["", "merge", "rebase", "cherry-pick", "revert", "bisect"] = ""
    stashes: int = 0
    worktree: bool = False
    """A linked work tree, not the main one."""


class GitSeen(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """What git printed in the session of its own state, as far as nothing came after that changes it."""

    branch: T | None = None
    """The branch that git named last."""
    trees: tuple[Item[T], ...] = ()
    """The branches that it named in other folders, which are the `why`: of linked work trees, say."""
    gone: tuple[Item[T], ...] = ()
    """The work trees that were removed."""
    listed: str = ""
    """The place of the last `git status`; "" where none holds."""
    dirty: tuple[T, ...] = ()
    """60 of the paths that it listed, relative to the project, beside `more`; a folder ends in a slash."""
    more: int = 0
    deleted: tuple[T, ...] = ()  # those of them that it called deleted
    unpushed: int = 0
    """Commits of the branch that no push was seen of; told only where git or a push said how many."""
    places: tuple[str, ...] = ()
    """Where the last of these was made or counted."""
    refused: bool = False
    """A push of them was tried there and failed."""
    branches: tuple[Item[T], ...] = ()
    """Branches that were pushed, for which the host offered a pull request and none was seen."""
    pulls: tuple[Item[T], ...] = ()
    """Addresses of pull requests that were opened and that no merge was seen of."""


class Origin(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """Which session a snapshot was made from."""

    agent: str = ""
    session: str = ""
    transcript: T | None = None
    cwd: T | None = None
    branch: T | None = None
    started: str = ""
    ended: str = ""
    lines: int = 0
    version: str = ""
    problems: int = 0
    """Lines of the transcript that could not be read."""


class Block(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """A titled piece of lasting context (`context_blocks` of session-protocol.json)."""

    title: T
    content: T
    updated: str = ""
    related_tasks: tuple[str, ...] = ()


class Section(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """A heading that a user added to a file of ours, with what stands under it."""

    heading: T
    body: T


class Snapshot(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """Everything one session leaves to the next. Tuples are in order of importance, but
    `requests`, `progress` and `trail`, which are in order of time.
    """

    task: Item[T]
    """One line: what this work is."""
    name: str = ""
    saved: str = ""
    """When it was saved, UTC, `2026-03-01T13:40:00Z`."""
    created: str = ""
    origin: Origin[T] = Origin()
    status: Status[T] = Status()
    requests: tuple[Request[T], ...] = ()
    """The user's words; the last one is the active request."""
    constraints: tuple[Item[T], ...] = ()
    """What the user demanded or forbade for good: from refusals, the user's notes and the note."""
    plan: Item[T] | None = None
    tasks: tuple[Task[T], ...] = ()
    checklists: tuple[Checklist[T], ...] = ()
    """Those in files, the one that was edited last first."""
    progress: tuple[Item[T], ...] = ()
    runs: tuple[Run[T], ...] = ()
    trail: tuple[Item[T], ...] = ()
    """The last steps of the session in order of time, each with how it ended."""
    next_action: Item[T] | None = None
    blockers: tuple[Item[T], ...] = ()
    failures: tuple[Failure[T], ...] = ()
    background: tuple[Item[T], ...] = ()
    """Commands and sub-agents that ran in the background and had not ended."""
    decisions: tuple[Item[T], ...] = ()
    dead_ends: tuple[Item[T], ...] = ()
    files: tuple[FileFact[T], ...] = ()
    commands: tuple[Item[T], ...] = ()
    """Commands that were not seen to fail and will be needed again; `why` says what for."""
    context: tuple[Item[T], ...] = ()
    """Lines of the note, and reports of sub-agents."""
    closing: Item[T] | None = None
    """The agent's last message."""
    git: GitSeen[T] | None = None
    repo: RepoState[T] | None = None
    blocks: tuple[Block[T], ...] = ()
    extra: tuple[Section[T], ...] = ()


Draft = Snapshot[str]
Checkpoint = Snapshot[Clean]


# ----------------------------------------------------------------------------- drift


class FileDrift(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """What became of one recorded file."""

    path: T
    change: Literal["changed", "reverted", "deleted", "renamed", "moved", "missing"]
    """`reverted`: it differs from the save and is what git has, so that what was uncommitted then is
    gone; `moved`: the recorded line stands elsewhere now; `missing`: it was never there.
    """
    to: T | None = None
    line: int = 0
    to_line: int = 0
    commit: Commit[T] | None = None
    """The newest commit since the save that touched it; None if it is not committed."""


class TreeDrift(Struct, Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """Branch and history of a work tree against what was saved."""

    root: T | None = None
    """Of a work tree that is not the project's own (a submodule, a repository below it, a linked
    work tree beside it): how the paths of its files begin, without the slash behind.
    """
    stashes: int = 0
    """Stashes made since the save."""
    branch_was: T | None = None
    branch_now: T | None = None
    """Both set only where the branch is another one now; `branch_now` None: detached."""
    detached: bool = False
    operation: str = ""
    commit_was: str = ""
    commit_now: str = ""
    commit_gone: bool = False
    ahead: int = 0
    """Commits made since the save."""
    behind: int = 0
    """Commits of the saved state that are no longer in this history."""
    commits: tuple[Commit[T], ...] = ()
    """The newest commits made since the save, newest first, at most 10."""


class Drift(TreeDrift[T], Generic[T], frozen=True, kw_only=True, omit_defaults=True):
    """Saved state against today's. An empty one means that nothing changed."""

    no_git: bool = False
    """There is no repository: nothing is known of what is uncommitted."""
    repo_gone: bool = False
    """There was a repository at the save and there is none now."""
    unpushed: int = 0
    """Commits of the branch that its upstream does not have; 0 without one."""
    files: tuple[FileDrift[T], ...] = ()
    uncommitted: tuple[T, ...] = ()
    """Files that were uncommitted at the save and still are."""
    dirty: tuple[T, ...] = ()
    """Other files that are uncommitted now and were not at the save."""
    trees: tuple[TreeDrift[T], ...] = ()
    """The other work trees in which the session changed files; these stand among `files`."""
