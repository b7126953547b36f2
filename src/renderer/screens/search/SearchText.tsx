// The field of the search screen: what is typed becomes the place when the typing pauses, and the place what is typed when
// it changes by other means.

import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react'
import { SearchField } from '../../kit/Field.tsx'
import { MOST_TEXT } from '../../shell/places.ts'
import styles from './Search.module.css'

/** What is typed is searched for when the typing pauses this long, in milliseconds. */
const TYPING_MS = 250

/** The field. What is typed is kept here until the typing pauses. */
export function SearchText(props: {
  readonly text: string
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onText: (text: string) => void
  readonly onDown: () => void
}): ReactElement {
  const { text, inputRef, onText, onDown } = props
  const [typed, setTyped] = useState(text)
  const [from, setFrom] = useState(text)
  const [sent, setSent] = useState<string | null>(null)
  // The place has changed by other means: Back, a link, the palette. Not by what was typed here: more may be typed by now.
  if (from !== text) {
    setFrom(text)
    setSent(null)
    if (text !== sent && typed.slice(0, MOST_TEXT) !== text) setTyped(text)
  }
  const send = (): void => {
    const next = typed.slice(0, MOST_TEXT)
    setSent(next)
    onText(next)
  }
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  useEffect(() => {
    if (typed.slice(0, MOST_TEXT) === text) return undefined
    const timer = setTimeout(() => latest.current(), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, text])
  return (
    <div
      className={styles.field}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        onDown()
      }}
    >
      <SearchField
        label="Text to search for in steps"
        value={typed}
        onChange={setTyped}
        inputRef={inputRef}
        placeholder="A message, a tool, an error…"
        onSubmit={() => (typed.slice(0, MOST_TEXT) === text ? onDown() : send())}
      />
      {typed.length > MOST_TEXT ? (
        <p className={styles.note} role="status">
          Only the first {MOST_TEXT.toLocaleString('en-US')} characters are searched for.
        </p>
      ) : null}
    </div>
  )
}
