// `faultline task`: one task with its curve, trials, lanes, finding and ranked differences.

import type { Command } from 'commander'
import { setTimeout as pause } from 'node:timers/promises'
import { printableJson } from '../../base/json.ts'
import { Fault } from '../../base/fault.ts'
import { plural } from '../../base/text.ts'
import type { TaskView, TrialRow } from '../../contract/rows.ts'
import type { TaskFiguresRow } from '../../contract/statisticsrows.ts'
import { countSevere } from '../../model/trial.ts'
import { policyWords } from '../../model/outcome.ts'
import { csvText } from '../../core/reports/csvtext.ts'
import {
  dollars,
  exclusionWords,
  figure,
  leadWords,
  rateWords,
  scopeWords,
  taskAddress,
} from '../../core/reports/figures.ts'
import { taskDoubtText } from '../doubttext.ts'
import { differencesText, findingText } from '../finding.ts'
import { lanesText, outcomeMark } from '../lanes.ts'
import { safe, textTable, wrapped, type Column } from '../layout.ts'
import type { Run } from '../run.ts'
import { linkedTask, taskNamed, withSession, type Session } from '../session.ts'
import { shownK } from '../tasktable.ts'
import type { Style, Terminal } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'

/** Adds the command. */
export function addTask(program: Command, run: Run): void {
  program
    .command('task')
    .summary('show one task: curve, trials, lanes, where it parts')
    .description(
      'Shows one task: pass^k and pass@k, its trials, the aligned lanes, and where failing trials part.',
    )
    .argument('<task>', 'its id, suite/task, the bare task id when only one suite has it, or a link')
    .option('--trial <trial>', 'the finding and differences of this failing trial (number, label or id)')
    .addHelpText(
      'after',
      `
Examples:
  faultline task airline/7
  faultline task airline/7 --trial 3
  faultline task 'faultline://task/…'   (copied in the window)
  faultline task 7 --json | jq '.lead.sentence, .statistics.verdict'
  faultline task 7 --csv > trials-of-7.csv

A lead is the earliest difference that goes with failing: a place to look, not a proof.`,
    )
    .action((address: string, options: { readonly trial?: string }) =>
      run(async ({ globals, terminal, signal }) => {
        return await withSession(globals, { terminal, create: false, signal }, async (session) => {
          const linked = linkedTask(address)
          if (linked !== undefined && linked.task === undefined)
            throw new UsageError('This link leads to no task. Copy one on a task’s screen.')
          const row = await taskNamed(session, linked?.task ?? address)
          const whole = await analysedTask(session, row.taskId, terminal)
          const named = options.trial ?? failingTrial(whole, linked?.trial)
          const trial = named === undefined ? null : trialNamed(whole, named)
          const view = trial === null ? whole : onlyTrial(whole, trial.trialId)
          const { task: statistics } = await session.ask('tasks.statistics', {
            taskId: row.taskId,
            view: session.view,
          })
          if (globals.json === true) terminal.out(printableJson({ ...view, statistics }))
          else if (globals.csv === true) terminal.out(trialsCsv(view))
          else terminal.out(taskText(whole, trial, statistics, terminal.style, terminal.columns ?? 120))
          return EXIT.fine
        })
      }),
    )
}

/** The trial of a link when it is one that has a finding: a link may as well lead to a passing one. */
function failingTrial(view: TaskView, trialId: string | undefined): string | undefined {
  return view.findings.find((finding) => finding.trialId === trialId)?.trialId ?? undefined
}

/** The task when its analysis is there. */
export async function analysedTask(session: Session, taskId: string, terminal: Terminal): Promise<TaskView> {
  for (;;) {
    const view = await session.ask('tasks.get', { taskId, view: session.view })
    if (view.analysisState !== 'pending' && view.analysisState !== 'partial') {
      terminal.progress(null)
      return view
    }
    terminal.progress('Comparing trials …')
    await pause(50, undefined, { signal: session.signal })
  }
}

function trialNamed(view: TaskView, name: string): TrialRow {
  const exact = view.trials.filter((trial) => trial.trialId === name || trial.label === name)
  const found = exact.length > 0 ? exact : view.trials.filter((trial) => String(trial.number) === name)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  const list = (found.length > 1 ? found : view.trials)
    .slice(0, 40)
    .map(
      (trial) =>
        `  ${safe(trial.label)}  ${trial.outcome}  ${safe(trial.configurationLabel)}  (id ${trial.trialId})`,
    )
    .join('\n')
  if (found.length > 1) throw new UsageError(`Several trials answer to ${safe(name)}:\n${list}`)
  throw new Fault('NOT_FOUND', `No trial of this task answers to ${safe(name)}.`, {
    hint: `Its trials:\n${list}`,
  })
}

function onlyTrial(view: TaskView, trialId: string): TaskView {
  return {
    ...view,
    trials: view.trials.filter((trial) => trial.trialId === trialId),
    findings: view.findings.filter((finding) => finding.trialId === trialId),
    analysis:
      view.analysis === null
        ? null
        : {
            ...view.analysis,
            findings: view.analysis.findings.filter((finding) => finding.trial === trialId),
          },
  }
}

function taskText(
  view: TaskView,
  trial: TrialRow | null,
  statistics: TaskFiguresRow | null,
  style: Style,
  width: number,
): string {
  const { row } = view
  const title = row.title === null || row.title === '' ? '' : `: ${safe(row.title, width)}`
  const lines = [
    style.bold(`${safe(taskAddress(row), 80)}${title}`),
    `id ${row.taskId} · ${plural(view.trials.length, 'trial')} · ${scopeWords(view.configurations, view.configurations)} · ${policyWords(view.policy)}`,
    `${row.rate.passes} of ${row.rate.n} passed: ${rateWords(row.rate)}, Wilson 95 %; ${exclusionWords(row.rate, view.policy)}`,
  ]
  if (row.severeEvents > 0)
    lines.push(
      style.severe(`▲ ${plural(row.severeTrials, 'trial')} with ${plural(row.severeEvents, 'severe event')}`),
    )
  if (view.input !== null && view.input !== '') lines.push('', wrapped(safe(view.input, 400), width))
  lines.push('', curveText(view))
  if (statistics !== null) lines.push('', style.bold('How sure'), taskDoubtText(statistics, width))
  lines.push('', style.bold('Trials'), trialsText(view, style))
  lines.push('', lanesText(view, style, width))
  const heading = trial === null ? 'Where failing trials part' : `Where ${safe(trial.label, 24)} parts`
  lines.push('', style.bold(heading), findingText(view, trial?.trialId ?? null, style, width))
  const ranked = trial?.trialId ?? view.analysis?.lead?.trial
  if (ranked !== undefined) {
    const name = view.trials.find((other) => other.trialId === ranked)?.label ?? ranked
    lines.push(
      '',
      style.bold(`Differences of ${safe(name, 24)}, best first`),
      differencesText(view, ranked, width),
    )
  }
  if (trial === null && view.findings.length > 1)
    lines.push('', style.bold('Failing trials'), failingText(view))
  return lines.join('\n')
}

function curveText(view: TaskView): string {
  const wanted = new Set(shownK(view.curve.at(-1)?.k ?? 0))
  const rows = view.curve
    .filter((at) => wanted.has(at.k))
    .map((at) => [
      String(at.k),
      figure(at.passHatK),
      exact(at.exactHat),
      figure(at.passAtK),
      exact(at.exactAt),
    ])
  if (rows.length === 0) return 'pass^k and pass@k: not estimable (no trial counts)'
  const header: Column[] = [
    { title: 'k', align: 'right' },
    { title: 'pass^k', align: 'right' },
    { title: '' },
    { title: 'pass@k', align: 'right' },
    { title: '' },
  ]
  return textTable(header, rows)
}

/** An exact rational where it is short enough to be read. */
function exact(text: string | null): string {
  return text !== null && text.includes('/') && text.length <= 13 ? `= ${text}` : ''
}

function trialsText(view: TaskView, style: Style): string {
  const isMixed = view.configurations > 1
  const header: Column[] = [
    { title: '' },
    { title: 'trial' },
    ...(isMixed ? [{ title: 'configuration' }] : []),
    { title: 'outcome' },
    { title: 'steps', align: 'right' },
    { title: 'calls', align: 'right' },
    { title: 'errors', align: 'right' },
    { title: 'cost', align: 'right' },
    { title: 'severe' },
    { title: 'annotated as' },
  ]
  const rows = view.trials.map((trial) => [
    outcomeMark(trial, style),
    safe(trial.label, 24),
    ...(isMixed ? [safe(trial.configurationLabel, 32)] : []),
    trial.outcome +
      (trial.counts === 'excluded' ? ' (excluded)' : trial.isConflict ? ' (conflict)' : '') +
      (trial.judged == null || trial.judged.imported === trial.outcome
        ? ''
        : ` (imported: ${trial.judged.imported})`),
    String(trial.steps),
    String(trial.calls),
    String(trial.toolErrors),
    dollars(trial.costUsd),
    safe(
      trial.severe
        .filter((event) => event.severity === 'severe')
        .map((event) => event.kind)
        .join(', '),
      40,
    ),
    safe(trial.causes.join(', '), 40),
  ])
  return textTable(header, rows)
}

function failingText(view: TaskView): string {
  return view.findings
    .map((finding) => {
      const label = view.trials.find((trial) => trial.trialId === finding.trialId)?.label ?? finding.trialId
      return `  ${safe(label, 24)}: ${safe(finding.headline, 160)}`
    })
    .join('\n')
}

function trialsCsv(view: TaskView): string {
  const header =
    'trial_id suite task trial configuration outcome counts score steps calls tool_errors cost_usd input_tokens output_tokens duration_ms severe_events causes finding task_finding error_policy unknown_policy'
  return csvText(
    header.split(' '),
    view.trials.map((trial) => [
      trial.trialId,
      view.row.suite,
      view.row.task,
      trial.label,
      trial.configurationLabel,
      trial.outcome,
      trial.counts,
      trial.score,
      trial.steps,
      trial.calls,
      trial.toolErrors,
      trial.costUsd,
      trial.inputTokens,
      trial.outputTokens,
      trial.durationMs,
      countSevere(trial.severe),
      trial.causes.join('; '),
      view.findings.find((finding) => finding.trialId === trial.trialId)?.sentence ?? null,
      view.lead?.sentence ?? leadWords(view.row.lead),
      view.policy.error,
      view.policy.unknown,
    ]),
  )
}
