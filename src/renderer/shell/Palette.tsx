// The command palette: everything that can be done now, the tasks whose name holds what is typed, and the first steps in
// which it stands. Reads the registry; a command without a handler on screen is not offered.

import { useDeferredValue, useEffect, useState, type ReactElement } from 'react'
import { Autocomplete, Dialog, Input, Menu, Modal, ModalOverlay, TextField } from 'react-aria-components'
import { oneLine, plural } from '../../base/text.ts'
import type { SearchAnswer, SearchRow, Snippet } from '../../contract/searchrows.ts'
import { VERDICTS } from '../../marks/VerdictGlyph.tsx'
import { skipToken, useAsk } from '../bridge/queries.ts'
import { SearchIcon } from '../kit/icons.ts'
import { renderEntry, type MenuEntry } from '../kit/Menu.tsx'
import { COMMANDS, keyText, runCommand, useHandlers, type Command } from './commands.ts'
import { isMac } from './keynames.ts'
import { openSheet } from './notices.ts'
import { useLastPlaces } from './lastplaces.ts'
import { MOST_TEXT, taskPlace, type Place } from './places.ts'
import { usePlace, useView } from './useplace.ts'
import styles from './Palette.module.css'

/** Commands whose title holds every word that was typed. */
export function matchingCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

/** What is typed is looked for in steps from this many characters on, when the typing pauses this long (ms). */
const LEAST_TEXT = 2
const SETTLED_MS = 150
/** Trials that are asked for and shown, and how long their search may take (ms). */
const ASKED = 100
const SHOWN = 4
const WAIT_MS = 500
/** Characters before the match. */
const BEFORE = 14
const ALL_STEPS = 'steps:all'

/** A value once it has stayed the same for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** Where the first step of a row is read. */
function placeOf({ taskId, trial, steps }: SearchRow): Place {
  if (trial === null) return taskPlace(taskId)
  return taskPlace(taskId, { lens: 'steps', trial: trial.trialId, step: steps[0]?.readAt ?? null })
}

/** A snippet with few words before the match: a line here has little room. */
function headed({ text, start, end }: Snippet): Snippet {
  const cut = Math.max(0, start - BEFORE)
  if (cut === 0) return { text, start, end }
  return { text: `…${text.slice(cut)}`, start: start - cut + 1, end: end - cut + 1 }
}

/** Rows of different tasks before more of the same: often all trials of a task say the same. */
function shownRows(rows: readonly SearchRow[]): readonly SearchRow[] {
  const firsts = rows.filter((row, at) => rows[at - 1]?.taskId !== row.taskId)
  const others = rows.filter((row) => !firsts.includes(row))
  const shown = new Set([...firsts, ...others].slice(0, SHOWN))
  return rows.filter((row) => shown.has(row))
}

function isNothing({ isWhole, rows }: SearchAnswer): boolean {
  return isWhole && rows.length === 0
}

/** The first steps that hold what is typed, and the way to all of them. */
function stepsSection({ found, isWhole, rows }: SearchAnswer): MenuEntry {
  const count = found.steps + found.instructions
  const all =
    count === 0 ? 'Search on in all steps' : `All ${isWhole ? '' : 'of at least '}${plural(count, 'result')}`
  return {
    section: 'In steps',
    items: [
      ...shownRows(rows).map((row): MenuEntry => {
        const snippet = headed(row.steps[0]?.snippet ?? { text: '', start: 0, end: 0 })
        const { trial } = row
        const who = trial === null ? '' : ` · ${VERDICTS[trial.outcome].glyph} trial ${trial.number}`
        return {
          id: `step:${rows.indexOf(row)}`,
          title: snippet.text,
          mark: snippet,
          hint: `${oneLine(row.task, 40)}${who}`,
        }
      }),
      { id: ALL_STEPS, title: all, icon: SearchIcon },
    ],
  }
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
  const sought = typed.trim().slice(0, MOST_TEXT)
  const phrase = useSettled(sought, SETTLED_MS)
  const isSought = phrase.length >= LEAST_TEXT
  const steps = useAsk(
    'search.steps',
    isSought ? { view, text: phrase, limit: ASKED, stepsPerTrial: 1, waitMs: WAIT_MS } : skipToken,
  )
  const answer = isSought && phrase === sought ? steps.data : undefined
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
    // Last, and only when it is known: what is above it keeps its place, and the key Enter its meaning.
    ...(answer === undefined || isNothing(answer) ? [] : [stepsSection(answer)]),
  ]
  const close = (): void => openSheet(null)
  const act = (id: string): void => {
    if (id.startsWith('task:')) go(taskPlace(id.slice('task:'.length)))
    else if (id === ALL_STEPS) {
      useLastPlaces.setState({ hit: null })
      go({ at: 'search', text: sought })
    } else if (id.startsWith('step:')) {
      const row = steps.data?.rows[Number(id.slice('step:'.length))]
      if (row !== undefined) go(placeOf(row))
    } else runCommand(id)
  }
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
            <TextField aria-label="Search tasks, steps and commands" autoFocus className={styles.field ?? ''}>
              <SearchIcon size={16} aria-hidden />
              <Input placeholder="A task, a command, or words of a step" className={styles.input ?? ''} />
            </TextField>
            <Menu
              aria-label="Results"
              className={styles.results ?? ''}
              renderEmptyState={() => (
                <p className={styles.none}>
                  {sought.length >= LEAST_TEXT && answer === undefined && steps.fault === null
                    ? 'Searching the steps…'
                    : 'Nothing matches.'}
                </p>
              )}
              onAction={(key) => {
                close()
                // After the dialog has given the focus back, so that what comes finds the screen as it was.
                setTimeout(() => act(String(key)), 0)
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
