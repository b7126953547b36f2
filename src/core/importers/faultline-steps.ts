// Steps of Faultline JSONL, read and written. One step record or inline step ↔ one model step.
// Unknown keys go to the step's `extra`; nothing is dropped, nothing is executed.

import type { Json, JsonObject } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import type { Effect, Step, StepKind, StepRole, ToolCall } from '../../model/trial.ts'
import { asId, asList, asObject, asText, others } from './fields.ts'
import { readTime, readUsage, writeUsage } from './faultline-fields.ts'
import { pairResults, readArguments, readContent, roleOf, type StepDoubt } from './messages.ts'

const KINDS: ReadonlySet<string> = new Set<StepKind>([
  'message',
  'tool_call',
  'tool_result',
  'reasoning',
  'state',
  'handoff',
  'compaction',
  'score',
  'error',
])

const STEP_KEYS = new Set([
  'type',
  'trial_id',
  'index',
  'role',
  'kind',
  'agent',
  'content',
  'text',
  'calls',
  'call_id',
  'name',
  'is_error',
  'error',
  'stage',
  'parent',
  'state',
  'effects',
  'final',
  'model',
  'usage',
  'started_at',
  'ended_at',
  'extra',
])
const CALL_KEYS = new Set(['call_id', 'id', 'name', 'arguments', 'arguments_raw', 'parse_error'])

function readCall(value: Json, doubts: StepDoubt[]): ToolCall {
  const call = asObject(value) ?? {}
  const raw = asText(call['arguments_raw'])
  const parseError = asText(call['parse_error'])
  const read = readArguments(call['arguments'])
  if (raw === null && read.parseError !== undefined)
    doubts.push({
      code: 'CALL_UNPARSED',
      message: `The arguments of ${asText(call['name']) ?? 'a call'} are not JSON (${read.parseError}); kept as text.`,
    })
  return {
    id: asId(call['call_id'] ?? call['id']),
    name: asText(call['name']) ?? '',
    ...(raw === null ? read : { args: read.args, argsRaw: raw }),
    ...(parseError === null ? {} : { parseError }),
  }
}

function readEffects(value: Json | undefined): Effect[] | null {
  const list = asList(value)
  if (list === null) return null
  return list.flatMap((item) => {
    const effect = asObject(item)
    const path = asText(effect?.['path'])
    if (effect === null || path === null) return []
    return [{ path, before: effect['before'] ?? null, after: effect['after'] ?? null }]
  })
}

function inferKind(role: StepRole, hasCalls: boolean, hasCallId: boolean): StepKind {
  if (hasCalls) return 'tool_call'
  return role === 'tool' || hasCallId ? 'tool_result' : 'message'
}

function readExtra(record: JsonObject, add: Record<string, Json>): Json | undefined {
  const given = record['extra']
  const rest = { ...others(record, STEP_KEYS), ...add }
  if (Object.keys(rest).length === 0) return given
  if (given === undefined) return rest
  return isObject(given) ? { ...rest, ...(given as JsonObject) } : { ...rest, extra: given }
}

/** One step; `position` is its index where the record gives none. */
function readStep(record: JsonObject, position: number, doubts: StepDoubt[]): Step {
  const given = record['index']
  const index = typeof given === 'number' && Number.isInteger(given) && given >= 0 ? given : position
  const add: Record<string, Json> = {}
  const roleName = asText(record['role'])
  const calls = (asList(record['calls']) ?? []).map((call) => readCall(call, doubts))
  const callId = asId(record['call_id'])
  const role = roleOf(roleName) ?? (roleName === null && calls.length > 0 ? 'assistant' : 'environment')
  if (roleOf(roleName) === null && calls.length === 0)
    doubts.push({ code: 'STEP_INVALID', message: `Step ${index} has no known role; kept as environment.` })
  if (roleName !== null && roleName !== role) add['role'] = roleName
  const kindName = asText(record['kind'])
  const isKnownKind = kindName !== null && KINDS.has(kindName)
  if (kindName !== null && !isKnownKind) {
    add['kind'] = kindName
    doubts.push({ code: 'STEP_INVALID', message: `Step ${index} has an unknown kind; its shape decided.` })
  }
  const kind = isKnownKind ? (kindName as StepKind) : inferKind(role, calls.length > 0, callId !== null)
  const name = asText(record['name'])
  if (name !== null && kind !== 'tool_result') add['name'] = name
  const callRests = (asList(record['calls']) ?? []).map(
    (call) => others(asObject(call) ?? {}, CALL_KEYS) ?? null,
  )
  if (callRests.some((rest) => rest !== null)) add['calls'] = callRests

  const content = Object.hasOwn(record, 'text')
    ? {
        text: asText(record['text']),
        ...(record['content'] === undefined ? {} : { content: record['content'] }),
      }
    : readContent(record['content'])
  const effects = readEffects(record['effects'])
  const usage = readUsage(record['usage'])
  const texts = {
    agent: asText(record['agent']),
    toolName: kind === 'tool_result' ? name : null,
    callId,
    error: asText(record['error']),
    stage: asText(record['stage']),
    model: asText(record['model']),
    startedAt: readTime(record['started_at']),
    endedAt: readTime(record['ended_at']),
  }
  const parent = record['parent']
  const extra = readExtra(record, add)
  return {
    index,
    role,
    kind,
    ...content,
    ...(calls.length === 0 ? {} : { calls }),
    ...(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)) as Partial<Step>),
    ...(typeof record['is_error'] === 'boolean' ? { isError: record['is_error'] } : {}),
    ...(typeof parent === 'number' ? { parent } : {}),
    ...(record['state'] === undefined ? {} : { state: record['state'] }),
    ...(effects === null ? {} : { effects }),
    ...(typeof record['final'] === 'boolean' ? { final: record['final'] } : {}),
    ...(usage === null ? {} : { usage }),
    ...(extra === undefined ? {} : { extra }),
  }
}

/**
 * Step records in file order as the steps of a trial: sorted by index, results paired with calls. When two
 * steps claim one index, all are numbered anew in order, and that is said.
 */
export function readSteps(records: readonly Json[], doubts: StepDoubt[]): Step[] {
  const steps: Step[] = []
  records.forEach((value, position) => {
    const record = asObject(value)
    if (record === null)
      doubts.push({ code: 'STEP_INVALID', message: `Step ${position} is not an object; skipped.` })
    else steps.push(readStep(record, position, doubts))
  })
  steps.sort((a, b) => a.index - b.index)
  const isUnique = steps.every((step, i) => i === 0 || step.index !== steps[i - 1]?.index)
  if (!isUnique)
    doubts.push({ code: 'STEP_INVALID', message: 'Two steps have one index; the steps are numbered anew.' })
  return pairResults(withParents(isUnique ? steps : numberedAnew(steps), doubts), doubts)
}

/** The steps by their position; a parent is where the first step of its old index went. */
function numberedAnew(steps: readonly Step[]): Step[] {
  const places = new Map<number, number>()
  for (const [place, { index }] of steps.entries()) if (!places.has(index)) places.set(index, place)
  return steps.map(({ parent, ...step }, index) => {
    const place = parent === undefined ? undefined : (places.get(parent) ?? parent)
    return { ...step, index, ...(place === undefined ? {} : { parent: place }) }
  })
}

/** A step hangs below an earlier one; what says otherwise could send a reader of the tree in circles. */
function withParents(steps: readonly Step[], doubts: StepDoubt[]): Step[] {
  return steps.map((step) => {
    const { parent, ...rest } = step
    if (parent === undefined || (Number.isInteger(parent) && parent >= 0 && parent < step.index)) return step
    doubts.push({
      code: 'STEP_INVALID',
      message: `Step ${step.index} names a parent that is no step before it; read without one.`,
    })
    return rest
  })
}

function writeCall(call: ToolCall): JsonObject {
  return {
    call_id: call.id,
    name: call.name,
    // A string in `arguments` is read as JSON text: so a value that is a string is written as its JSON.
    arguments: typeof call.args === 'string' ? JSON.stringify(call.args) : call.args,
    ...(call.argsRaw === undefined ? {} : { arguments_raw: call.argsRaw }),
    ...(call.parseError === undefined ? {} : { parse_error: call.parseError }),
  }
}

/** A step as an inline step of a trial record. */
export function writeStep(step: Step): JsonObject {
  const needsBoth = step.content !== undefined
  const fields: Record<string, Json | undefined> = {
    index: step.index,
    role: step.role,
    kind: step.kind,
    agent: step.agent,
    ...(needsBoth ? { text: step.text, content: step.content } : { content: step.text }),
    calls: step.calls?.map(writeCall),
    call_id: step.callId,
    name: step.toolName,
    is_error: step.isError,
    error: step.error,
    stage: step.stage,
    parent: step.parent,
    state: step.state,
    effects: step.effects?.map(({ path, before, after }) => ({ path, before, after })),
    final: step.final,
    model: step.model,
    usage: step.usage === undefined ? undefined : writeUsage(step.usage),
    started_at: step.startedAt,
    ended_at: step.endedAt,
    extra: step.extra,
  }
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}
