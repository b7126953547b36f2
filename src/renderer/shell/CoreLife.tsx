// The core's life on screen: a banner while it restarts, a full screen when it has failed or its workspace cannot be
// opened. Says what happened, which file, and the safe choices.

import type { ReactElement } from 'react'
import type { CoreState } from '../../contract/events.ts'
import { visibleText } from '../../base/text.ts'
import { desktop } from '../bridge/desktop.ts'
import { Button } from '../kit/Button.tsx'
import { classes } from '../kit/classes.ts'
import { faultAsText, faultWords } from '../kit/faults.ts'
import { FaultIcon, FolderIcon, InfoIcon, RestartIcon, WarningIcon } from '../kit/icons.ts'
import { CopyButton } from '../kit/States.tsx'
import { Text } from '../kit/Text.tsx'
import { chooseWorkspace, newWorkspace, saveCopy, type Go } from './actions.ts'
import styles from './CoreLife.module.css'

/** The banner under the header while the core is gone or restarting; nothing otherwise. */
export function CoreBanner({ core }: { readonly core: CoreState }): ReactElement | null {
  if (core.state !== 'gone' && core.state !== 'restarting') return null
  const words =
    core.state === 'gone'
      ? 'The analysis core stopped'
      : `The analysis core stopped and is restarting (${core.attempt} of ${core.of})`
  return (
    <div className={styles.banner} role="status">
      <WarningIcon size={16} aria-hidden />
      <strong>{words}</strong>
      <span>
        {visibleText(core.reason)} What was saved is kept; what you do now is carried out when it is back.
      </span>
    </div>
  )
}

/** The banner over a workspace whose file cannot be written; it stays as long as that one is open. */
export function ReadOnlyBanner({ name }: { readonly name: string }): ReactElement {
  return (
    <div className={classes(styles.banner, styles.quiet)} role="status">
      <InfoIcon size={16} aria-hidden />
      <strong>Read only</strong>
      <span>
        This file, or its folder, cannot be written: it is shown as it was when it was opened, and nothing can
        be changed.
      </span>
      <Button size="small" onPress={() => void saveCopy(name)}>
        Save a copy…
      </Button>
    </div>
  )
}

/** What is wrong with the file or its place: another workspace may be fine. */
const WORKSPACE_FAULTS: ReadonlySet<string> = new Set([
  'DB_NEWER',
  'DB_LOCKED',
  'DB_CORRUPT',
  'FILE_UNREADABLE',
  'DISK_FULL',
])

/** The full screen of a core that has failed. */
export function CoreFailed({
  core,
  go,
}: {
  readonly core: Extract<CoreState, { state: 'failed' }>
  readonly go: Go
}): ReactElement {
  const { fault, logPath } = core
  const words = faultWords(fault)
  const isWorkspaceFault = WORKSPACE_FAULTS.has(fault.code)
  return (
    <main className={styles.failed} id="main" tabIndex={-1}>
      <FaultIcon size={32} strokeWidth={1.5} aria-hidden />
      <h1>{words.title}</h1>
      <Text as="p" value={fault.message} />
      {fault.where === undefined ? null : <Text as="p" mono value={fault.where} />}
      <p className="muted">{fault.hint === undefined ? words.action : <Text value={fault.hint} />}</p>
      <div className={styles.actions}>
        <Button variant="primary" icon={RestartIcon} onPress={() => void desktop('core.restart', {})}>
          {isWorkspaceFault ? 'Try again' : 'Restart'}
        </Button>
        {isWorkspaceFault ? (
          <>
            <Button icon={FolderIcon} onPress={() => void chooseWorkspace(go)}>
              Open another workspace…
            </Button>
            <Button onPress={() => void newWorkspace(go)}>New workspace…</Button>
          </>
        ) : null}
      </div>
      <div className={styles.actions}>
        <Button size="small" onPress={() => void desktop('log.open', {})}>
          Open log
        </Button>
        <CopyButton text={() => faultAsText(fault)} label="Copy details" variant="plain" />
      </div>
      {logPath === null ? null : (
        <p className={styles.log}>
          Log: <Text value={logPath} mono />
        </p>
      )}
    </main>
  )
}
