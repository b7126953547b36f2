// The order of ATIF steps. Claude Code's converter writes all steps of sub-agents before the first step of the main
// agent; here each group of them goes to the call that started it. Everything else stays in the order of the source.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asList, asObject, asText, member } from '../fields.ts'

/** A step, and the sub-agent steps that its call started. */
export type Ordered = { readonly step: Json; readonly started: readonly (readonly JsonObject[])[] }

const STARTS_AGENT = /^(?:task|agent)$/i

/** Steps with the groups of side-chain steps where they belong. */
export function orderedSteps(steps: readonly Json[]): Ordered[] {
  const side = steps.filter(isSideChain)
  if (side.length === 0 || side.length === steps.length) return steps.map((step) => ({ step, started: [] }))
  const main = steps.filter((step) => !isSideChain(step))
  const started = new Map<number, JsonObject[][]>()
  const used = new Set<number>()
  for (const group of groupsOf(side)) {
    const at = startOf(group, main, used)
    used.add(at)
    const known = started.get(at)
    if (known === undefined) started.set(at, [group])
    else known.push(group)
  }
  return main.map((step, at) => ({ step, started: started.get(at) ?? [] }))
}

function isSideChain(step: Json): step is JsonObject {
  return member(member(step, 'extra'), 'is_sidechain') === true
}

/** A group begins with what a sub-agent was told. */
function groupsOf(side: readonly JsonObject[]): JsonObject[][] {
  const groups: JsonObject[][] = []
  for (const step of side) {
    const last = groups.at(-1)
    if (last === undefined || step['source'] === 'user') groups.push([step])
    else last.push(step)
  }
  return groups
}

/** Where a group was started: the first call of its kind that is still free and not later, else the step before it. */
function startOf(group: readonly JsonObject[], main: readonly Json[], used: ReadonlySet<number>): number {
  const began = timeOf(group[0])
  const isBefore = (step: Json): boolean => {
    const time = timeOf(step)
    return began === null || time === null || time <= began
  }
  const call = main.findIndex((step, at) => !used.has(at) && startsAgent(step) && isBefore(step))
  if (call >= 0) return call
  return Math.max(
    0,
    began === null ? 0 : main.findLastIndex((step) => timeOf(step) !== null && isBefore(step)),
  )
}

function startsAgent(step: Json): boolean {
  return (asList(member(step, 'tool_calls')) ?? []).some((call) =>
    STARTS_AGENT.test(asText(member(call, 'function_name')) ?? ''),
  )
}

function timeOf(step: Json | undefined): number | null {
  const time = Date.parse(asText(asObject(step)?.['timestamp']) ?? '')
  return Number.isNaN(time) ? null : time
}
