"""Golden sessions, making: what the client wrote, made fit to be kept.

Cut: every text that the client itself brings (system prompts, tool and skill listings, its
copies of the conversation): those records keep their keys and lose their texts. Set: ids, by
the order of their appearance, and times, on a plausible schedule in March 2026. All that the
user, the agent and the tools said stands as it was written.
"""

from __future__ import annotations

import json
import re
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

Json = Any
WHOLE = {
    "user", "assistant", "system", "queue-operation", "last-prompt", "ai-title", "custom-title",
    "mode", "permission-mode", "summary", "file-history-snapshot", "pr-link",
}  # fmt: skip
WHOLE_BESIDE = {
    "queued_command", "todo_reminder", "task_reminder", "plan_file_reference",
    "compact_file_reference", "file", "edited_text_file",
}  # fmt: skip
STRUCTURE = {
    "type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "timestamp", "sessionId", "cwd",
    "gitBranch", "version", "userType", "entrypoint", "agentId", "operation", "level", "leafUuid",
}  # fmt: skip
HARNESS_TOOLS = {"EnterPlanMode", "ToolSearch"}
_UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_HARNESS = re.compile(
    r"<system-reminder>.*?</system-reminder>\s*"
    r"|(?<=<local-command-caveat>).*?(?=</local-command-caveat>)"
    r"| \(file state is current in your context[^)]*\)"
    r"|(?<=Async agent launched successfully\.).*?(?=\nagentId: )"
    r"|(?<=\nagentId: \w{17}) \(internal ID.*"
    r"|(?<=\.output\.) You will be notified.*"
    r"|(?<=<note>).*?(?=</note>)"
    r"|\n+Continue the conversation from where it left off.*",
    re.DOTALL,
)
"""What the client adds to results and to the user's words; no reader needs it."""
_STAMP = re.compile(r"\b2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_EPOCH = range(1_700_000_000_000, 2_000_000_000_000)


class Tidy:
    """One session's clock and ids; `files` are its transcripts, the main one first."""

    def __init__(self, name: str, begin: datetime, files: list[str]) -> None:
        self.name = name
        self.now = begin
        self.ids: dict[str, str] = {}
        self.harness: set[str] = set()
        self.times = _schedule(begin, [json.loads(x) for raw in files for x in raw.splitlines()])

    def file(self, raw: str) -> str:
        """A whole transcript."""
        return "".join(self.line(line) + "\n" for line in raw.splitlines())

    def line(self, raw: str) -> str:
        """One record."""
        record = _cut(json.loads(raw))
        self._mute(record)
        self.now = self.times.get(record.get("timestamp"), self.now)
        stamped = self._stamped(record)
        text = json.dumps(stamped, ensure_ascii=False, separators=(",", ":"))
        return _UUID.sub(lambda found: self.id(found[0]), text)

    def id(self, old: str) -> str:
        """The same new id for the same old one."""
        if old not in self.ids:
            n = len(self.ids)
            seed = "".join(f"{zlib.crc32(f'{self.name} {n} {k}'.encode()):08x}" for k in range(4))
            self.ids[old] = f"{seed[:8]}-{seed[8:12]}-4{seed[13:16]}-a{seed[17:20]}-{seed[20:32]}"
        return self.ids[old]

    def _mute(self, record: Json) -> None:
        """Take out what the client says through a tool's result, and its reminders."""
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            message["content"] = _HARNESS.sub("", content)
        for block in content if isinstance(content, list) else ():
            if block.get("type") == "tool_use" and block.get("name") in HARNESS_TOOLS:
                self.harness.add(block["id"])
            if block.get("tool_use_id") in self.harness:
                block["content"] = ""
                record["toolUseResult"] = _blank(record.get("toolUseResult"))
            if isinstance(result := record.get("toolUseResult"), dict) and "originalFile" in result:
                result["originalFile"] = ""  # a third of a transcript is copies of files
            for key in ("text", "content"):
                if isinstance(block.get(key), str):
                    block[key] = _HARNESS.sub("", block[key])
            for part in block["content"] if isinstance(block.get("content"), list) else ():
                if isinstance(part.get("text"), str):
                    part["text"] = _HARNESS.sub("", part["text"])

    def _stamped(self, value: Json) -> Json:
        match value:
            case dict():
                return {self._stamped(k): self._stamped(v) for k, v in value.items()}
            case list():
                return [self._stamped(v) for v in value]
            case str():
                return _STAMP.sub(lambda found: _iso(self.times.get(found[0], self.now)), value)
            case int() | float() if not isinstance(value, bool) and int(value) in _EPOCH:
                return int(self.now.timestamp() * 1000)
        return value


def _iso(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def begin(text: str) -> datetime:
    """A time like 2026-03-03T09:12."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _cut(record: Json) -> Json:
    kind = record.get("type")
    beside = record.get("attachment")
    kept = kind in WHOLE or (isinstance(beside, dict) and beside.get("type") in WHOLE_BESIDE)
    return {
        key: value if kept and key != "rendered" else _blank(value, key)
        for key, value in record.items()
    }


def _blank(value: Json, key: str = "") -> Json:
    match value:
        case dict():
            return {k: _blank(v, k) for k, v in value.items()}
        case list():
            return [_blank(v) for v in value[:1]]
        case str() if key not in STRUCTURE:
            return ""
    return value


def _schedule(now: datetime, records: list[Json]) -> dict[str, datetime]:
    """The new time of each old one. The order is that of the old times, which is not always
    that of the lines: the client may write a prompt after the answer to it.
    """
    times = {}
    for record in sorted((r for r in records if "timestamp" in r), key=lambda r: r["timestamp"]):
        now += _step(record)
        times[record["timestamp"]] = now
    return times


def _step(record: Json) -> timedelta:
    """How long after the record before: a user takes minutes, a tool seconds."""
    spread = zlib.crc32(json.dumps(record.get("message", ""))[:400].encode()) % 97
    match record.get("type"):
        case "user" if isinstance(record.get("toolUseResult"), dict | str | list):
            return timedelta(seconds=1 + spread % 5, milliseconds=spread)
        case "user" if not (record.get("isMeta") or "<task-notification>" in json.dumps(record)):
            return timedelta(seconds=70 + 2 * spread, milliseconds=spread)
        case "assistant":
            return timedelta(seconds=4 + spread % 11, milliseconds=spread)
    return timedelta(milliseconds=3)
