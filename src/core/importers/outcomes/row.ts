// An outcome row: what an outcome file says of one trial, in one shape for all of them. Between the readers of this
// folder and those who use rows: the bare importers (bare.ts) and the attaching of outcomes (services). Types only.

import type { Json } from '../../../base/json.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { Configuration, TrialError } from '../../../model/trial.ts'
import type { Importer, Problem, ReadProgress, Source } from '../importer.ts'

/** Where a row stands: file, first line from 1, record from 0. */
export type RowPlace = { readonly file: string; readonly line: number | null; readonly record: number }

/** One row. Every name is text exactly as written; null where the file does not say. */
export type OutcomeRow = {
  readonly suite: string | null
  readonly task: string | null
  /** The source's own trial number or label. */
  readonly trial: string | null
  /** The source's own id of the trial. */
  readonly sourceId: string | null
  /** The name of the trajectory's file that the row speaks of, without folders and extension. */
  readonly fileStem: string | null
  /** The folder that the row speaks of as a whole (a reward file); `''` is the folder that was opened. */
  readonly folder: string | null
  readonly outcome: Outcome
  readonly score: number | null
  readonly scoreRaw: Json
  readonly scores: { readonly [name: string]: number | null }
  /** Which field decided. */
  readonly scorer: string | null
  readonly error: TrialError | null
  readonly costUsd: number | null
  readonly configuration: Pick<Configuration, 'label' | 'model' | 'agent'>
  /** What else the row says. */
  readonly extra: { readonly [key: string]: Json }
  /** The row as it stands in the file. */
  readonly written: string
  readonly place: RowPlace
}

/** A field that could decide the outcome, as the file has it. */
export type OutcomeField = {
  readonly name: string
  readonly rows: number
  /** Numbers other than 0 and 1 among its values: what counts as a pass is then a question. */
  readonly isScale: boolean
  readonly lowest: number | null
  readonly highest: number | null
}

/** What a person decides about a source: which field says the outcome, and from which number on it is a pass. */
export type OutcomeChoice = { readonly scorer: string | null; readonly threshold: number | null }

/** Nothing decided: the first known field, 1 is a pass. */
export const NO_CHOICE: OutcomeChoice = { scorer: null, threshold: null }

/** Where a reader writes to. */
export type RowSink = {
  row(row: OutcomeRow): void | Promise<void>
  problem(problem: Problem): void
  progress(progress: ReadProgress): void
  /** The fields that were met; told once, at the end. */
  fields(fields: readonly OutcomeField[]): void
}

/** A reader of one kind of outcome file. */
export type OutcomeReader = Pick<Importer, 'id' | 'title' | 'version' | 'status' | 'nameHint' | 'sniff'> & {
  /** The suite of bare trials that name none. */
  readonly suite: string
  rows(source: Source, choice: OutcomeChoice, sink: RowSink, signal: AbortSignal): Promise<void>
}
