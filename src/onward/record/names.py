"""The names that the work stands at: functions, classes, tables, options."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from functools import lru_cache
from math import exp

from msgspec import Struct

from onward import paths
from onward.model import Edited, Event, Moved, Prompt, Ran, Reply
from onward.paths import SUFFIXES
from onward.record.effects import consulted
from onward.record.text import vocabulary

_DEFINED = re.compile(
    r"""^[ \t]*+(?:export[ \t]++)?(?:default[ \t]++)?(?:pub(?:\([a-z]+\))?[ \t]++)?(?:public|private|protected)?[ \t]*+
    (?:static[ \t]++)?(?:abstract[ \t]++|final[ \t]++)?(?:async[ \t]++)?(?:
        (?:def|class|fn|function\*?|interface|struct|enum|trait|module|protocol|object)[ \t]+([A-Za-z_$][\w$]*)
      | func[ \t]+(?:\([^)]*\)[ \t]*)?([A-Za-z_]\w*)
      | type[ \t]+([A-Za-z_]\w*)
      | (?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[ \t]*(?::[^=]+)?=[ \t]*(?:async[ \t]*)?(?:\(|function|[\w$]+[ \t]*=>|React\.|use[A-Z])
      | ([A-Z][A-Z0-9_]{3,})[ \t]*(?::[^=]+)?=
    )""",
    re.MULTILINE | re.VERBOSE,
)
_HEADING = re.compile(r"^#{1,3} +(.{3,60}?)[ \t]*#*$", re.MULTILINE)
_FIVE = 5
_HEAD = 6
"""Lines of a piece of source that say what it is about; what follows is its inside."""
_PROSE = (".md", ".mdx", ".rst", ".txt")
_COMPOUND = re.compile(
    r"(?<![.\w])(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[A-Za-z]\w*[a-z]_[a-z]\w+)\b"
)


def about(text: str, path: str = "") -> tuple[str, ...]:
    """What a piece of source is about: what its head defines, else the compound names that it
    uses most, at most three.
    """
    text = "\n".join(text.split("\n", _HEAD)[:_HEAD])
    found = defined(text, path)
    if found or path.lower().endswith(_PROSE):
        return found
    return tuple(name for name, _ in Counter(_COMPOUND.findall(text)).most_common(3))


def defined(text: str, path: str = "") -> tuple[str, ...]:
    """Names that a piece of source defines, or the headings of a document; at most five."""
    if path.lower().endswith(_PROSE):
        return tuple(dict.fromkeys(_HEADING.findall(text)))[:_FIVE]
    found = (next(filter(None, groups)) for groups in _DEFINED.findall(text))
    return tuple(dict.fromkeys(found))[:_FIVE]


_TEXTS, _LONGEST = 300, 4_000
"""Texts that are searched for names at the end, the newest, and characters of one."""
_FADES = 200
"""Events after which a name is worth a third of what it was."""
_WORTH = {"edit": 1.5, "command": 1.0, "reply": 1.0, "prompt": 0.7}
"""What one mention tells of the next session's need, as measured over 121 sessions."""
_OWN = 2.0
"""How much more a name is worth that an edit defines."""
_MOST, _LONG = 150, 48
_FILE = re.compile(r"(?<![\w@.~+/\\-])[\w@.~+\\-]*+/[\w@.~+/\\-]*\.[A-Za-z]\w{0,7}\b")
_ESCAPE = re.compile(r"\\[nrt]")
"""What in a quoted text may be a line's end (`"a\\nUSD"`) and in a path of Windows a folder's name."""
_TOKEN = re.compile(
    r"(?<![\w$-])(?:--[a-z][a-z0-9]+(?:-[a-z0-9]+)*|[A-Za-z_]\w{1,59}(?:-[A-Za-z0-9]+)*)(?!\w)"
)
_SHAPES = re.compile(
    r"""--[a-z][a-z0-9-]{2,}                    # an option
      | _*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*   # load_cases, MAX_SIZE
      | [a-z][a-z0-9]*[A-Z][A-Za-z0-9]*           # loadCases
      | (?:[A-Z][a-z0-9]+){2,}[A-Z]?              # LoadCases
      | [A-Z]+[a-z]+[A-Z]\w* | [A-Z]{2,}[a-z]{3,}\w*   # OpenAPISpec, HTTPServer
      | [A-Z]\w*-?\d+ | [A-Za-z]+-[A-Za-z]*\d\w*        # PROJ-12, TS2345, vc-x1
      | [A-Za-z0-9]+(?:-[A-Za-z0-9]+){2,}           # a branch, a topic: retire-old-flags
    """,
    re.VERBOSE,
)
_SUFFIX = re.compile(r"\.([a-z][a-z0-9]{0,7})\b(?!\()")
_NO_NAME = re.compile(
    r"\w+_|[0-9A-F]{6}|[A-Z]\d{3}|L\d+(?:C\d+)?|[a-z-]+-\d+(?:px|rem|em|x[ls]|vh|vw)?"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
_COMMON = vocabulary(
    """--help --version --json --force --all --quiet --verbose --oneline --stat --name-only --body --title
    --no-edit --no-verify --porcelain --cached --staged --amend --limit --state --include --exclude
    --recursive --format --output --type --watch --silent --short --message --check --max-count
    JavaScript TypeScript GitHub GitLab PostgreSQL MySQL OpenAI ChatGPT FastAPI NodeJS
    TypeError ValueError KeyError RuntimeError ImportError SyntaxError AttributeError
    ModuleNotFoundError FileNotFoundError NotImplementedError
    useState useEffect useRef useMemo useCallback useContext className onClick onChange toString forEach
    isinstance innerHTML addEventListener querySelector getElementById createElement setTimeout
    setInterval localStorage sessionStorage preventDefault toLowerCase toUpperCase startsWith endsWith
    indexOf parseInt readFileSync writeFileSync existsSync encodeURIComponent hasOwnProperty
    strictEqual matchAll deepEqual assert_eq assert_ne as_ref as_mut as_deref create_dir_all to_lowercase
    tmp_path tmp_path_factory capsys monkeypatch collect_vec into_iter to_path_buf DictReader store_true AssertionError CaptureFixture PosixPath
    node_modules __init__ __name__ __main__ __file__ add_argument parse_args unwrap_or to_string
    as_str to_owned exist_ok read_text write_text json_dumps max_length min_length default_factory
    Co-Authored-By PathBuf OsString HashMap BaseModel WebFetch WebSearch toISOString is_none is_some
    dangerouslySetInnerHTML getItem setItem capture_output tool_use tool_result
    end-to-end out-of-the-box step-by-step up-to-date one-by-one state-of-the-art
    day-to-day case-by-case side-by-side UTF-8 UTF-16 FileCopyrightText SPDX-License-Identifier"""
)


class Told(Struct, frozen=True, kw_only=True):
    """The names that belong to one file, each the likeliest to be needed first."""

    own: tuple[str, ...] = ()
    """Those that its edits define."""
    other: tuple[str, ...] = ()


class _Text(Struct, frozen=True):
    source: str
    text: str
    at: int
    path: str = ""
    """The file that it belongs to."""


class _Mention(Struct, kw_only=True):
    worth: float = 0.0
    path: str = ""
    """The file that an edit last put it in, else that was last read with it."""
    own: bool = False


class Names:
    """Collects what the agent wrote and said last, to be searched for names."""

    def __init__(self) -> None:
        self._texts: deque[_Text] = deque(maxlen=_TEXTS)
        self._at = 0
        self._cwd = ""

    def see(self, event: Event, at: int) -> None:
        """Take note of the text of an edit, a command, a reply or a prompt."""
        if event.thread:
            return
        self._at = at
        match event:
            case Moved(cwd=cwd) if cwd:
                self._cwd = cwd
            case Edited(text=text):
                self._texts.append(
                    _Text("edit", text[:_LONGEST], at, paths.join(self._cwd, event.path))
                )
            case Ran(command=text):
                files = list(consulted(event))
                path = files[0] if len(files) == 1 else ""
                self._texts.append(_Text("command", text[:_LONGEST], at, path))
            case Reply(text=text):
                self._texts.append(_Text("reply", text[:_LONGEST], at))
            case Prompt(text=text):
                self._texts.append(_Text("prompt", text[:_LONGEST], at))

    def of_files(self) -> dict[str, Told]:
        """After the last event: the names that belong to each file, of the 150 that are likeliest
        to be needed.
        """
        ranked = sorted(self._mentions().items(), key=lambda each: (-each[1].worth, each[0]))
        found: dict[str, list[tuple[str, bool]]] = {}
        for name, mention in ranked[:_MOST]:
            if mention.path:
                found.setdefault(mention.path, []).append((name, mention.own))
        return {
            path: Told(
                own=tuple(name for name, own in names if own),
                other=tuple(name for name, own in names if not own),
            )
            for path, names in found.items()
        }

    def _mentions(self) -> dict[str, _Mention]:
        found: dict[str, _Mention] = {}
        for text in self._texts:
            worth = _WORTH[text.source] * exp((text.at - self._at) / _FADES)
            own = set(defined(text.text)) if text.source == "edit" else set[str]()
            for name in set(names_in(text.text)):
                mention = found.setdefault(name, _Mention())
                mention.worth += worth * (_OWN if name in own else 1)
                mention.own = mention.own or name in own
                if text.path and (text.source == "edit" or not mention.path):
                    mention.path = text.path
        return found


def names_in(text: str) -> Iterator[str]:
    """The names in a text that nobody gives but a program's author; parts of paths are none."""
    text = _FILE.sub(" ", text)
    for match in _TOKEN.finditer(text):
        name = match.group()
        if (
            is_name(name)
            and not _is_file(text, match.end())
            and not _is_method(text, match.start())
            and not _ESCAPE.match(text, match.start() - 1 if match.start() else 0)
        ):
            yield name


@lru_cache(maxsize=8192)  # a session says the same words again and again
def is_name(word: str) -> bool:
    """Whether a word has the shape of a name: `load_cases`, `LoadCases`, `--dry-run`, `PROJ-12`."""
    return (
        4 <= len(word) <= _LONG and _SHAPES.fullmatch(word) is not None and not says_nothing(word)
    )


def says_nothing(word: str) -> bool:
    """Whether a word has the shape of a name and is none of a project's own: a library's, a colour,
    the code of a lint, the beginning of a name that a program puts together.
    """
    return word in _COMMON or _NO_NAME.fullmatch(word) is not None


def _is_method(text: str, start: int) -> bool:
    """Whether a name is called on something: most often a library's."""
    return text[start - 1 : start] == "." and text[max(0, start - 5) : start] not in {
        "self.",
        "this.",
    }


def _is_file(text: str, end: int) -> bool:
    suffix = _SUFFIX.match(text, end)
    return suffix is not None and suffix[1] in SUFFIXES
