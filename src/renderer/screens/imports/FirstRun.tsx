// The first run: what Faultline does in one sentence, where to drop, the sample workspace, what is accepted. Nothing
// else.

import type { ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import { useAsk } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Popover } from '../../kit/Dialog.tsx'
import { FolderIcon, ImportIcon, WorkspaceIcon } from '../../kit/icons.ts'
import { chooseAndImport, openSample, type Go } from '../../shell/actions.ts'
import { keyOf } from '../../shell/keynames.ts'
import styles from './Imports.module.css'

/** What is accepted, from the importers that the core has: in full, or in one line that opens the list. */
export function Formats({ isShort = false }: { readonly isShort?: boolean }): ReactElement | null {
  const { data } = useAsk('imports.formats', {})
  if (data === undefined) return null
  const titles = data.map(({ title }) => oneLine(title, 60))
  if (!isShort)
    return (
      <p className={styles.formats}>
        Reads {titles.join(', ')}; plain or gzipped. The format is told by the content, never by the name.
      </p>
    )
  return (
    <div className={styles.formats}>
      {plural(titles.length, 'format')}, plain or gzipped, told by the content.
      <Popover
        label="Formats"
        title="Formats that can be imported"
        trigger={
          <Button variant="quiet" size="small" className={styles.why}>
            Which?
          </Button>
        }
      >
        <ul>
          {titles.map((title) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      </Popover>
    </div>
  )
}

/** The screen before anything was imported. */
export function FirstRun({ go }: { readonly go: Go }): ReactElement {
  return (
    <section aria-labelledby="first-run" data-region="imports" className={styles.first}>
      <div className={styles.firstInner}>
        <h1 id="first-run">See where the failing trials of an agent task part from its passing trials</h1>
        <div className={styles.bigZone}>
          <ImportIcon size={32} strokeWidth={1.25} aria-hidden />
          <p className={styles.zoneTitle}>Drop trial exports here: files or folders</p>
          <div className={styles.zoneActions}>
            <Button variant="primary" icon={ImportIcon} onPress={() => void chooseAndImport(false, go)}>
              Choose files… <span className={styles.zoneKey}>{keyOf('import.choose')}</span>
            </Button>
            <Button icon={FolderIcon} onPress={() => void chooseAndImport(true, go)}>
              Choose a folder…
            </Button>
          </div>
        </div>
        <Formats />
        <div className={styles.sample}>
          <Button icon={WorkspaceIcon} onPress={() => void openSample(go)}>
            Open the sample workspace
          </Button>
          <span className="muted">a refund desk, two agent versions, eight trials of each task</span>
        </div>
      </div>
    </section>
  )
}
