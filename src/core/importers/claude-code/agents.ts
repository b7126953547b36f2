// Sub-agents of a session: their lines gathered agent by agent, each agent linked to the call that started it, and its
// steps put right behind that call. Pure; what cannot be linked is kept and said.

import { isObject, type Json } from '../../../base/json.ts'
import { asText, member } from '../fields.ts'
import type { Draft } from '../blocks.ts'
import type { StepDoubt } from '../messages.ts'
import type { Step, ToolCall, Usage } from '../../../model/trial.ts'
import { promptOf, startedAgent, type Line } from './lines.ts'
import { tellChain, type Told } from './steps.ts'

/** A sub-agent's lines. `callId` is the call that started it, once known. */
type Agent = { readonly id: string; readonly lines: Line[]; callId: string | null; name: string | null }

/** The steps of a session with those of its sub-agents, and the tokens of these. */
export type Woven = {
  readonly steps: readonly Step[]
  readonly usages: readonly Usage[]
  readonly agents: number
  readonly unlinked: number
}

/** The agents of the lines: by the id or the call that a line names, else by the tree that it hangs in. */
function gather(lines: readonly Line[]): Agent[] {
  const agents = new Map<string, Agent>()
  const rootOf = new Map<string, string>()
  let last: string | null = null
  for (const line of lines) {
    const above: string | null = line.parent === null ? null : (rootOf.get(line.parent) ?? last)
    const key: string =
      line.agentId ?? line.parentCall ?? above ?? line.uuid ?? last ?? `line ${line.record.line}`
    if (line.uuid !== null) rootOf.set(line.uuid, key)
    last = key
    const known = agents.get(key)
    if (known !== undefined) known.lines.push(line)
    else agents.set(key, { id: key, lines: [line], callId: line.parentCall, name: null })
  }
  return [...agents.values()]
}

/** Finds the call of each agent: named by the lines, named by the result, or with the agent's first prompt. */
function link(agents: readonly Agent[], all: readonly Line[], calls: ReadonlyMap<string, ToolCall>): void {
  for (const line of all) {
    const started = startedAgent(line)
    const agent = started === null ? undefined : agents.find((one) => one.id === started.agentId)
    if (agent !== undefined && started !== null) agent.callId ??= started.callId
  }
  const taken = new Set(agents.flatMap((agent) => agent.callId ?? []))
  for (const agent of agents) {
    if (agent.callId !== null) continue
    const prompt = agent.lines.map(promptOf).find((text) => text !== null)
    if (prompt === undefined || prompt === null) continue
    for (const [id, call] of calls) {
      if (taken.has(id) || asText(member(call.args, 'prompt'))?.trim() !== prompt.trim()) continue
      agent.callId = id
      taken.add(id)
      break
    }
  }
}

type Placed = { readonly draft: Draft; readonly parent: Placed | null }

/** The session's steps with its sub-agents' woven in. `side` are the sub-agents' lines, in the order of the file. */
export function weave(
  main: Told,
  mainLines: readonly Line[],
  side: readonly Line[],
  doubts: StepDoubt[],
): Woven {
  const agents = gather(side)
  const told = new Map(agents.map((agent) => [agent, tellChain(agent.lines, agent.id, doubts)]))
  const calls = new Map<string, ToolCall>()
  for (const { drafts } of [main, ...told.values()])
    for (const { draft } of drafts)
      for (const call of draft.calls ?? []) if (call.id !== null) calls.set(call.id, call)
  link(agents, [...mainLines, ...side], calls)
  for (const agent of agents) agent.name = nameOf(agent, calls)

  const left = new Set(agents)
  const placed: Placed[] = []
  const put = (of: Told, parent: Placed | null, name: string | null): void => {
    for (const { draft, line } of of.drafts) {
      if (parent === null) for (const agent of left) if (isBefore(agent, line)) putAgent(agent, null)
      const own: Placed = { draft: name === null ? draft : { ...draft, agent: name }, parent }
      placed.push(own)
      for (const call of draft.calls ?? [])
        for (const agent of left) if (call.id !== null && agent.callId === call.id) putAgent(agent, own)
    }
  }
  const putAgent = (agent: Agent, parent: Placed | null): void => {
    left.delete(agent)
    put(told.get(agent) as Told, parent, agent.name ?? 'sub-agent')
  }
  const isBefore = (agent: Agent, line: Line): boolean =>
    (agent.callId === null || !calls.has(agent.callId)) &&
    (agent.lines[0]?.record.index ?? 0) < line.record.index
  put(main, null, null)
  // Agents that started each other in a circle, and those that no line of the session comes after.
  for (const agent of left) if (left.has(agent)) putAgent(agent, null)

  const unlinked = agents.filter((agent) => agent.callId === null || !calls.has(agent.callId)).length
  const places = new Map(placed.map((one, index) => [one, index]))
  const steps = placed.map(({ draft, parent }, index): Step => ({
    index,
    ...draft,
    ...(parent === null ? {} : { parent: places.get(parent) ?? 0 }),
  }))
  return { steps, usages: [...told.values()].flatMap((one) => one.usages), agents: agents.length, unlinked }
}

function nameOf(agent: Agent, calls: ReadonlyMap<string, ToolCall>): string | null {
  const args: Json | undefined = agent.callId === null ? undefined : calls.get(agent.callId)?.args
  if (!isObject(args)) return null
  return asText(member(args as Json, 'subagent_type')) ?? asText(member(args as Json, 'description'))
}
