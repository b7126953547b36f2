// Rules: listing, saving, undoing, files. The judging of trials is judging.ts, the trying out ruletest.ts, what was
// learned without rules learned.ts; here a change is written and everything that depends on it is set going.

import * as v from 'valibot'
import { Fault } from '../../base/fault.ts'
import { analysisOptions } from '../../analysis/rules/options.ts'
import type { RuleChanged, RuleRow } from '../../contract/rulerows.ts'
import { readRulesFile, rulesFileText } from '../../model/rulefile.ts'
import { draftOf, judgesTrials, ruleDraftSchema, type Rule, type RuleDraft } from '../../model/rules.ts'
import { ruleWords } from '../../model/rulewords.ts'
import type { Context, Slice } from '../context.ts'
import { eventEffects, outcomeEffects, suitesOf } from '../store/judgements.ts'
import {
  allRules,
  isSameDraft,
  newRuleId,
  ruleHistory,
  ruleLike,
  undoRules,
  writeRules,
  type RuleChange,
} from '../store/rules.ts'
import { decidingScorers, scoreFields } from '../store/scorers.ts'
import { toolsByTask } from '../store/tasktools.ts'
import { makeJudging } from './judging.ts'
import { makeLearned } from './learned.ts'
import { ruleBefore, scorerChoices, scorerDraft, scorerRule } from './scorers.ts'
import { testRule } from './ruletest.ts'

/** rules.* */
export function rulesService(
  context: Context,
): Slice<
  | 'rules.list'
  | 'rules.save'
  | 'rules.scorers'
  | 'rules.decide'
  | 'rules.remove'
  | 'rules.history'
  | 'rules.undo'
  | 'rules.apply'
  | 'rules.test'
  | 'rules.learned'
  | 'rules.export'
  | 'rules.import'
> {
  const judging = makeJudging(context)
  context.useRules(judging)
  const learned = makeLearned(context)

  /** A change is written: judge and compare again what it bears on. */
  const changed = (changes: readonly RuleChanged[]): readonly RuleChanged[] => {
    judging.rulesChanged()
    if (changes.length > 0) context.scheduleAnalysis('all')
    return changes
  }
  const one = (change: RuleChange): RuleChanged => {
    const [saved] = changed(writeRules(context.db(), [change], context.now()))
    if (saved === undefined) throw new Error('A rule was written and is not there')
    return saved
  }

  return {
    'rules.list': () => {
      const db = context.db()
      const { waiting, failed } = judging.state()
      return {
        rows: rowsOf(context, allRules(db)),
        waitingTrials: waiting,
        failedTrials: failed,
        suites: suitesOf(db),
      }
    },
    'rules.save': ({ ruleId, revision, draft }) => one({ id: ruleId ?? newRuleId(), draft, seen: revision }),
    'rules.scorers': ({ importId }) => {
      const db = context.db()
      return scorerChoices(scoreFields(db, importId), decidingScorers(db, importId), allRules(db))
    },
    'rules.decide': ({ suite, scorer, threshold }) => {
      const known = scorerRule(allRules(context.db()), suite)
      if (scorer === null) {
        if (known === undefined)
          throw new Fault('NOT_FOUND', 'Nothing was chosen to decide in this suite.', { where: suite })
        return one({ id: known.id, draft: null, seen: null })
      }
      const other = ruleBefore(allRules(context.db()), suite)
      if (other !== undefined)
        throw new Fault('CONFLICT', `A rule says already what decides in this suite: ${ruleWords(other)}.`, {
          where: suite,
          hint: 'It speaks first, so the score would decide nothing. Switch that rule off or remove it, then choose again.',
        })
      const draft = v.parse(ruleDraftSchema, scorerDraft(suite, scorer, threshold))
      return one({ id: known?.id ?? newRuleId(), draft, seen: null })
    },
    'rules.remove': ({ ruleId, revision }) => one({ id: ruleId, draft: null, seen: revision }),
    'rules.history': ({ ruleId }) =>
      ruleHistory(context.db(), ruleId).map((state) => ({
        ...state,
        words: state.draft === null ? null : ruleWords(state.draft),
      })),
    'rules.undo': ({ changes }) => changed(undoRules(context.db(), changes, context.now())),
    'rules.apply': async (_input, { signal, progress }) => {
      const { judged } = await judging.apply(signal, progress)
      return { judged, ...judging.state() }
    },
    'rules.test': (input, request) => testRule(context, input, request),
    'rules.learned': ({ suite }, request) => learned(suite, request),
    'rules.export': ({ ruleIds }) => {
      const all = allRules(context.db())
      const missing = ruleIds?.find((id) => !all.some((rule) => rule.id === id))
      if (missing !== undefined)
        throw new Fault('NOT_FOUND', 'There is no such rule in the workspace.', { where: missing })
      const chosen = ruleIds === null ? all : all.filter((rule) => ruleIds.includes(rule.id))
      return { text: rulesFileText(chosen), rules: chosen.length }
    },
    'rules.import': ({ text }) => {
      const { changes, same } = changesOf(context, text)
      return { changes: changed(writeRules(context.db(), changes, context.now())), same }
    },
  }
}

function rowsOf(context: Context, rules: readonly Rule[]): readonly RuleRow[] {
  const db = context.db()
  const events = eventEffects(db)
  const outcomes = outcomeEffects(db)
  const tools = rules.every(judgesTrials) ? [] : [...toolsByTask(db).values()]
  const effectOf = (rule: Rule): RuleRow['effect'] => {
    if (rule.kind === 'outcome')
      return { is: 'outcomes', ...(outcomes.get(rule.id) ?? { trials: 0, changed: 0, tasks: 0 }) }
    if (judgesTrials(rule))
      return { is: 'events', ...(events.get(rule.id) ?? { events: 0, trials: 0, tasks: 0, costUsd: null }) }
    const tasks = tools.filter((task) => analysisOptions([rule], task.suite, task.tools) !== undefined)
    return { is: 'comparison', tasks: tasks.length }
  }
  return rules.map((rule) => ({ rule, words: ruleWords(rule), effect: effectOf(rule) }))
}

/** What taking a file's rules would write. Throws INVALID_INPUT that names the field. */
function changesOf(
  context: Context,
  text: string,
): { readonly changes: readonly RuleChange[]; readonly same: number } {
  const read = readRulesFile(text)
  if (!read.ok) {
    const { field, message } = read.error
    throw new Fault('INVALID_INPUT', `${field === '' ? 'The file' : `“${field}”`} ${message}.`, {
      where: field === '' ? 'rules file' : `rules file: ${field}`,
      hint: 'Nothing was taken from the file. docs/rules.md describes its format.',
    })
  }
  const known = allRules(context.db())
  const byId = new Map(known.map((rule) => [rule.id, rule]))
  const changes = new Map<string, RuleChange>()
  const isTaken = (draft: RuleDraft): boolean =>
    [...changes.values()].some((change) => change.draft !== null && isSameDraft(change.draft, draft))
  let same = 0
  for (const { id, draft } of read.value) {
    const mine = id === null ? undefined : byId.get(id)
    const isHere =
      mine === undefined ? id === null && ruleLike(known, draft) : isSameDraft(draftOf(mine), draft)
    if (isHere || (id === null && isTaken(draft))) same++
    else {
      const ruleId = id ?? newRuleId()
      changes.set(ruleId, { id: ruleId, draft, seen: null })
    }
  }
  return { changes: [...changes.values()], same }
}
