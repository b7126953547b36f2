// View rows of the workspace as a whole: what it holds, its safety copies, its configurations. JSON-plain.

import type { OutcomePolicy } from '../model/outcome.ts'
import type { Configuration } from '../model/trial.ts'

/** The open workspace. */
export type WorkspaceInfo = {
  readonly path: string
  readonly name: string
  readonly isSample: boolean
  /** Its file or folder cannot be written: a copy is shown, as it was when it was opened; nothing can be changed. */
  readonly isReadOnly: boolean
  readonly schemaVersion: number
  readonly coreVersion: string
  readonly algorithm: string
  readonly trials: number
  readonly tasks: number
  readonly configurations: number
  readonly problems: number
  readonly annotations: number
  readonly rules: number
  /** True when "delete everything" would find nothing: no trial, no import, no rule. */
  readonly isEmpty: boolean
  /** Trials and rules deleted but not yet erased: they can be restored until the app closes. */
  readonly deletedTrials: number
  readonly deletedRules: number
  readonly policy: OutcomePolicy
  /** Tasks whose analysis is still being computed. */
  readonly analysisPending: number
  /** Trials whose words are not in the search index yet: a search reads them whole. */
  readonly indexPending: number
  readonly bytes: number
  /** Safety copies beside the file, made before an upgrade or before another one was restored; removable, restorable. */
  readonly backups: readonly BackupRow[]
}

/** A safety copy of the workspace, by the name of its file. */
export type BackupRow = {
  readonly name: string
  readonly before: 'upgrade' | 'restore'
  readonly bytes: number
  readonly madeAt: string
}

/** A configuration with how many trials it has. */
export type ConfigurationRow = {
  readonly configurationId: string
  /** A short label that tells it apart from the others in this workspace. */
  readonly label: string
  /** As a person says it is; what was not said is as imported. */
  readonly configuration: Configuration
  readonly imported: Configuration
  readonly trials: number
  readonly tasks: number
  readonly passes: number
}
