"""The headings of fields, and which field one means in whatever words people and other tools choose.

A spelling is added by adding it here. `onward list` reads headings by this module alone, so it imports
next to nothing.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Field = Literal[
    "task", "status", "goal", "requests", "plan", "tasks", "checklists", "doing", "done_tasks", "progress", "runs", "trail",
    "next_action", "blockers", "failures", "background", "constraints", "decisions", "dead_ends", "deferred", "files", "commands",
    "context", "closing", "blocks", "git", "created", "ours",
]  # fmt: skip
"""A field of `Snapshot`; or `doing` and `done_tasks` (tasks of one status), `created` and
`git` (not text), `ours` (lines made for the reader, which hold nothing of their own). `goal` and
`deferred` are of earlier versions: they are read as a request and as context.
"""

_SPELLINGS: dict[Field, str] = {
    "task": "Task|task summary|current task|active task|current work|working on|summary|overview"
    "|session summary|what we are doing|当前任务|任务|概述|摘要|aufgabe|zusammenfassung|tâche"
    "|résumé|tarea|resumen|tarefa|resumo|задача",
    "status": "Status",
    "failures": "Repeated Failures",
    "background": "Running in the Background|background work",
    "constraints": "Constraints|rules|preferences|user preferences|user preference|corrections|约束|规则|偏好|用户偏好"
    "|einschränkungen|contraintes|restricciones|restrições",
    "goal": "Goal|goals|objective|objectives|current goal|目标|目的|ziel|objectif|objetivo|цель",
    "requests": "Requests|request|user request|user requests|asked for|请求|需求",
    "plan": "Plan|approved plan|the plan|计划|方案",
    "tasks": "Tasks|task list|todo|todos|to do|pending|pending tasks|open tasks|remaining"
    "|remaining work|open|pending actions|action items|待办|待办事项|任务列表|aufgaben|tâches|tareas|tarefas|задачи",
    "checklists": "Checklists",
    "doing": "In Progress|work in progress|wip|current state|进行中|in arbeit|en cours|en curso"
    "|em andamento|в работе",
    "done_tasks": "Completed Tasks|finished tasks|done tasks|已完成任务",
    "progress": "Progress|completed|done|accomplished|what was done|work done|work completed"
    "|progress so far|recent progress|last progress|finished|进展|进度|已完成|完成"
    "|fortschritt|erledigt|progrès|terminé|progreso|completado|progresso|concluído|сделано",
    "runs": "Runs|test runs|test results|tests|checks|state of work|测试|测试结果",
    "trail": "Last Steps|trail",
    "next_action": "Next Action|next actions|next step|next steps|next|what next|what s next"
    "|immediate next step|next up|下一步|下一步行动|接下来|nächster schritt|nächste schritte"
    "|prochaine étape|prochaines étapes|próximo paso|próximos pasos|próximo passo"
    "|próximos passos|следующий шаг|次のステップ",
    "blockers": "Blockers|blocker|blocked|blocked by|issues|open issues|problems|obstacles"
    "|open questions|uncertainties|blockers and uncertainties|阻塞|阻碍|问题|障碍|blocker"
    "|hindernisse|probleme|blocages|obstacles|bloqueos|bloqueios|проблемы",
    "decisions": "Key Decisions|decisions|decision|decisions made|recent decisions"
    "|architecture decisions|决定|决策|关键决策|entscheidungen|décisions|decisiones|decisões"
    "|решения",
    "dead_ends": "Dead Ends|what not to repeat|failed approaches|failed attempts|what failed|what did not work"
    "|what didn t work|tried and failed|失败的尝试|失败尝试|sackgassen|échecs|fallos",
    "deferred": "Deferred|later|for later|follow up|follow ups|backlog|out of scope|以后|推迟",
    "files": "Files|relevant files|key files|files changed|changed files|modified files"
    "|files modified|files touched|文件|相关文件|dateien|fichiers|archivos|arquivos|файлы",
    "commands": "Commands|useful commands|commands that work|命令|befehle|commandes|comandos",
    "context": "Relevant Context|context|notes|facts|important context|key context|background"
    "|key details|details|important details|user context|environment|environment facts"
    "|上下文|背景|备注|kontext|notizen|contexte|contexto|заметки",
    "closing": "Last Words|closing words|last reply",
    "blocks": "Context Blocks",
    "git": "Git|git state|repository|branch|git branch|分支",
    "created": "Created|date|saved|saved at|last updated|updated|timestamp|创建|时间|创建时间"
    "|erstellt|gespeichert|créé|creado|criado|создано",
    "ours": "Resume|age|how to resume|session ended|document|session document",
}
"""The heading that is written, and other ways of saying it."""
HEADINGS = {field: words.split("|")[0] for field, words in _SPELLINGS.items()}
_FIELD_OF: dict[str, Field] = {
    words: field for field, all_ in _SPELLINGS.items() for words in all_.casefold().split("|")
}


def field_of(title: str) -> Field | None:
    """The field that a heading means, whatever numbers, emoji, punctuation, brackets and case it has;
    None where it is one of the writer's own.
    """
    plain = unicodedata.normalize("NFKC", title).casefold()
    words = re.sub(r"[^\w\s]|_", " ", re.sub(r"\([^)]*\)|<[^>]*>", " ", plain))
    return _FIELD_OF.get(" ".join(re.sub(r"^\s*(?:\d+(?:\s+\d+)*\s+)?", "", words).split()))
