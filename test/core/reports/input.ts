// Builds a report's input by hand: one task with a lead, one without, annotations and a step pair. Every text field
// can be filled with a hostile or private string, so that tests can look for it in what the writers give.

import type { ReportInput, ReportTask } from '../../../src/core/reports/input.ts'
import type { Divergence, TaskAnalysis } from '../../../src/model/analysis.ts'
import type { StepView, TaskView, TrialRow } from '../../../src/contract/rows.ts'
import { DEFAULT_POLICY } from '../../../src/model/outcome.ts'
import { UNKNOWN_CONFIGURATION } from '../../../src/model/trial.ts'

/** What stands in every field that comes from traces or people. */
export type Texts = { readonly name: string; readonly text: string }

const figure = (value: number): { readonly ok: true; readonly value: number } => ({ ok: true, value })

export function divergence(text: string, name: string): Divergence {
  return {
    trial: 'trial-2',
    column: 3,
    step: 6,
    call: 0,
    kind: 'arguments',
    scoringKind: 'write.arg',
    stage: name,
    tool: name,
    columnTool: name,
    facet: `note.${text}`,
    valueFail: text,
    valuePass: text,
    isUngrounded: true,
    counts: { a: 1, F: 1, b: 0, P: 1 },
    effect: { passWith: 0, passWithout: 1, low: -1, high: 0.1 },
    probability: 0.87,
    explains: [4, 5],
    level: 'Lead',
    isConsequence: false,
    isInert: false,
    afterError: false,
    how: { prior: 1, priorName: 'x', novelty: 0, surprise: 0, sharing: 0, own: 1, cascade: 0, score: 2 },
    siblings: [{ trial: 'trial-1', step: 6, call: 0 }],
  }
}

function analysis(text: string, name: string): TaskAnalysis {
  const lead = divergence(text, name)
  return {
    version: 'divergence-1',
    state: 'lead',
    tooFew: true,
    columns: [],
    lanes: [],
    findings: [{ trial: 'trial-2', state: 'lead', pNone: 0.1, ranked: [lead] }],
    modes: [],
    lead,
    permutation: {
      p: 0.5,
      floor: 0.5,
      labelings: 2,
      isExact: true,
      generator: 'xoshiro128ss-1.1',
      seed: 1,
      stream: 'perm',
    },
    tools: [],
    excluded: [{ trial: 'trial-3', reason: text }],
  }
}

function trial(number: number, outcome: 'pass' | 'fail', { text, name }: Texts): TrialRow {
  return {
    trialId: `trial-${number}`,
    number,
    label: name,
    configurationId: 'configuration-1',
    configurationLabel: name,
    outcome,
    counts: outcome,
    score: outcome === 'pass' ? 1 : 0,
    scorer: null,
    termination: null,
    error: { type: null, message: text, origin: 'unknown' },
    severe: [{ step: 1, kind: name, severity: 'severe', note: text }],
    steps: 9,
    calls: 4,
    toolErrors: 0,
    costUsd: 0.0123,
    inputTokens: null,
    outputTokens: null,
    durationMs: null,
    sourceTrial: null,
    seed: null,
    sources: [{ fileName: name, record: number, line: null }],
    annotationRevision: null,
    causes: [],
    isConflict: false,
    attemptOf: null,
    attached: null,
  }
}

function step(trialId: string, { text, name }: Texts): StepView {
  return {
    trialId,
    trialLabel: name,
    outcome: 'fail',
    step: 6,
    call: 0,
    role: 'assistant',
    kind: 'tool_call',
    agent: null,
    stage: null,
    tool: name,
    args: { [text]: text },
    argsRaw: null,
    observation: null,
    observationText: text,
    said: text,
    error: text,
    isError: true,
    startedAt: null,
    durationMs: null,
    cutFromChars: null,
  }
}

function view(texts: Texts, withLead: boolean, number: number): TaskView {
  const { text, name } = texts
  const finding = { trialId: 'trial-2', headline: text, sentence: text, intervention: text, how: [] }
  return {
    row: {
      taskId: `task-${number}`,
      suite: name,
      task: `${name}-${number}`,
      title: text,
      rate: {
        n: 2,
        passes: 1,
        rate: figure(0.5),
        wilson: [0.0945, 0.9055],
        fails: 1,
        errors: 0,
        unknown: 0,
        excluded: 0,
      },
      curve: [0.5, 0],
      verdict: 'sometimes',
      severeTrials: 1,
      severeEvents: 2,
      passedButHarmful: 1,
      severeUpper: 0.9,
      costMean: 0.0123,
      costWorst: 0.0123,
      costWorstTrial: 'trial-1',
      costTrials: 2,
      configurations: 1,
      lead: {
        state: withLead ? 'lead' : 'no failing run',
        tooFew: withLead,
        stage: withLead ? name : null,
        tool: withLead ? name : null,
        kind: withLead ? 'arguments' : null,
        level: withLead ? 'Lead' : null,
        probability: withLead ? 0.87 : null,
        a: 1,
        F: 1,
        b: 0,
        P: 1,
      },
      annotated: withLead ? 1 : 0,
      failing: 1,
    },
    input: text,
    curve: [
      { k: 1, passHatK: figure(0.5), passAtK: figure(0.5), exactHat: '1/2', exactAt: '1/2' },
      { k: 2, passHatK: figure(0), passAtK: figure(1), exactHat: '0', exactAt: '1' },
    ],
    trials: [trial(1, 'pass', texts), trial(2, 'fail', texts)],
    analysis: withLead ? analysis(text, name) : null,
    analysisState: 'ready',
    comparing: 0,
    analysisFault: null,
    lead: withLead ? finding : null,
    findings: withLead ? [finding] : [],
    byConfiguration: [],
    policy: DEFAULT_POLICY,
    configurations: 1,
  }
}

/** A report of two tasks with these texts everywhere. */
export function reportInput(texts: Texts, more: Partial<ReportInput> = {}): ReportInput {
  const { text, name } = texts
  const told: ReportTask = {
    view: view(texts, true, 1),
    annotations: [
      {
        id: 'annotation-1',
        trialId: 'trial-2',
        revision: 1,
        createdAt: '2025-01-01T00:00:00.000Z',
        updatedAt: '2025-01-01T00:00:00.000Z',
        causes: ['planning/skipped-check', 'gone'],
        severity: 'major',
        verdict: 'right',
        verdictColumn: null,
        evidence: [{ trialId: 'trial-2', step: 6, part: 'arguments', quote: text }],
        note: text,
        confidence: 0.5,
        leadShown: `before: ${text}`,
        algorithm: 'divergence-1',
      },
    ],
    pair: { left: step('trial-2', texts), right: step('trial-1', texts) },
  }
  return {
    workspace: { name, coreVersion: '0.1.0', schemaVersion: 1, algorithm: 'divergence-1' },
    rules: [
      {
        ruleId: 'r1',
        revision: 2,
        suite: name,
        kind: 'duplicate',
        words: `book must not be called twice ${text}`,
        note: text,
        effect: { is: 'events', events: 3, trials: 2, tasks: 1, costUsd: 12.5 },
      },
    ],
    configurations: [
      {
        configurationId: 'configuration-1',
        label: name,
        configuration: { ...UNKNOWN_CONFIGURATION, model: name, agent: name, params: { [text]: text } },
        imported: { ...UNKNOWN_CONFIGURATION, model: name, agent: name, params: { [text]: text } },
        trials: 4,
        tasks: 2,
        passes: 2,
      },
    ],
    summary: {
      tasks: 2,
      trials: 4,
      alwaysPass: 0,
      neverPass: 0,
      sometimes: 2,
      notEstimable: 0,
      pooled: {
        n: 4,
        passes: 2,
        rate: figure(0.5),
        wilson: [0.150036, 0.849964],
        fails: 2,
        errors: 1,
        unknown: 0,
        excluded: 0,
      },
      curve: [
        { k: 1, passHatK: figure(0.5), passAtK: figure(0.5), tasksDefined: 2, tasks: 2, bounds: null },
        {
          k: 2,
          passHatK: { ok: false, reason: 'not estimable (needs n ≥ k)' },
          passAtK: figure(0.99996),
          tasksDefined: 1,
          tasks: 2,
          bounds: [0, 0.5],
        },
      ],
      severeTrials: 2,
      severeEvents: 4,
      passedButHarmful: 1,
      severeUpper: 0.9,
      costTotal: 0.0492,
      policy: DEFAULT_POLICY,
      otherReading: { policy: { error: 'exclude', unknown: 'exclude' }, rate: 2 / 3 },
      configurations: 1,
      configurationsTotal: 3,
      suites: [name],
    },
    tasks: [told, { view: view(texts, false, 2), annotations: [], pair: null }],
    taxonomy: {
      format: 'faultline-taxonomy',
      version: 1,
      title: 'Root causes',
      terms: [{ id: 'planning/skipped-check', name: 'Skipped check', definition: '', example: '' }],
    },
    tasksInScope: 3,
    trialIds: null,
    include: { summary: true, findings: true, method: true, stepTexts: true },
    redaction: null,
    ...more,
  }
}
