// Lens 2: one trial as a reading list of its steps, with an outline by stage. Steps come in pages as they are
// scrolled to; the list draws only what is in sight.

import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import { toFaultData } from '../../../base/fault.ts'
import type { StepView, TaskView } from '../../../contract/rows.ts'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { VERDICTS } from '../../../marks/VerdictGlyph.tsx'
import { question } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { EmptyIcon } from '../../kit/icons.ts'
import { RowList, type RowListHandle } from '../../kit/RowList.tsx'
import { Select } from '../../kit/Select.tsx'
import { EmptyState, ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { FINAL_TOOL, columnName } from './laneColumns.ts'
import { RawPane } from './RawPane.tsx'
import { StepCard, type StepSign } from './StepCard.tsx'
import type { GoInTask, TaskPlace } from './taskplace.ts'
import { divergenceWords } from './words.ts'
import styles from './Steps.module.css'

const PAGE = 60

/** The outline of a trial: its cells in its own order, by runs of one stage. */
type OutlineItem = {
  readonly key: string
  readonly stage: string
  readonly tool: string
  readonly step: number
  readonly call: number | null
  readonly sign: StepSign | null
}

function outlineOf(analysis: TaskAnalysis | null, trialId: string): OutlineItem[] {
  const lane = analysis?.lanes.find((one) => one.trial === trialId)
  if (analysis === null || lane === undefined) return []
  return lane.cells.map((cell, i) => ({
    key: `${i}`,
    stage: columnName(analysis, cell.column).stage,
    tool: cell.tool === 'final' ? FINAL_TOOL : cell.tool,
    step: cell.step,
    call: cell.call,
    sign: signsOf(analysis, trialId).get(stepKey(cell.step, cell.call)) ?? null,
  }))
}

function stepKey(step: number, call: number | null): string {
  return `${step} ${call ?? ''}`
}

/** The ranked differences of a trial by the step that they lie in. */
function signsOf(analysis: TaskAnalysis | null, trialId: string): ReadonlyMap<string, StepSign> {
  const signs = new Map<string, StepSign>()
  const finding = analysis?.findings.find((one) => one.trial === trialId)
  finding?.ranked.forEach((d, i) => {
    if (d.step === null || signs.has(stepKey(d.step, d.call))) return
    const isLead = i === 0 && finding.state === 'lead'
    if (isLead || !d.isInert)
      signs.set(stepKey(d.step, d.call), { sign: isLead ? 'lead' : 'small', words: divergenceWords(d) })
  })
  return signs
}

/** The steps lens. */
export function StepsLens({
  view,
  place,
  go,
}: {
  readonly view: TaskView
  readonly place: TaskPlace
  readonly go: GoInTask
}): ReactElement {
  const [isRaw, setRaw] = useState(false)
  const failing = view.trials.find((one) => one.counts === 'fail')
  const trial = view.trials.find((one) => one.trialId === place.trial) ?? failing ?? view.trials[0]
  if (trial === undefined) return <EmptyState icon={EmptyIcon} title="This task has no trial in scope" />
  return (
    <div className={styles.lens}>
      <div className={styles.bar}>
        <Select
          label="trial:"
          options={view.trials.map((one) => ({
            id: one.trialId,
            title: `${VERDICTS[one.outcome].glyph} ${oneLine(one.label, 80)}`,
            hint: VERDICTS[one.outcome].word,
          }))}
          value={trial.trialId}
          onChange={(id) => go({ trial: id, step: null })}
        />
        <span className="muted">
          {plural(trial.steps, 'step')}, {plural(trial.calls, 'call')}
          {trial.toolErrors > 0 ? `, ${plural(trial.toolErrors, 'tool error')}` : ''}
          {trial.termination === null ? '' : ` · ended: ${oneLine(trial.termination, 60)}`}
        </span>
        <Button size="small" variant="quiet" aria-pressed={isRaw} onPress={() => setRaw(!isRaw)}>
          {isRaw ? 'Show steps' : 'Show raw'}
        </Button>
      </div>
      {isRaw ? (
        <div className={styles.outline} tabIndex={0} role="region" aria-label="Original record">
          <RawPane key={trial.trialId} trialId={trial.trialId} />
        </div>
      ) : (
        <Reading key={trial.trialId} view={view} trialId={trial.trialId} place={place} go={go} />
      )}
    </div>
  )
}

function Reading({
  view,
  trialId,
  place,
  go,
}: {
  readonly view: TaskView
  readonly trialId: string
  readonly place: TaskPlace
  readonly go: GoInTask
}): ReactElement {
  const list = useRef<RowListHandle>(null)
  const [pages, setPages] = useState<readonly number[]>([0])
  const answers = useQueries({
    queries: pages.map((page) => question('trials.steps', { trialId, offset: page * PAGE, limit: PAGE })),
  })
  const steps = new Map<number, StepView>()
  answers.forEach((answer, i) => {
    answer.data?.steps.forEach((step, at) => steps.set((pages[i] ?? 0) * PAGE + at, step))
  })
  const total = answers.find((answer) => answer.data !== undefined)?.data?.total
  const failed = answers.find((answer) => answer.error !== null)?.error
  const signs = signsOf(view.analysis, trialId)
  const outline = outlineOf(view.analysis, trialId)
  const target = place.step
  const targetAt = [...steps].find(([, step]) => step.step === target)?.[0]
  const isTargetMissing = target !== null && total !== undefined && targetAt === undefined
  const wanted = pages.length * PAGE < (total ?? 0) && isTargetMissing ? pages.length : null

  // A linked step beyond the pages read: read on until it is there.
  if (wanted !== null && !pages.includes(wanted) && answers.every((answer) => !answer.isPending)) {
    setPages([...pages, wanted])
  }
  useEffect(() => {
    if (targetAt !== undefined) list.current?.scrollToRow(targetAt)
  }, [targetAt])

  if (failed !== undefined && failed !== null) return <ErrorState fault={toFaultData(failed)} />
  if (total === undefined) return <Loading what="Reading the steps…" rows={10} />
  const onRange = (first: number, last: number): void => {
    const missing: number[] = []
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) {
      if (!pages.includes(page) && page * PAGE < total) missing.push(page)
    }
    if (missing.length > 0) setPages([...pages, ...missing])
  }
  const card = (index: number): ReactElement => {
    const step = steps.get(index)
    if (step === undefined) return <div className={styles.coming} />
    return (
      <StepCard
        step={step}
        sign={signs.get(stepKey(step.step, step.call)) ?? null}
        isCurrent={step.step === target}
      />
    )
  }
  return (
    <div className={styles.panes}>
      <nav className={styles.outline} aria-label="Outline by stage">
        {outline.map((item, i) => (
          <div key={item.key}>
            {item.stage === outline[i - 1]?.stage ? null : (
              <div className={styles.outlineStage}>
                <Text value={item.stage} line />
              </div>
            )}
            <button
              type="button"
              className={styles.outlineItem}
              aria-current={item.step === target}
              onClick={() => go({ trial: trialId, step: item.step }, { replace: true })}
            >
              {item.sign === null ? null : <DivergenceMark sign={item.sign.sign} size={10} />}
              <Text value={item.tool} line />
            </button>
          </div>
        ))}
      </nav>
      <RowList
        label="Steps"
        className={styles.list ?? ''}
        count={total}
        estimate={140}
        rowKey={(index) => index}
        handle={list}
        onRange={onRange}
        row={card}
      />
    </div>
  )
}
