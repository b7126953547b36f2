// The command palette: everything that can be done now, and the tasks whose name holds what is typed. Reads the
// registry; a command without a handler on screen is not offered.

import { useDeferredValue, useState, type ReactElement } from 'react'
import { Autocomplete, Dialog, Input, Menu, Modal, ModalOverlay, TextField } from 'react-aria-components'
import { oneLine } from '../../base/text.ts'
import { skipToken, useAsk } from '../bridge/queries.ts'
import { SearchIcon } from '../kit/icons.ts'
import { renderEntry, type MenuEntry } from '../kit/Menu.tsx'
import { COMMANDS, keyText, runCommand, useHandlers, type Command } from './commands.ts'
import { isMac } from './keynames.ts'
import { openSheet } from './notices.ts'
import { taskPlace } from './places.ts'
import { usePlace, useView } from './useplace.ts'
import styles from './Palette.module.css'

/** Commands whose title holds every word that was typed. */
export function matchingCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

/** The palette; mounted only while open. */
export function Palette(): ReactElement {
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const handlers = useHandlers((state) => state.handlers)
  const view = useView()
  const { go } = usePlace()
  const found = useAsk('tasks.list', text === '' ? skipToken : { view, filter: { text }, limit: 8 }, {
    keep: true,
  })
  const offered = matchingCommands(
    COMMANDS.filter(
      ({ id, isBuiltIn }) => isBuiltIn !== true && id !== 'view.palette' && (handlers[id]?.length ?? 0) > 0,
    ),
    typed,
  )
  const tasks = text === '' ? [] : (found.data?.rows ?? [])
  const entries: readonly MenuEntry[] = [
    ...(tasks.length === 0
      ? []
      : [
          {
            section: 'Tasks',
            items: tasks.map((row) => ({
              id: `task:${row.taskId}`,
              title: oneLine(row.suite === '' ? row.task : `${row.suite}/${row.task}`, 80),
              hint: row.title === null ? undefined : oneLine(row.title, 80),
            })),
          },
        ]),
    ...(offered.length === 0
      ? []
      : [
          {
            section: 'Commands',
            items: offered.map(({ id, title, keys }) => ({
              id,
              title,
              keys: keys[0] === undefined ? undefined : keyText(keys[0], isMac),
            })),
          },
        ]),
  ]
  const close = (): void => openSheet(null)
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      className={styles.veil ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label="Command palette" className={styles.dialog ?? ''}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <TextField aria-label="Search tasks and commands" autoFocus className={styles.field ?? ''}>
              <SearchIcon size={16} aria-hidden />
              <Input placeholder="A task or a command" className={styles.input ?? ''} />
            </TextField>
            <Menu
              aria-label="Results"
              className={styles.results ?? ''}
              renderEmptyState={() => <p className={styles.none}>Nothing matches.</p>}
              onAction={(key) => {
                close()
                const id = String(key)
                if (id.startsWith('task:')) go(taskPlace(id.slice('task:'.length)))
                // After the dialog has given the focus back, so that the command finds the screen as it was.
                else setTimeout(() => runCommand(id), 0)
              }}
            >
              {entries.map(renderEntry)}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
