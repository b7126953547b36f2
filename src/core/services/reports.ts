// Reports: gathers view rows through the other services' handlers, redacts them when asked, and has core/reports
// turn them into text; saves that text to the file that the person chose. Computes no figure of its own.

import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../../base/fault.ts'
import type { Parsed } from '../../contract/contract.ts'
import type { RuleList } from '../../contract/rulerows.ts'
import type { SuiteSummary, TaskRow, TaskView } from '../../contract/rows.ts'
import type { ReportText } from '../../contract/textrows.ts'
import type { Annotation } from '../../model/annotation.ts'
import { countSevere } from '../../model/trial.ts'
import { csvReport } from '../reports/csv.ts'
import { contents, type ReportInput, type ReportTask } from '../reports/input.ts'
import { jsonReport } from '../reports/json.ts'
import { markdownReport } from '../reports/markdown.ts'
import { redactInput } from '../reports/redactrows.ts'
import type { Context, RequestContext, Slice } from '../context.ts'
import { checkTarget } from '../store/targets.ts'
import { writeWhole } from '../store/wholefile.ts'
import { suiteSummary } from './taskrows.ts'

/** What reports ask of the other services. */
export type ReportSources = Slice<
  | 'workspace.info'
  | 'configurations.list'
  | 'tasks.list'
  | 'tasks.get'
  | 'trials.pair'
  | 'annotations.list'
  | 'taxonomy.get'
  | 'rules.list'
>

type Request = Parsed<'report.preview'>

/** Rows per question to the task table: the contract's limit. */
const PAGE = 1000
/** Characters of one step text in a report; longer ones are cut and say so. */
const STEP_CHARS = 20_000

/** `report.preview` and `report.save`. */
export function reportsService(
  context: Context,
  ask: ReportSources,
): Slice<'report.preview' | 'report.save'> {
  const make = async (request: Request, signal: AbortSignal): Promise<ReportText> => {
    const plain = await gather(ask, request, signal)
    const input = request.redact ? redactInput(plain) : plain
    return { text: write(input, request.format), ...contents(input) }
  }
  return {
    'report.preview': (request, { signal }) => make(request, signal),
    async 'report.save'({ file, report }, { signal }) {
      checkTarget(file.path, context.path())
      const { text, ...counts } = await make(report, signal)
      const bytes = Buffer.from(text, 'utf8')
      await writeWhole(file.path, bytes, 'report')
      context.log('info', `A report of ${counts.tasks} tasks was saved.`)
      return { path: file.path, bytes: bytes.length, report: counts }
    },
  }
}

function write(input: ReportInput, format: Request['format']): string {
  switch (format) {
    case 'markdown':
      return markdownReport(input)
    case 'json':
      return jsonReport(input)
    case 'csv':
      return csvReport(input)
  }
}

/** Questions inside the core carry the signal of the report's own request and report no progress. */
function inner(signal: AbortSignal): RequestContext<never> {
  return { id: 'report', signal, progress: () => undefined }
}

async function gather(ask: ReportSources, request: Request, signal: AbortSignal): Promise<ReportInput> {
  const own = inner(signal)
  const { view, include, trialIds } = request
  const [info, configurations, taxonomy, annotations, rules] = await Promise.all([
    ask['workspace.info']({}, own),
    ask['configurations.list']({}, own),
    ask['taxonomy.get']({}, own),
    ask['annotations.list']({ taskId: null }, own),
    ask['rules.list']({}, own),
  ])
  const table = await allRows(ask, view, own)
  const wanted = request.taskIds === null ? null : new Set(request.taskIds)
  const chosen = wanted === null ? table.rows : table.rows.filter((row) => wanted.has(row.taskId))
  if (wanted !== null && chosen.length < wanted.size) {
    throw new Fault('NOT_FOUND', `${wanted.size - chosen.length} of the tasks chosen are not in scope.`, {
      hint: 'They may have been deleted, or their configuration is not in scope.',
    })
  }
  const tasks: ReportTask[] = []
  for (const row of chosen) {
    signal.throwIfAborted()
    const task = await analysedTask(ask, row.taskId, view, own)
    tasks.push({
      view: task,
      annotations: include.findings ? annotationsOf(task, annotations, trialIds) : [],
      pair: include.findings && include.stepTexts ? await pairOf(task, ask, own) : null,
    })
  }
  const inScope = view.configurations === null ? null : new Set(view.configurations)
  return {
    workspace: {
      name: info.name,
      coreVersion: info.coreVersion,
      schemaVersion: info.schemaVersion,
      algorithm: info.algorithm,
    },
    configurations: configurations.filter((row) => inScope?.has(row.configurationId) ?? true),
    summary: wanted === null ? table.summary : summaryOf(tasks, table.summary),
    tasks,
    taxonomy,
    tasksInScope: table.totalInScope,
    trialIds,
    include,
    rules: rulesInForce(rules, table.summary.suites),
    redaction: null,
  }
}

/** The rules that are on for a suite of the report; those of other suites say nothing about its figures. */
function rulesInForce(list: RuleList, suites: readonly string[]): ReportInput['rules'] {
  return list.rows.flatMap(({ rule, words, effect }) => {
    if (!rule.enabled || (rule.suite !== null && !suites.includes(rule.suite))) return []
    const { id, revision, suite, kind, note } = rule
    return [{ ruleId: id, revision, suite, kind, words, note, effect }]
  })
}

/** The task when its analysis is there: a report says what was found, not what is still being looked for. */
async function analysedTask(
  ask: ReportSources,
  taskId: string,
  view: Request['view'],
  own: RequestContext<never>,
): Promise<TaskView> {
  for (;;) {
    const task = await ask['tasks.get']({ taskId, view, first: null }, own)
    if (task.analysisState !== 'pending' && task.analysisState !== 'partial') return task
    await pause(20, undefined, { signal: own.signal })
  }
}

/** Every row in scope, severe first: the table's own order, so that two reports of one workspace are equal. */
async function allRows(
  ask: ReportSources,
  view: Request['view'],
  own: RequestContext<never>,
): Promise<{
  readonly rows: readonly TaskRow[]
  readonly summary: SuiteSummary
  readonly totalInScope: number
}> {
  const filter = {
    text: '',
    outcome: 'any',
    lead: 'any',
    annotated: 'any',
    severe: false,
    suite: null,
  } as const
  const rows: TaskRow[] = []
  for (;;) {
    const page = await ask['tasks.list'](
      { view, filter, sort: 'severe', descending: false, offset: rows.length, limit: PAGE },
      own,
    )
    rows.push(...page.rows)
    if (rows.length >= page.total || page.rows.length === 0)
      return { rows, summary: page.summary, totalInScope: page.totalInScope }
    own.signal.throwIfAborted()
  }
}

/** The figures over exactly the chosen tasks, from the same trials that their views list. */
function summaryOf(tasks: readonly ReportTask[], whole: SuiteSummary): SuiteSummary {
  const lines = tasks.flatMap(({ view }) =>
    view.trials.map((trial) => ({
      trialId: trial.trialId,
      taskId: view.row.taskId,
      configurationId: trial.configurationId,
      outcome: trial.outcome,
      severeEvents: countSevere(trial.severe),
      costUsd: trial.costUsd,
    })),
  )
  return suiteSummary(
    tasks.map(({ view }) => view.row),
    lines,
    whole.policy,
    { inScope: whole.configurations, total: whole.configurationsTotal },
  )
}

/** Annotations of the task's trials, in the order of the trials. */
function annotationsOf(
  task: TaskView,
  all: readonly Annotation[],
  trialIds: readonly string[] | null,
): readonly Annotation[] {
  return task.trials.flatMap((trial) =>
    trialIds !== null && !trialIds.includes(trial.trialId)
      ? []
      : all.filter((annotation) => annotation.trialId === trial.trialId),
  )
}

/** The failing trial's step and the same column in the first passing trial that has it. */
async function pairOf(
  task: TaskView,
  ask: ReportSources,
  own: RequestContext<never>,
): Promise<ReportTask['pair']> {
  const { analysis } = task
  const lead = analysis?.lead
  if (analysis == null || lead == null) return null
  const cellOf = (trial: string): { step: number; call: number | null; resultStep: number | null } | null =>
    analysis.lanes.find((lane) => lane.trial === trial)?.cells.find((cell) => cell.column === lead.column) ??
    null
  const left = lead.step === null ? null : { step: lead.step, call: lead.call, resultStep: null }
  const passing = analysis.lanes.find((lane) => lane.isPass && cellOf(lane.trial) !== null)
  const ref = (
    trialId: string | undefined,
    cell: { step: number; call: number | null; resultStep: number | null } | null,
  ): { trialId: string; step: number; call: number | null; resultStep: number | null } | null =>
    trialId === undefined || cell === null
      ? null
      : { trialId, step: cell.step, call: cell.call, resultStep: cell.resultStep }
  return await ask['trials.pair'](
    {
      left: ref(lead.trial, cellOf(lead.trial) ?? left),
      right: ref(passing?.trial, passing ? cellOf(passing.trial) : null),
      limitChars: STEP_CHARS,
    },
    own,
  )
}
