// The shape of window.faultline: four functions, all that the window can reach.

import type { FaultData } from '../base/fault.ts'
import type { CoreState, Granted, Settings, WindowEvent } from './events.ts'

/** Things of the desktop that main does for the window. */
export type DesktopCalls = {
  /** Open dialog for files and folders; empty when cancelled. */
  'files.choose': { input: { readonly folders: boolean }; output: readonly Granted[] }
  /** Save dialog; null when cancelled. */
  'files.chooseSave': {
    input: { readonly suggestedName: string; readonly kind: 'markdown' | 'json' | 'csv' | 'workspace' }
    output: Granted | null
  }
  /** Dialog for an existing workspace file; null when cancelled. */
  'files.chooseWorkspace': { input: Record<string, never>; output: Granted | null }
  /** Shows a file that was granted in the system's file manager. */
  'files.reveal': { input: { readonly grant: string }; output: null }
  'settings.get': { input: Record<string, never>; output: Settings }
  'settings.set': { input: Partial<Pick<Settings, 'theme' | 'density'>>; output: Settings }
  'recent.clear': { input: Record<string, never>; output: Settings }
  'core.state': { input: Record<string, never>; output: CoreState }
  /** Starts the core again after it failed. */
  'core.restart': { input: Record<string, never>; output: CoreState }
  'log.open': { input: Record<string, never>; output: null }
  'clipboard.write': { input: { readonly text: string }; output: null }
  'app.versions': {
    input: Record<string, never>
    output: {
      readonly app: string
      readonly electron: string
      readonly chromium: string
      readonly node: string
      readonly platform: string
    }
  }
}

/** A desktop call's name. */
export type DesktopCall = keyof DesktopCalls

/** An answer over the bridge: never a rejected promise. */
export type BridgeAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: FaultData }

/** window.faultline */
export type FaultlineBridge = {
  /** Asks the core. In the input, `{grant}` stands wherever the contract says `{path}`. */
  request(id: string, method: string, input: unknown): Promise<BridgeAnswer<unknown>>
  cancel(id: string): void
  /** Subscribes to events; returns the unsubscribe. */
  subscribe(listener: (event: WindowEvent) => void): () => void
  /** Desktop calls. Special: `drop` takes the DOM File objects of a drop and answers Granted[]. */
  desktop: {
    call<C extends DesktopCall>(
      name: C,
      input: DesktopCalls[C]['input'],
    ): Promise<BridgeAnswer<DesktopCalls[C]['output']>>
    drop(files: readonly unknown[]): Promise<BridgeAnswer<readonly Granted[]>>
  }
}
