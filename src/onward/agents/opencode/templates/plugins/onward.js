// onward: keeps your place in a session. Each call is a short process; whatever fails, it says
// nothing and the client goes on. No sh is needed: the program is found by two lines in our folder.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const LIMITS = { start: 10, prompt: 5, compact: 30, compacted: 20, turn: 5, end: 5 }

const folder = () => {
  const { ONWARD_DATA, LOCALAPPDATA, XDG_DATA_HOME } = process.env
  if (ONWARD_DATA) return ONWARD_DATA
  if (process.platform === "win32")
    return join(LOCALAPPDATA || join(homedir(), "AppData", "Local"), "onward")
  if (XDG_DATA_HOME?.startsWith("/")) return join(XDG_DATA_HOME, "onward")
  if (process.platform === "darwin")
    return join(homedir(), "Library", "Application Support", "onward")
  return join(homedir(), ".local", "share", "onward")
}

const words = (event) => {
  const rest = ["opencode", event, String(process.pid)]
  try {
    const [python, entry] = readFileSync(join(folder(), "launcher"), "utf8").split(/\r?\n/)
    if (python && entry) return [python, "-I", "-S", "-X", "utf8", entry, ...rest]
  } catch {}
  return ["onward", "hook", ...rest] // also writes the launcher anew
}

const call = (event, payload) =>
  new Promise((done) => {
    try {
      const [program, ...more] = words(event)
      const child = spawn(program, more, {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: LIMITS[event] * 1000,
        windowsHide: true,
      })
      let told = ""
      child.on("error", () => done(""))
      child.on("close", (code) => done(code === 0 ? told.trim() : ""))
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (text) => (told += text))
      child.stdin.end(JSON.stringify(payload))
    } catch {
      done("")
    }
  })

export const Onward = async ({ directory }) => {
  const helpers = new Set() // sub-agents' sessions: their words are no user's
  const fresh = new Set()
  const last = new Map() // of each session that was spoken in, the newest message
  const later = new Map() // what a compaction's end tells, for the next message

  const tell = (id, event, more) =>
    call(event, { session_id: id, cwd: directory, prompt_id: last.get(id) ?? "", ...more })

  return {
    event: async ({ event }) => {
      const { sessionID: id, info } = event.properties ?? {}
      if (event.type === "session.created" && info)
        (info.parentID ? helpers : fresh).add(info.id)
      if (!last.has(id) || helpers.has(id)) return
      if (event.type === "session.idle") await tell(id, "turn")
      if (event.type === "session.compacted") later.set(id, await tell(id, "compacted"))
    },
    "chat.message": async ({ sessionID: id }, { message, parts }) => {
      if (helpers.has(id)) return
      const said = parts.filter((part) => part.type === "text" && !part.synthetic)
      const told = [later.get(id)]
      later.delete(id)
      if (!last.has(id))
        told.push(await tell(id, "start", { source: fresh.has(id) ? "startup" : "resume" }))
      last.set(id, message.id)
      told.push(await tell(id, "prompt", { prompt: said.map((part) => part.text).join("\n") }))
      const text = told.filter(Boolean).join("\n\n")
      const end = parts.at(-1)
      if (!text || !end) return
      const { messageID, sessionID } = end
      parts.push({ id: `${end.id}o`, messageID, sessionID, type: "text", text, synthetic: true })
    },
    "experimental.session.compacting": async ({ sessionID: id }, output) => {
      const text = helpers.has(id) ? "" : await tell(id, "compact", { trigger: "auto" })
      if (text) output.context.push(text)
    },
    "shell.env": async ({ sessionID }, output) => {
      if (sessionID) output.env.ONWARD_OPENCODE_SESSION = sessionID
    },
    dispose: async () => {
      await Promise.all([...last.keys()].map((id) => tell(id, "end", { reason: "other" })))
    },
  }
}
