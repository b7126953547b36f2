// The frame's sheets: keys, about, delete everything. Each is generated from what is known (registry, versions,
// counts), so none can go stale.

import { useState, type ReactElement } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceInfo } from '../../contract/rows.ts'
import { oneLine, plural } from '../../base/text.ts'
import { desktop } from '../bridge/desktop.ts'
import { useAsk } from '../bridge/queries.ts'
import { Button } from '../kit/Button.tsx'
import { Checkbox } from '../kit/Field.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { CopyButton, ErrorState } from '../kit/States.tsx'
import { Text } from '../kit/Text.tsx'
import { deleteEverything } from './actions.ts'
import { COMMANDS, CONTEXT_TITLES, keyText, type CommandContext } from './commands.ts'
import { isMac } from './keynames.ts'
import { openSheet } from './notices.ts'
import styles from './Sheets.module.css'

const close = (): void => openSheet(null)

/** All keys, by where they act: the body of the `?` sheet and of a section of Settings. */
export function KeyList(): ReactElement {
  const contexts = (Object.keys(CONTEXT_TITLES) as CommandContext[]).filter((context) =>
    COMMANDS.some((command) => command.context === context && command.keys.length > 0),
  )
  return (
    <div className={styles.keys}>
      {contexts.map((context) => (
        <section key={context} className={styles.group} aria-label={CONTEXT_TITLES[context]}>
          <h3>{CONTEXT_TITLES[context]}</h3>
          <dl>
            {COMMANDS.filter((command) => command.context === context && command.keys.length > 0).map(
              (command) => (
                <div key={command.id} className={styles.keyRow}>
                  <dt>{command.title.replace(/…$/, '')}</dt>
                  <dd>
                    {command.keys.map((key) => (
                      <kbd key={key} className={styles.kbd}>
                        {keyText(key, isMac)}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ),
            )}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** The `?` sheet. */
export function KeySheet(): ReactElement {
  return (
    <Dialog title="Keys" isOpen onClose={close} size="large">
      <p className={styles.lead}>
        Single letters act only while the focus is inside their part of the screen and not in a field.
      </p>
      <KeyList />
    </Dialog>
  )
}

/** About: versions of everything, and what Faultline never does. */
export function AboutSheet({ info }: { readonly info: WorkspaceInfo | undefined }): ReactElement {
  const versions = useQuery({
    queryKey: ['desktop', 'versions'],
    queryFn: () => desktop('app.versions', {}),
  }).data
  const doctor = useAsk('core.doctor', {})
  const rows: (readonly [string, string])[] = [
    ...(versions === undefined
      ? []
      : ([
          ['Faultline', versions.app],
          ['Electron', versions.electron],
          ['Chromium', versions.chromium],
          ['Node in the window’s host', versions.node],
          ['Platform', versions.platform],
        ] as const)),
    ...(info === undefined
      ? []
      : ([
          ['Algorithm', info.algorithm],
          ['Workspace schema', String(info.schemaVersion)],
        ] as const)),
    ...Object.entries(doctor.data ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number'
        ? [[`core: ${name}`, String(value)] as const]
        : [],
    ),
  ]
  return (
    <Dialog
      title="About Faultline"
      isOpen
      onClose={close}
      actions={
        <CopyButton
          variant="plain"
          text={() => rows.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      }
    >
      <p className={styles.lead}>
        Faultline shows where the failing trials of an agent task part from its passing trials. It works
        offline: nothing leaves this machine, and nothing in a trajectory is executed.
      </p>
      {doctor.fault === null ? null : <ErrorState compact fault={doctor.fault} />}
      <dl className={styles.versions}>
        {rows.map(([name, value]) => (
          <div key={name} className={styles.versionRow}>
            <dt>{oneLine(name, 80)}</dt>
            <dd>
              <Text value={value} mono />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Asks before everything is deleted; the count and a tick stand between a slip and the loss. */
export function DeleteSheet({ info }: { readonly info: WorkspaceInfo | undefined }): ReactElement {
  const [isSure, setSure] = useState(false)
  const trials = info?.trials ?? 0
  return (
    <Dialog
      title="Delete everything in this workspace?"
      role="alertdialog"
      isOpen
      onClose={close}
      size="small"
      actions={
        <>
          <Button onPress={close}>Keep everything</Button>
          <Button
            variant="danger"
            isDisabled={!isSure || trials === 0}
            onPress={() => {
              close()
              void deleteEverything()
            }}
          >
            Delete {plural(trials, 'trial')}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>
        {trials === 0
          ? 'There is nothing to delete: this workspace holds no trials.'
          : `All ${plural(trials, 'trial')} with their trajectories${
              info !== undefined && info.annotations > 0
                ? ` and ${plural(info.annotations, 'annotation')}`
                : ''
            } are deleted. You can undo it until Faultline closes; then they are erased from the file for good.`}
      </p>
      {trials === 0 ? null : (
        <Checkbox isSelected={isSure} onChange={setSure}>
          Yes, delete everything in {oneLine(info?.name ?? 'this workspace', 60)}
        </Checkbox>
      )}
    </Dialog>
  )
}
