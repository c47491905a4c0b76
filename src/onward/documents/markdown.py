"""Markdown: the headed parts of a text, what their headings mean, the list items and paragraphs in
them, and the lines of our own documents.

    - Wrote src/auth.py lines 45-120 [observed t:541 c:9f5a3c7]
      a second line of the same text
      why: the login had no server side

People and other tools edit our files, so the structure is read by a CommonMark parser; the words
are taken from the source lines and never re-rendered. The tag ends the first line of an entry and
holds no free text: who vouches for it (`asked`, `observed`, `claimed`), then places and the like.
Whatever the words are (headings, fences, bullets), indentation keeps them inside their list item.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from onward import evidence

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ATX = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+|$)")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?P<space>[ \t]*)")
_ODD_BULLET = re.compile(r"^\s*[•‣◦·▪●–]\s*")
_BOX = re.compile(r"^\s*\[[ xX~-]\]\s")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


class Part(NamedTuple):
    """A heading with the lines under it, up to the next heading. Level 0: before the first.

    `line` is where the heading stands, `first` where the body begins; both from 1.
    """

    level: int
    title: str
    line: int
    first: int
    body: tuple[str, ...]


class Chunk(NamedTuple):
    """One list item (its bullet taken off) or one paragraph."""

    lines: tuple[str, ...]
    listed: bool


def split_lines(text: str) -> list[str]:
    """The lines as the parser counts them: no byte order mark, line feed the only end."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return plain.replace("\0", "\ufffd").split("\n")


@cache
def _blocks() -> MarkdownIt:
    """The parser, imported late: its import takes longer than a start of Python."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - see above

    # Blocks are all that is asked. `reference` would swallow a line such as `[x]: y` unseen.
    parser = MarkdownIt("commonmark").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def parts(text: str) -> list[Part]:
    """The text cut at its headings, of whatever level and style; always a level 0 first."""
    lines = split_lines(text)
    heads: list[tuple[int, str, int, int]] = [(0, "", 0, 0)]
    for token in _blocks().parse("\n".join(lines)):
        if token.type == "heading_open" and token.level == 0 and token.map:
            start, end = token.map
            title = (
                _ATX.sub("", lines[start])
                if token.markup[0] == "#"
                else " ".join(line.strip() for line in lines[start : end - 1])
            )
            heads.append((int(token.tag[1]), title.strip(), start, end))
    ends = [start for _, _, start, _ in heads[1:]] + [len(lines)]
    return [
        Part(level, title, start + 1, body + 1, tuple(lines[body:end]))
        for (level, title, start, body), end in zip(heads, ends, strict=True)
    ]


def chunks(body: Sequence[str]) -> list[Chunk]:
    """The list items and paragraphs of a body, in order. Comments are no content."""
    found: list[Chunk] = []
    for token in _blocks().parse("\n".join(body)):
        if token.map is None or token.level > 1:
            continue
        raw = list(body[token.map[0] : token.map[1]])
        while raw and not raw[-1].strip():
            raw.pop()
        if token.type == "list_item_open" and token.level == 1:
            found.append(Chunk(_item(raw), listed=True))
        elif token.level == 0 and not token.type.endswith("list_open") and raw:
            found += _block(token.type, raw)
    return found


def without_comments(text: str) -> str:
    """The text without its HTML comments."""
    return _COMMENT.sub("", text)


def line_of(text: str, words: str) -> int:
    """Where the first line of some words stands in a text, from 1; 0 if it does not."""
    first = words.split("\n", maxsplit=1)[0].strip()
    lines = split_lines(text)
    return next((place for place, line in enumerate(lines, 1) if first and first in line), 0)


def _item(raw: list[str]) -> tuple[str, ...]:
    """Take bullet and indentation off. An indented code block keeps what it has of its own."""
    mark = _BULLET.match(raw[0]) if raw else None
    if mark is None:
        return tuple(raw)
    spaces = len(mark["space"])
    width = mark.end() if 1 <= spaces <= 4 else mark.end() - spaces + min(spaces, 1)
    return (raw[0][width:], *(dedent(line, width) for line in raw[1:]))


def dedent(line: str, width: int) -> str:
    """The line without up to `width` leading blanks."""
    blanks = len(line) - len(line.lstrip(" \t"))
    return line[min(width, blanks) :]


def _block(kind: str, raw: list[str]) -> list[Chunk]:
    """A paragraph, fence, quotation or table outside a list, as chunks."""
    if kind == "html_block":
        raw = without_comments("\n".join(raw)).strip().split("\n")
    elif len(raw) > 1 and all(_BOX.match(text) for text in raw):
        return [Chunk((text.strip(),), listed=True) for text in raw]
    elif all(_ODD_BULLET.match(text) for text in raw):
        return [Chunk((_ODD_BULLET.sub("", text),), listed=True) for text in raw]
    elif len(raw) > 1 and _TABLE_RULE.match(raw[1]) and "|" in raw[0]:
        # A row is one line, its cells parted by a dash.
        rows = ([cell.strip() for cell in text.strip().strip("|").split("|")] for text in raw[2:])
        return [Chunk((" - ".join(filter(None, row)),), listed=True) for row in rows]
    elif kind == "code_block":
        raw = [dedent(text, 4) for text in raw]
    return [Chunk(tuple(raw), listed=False)] if any(raw) and kind != "hr" else []


# ------------------------------------------------------------------------------- headings
#
# Which field a heading means, in whatever words people and other tools choose. A spelling is added
# by adding it here.

Field = Literal[
    "task", "status", "goal", "requests", "plan", "tasks", "doing", "done_tasks", "progress", "runs", "trail",
    "next_action", "blockers", "failures", "background", "constraints", "decisions", "dead_ends", "deferred", "files", "commands",
    "context", "closing", "blocks", "git", "created", "ours",
]  # fmt: skip
"""A field of `Snapshot`; or `doing` and `done_tasks` (tasks of one status), `created` and
`git` (not text), `ours` (lines made for the reader, which hold nothing of their own). `goal` and
`deferred` are of earlier versions: they are read as a request and as context.
"""

_SPELLINGS: dict[Field, str] = {
    "task": "task|task summary|current task|active task|current work|working on|summary|overview"
    "|session summary|what we are doing|当前任务|任务|概述|摘要|aufgabe|zusammenfassung|tâche"
    "|résumé|tarea|resumen|tarefa|resumo|задача",
    "status": "status",
    "failures": "repeated failures",
    "background": "running in the background|background work",
    "constraints": "constraints|rules|preferences|user preferences|user preference|corrections|约束|规则|偏好|用户偏好"
    "|einschränkungen|contraintes|restricciones|restrições",
    "goal": "goal|goals|objective|objectives|current goal|目标|目的|ziel|objectif|objetivo|цель",
    "requests": "requests|request|user request|user requests|asked for|请求|需求",
    "plan": "plan|approved plan|the plan|计划|方案",
    "tasks": "tasks|task list|todo|todos|to do|pending|pending tasks|open tasks|remaining"
    "|remaining work|open|pending actions|action items|待办|待办事项|任务列表|aufgaben|tâches|tareas|tarefas|задачи",
    "doing": "in progress|work in progress|wip|current state|进行中|in arbeit|en cours|en curso"
    "|em andamento|в работе",
    "done_tasks": "completed tasks|finished tasks|done tasks|已完成任务",
    "progress": "progress|completed|done|accomplished|what was done|work done|work completed"
    "|progress so far|recent progress|last progress|finished|进展|进度|已完成|完成"
    "|fortschritt|erledigt|progrès|terminé|progreso|completado|progresso|concluído|сделано",
    "runs": "runs|test runs|test results|tests|checks|state of work|测试|测试结果",
    "trail": "trail|last steps",
    "next_action": "next action|next actions|next step|next steps|next|what next|what s next"
    "|immediate next step|next up|下一步|下一步行动|接下来|nächster schritt|nächste schritte"
    "|prochaine étape|prochaines étapes|próximo paso|próximos pasos|próximo passo"
    "|próximos passos|следующий шаг|次のステップ",
    "blockers": "blockers|blocker|blocked|blocked by|issues|open issues|problems|obstacles"
    "|open questions|uncertainties|blockers and uncertainties|阻塞|阻碍|问题|障碍|blocker"
    "|hindernisse|probleme|blocages|obstacles|bloqueos|bloqueios|проблемы",
    "decisions": "key decisions|decisions|decision|decisions made|recent decisions"
    "|architecture decisions|决定|决策|关键决策|entscheidungen|décisions|decisiones|decisões"
    "|решения",
    "dead_ends": "what not to repeat|dead ends|failed approaches|failed attempts|what failed|what did not work"
    "|what didn t work|tried and failed|失败的尝试|失败尝试|sackgassen|échecs|fallos",
    "deferred": "deferred|later|for later|follow up|follow ups|backlog|out of scope|以后|推迟",
    "files": "files|relevant files|key files|files changed|changed files|modified files"
    "|files modified|files touched|文件|相关文件|dateien|fichiers|archivos|arquivos|файлы",
    "commands": "commands|useful commands|commands that work|命令|befehle|commandes|comandos",
    "context": "relevant context|context|notes|facts|important context|key context|background"
    "|key details|details|important details|user context|environment|environment facts"
    "|上下文|背景|备注|kontext|notizen|contexte|contexto|заметки",
    "closing": "last words|closing words|last reply",
    "blocks": "context blocks",
    "git": "git|git state|repository|branch|git branch|分支",
    "created": "created|date|saved|saved at|last updated|updated|timestamp|创建|时间|创建时间"
    "|erstellt|gespeichert|créé|creado|criado|создано",
    "ours": "resume|age|how to resume|session ended|document|session document",
}
FIELD_OF: dict[str, Field] = {
    spelling: field for field, words in _SPELLINGS.items() for spelling in words.split("|")
}


def normal(title: str) -> str:
    """A heading without numbers, emoji, punctuation, brackets and case."""
    plain = unicodedata.normalize("NFKC", title).casefold()
    plain = re.sub(r"\([^)]*\)|<[^>]*>", " ", plain)
    words = re.sub(r"[^\w\s]|_", " ", plain)
    return " ".join(re.sub(r"^\s*(?:\d+(?:\s+\d+)*\s+)?", "", words).split())


def field_of(title: str) -> Field | None:
    """The field that a heading means; None where it is one of the writer's own."""
    return FIELD_OF.get(normal(title))


# ------------------------------------------------------------------- lines of our documents

_WORD = (
    r"[tc]:[^\s\[\]]+|TASK_\w+|P[123]|BUGFIX|FEATURE|CONFIG|DOCS|TEST|REFACTOR"
    r"|(?:id|created|done|updated|commit|edits|uses|consolidated|by|source|at|for|times):[^\s\[\]]+"
    r"|waiting|finished|interrupted|cut-off|background|unknown"
    r"|test|build|lint|types|format|other|passed|failed|unseen"
    r"|created|edited|deleted|renamed|read|named|since-green|[+-]\d+|L\d+-\d+"
)
_TAG = re.compile(rf"(?:^|[ ])\[((?:asked|observed|claimed)(?: (?:{_WORD}))*)\]$")
_KEYS = {"reason": "why", "rationale": "why", "because": "why", "理由": "why", "原因": "why"}
_NOTE = re.compile(
    r"^(?:[-*+][ ]+)?(?:\*\*|__)?(why|reason|rationale|because|理由|原因"
    r"|context|file|summary|error|in|to|said|content|about|ended|unverified|line \d{1,9})(?:\*\*|__)?[ ]?[:：]"  # noqa: RUF001
    r"(?:\*\*|__)?(?:[ ]+|$)",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """One line taken apart. `tag` is empty where the line had none (someone else wrote it)."""

    text: str
    tag: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def note(self, key: str) -> str | None:
        """The first note of that name, or None."""
        return next((text for name, text in self.notes if name == key), None)

    def all_notes(self, key: str) -> tuple[str, ...]:
        """All notes of that name, in order."""
        return tuple(text for name, text in self.notes if name == key)

    def tagged(self, key: str) -> str:
        """What stands after `key:` in the tag, or ""."""
        return next((w[len(key) + 1 :] for w in self.tag if w.startswith(f"{key}:")), "")


def folded(text: str) -> str:
    """A text as it is compared with others: neither blanks nor case count."""
    return " ".join(text.split()).casefold()


def entry_lines(entry: Entry, bullet: str = "- ", indent: str = "  ") -> list[str]:
    """The entry as Markdown lines. Blanks at both ends of a text are not kept."""
    first, *rest = map(evidence.quote, entry.text.strip().split("\n"))
    tag = f"[{' '.join(entry.tag)}]" if entry.tag else ""
    head = bullet + (f"{first} {tag}" if first and tag else first or tag)
    shown = [head, *(_indented(_escape(line), indent) for line in rest)]
    for key, text in entry.notes:
        top, *more = map(evidence.quote, text.strip().split("\n"))
        shown.append(f"{indent}{key}: {top}" if top else f"{indent}{key}:")
        shown += [_indented(line, indent + "  ") for line in more]
    return shown


def read_entry(raw: Sequence[str], keys: Iterable[str] = ("why",)) -> Entry:
    """Lines (bullet and indentation taken off) as an entry; `keys` are the notes to look for."""
    tagged = _TAG.search(raw[0].rstrip()) if raw else None
    first = raw[0][: tagged.start()] if tagged else "".join(raw[:1])
    text, notes = [evidence.unquote(first)], list[tuple[str, list[str]]]()
    for line in raw[1:]:
        start = _NOTE.match(line)
        key = start[1].casefold() if start else ""
        key = _KEYS.get(key, key)
        if start and key.split(" ")[0] in keys:
            notes.append((key, [evidence.unquote(line[start.end() :])]))
        elif notes:
            notes[-1][1].append(evidence.unquote(line.removeprefix("  ")))
        else:
            text.append(evidence.unquote(_unescape(line)))
    return Entry(
        text="\n".join(text).strip(),
        tag=tuple(tagged[1].split(" ")) if tagged else (),
        notes=tuple((key, "\n".join(words).strip()) for key, words in notes),
    )


def _indented(line: str, indent: str) -> str:
    return indent + line if line else ""


def _escape(line: str) -> str:
    """A further line of a text that reads like one of our notes gets a backslash."""
    return "\\" + line if _NOTE.match(line.lstrip("\\")) else line


def _unescape(line: str) -> str:
    return line[1:] if line.startswith("\\") and _NOTE.match(line.lstrip("\\")) else line
