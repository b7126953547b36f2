// The part of the contract about rules. Spread into contract.ts; nothing else uses it.

import * as v from 'valibot'
import { command, job, query } from './define.ts'
import {
  decideSchema,
  saveRuleSchema,
  seenRuleSchema,
  testRuleSchema,
  undoRulesSchema,
  type LearnedSuite,
  type RuleChanged,
  type RuleList,
  type RuleProgress,
  type RuleStateRow,
  type RuleTest,
  type ScorerChoice,
} from './rulerows.ts'
import { id, none } from './inputs.ts'

/** rules.* */
export const ruleEntries = {
  /** Rules with what they do at present. */
  'rules.list': query<RuleList>()(none, ['rules', 'trials']),
  /** Durable when it returns; trials are judged in the background, `rules.apply` waits for it. */
  'rules.save': command<RuleChanged>()(saveRuleSchema, ['rules', 'analysis']),
  /** Which score decides, suite by suite, where trials (of one import, or with null all) have several or one on a scale. */
  'rules.scorers': query<readonly ScorerChoice[]>()(
    v.object({ importId: v.optional(v.nullable(id), null) }),
    ['rules', 'trials'],
  ),
  /**
   * Lets a score decide in a suite from a number on (null: 1), by an outcome rule, remembered for what comes later; without
   * a score the rule of an earlier choice is removed (NOT_FOUND where there is none).
   */
  'rules.decide': command<RuleChanged>()(decideSchema, ['rules', 'analysis']),
  'rules.remove': command<RuleChanged>()(seenRuleSchema, ['rules', 'analysis']),
  /** Every kept state of one rule, newest first, the present one included. */
  'rules.history': query<readonly RuleStateRow[]>()(v.object({ ruleId: id }), ['rules']),
  /** Takes changes back, all or none; undoing what it answers is redoing. */
  'rules.undo': command<readonly RuleChanged[]>()(undoRulesSchema, ['rules', 'analysis']),
  /** Judges every trial that waits for it. A cancel leaves the rest waiting. */
  'rules.apply': job<
    { readonly judged: number; readonly waiting: number; readonly failed: number },
    RuleProgress
  >()(none, ['rules', 'trials', 'analysis']),
  /** What a rule would do, without saving it. */
  'rules.test': job<RuleTest, RuleProgress>()(testRuleSchema, []),
  /** Tools, merges and masks as the analysis sees them in one suite. */
  'rules.learned': job<LearnedSuite, RuleProgress>()(v.object({ suite: v.string() }), []),
  /** The rules file of these rules (null: all); format `faultline-rules`. */
  'rules.export': query<{ readonly text: string; readonly rules: number }>()(
    v.object({ ruleIds: v.optional(v.nullable(v.array(id)), null) }),
    ['rules'],
  ),
  /** Takes the rules of a file's text: those with a known id are replaced, those that are here already are passed over. */
  'rules.import': command<{ readonly changes: readonly RuleChanged[]; readonly same: number }>()(
    v.object({ text: v.pipe(v.string(), v.maxLength(20_000_000)) }),
    ['rules', 'analysis'],
  ),
} as const
