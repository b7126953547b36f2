// What the desktop does for the window: dialogs, settings, clipboard, log, the core's state. Typed calls and their
// React state; main is the only home of all of it.

import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Fault } from '../../base/fault.ts'
import type { DesktopCall, DesktopCalls } from '../../contract/desktop.ts'
import type { CoreState, Granted, Settings } from '../../contract/events.ts'
import { bridge, onWindowEvent } from './client.ts'

/** Calls the desktop; rejects with a Fault. */
export async function desktop<C extends DesktopCall>(
  name: C,
  input: DesktopCalls[C]['input'],
): Promise<DesktopCalls[C]['output']> {
  const answer = await bridge().desktop.call(name, input)
  if (!answer.ok) throw Fault.from(answer.error)
  return answer.value
}

/** Turns the File objects of a drop into grants. */
export async function grantDropped(files: readonly File[]): Promise<readonly Granted[]> {
  const answer = await bridge().desktop.drop(files)
  if (!answer.ok) throw Fault.from(answer.error)
  return answer.value
}

/** Copies a text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  await desktop('clipboard.write', { text })
}

const SETTINGS = ['desktop', 'settings'] as const
const CORE = ['desktop', 'core'] as const

/** The settings; undefined until main has answered. */
export function useSettings(): Settings | undefined {
  return useQuery({ queryKey: SETTINGS, queryFn: () => desktop('settings.get', {}) }).data
}

/** Changes settings; the answer is on screen at once. */
export function useSetSettings(): (change: DesktopCalls['settings.set']['input']) => Promise<void> {
  const client = useQueryClient()
  return async (change) => {
    client.setQueryData(SETTINGS, await desktop('settings.set', change))
  }
}

/** The core's life as main sees it; undefined until main has answered. */
export function useCoreState(): CoreState | undefined {
  return useQuery({ queryKey: CORE, queryFn: () => desktop('core.state', {}) }).data
}

/** Keeps settings and core state true as events come; answers the unsubscribe. Call once per window. */
export function followDesktop(client: QueryClient): () => void {
  return onWindowEvent((event) => {
    if (event.type === 'settings') client.setQueryData(SETTINGS, event.settings)
    if (event.type === 'core') client.setQueryData(CORE, event.core)
  })
}
