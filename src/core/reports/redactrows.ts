// Redacts everything that goes into a report, before any writer sees it, so that all formats are redacted alike.
// Walks the view rows as data and fails closed: a field that is not listed here is treated as content. Listed are
// the fields that Faultline itself writes, and the names by which a reader finds a task, tool or file again.

import { isObject, type Json } from '../../base/json.ts'
import type { ReportInput, ReportTask } from './input.ts'
import { createRedactor, type Redactor } from './redact.ts'

/** Written by Faultline from closed lists, or its own ids: nothing of a trace can stand here. */
const OWN = new Set(
  (
    'taskId trialId trial configurationId fileId annotationId id version algorithm generator stream state outcome ' +
    'counts level kind scoringKind stepClass role severity verdict part causes createdAt updatedAt origin exactHat ' +
    'exactAt analysisState code coreVersion ruleId imported is'
  ).split(' '),
)
/** Names and labels: patterns for codes are not applied, everything else is. */
const NAMES = new Set(
  (
    'suite task suites tool columnTool canonical name stage label trialLabel configurationLabel fileName termination ' +
    'scorer agent model agentVersion promptVersion toolsVersion policyVersion environment sourceTrial seed'
  ).split(' '),
)
/** JSON as it stood in the trace, with keys of its own. */
const JSON_FIELDS = new Set(['args', 'observation', 'params'])

/** The report's input with every stub in place and the counts of what was replaced. */
export function redactInput(input: ReportInput): ReportInput {
  const redactor = createRedactor()
  for (const task of input.tasks) learnTask(task, redactor)
  const walk = (value: unknown, key: string | null, parent: string | null): unknown => {
    if (typeof value === 'string') {
      // The kind of a severe event is the source's word, every other kind is ours.
      if (key !== null && OWN.has(key) && parent !== 'severe') return value
      return key !== null && NAMES.has(key) ? redactor.name(value) : redactor.text(value)
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, key, parent))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        JSON_FIELDS.has(name) ? redactor.json(item as Json) : walk(item, name, key),
      ]),
    )
  }
  const redacted = walk(
    {
      name: input.workspace.name,
      configurations: input.configurations,
      summary: input.summary,
      tasks: input.tasks.map(withoutTornEnds),
      rules: input.rules,
    },
    null,
    null,
  ) as Pick<ReportInput, 'configurations' | 'summary' | 'tasks' | 'rules'> & { readonly name: string }
  return {
    ...input,
    workspace: { ...input.workspace, name: redacted.name },
    configurations: redacted.configurations,
    summary: redacted.summary,
    tasks: redacted.tasks,
    rules: redacted.rules,
    redaction: redactor.counts(),
  }
}

/** Values under telling keys, in the steps and in the differences, are replaced in sentences and notes too. */
function learnTask(task: ReportTask, redactor: Redactor): void {
  for (const step of [task.pair?.left, task.pair?.right]) {
    if (step) for (const value of [step.args, step.observation]) redactor.learn(value)
  }
  const divergences = (task.view.analysis?.findings ?? []).flatMap((finding) => finding.ranked)
  for (const { facet, valueFail, valuePass } of divergences) {
    const key = facet?.match(/([A-Za-z_]\w*)[^A-Za-z_]*$/)?.[1]
    if (key === undefined) continue
    for (const value of [valueFail, valuePass]) {
      if (value !== null) redactor.learn({ [key]: unquoted(value) })
    }
  }
}

/** A value shown as JSON text, as a value; anything else as it is. */
function unquoted(value: string): Json {
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

/** Where a step's text was cut, the torn last word could be half an address: it is dropped. */
function withoutTornEnds(task: ReportTask): ReportTask {
  const mend = (step: NonNullable<ReportTask['pair']>['left']): typeof step => {
    if (step === null || step.cutFromChars === null) return step
    const cut = (text: string | null): string | null => text?.replace(/\S{1,200}$/, '') ?? null
    return {
      ...step,
      argsRaw: cut(step.argsRaw),
      observationText: cut(step.observationText),
      said: cut(step.said),
      error: cut(step.error),
    }
  }
  return task.pair === null
    ? task
    : { ...task, pair: { left: mend(task.pair.left), right: mend(task.pair.right) } }
}
