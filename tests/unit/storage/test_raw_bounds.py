"""What lies in `raw/` and its log stays bounded, and so does the work that this takes."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.model import Clean
from onward.storage import backups, ranking
from onward.storage.project import Project
from onward.storage.trash import Trash

LINES = st.lists(st.sampled_from(["a", "b", "c" * 5000]), min_size=1, max_size=4)


def stored(project: Project, number: int, text: str) -> Path:
    raw = project.memory / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    path = raw / f"20260301_{number:06}.jsonl"
    path.write_text(text)
    return path


def test_copies_of_different_sessions_are_not_compared(
    project: Project, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[Path] = []

    def differs(old: Path, _: Path) -> bool:
        compared.append(old)
        return False

    monkeypatch.setattr(backups, "_begins", differs)
    for number in range(50):
        stored(project, number, f'{{"sessionId":"{number}"}}\n{{"n":1}}\n')
    stored(project, 50, '{"sessionId":"0"}\n{"n":1}\n{"n":2}\n')
    assert backups.prune(project, now=now) == []
    assert [path.name for path in compared] == ["20260301_000000.jsonl"]


def test_copies_of_one_session_are_compared_with_the_longest_alone(
    project: Project, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        stored(project, number, '{"sessionId":"0"}\n' * (number + 1))
    begins, compared = backups._begins, []

    def counted(old: Path, newer: Path) -> bool:
        compared.append(old)
        return begins(old, newer)

    monkeypatch.setattr(backups, "_begins", counted)
    assert len(backups.prune(project, now=now)) == 49
    assert len(compared) == 49


@given(sessions=st.lists(LINES, min_size=1, max_size=6), cut=st.booleans())
def test_exactly_those_go_that_a_newer_one_begins_with(
    tmp_path_factory: pytest.TempPathFactory, sessions: list[list[str]], *, cut: bool
) -> None:
    folder = tmp_path_factory.mktemp("raw")
    paths = [folder / f"{number}.jsonl" for number in range(len(sessions))]
    for path, lines in zip(paths, sessions, strict=True):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        path.write_text(text[:-1] if cut and path is paths[0] else text)
    newest_first = {path: path.stat().st_size for path in reversed(paths)}
    expected = [
        path
        for number, path in enumerate(paths)
        if any(newer.read_bytes().startswith(path.read_bytes()) for newer in paths[number + 1 :])
    ]
    assert backups._superseded(newest_first) == expected[::-1]


class TestLog:
    @staticmethod
    def fill(project: Project, count: int) -> Path:
        log = project.memory / ".backup-log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as file:
            file.writelines(
                f"2026-03-01T10:00:00+00:00 renewed x.jsonl n={n}\n" for n in range(count)
            )
        return log

    def test_only_the_newest_thousand_lines_are_kept(self, project: Project, now: datetime) -> None:
        log = self.fill(project, 1500)
        backups.prune(project, now=now)
        lines = log.read_text().splitlines()
        assert [line.rpartition("=")[2] for line in (lines[0], lines[-1])] == ["500", "1499"]
        assert len(lines) == 1000

    def test_and_those_that_tell_of_the_copies_which_are_there(
        self, project: Project, tmp_path: Path, now: datetime
    ) -> None:
        kept = []
        for session in ("one", "two"):
            source = tmp_path / f"{session}.jsonl"
            source.write_text(f'{{"sessionId":"{session}"}}\n')
            kept.append(
                backups.save(
                    project,
                    source,
                    now=now,
                    session=session,
                    standing=ranking.TRIVIAL if session == "two" else ranking.WORK,
                )
            )
            now += timedelta(minutes=1)
        gone = backups.save(project, source, now=now, session="gone")
        assert gone
        backups.discard(project, [gone], Trash(tmp_path / "trash"), now=now)
        log = self.fill(project, 1500)
        backups.prune(project, now=now)
        known = {each.path: (each.session, each.standing) for each in backups.entries(project)}
        assert known == {kept[0]: ("one", ranking.WORK), kept[1]: ("two", ranking.TRIVIAL)}
        assert len(log.read_text().splitlines()) == 1002
        assert gone.name not in log.read_text()

    @pytest.mark.parametrize("count", [0, 1000])
    def test_a_short_one_is_left_as_it_is(
        self, project: Project, now: datetime, count: int
    ) -> None:
        log = self.fill(project, count)
        before = log.read_bytes(), log.stat().st_ino
        backups.prune(project, now=now)
        assert (log.read_bytes(), log.stat().st_ino) == before

    def test_what_was_processed_last_can_still_be_put_back(
        self, project: Project, tmp_path: Path, now: datetime
    ) -> None:
        log = self.fill(project, 1500)
        source = tmp_path / "one.jsonl"
        source.write_text('{"sessionId":"one"}\n')
        copy = backups.save(project, source, now=now, session="one")
        assert copy
        backups.process(project, [copy], Clean("c"), now=now)
        backups.prune(project, now=now)
        assert len(log.read_text().splitlines()) == 1000
        assert backups.put_back(project, since=0, now=now) == [copy.name]
        assert backups.pending(project) == [copy]
