// A comparison of two versions as text and as CSV. From view rows to text; computes nothing.

import { plural } from '../base/text.ts'
import type {
  CompareAtK,
  CompareCell,
  CompareOnly,
  CompareSide,
  CompareTask,
  CompareView,
  IntervalRow,
} from '../contract/comparerows.ts'
import type { TaskRow } from '../contract/rows.ts'
import { csvText, type Cell } from '../core/reports/csvtext.ts'
import { exclusionWords, figure, interval, leadWords, probability, signed } from '../core/reports/figures.ts'
import { policyWords } from '../model/outcome.ts'
import { safe, textTable, wrapped, type Column } from './layout.ts'
import type { Style } from './terminal.ts'

type Address = Pick<TaskRow, 'suite' | 'task'>

/** A task's address as people type it. */
function address({ suite, task }: Address): string {
  return suite === '' ? task : `${suite}/${task}`
}

/** Names of tasks by id, for lists. */
export function namesOf(view: CompareView): (ids: readonly string[]) => string {
  const names = new Map<string, string>()
  for (const row of [...view.tasks, ...view.onlyA, ...view.onlyB]) names.set(row.taskId, address(row))
  return (ids) => {
    const shown = ids.slice(0, 5).map((id) => safe(names.get(id) ?? id, 40))
    return `${shown.join(', ')}${ids.length > 5 ? ', …' : ''}`
  }
}

/** The comparison as people read it. */
export function compareText(view: CompareView, style: Style, columns: number | null): string {
  const width = columns ?? 120
  const lines = [
    style.bold(`A: ${safe(view.a.label, 60)}  →  B: ${safe(view.b.label, 60)}`),
    `same tasks ${view.tasks.length} · only A ${view.onlyA.length} · only B ${view.onlyB.length} · ${policyWords(view.policy)}`,
    sideText('A', view.a, view, style),
    sideText('B', view.b, view, style),
  ]
  if (view.sharedTrials > 0)
    lines.push(
      style.fail(`${plural(view.sharedTrials, 'trial')} in both: no evidence of a difference between them.`),
    )
  lines.push('')
  if (view.tasks.length === 0) lines.push('No task is listed in both: there is nothing to compare.')
  else {
    lines.push(taskTable(view, style, columns), '', style.bold('Over the tasks that both have'))
    for (const at of view.atK) lines.push(...atKText(at, width))
    lines.push('', ...testsText(view, width), '', ...worseText(view, style, width))
  }
  for (const [side, only] of [
    ['A', view.onlyA],
    ['B', view.onlyB],
  ] as const)
    if (only.length > 0) lines.push('', onlyText(side, only, width))
  return lines.join('\n')
}

function sideText(name: string, side: CompareSide, view: CompareView, style: Style): string {
  const { pooled } = side
  const severe =
    side.severeEvents === 0
      ? 'no severe event'
      : style.severe(
          `▲ ${plural(side.severeTrials, 'trial')} with ${plural(side.severeEvents, 'severe event')}, ${side.passedButHarmful} passed but harmful`,
        )
  return `${name}: ${plural(side.tasks, 'task')}, ${plural(side.trials, 'trial')}, ${pooled.passes} of ${pooled.n} passed; ${exclusionWords(pooled, view.policy)}; ${severe}`
}

/** `−0.33 (−0.66 … +0.12) not yet certain`. */
function differenceText(task: CompareTask): string {
  if (!task.difference.ok) return task.difference.reason
  const { difference, interval: range, isCertain } = task.difference.value
  const word = difference === 0 ? 'same' : isCertain ? task.change : 'not yet certain'
  return `${signed(difference)} (${signed(range.lower)} … ${signed(range.upper)}) ${word}`
}

function cellText({ rate }: CompareCell): string {
  return `${rate.passes}/${rate.n} ${rate.rate.ok ? rate.rate.value.toFixed(2) : '–'} (${interval(rate.wilson)})`
}

function shortFigure(value: CompareCell['passHatK']): string {
  return value.ok ? probability(value.value) : '–'
}

function taskTable(view: CompareView, style: Style, columns: number | null): string {
  const hasSevere = view.tasks.some((task) => task.a.severeEvents + task.b.severeEvents > 0)
  const hasK = view.shownK > 1
  const header: Column[] = [
    { title: 'task' },
    { title: 'A: passed, Wilson' },
    { title: 'B: passed, Wilson' },
    { title: 'B − A (Newcombe)' },
    ...(hasK ? [{ title: `pass^${view.shownK} A→B` }] : []),
    ...(hasSevere ? [{ title: 'severe A→B' }] : []),
    { title: 'parts at, A → B' },
  ]
  const rows = view.tasks.map((task) => [
    safe(address(task), columns === null ? 80 : 32),
    cellText(task.a),
    cellText(task.b),
    differenceText(task),
    ...(hasK ? [`${shortFigure(task.a.passHatK)} → ${shortFigure(task.b.passHatK)}`] : []),
    ...(hasSevere ? [severeText(task, style)] : []),
    `${safe(leadWords(task.a.lead), 80)} → ${safe(leadWords(task.b.lead), 80)}`,
  ])
  const note = view.tasks.some((task) => !task.a.passHatK.ok || !task.b.passHatK.ok)
    ? `\n${style.faint('–: not estimable (needs n ≥ k)')}`
    : ''
  return textTable(header, rows, columns) + note
}

function severeText(task: CompareTask, style: Style): string {
  const text = `${task.a.severeTrials} → ${task.b.severeTrials}`
  return task.b.severeTrials > 0 ? style.severe(`▲ ${text}`) : task.a.severeTrials > 0 ? text : ''
}

const METHODS: Readonly<Record<string, string>> = {
  bca: 'BCa over tasks',
  percentile: 'percentile over tasks',
  'student-t': 't over tasks',
}

function rangeText(range: IntervalRow): string {
  const sure = `${Number((100 * range.confidence).toPrecision(6))} %`
  return `${sure} ${signed(range.lower)} … ${signed(range.upper)} (${METHODS[range.method] ?? range.method})`
}

function atKText({ k, a, b, paired }: CompareAtK, width: number): readonly string[] {
  const { difference, signFlip, compared, leftOut } = paired
  const { headline, percentile, resampling } = difference
  const change = difference.estimate.ok ? signed(difference.estimate.value) : difference.estimate.reason
  const doubt = headline.ok
    ? `${rangeText(headline.value)}${paired.isCertain ? '' : ': not yet certain'}`
    : `no interval: ${headline.reason}`
  const beside =
    headline.ok && percentile.ok && headline.value.method !== 'percentile'
      ? ` ${rangeText(percentile.value)};`
      : ''
  return [
    `pass^${k}  ${figure(a.mean)} → ${figure(b.mean)}  ${change}, ${doubt}; ${plural(compared, 'task')} with n ≥ ${k} in both${leftOut.length > 0 ? `, ${leftOut.length} without` : ''}`,
    `    ${wrapped(
      `sign-flip p = ${probability(signFlip.p)} (${signFlip.isExact ? `exact, ${plural(signFlip.nonZero, 'task')} differ` : 'random signs'}; smallest possible ${probability(signFlip.floor)});${beside} ${resampling.B.toLocaleString('en-US')} resamples, ${resampling.generator}, seed ${resampling.seed}, stream ${resampling.stream}`,
      width - 4,
      '    ',
    )}`,
  ]
}

function testsText(view: CompareView, width: number): readonly string[] {
  const { mcnemar, trialMcnemar } = view
  const { test } = mcnemar
  const square =
    test.isChiSquareShown && test.chiSquare !== null
      ? `, corrected χ² ${test.chiSquare.statistic.toFixed(3)} (p = ${probability(test.chiSquare.p)}, for comparison)`
      : ''
  const lines = [
    wrapped(
      `McNemar over tasks (${mcnemar.rule}): ${test.b} lost, ${test.c} gained; exact p = ${probability(test.exact)}, mid-p = ${probability(test.midP)}${square}; ${plural(mcnemar.compared, 'task')} compared${mcnemar.leftOut.length > 0 ? `, ${mcnemar.leftOut.length} not estimable` : ''}`,
      width,
      '    ',
    ),
  ]
  if (!trialMcnemar.ok)
    lines.push(
      wrapped(
        `McNemar over trials: refused, ${trialMcnemar.reason}. Without shared seeds “trial 3 with trial 3” is an accident of file order.`,
        width,
        '    ',
      ),
    )
  else {
    const { test: trials, pairs, leftOut, treatsTrialsAsIndependent } = trialMcnemar.value
    lines.push(
      wrapped(
        `McNemar over ${plural(pairs, 'pair')} of trials with one seed: ${trials.b} lost, ${trials.c} gained; exact p = ${probability(trials.exact)}, mid-p = ${probability(trials.midP)}${leftOut > 0 ? `; ${plural(leftOut, 'trial')} without a counted partner` : ''}${treatsTrialsAsIndependent ? '; treats trials as independent: read the sign-flip test beside it' : ''}`,
        width,
        '    ',
      ),
    )
  }
  return lines
}

function worseText(view: CompareView, style: Style, width: number): readonly string[] {
  const { regressions, conditions } = view
  const name = regressions.correction === 'holm' ? 'Holm' : 'Benjamini–Hochberg'
  const floor = regressions.canTell
    ? `the smallest adjusted p that these numbers of trials can give is ${probability(regressions.adjustedFloor)}`
    : `with these numbers of trials no task can reach .05 (smallest possible ${probability(regressions.adjustedFloor)}): an empty list says nothing`
  const found =
    conditions.worse.length === 0
      ? `No task got worse after ${name}`
      : style.fail(`Worse after ${name}: ${namesOf(view)(conditions.worse)}`)
  const lines = [
    wrapped(`${found} (Fisher's exact test, ${plural(regressions.m, 'test')}; ${floor}).`, width, '    '),
  ]
  if (conditions.worseOverall)
    lines.push(style.fail('The mean pass^1 over tasks is lower in B (sign-flip p below .05).'))
  if (conditions.moreSevere.length > 0)
    lines.push(style.severe(`▲ More severe in B: ${namesOf(view)(conditions.moreSevere)}`))
  return lines
}

function onlyText(side: string, only: readonly CompareOnly[], width: number): string {
  const names = only
    .slice(0, 12)
    .map(
      (row) =>
        `${safe(address(row), 40)} (${row.passes}/${row.n}${row.severeTrials > 0 ? ` ▲${row.severeTrials}` : ''})`,
    )
  return wrapped(
    `Only in ${side}: ${names.join(', ')}${only.length > 12 ? `, and ${only.length - 12} more` : ''}`,
    width,
    '    ',
  )
}

/** Empty cells. */
function nothing(cells: number): Cell[] {
  return Array.from({ length: cells }, () => null)
}

const HEADER =
  'task_id suite task listed_in a_n a_passes a_rate a_wilson_low a_wilson_high b_n b_passes b_rate b_wilson_low b_wilson_high difference newcombe_low newcombe_high change certain k a_pass_hat_k b_pass_hat_k a_severe_trials b_severe_trials fisher_p adjusted_p correction a_parts_at b_parts_at error_policy unknown_policy'

/** One line per task, in full precision; tasks that only one side lists come last. */
export function compareCsv(view: CompareView): string {
  const { error, unknown } = view.policy
  const rate = ({ rate: of }: CompareCell): Cell[] => [
    of.n,
    of.passes,
    of.rate.ok ? of.rate.value : null,
    of.wilson?.[0] ?? null,
    of.wilson?.[1] ?? null,
  ]
  const both = view.tasks.map((task): Cell[] => {
    const gap = task.difference.ok ? task.difference.value : null
    return [
      task.taskId,
      task.suite,
      task.task,
      'both',
      ...rate(task.a),
      ...rate(task.b),
      gap?.difference ?? null,
      gap?.interval.lower ?? null,
      gap?.interval.upper ?? null,
      task.change,
      gap?.isCertain ?? null,
      view.shownK,
      task.a.passHatK.ok ? task.a.passHatK.value : null,
      task.b.passHatK.ok ? task.b.passHatK.value : null,
      task.a.severeTrials,
      task.b.severeTrials,
      task.regression?.p ?? null,
      task.regression?.adjusted ?? null,
      view.regressions.correction,
      leadWords(task.a.lead),
      leadWords(task.b.lead),
      error,
      unknown,
    ]
  })
  const only = (side: 'A' | 'B', rows: readonly CompareOnly[]): Cell[][] =>
    rows.map((row) => {
      const mine: Cell[] = [row.n, row.passes, row.n > 0 ? row.passes / row.n : null, null, null]
      const severe = side === 'A' ? [row.severeTrials, null] : [null, row.severeTrials]
      return [
        row.taskId,
        row.suite,
        row.task,
        side,
        ...(side === 'A' ? [...mine, ...nothing(5)] : [...nothing(5), ...mine]),
        ...nothing(8),
        ...severe,
        ...nothing(5),
        error,
        unknown,
      ]
    })
  return csvText(HEADER.split(' '), [...both, ...only('A', view.onlyA), ...only('B', view.onlyB)])
}
