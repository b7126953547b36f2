// Changes of rules as a person makes them: written by the core, remembered so that undo takes them back, and told when
// they fail. Undoing an undo is redoing: the core answers each with what takes it back.

import { oneLine } from '../../../base/text.ts'
import type { RuleChanged } from '../../../contract/rulerows.ts'
import { draftOf, type Rule, type RuleInput } from '../../../model/rules.ts'
import { ask } from '../../bridge/client.ts'
import { showFault } from '../../shell/notices.ts'
import { remember } from '../../shell/undo.ts'

/** True when it was done; otherwise the fault was told. */
async function change(title: string, work: () => Promise<readonly RuleChanged[]>): Promise<boolean> {
  let last: readonly RuleChanged[]
  try {
    last = await work()
  } catch (error) {
    showFault('The rules were not changed', error)
    return false
  }
  const back = async (): Promise<void> => {
    const changes = last.map(({ ruleId, revision }) => ({ ruleId, revision }))
    if (changes.length > 0) last = await ask('rules.undo', { changes })
  }
  remember({ title, undo: back, redo: back })
  return true
}

/** Saves a new rule. This and the others: true when it was done; otherwise the fault was told. */
export function addRule(draft: RuleInput, title: string): Promise<boolean> {
  return change(title, async () => [await ask('rules.save', { draft })])
}

/** Saves a rule with other contents. */
export function replaceRule(rule: Rule, draft: RuleInput, title: string): Promise<boolean> {
  const { id, revision } = rule
  return change(title, async () => [await ask('rules.save', { ruleId: id, revision, draft })])
}

/**
 * Lets a score decide in a suite, remembered as an outcome rule of the suite; without one that rule is removed. True when
 * it was done.
 */
export function decideScorer(decided: {
  readonly suite: string
  readonly scorer: string | null
  readonly threshold: number | null
}): Promise<boolean> {
  const { scorer } = decided
  const title = scorer === null ? 'The outcomes as imported decide' : `“${oneLine(scorer, 40)}” decides`
  return change(title, async () => [await ask('rules.decide', decided)])
}

/** Switches a rule on or off. */
export function switchRule(rule: Rule, enabled: boolean): Promise<boolean> {
  return replaceRule(rule, { ...draftOf(rule), enabled }, `Rule switched ${enabled ? 'on' : 'off'}`)
}

/** Removes a rule; its history stays. */
export function removeRule(rule: Rule, title = 'Rule removed'): Promise<boolean> {
  const { id, revision } = rule
  return change(title, async () => [await ask('rules.remove', { ruleId: id, revision })])
}
