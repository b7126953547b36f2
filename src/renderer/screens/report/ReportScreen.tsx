// Report: findings as a text that others can read: choose what goes in, see it, copy or save it. The core writes the
// text; here it is only shown, line by line, as text.

import { useMemo, useState, type ReactElement } from 'react'
import { toFaultData, type FaultData } from '../../../base/fault.ts'
import { plural } from '../../../base/text.ts'
import { ask, type Ask } from '../../bridge/client.ts'
import { copyText, desktop } from '../../bridge/desktop.ts'
import { skipToken, useAsk, useCancel } from '../../bridge/queries.ts'
import { useTaskIds } from '../../bridge/taskids.ts'
import { Button } from '../../kit/Button.tsx'
import { Checkbox, RadioGroup } from '../../kit/Field.tsx'
import { CopyIcon, EmptyIcon, ReportIcon, SaveIcon } from '../../kit/icons.ts'
import { RowList } from '../../kit/RowList.tsx'
import { Select } from '../../kit/Select.tsx'
import { EmptyState, ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { bytesText } from '../../shell/actions.ts'
import { useLastPlaces } from '../../shell/lastplaces.ts'
import { say } from '../../shell/notices.ts'
import type { Place } from '../../shell/places.ts'
import { Region } from '../../shell/Region.tsx'
import { usePlace, useView } from '../../shell/useplace.ts'
import { setFilters } from '../tasks/taskwords.ts'
import styles from './Report.module.css'

type Format = 'markdown' | 'json' | 'csv'
type Included = { summary: boolean; findings: boolean; method: boolean; stepTexts: boolean }

const INCLUDES: readonly { readonly id: keyof Included; readonly title: string; readonly hint: string }[] = [
  { id: 'summary', title: 'Summary', hint: 'counts, rates and pass^k with their doubt' },
  { id: 'findings', title: 'Findings', hint: 'where trials part, and what you annotated' },
  { id: 'method', title: 'Method', hint: 'formulas, versions, policy' },
  { id: 'stepTexts', title: 'Step texts', hint: 'what was said and observed at the divergence' },
]

const EXTENSIONS = { markdown: 'md', json: 'json', csv: 'csv' } as const

/** The Report screen. */
export function ReportScreen({ place }: { readonly place: Extract<Place, { at: 'report' }> }): ReactElement {
  const { go } = usePlace()
  const view = useView()
  const last = useLastPlaces((state) => state.tasks)
  const [format, setFormat] = useState<Format>('markdown')
  const [include, setInclude] = useState<Included>({
    summary: true,
    findings: true,
    method: true,
    stepTexts: false,
  })
  const [redact, setRedact] = useState(true)
  const [fault, setFault] = useState<{ readonly title: string; readonly fault: FaultData } | null>(null)

  const words = setFilters(last.filter)
  const scope = place.taskId !== null ? 'task' : place.isFiltered && words.length > 0 ? 'filtered' : 'all'
  const task = useAsk('tasks.get', place.taskId === null ? skipToken : { taskId: place.taskId, view })
  const { ids, fault: idsFault } = useTaskIds(
    scope === 'filtered' ? { view, filter: last.filter, sort: last.sort, descending: last.descending } : null,
  )
  const taskIds = useMemo(
    () => (scope === 'task' && place.taskId !== null ? [place.taskId] : scope === 'filtered' ? ids : null),
    [scope, place.taskId, ids],
  )
  const report: Ask<'report.preview'> | null =
    taskIds === undefined
      ? null
      : { view, taskIds: taskIds === null ? null : [...taskIds], format, include, redact }
  const preview = useAsk('report.preview', report ?? skipToken, { keep: true })
  const { data } = preview
  const cancel = useCancel('report.preview')
  const lines = useMemo(() => (data === undefined ? [] : data.text.split('\n')), [data])

  const setScope = (next: 'task' | 'filtered' | 'all'): void =>
    go(
      { at: 'report', taskId: next === 'task' ? place.taskId : null, isFiltered: next === 'filtered' },
      { replace: true },
    )
  const attempt = async (title: string, work: () => Promise<void>): Promise<void> => {
    setFault(null)
    try {
      await work()
    } catch (error) {
      setFault({ title, fault: toFaultData(error) })
    }
  }
  const save = (): Promise<void> =>
    attempt('The report was not saved', async () => {
      if (report === null) return
      const name = task.data !== undefined && scope === 'task' ? task.data.row.task : 'faultline report'
      const file = await desktop('files.chooseSave', {
        suggestedName: `${name.slice(0, 80)}.${EXTENSIONS[format]}`,
        kind: format,
      })
      if (file === null) return
      const { bytes } = await ask('report.save', { file: { grant: file.grant }, report })
      say(`Saved ${file.name} (${bytesText(bytes)})`, {
        title: 'Show',
        run: () => void desktop('files.reveal', { grant: file.grant }).catch(() => undefined),
      })
    })
  const copy = (): Promise<void> =>
    attempt('The report was not copied', async () => {
      if (data === undefined) return
      await copyText(data.text)
      say(`Copied the report (${plural(lines.length, 'line')})`)
    })

  const line = (index: number): ReactElement => (
    <Text as="pre" className={styles.row} value={lines[index] ?? ''} />
  )

  return (
    <Region label="Report" context="app" className={styles.screen}>
      <div className={styles.choices}>
        <h1>Report</h1>
        <RadioGroup
          label="Scope"
          value={scope}
          onChange={setScope}
          options={[
            ...(place.taskId === null
              ? []
              : [
                  {
                    id: 'task' as const,
                    title: (
                      <>
                        this task{' '}
                        {task.data === undefined ? null : (
                          <Text line mono value={task.data.row.task} limit={60} />
                        )}
                      </>
                    ),
                  },
                ]),
            {
              id: 'filtered' as const,
              title:
                words.length === 0
                  ? 'filtered tasks'
                  : `filtered: ${words.map((one) => one.words).join(', ')}`,
              hint:
                words.length === 0 ? 'no filter is set on Tasks' : ids === undefined ? '' : `(${ids.length})`,
              isDisabled: words.length === 0,
            },
            { id: 'all' as const, title: 'all tasks' },
          ]}
        />
        <fieldset className={styles.group}>
          <legend>Include</legend>
          {INCLUDES.map(({ id, title, hint }) => (
            <Checkbox
              key={id}
              isSelected={include[id]}
              hint={hint}
              onChange={(isOn) => setInclude((now) => ({ ...now, [id]: isOn }))}
            >
              {title}
            </Checkbox>
          ))}
        </fieldset>
        <fieldset className={styles.group}>
          <legend>Privacy</legend>
          <Checkbox isSelected={redact} onChange={setRedact} hint="e-mail, phone, keys, ids; counted below">
            Redact
          </Checkbox>
        </fieldset>
        <Select
          label="Format"
          layout="stacked"
          value={format}
          onChange={setFormat}
          options={[
            { id: 'markdown', title: 'Markdown' },
            { id: 'json', title: 'JSON' },
            { id: 'csv', title: 'CSV' },
          ]}
        />
        <div className={styles.actions}>
          <Button variant="primary" icon={SaveIcon} isDisabled={report === null} onPress={() => void save()}>
            Save…
          </Button>
          <Button icon={CopyIcon} isDisabled={data === undefined} onPress={() => void copy()}>
            Copy
          </Button>
        </div>
        {fault === null ? null : <ErrorState compact title={fault.title} fault={fault.fault} />}
      </div>
      <section className={styles.preview} aria-label="Preview">
        <header className={styles.previewHead}>
          <ReportIcon size={14} aria-hidden />
          <h2>Preview</h2>
          <span className="muted">
            {data === undefined
              ? ''
              : [
                  plural(data.tasks, 'task'),
                  plural(data.findings, 'finding'),
                  plural(data.annotations, 'annotation'),
                  redact ? plural(data.redactions, 'redaction') : 'nothing redacted',
                ].join(' · ')}
          </span>
        </header>
        <div className={styles.refresh} data-on={preview.isFetching && data !== undefined} />
        {preview.fault !== null ? (
          <ErrorState
            fault={preview.fault}
            title="The report cannot be written"
            actions={<Button onPress={() => void preview.refetch()}>Try again</Button>}
          />
        ) : idsFault !== null ? (
          <ErrorState fault={toFaultData(idsFault)} />
        ) : data === undefined && report !== null && preview.fetchStatus === 'idle' ? (
          <EmptyState
            icon={EmptyIcon}
            title="Writing the report was cancelled"
            actions={<Button onPress={() => void preview.refetch()}>Write it</Button>}
          />
        ) : data === undefined ? (
          <Loading what="Comparing what is not yet compared, and writing the report…" onCancel={cancel} />
        ) : data.tasks === 0 ? (
          <EmptyState icon={EmptyIcon} title="Nothing to report yet">
            There is no task in this scope.
          </EmptyState>
        ) : (
          <RowList
            label="Text of the report"
            role="none"
            count={lines.length}
            estimate={18}
            className={styles.text}
            rowKey={(index) => index}
            row={line}
          />
        )}
      </section>
    </Region>
  )
}
