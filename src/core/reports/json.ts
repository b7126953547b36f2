// The report as JSON for programs: every figure in full precision, in the shape that docs/report.schema.json
// describes. Fields are written one by one, so that the published shape does not change when a view row does.

import { printableJson, type Json, type JsonObject } from '../../base/json.ts'
import { wellFormed } from '../../base/text.ts'
import type { Figure, Rate, StepView, TrialRow } from '../../contract/rows.ts'
import type { ConfigurationRow } from '../../contract/workspacerows.ts'
import type { Annotation } from '../../model/annotation.ts'
import type { Divergence, TaskAnalysis } from '../../model/analysis.ts'
import { causeName } from './figures.ts'
import type { ReportInput, ReportTask } from './input.ts'

/** Names the schema; the file of the same name stands in docs/. */
export const REPORT_SCHEMA = 'urn:faultline:report:1'

/** The whole report, indented by two, ending with one line feed. */
export function jsonReport(input: ReportInput): string {
  const report: JsonObject = {
    $schema: REPORT_SCHEMA,
    exporter: `faultline@${input.workspace.coreVersion}`,
    algorithm: input.workspace.algorithm,
    workspaceSchema: input.workspace.schemaVersion,
    workspace: input.workspace.name,
    policy: { ...input.summary.policy },
    scope: {
      configurations: input.configurations.map(configuration),
      configurationsTotal: input.summary.configurationsTotal,
      tasks: input.tasks.length,
      tasksInScope: input.tasksInScope,
      trials: input.trialIds === null ? null : [...input.trialIds],
    },
    rules: input.rules.map((rule) => ({ ...rule, effect: { ...rule.effect } })),
    redaction: input.redaction === null ? null : input.redaction.map((count) => ({ ...count })),
    summary: input.include.summary ? summary(input) : null,
    tasks: input.tasks.map((task) => taskObject(task, input)),
  }
  return `${printableJson(wellFormedJson(report))}\n`
}

/** Lone surrogates are no Unicode: JSON.stringify would escape them and strict readers refuse them. */
function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormedJson)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [wellFormed(key), wellFormedJson(item)]),
  )
}

function figureObject(figure: Figure): JsonObject {
  return figure.ok ? { value: figure.value } : { value: null, reason: figure.reason }
}

function rateObject(rate: Rate): JsonObject {
  return {
    n: rate.n,
    passes: rate.passes,
    rate: figureObject(rate.rate),
    wilson95: rate.wilson === null ? null : [...rate.wilson],
    fails: rate.fails,
    errors: rate.errors,
    unknown: rate.unknown,
    excluded: rate.excluded,
  }
}

function configuration(row: ConfigurationRow): JsonObject {
  return {
    id: row.configurationId,
    label: row.label,
    trials: row.trials,
    tasks: row.tasks,
    passes: row.passes,
    configuration: { ...row.configuration },
  }
}

function summary(input: ReportInput): JsonObject {
  const s = input.summary
  return {
    tasks: s.tasks,
    trials: s.trials,
    alwaysPass: s.alwaysPass,
    neverPass: s.neverPass,
    sometimes: s.sometimes,
    notEstimable: s.notEstimable,
    pooled: rateObject(s.pooled),
    otherReading:
      s.otherReading === null ? null : { policy: { ...s.otherReading.policy }, rate: s.otherReading.rate },
    curve: s.curve.map((at) => ({
      k: at.k,
      passHatK: figureObject(at.passHatK),
      passAtK: figureObject(at.passAtK),
      tasksDefined: at.tasksDefined,
      tasks: at.tasks,
      bounds: at.bounds === null ? null : [...at.bounds],
    })),
    severe: severe(s),
    costTotalUsd: s.costTotal,
    suites: [...s.suites],
  }
}

function severe(of: {
  readonly severeTrials: number
  readonly severeEvents: number
  readonly passedButHarmful: number
  readonly severeUpper: number | null
}): JsonObject {
  return {
    trials: of.severeTrials,
    events: of.severeEvents,
    passedButHarmful: of.passedButHarmful,
    upper95: of.severeUpper,
  }
}

function taskObject(task: ReportTask, input: ReportInput): JsonObject {
  const { view } = task
  const { row } = view
  const chosen = (trialId: string): boolean => input.trialIds === null || input.trialIds.includes(trialId)
  return {
    id: row.taskId,
    suite: row.suite,
    task: row.task,
    title: row.title,
    rate: rateObject(row.rate),
    verdict: row.verdict,
    curve: view.curve.map((at) => ({
      k: at.k,
      passHatK: figureObject(at.passHatK),
      passAtK: figureObject(at.passAtK),
      exactHat: at.exactHat,
      exactAt: at.exactAt,
    })),
    severe: severe(row),
    cost: {
      meanUsd: row.costMean,
      worstUsd: row.costWorst,
      worstTrial: row.costWorstTrial,
      trials: row.costTrials,
    },
    state: row.lead.state,
    finding: input.include.findings ? finding(task) : null,
    trials: input.include.findings
      ? view.trials.filter((t) => chosen(t.trialId)).map((t) => trial(t, task))
      : [],
    annotations: input.include.findings ? task.annotations.map((a) => annotation(a, input)) : [],
    steps:
      input.include.stepTexts && task.pair !== null
        ? { failing: step(task.pair.left), passing: step(task.pair.right) }
        : null,
  }
}

function finding({ view }: ReportTask): JsonObject | null {
  const { analysis, lead } = view
  if (analysis === null) return null
  return {
    state: analysis.state,
    tooFew: analysis.tooFew,
    algorithm: analysis.version,
    headline: lead?.headline ?? null,
    sentence: lead?.sentence ?? null,
    intervention: lead?.intervention ?? null,
    isProof: false,
    divergence: divergence(analysis.lead),
    permutation: permutation(analysis),
    excluded: analysis.excluded.map((item) => ({ ...item })),
  }
}

function permutation(analysis: TaskAnalysis): JsonObject {
  return { ...analysis.permutation }
}

function divergence(d: Divergence | null | undefined): JsonObject | null {
  if (d == null) return null
  return {
    trial: d.trial,
    column: d.column,
    step: d.step,
    call: d.call,
    kind: d.kind,
    stage: d.stage,
    tool: d.tool,
    columnTool: d.columnTool,
    facet: d.facet,
    valueFailing: d.valueFail,
    valuePassing: d.valuePass,
    isUngrounded: d.isUngrounded,
    counts: { failingWith: d.counts.a, failing: d.counts.F, passingWith: d.counts.b, passing: d.counts.P },
    effect: { ...d.effect },
    weight: d.probability,
    level: d.level,
    explains: [...d.explains],
    how: { ...d.how },
  }
}

function trial(row: TrialRow, { view }: ReportTask): JsonObject {
  const computed = view.analysis?.findings.find((f) => f.trial === row.trialId)
  const text = view.findings.find((f) => f.trialId === row.trialId)
  return {
    id: row.trialId,
    number: row.number,
    label: row.label,
    configuration: row.configurationId,
    outcome: row.outcome,
    counts: row.counts,
    judged: row.judged == null ? null : { ...row.judged },
    score: row.score,
    termination: row.termination,
    severe: row.severe.map((event) => ({ ...event })),
    steps: row.steps,
    costUsd: row.costUsd,
    state: computed?.state ?? null,
    sentence: text?.sentence ?? null,
    pNone: computed?.pNone ?? null,
    divergence: divergence(computed?.ranked[0]),
    sources: row.sources.map((source) => ({ ...source })),
  }
}

function annotation(a: Annotation, input: ReportInput): JsonObject {
  return {
    trial: a.trialId,
    causes: a.causes.map((id) => ({ id, name: causeName(id, input.taxonomy) })),
    severity: a.severity,
    verdict: a.verdict,
    verdictColumn: a.verdictColumn,
    confidence: a.confidence,
    note: a.note,
    evidence: a.evidence.map((item) => ({ ...item })),
    leadShown: a.leadShown,
    algorithm: a.algorithm,
    revision: a.revision,
    updatedAt: a.updatedAt,
  }
}

function step(view: StepView | null): JsonObject | null {
  if (view === null) return null
  return {
    trial: view.trialId,
    step: view.step,
    call: view.call,
    role: view.role,
    tool: view.tool,
    args: view.args,
    argsRaw: view.argsRaw,
    observation: view.observation,
    observationText: view.observationText,
    said: view.said,
    error: view.error,
    isError: view.isError,
    cutFromChars: view.cutFromChars,
  }
}
