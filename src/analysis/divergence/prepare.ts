// Normalisation of one task over its trials: classes, equivalences, learned masks and prose, provenance, tokens.
// Takes normal forms (input.ts) and outcomes, gives nodes and the vocabulary that alignment and scoring work on.

import { classesByBehaviour } from './behaviour.ts'
import { ToolClasses } from './classes.ts'
import { FINAL, MESSAGE } from './constants.ts'
import { declaredTool, learnEquivalences } from './equivalence.ts'
import type { LearnedEquivalence } from './equivalence.ts'
import { GenericTools } from './generic.ts'
import { resolveHandles } from './handles.ts'
import type { Act, NormalTrial } from './input.ts'
import type { Leaf } from './leaf.ts'
import { learnTextPaths, learnVolatile } from './masks.ts'
import type { Node } from './node.ts'
import type { AnalysisOptions } from './options.ts'
import { internRow, Vocabulary } from './tokens.ts'
import { matchesGlob } from './words.ts'

/** A task ready to be aligned. */
export type Prepared = {
  readonly rows: readonly (readonly Node[])[]
  readonly isPass: readonly boolean[]
  readonly vocabulary: Vocabulary
  readonly classes: ToolClasses
  readonly learned: readonly LearnedEquivalence[]
}

/** Prepares the trials of one task; `isPass` goes with the trials by position. */
export function prepare(
  given: readonly NormalTrial[],
  isPass: readonly boolean[],
  options: AnalysisOptions = {},
): Prepared {
  const resolved = resolveHandles(given)
  const generic = new GenericTools(resolved)
  const trials = resolved.map((trial) => withOperations(trial, generic))
  const withEffects = new Set<string>()
  for (const trial of trials) for (const act of trial.acts) if (act.hasEffect) withEffects.add(act.tool)
  const classes = new ToolClasses(options, withEffects, classesByBehaviour(trials))
  const rows = trials.map((trial) => trial.acts.map((act, at) => makeNode(act, at, classes, options)))
  const learned = learnEquivalences(rows, options.apart)
  const volatile = learnVolatile(rows, isPass, options.comparedPaths)
  const prose = learnTextPaths(rows)
  const vocabulary = new Vocabulary()
  const volatileKeys = new Map<string, boolean>()
  for (const row of rows) internRow(row, vocabulary, volatile, prose, volatileKeys)
  for (const row of rows) {
    for (const node of row) if (node.act.kind === 'final') vocabulary.internFinal(node)
  }
  return { rows, isPass, vocabulary, classes, learned }
}

/** The trial with the operations of generic tools as tools of their own. */
function withOperations(trial: NormalTrial, generic: GenericTools): NormalTrial {
  if (!generic.hasAny) return trial
  const acts = trial.acts.map((act) => {
    const operation = act.kind === 'tool' ? generic.of(act) : null
    if (operation === null) return act
    return { ...act, tool: operation.tool, sourceTool: operation.words, args: operation.args }
  })
  return { ...trial, acts }
}

function makeNode(act: Act, at: number, classes: ToolClasses, options: AnalysisOptions): Node {
  const isTool = act.kind === 'tool'
  const verdict = isTool ? classes.of(act) : null
  const declared = isTool ? declaredTool(act.tool, act.args, options.equivalences) : act
  return {
    at,
    act,
    cls: verdict?.cls ?? (act.kind === 'final' ? FINAL : MESSAGE),
    stage: verdict?.stage ?? act.stage ?? (act.kind === 'final' ? 'present' : 'talk'),
    tool: declared.tool,
    args: kept(declared.args, declared.tool, 'arguments', options),
    observed: kept(act.observed, declared.tool, 'result', options),
    sources: [],
    values: act.values,
    call: -1,
    token: -1,
    before: [],
    isBarrier: false,
    block: -1,
    isRecovered: false,
  }
}

/** The leaves without the paths that a person chose to ignore. */
function kept(
  leaves: readonly Leaf[],
  tool: string,
  where: 'arguments' | 'result',
  options: AnalysisOptions,
): readonly Leaf[] {
  const rules = options.ignoredPaths?.filter(
    (rule) => (rule.where ?? where) === where && matchesGlob(rule.tool, tool),
  )
  if (rules === undefined || rules.length === 0) return leaves
  return leaves.filter(([path]) => !rules.some((rule) => matchesGlob(rule.path, path)))
}
