// Findings of any trials in Faultline JSONL, one JSON line per failing trial:
// `npm run -s divergence -- CASES.jsonl [--rules RULES.json] [--no-pool]`. Reads two files, writes to standard output.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Divergence } from '../../../src/model/analysis.ts'
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
Prints one JSON line per failing trial: suite, task, trial, ranked, pNone, permutationP, floor, state.
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
  readonly state: string
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
  const hasPass = analysis.rankable().length > 0
  return failingOf(group).map(({ id }) => {
    const finding = analysis.finding(id)
    const reason = excluded.get(id)
    return {
      suite: group.suite,
      task: group.task,
      trial: id,
      ranked: (finding?.ranked ?? []).map(rankedLine),
      pNone: finding?.pNone ?? null,
      permutationP: p,
      floor,
      state: finding?.state ?? (reason === undefined || !hasPass ? 'no passing run' : `excluded: ${reason}`),
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
