// The analysis of one task: from trials of the model to aligned columns, lanes, ranked divergences and the task's
// evidence. The only door of this folder for other rooms, with wording.ts. Pure and deterministic.

import type { LeadState, TaskAnalysis, TrialFinding } from '../../model/analysis.ts'
import type { Outcome, OutcomePolicy } from '../../model/outcome.ts'
import { DEFAULT_POLICY } from '../../model/outcome.ts'
import type { Trial } from '../../model/trial.ts'
import { DEFAULT_SEED } from '../reliability/random.ts'
import { align } from './align.ts'
import type { Alignment } from './align.ts'
import { arrange, canonicalOrder } from './arrange.ts'
import { isComparable } from './comparable.ts'
import { normaliseTrial, NORMAL_VERSION } from './input.ts'
import type { NormalTrial } from './input.ts'
import type { Node } from './node.ts'
import type { NoiseCounts } from './novelty.ts'
import type { AnalysisOptions, TrialInput } from './options.ts'
import { outlineColumns, outlineLanes } from './outline.ts'
import type { LaneTrial } from './outline.ts'
import { permutationTest } from './permutation.ts'
import type { Permutation } from './permutation.ts'
import { prepare } from './prepare.ts'
import type { Prepared } from './prepare.ts'
import { findingOf, leadOf, modesOf } from './result.ts'
import { Scoring } from './score.ts'
import { toolsOf } from './tools.ts'

/** Version of the method: results of another version are recomputed. */
export const VERSION = 'align@2'

/** A trial that takes part, in its normal form. */
type Taken = LaneTrial & { readonly normal: NormalTrial; readonly isPass: boolean }

/** Why a trial takes no part; null when it does. */
function exclusion(trial: Trial, stepCount: number, policy: OutcomePolicy): string | null {
  if (trial.outcome === 'unknown' && policy.unknown === 'exclude') return 'its outcome is unknown'
  if (trial.outcome === 'error' && policy.error === 'exclude') return 'it ended by an error'
  return stepCount === 0 ? 'it has no recorded steps' : null
}

function isPassing(outcome: Outcome): boolean {
  return outcome === 'pass'
}

/**
 * An analysis in the making: aligned at once, each failing trial scored when asked for. For a window that shows the
 * columns and the chosen trial first; `finish` gives everything.
 */
export class OpenAnalysis {
  readonly excluded: TaskAnalysis['excluded']
  /** Ids in the order in which they were given; everything else is in canonical order. */
  readonly #given: readonly string[]
  readonly #taken: readonly Taken[]
  readonly #options: AnalysisOptions
  readonly #prepared: Prepared
  readonly #rows: readonly (readonly Node[])[]
  readonly #alignment: Alignment
  #scoring: Scoring
  #permutation: Permutation | null = null

  constructor(trials: readonly TrialInput<Trial>[], options: AnalysisOptions = {}) {
    const policy = options.policy ?? DEFAULT_POLICY
    const excluded: { trial: string; reason: string }[] = []
    const taken: Taken[] = []
    for (const { id, trial, normal } of trials) {
      // With its normal form there, a trial may come without its steps.
      const kept = normal?.version === NORMAL_VERSION ? normal : null
      const stepCount = kept?.stepCount ?? trial.steps.length
      const reason = exclusion(trial, stepCount, policy)
      if (reason !== null) {
        excluded.push({ trial: id, reason })
        continue
      }
      taken.push({
        id,
        outcome: trial.outcome,
        stepCount,
        isPass: isPassing(trial.outcome),
        normal: kept ?? normaliseTrial(trial),
      })
    }
    this.excluded = excluded
    this.#options = options
    const normal = taken.map((trial) => trial.normal)
    const isPass = taken.map((trial) => trial.isPass)
    const prepared = prepare(normal, isPass, options)
    const rows = prepared.rows.map(arrange)
    const order = canonicalOrder(rows, isPass, prepared.vocabulary.tokens)
    this.#given = taken.map((trial) => trial.id)
    this.#taken = order.map((r) => taken[r]!)
    this.#prepared = {
      ...prepared,
      rows: order.map((r) => prepared.rows[r]!),
      isPass: order.map((r) => isPass[r]!),
    }
    this.#rows = order.map((r) => rows[r]!)
    this.#alignment = align(this.#prepared, this.#rows)
    this.#scoring = new Scoring(this.#prepared, this.#rows, this.#alignment, options.pooled)
  }

  /** What passing trials vary in, to be pooled over the tasks of an import (`poolNoise`) and given to `pool`. */
  noise(): NoiseCounts {
    return this.#scoring.scene.novelty.counts()
  }

  /** Scores anew with the noise counts of all tasks of the import; the alignment stays. */
  pool(pooled: NoiseCounts): void {
    this.#scoring = new Scoring(this.#prepared, this.#rows, this.#alignment, pooled)
  }

  /** Columns, lanes and tools: everything that needs no scoring. */
  outline(): Pick<TaskAnalysis, 'columns' | 'lanes' | 'tools' | 'excluded'> {
    const { scene } = this.#scoring
    const lanes = new Map(
      outlineLanes(scene, this.#rows, this.#taken).map((lane) => [lane.trial, lane] as const),
    )
    return {
      columns: outlineColumns(scene),
      lanes: this.#given.flatMap((id) => lanes.get(id) ?? []),
      tools: toolsOf(this.#prepared),
      excluded: this.excluded,
    }
  }

  /** The failing trials' ids as given; without a passing or a failing trial there is nothing to rank. */
  rankable(): string[] {
    const { failing, passing } = this.#scoring.scene
    if (passing.length === 0) return []
    const ids = new Set(failing.map((r) => this.#taken[r]!.id))
    return this.#given.filter((id) => ids.has(id))
  }

  /** The task's permutation test; computed once. */
  permutation(): Permutation {
    this.#permutation ??= permutationTest(this.#prepared, this.#alignment, this.#options.seed ?? DEFAULT_SEED)
    return this.#permutation
  }

  /** The finding of one failing trial; null when the id is not one of `rankable()`. */
  finding(id: string): TrialFinding | null {
    const { scene } = this.#scoring
    const row = this.#taken.findIndex((trial) => trial.id === id)
    if (scene.passing.length === 0 || !scene.failing.includes(row)) return null
    const findings = {
      scene,
      rows: this.#rows,
      ids: this.#taken.map((trial) => trial.id),
      permutation: this.permutation(),
    }
    return findingOf(findings, this.#scoring.of(row), isComparable(scene, row))
  }

  /**
   * What can be told before the other failing trials are scored: columns, lanes and this one's finding. No lead and no
   * modes: those are of all trials. The state is that of the one finding.
   */
  partial(id: string): TaskAnalysis {
    const finding = this.finding(id)
    const permutation = this.permutation()
    return {
      version: VERSION,
      state: finding?.state ?? 'none',
      tooFew: permutation.floor !== null && permutation.floor > 0.1,
      ...this.outline(),
      findings: finding === null ? [] : [finding],
      modes: [],
      lead: null,
      permutation,
    }
  }

  /** The whole analysis. */
  finish(): TaskAnalysis {
    const findings = this.rankable().flatMap((id) => this.finding(id) ?? [])
    const modes = modesOf(findings)
    const lead = leadOf(findings, modes)
    const permutation = this.permutation()
    return {
      version: VERSION,
      state: this.#state(findings, lead !== null),
      tooFew: permutation.floor !== null && permutation.floor > 0.1,
      ...this.outline(),
      findings,
      modes,
      lead,
      permutation,
    }
  }

  #state(findings: readonly TrialFinding[], hasLead: boolean): LeadState {
    const { failing, passing } = this.#scoring.scene
    if (failing.length === 0) return 'no failing run'
    if (passing.length === 0) return 'no passing run'
    if (hasLead) return 'lead'
    return findings.every((finding) => finding.state === 'not comparable') ? 'not comparable' : 'none'
  }
}

/** The analysis of one task over the given trials. Trials without steps or outcome are left out, with the reason. */
export function analyseTask(
  trials: readonly TrialInput<Trial>[],
  options: AnalysisOptions = {},
): TaskAnalysis {
  return new OpenAnalysis(trials, options).finish()
}
