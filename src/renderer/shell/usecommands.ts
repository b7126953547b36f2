// What a screen uses of the command registry: handlers for as long as it is on screen, and the region in which
// its typed keys act.

import { useEffect, useRef } from 'react'
import { register, type Handler } from './commands.ts'

/**
 * Registers handlers while the component is mounted. The newest handlers are called, so they need no memo; the set
 * of ids must not change between renders.
 */
export function useCommands(handlers: { readonly [id: string]: Handler | undefined }): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const ids = Object.keys(handlers)
    .filter((id) => handlers[id] !== undefined)
    .join(' ')
  useEffect(() => {
    const stable: Record<string, Handler> = {}
    for (const id of ids.split(' ').filter((one) => one !== ''))
      stable[id] = (event) => latest.current[id]?.(event)
    return register(stable)
  }, [ids])
}
