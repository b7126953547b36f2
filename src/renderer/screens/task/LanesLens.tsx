// Lens 1: the bar above the lanes (reference, order, gaps), the table, what was left out, and the finding in words.
// Joins the place in the hash with the arrangement kept for the task.

import { useMemo, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { oneLine, plural } from '../../../base/text.ts'
import type { TaskView } from '../../../contract/rows.ts'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { StepDots } from '../../../marks/StepDots.tsx'
import { useSettings } from '../../bridge/desktop.ts'
import { Checkbox } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import { Text } from '../../kit/Text.tsx'
import { ROW_HEIGHTS } from '../../shell/theme.ts'
import { Finding } from './Finding.tsx'
import { foldKey, laneLayout } from './laneLayout.ts'
import { Lanes } from './Lanes.tsx'
import { isGapsHidden, toggled, useLaneView } from './laneview.ts'
import type { GoInTask, TaskPlace } from './taskplace.ts'
import styles from './Lanes.module.css'

const CONSENSUS = 'consensus'

/** What the reference is when none is pinned: the passing trials that agree, or one of them when none do. */
function referenceTitle(consensusOf: number): string {
  if (consensusOf === 0) return 'none'
  return consensusOf === 1 ? 'a passing trial, no two alike' : `consensus of ${consensusOf} alike passing`
}

/** The lanes lens of a task whose analysis is there. */
export function LanesLens({
  view,
  analysis,
  place,
  go,
  bar,
}: {
  readonly view: TaskView
  readonly analysis: TaskAnalysis
  readonly place: TaskPlace
  readonly go: GoInTask
  /** Where the controls stand, outside of the lanes: every line of height belongs to them. */
  readonly bar: HTMLElement | null
}): ReactElement {
  const [arranged, arrange] = useLaneView(place.taskId)
  const density = useSettings()?.density ?? 'normal'
  const gapsHidden = isGapsHidden(arranged, analysis)
  const layout = useMemo(() => {
    const openColumns =
      place.column === null ? arranged.openColumns : new Set([...arranged.openColumns, place.column])
    return laneLayout(analysis, view.trials, {
      reference: place.reference,
      order: arranged.order,
      isGapsHidden: gapsHidden,
      openColumns,
      foldedStages: arranged.foldedStages,
      openFolds: arranged.openFolds,
      reveal: place.trial,
    })
  }, [analysis, view.trials, place.reference, place.trial, place.column, arranged, gapsHidden])

  const references = [
    {
      id: CONSENSUS,
      title: referenceTitle(layout.consensusOf),
    },
    ...view.trials
      .filter((trial) => analysis.lanes.some((lane) => lane.trial === trial.trialId))
      .map((trial) => ({ id: trial.trialId, title: `${oneLine(trial.label, 60)} (${trial.counts})` })),
  ]
  const pin = (trial: string): void =>
    go({ reference: place.reference === trial ? null : trial }, { replace: true })
  const controls = (
    <div className={styles.bar}>
      <Select
        label="reference:"
        options={references}
        value={layout.isPinned ? (layout.reference?.trial ?? CONSENSUS) : CONSENSUS}
        onChange={(id) => go({ reference: id === CONSENSUS ? null : id }, { replace: true })}
      />
      <Select
        label="order:"
        options={[
          { id: 'divergence', title: 'divergence' },
          { id: 'number', title: 'trial number' },
        ]}
        value={arranged.order}
        onChange={(order) => arrange({ order })}
      />
      <Checkbox
        isSelected={gapsHidden}
        onChange={(isSelected) => arrange({ isGapsHidden: isSelected, openColumns: new Set() })}
      >
        fold gaps
      </Checkbox>
      <span className={styles.legend}>
        <StepDots count={1} width={10} label={null} /> step
      </span>
      <span className={styles.legend}>
        <DivergenceMark sign="lead" label={null} /> earliest consequential divergence
      </span>
      <span className={styles.legend}>
        <DivergenceMark sign="small" label={null} /> small difference
      </span>
      <span className={styles.legend}>
        <DivergenceMark sign="ended" label={null} /> ended here
      </span>
    </div>
  )
  return (
    <div className={styles.pane}>
      {bar === null ? null : createPortal(controls, bar)}
      <Lanes
        key={place.taskId}
        label="Lanes: trials by stage"
        analysis={analysis}
        layout={layout}
        chosen={{ trial: place.trial, column: place.column }}
        rowHeight={ROW_HEIGHTS[density]}
        hasConfigurations={view.configurations > 1}
        onOpen={(trial, column) => go({ trial, column })}
        onChooseTrial={(trial) => go({ trial }, { replace: true })}
        onPin={pin}
        onFold={(row) => arrange({ openFolds: toggled(arranged.openFolds, foldKey(row.lane)) })}
        onStage={(segment) => arrange({ foldedStages: toggled(arranged.foldedStages, segment.first) })}
        onOpenColumns={(column) => {
          const openColumns = new Set([...arranged.openColumns, ...column.columns])
          const foldedStages = new Set(
            [...arranged.foldedStages].filter((first) => !column.columns.includes(first)),
          )
          arrange({ openColumns, foldedStages })
        }}
        onClose={() => {
          if (place.column !== null) go({ column: null })
        }}
        onGaps={() => arrange({ isGapsHidden: !gapsHidden, openColumns: new Set() })}
      />
      {layout.leftOut.length === 0 ? null : (
        <div className={styles.notes}>
          {plural(layout.leftOut.length, 'trial')} left out:
          {layout.leftOut.slice(0, 8).map((one) => (
            <span key={one.trialId}>
              <Text value={one.label} /> (<Text value={one.reason} />)
            </span>
          ))}
          {layout.leftOut.length > 8 ? `and ${layout.leftOut.length - 8} more` : null}
        </div>
      )}
      <Finding view={view} analysis={analysis} place={place} go={go} />
    </div>
  )
}
