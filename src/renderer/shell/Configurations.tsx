// What makes each configuration: model, agent, prompt, tools, policy, environment and settings, as imported; and what a
// person says of it instead. Names and facts can be changed; what trials are grouped by stays what was imported.

import { useEffect, useRef, useState, type ReactElement } from 'react'
import { canonicalJson } from '../../base/json.ts'
import { oneLine, plural } from '../../base/text.ts'
import type { ConfigurationRow } from '../../contract/workspacerows.ts'
import { EDITABLE, type ConfigurationEdit } from '../../model/configurationedit.ts'
import { ask } from '../bridge/client.ts'
import { useAsk } from '../bridge/queries.ts'
import { IconButton } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { TextField } from '../kit/Field.tsx'
import { AnnotateIcon } from '../kit/icons.ts'
import { Text } from '../kit/Text.tsx'
import { showFault } from './notices.ts'
import { remember } from './undo.ts'
import styles from './Configurations.module.css'

const NAMES: { readonly [Field in (typeof EDITABLE)[number]]: string } = {
  label: 'Label',
  model: 'Model',
  agent: 'Agent',
  agentVersion: 'Agent version',
  promptVersion: 'Prompt',
  toolsVersion: 'Tools',
  policyVersion: 'Policy',
  environment: 'Environment',
}

/** The button that opens the sheet of configurations; nothing while there is none. */
export function ConfigurationsButton(): ReactElement | null {
  const { data } = useAsk('configurations.list', {})
  const [isOpen, setIsOpen] = useState(false)
  if (data === undefined || data.length === 0) return null
  return (
    <>
      <IconButton
        icon={AnnotateIcon}
        label="What makes a configuration"
        size="small"
        onPress={() => setIsOpen(true)}
      />
      {isOpen ? (
        <Dialog title="What makes a configuration" isOpen size="large" onClose={() => setIsOpen(false)}>
          <p className={styles.lead}>
            Trials of one task are repeats of the same thing where all of this is equal. What you write here
            is shown in place of what was imported; trials stay grouped by what was imported. Several
            configurations are looked at together by choosing them in the scope.
          </p>
          {data.map((row) => (
            <OneConfiguration key={row.configurationId} row={row} />
          ))}
        </Dialog>
      ) : null}
    </>
  )
}

/** What is said of a configuration beyond what was imported. */
function editOf({ configuration, imported }: ConfigurationRow): ConfigurationEdit {
  return Object.fromEntries(
    EDITABLE.flatMap((field) => {
      const text = configuration[field]
      return text === null || text === imported[field] ? [] : [[field, text] as const]
    }),
  )
}

/** What stands in fields and is not sent yet. */
type Written = { readonly [Field in (typeof EDITABLE)[number]]?: string }

const without = (written: Written, texts: Written): Written =>
  Object.fromEntries(Object.entries(written).filter(([field]) => !(field in texts)))

/** The edit `held` with these texts in it; an empty one, and what was imported, is no edit. */
function editWith(
  { imported }: ConfigurationRow,
  held: ConfigurationEdit,
  texts: Written,
): ConfigurationEdit {
  return Object.fromEntries(
    EDITABLE.flatMap((field) => {
      const text = texts[field]?.trim() ?? held[field]
      return text === undefined || text === '' || text === imported[field] ? [] : [[field, text] as const]
    }),
  )
}

/** True when it was written; otherwise the fault was told. */
async function save(row: ConfigurationRow, edit: ConfigurationEdit): Promise<boolean> {
  const { configurationId } = row
  try {
    const { before } = await ask('configurations.edit', { configurationId, edit })
    remember({
      title: `${oneLine(row.label, 40)} edited`,
      undo: () => ask('configurations.edit', { configurationId, edit: before }),
      redo: () => ask('configurations.edit', { configurationId, edit }),
    })
    return true
  } catch (error) {
    showFault('The configuration was not changed', error)
    return false
  }
}

function OneConfiguration({ row }: { readonly row: ConfigurationRow }): ReactElement {
  const [written, setWritten] = useState<Written>({})
  // What was sent is shown, and the next edit builds upon it, until the workspace answers with it.
  const [sent, setSent] = useState<ConfigurationEdit | null>(null)
  const { configuration, imported } = row
  const known = editOf(row)
  if (sent !== null && canonicalJson(sent) === canonicalJson(known)) setSent(null)
  const held = sent ?? known
  const keep = (texts: Written): void => {
    const edit = editWith(row, held, texts)
    setWritten(without(written, texts))
    if (canonicalJson(edit) === canonicalJson(held)) return
    setSent(edit)
    void save(row, edit).then((isSaved) => {
      if (isSaved) return
      setSent(null)
      setWritten((now) => ({ ...texts, ...now }))
    })
  }
  // Escape closes the sheet and takes a field away in which somebody writes: its words are kept all the same.
  const last = useRef({ row, held, written })
  useEffect(() => {
    last.current = { row, held, written }
  })
  useEffect(
    () => () => {
      const now = last.current
      const edit = editWith(now.row, now.held, now.written)
      if (canonicalJson(edit) !== canonicalJson(now.held)) void save(now.row, edit)
    },
    [],
  )
  return (
    <section className={styles.one} aria-label={oneLine(row.label, 80)}>
      <h3 className={styles.name}>
        <Text line value={row.label} /> <span className={styles.count}>{plural(row.trials, 'trial')}</span>
      </h3>
      <div className={styles.fields}>
        {EDITABLE.map((field) => (
          <TextField
            key={field}
            label={NAMES[field]}
            value={written[field] ?? held[field] ?? imported[field] ?? ''}
            placeholder={
              // Without one of its own a configuration is called by what it is made of.
              oneLine(imported[field] ?? (field === 'label' ? row.label : 'not known'), 60)
            }
            maxLength={400}
            onChange={(text) => setWritten({ ...written, [field]: text })}
            onBlur={() => {
              const text = written[field]
              if (text !== undefined) keep({ [field]: text })
            }}
          />
        ))}
      </div>
      {Object.keys(configuration.params).length === 0 ? null : (
        <dl className={styles.params}>
          {Object.entries(configuration.params).map(([name, value]) => (
            <div key={name} className={styles.param}>
              <dt>
                <Text line value={name} />
              </dt>
              <dd>
                <Text mono value={typeof value === 'string' ? value : canonicalJson(value)} limit={400} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
