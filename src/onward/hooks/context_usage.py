"""Hooks: how full the context of a session is. Light: asked at every turn."""

from __future__ import annotations

from onward.transcripts import usage

_FULL, _STEP = 70, 5
"""Percent of the context from which exchanges are kept, and until the next autosave."""
_NEAR = 50
"""Percent at which one more answer may come above. At a turn's end the client has not always
written the answer that ended it (measured), and what is there tells of the request before it.
"""
_BYTES = 4  # of a transcript that hold a token, at least: where no answer is written yet


def may_be_full(transcript: str, setting: int) -> bool:
    """Whether the answer that is still to be written may fill more than 70 %. `setting` is the
    size of the context in tokens, 0 for the model's own.
    """
    tokens, window, size = _used(transcript, setting)
    return 100 * (tokens or size // _BYTES) > _NEAR * window


def step(transcript: str, setting: int) -> int:
    """0 up to 70 %, then how many steps of 5 % were begun; by what is written in the transcript."""
    tokens, window, _ = _used(transcript, setting)
    percent = 100 * tokens // window
    return (percent - _FULL) // _STEP + 1 if percent > _FULL else 0


def _used(transcript: str, setting: int) -> tuple[int, int, int]:
    """Tokens (0 where nothing tells), those of the context, and the transcript's bytes."""
    try:
        with open(transcript, "rb") as file:  # noqa: PTH123 - pathlib is dear
            size = file.seek(0, 2)
            file.seek(max(0, size - usage.TAIL))
            tokens, model = usage.used(file.read(usage.TAIL))
    except OSError:
        return 0, 1, 0
    return tokens, usage.window(model, setting), size
