"""A choice on a terminal: the list is drawn in place, and one of it taken by number, with the
arrows, or by the first letter of its name.
"""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.layout.dimension import Dimension

from onward.cli import cleaning

_KEYS = "Enter: how to go on with it · Esc: leave · move by ↑↓, number or letter"


def pick(head: str, entries: Sequence[Sequence[str]], names: Sequence[str]) -> int | None:
    """Draw the entries below a heading and return the number of the chosen one, from 0; None where
    somebody left without.
    """
    return _Picker(head, entries, names).run()


class _Picker:
    def __init__(self, head: str, entries: Sequence[Sequence[str]], names: Sequence[str]) -> None:
        self._entries = [[cleaning.line(line) for line in each] for each in entries]
        self._names = [name.casefold() for name in names]
        self._at, self._typed = 0, ""
        self._done = False
        body = Window(
            FormattedTextControl(self._drawn, focusable=True, get_cursor_position=self._cursor),
            dont_extend_height=True,
            always_hide_cursor=True,
        )
        self._application: Application[int | None] = Application(
            layout=Layout(
                HSplit([_line(cleaning.line(head)), body, _line(_KEYS, style="italic")]), body
            ),
            key_bindings=self._bindings(),
            erase_when_done=True,
        )

    def run(self) -> int | None:
        return self._application.run()

    def _drawn(self) -> StyleAndTextTuples:
        drawn: StyleAndTextTuples = []
        for number, lines in enumerate(self._entries):
            first, *rest = lines
            drawn.append(("reverse bold" if number == self._at else "bold", f"{first}\n"))
            drawn += [("", f"{line}\n") for line in rest]
        return [*drawn[:-1], (drawn[-1][0], drawn[-1][1].rstrip("\n"))]

    def _cursor(self) -> Point:
        return Point(0, sum(len(each) for each in self._entries[: self._at]))

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("up")
        def _(_event: KeyPressEvent) -> None:
            self._move(self._at - 1)

        @keys.add("down")
        def _(_event: KeyPressEvent) -> None:
            self._move(self._at + 1)

        @keys.add("enter")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=self._at)

        @keys.add("escape", eager=True)
        @keys.add("c-c")
        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=None)

        @keys.add("<any>")
        def _(event: KeyPressEvent) -> None:
            self._type(event.data)

        return keys

    def _move(self, to: int) -> None:
        self._typed = ""
        self._at = min(max(to, 0), len(self._entries) - 1)

    def _type(self, key: str) -> None:
        """Digits make up a number; a letter leads to the next name that begins so."""
        if key.isdecimal():
            typed = self._typed + key if int(self._typed + key) <= len(self._entries) else key
            self._typed = typed
            if 0 < int(typed) <= len(self._entries):
                self._at = int(typed) - 1
            return
        self._typed = ""
        order = [*range(self._at + 1, len(self._names)), *range(self._at + 1)]
        self._at = next((n for n in order if self._names[n].startswith(key.casefold())), self._at)


def _line(text: str, style: str = "") -> Window:
    return Window(
        FormattedTextControl([(style, text)]), height=Dimension.exact(1), dont_extend_height=True
    )
