// Menu: a list of actions behind a button; with `selection`, a list of things to tick (the scope). Items are data,
// so that menus can be built from the command registry and tested as values.

import type { ReactElement } from 'react'
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  Text as Slot,
} from 'react-aria-components'
import { CheckIcon, type Icon } from './icons.ts'
import { MarkedText } from './Text.tsx'
import styles from './Menu.module.css'

/** One entry of a menu. `title` must be plain text that is safe to show (see base/text). */
export type MenuEntry =
  | {
      readonly id: string
      readonly title: string
      readonly hint?: string | undefined
      /** A range of the title that is marked, in characters. */
      readonly mark?: { readonly start: number; readonly end: number } | undefined
      readonly keys?: string | undefined
      readonly icon?: Icon | undefined
      readonly isDisabled?: boolean | undefined
      readonly isDanger?: boolean | undefined
    }
  | { readonly separator: string }
  | { readonly section: string; readonly items: readonly MenuEntry[] }

/** Props of Menu. */
export type MenuProps = {
  readonly trigger: ReactElement
  readonly label: string
  readonly items: readonly MenuEntry[]
  readonly onAction?: (id: string) => void
  /** Makes the entries tickable. An empty change is passed on as it is: the caller decides what it means. */
  readonly selection?: {
    readonly mode: 'single' | 'multiple'
    readonly selected: readonly string[]
    readonly onChange: (selected: readonly string[]) => void
  }
}

/** A button with a menu. */
export function Menu({ trigger, label, items, onAction, selection }: MenuProps): ReactElement {
  const ids = allIds(items)
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} offset={4} placement="bottom start">
        <AriaMenu
          aria-label={label}
          className={styles.menu ?? ''}
          disabledKeys={disabledIds(items)}
          onAction={(key) => onAction?.(String(key))}
          {...(selection === undefined
            ? {}
            : {
                selectionMode: selection.mode,
                selectedKeys: selection.selected,
                onSelectionChange: (keys) =>
                  selection.onChange(keys === 'all' ? ids : ids.filter((id) => keys.has(id))),
              })}
        >
          {items.map(renderEntry)}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

function allIds(items: readonly MenuEntry[]): string[] {
  return items.flatMap((item) => ('section' in item ? allIds(item.items) : 'id' in item ? [item.id] : []))
}

function disabledIds(items: readonly MenuEntry[]): string[] {
  return items.flatMap((item) =>
    'section' in item ? disabledIds(item.items) : 'id' in item && item.isDisabled === true ? [item.id] : [],
  )
}

/**
 * One entry as react-aria items; also used by the palette. Hint and key are part of the
 * entry's name: what is seen is what is heard.
 */
export function renderEntry(entry: MenuEntry): ReactElement {
  if ('separator' in entry)
    return <Separator key={entry.separator} id={entry.separator} className={styles.separator ?? ''} />
  if ('section' in entry)
    return (
      <MenuSection key={entry.section} id={`section:${entry.section}`} className={styles.section ?? ''}>
        <Header className={styles.header ?? ''}>{entry.section}</Header>
        {entry.items.map(renderEntry)}
      </MenuSection>
    )
  const Picture = entry.icon
  return (
    <MenuItem
      key={entry.id}
      id={entry.id}
      textValue={entry.title}
      className={entry.isDanger === true ? `${styles.item} ${styles.danger}` : (styles.item ?? '')}
    >
      {({ isSelected, selectionMode }) => (
        <>
          {selectionMode === 'none' ? null : (
            <span className={styles.tick}>{isSelected ? <CheckIcon size={14} aria-hidden /> : null}</span>
          )}
          {Picture ? <Picture size={14} aria-hidden className={styles.picture ?? ''} /> : null}
          <Slot slot="label" className={styles.label ?? ''}>
            <span className={styles.title}>
              {entry.mark === undefined ? entry.title : <MarkedText value={entry.title} {...entry.mark} />}
            </span>
            {entry.hint === undefined ? null : (
              <>
                {' '}
                <span className={entry.mark === undefined ? styles.hint : styles.firmHint}>{entry.hint}</span>
              </>
            )}
            {entry.keys === undefined ? null : (
              <>
                {' '}
                <kbd className={styles.keys}>{entry.keys}</kbd>
              </>
            )}
          </Slot>
        </>
      )}
    </MenuItem>
  )
}
