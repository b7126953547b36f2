// Settings: appearance, keys, and what lies in the workspace file beside the trials (deleted ones, safety copies).

import { useState, type ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { WorkspaceInfo } from '../../../contract/workspacerows.ts'
import { desktop, useSetSettings, useSettings } from '../../bridge/desktop.ts'
import { useAsk, useCommand } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Checkbox, RadioGroup } from '../../kit/Field.tsx'
import { DeleteIcon, InfoIcon, RedoIcon } from '../../kit/icons.ts'
import { ErrorState } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { bytesText, everythingText, restoreEverything } from '../../shell/actions.ts'
import { openSheet, say, showSettingsFault } from '../../shell/notices.ts'
import { Region } from '../../shell/Region.tsx'
import { KeyList } from '../../shell/Sheets.tsx'
import { setTypedKeys, useTypedKeys } from '../../shell/typedkeys.ts'
import { SafetyCopies } from './SafetyCopies.tsx'
import styles from './Settings.module.css'

/** The Settings screen. */
export function SettingsScreen(): ReactElement {
  const settings = useSettings()
  const set = useSetSettings()
  const isTyped = useTypedKeys((state) => state.isOn)
  return (
    <Region label="Settings" context="app" className={styles.screen}>
      <div className={styles.inner}>
        <h1>Settings</h1>
        <section className={styles.section} aria-labelledby="appearance">
          <h2 id="appearance">Appearance</h2>
          <RadioGroup
            label="Theme"
            orientation="horizontal"
            value={settings?.theme ?? null}
            onChange={(theme) => void set({ theme }).catch(showSettingsFault)}
            options={[
              { id: 'system', title: 'as the system' },
              { id: 'light', title: 'light' },
              { id: 'dark', title: 'dark' },
            ]}
          />
          <RadioGroup
            label="Density"
            orientation="horizontal"
            value={settings?.density ?? null}
            onChange={(density) => void set({ density }).catch(showSettingsFault)}
            options={[
              { id: 'compact', title: 'compact' },
              { id: 'normal', title: 'normal' },
              { id: 'comfortable', title: 'comfortable', hint: 'titles on a second line' },
            ]}
          />
        </section>
        <WorkspaceSection />
        <section className={styles.section} aria-labelledby="keys">
          <h2 id="keys">Keys</h2>
          <Checkbox isSelected={isTyped} onChange={setTypedKeys}>
            Single letters and signs are keys
            <span className="muted"> inside their part of the screen, never in a field</span>
          </Checkbox>
          <KeyList />
        </section>
        <section className={styles.section} aria-labelledby="about">
          <h2 id="about">About</h2>
          <p className="muted">
            Faultline works offline. Nothing leaves this machine; nothing in a trajectory is executed.
          </p>
          <div className={styles.actions}>
            <Button icon={InfoIcon} onPress={() => openSheet('about')}>
              Versions…
            </Button>
            <Button onPress={() => void desktop('log.open', {})}>Show the log</Button>
          </div>
        </section>
      </div>
    </Region>
  )
}

const deletedText = (info: WorkspaceInfo): string =>
  everythingText({ trials: info.deletedTrials, rules: info.deletedRules })

function WorkspaceSection(): ReactElement | null {
  const { data: info, fault } = useAsk('workspace.info', {})
  const erase = useCommand('workspace.erase')
  const settings = useSettings()
  const [isErasing, setErasing] = useState(false)
  if (fault !== null) return <ErrorState compact fault={fault} />
  if (info === undefined) return null
  return (
    <section className={styles.section} aria-labelledby="workspace">
      <h2 id="workspace">Workspace</h2>
      <dl className={styles.facts}>
        <dt>File</dt>
        <dd>
          <Text value={info.path} mono />
        </dd>
        <dt>Size</dt>
        <dd>{bytesText(info.bytes)}</dd>
        <dt>Holds</dt>
        <dd>
          {plural(info.trials, 'trial')} of {plural(info.tasks, 'task')},{' '}
          {plural(info.annotations, 'annotation')}, {plural(info.rules, 'rule')}
        </dd>
      </dl>
      {info.deletedTrials === 0 && info.deletedRules === 0 ? null : (
        <div className={styles.note}>
          <p>
            Deleted: {deletedText(info)}. It can be brought back until Faultline closes; then it is erased for
            good.
          </p>
          <div className={styles.actions}>
            <Button size="small" icon={RedoIcon} onPress={() => void restoreEverything()}>
              Bring back
            </Button>
            <Button size="small" variant="danger" icon={DeleteIcon} onPress={() => setErasing(true)}>
              Erase now…
            </Button>
          </div>
        </div>
      )}
      <SafetyCopies info={info} />
      {erase.fault === null ? null : <ErrorState compact fault={erase.fault} />}
      <div className={styles.actions}>
        <Button variant="danger" icon={DeleteIcon} onPress={() => openSheet('delete')}>
          Delete everything…
        </Button>
        {settings === undefined || settings.recent.length === 0 ? null : (
          <Button onPress={() => void desktop('recent.clear', {}).catch(showSettingsFault)}>
            Clear the list of recent workspaces
          </Button>
        )}
      </div>
      {isErasing ? (
        <Dialog
          title="Erase for good what was deleted?"
          role="alertdialog"
          isOpen
          size="small"
          onClose={() => setErasing(false)}
          actions={
            <>
              <Button onPress={() => setErasing(false)}>Keep them until I close</Button>
              <Button
                variant="danger"
                onPress={() => {
                  setErasing(false)
                  erase.run({}).then(
                    (erased) => say(`${everythingText(erased)} erased for good`),
                    () => undefined,
                  )
                }}
              >
                Erase
              </Button>
            </>
          }
        >
          {deletedText(info)} cannot be brought back after this. The file is overwritten and made smaller.
        </Dialog>
      ) : null}
    </section>
  )
}
