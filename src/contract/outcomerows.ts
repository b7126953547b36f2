// What is asked about outcomes that come separately, about conflicts of identity and about an import before anything is
// written, and what answers. Part of the contract; lists are bounded, plain.

import * as v from 'valibot'
import type { FaultData } from '../base/fault.ts'
import type { Outcome } from '../model/outcome.ts'
import type { ImportFileRow } from './rows.ts'
import type { ScorerChoice } from './rulerows.ts'
import { id } from './inputs.ts'

const text = v.pipe(v.string(), v.maxLength(200))
const longText = v.pipe(v.string(), v.maxLength(32_768))

/** A file named by the person: the window sends a grant, main swaps it for the path. */
export const fileSchema = v.object({ path: v.pipe(v.string(), v.minLength(1), v.maxLength(32_768)) })

/** Outcomes to be attached, and to which trials. The same for the preview and for the deed. */
export const attachSchema = v.object({
  files: v.pipe(v.array(fileSchema), v.minLength(1), v.maxLength(10_000)),
  /** Only these files of a folder, by the names that an import lists; null: all. */
  only: v.optional(v.nullable(v.pipe(v.array(longText), v.maxLength(10_000))), null),
  /** Only trials of this import run; null: of all. */
  importId: v.optional(v.nullable(id), null),
  configurations: v.optional(v.nullable(v.array(id)), null),
  /** The suite of rows that name none; null: where it is plain. */
  suite: v.optional(v.nullable(text), null),
  /** Null: what was chosen for such a source before, else the first known field and 1. */
  choice: v.optional(
    v.nullable(
      v.object({
        scorer: v.optional(v.nullable(text), null),
        threshold: v.optional(v.nullable(v.pipe(v.number(), v.finite())), null),
      }),
    ),
    null,
  ),
  /** Also where another outcome is known. */
  replace: v.optional(v.boolean(), false),
  /** Where the trials carry no number of their source: in the order in which Faultline numbers them. */
  byOrder: v.optional(v.boolean(), false),
})

/** A decision about a conflict: the trial that is kept, `both`, or null: open again. */
export const resolveSchema = v.object({ conflictId: id, keep: v.nullable(id) })

/** What a person decides about an import beside its files. */
export const importChoicesSchema = {
  /** The format of single files, by the names that the preview lists; `skip` leaves a file out. */
  formats: v.optional(
    v.pipe(
      v.record(longText, text),
      v.check((map) => Object.keys(map).length <= 10_000),
    ),
    {},
  ),
  /** A label for the configurations of these trials, such as a version; they are then apart from others. */
  label: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))), null),
}

/** By what a row was joined to a trial. */
export type JoinRule = 'id' | 'task and trial' | 'task' | 'task number' | 'file name' | 'folder' | 'order'

/** A field that could decide the outcome. */
export type OutcomeFieldRow = {
  readonly name: string
  readonly rows: number
  /** Has numbers other than 0 and 1: what counts as a pass is a question. */
  readonly isScale: boolean
  readonly lowest: number | null
  readonly highest: number | null
}

/** A trial whose outcome a row says. */
export type JoinedLine = {
  readonly trialId: string
  readonly suite: string
  readonly task: string
  readonly number: number
  readonly from: Outcome
  readonly to: Outcome
  readonly rule: JoinRule
  readonly file: string
  readonly line: number | null
}

/** A row that was joined to no trial, and why. */
export type UnmatchedRow = {
  readonly task: string | null
  readonly trial: string | null
  readonly sourceId: string | null
  readonly outcome: Outcome
  readonly file: string
  readonly line: number | null
  readonly reason: string
}

/** A trial for which no row was found. */
export type UnmatchedTrial = {
  readonly trialId: string
  readonly suite: string
  readonly task: string
  readonly number: number
  readonly outcome: Outcome
}

/** One outcome file. */
export type OutcomeFileRow = {
  readonly name: string
  readonly format: string | null
  readonly formatTitle: string | null
  readonly reason: string
  readonly rows: number
  /** Why it was not read; null when it was. */
  readonly fault: FaultData | null
}

/** What attaching would do. Lists hold a hundred lines at most; the counts are of all. */
export type AttachPreview = {
  readonly files: readonly OutcomeFileRow[]
  readonly rows: number
  readonly trials: number
  readonly fields: readonly OutcomeFieldRow[]
  /** What decides now. */
  readonly choice: { readonly scorer: string | null; readonly threshold: number | null }
  /** The choice was made before for such a source. */
  readonly isRemembered: boolean
  /** What a person should say. */
  readonly asks: readonly ('scorer' | 'threshold' | 'suite')[]
  /** Suites that bare task ids lie in, when they lie in several. */
  readonly suites: readonly string[]
  readonly matched: number
  readonly byRule: readonly { readonly rule: JoinRule; readonly count: number }[]
  /** Outcomes that would change. */
  readonly changed: number
  readonly changes: readonly { readonly from: Outcome; readonly to: Outcome; readonly count: number }[]
  readonly changedLines: readonly JoinedLine[]
  /** Trials that have this outcome already, and rows that say none. */
  readonly same: number
  readonly silent: number
  /** Known outcomes that rows contradict: kept unless `replace`. */
  readonly contradicted: number
  readonly contradictedLines: readonly JoinedLine[]
  readonly unmatchedRows: {
    readonly count: number
    readonly reasons: readonly { readonly reason: string; readonly count: number }[]
    readonly lines: readonly UnmatchedRow[]
  }
  readonly unmatchedTrials: { readonly count: number; readonly lines: readonly UnmatchedTrial[] }
  /** Rows that `byOrder` would join. */
  readonly joinableByOrder: number
  readonly problems: readonly PreviewProblem[]
}

/** Problems of one code. */
export type PreviewProblem = {
  readonly fileName: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: string
  readonly count: number
  /** The first of them, and its line. */
  readonly message: string
  readonly hint: string | null
  readonly line: number | null
}

/** Where an attached outcome came from, and what was imported before it. */
export type AttachedFrom = {
  readonly imported: Outcome
  readonly source: string
  readonly file: string
  readonly line: number | null
  readonly rule: string
}

/** An attaching that was done. */
export type AttachmentRow = {
  readonly attachmentId: string
  readonly attachedAt: string
  readonly isUndone: boolean
  readonly source: string
  readonly format: string
  readonly scorer: string | null
  readonly threshold: number | null
  readonly rows: number
  /** Trials that have an outcome from it. */
  readonly trials: number
}

/** What attaching did. `attachment` is null when there was nothing to attach. */
export type Attached = { readonly attachment: AttachmentRow | null; readonly preview: AttachPreview }

/** Progress of reading outcomes. */
export type OutcomeProgress = { readonly fileName: string; readonly filesDone: number; readonly rows: number }

/** One side of a conflict. */
export type ConflictSide = {
  readonly trialId: string
  readonly number: number
  readonly outcome: Outcome
  readonly score: number | null
  readonly steps: number
  readonly termination: string | null
  readonly startedAt: string | null
  readonly sources: readonly {
    readonly fileName: string
    readonly record: number
    readonly line: number | null
  }[]
}

/** Records of one id with different content. None of them counts while `keep` is null. */
export type ConflictRow = {
  readonly conflictId: string
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly sourceId: string | null
  readonly keep: string | null
  readonly sides: readonly ConflictSide[]
  /** In what they differ: `outcome`, `score`, `steps`, `times`, `other details`. */
  readonly differs: readonly string[]
}

/** A trial as it would be kept. */
export type PreviewTrial = {
  readonly fileName: string
  readonly suite: string
  readonly task: string
  readonly title: string | null
  readonly configuration: string
  readonly outcome: Outcome
  readonly score: number | null
  readonly scorer: string | null
  readonly steps: number
  readonly calls: number
  readonly startedAt: string | null
  readonly sourceId: string | null
  readonly sourceTrial: string | null
}

/** One file of an import that has not been written. */
export type PreviewFile = Pick<
  ImportFileRow,
  'name' | 'bytes' | 'format' | 'formatTitle' | 'confidence' | 'reason' | 'candidates' | 'fault'
> & {
  /** `outcomes`: speaks of trials that lie in other files; to be attached. */
  readonly state: 'trials' | 'outcomes' | 'needs format' | 'unreadable' | 'skipped'
  readonly isBeta: boolean
  readonly trials: number
  /** Only the beginning was looked at: the counts are at least these. */
  readonly isPartial: boolean
  /** Trials that are in the workspace already. */
  readonly alreadyHere: number
  readonly tasks: number
  readonly outcomes: { readonly [outcome in Outcome]: number }
  /** Trials that lack something. */
  readonly without: { readonly steps: number; readonly times: number; readonly cost: number }
}

/** What an import would bring. Nothing was written. */
export type ImportPreview = {
  /** A thousand files at most; the totals are of all. */
  readonly files: readonly PreviewFile[]
  readonly filesTotal: number
  readonly trials: number
  readonly isPartial: boolean
  readonly alreadyHere: number
  readonly tasks: number
  readonly suites: readonly string[]
  readonly configurations: readonly string[]
  /** Suites in which a person may choose which score decides. */
  readonly scorers: readonly ScorerChoice[]
  readonly outcomes: { readonly [outcome in Outcome]: number }
  readonly without: { readonly steps: number; readonly times: number; readonly cost: number }
  /** The first ten. */
  readonly firstTrials: readonly PreviewTrial[]
  readonly problems: readonly PreviewProblem[]
  /** Something that a person should see first: a format to choose, unknown outcomes, mixed configurations, problems. */
  readonly attention: readonly string[]
}
