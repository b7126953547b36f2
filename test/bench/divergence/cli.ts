// Findings of any trials in Faultline JSONL, one JSON line per failing trial:
// `npm run -s divergence -- CASES.jsonl [--rules RULES.json] [--no-pool]`. Reads two files, writes to standard output.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Divergence, LeadState } from '../../../src/model/analysis.ts'
import { faultlineJsonl } from '../../../src/core/importers/faultline-jsonl.ts'
import { OpenAnalysis } from '../../../src/analysis/divergence/analyse.ts'
import { poolNoise } from '../../../src/analysis/divergence/novelty.ts'
import type { AnalysisOptions } from '../../../src/analysis/divergence/options.ts'
import { byTask, failingOf, readTrials } from './read.ts'
import type { Group } from './read.ts'
import { readRules } from './rules.ts'

/** Fewer tasks than this say too little about each other: each stands alone. */
const LEAST_TASKS = 10

const USAGE = `Usage: npm run -s divergence -- CASES.jsonl [--rules RULES.json] [--no-pool]
Prints one JSON line per failing trial: suite, task, trial, ranked, pNone, permutationP, floor, state, and with a trial
that took no part (“not comparable”) the reason.
Noise rates are pooled over the tasks of the file when it has at least 10 of them, unless --no-pool is given.
RULES.json: a file of \`faultline rules export\`, or {"toolClasses": {"tool": "read|check|write"}, "equivalences": {"alias": {"tool": "name", "args": {"a": "b"}}},
 "stages": [{"tool": "get_*", "stage": "gather"}], "ignoredPaths": [{"tool": "*", "path": "seen_at", "where": "result"}]}`

type Line = {
  readonly suite: string
  readonly task: string
  readonly trial: string
  readonly ranked: readonly object[]
  readonly pNone: number | null
  readonly permutationP: number | null
  readonly floor: number | null
  readonly state: LeadState
  /** Why a trial took no part in the comparison; only with "not comparable". */
  readonly reason?: string
}

function rankedLine(divergence: Divergence): object {
  return {
    step: divergence.step,
    call: divergence.call,
    column: divergence.column,
    kind: divergence.kind,
    tool: divergence.tool,
    columnTool: divergence.columnTool,
    probability: divergence.probability,
    counts: divergence.counts,
    level: divergence.level,
    siblings: divergence.siblings.map(({ trial, step }) => ({ trial, step })),
  }
}

function linesOf(group: Group, analysis: OpenAnalysis): Line[] {
  const { p, floor } = analysis.permutation()
  const excluded = new Map(analysis.excluded.map(({ trial, reason }) => [trial, reason]))
  let hasPass: boolean | null = null
  return failingOf(group).map(({ id }) => {
    const finding = analysis.finding(id)
    const reason = excluded.get(id)
    // Without a finding there was nothing to compare it with, or it was left out.
    if (finding === null) hasPass ??= analysis.outline().lanes.some((lane) => lane.isPass)
    const isLeftOut = finding === null && hasPass === true
    return {
      suite: group.suite,
      task: group.task,
      trial: id,
      ranked: (finding?.ranked ?? []).map(rankedLine),
      pNone: finding?.pNone ?? (isLeftOut ? 1 : null),
      permutationP: p,
      floor,
      state: finding?.state ?? (isLeftOut ? 'not comparable' : 'no passing run'),
      ...(isLeftOut && reason !== undefined ? { reason } : {}),
    }
  })
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rules: { type: 'string' },
      'no-pool': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [path] = positionals
  if (values.help || path === undefined || positionals.length > 1) {
    process.stderr.write(`${USAGE}\n`)
    return values.help ? 0 : 2
  }
  const rulesOf: (suite: string) => AnalysisOptions =
    values.rules === undefined ? () => ({}) : readRules(readFileSync(values.rules, 'utf8'))
  const trials = await readTrials(path, faultlineJsonl, (message) => process.stderr.write(`${message}\n`))
  const groups = byTask(trials)
  const isPooled = !values['no-pool'] && groups.length >= LEAST_TASKS
  const pooled = !isPooled
    ? undefined
    : poolNoise(groups.map((group) => new OpenAnalysis(group.inputs, rulesOf(group.suite)).noise()))
  for (const group of groups) {
    const analysis = new OpenAnalysis(group.inputs, {
      ...rulesOf(group.suite),
      ...(pooled === undefined ? {} : { pooled }),
    })
    for (const line of linesOf(group, analysis)) process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
