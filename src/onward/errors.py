"""The one error family: what is wrong, where, and the command to type next."""

from __future__ import annotations

from typing import ClassVar


class OnwardError(Exception):
    """A foreseen failure; or what `doctor` or `scrub --check` was to look for is there.

    `message` is one sentence that says what is wrong and where; `hint` is what to type
    or do next. Neither ever holds text of a transcript: it may be a secret.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(OnwardError):
    """The arguments cannot be meant this way (a forbidden name, two exclusive options)."""

    exit_code = 2


class NotFoundError(OnwardError):
    """A transcript, checkpoint, place or document that does not exist; `search` found nothing."""

    exit_code = 3


class InputError(OnwardError):
    """Something that exists but cannot be read as what it should be."""

    exit_code = 4


class RefusedError(OnwardError):
    """Understood, and not done: it would lose something or break a rule of the documents."""

    exit_code = 5


class StorageError(OnwardError):
    """The disk said no: read-only, full, a lock that is held, no home folder."""

    exit_code = 6


class QualityError(OnwardError):
    """`check` found something to fix."""

    exit_code = 7


class RemoteError(OnwardError):
    """A git remote that does not answer, does not let in, or does not take it."""

    exit_code = 8
