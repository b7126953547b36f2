// All outcome and severity rules of a suite over one trial: the step that runs in worker threads at import and when a
// rule changes. From a trial of the model to its effective outcome and its events.

import { isSeverityRule, type Rule } from '../../model/rules.ts'
import type { SevereEvent, Step } from '../../model/trial.ts'
import { shellCall } from '../divergence/shell.ts'
import { matchesGlob } from '../divergence/words.ts'
import { callsOf } from './calls.ts'
import { judgeOutcome, makeJudge, type Judged, type JudgedTrial } from './outcome.ts'
import { makeDetector, type Detector, type RuleEvent } from './severity.ts'

/** What the rules say of one trial. */
export type Judgement = {
  /** Null: the imported outcome stands. */
  readonly outcome: Judged | null
  readonly events: readonly RuleEvent[]
  /** Severe events that are not among the imported ones: an event of the same step and kind is the same event. */
  readonly severe: number
}

/** What a trial must bring: its head, and its steps where `needsSteps` says so. */
export type TrialToJudge = JudgedTrial & {
  readonly severeErrors: readonly SevereEvent[]
  readonly steps: readonly Step[]
}

/** The rules of one suite, made ready for many trials. */
export type RuleSet = {
  /** False when a trial that called these tools can be judged without its steps and its extra fields. */
  needsBody(tools: readonly string[]): boolean
  judge(trial: TrialToJudge): Judgement
}

/** Makes rules ready; they are those that are on for the suite, in order (rulesOfSuite). */
export function makeRuleSet(rules: readonly Rule[]): RuleSet {
  const judges = rules.flatMap((rule) => (rule.kind === 'outcome' ? [makeJudge(rule)] : []))
  const detectors = rules.flatMap((rule) => (isSeverityRule(rule) ? [makeDetector(rule)] : []))
  const needsExtra = judges.some((judge) => judge.needsExtra)
  return {
    needsBody: (tools) => needsExtra || detectors.some(({ tool }) => mayHaveCalled(tools, tool)),
    judge: (trial) => {
      const events = eventsOf(detectors, trial.steps)
      const imported = new Set(trial.severeErrors.map(({ step, kind }) => JSON.stringify([step, kind])))
      const isNew = ({ step, kind }: RuleEvent): boolean => !imported.has(JSON.stringify([step, kind]))
      return {
        outcome: judgeOutcome(judges, trial),
        events,
        severe: events.filter((event) => event.severity === 'severe' && isNew(event)).length,
      }
    },
  }
}

function eventsOf(detectors: readonly Detector[], steps: readonly Step[]): readonly RuleEvent[] {
  if (detectors.length === 0 || steps.length === 0) return []
  const calls = callsOf({ steps })
  return detectors
    .flatMap((detector) => detector.find(calls))
    .sort((a, b) => a.step - b.step || (a.call ?? -1) - (b.call ?? -1))
}

/** Stands in a list of tools that is not whole: any tool may have been called. */
export const ANY_TOOL = '*'

/** True when a glob may fit one of the tools that were called; a shell may have run any program. */
export function mayHaveCalled(tools: readonly string[], glob: string): boolean {
  return tools.some(
    (tool) =>
      tool === ANY_TOOL ||
      matchesGlob(glob, tool) ||
      (shellCall(tool, { command: 'true' }) !== null && mayBeProgram(glob, `${tool}:`)),
  )
}

/** True when a glob may fit a name that begins so. */
function mayBeProgram(glob: string, beginning: string): boolean {
  const star = glob.indexOf('*')
  const head = star < 0 ? glob : glob.slice(0, star)
  return head.startsWith(beginning) || (star >= 0 && beginning.startsWith(head))
}
