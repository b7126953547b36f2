// The frame's sheets: keys, about, delete everything. Each is generated from what is known (registry, versions,
// counts), so none can go stale.

import { useState, type ReactElement } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceInfo } from '../../contract/workspacerows.ts'
import { oneLine, plural } from '../../base/text.ts'
import { desktop } from '../bridge/desktop.ts'
import { useAsk } from '../bridge/queries.ts'
import { Button } from '../kit/Button.tsx'
import { Checkbox } from '../kit/Field.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { CopyButton, ErrorState } from '../kit/States.tsx'
import { Text } from '../kit/Text.tsx'
import { deleteEverything, everythingText } from './actions.ts'
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

/** What "delete everything" takes, line by line. */
function goes({ trials, annotations, rules, backups }: WorkspaceInfo): readonly string[] {
  return [
    trials === 0
      ? 'every import with its problems'
      : `${plural(trials, 'trial')} with their trajectories and records`,
    ...(trials === 0 ? [] : ['their analyses, imports, attached outcomes, and the choices made for them']),
    ...(annotations === 0 ? [] : [`${plural(annotations, 'annotation')} with every earlier state`]),
    rules === 0 ? 'the history of removed rules' : `${plural(rules, 'rule')} with every earlier state`,
    ...(backups.length === 0
      ? []
      : [`${plural(backups.length, 'safety copy', 'safety copies')} beside the file, when it is erased`]),
  ]
}

/** Asks before everything is deleted; what goes and a tick stand between a slip and the loss. */
export function DeleteSheet({ info }: { readonly info: WorkspaceInfo | undefined }): ReactElement {
  const [isSure, setSure] = useState(false)
  const isNothing = info === undefined || info.isEmpty
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
            isDisabled={!isSure || isNothing}
            onPress={() => {
              close()
              void deleteEverything()
            }}
          >
            {info === undefined || (info.trials === 0 && info.rules === 0)
              ? 'Delete everything'
              : `Delete ${everythingText(info)}`}
          </Button>
        </>
      }
    >
      {isNothing ? (
        <p className={styles.lead}>
          There is nothing to delete: this workspace holds no trials, imports or rules.
        </p>
      ) : (
        <>
          <p className={styles.lead}>This deletes:</p>
          <ul className={styles.goes}>
            {goes(info).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className={styles.lead}>
            You can undo it until Faultline closes; then it is erased from the file for good.
          </p>
          <Checkbox isSelected={isSure} onChange={setSure}>
            Yes, delete everything in {oneLine(info.name, 60)}
          </Checkbox>
        </>
      )}
    </Dialog>
  )
}
