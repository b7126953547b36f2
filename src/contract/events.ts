// Events that come from the core unasked, and how the core's life is told to the window.

import type { FaultData } from '../base/fault.ts'
import type { Topic } from './define.ts'

/** What the core says unasked. */
export type CoreEvent =
  | {
      readonly type: 'ready'
      readonly version: string
      readonly schemaVersion: number
      readonly path: string
    }
  | { readonly type: 'failed'; readonly fault: FaultData; readonly path: string | null }
  | { readonly type: 'changed'; readonly topics: readonly Topic[]; readonly revision: number }
  | { readonly type: 'progress'; readonly id: string; readonly progress: unknown }
  | { readonly type: 'workspace'; readonly path: string; readonly name: string; readonly isSample: boolean }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string }

/** The core's life as main sees it; shown in the window. */
export type CoreState =
  | { readonly state: 'starting' }
  | { readonly state: 'ready' }
  | { readonly state: 'gone'; readonly reason: string }
  | { readonly state: 'restarting'; readonly attempt: number; readonly of: number; readonly reason: string }
  | { readonly state: 'failed'; readonly fault: FaultData; readonly logPath: string | null }

/** Everything that reaches the window unasked. */
export type WindowEvent =
  | CoreEvent
  | { readonly type: 'core'; readonly core: CoreState }
  | { readonly type: 'command'; readonly command: string }
  | { readonly type: 'files'; readonly files: readonly Granted[] }
  | { readonly type: 'settings'; readonly settings: Settings }

/** A file that the person chose: the window knows its name and a grant, never its path. */
export type Granted = { readonly grant: string; readonly name: string; readonly isFolder: boolean }

/** What main remembers between starts. */
export type Settings = {
  readonly theme: 'light' | 'dark' | 'system'
  readonly density: 'compact' | 'normal' | 'comfortable'
  readonly recent: readonly { readonly name: string; readonly grant: string }[]
  readonly lastWorkspace: string | null
}
