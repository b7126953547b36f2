// Keys of commands as a person on this machine reads them.

import { COMMANDS, keyText } from './commands.ts'

/** True on a Mac: keys are written in its signs. */
export const isMac = navigator.userAgent.includes('Mac OS')

/** The first key of a command, or undefined when it has none. */
export function keyOf(id: string): string | undefined {
  const key = COMMANDS.find((command) => command.id === id)?.keys[0]
  return key === undefined ? undefined : keyText(key, isMac)
}
