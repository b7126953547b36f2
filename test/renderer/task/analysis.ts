// Builds task analyses for tests of the task screen from a picture: one line per lane, one letter per column.
// A letter is the cell's variant, `-` an absent step, `!` after a letter a step that failed.

import type {
  Cell,
  Column,
  Divergence,
  Lane,
  TaskAnalysis,
  TrialFinding,
} from '../../../src/model/analysis.ts'
import type { TrialRow } from '../../../src/contract/rows.ts'

/** A divergence of a trial with the fields that the screen reads; everything else at its plainest. */
export function divergence(trial: string, column: number, more: Partial<Divergence> = {}): Divergence {
  return {
    trial,
    column,
    step: null,
    call: null,
    kind: 'missing',
    scoringKind: 'check.missing',
    stage: 'check',
    tool: 'check',
    columnTool: 'check',
    facet: null,
    valueFail: null,
    valuePass: null,
    isUngrounded: false,
    counts: { a: 1, F: 1, b: 0, P: 1 },
    effect: { passWith: 0, passWithout: 1, low: 0, high: 1 },
    probability: 0.9,
    explains: [],
    level: 'Lead',
    isConsequence: false,
    isInert: false,
    afterError: false,
    how: {
      prior: 0.2,
      priorName: 'check.missing',
      novelty: 0,
      surprise: 0,
      sharing: 0,
      own: 1,
      cascade: 0,
      score: 1,
    },
    siblings: [],
    ...more,
  }
}

/** An analysis from a picture. `stages` names each column's stage, `tools` its tool. */
export function analysisOf(
  picture: readonly string[],
  stages: readonly string[],
  findings: readonly TrialFinding[] = [],
  more: Partial<TaskAnalysis> = {},
): TaskAnalysis {
  const alike = new Map<string, number>()
  const lanes: Lane[] = picture.map((line) => {
    const [trial = '', outcome = '', ...cells] = line.split(/\s+/)
    const text = `${outcome} ${cells.join(' ')}`
    if (!alike.has(text)) alike.set(text, alike.size)
    const placed = cells.flatMap((mark, column): Cell[] =>
      mark === '-'
        ? []
        : [
            {
              column,
              step: column * 2,
              call: 0,
              resultStep: column * 2 + 1,
              tool: `tool_${column}`,
              variant: mark.charCodeAt(0) - 97,
              differs: mark !== 'a',
              isError: mark.endsWith('!'),
              recovered: false,
            },
          ],
    )
    const isPass = outcome === 'pass'
    return {
      trial,
      outcome: isPass ? 'pass' : 'fail',
      isPass,
      cells: placed,
      alike: alike.get(text) ?? 0,
      stepCount: placed.length,
    }
  })
  const columns = stages.map((stage, index): Column => {
    const present = (isPass: boolean): number =>
      lanes.filter((lane) => lane.isPass === isPass && lane.cells.some((cell) => cell.column === index))
        .length
    return {
      index,
      stage,
      tool: `tool_${index}`,
      stepClass: 'read',
      passPresent: present(true),
      failPresent: present(false),
    }
  })
  const lead = findings.find((finding) => finding.state === 'lead')?.ranked[0] ?? null
  return {
    version: 'test',
    state: lead === null ? 'none' : 'lead',
    tooFew: false,
    columns,
    lanes,
    findings,
    modes: [],
    lead,
    permutation: {
      p: null,
      floor: null,
      labelings: 0,
      isExact: true,
      generator: '',
      seed: 0,
      stream: 'perm',
    },
    tools: [],
    excluded: [],
    ...more,
  }
}

/** A trial row with the fields that the screen reads. */
export function trialRow(trialId: string, number: number, more: Partial<TrialRow> = {}): TrialRow {
  return {
    trialId,
    number,
    label: `trial ${number}`,
    configurationId: 'c1',
    configurationLabel: 'careful',
    outcome: 'pass',
    counts: 'pass',
    score: null,
    scorer: null,
    termination: null,
    error: null,
    severe: [],
    steps: 0,
    calls: 0,
    toolErrors: 0,
    costUsd: null,
    inputTokens: null,
    outputTokens: null,
    durationMs: null,
    sourceTrial: null,
    seed: null,
    sources: [],
    annotationRevision: null,
    causes: [],
    isConflict: false,
    attemptOf: null,
    attached: null,
    ...more,
  }
}
