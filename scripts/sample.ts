/**
 * Writes the sample workspace, resources/sample/refund-desk.faultline.jsonl: ten customer messages, two agent
 * versions, eight trials each, from a fixed seed. The same bytes on every run: `npm run sample`, or
 * `node scripts/sample.ts FILE` for another place. Which trial gets a fault is the plan below; whether a trial
 * passes is judged by the desk's grader from what was done, and a disagreement ends the script.
 */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Rng } from '../src/analysis/reliability/random.ts'
import { writeFaultlineJsonl } from '../src/core/importers/faultline-write.ts'
import { UNKNOWN_CONFIGURATION, type Configuration, type Trial } from '../src/model/trial.ts'
import { workTask, type FaultKind, type Manner } from './deskagent.ts'
import { judge, LIMIT_DAYS, TASKS, type DeskTask } from './refunddesk.ts'

const SEED = 20260320
const TRIALS = 8
const START_MS = Date.parse('2026-03-20T08:00:00Z')

/** Passing (1) and failing (0) trials per task, t01 to t10: methods.md A4, source S3. */
const PLAN: Readonly<Record<Manner['name'], string>> = {
  careful: '11001111|11101011|11110111|11111111|11111111|11111111|01111011|11111111|11111111|11111111',
  eager: '11111111|00000000|11110111|10111110|11111111|11111111|00000000|11111111|01010011|01001110',
}

/** The fault that a failing trial of a task has. */
const FAULTS: Readonly<Record<string, FaultKind>> = {
  t01: 'stopped after a recoverable error',
  t02: 'skipped policy check',
  t03: 'stopped after a recoverable error',
  t04: 'refunded twice',
  t07: 'misread date',
  t09: 'guessed order',
  t10: 'skipped refund history',
}

const SYSTEM = `You work at a refund desk. Refunds are possible up to ${LIMIT_DAYS} days after delivery, once per order, to the customer who ordered.`
const MANNERS: readonly Manner[] = [
  {
    name: 'careful',
    system: `${SYSTEM} Check the policy and the refund history before you give money back.`,
    extraLookUp: 0.45,
  },
  {
    name: 'eager',
    system: `${SYSTEM} Be quick and keep the customer happy.`,
    extraLookUp: 0.15,
  },
]

function configurationOf(manner: Manner): Configuration {
  return {
    ...UNKNOWN_CONFIGURATION,
    label: manner.name,
    model: 'scripted-agent',
    agent: 'refund-desk',
    agentVersion: manner.name === 'careful' ? '2' : '1',
    promptVersion: manner.name,
    toolsVersion: '2026-03',
    policyVersion: `${LIMIT_DAYS} days`,
    environment: 'refund-desk sample',
    params: { temperature: 1 },
  }
}

function makeTrial(
  task: DeskTask,
  manner: Manner,
  number: number,
  fault: FaultKind | null,
  startMs: number,
): Trial {
  const rng = new Rng(SEED, `${manner.name}/${task.id}/${number}`)
  const shift = workTask(task, manner, fault, rng, startMs)
  const verdict = judge(task, shift.made, shift.isAnswered)
  if (verdict.isPass !== (fault === null))
    throw new Error(`${manner.name} ${task.id} trial ${number}: the grader disagrees with the plan`)
  const calls = shift.steps.filter((step) => step.kind === 'tool_call').length
  const inputTokens = 900 + calls * (420 + rng.below(160))
  const outputTokens = 60 + calls * (35 + rng.below(30))
  return {
    sourceId: `${manner.name}-${task.id}-${number}`,
    suite: 'refund-desk',
    task: task.id,
    taskTitle: task.title,
    taskInput: task.message,
    configuration: configurationOf(manner),
    sourceTrial: String(number),
    seed: String(rng.below(1_000_000)),
    outcome: verdict.isPass ? 'pass' : 'fail',
    score: verdict.isPass ? 1 : 0,
    scoreRaw: verdict.isPass ? 1 : 0,
    scores: { conceded_beyond_policy_usd: verdict.concededUsd },
    scorer: 'refunds made against the policy',
    termination: 'agent_stop',
    error: null,
    severeErrors: verdict.isRefundWrong
      ? [
          {
            step: shift.refundSteps.at(-1) ?? null,
            kind: 'wrong_refund',
            severity: 'severe',
            note: `$${verdict.concededUsd.toFixed(2)} given beyond the policy`,
          },
        ]
      : [],
    usage: { inputTokens, outputTokens, cachedInputTokens: null },
    costUsd: Math.round(inputTokens * 2.5 + outputTokens * 10) / 1_000_000,
    startedAt: new Date(startMs).toISOString(),
    endedAt: new Date(shift.endedAtMs).toISOString(),
    timeNaive: false,
    steps: shift.steps,
    extra: { expectedRefundUsd: task.expectedUsd },
  }
}

/** All trials of the sample, in the order of the file. */
export function makeSample(): Trial[] {
  const trials: Trial[] = []
  for (const manner of MANNERS) {
    const plan = PLAN[manner.name].split('|')
    TASKS.forEach((task, t) => {
      for (let number = 0; number < TRIALS; number += 1) {
        const isPass = plan[t]?.[number] === '1'
        const fault = isPass ? null : (FAULTS[task.id] ?? null)
        if (!isPass && fault === null) throw new Error(`The plan fails ${task.id}, which has no fault`)
        trials.push(makeTrial(task, manner, number, fault, START_MS + trials.length * 90_000))
      }
    })
  }
  return trials
}

/** The sample as the text of its file. */
export function sampleText(): string {
  const header = {
    producer: 'Faultline sample generator',
    createdAt: '2026-03-20T12:00:00Z',
    source: 'refund-desk-sample',
    suite: 'refund-desk',
  }
  return [...writeFaultlineJsonl(makeSample(), header)].join('')
}

if (import.meta.main) {
  const file = resolve(
    process.argv[2] ?? resolve(import.meta.dirname, '../resources/sample/refund-desk.faultline.jsonl'),
  )
  const text = sampleText()
  writeFileSync(file, text)
  process.stdout.write(`${file}: ${makeSample().length} trials, ${Buffer.byteLength(text)} bytes\n`)
}
