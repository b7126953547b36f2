// View rows that hold longer text: pages of steps, pieces of an original record, a whole report. JSON-plain and bounded.

import type { StepView } from './rows.ts'

/** A page of a trial's steps. */
export type StepList = {
  readonly trialId: string
  readonly total: number
  readonly steps: readonly StepView[]
}

/** A piece of the original record, as it stood in the file. */
export type RawPiece = {
  readonly text: string
  readonly offset: number
  readonly totalChars: number
  readonly fileName: string
  readonly record: number
}

/** An image or other bytes of an original record. `type` is what its first bytes say; null: of no known kind. */
export type Medium = { readonly base64: string; readonly type: string | null; readonly bytes: number }

/** A report made from the workspace. */
export type ReportText = {
  readonly text: string
  readonly tasks: number
  readonly findings: number
  readonly annotations: number
  readonly redactions: number
}
