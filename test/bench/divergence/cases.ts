// Whole cases: a plan, passing trials (some survive the cause), failing trials (some have another cause), in random
// order. The same seed gives the same case for ever.

import { Rng } from '../../../src/analysis/reliability/random.ts'
import { abstractPlan } from './abstract.ts'
import { CAUSES, chooseCause } from './causes.ts'
import type { Cause, CauseKind } from './causes.ts'
import { COSTUMES } from './costumes.ts'
import { execute } from './execute.ts'
import { chance, NOISE, pick, shuffle } from './generate.ts'
import type { Case, CaseTrial, Noise } from './generate.ts'
import { labPlan } from './lab.ts'

/** The families: two kinds of plans, and costumes over both. */
export const FAMILIES = ['lab', 'abstract', 'foreign', 'api', 'docs', 'gui'] as const
export type Family = (typeof FAMILIES)[number]

/** What can be fixed of a case; the rest is drawn. */
export type CaseOptions = {
  readonly family: Family
  readonly noise?: Partial<Noise>
  readonly length?: number
  readonly passing?: number
  readonly failing?: number
  readonly kinds?: readonly CauseKind[]
}

/** A case without any cause: outcomes are drawn by lot. With `isBenign` no optional steps and no stray reads. */
export function makeNullCase(
  seed: number,
  options: {
    readonly family: 'lab' | 'abstract'
    readonly passing: number
    readonly failing: number
    readonly isBenign?: boolean
  },
): Case {
  const r = new Rng(seed, 'null')
  const plan = options.family === 'lab' ? labPlan(r) : abstractPlan(r, 8 + r.below(40))
  if (options.isBenign === true) for (const slot of plan.slots) if (slot.opt !== undefined) slot.opt = 1
  const noise: Noise = options.isBenign === true ? { ...NOISE, extraRead: 0, benignArg: 0 } : NOISE
  const trials: CaseTrial[] = []
  for (let i = 0; i < options.passing + options.failing; i++) {
    const pass = i < options.passing
    const { steps } = execute(plan, r, noise, null)
    trials.push({ id: `t${i}`, pass, steps, label: pass ? null : { kind: 'none', slot: null } })
  }
  shuffle(r, trials)
  return { seed, family: options.family, trials, main: { kind: 'none', slot: '' } }
}

const SURVIVABLE: readonly CauseKind[] = ['omit_check', 'date_misparse', 'order_violation', 'dup_write']

/** The case of a seed. */
export function makeCase(seed: number, options: CaseOptions): Case {
  const r = new Rng(seed, 'case')
  const noise: Noise = { ...NOISE, ...options.noise }
  const costume = COSTUMES[options.family]
  const isLab = costume === undefined ? options.family === 'lab' : seed % 2 === 0
  const plan = isLab ? labPlan(r) : abstractPlan(r, options.length ?? 8 + r.below(40))
  const passing = options.passing ?? pick(r, [2, 3, 4, 5, 8])
  const failing = options.failing ?? pick(r, [1, 2, 3, 5, 8])
  const kinds = options.kinds ?? CAUSES
  const main = chooseCause(plan, r, kinds)
  if (['wrong_arg', 'external_state', 'ignore_obs'].includes(main.kind)) chance(r, 0.7)
  const trials: CaseTrial[] = []
  for (let i = 0; i < passing; i++) {
    const survives = chance(r, noise.survive) && SURVIVABLE.includes(main.kind)
    const { steps } = execute(plan, r, noise, survives ? main : null)
    trials.push({ id: `p${i}`, pass: true, steps, label: null })
  }
  for (let i = 0; i < failing; i++) trials.push(failingTrial(`f${i}`, i === 0))
  shuffle(r, trials)
  if (costume === undefined) return { seed, family: options.family, trials, main }
  const dressed = trials.map((trial, i) => ({
    ...trial,
    steps: costume(trial.steps, new Rng(seed, `costume-${i}`)),
  }))
  return { seed, family: options.family, trials: dressed, main }

  function failingTrial(id: string, isFirst: boolean): CaseTrial {
    const cause: Cause = isFirst || !chance(r, noise.hetero) ? main : chooseCause(plan, r, kinds)
    const { steps, label } = execute(plan, r, noise, cause)
    if (!chance(r, noise.graderNoise)) return { id, pass: false, steps, label }
    const harmless = execute(plan, r, noise, null)
    return { id, pass: false, steps: harmless.steps, label: { kind: 'none', slot: null } }
  }
}
