// The picker of root causes: a combobox whose list shows each term's definition, so that the right word is found by
// what it means. Arrow keys, Enter, Escape; digits belong to the panel.

import { useId, useState, type KeyboardEvent, type ReactElement } from 'react'
import type { Taxonomy } from '../../../../model/taxonomy.ts'
import { Text } from '../../../kit/Text.tsx'
import { searchCauses } from './causes.ts'
import styles from './Annotation.module.css'

/** Props of CausePicker. `recent` are the causes of the keys 1 to 9. */
export type CausePickerProps = {
  readonly label: string
  readonly taxonomy: Taxonomy
  readonly recent: readonly string[]
  readonly chosen: readonly string[]
  readonly onChoose: (id: string) => void
  readonly onClose: () => void
}

/** The open picker; it takes the focus. */
export function CausePicker(props: CausePickerProps): ReactElement {
  const { label, taxonomy, recent, chosen, onChoose, onClose } = props
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const groups = searchCauses(taxonomy, text)
  const flat = groups.flatMap((group) => group.terms)
  const at = Math.min(active, Math.max(0, flat.length - 1))
  const optionId = (index: number): string => `${listId}-${index}`
  const move = (to: number): void => {
    setActive(to)
    document.getElementById(optionId(to))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = Math.max(0, flat.length - 1)
    const steps: { readonly [key: string]: number } = {
      ArrowDown: Math.min(at + 1, last),
      ArrowUp: Math.max(at - 1, 0),
      PageDown: Math.min(at + 6, last),
      PageUp: Math.max(at - 6, 0),
    }
    const to = steps[event.key]
    const term = flat[at]
    if (to !== undefined) move(to)
    else if (event.key === 'Enter' && term !== undefined && !event.ctrlKey && !event.metaKey)
      onChoose(term.id)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.picker}>
      <input
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={flat.length === 0 ? undefined : optionId(at)}
        className={styles.search}
        placeholder="Search names and definitions"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          const next = event.relatedTarget
          if (!(next instanceof Node) || !event.currentTarget.parentElement?.contains(next)) onClose()
        }}
      />
      <div id={listId} role="listbox" aria-label={label} className={styles.options} tabIndex={-1}>
        {groups.map((group) => (
          <div key={group.id} role="group" aria-label={group.name}>
            {group.terms[0]?.id === group.id ? null : (
              <div className={styles.group} aria-hidden>
                <Text value={group.name} />
              </div>
            )}
            {group.terms.map((term) => {
              const index = flat.indexOf(term)
              const key = recent.indexOf(term.id)
              return (
                <div
                  key={term.id}
                  id={optionId(index)}
                  role="option"
                  aria-selected={chosen.includes(term.id)}
                  data-active={index === at}
                  className={styles.option}
                  // The field keeps the focus: a press must not blur it before the click is heard.
                  onMouseDown={(event) => event.preventDefault()}
                  onMouseMove={() => setActive(index)}
                  onClick={() => onChoose(term.id)}
                >
                  <span className={styles.optionName}>
                    <Text value={term.name} />
                    {chosen.includes(term.id) ? ' ✓' : ''}
                    {key >= 0 ? <kbd className={styles.digit}>{key + 1}</kbd> : null}
                  </span>
                  {term.definition === '' ? null : (
                    <Text as="p" className={styles.definition} value={term.definition} />
                  )}
                  {index === at && term.example !== '' ? (
                    <p className={styles.example}>
                      e.g. <Text value={term.example} />
                    </p>
                  ) : null}
                </div>
              )
            })}
          </div>
        ))}
        {flat.length === 0 ? (
          <p className={styles.definition}>
            No cause matches <Text value={text} limit={100} />.
          </p>
        ) : null}
      </div>
    </div>
  )
}
