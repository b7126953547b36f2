// What a person may set for the analysis of a task: outcome policy, tool classes, equivalences, stages, ignored
// paths, pooled noise rates. Plain data, so that it can be stored, exported and sent to a worker.

import type { OutcomePolicy } from '../../model/outcome.ts'
import type { NormalTrial } from './input.ts'
import type { NoiseCounts } from './novelty.ts'

/** The class that a person gives to a tool. */
export type ToolClass = 'read' | 'check' | 'write'

/** Another name of a tool, with its arguments' other names (`alias argument → canonical argument`). */
export type Equivalence = { readonly tool: string; readonly args?: { readonly [alias: string]: string } }

/** Tools whose name fits the glob (`*` = anything) belong to the stage; the first rule that fits holds. */
export type StageRule = { readonly tool: string; readonly stage: string }

/** Leaves that are not compared: globs of tool and path, in arguments, results or both. */
export type IgnoredPath = {
  readonly tool: string
  readonly path: string
  readonly where?: 'arguments' | 'result'
}

/** Settings of one analysis; everything is optional. */
export type AnalysisOptions = {
  readonly policy?: OutcomePolicy
  readonly toolClasses?: { readonly [tool: string]: ToolClass }
  readonly equivalences?: { readonly [alias: string]: Equivalence }
  readonly stages?: readonly StageRule[]
  readonly ignoredPaths?: readonly IgnoredPath[]
  /** Tools that are never merged with another one by themselves. */
  readonly apart?: readonly string[]
  /** Paths of results (globs of tool and path) that are compared although their values vary. */
  readonly comparedPaths?: readonly { readonly tool: string; readonly path: string }[]
  /** Noise counts of all tasks of the import (novelty.ts), for pooled rates. */
  readonly pooled?: NoiseCounts
  /** Seed of the permutation test (uint32). */
  readonly seed?: number
}

/** One trial to analyse, under the id that results use; `normal` when its normal form is already there. */
export type TrialInput<T> = { readonly id: string; readonly trial: T; readonly normal?: NormalTrial }
