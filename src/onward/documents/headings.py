"""Which field a heading means, in whatever words people and other tools choose.

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
    "checklists": "checklists",
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


def field_of(title: str) -> Field | None:
    """The field that a heading means, whatever numbers, emoji, punctuation, brackets and case it has;
    None where it is one of the writer's own.
    """
    plain = unicodedata.normalize("NFKC", title).casefold()
    words = re.sub(r"[^\w\s]|_", " ", re.sub(r"\([^)]*\)|<[^>]*>", " ", plain))
    return FIELD_OF.get(" ".join(re.sub(r"^\s*(?:\d+(?:\s+\d+)*\s+)?", "", words).split()))
