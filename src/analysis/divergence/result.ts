// From weighed differences to the divergences of the model: counts, effect, values as text, level, siblings, and how
// the figure came about. Groups failing trials into failure modes and names the one lead of the task.

import type {
  Divergence,
  FailureMode,
  HowComputed,
  LeadLevel,
  LeadState,
  TrialFinding,
} from '../../model/analysis.ts'
import { rateDifference } from '../reliability/significance.ts'
import { CONFIG } from './constants.ts'
import type { Difference } from './differences.ts'
import { tokenText } from './leaf.ts'
import type { Node } from './node.ts'
import type { Permutation } from './permutation.ts'
import type { ColumnStats } from './columns.ts'
import type { Scene } from './variants.ts'
import type { Weighed } from './weigh.ts'

/** What divergences of one task are made from. */
export type Findings = {
  readonly scene: Scene
  readonly rows: readonly (readonly Node[])[]
  readonly ids: readonly string[]
  readonly permutation: Permutation
}

/** The finding of one failing trial: ranked divergences, or the state that says why there are none. */
export function findingOf(findings: Findings, weighed: Weighed, comparable: boolean): TrialFinding {
  const trial = findings.ids[weighed.row]!
  if (!comparable) return { trial, state: 'not comparable', pNone: 1, ranked: [] }
  const isNone = weighed.ranked.length === 0 || weighed.pNone >= 0.5
  const state: LeadState = isNone ? 'none' : 'lead'
  const ranked = weighed.ranked
    .slice(0, CONFIG.maxRanked)
    .map((difference) => divergenceOf(findings, difference, isNone))
  return { trial, state, pNone: weighed.pNone, ranked }
}

function divergenceOf(findings: Findings, difference: Difference, isNone: boolean): Divergence {
  const { scene, rows, ids } = findings
  const column = Math.ceil(difference.place)
  const stats = scene.columns[column]
  const node = difference.at < 0 ? null : nodeAt(rows[difference.row]!, difference.at)
  const counts = { a: difference.a, F: scene.failing.length, b: difference.b, P: scene.passing.length }
  const { permutation } = findings
  return {
    trial: ids[difference.row]!,
    column,
    step: node === null ? null : node.act.step,
    call: node === null ? null : node.act.call,
    kind: difference.kind,
    scoringKind: difference.scoringKind,
    stage: stageOf(scene, difference, stats, node),
    tool: node?.tool ?? stats?.tool ?? 'final',
    columnTool: stats?.tool ?? 'final',
    ...valuesOf(scene, difference, stats, node),
    isUngrounded: isUngrounded(findings, difference, node),
    counts,
    effect: effectOf(counts.a, counts.F, counts.b, counts.P),
    probability: difference.probability,
    explains: [...new Set(difference.explains.map(Math.ceil))].sort((x, y) => x - y),
    level: isNone ? 'none' : levelOf(difference.probability, permutation, counts.a, counts.b),
    isConsequence: difference.isConsequence,
    isInert: difference.isInert,
    afterError: difference.afterError,
    how: howOf(difference),
    siblings: siblingsOf(findings, difference.row, column),
  }
}

/** The act of a trial by its position, among actions and the messages before them. */
function nodeAt(nodes: readonly Node[], at: number): Node | null {
  for (const node of nodes) {
    if (node.at === at) return node
    const message = node.before.find((before) => before.at === at)
    if (message !== undefined) return message
  }
  return null
}

function stageOf(
  scene: Scene,
  difference: Difference,
  stats: ColumnStats | undefined,
  node: Node | null,
): string {
  if (difference.kind === 'message' || difference.kind === 'final') return node?.stage ?? 'talk'
  return stats === undefined ? 'present' : scene.prepared.vocabulary.tokens[stats.dominant]!.stage
}

function valuesOf(
  scene: Scene,
  difference: Difference,
  stats: ColumnStats | undefined,
  node: Node | null,
): Pick<Divergence, 'facet' | 'valueFail' | 'valuePass'> {
  const { facets, values } = scene.prepared.vocabulary
  if (difference.kind === 'message' || difference.kind === 'final') {
    return { facet: null, valueFail: node?.values.join(', ') ?? null, valuePass: null }
  }
  const isValue = difference.kind === 'arguments' || difference.kind === 'observation'
  if (!isValue || difference.facet < 0) return { facet: null, valueFail: null, valuePass: null }
  const usual = usualValue(stats, difference.facet)
  return {
    facet: facets[difference.facet]!.path,
    valueFail: difference.value < 0 ? null : tokenText(values.names[difference.value]!),
    valuePass: usual === null ? null : tokenText(values.names[usual]!),
  }
}

/** The commonest value of a facet among the passing trials of a column, or null. */
function usualValue(stats: ColumnStats | undefined, facet: number): number | null {
  let usual: number | null = null
  let most = 0
  for (const [value, [pass]] of stats?.facets?.get(facet)?.values ?? []) {
    if (pass <= most) continue
    most = pass
    usual = value
  }
  return usual
}

/** An argument whose value comes from nowhere in its trial, where passing trials take theirs from somewhere. */
function isUngrounded(findings: Findings, difference: Difference, node: Node | null): boolean {
  const { scene, rows } = findings
  if (difference.kind !== 'arguments' || difference.value < 0 || node === null) return false
  const { path } = scene.prepared.vocabulary.facets[difference.facet]!
  const isSourced = (other: Node): boolean => other.sources.some((source) => source.path === path)
  if (isSourced(node)) return false
  let sourced = 0
  let present = 0
  for (const r of scene.passing) {
    const i = scene.alignment.cells[r]![difference.place]!
    if (i < 0) continue
    present++
    if (isSourced(rows[r]![i]!)) sourced++
  }
  return sourced * 2 > present
}

function effectOf(a: number, F: number, b: number, P: number): Divergence['effect'] {
  const shown = a + b
  const others = F + P - shown
  const gap = rateDifference(b, shown, P - b, others)
  return {
    passWith: shown > 0 ? b / shown : null,
    passWithout: others > 0 ? (P - b) / others : null,
    low: gap.ok ? gap.value.interval.lower : null,
    high: gap.ok ? gap.value.interval.upper : null,
  }
}

/** The wording level of a lead, from its probability, the task's permutation p and the counts. */
export function levelOf(
  probability: number,
  permutation: { readonly p: number | null },
  a: number,
  b: number,
): LeadLevel {
  const p = permutation.p ?? 1
  if (probability < 0.5) return 'Weak lead'
  if (probability < 0.8 || p > 0.1) return 'Lead'
  return p <= 0.05 && a >= 3 && b === 0 ? 'Strong lead' : 'Clear lead'
}

function howOf(difference: Difference): HowComputed {
  const { terms } = difference
  return {
    prior: terms.prior,
    priorName: difference.scoringKind,
    novelty: terms.novelty,
    surprise: -Math.log(terms.q),
    sharing: terms.sharing,
    own: difference.own,
    cascade: difference.cascade,
    score: difference.score,
  }
}

function siblingsOf(findings: Findings, row: number, column: number): Divergence['siblings'] {
  const { scene, rows, ids } = findings
  if (column >= scene.columns.length) return []
  return ids.flatMap((trial, r) => {
    const i = scene.alignment.cells[r]![column]!
    if (r === row || i < 0) return []
    const { step, call } = rows[r]![i]!.act
    return [{ trial, step, call }]
  })
}

/** Failing trials by their top divergence, the largest group first; those without a lead together. */
export function modesOf(findings: readonly TrialFinding[]): FailureMode[] {
  const groups = new Map<string, { top: Divergence | null; trials: string[] }>()
  for (const finding of findings) {
    const top = finding.state === 'lead' ? (finding.ranked[0] ?? null) : null
    const key = top === null ? '' : [top.column, top.kind, top.facet, top.valueFail].join('\n')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { top, trials: [finding.trial] })
    else group.trials.push(finding.trial)
  }
  return [...groups.values()]
    .map(({ top, trials }) => ({
      column: top?.column ?? null,
      kind: top?.kind ?? null,
      facet: top?.facet ?? null,
      trials,
    }))
    .sort((x, y) => y.trials.length - x.trials.length || (x.column ?? 1e9) - (y.column ?? 1e9))
}

/** The divergence that the band shows: the surest one of the largest failure mode with a lead, or null. */
export function leadOf(findings: readonly TrialFinding[], modes: readonly FailureMode[]): Divergence | null {
  const tops = new Map(findings.map((finding) => [finding.trial, finding.ranked[0]]))
  let lead: Divergence | null = null
  let most = 0
  for (const mode of modes) {
    if (mode.column === null || mode.trials.length < most) continue
    for (const trial of mode.trials) {
      const top = tops.get(trial)
      if (top === undefined) continue
      if (lead === null || mode.trials.length > most || top.probability > lead.probability) {
        lead = top
        most = mode.trials.length
      }
    }
  }
  return lead
}
