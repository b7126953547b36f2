// The native menu against the window's command registry: every entry is a command that exists, under its own key, and
// every command of the app that has a key can be found in the menu.

import { expect, test } from 'vitest'
import { MENU_ITEMS } from '../../src/main/menuitems.ts'
import { COMMANDS } from '../../src/renderer/shell/commands.ts'

/** A key of the registry in Electron's words. */
function accelerator(key: string): string {
  return key
    .split('+')
    .map((part) => {
      if (part === '$mod') return 'CmdOrCtrl'
      return part.length === 1 ? part.toUpperCase() : part.replace(/^Arrow/, '')
    })
    .join('+')
}

test('every entry is a command of the window, under a key that it has', () => {
  for (const { command, keys } of MENU_ITEMS) {
    const known = COMMANDS.find(({ id }) => id === command)
    expect(known, command).toBeDefined()
    if (keys === undefined) expect(known?.keys, command).toEqual([])
    else expect(known?.keys.map(accelerator), command).toContain(keys)
  }
})

test('every command of the app is in the menu', () => {
  const inMenu = new Set(MENU_ITEMS.map(({ command }) => command))
  const missing = COMMANDS.filter(
    ({ id, context, isBuiltIn }) => context === 'app' && isBuiltIn !== true && !inMenu.has(id),
  )
  expect(missing.map(({ id }) => id)).toEqual([])
})
