"""Install, doctor: our commands, skills, hooks and scripts as they lie in the client's folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from onward.clients import files, manifest, plan
from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Finding, Fix, broken, ok, remark
from onward.clients.doctor.levels import entries, levels
from onward.clients.target import Target, of_project, of_user

_SHOWN = 4
_INSTALL = "onward install"


def shipped(case: Case) -> Iterator[Finding]:
    """What installing would write, in each place that was installed into."""
    if any(level.fault for level in levels(case)):
        return  # nothing would be written; the broken file has a finding of its own
    for target, advice in _targets(case):
        found = plan.install(target, str)
        wanted = [
            change
            for change in found.changes
            if change.path.name != manifest.NAME and change.path.parent != target.memory
        ]
        missing = [change.name for change in wanted if change.before is None]
        older = [change.name for change in wanted if change.before is not None]
        yield from _told(target, advice, missing, older)
        if other := [*found.foreign, *found.changed]:
            yield remark(
                "files",
                f"not as we wrote them: {_some(other)}",
                "they are yours and are left alone, and may not do what the documents say",
                f"to have ours: move them away (an entry of the settings: delete it), then {advice}",
            )
        elif not wanted:
            where = case.shown(target.base)
            yield ok("files", f"commands, skills and hooks in {where} are as we wrote them")


def _told(target: Target, advice: str, missing: list[str], older: list[str]) -> Iterator[Finding]:
    fix: Fix = "files" if target.memory else ""
    if missing:
        yield broken(
            "files",
            f"missing: {_some(missing)}",
            "what each is there for is not done, and nobody is told",
            advice,
            fix,
        )
    if older:
        why = "they are of another release, or something of ours was taken out of them"
        yield remark("files", f"out of date: {_some(older)}", why, advice, fix)


def shadowed(case: Case) -> Iterator[Finding]:
    """Of two commands with one name the user's own beats the project's, a skill beats both."""
    for template in sorted((files.TEMPLATES / "commands").glob("*.md")):
        name = template.stem
        stronger = [base / "skills" / name / "SKILL.md" for base in (case.config, case.claude)]
        if (case.claude / "commands" / template.name).is_file():
            stronger.append(case.config / "commands" / template.name)
        for path in stronger:
            data = _data(path)
            if data is not None and manifest.digest(data) != manifest.digest(template.read_bytes()):
                yield remark(
                    "commands",
                    f"/{name} runs {case.shown(path)}, not ours",
                    "the client takes the stronger of two commands with one name",
                    f"rename {case.shown(path)}",
                )
    if {entry.level.name for entry in entries(levels(case))} == {"plugin"}:
        yield remark(
            "commands",
            "/checkpoint is the client's own rewind here",
            "a plugin's commands have a prefix: ours is /onward:checkpoint",
            _INSTALL,
        )


def _targets(case: Case) -> list[tuple[Target, str]]:
    names = {entry.level.name for entry in entries(levels(case))}
    project = of_project(case.project, case.home)
    found = []
    if "project" in names or (project.base / manifest.NAME).is_file():
        found.append((project, _INSTALL))
    if "user" in names:
        found.append((of_user(case.home, case.env), f"{_INSTALL} --user"))
    return found


def _data(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
