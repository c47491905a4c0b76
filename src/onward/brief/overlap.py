"""What a text says already, told by its distinctive words: for a report of what it leaves out."""

from __future__ import annotations

import re

from onward.brief.text import one_line


def _vocabulary(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Scripts written without spaces (as inside of a regular expression's class)."""
_WORD = re.compile(rf"[{_WIDE}]{{2}}|[^\W_{_WIDE}]{{3,}}|\d+")
_STEM = 6
"""Letters by which two forms of one word are known: `rename`, `renamed`, `renaming`."""
_NEAR = 3
"""Lines of a text that are looked at together: a point is seldom made in fewer."""
_HEAD = 48
"""Characters of a text's beginning that a summary quotes before it writes three dots."""
_FOREIGN = 0.15
"""Share of characters of such a script above which a text is written in it."""
_TROUBLE = re.compile(
    r"fail|error|broke|crash|falh|erro\b|fehl|失败|错误|报错|エラー", re.IGNORECASE
)
_FILE = re.compile(r"[\w.-]+\.[a-z]{1,5}\b")
_LONG_NAME = re.compile(r"\b(?=\w*[a-z][A-Z_])\w{14,}")
"""What only a test or a function is called."""
_FOLDER = re.compile(r"^cd\s+(?:\"[^\"]*\"|'[^']*'|\S+)\s*&&\s*")
_COMMON = _vocabulary(
    "the and for that this with from you your are was were have has had not but can could should "
    "would will shall may might must let lets also any all its it's they them then than there here "
    "what when where which who why how into onto out over under about after before again just now "
    "please want like need make made get got use used using one two some more most very much still "
    "only own same such too our did does doing done yes okay don isn"
)
_ANYWHERE = _vocabulary(
    "index.ts index.tsx index.js index.html __init__.py main.py main.go main.rs mod.rs lib.rs "
    "page.tsx route.ts layout.tsx readme.md changelog.md package.json cargo.toml "
    "makefile dockerfile types.ts utils.ts config.ts settings.json"
)
"""Names that many folders have: such a file is named only with its folder."""


def distinctive(text: str) -> set[str]:
    """The words that tell one text from another, shortened to what their forms share."""
    found = (word.casefold() for word in _WORD.findall(text))
    return {word[:_STEM] for word in found if word not in _COMMON}


def _wide_share(text: str) -> float:
    return len(re.findall(f"[{_WIDE}]", text)) / max(1, len(text))


class Said:
    """A text, to be asked whether it says something."""

    def __init__(self, text: str) -> None:
        self._flat = one_line(text).casefold().replace("\\", "/")
        lines = [line for line in text.splitlines() if line.strip()]
        starts = range(max(1, len(lines) - _NEAR + 1))
        self._near = [" ".join(lines[at : at + _NEAR]).casefold() for at in starts]
        self._words = [distinctive(near) for near in self._near]
        self._all = set().union(*self._words)
        self._wide = _wide_share(text)

    def tells(self, text: str, share: float) -> bool:
        """Whether so large a share of the text's distinctive words stands together somewhere, or
        its beginning as it is.
        """
        wanted = distinctive(text)
        if not wanted or self.quotes(one_line(text)[:_HEAD]):
            return True
        return any(len(wanted & near) >= share * len(wanted) for near in self._words)

    def is_foreign(self, text: str) -> bool:
        """Whether a text is in a script that this one does not use: they cannot be compared."""
        return _wide_share(text) > _FOREIGN > self._wide

    def names(self, path: str) -> bool:
        """Whether a file is named: by its last part, or with its folder where that says little."""
        *folders, name = path.casefold().replace("\\", "/").split("/")
        if name in _ANYWHERE and folders:
            name = f"{folders[-1]}/{name}"
        whole = rf"(?<![a-z0-9_-]){re.escape(name)}(?![a-z0-9_-])"
        return re.search(whole, self._flat) is not None

    def knows(self, command: str) -> bool:
        """Whether each word of a command stands somewhere."""
        return distinctive(_FOLDER.sub("", one_line(command))) <= self._all

    def quotes(self, text: str) -> bool:
        """Whether a text stands there word by word."""
        return one_line(text).casefold() in self._flat

    def reports(self, failure: str) -> bool:
        """Whether a test of a failure is named, or trouble is told together with its file or most
        of its words.
        """
        if any(name.casefold() in self._flat for name in _LONG_NAME.findall(failure)):
            return True
        files = [name.casefold() for name in _FILE.findall(failure)]
        wanted = distinctive(failure)
        return any(
            _TROUBLE.search(near)
            and (any(name in near for name in files) or len(wanted & words) * 2 >= len(wanted))
            for near, words in zip(self._near, self._words, strict=True)
        )
