// The second row of the frame: where we are, which configurations are looked at, and what counts in a rate. Scope and
// policy change every number on every screen, so they stand here and nowhere else.

import { useState, type ReactElement } from 'react'
import { policyWords, type OutcomePolicy } from '../../model/outcome.ts'
import { oneLine, plural } from '../../base/text.ts'
import { useAsk, useCommand } from '../bridge/queries.ts'
import { Button, IconButton } from '../kit/Button.tsx'
import { Popover } from '../kit/Dialog.tsx'
import { RadioGroup } from '../kit/Field.tsx'
import { LinkIcon, MoreIcon, OpenIcon } from '../kit/icons.ts'
import { Menu, type MenuEntry } from '../kit/Menu.tsx'
import { ErrorState } from '../kit/States.tsx'
import { Text } from '../kit/Text.tsx'
import { ConfigurationsButton } from './Configurations.tsx'
import { keyOf } from './keynames.ts'
import { useLastPlaces } from './lastplaces.ts'
import { copyLink } from './links.ts'
import type { Place } from './places.ts'
import { hrefOf, usePlace } from './useplace.ts'
import styles from './Frame.module.css'

/** Breadcrumb, scope and policy. `policy` is undefined until the workspace is known. */
export function ScopeBar({
  place,
  crumb,
  policy,
}: {
  readonly place: Place
  /** The name of the open task, when one is open and known. */
  readonly crumb: string | null
  readonly policy: OutcomePolicy | undefined
}): ReactElement | null {
  const { scope } = usePlace()
  const tasksPlace = useLastPlaces((state) => state.tasks)
  if (place.at === 'imports' || place.at === 'rules' || place.at === 'settings') return null
  return (
    <div className={styles.subheader} data-f6="">
      {place.at === 'task' ? (
        <nav aria-label="Breadcrumb" className={styles.crumbs}>
          <ol>
            <li>
              <a href={hrefOf(tasksPlace, scope)} className={styles.crumb}>
                Tasks
              </a>
              <MoreIcon size={12} aria-hidden />
            </li>
            <li aria-current="page">
              <Text line value={crumb ?? '…'} />
            </li>
            <li>
              <IconButton
                icon={LinkIcon}
                label="Copy a link to this place"
                keys={keyOf('link.copy')}
                size="small"
                onPress={() => void copyLink()}
              />
            </li>
          </ol>
        </nav>
      ) : null}
      <ScopeMenu />
      <ConfigurationsButton />
      {policy === undefined ? null : <PolicySwitch policy={policy} />}
    </div>
  )
}

/** Every configuration in scope. */
const ALL = '*'

/** The scope after a change in the menu: `*` alone is all; choosing one leaves `*`; choosing none is all. */
export function nextScope(
  before: readonly string[] | null,
  selected: readonly string[],
): readonly string[] | null {
  const chosen = selected.filter((id) => id !== ALL)
  const isAllNew = before !== null && selected.includes(ALL)
  return isAllNew || chosen.length === 0 ? null : chosen
}

function ScopeMenu(): ReactElement | null {
  const { scope, setScope } = usePlace()
  const { data, fault } = useAsk('configurations.list', {})
  if (fault !== null || data === undefined || data.length === 0) return null
  const known = scope?.filter((id) => data.some((row) => row.configurationId === id)) ?? null
  const inScope = known?.length ?? data.length
  const only = known?.length === 1 ? data.find((row) => row.configurationId === known[0]) : undefined
  const items: readonly MenuEntry[] = [
    { id: ALL, title: 'All configurations', hint: String(data.length) },
    { separator: 'after-all' },
    ...data.map((row) => ({
      id: row.configurationId,
      title: oneLine(row.label, 80),
      hint: plural(row.trials, 'trial'),
    })),
  ]
  const words =
    data.length === 1
      ? oneLine(data[0]?.label ?? '', 40)
      : only !== undefined
        ? oneLine(only.label, 40)
        : `${plural(inScope, 'configuration')}${known !== null && known.length > 0 ? ` of ${data.length}` : ''} pooled`
  return (
    <Menu
      label="Configurations in scope"
      items={items}
      selection={{
        mode: 'multiple',
        selected: known === null || known.length === 0 ? [ALL] : known,
        onChange: (selected) => setScope(nextScope(known, selected)),
      }}
      trigger={
        <Button variant="quiet" size="small" className={styles.scope}>
          <span className={styles.scopeName}>Scope</span> <span className={styles.scopeWords}>{words}</span>
          <OpenIcon size={14} aria-hidden />
        </Button>
      }
    />
  )
}

function PolicySwitch({ policy }: { readonly policy: OutcomePolicy }): ReactElement {
  const { run, fault } = useCommand('workspace.setPolicy')
  // What was just chosen is shown until the workspace answers with its own policy, whatever that is then.
  const [chosen, setChosen] = useState<{ readonly over: OutcomePolicy; readonly to: OutcomePolicy } | null>(
    null,
  )
  const shown = chosen !== null && chosen.over === policy ? chosen.to : policy
  const set = (change: Partial<OutcomePolicy>): void => {
    const to = { ...shown, ...change }
    setChosen({ over: policy, to })
    run({ policy: to }).catch(() => setChosen(null))
  }
  return (
    <Popover
      label="What counts in a rate"
      title="What counts in a rate"
      trigger={
        <Button variant="quiet" size="small" className={styles.scope}>
          <span className={styles.scopeName}>Policy</span>{' '}
          <span className={styles.scopeWords}>{policyWords(policy)}</span>
          <OpenIcon size={14} aria-hidden />
        </Button>
      }
    >
      <div className={styles.policy}>
        <RadioGroup
          label="Trials that ended in an error"
          value={shown.error}
          onChange={(error) => set({ error })}
          options={[
            { id: 'fail', title: 'count as failures' },
            { id: 'exclude', title: 'are excluded from every rate' },
          ]}
        />
        <RadioGroup
          label="Trials of unknown outcome"
          value={shown.unknown}
          onChange={(unknown) => set({ unknown })}
          options={[
            { id: 'exclude', title: 'are excluded from every rate' },
            { id: 'fail', title: 'count as failures' },
          ]}
        />
        <p className="muted">Kept with the workspace and written beside every rate and into every report.</p>
        {fault === null ? null : <ErrorState compact fault={fault} />}
      </div>
    </Popover>
  )
}
