// An ATIF trajectory, with its continuations and the trajectories of its sub-agents, as the steps of one trial. What a
// continuation copied from before is left out; a sub-agent's steps stand behind the step that started it. Pure: the
// files that it refers to are handed in, parsed.

import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import type { Step, Usage } from '../../../model/trial.ts'
import { asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { pairResults, type StepDoubt } from '../messages.ts'
import { callText, readStep, type AgentRef } from './atifstep.ts'
import { orderedSteps } from './order.ts'
import { sumUsages, totalUsage } from '../usage.ts'

/** Trajectories in trajectories, deeper ones are left out. */
const MAX_DEPTH = 16
/** Keys of the agent's `extra` that name this one run. */
const NOT_PARAMETERS = new Set(['continuation_index', 'parent_session_id', 'summarization_index'])

/** What a trajectory gives to a trial. */
export type Trajectory = {
  readonly steps: readonly Step[]
  readonly agent: AtifAgent
  readonly usage: Usage | null
  readonly costUsd: number | null
  readonly firstTime: string | null
  readonly lastTime: string | null
  readonly sessionId: string | null
  readonly trajectoryId: string | null
  /** What the user asked, freed of what the harness wrote around it. */
  readonly instruction: string | null
  readonly notes: string | null
  /** Why it is a piece of another trajectory; null when it is whole. */
  readonly pieceOf: string | null
}

/** The agent as a trajectory names it. */
export type AtifAgent = {
  readonly name: string | null
  readonly version: string | null
  readonly model: string | null
  readonly tools: string | null
  readonly params: JsonObject
}

/** Reads a trajectory. `files` are the other trajectories beside it, by base name. Doubts are appended. */
export function readTrajectory(
  root: JsonObject,
  files: ReadonlyMap<string, JsonObject>,
  doubts: StepDoubt[],
): Trajectory {
  const reader = new TrajectoryReader(files, doubts)
  const last = reader.take(root, { agent: null, parent: null, isPart: false, depth: 0 })
  const steps = pairResults(reader.steps, doubts)
  const times = steps.flatMap((step) => (step.startedAt === undefined ? [] : [step.startedAt]))
  const sorted = times.toSorted((a, b) => Date.parse(a) - Date.parse(b))
  const final = asObject(last['final_metrics'])
  return {
    steps,
    agent: readAgent(root, steps),
    usage:
      totalUsage(
        final ?? undefined,
        'total_prompt_tokens',
        'total_completion_tokens',
        'total_cached_tokens',
      ) ?? sumUsages(steps.flatMap((step) => step.usage ?? [])),
    costUsd: asNumber(final?.['total_cost_usd']),
    firstTime: sorted[0] ?? null,
    lastTime: sorted.at(-1) ?? null,
    sessionId: asText(root['session_id']),
    trajectoryId: asText(root['trajectory_id']),
    instruction: instructionOf(steps),
    notes: asText(root['notes']),
    pieceOf: pieceOf(root),
  }
}

type Place = {
  readonly agent: string | null
  readonly parent: number | null
  /** A continuation or sub-agent: what it copied stands before it. */
  readonly isPart: boolean
  readonly depth: number
}

class TrajectoryReader {
  readonly steps: Step[] = []
  readonly #files: ReadonlyMap<string, JsonObject>
  readonly #doubts: StepDoubt[]
  readonly #met = new Set<JsonObject>()
  /** Calls that no result has answered. */
  readonly #open = new Map<string, string>()

  constructor(files: ReadonlyMap<string, JsonObject>, doubts: StepDoubt[]) {
    this.#files = files
    this.#doubts = doubts
  }

  /** Appends the steps of a trajectory and of its continuations; gives the last of these. */
  take(trajectory: JsonObject, place: Place): JsonObject {
    this.#met.add(trajectory)
    const isClaude = /^claude[-_ ]?code$/i.test(asText(member(trajectory['agent'], 'name')) ?? '')
    const embedded = (asList(trajectory['subagent_trajectories']) ?? []).flatMap((one): JsonObject[] => {
      const found = asObject(one)
      return found === null ? [] : [found]
    })
    const list = asList(trajectory['steps'])
    if (list === null && !isBare(trajectory['steps']))
      this.#doubts.push({ code: 'RECORD_INVALID', message: '“steps” is not a list: not read.' })
    for (const { step, started } of orderedSteps(list ?? [])) {
      if (place.isPart && member(step, 'is_copied_context') === true) continue
      this.#step(step, started, place, isClaude, embedded)
    }
    for (const one of embedded) if (!this.#met.has(one)) this.#enter(one, place.parent, place.depth)
    const ref = asText(trajectory['continued_trajectory_ref'])
    const next = ref === null || ref === '' ? undefined : this.#files.get(baseOf(ref))
    if (next === undefined || this.#met.has(next)) {
      if (ref !== null && ref !== '' && next === undefined) this.#miss('goes on in', ref)
      return trajectory
    }
    return this.take(next, { ...place, isPart: true })
  }

  #step(
    step: Json,
    started: readonly (readonly JsonObject[])[],
    place: Place,
    isClaude: boolean,
    embedded: readonly JsonObject[],
  ): void {
    const owner = {
      ...(place.agent === null ? {} : { agent: place.agent }),
      ...(place.parent === null ? {} : { parent: place.parent }),
    }
    const { said, results, refs } = readStep(step, isClaude, this.#open, this.#doubts)
    for (const draft of said) {
      this.steps.push({ index: this.steps.length, ...draft, ...owner })
      for (const call of draft.calls ?? []) if (call.id !== null) this.#open.set(call.id, callText(call))
    }
    const parent = this.steps.at(-1)?.index ?? null
    for (const group of started)
      for (const one of group) this.#step(one, [], { ...place, agent: 'sub-agent', parent }, isClaude, [])
    for (const ref of refs) this.#follow(ref, embedded, parent, place.depth)
    for (const draft of results) {
      this.steps.push({ index: this.steps.length, ...draft, ...owner })
      if (draft.callId !== undefined) this.#open.delete(draft.callId)
    }
    // One answer may be that of the whole batch.
    if (results.length > 0)
      for (const draft of said)
        for (const call of draft.calls ?? []) if (call.id !== null) this.#open.delete(call.id)
  }

  #follow(ref: AgentRef, embedded: readonly JsonObject[], parent: number | null, depth: number): void {
    const isMeant = (one: JsonObject): boolean =>
      ref.ids.some((id) => one['trajectory_id'] === id || one['session_id'] === id)
    const found =
      embedded.find(isMeant) ??
      (ref.path === null ? undefined : this.#files.get(baseOf(ref.path))) ??
      [...this.#files.values()].find((one) => !this.#met.has(one) && isMeant(one))
    if (found === undefined) this.#miss('has a sub-agent in', ref.path ?? (ref.ids[0] as string))
    else if (!this.#met.has(found)) this.#enter(found, parent, depth)
  }

  #enter(trajectory: JsonObject, parent: number | null, depth: number): void {
    if (depth >= MAX_DEPTH) {
      this.#doubts.push({
        code: 'NESTED_TOO_DEEP',
        message: `Sub-agents are nested deeper than ${MAX_DEPTH}; left out.`,
      })
      return
    }
    const agent = asText(member(trajectory['agent'], 'name')) ?? 'sub-agent'
    this.take(trajectory, { agent, parent, isPart: true, depth: depth + 1 })
  }

  #miss(what: string, where: string): void {
    this.#doubts.push({
      code: 'REFERENCE_MISSING',
      message: `The trajectory ${what} ${oneLine(where, 100)}, which is not there.`,
    })
  }
}

/** The base name of a path in a trajectory. It is only compared with names at hand, never opened. */
function baseOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

function readAgent(root: JsonObject, steps: readonly Step[]): AtifAgent {
  const agent = asObject(root['agent'])
  const tools = agent?.['tool_definitions']
  const models = new Set(steps.flatMap((step) => (step.parent === undefined ? (step.model ?? []) : [])))
  const params = Object.entries(asObject(agent?.['extra']) ?? {}).filter(
    ([key, value]) => !NOT_PARAMETERS.has(key) && !isBare(value),
  )
  return {
    name: asText(agent?.['name']),
    version: knownVersion(asText(agent?.['version'])),
    model: asText(agent?.['model_name']) ?? (models.size === 1 ? ([...models][0] as string) : null),
    tools: isBare(tools)
      ? null
      : `sha256 ${createHash('sha256').update(JSON.stringify(tools)).digest('hex').slice(0, 12)}`,
    params: Object.fromEntries(params),
  }
}

/** A version, unless the harness did not know it. */
export function knownVersion(version: string | null): string | null {
  return version === null || /^(?:unknown|none)?$/i.test(version) ? null : version
}

/** Terminus wraps the instruction in its own prompt, which ends with what its terminal shows. */
const WRAPPED = /(?:^|\n)Task Description:\n([\s\S]+?)\n+Current terminal state:/

function instructionOf(steps: readonly Step[]): string | null {
  const text = steps.find((step) => step.role === 'user' && step.parent === undefined && step.text)?.text
  if (text === undefined || text === null) return null
  return (WRAPPED.exec(text)?.[1] ?? text).trim() || null
}

function pieceOf(root: JsonObject): string | null {
  const extra = member(root['agent'], 'extra')
  const parent = asText(member(extra, 'parent_session_id'))
  if (parent !== null) return 'is that of a sub-agent'
  return asNumber(member(extra, 'continuation_index')) === null ? null : 'continues another one'
}
