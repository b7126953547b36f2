// The columns of the task table: what each shows, how wide it is, what it sorts by. Draws marks; computes nothing.

import type { ReactElement } from 'react'
import type { TaskRow } from '../../../contract/rows.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { PassCurve } from '../../../marks/PassCurve.tsx'
import { SevereCount } from '../../../marks/SevereCount.tsx'
import { WilsonBar, wilsonText } from '../../../marks/WilsonBar.tsx'
import type { GridColumn } from '../../kit/Grid.tsx'
import { Text } from '../../kit/Text.tsx'
import type { TaskSort } from '../../shell/places.ts'
import { countText, FEW, figureText, leadSentence, leadText, moneyText } from './taskwords.ts'
import styles from './Tasks.module.css'

/** What the columns need besides the rows. */
export type ColumnOptions = {
  readonly sort: TaskSort
  readonly direction: 'ascending' | 'descending'
  readonly onSort: (sort: TaskSort) => void
  readonly hasSuites: boolean
  readonly hasCosts: boolean
  readonly isComfortable: boolean
}

/** The columns. */
export function taskColumns(options: ColumnOptions): readonly GridColumn<TaskRow>[] {
  const sorted = (sort: TaskSort): Pick<GridColumn<TaskRow>, 'sort' | 'onSort'> => ({
    sort: options.sort === sort ? options.direction : 'none',
    onSort: () => options.onSort(sort),
  })
  const columns: (GridColumn<TaskRow> | null)[] = [
    {
      id: 'task',
      title: 'Task',
      width: 'minmax(150px, 1.7fr)',
      ...sorted('task'),
      cell: (row) => (
        <TaskName row={row} hasSuite={options.hasSuites} isComfortable={options.isComfortable} />
      ),
    },
    {
      id: 'n',
      title: 'n',
      name: 'n, trials that count',
      width: '64px',
      align: 'end',
      ...sorted('n'),
      cell: (row) => <TrialCount row={row} />,
    },
    {
      id: 'rate',
      title: 'pass^1 · Wilson 95 %',
      name: 'pass rate with Wilson interval',
      width: '208px',
      // One column, two orders: by the estimate and by the lower bound; the header cycles to the bound.
      sort: options.sort === 'rate' || options.sort === 'lowest' ? options.direction : ('none' as const),
      onSort: () => options.onSort(options.sort === 'lowest' ? 'rate' : 'lowest'),
      cell: (row) => <RateCell row={row} />,
    },
    {
      id: 'curve',
      title: 'pass^k',
      name: 'pass^k for k = 1 to n',
      width: '90px',
      cell: (row) => <CurveCell row={row} />,
    },
    {
      id: 'severe',
      title: 'Severe',
      width: '100px',
      ...sorted('severe'),
      cell: (row) => (
        <span title={row.passedButHarmful > 0 ? `${row.passedButHarmful} of them passed` : undefined}>
          <SevereCount count={row.severeTrials} />
        </span>
      ),
    },
    options.hasCosts
      ? {
          id: 'cost',
          title: 'Mean · worst $',
          name: 'cost per trial, mean and worst',
          width: '140px',
          align: 'end' as const,
          ...sorted('cost'),
          cell: (row: TaskRow) => <CostCell row={row} />,
        }
      : null,
    {
      id: 'lead',
      title: 'Parts at',
      name: 'where failing trials part from passing ones',
      width: 'minmax(138px, 1.6fr)',
      ...sorted('lead'),
      cell: (row) => <LeadCell row={row} />,
    },
    {
      id: 'annotated',
      title: 'Annotated',
      width: '94px',
      cell: (row) => <AnnotatedCell row={row} />,
    },
  ]
  return columns.filter((column) => column !== null)
}

function TaskName(props: {
  readonly row: TaskRow
  readonly hasSuite: boolean
  readonly isComfortable: boolean
}): ReactElement {
  const { row, hasSuite, isComfortable } = props
  return (
    <span className={isComfortable ? styles.nameTall : styles.name}>
      <span className={styles.id}>
        {hasSuite ? (
          <span className={styles.suite}>
            <Text line mono value={row.suite} limit={40} />/
          </span>
        ) : null}
        <Text line mono value={row.task} />
      </span>
      {row.title === null ? null : <Text line value={row.title} className={styles.title} />}
    </span>
  )
}

function TrialCount({ row }: { readonly row: TaskRow }): ReactElement {
  const { n, excluded } = row.rate
  const left = excluded > 0 ? `; ${excluded} left out` : ''
  return (
    <span title={`${n} counted${left}`}>
      {n > 0 && n < FEW ? <em className={styles.few}>few</em> : null} {n}
      {excluded > 0 ? <span className={styles.left}>+{excluded}</span> : null}
    </span>
  )
}

function RateCell({ row }: { readonly row: TaskRow }): ReactElement {
  const { rate } = row
  if (rate.n === 0) return <span className="muted">not estimable</span>
  const [low, high] = rate.wilson ?? [null, null]
  return (
    <span className={styles.rate} title={wilsonText(rate.passes, rate.n, low, high)}>
      <span className={styles.count}>{countText(rate)}</span>
      <span className={styles.value}>{figureText(rate.rate)}</span>
      <WilsonBar passes={rate.passes} n={rate.n} low={low} high={high} />
    </span>
  )
}

function CurveCell({ row }: { readonly row: TaskRow }): ReactElement {
  const last = row.curve.at(-1)
  const known = row.curve.length
  return (
    <span className={styles.curve}>
      <PassCurve values={row.curve} />
      {known > 1 && last !== undefined ? <span className="hidden-text">pass^{row.rate.n}</span> : null}
    </span>
  )
}

function CostCell({ row }: { readonly row: TaskRow }): ReactElement {
  if (row.costMean === null || row.costWorst === null) return <span className="muted">–</span>
  return (
    <span
      title={`mean of ${row.costTrials} trials ${moneyText(row.costMean)}, worst trial ${moneyText(row.costWorst)}`}
    >
      {moneyText(row.costMean)} <span className="muted">·</span> {moneyText(row.costWorst)}
    </span>
  )
}

function LeadCell({ row }: { readonly row: TaskRow }): ReactElement {
  const { lead } = row
  const text = leadText(lead)
  if (lead.state !== 'lead')
    return (
      <span className="muted" title={leadSentence(lead)}>
        {text}
      </span>
    )
  return (
    <span className={styles.lead} title={leadSentence(lead)}>
      <DivergenceMark sign="lead" label={null} />
      <Text line mono value={text} />
      <span className={styles.counts}>
        {lead.a}/{lead.F}
      </span>
    </span>
  )
}

function AnnotatedCell({ row }: { readonly row: TaskRow }): ReactElement | null {
  if (row.failing === 0 && row.annotated === 0) return null
  return (
    <span className={styles.annotated}>
      <DivergenceMark
        sign={row.annotated > 0 ? 'lead' : 'small'}
        label={row.annotated > 0 ? 'annotated' : 'not annotated yet'}
      />
      {row.annotated > 0 ? `${row.annotated}/${Math.max(row.failing, row.annotated)}` : ''}
    </span>
  )
}
