// Outcome rules: what the outcome of a trial is when a person says what a pass is. The imported outcome is kept
// beside it by whoever stores the result. Pure.

import type { Json } from '../../base/json.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { RuleOf } from '../../model/rules.ts'
import { ruleWords } from '../../model/rulewords.ts'
import type { Trial } from '../../model/trial.ts'
import { valuesAt, type ValuePath } from '../../model/valuepath.ts'
import { checkedPath, holds } from './conditions.ts'

/** The fields of a trial that outcome rules read. */
export type JudgedTrial = Pick<
  Trial,
  'outcome' | 'score' | 'scores' | 'scoreRaw' | 'scorer' | 'termination' | 'error' | 'extra'
>

/** What an outcome rule says of a trial, and why. */
export type Judged = { readonly outcome: Outcome; readonly why: string; readonly ruleId: string }

/** An outcome rule made ready for many trials. */
export type Judge = {
  /** Reads what only the trial's body holds. */
  readonly needsExtra: boolean
  /** Null when the rule leaves the trial as it was imported. */
  judge(trial: JudgedTrial): Judged | null
}

/** Makes an outcome rule ready. */
export function makeJudge(rule: RuleOf<'outcome'> & { readonly id: string }): Judge {
  const path = rule.field === null ? null : checkedPath(rule.field)
  const words = ruleWords(rule)
  const because = (outcome: Outcome, why: string): Judged => ({ outcome, why, ruleId: rule.id })
  return {
    needsExtra: path?.[0] === 'extra',
    judge(trial) {
      if (trial.outcome === 'error' && rule.error !== 'judge') {
        if (rule.error === 'keep') return null
        return because(rule.error, `it ended by an error; rule: ${words}`)
      }
      const found = path === null ? scoreOf(trial, rule.scorer ?? '') : fieldOf(trial, path)
      if (found.length === 0 && rule.test !== 'exists') {
        if (rule.unknown === 'keep') return null
        return because(rule.unknown, `it has no ${rule.scorer ?? rule.field ?? 'value'}; rule: ${words}`)
      }
      const isPass = holds(found, rule)
      return because(isPass ? 'pass' : 'fail', `${shown(found)}; rule: ${words}`)
    },
  }
}

/** The score of a scorer: by name, or the trial's own score when the source says that this scorer gave it. */
function scoreOf(trial: JudgedTrial, scorer: string): readonly Json[] {
  const named = Object.hasOwn(trial.scores, scorer) ? trial.scores[scorer] : undefined
  if (named !== undefined && named !== null) return [named]
  return trial.scorer === scorer && trial.score !== null ? [trial.score] : []
}

function fieldOf(trial: JudgedTrial, path: ValuePath): readonly Json[] {
  const [root, ...rest] = path
  const { score, scores, scoreRaw, scorer, termination, extra } = trial
  const error = trial.error === null ? null : { ...trial.error }
  const fields: { readonly [name: string]: Json } = {
    score,
    scores,
    scoreRaw,
    scorer,
    termination,
    extra,
    error,
  }
  const value = typeof root === 'string' && Object.hasOwn(fields, root) ? fields[root] : undefined
  // What is null is not recorded: it is no value to compare.
  return valuesAt(value, rest).filter((one) => one !== null)
}

/** The value found, short; only numbers and truth values are quoted, a text may be anything. */
function shown(found: readonly Json[]): string {
  const [value] = found
  if (typeof value === 'number' || typeof value === 'boolean') return `the value is ${value}`
  return found.length === 0 ? 'there is no value' : 'the value was compared'
}

/** What the first rule says that says anything; null when none does. */
export function judgeOutcome(judges: readonly Judge[], trial: JudgedTrial): Judged | null {
  for (const judge of judges) {
    const judged = judge.judge(trial)
    if (judged !== null) return judged
  }
  return null
}
