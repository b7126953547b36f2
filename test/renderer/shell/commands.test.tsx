// Commands: the registry is sound, typed keys act only in their region and outside of fields, the last handler runs.

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COMMANDS, isTypedKey, keyText, runCommand } from '../../../src/renderer/shell/commands.ts'
import { actsHere, listenForKeys } from '../../../src/renderer/shell/hotkeys.ts'
import { Region } from '../../../src/renderer/shell/Region.tsx'
import { matchingCommands } from '../../../src/renderer/shell/Palette.tsx'
import { useCommands } from '../../../src/renderer/shell/usecommands.ts'

describe('registry', () => {
  test('ids are unique, and no key means two things in one context', () => {
    const ids = COMMANDS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const keys = COMMANDS.filter(({ isBuiltIn }) => isBuiltIn !== true).flatMap(({ context, keys: list }) =>
      list.map((key) => `${context} ${key}`),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('the app has no typed key but the question mark', () => {
    const typed = COMMANDS.filter(({ context, isBuiltIn }) => context === 'app' && isBuiltIn !== true)
      .flatMap(({ keys }) => keys)
      .filter(isTypedKey)
    expect(typed).toEqual(['?'])
  })

  test('keys are written as the machine writes them', () => {
    expect(keyText('$mod+Shift+z', false)).toBe('Ctrl+Shift+Z')
    expect(keyText('$mod+Shift+z', true)).toBe('⌘⇧Z')
    expect(keyText('Alt+ArrowLeft', false)).toBe('Alt+←')
    expect(keyText('/', false)).toBe('/')
  })

  test('the palette finds a command by any of its words', () => {
    expect(matchingCommands(COMMANDS, 'work copy').map(({ id }) => id)).toEqual([])
    expect(matchingCommands(COMMANDS, 'SAVE copy').map(({ id }) => id)).toEqual(['workspace.saveCopy'])
    expect(matchingCommands(COMMANDS, '').length).toBe(COMMANDS.length)
  })
})

function Surface({ log }: { readonly log: string[] }) {
  useCommands({
    'tasks.cycleSort': () => log.push('sort'),
    'tasks.search': () => log.push('search'),
    'view.palette': () => log.push('palette'),
    'help.keys': () => log.push('keys'),
    'edit.undo': () => log.push('undo'),
  })
  return (
    <>
      <Region label="Tasks" context="tasks">
        <button type="button">row</button>
        <input aria-label="inside" />
      </Region>
      <button type="button">outside</button>
    </>
  )
}

describe('keys', () => {
  let stop = (): void => undefined
  let areOn = true
  beforeEach(() => {
    areOn = true
    stop = listenForKeys(() => areOn)
  })
  afterEach(() => stop())

  test('a letter acts inside its region only', async () => {
    const log: string[] = []
    render(<Surface log={log} />)
    const user = userEvent.setup()
    screen.getByText('outside').focus()
    await user.keyboard('s')
    expect(log).toEqual([])
    screen.getByText('row').focus()
    await user.keyboard('s/')
    expect(log).toEqual(['sort', 'search'])
  })

  test('in a field letters are typed, Ctrl+Z is the field’s own, Ctrl+K still opens the palette', async () => {
    const log: string[] = []
    render(<Surface log={log} />)
    const user = userEvent.setup()
    const field = screen.getByLabelText('inside')
    field.focus()
    await user.keyboard('s?/')
    await user.keyboard('{Control>}z{/Control}')
    expect(log).toEqual([])
    expect(field).toHaveProperty('value', 's?/')
    await user.keyboard('{Control>}k{/Control}')
    expect(log).toEqual(['palette'])
  })

  test('a sign is matched by what it types, with or without Shift', async () => {
    const log: string[] = []
    render(<Surface log={log} />)
    const user = userEvent.setup()
    screen.getByText('outside').focus()
    await user.keyboard('?')
    await user.keyboard('{Shift>}?{/Shift}')
    expect(log).toEqual(['keys', 'keys'])
  })

  test('switched off, typed keys do nothing and the others still act', async () => {
    const log: string[] = []
    areOn = false
    render(<Surface log={log} />)
    const user = userEvent.setup()
    screen.getByText('row').focus()
    await user.keyboard('s?{Control>}z{/Control}')
    expect(log).toEqual(['undo'])
  })

  test('while a dialog is open the app’s keys rest', async () => {
    const log: string[] = []
    render(
      <>
        <Surface log={log} />
        <div role="dialog" aria-label="open">
          <button type="button">in dialog</button>
        </div>
      </>,
    )
    screen.getByText('in dialog').focus()
    await userEvent.setup().keyboard('?{Control>}k{/Control}')
    expect(log).toEqual([])
  })

  test('the last handler registered runs, and it is gone with its component', () => {
    const first: string[] = []
    const second: string[] = []
    render(<Surface log={first} />)
    const view = render(<Surface log={second} />)
    expect(runCommand('tasks.cycleSort')).toBe(true)
    view.unmount()
    expect(runCommand('tasks.cycleSort')).toBe(true)
    expect([first, second]).toEqual([['sort'], ['sort']])
    expect(runCommand('lanes.pin')).toBe(false)
  })

  test('a command of another context never acts where its region is not', () => {
    render(<Surface log={[]} />)
    const pin = COMMANDS.find(({ id }) => id === 'lanes.pin')
    expect(pin && actsHere(pin, true, screen.getByText('row'))).toBe(false)
  })
})
