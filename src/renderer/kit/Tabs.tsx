// Tabs: lenses on one thing. The panel is drawn by the caller under `children`, so that it can fill the pane.

import type { ReactElement, ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import styles from './Tabs.module.css'

/** Props of Tabs. */
export type TabsProps<T extends string> = {
  readonly label: string
  readonly items: readonly { readonly id: T; readonly title: ReactNode }[]
  readonly value: T
  readonly onChange: (value: T) => void
  /** What stands at the right end of the tab row. */
  readonly aside?: ReactNode
  /** The panel of the chosen tab. */
  readonly children: ReactNode
}

/** A row of tabs over the panel of the chosen one. */
export function Tabs<T extends string>(props: TabsProps<T>): ReactElement {
  const { label, items, value, onChange, aside, children } = props
  return (
    <AriaTabs
      selectedKey={value}
      onSelectionChange={(key) => {
        const chosen = items.find((item) => item.id === key)
        if (chosen !== undefined) onChange(chosen.id)
      }}
      className={styles.tabs ?? ''}
    >
      <div className={styles.bar}>
        <TabList aria-label={label} className={styles.list ?? ''}>
          {items.map((item) => (
            <Tab key={item.id} id={item.id} className={styles.tab ?? ''}>
              {item.title}
            </Tab>
          ))}
        </TabList>
        {aside === undefined ? null : <div className={styles.aside}>{aside}</div>}
      </div>
      <TabPanel key={value} id={value} className={styles.panel ?? ''}>
        {children}
      </TabPanel>
    </AriaTabs>
  )
}
