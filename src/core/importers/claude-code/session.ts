// One Claude Code session as trials: one, or several where `/clear` began anew. Chain, sub-agents, configuration, end.
// Pure: lines in, trials and doubts out. A session says nothing of success: the outcome is unknown unless it broke.

import type { Json } from '../../../base/json.ts'
import { oneLine, plural } from '../../../base/text.ts'
import {
  UNKNOWN_CONFIGURATION,
  type Configuration,
  type Trial,
  type TrialError,
} from '../../../model/trial.ts'
import { isNaive } from '../faultline-fields.ts'
import { asNumber, asText, isBare } from '../fields.ts'
import { fileUnder } from '../naming.ts'
import { pairResults, type StepDoubt } from '../messages.ts'
import { weave } from './agents.ts'
import { commandOf, isErrorNotice, isInterruption, promptOf, userText, type Line } from './lines.ts'
import { sumUsages } from '../usage.ts'
import { resultUsage, tellChain } from './steps.ts'
import { followChain, withoutDuplicates, type Branch } from './tree.ts'

export const SUITE = 'claude-code'

/** A trial with the lines that it was made of, in the order of the file. */
export type SessionTrial = {
  readonly trial: Trial
  readonly key: string | null
  readonly lines: readonly Line[]
}

/** Where a session came from. `fileName` is null when the file holds other sessions too. */
export type SessionPlace = { readonly id: string | null; readonly fileName: string | null }

/** The trials of a session. `lines` are all lines of it in the order of the file, sub-agents' among them. */
export function readSession(
  lines: readonly Line[],
  place: SessionPlace,
  doubts: StepDoubt[],
): SessionTrial[] {
  const unique = withoutDuplicates(lines)
  sayDuplicates(unique, doubts)
  const spoken = unique.lines.filter((line) => line.kind === 'user' || line.kind === 'assistant')
  // A sub-agent's own file: what is on the side elsewhere is the conversation itself.
  const isAgent = spoken.length > 0 && spoken.every((line) => line.isSide)
  const side = isAgent ? [] : unique.lines.filter((line) => line.isSide)
  const chain = followChain(isAgent ? unique.lines : unique.lines.filter((line) => !line.isSide))
  sayChain(chain, doubts)
  const named = spoken.find((line) => line.agentId !== null)?.agentId
  const agentId = isAgent ? (named ?? spoken[0]?.uuid ?? 'unnamed') : null
  const parts = splitAtClear(chain.lines)
  if (spoken.length === 0 && unique.lines.some((line) => line.kind === 'result')) {
    // What `--output-format json` prints: the end alone, with what was spent.
    parts.push([])
    doubts.push({
      code: 'REFERENCE_MISSING',
      message: `Only the result of the session ${oneLine(place.id ?? 'without id', 60)} is here: kept with its answer, without the steps before it.`,
    })
  }
  if (parts.length === 0 && spoken.length > 0)
    doubts.push({
      code: 'RECORD_ORPHAN',
      message: `${plural(spoken.length, 'line')} of the session ${oneLine(place.id ?? 'without id', 60)} ${spoken.length === 1 ? 'holds' : 'hold'} no conversation (nobody asks, no model answers): left out.`,
    })
  const fileName = parts.length === 1 ? place.fileName : null
  return parts.map((part, number) => {
    const starts = part[0]?.record.index ?? 0
    const ends = parts[number + 1]?.[0]?.record.index ?? Number.POSITIVE_INFINITY
    const isMine = (line: Line): boolean =>
      (number === 0 || line.record.index >= starts) && line.record.index < ends
    const own = lines.filter(isMine)
    const suffix = `${agentId === null ? '' : `:agent-${agentId}`}${number === 0 ? '' : `#${number + 1}`}`
    const key = place.id === null ? null : `${place.id}${suffix}`
    const mine = {
      chain: part,
      side: side.filter(isMine),
      all: own,
      branches: number === 0 ? chain.branches : [],
    }
    return { trial: toTrial(mine, { ...place, fileName }, key, agentId, doubts), key, lines: own }
  })
}

/** The chain cut where `/clear` emptied the context; parts in which nobody spoke are left out. */
function splitAtClear(chain: readonly Line[]): Line[][] {
  const parts: Line[][] = [[]]
  for (const line of chain) {
    const command = commandOf(line)
    if (command !== null && /^\/clear\b/.test(command)) parts.push([])
    else parts.at(-1)?.push(line)
  }
  return parts.filter((part) => part.some((line) => line.kind === 'assistant' || promptOf(line) !== null))
}

type Part = {
  readonly chain: readonly Line[]
  readonly side: readonly Line[]
  readonly all: readonly Line[]
  readonly branches: readonly Branch[]
}

function toTrial(
  part: Part,
  place: SessionPlace,
  key: string | null,
  agentId: string | null,
  doubts: StepDoubt[],
): Trial {
  const told = tellChain(part.chain, null, doubts)
  const woven = weave(told, part.chain, part.side, doubts)
  if (woven.unlinked > 0)
    doubts.push({
      code: 'RECORD_ORPHAN',
      message: `${plural(woven.unlinked, 'sub-agent')} of ${woven.agents}: no call is known to have started ${woven.unlinked === 1 ? 'it' : 'them'}; kept where the file has ${woven.unlinked === 1 ? 'it' : 'them'}.`,
    })
  const end = endOf(part, told.stopReason)
  const result = part.all.findLast((line) => line.kind === 'result')?.fields
  const prompt =
    part.chain.map(promptOf).find((text) => text !== null) ??
    part.chain.map(commandOf).find((command) => command !== null) ??
    null
  const filed = fileUnder(place.fileName, prompt, key ?? SUITE)
  const usage =
    (result === undefined ? null : resultUsage(result)) ?? sumUsages([...told.usages, ...woven.usages])
  const allCosts = told.costs.length > 0 && told.costs.length === told.messages && part.side.length === 0
  const spent = allCosts ? told.costs.reduce((a, b) => a + b, 0) : null
  // Files of sub-agents stand behind the session's own.
  const times = part.all.filter((line) => agentId !== null || !line.isSide).flatMap((line) => line.at ?? [])
  const startedAt = times[0] ?? null
  const endedAt = times.at(-1) ?? null
  return {
    sourceId: key,
    suite: SUITE,
    ...filed,
    configuration: configurationOf(part, told.models),
    seed: null,
    outcome: end.error === null ? 'unknown' : 'error',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: end.termination,
    error: end.error,
    severeErrors: [],
    usage,
    costUsd: asNumber(result?.['total_cost_usd']) ?? spent,
    startedAt,
    endedAt,
    timeNaive: isNaive(startedAt, endedAt),
    steps: markFinal(pairResults(woven.steps, doubts), asText(result?.['result'])),
    extra: extraOf(part, told.models, agentId),
  }
}

/** Marks the step that a `result` line repeats as the final answer; where it is all there is, it is the only step. */
function markFinal(steps: Trial['steps'], answer: string | null): Trial['steps'] {
  if (steps.length === 0 && answer !== null)
    return [{ index: 0, role: 'assistant', kind: 'message', text: answer, final: true }]
  const at =
    answer === null ? -1 : steps.findLastIndex((step) => step.kind === 'message' && step.text === answer)
  return at < 0 ? steps : steps.map((step, i) => (i === at ? { ...step, final: true } : step))
}

/** How the conversation ended: what the log's last line says, a notice of an error, a break, or the stop reason. */
function endOf(
  part: Part,
  stopReason: string | null,
): { termination: string | null; error: TrialError | null } {
  const result = part.all.findLast((line) => line.kind === 'result')?.fields
  if (result !== undefined) {
    const subtype = asText(result['subtype'])
    const isBroken =
      subtype === 'error_during_execution' || (result['is_error'] === true && subtype === 'success')
    const message =
      asText(result['result']) ?? (isBare(result['errors']) ? null : JSON.stringify(result['errors']))
    return {
      termination: subtype,
      error: isBroken
        ? { type: subtype === 'success' ? 'api_error' : subtype, message, origin: 'infra' }
        : null,
    }
  }
  const last = part.chain.at(-1)
  if (last === undefined) return { termination: null, error: null }
  const text = userText(last)
  if (last.kind === 'assistant' && isErrorNotice(last, text))
    return { termination: 'api_error', error: { type: 'api_error', message: text, origin: 'infra' } }
  if (last.kind === 'user' && isInterruption(text)) return { termination: 'interrupted', error: null }
  return { termination: stopReason, error: null }
}

function configurationOf(part: Part, models: readonly string[]): Configuration {
  const first = (of: (line: Line) => string | null): string | null =>
    part.all.map(of).find((value) => value !== null) ?? null
  const init = part.all.find((line) => line.kind === 'init')?.fields
  const model = models.length > 0 ? models.join(', ') : asText(init?.['model'])
  const version = first(
    (line) => asText(line.fields['version']) ?? asText(line.fields['claude_code_version']),
  )
  const mode = first((line) => asText(line.fields['permissionMode']))
  return {
    ...UNKNOWN_CONFIGURATION,
    label: ['Claude Code', version, model].filter((word) => word !== null).join(' '),
    model,
    agent: 'claude-code',
    agentVersion: version,
    params: mode === null ? {} : { permissionMode: mode },
  }
}

function extraOf(part: Part, models: readonly string[], agentId: string | null): Record<string, Json> {
  const extra: Record<string, Json> = {}
  const keep = (key: string, value: Json | null | undefined): void => {
    if (!isBare(value)) extra[key] = value as Json
  }
  const first = (key: string): string | null =>
    part.all.map((line) => asText(line.fields[key])).find((value) => value !== null) ?? null
  keep('cwd', first('cwd'))
  keep('gitBranch', first('gitBranch'))
  keep('subAgent', agentId)
  if (models.length > 1) keep('models', [...models])
  keep('title', first('customTitle') ?? first('aiTitle'))
  keep(
    'summaries',
    part.all.flatMap((line) => (line.type === 'summary' ? (asText(line.fields['summary']) ?? []) : [])),
  )
  keep(
    'branches',
    part.branches.map((branch) => ({ ...branch })),
  )
  const notices = part.all.filter((line) => line.kind === 'notice').length
  keep('apiErrors', notices === 0 ? null : notices)
  const init = part.all.find((line) => line.kind === 'init')?.fields
  keep('tools', init?.['tools'])
  keep('mcpServers', init?.['mcp_servers'])
  const result = part.all.findLast((line) => line.kind === 'result')?.fields
  keep('turns', result?.['num_turns'])
  keep('durationMs', result?.['duration_ms'])
  keep('modelUsage', result?.['modelUsage'])
  keep('permissionDenials', result?.['permission_denials'])
  return extra
}

function sayDuplicates(unique: { dropped: number; differing: number }, doubts: StepDoubt[]): void {
  if (unique.dropped > 0)
    doubts.push({
      code: 'RECORD_DUPLICATE',
      message: `${plural(unique.dropped, 'line')} ${unique.dropped === 1 ? 'stands' : 'stand'} in the session twice with the same uuid and message; read once.`,
    })
  if (unique.differing > 0)
    doubts.push({
      code: 'RECORD_DUPLICATE',
      message: `${plural(unique.differing, 'line')} ${unique.differing === 1 ? 'has' : 'have'} the uuid of another line and another message; kept.`,
    })
}

function sayChain(chain: ReturnType<typeof followChain>, doubts: StepDoubt[]): void {
  if (chain.orphans > 0)
    doubts.push({
      code: 'REFERENCE_MISSING',
      message: `${plural(chain.orphans, 'line')} ${chain.orphans === 1 ? 'names' : 'name'} a parent that is not in the file; read as following the line before.`,
    })
  if (chain.circles > 0)
    doubts.push({
      code: 'RECORD_INVALID',
      message: 'Lines name each other as parents, in a circle; cut there.',
    })
  const count = chain.branches.length
  if (count > 0) {
    const lines = chain.branches.reduce((sum, branch) => sum + branch.lines, 0)
    const first = chain.branches[0]?.prompt
    doubts.push({
      code: 'BRANCH_LEFT',
      message: `The session was rewound: ${plural(count, 'branch', 'branches')} with ${plural(lines, 'line')} left aside${first === null || first === undefined ? '' : `, the first “${oneLine(first, 60)}”`}. The trial is the chain that ends at the last line.`,
    })
  }
}
