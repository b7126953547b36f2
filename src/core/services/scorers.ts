// Which of several scores decides in a suite. The source's first one does until a person picks another: that is an outcome
// rule of the suite, so it is remembered, holds for what is imported later, and can be undone like any rule.

import type { ScorerChoice } from '../../contract/rulerows.ts'
import type { Rule, RuleInput } from '../../model/rules.ts'
import type { PreparedTrial } from '../store/ingest.ts'

/** A score as it was met: in the workspace, or in files that are looked at. */
export type MetScore = {
  readonly suite: string
  readonly name: string
  readonly trials: number
  readonly lowest: number
  readonly highest: number
}

/** The rule by which a person chose what decides in a suite; undefined without one. */
export function scorerRule(rules: readonly Rule[], suite: string): Rule | undefined {
  return rules.find(
    (rule) =>
      rule.kind === 'outcome' &&
      rule.enabled &&
      rule.suite === suite &&
      rule.scorer !== null &&
      rule.test === '>=' &&
      typeof rule.value === 'number',
  )
}

/**
 * The outcome rule of another kind that speaks in a suite before such a choice could: what a person wrote on the Rules
 * screen or in a file. Undefined without one.
 */
export function ruleBefore(rules: readonly Rule[], suite: string): Rule | undefined {
  const first = rules.find((rule) => rule.kind === 'outcome' && rule.enabled && rule.suite === suite)
  return first === scorerRule(rules, suite) ? undefined : first
}

/** The rule that makes a score decide: at least `threshold`, unknown where a trial does not have it. */
export function scorerDraft(suite: string, scorer: string, threshold: number | null): RuleInput {
  return { kind: 'outcome', suite, scorer, test: '>=', value: threshold ?? 1, unknown: 'unknown' }
}

/** What decided some trials of a suite; null: the source says the outcome, and not what decided. */
type Decider = { readonly suite: string; readonly scorer: string | null }

/**
 * The suites in which something can be chosen: several scores, or one on a scale. `deciding` is what decided the trials,
 * the most frequent first; of `reward` a source may say “tau2 reward”. Where the source, or a rule of another kind, says
 * the outcome by something else than its scores, nobody need be asked.
 */
export function scorerChoices(
  met: readonly MetScore[],
  deciding: readonly Decider[],
  rules: readonly Rule[],
): readonly ScorerChoice[] {
  return [...Map.groupBy(met, ({ suite }) => suite)].flatMap(([suite, fields]): ScorerChoice[] => {
    const isScale = fields.some(({ lowest, highest }) => lowest < 0 || highest > 1)
    if (fields.length < 2 && !isScale) return []
    const isRuled = ruleBefore(rules, suite) !== undefined
    const rule = isRuled ? undefined : scorerRule(rules, suite)
    const decider = deciding.find((one) => one.suite === suite)
    const scorer = decider?.scorer ?? null
    const own =
      fields.find(({ name }) => name === scorer) ?? fields.find(({ name }) => scorer?.endsWith(` ${name}`))
    const isStated = isRuled || (decider !== undefined && own === undefined)
    return [
      {
        suite,
        fields: fields.map(({ name, trials, lowest, highest }) => ({ name, trials, lowest, highest })),
        decides: rule?.kind === 'outcome' ? rule.scorer : isRuled ? null : (own?.name ?? null),
        threshold: rule?.kind === 'outcome' && typeof rule.value === 'number' ? rule.value : null,
        isChosen: rule !== undefined,
        isStated,
        isOpen: rule === undefined && !isStated && (isScale || own?.name === scorer),
      },
    ]
  })
}

/** The scores of the trials that were looked at. */
export class ScoresMet {
  readonly #met = new Map<string, { -readonly [Key in keyof MetScore]: MetScore[Key] }>()
  readonly #deciding = new Map<string, Decider & { trials: number }>()

  /** Counts the scores of a trial. */
  see(trial: Pick<PreparedTrial, 'suite' | 'scorer' | 'scores' | 'outcome'>): void {
    const { suite, scorer, outcome } = trial
    if (scorer !== null || outcome === 'pass' || outcome === 'fail') {
      const key = JSON.stringify([suite, scorer])
      const known = this.#deciding.get(key) ?? { suite, scorer, trials: 0 }
      known.trials += 1
      this.#deciding.set(key, known)
    }
    for (const [name, value] of Object.entries(JSON.parse(trial.scores) as Record<string, number | null>)) {
      if (value === null) continue
      const key = JSON.stringify([suite, name])
      const known = this.#met.get(key)
      if (known === undefined) this.#met.set(key, { suite, name, trials: 1, lowest: value, highest: value })
      else {
        known.trials += 1
        known.lowest = Math.min(known.lowest, value)
        known.highest = Math.max(known.highest, value)
      }
    }
  }

  /** What can be chosen among them. */
  choices(rules: readonly Rule[]): readonly ScorerChoice[] {
    const deciding = [...this.#deciding.values()].toSorted((a, b) => b.trials - a.trials)
    return scorerChoices([...this.#met.values()], deciding, rules)
  }
}

/** What is to be said of a choice that nobody made yet, in one sentence; null where there is none to make. */
export function openChoice({ suite, fields, decides, isOpen }: ScorerChoice): string | null {
  if (!isOpen) return null
  const others = fields.flatMap(({ name }) => (name === decides ? [] : [`“${name}”`]))
  const scale = fields.find(({ name }) => name === decides) ?? fields[0]
  const from =
    scale !== undefined && (scale.lowest < 0 || scale.highest > 1)
      ? `; it lies between ${scale.lowest} and ${scale.highest}: say from where it is a pass`
      : ''
  const what = decides === null ? 'no score decides' : `“${decides}” decides`
  return `In ${suite} ${what}${others.length > 0 ? `; its trials also have ${others.join(', ')}` : ''}${from}.`
}
