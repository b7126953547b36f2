// What the core and its import thread say to each other: the order, the news, the answers. Types only.

import type { FaultData } from '../base/fault.ts'
import type { ImportFileRow } from '../contract/rows.ts'
import type { ProblemPiece } from './services/problemlog.ts'
import type { PreparedTrial } from './store/ingest.ts'

/** What the thread is started with. */
export type ImportOrder = {
  readonly kind: 'import'
  readonly paths: readonly string[]
  readonly format: string | null
  readonly suite: string | null
  /** Formats of single files by name; `skip` leaves a file out. */
  readonly formats: Readonly<Record<string, string>>
  /** The label that configurations get; null: their own. */
  readonly label: string | null
  /** Only the beginning is looked at, for a preview; null: everything is read. */
  readonly sample: Sample | null
}

/** How much of each file and of all files together a preview looks at. */
export type Sample = {
  readonly fileTrials: number
  readonly fileBytes: number
  readonly trials: number
  readonly bytes: number
}

/** A file that was found; listed before anything is read. */
export type FoundFile = {
  readonly name: string
  readonly bytes: number
  /** Left aside while walking, with the reason; null when it will be read. */
  readonly skipped: string | null
}

/** How a file was recognised. */
export type Recognised = {
  readonly format: string | null
  readonly formatTitle: string | null
  readonly formatVersion: number | null
  readonly confidence: number
  readonly reason: string
  readonly candidates: ImportFileRow['candidates']
}

/** What the thread says. `position` counts the files that were found, from 0. */
export type ImportNews =
  | { readonly kind: 'found'; readonly files: readonly FoundFile[] }
  | { readonly kind: 'allFound' }
  | { readonly kind: 'reading'; readonly position: number; readonly recognised: Recognised }
  /** `share` of the file, 0 to 1, over all passes that its format needs. */
  | { readonly kind: 'progress'; readonly position: number; readonly share: number }
  | {
      readonly kind: 'batch'
      readonly position: number
      readonly trials: readonly PreparedTrial[]
      readonly problems: readonly ProblemPiece[]
    }
  | {
      readonly kind: 'fileEnd'
      readonly position: number
      readonly state: ImportFileRow['state'] | 'read'
      readonly sha256: string | null
      readonly fault: FaultData | null
      readonly recognised: Recognised | null
      /** Not read to its end, because only a sample was asked for. */
      readonly isPartial?: boolean
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly fault: FaultData }

/** What the thread is told: a batch was written, or stop. */
export type ImportTold = 'written' | 'cancel'
