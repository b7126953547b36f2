// Parts of the engine on their own: own scores against the worked table, names and globs, alignment, permutation test,
// comparability, states, options of a person, words.

import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import { analyseTask, OpenAnalysis } from '../../../src/analysis/divergence/analyse.ts'
import { longestIncreasing } from '../../../src/analysis/divergence/alignrow.ts'
import { OwnScores } from '../../../src/analysis/divergence/own.ts'
import { levelOf } from '../../../src/analysis/divergence/result.ts'
import {
  findingSentence,
  howComputed,
  moreTrials,
  STATE_SENTENCES,
  weightText,
} from '../../../src/analysis/divergence/wording.ts'
import { classOfName, matchesGlob, nameWords, stageOfName } from '../../../src/analysis/divergence/words.ts'
import type { AnalysisOptions } from '../../../src/analysis/divergence/options.ts'
import type { TaskAnalysis } from '../../../src/model/analysis.ts'
import type { Outcome } from '../../../src/model/outcome.ts'
import { toTrial } from '../../bench/divergence/convert.ts'
import type { CompactStep } from '../../bench/divergence/convert.ts'

type Call = readonly [tool: string, args?: Json, obs?: Json]

function steps(calls: readonly Call[]): CompactStep[] {
  return calls.map(([tool, args, obs]) => ({
    kind: 'tool',
    tool,
    args: args ?? {},
    obs: obs ?? { ok: true },
  }))
}

function analyse(
  trials: readonly (readonly [Outcome, readonly Call[]])[],
  options: AnalysisOptions = {},
): TaskAnalysis {
  return analyseTask(
    trials.map(([outcome, calls], i) => ({ id: `t${i}`, trial: toTrial(steps(calls), outcome) })),
    options,
  )
}

test.each([
  ['check.missing', 0, 3, 0.03, 1, 1, 0.015, 5.224551],
  ['write.arg', 0, 5, 0.03, 0, 0, 0.01125, 3.437565],
  ['write.arg', 0, 5, 0.03, 2, 2, 0.01125, 7.53133],
  ['write.arg', 1, 5, 0.03, 2, 2, 0.13625, 2.514978],
  ['read.arg', 0, 8, 0.2, 0, 1, 0.054545, -0.113513],
  ['read.extra', 0, 10, 0.05, 0, 9, 0.011538, -0.40176],
  ['term', 0, 4, 0.02, 3, 3, 0.008571, 7.649114],
  ['write.dup', 0, 2, 0.03, 0, 0, 0.018, 2.967561],
] as const)('own score of %s with %i of %i', (kind, b, N, eta, a, others, q, expected) => {
  const own = new OwnScores().of(kind, b, N, eta, a, others)
  expect(own.q).toBeCloseTo(q, 6)
  expect(own.own).toBeCloseTo(expected, 5)
})

describe('names', () => {
  test.each([
    ['mcp__ops__queryMetrics', false, 'gather'],
    ['ackIncident', true, 'act'],
    ['str_replace', true, 'act'],
    ['validate_input', false, 'check'],
    ['find_user_id_by_email', false, 'identify'],
    ['parse_date', false, 'compute'],
    ['', true, 'act'],
  ])('%s', (name, isWrite, stage) => {
    const verdict = classOfName(name)
    expect(verdict.isWrite).toBe(isWrite)
    expect(verdict.reason).not.toBe('')
    expect(stageOfName(name, verdict.isWrite)).toBe(stage)
  })

  test('words and globs', () => {
    expect(nameWords('getHTTPStatus2_now')).toEqual(['get', 'httpstatus', 'now'])
    expect(matchesGlob('get_*', 'get_order')).toBe(true)
    expect(matchesGlob('*_order*', 'get_order')).toBe(true)
    expect(matchesGlob('a*a', 'a')).toBe(false)
    expect(matchesGlob('*', '')).toBe(true)
    expect(matchesGlob('get.order', 'get_order')).toBe(false)
  })
})

test('longest increasing subsequence', () => {
  expect(longestIncreasing([3, 1, 2, 5, 4]).map((i) => [3, 1, 2, 5, 4][i])).toEqual([1, 2, 4])
  expect(longestIncreasing([])).toEqual([])
})

describe('states', () => {
  const work: readonly Call[] = [
    ['get_a', { id: 1 }],
    ['check_b', { id: 1 }],
    ['create_c', { id: 1 }],
  ]

  test('without passing or failing trials nothing is ranked', () => {
    expect(analyse([['fail', work]]).state).toBe('no passing run')
    expect(analyse([['fail', work]]).permutation.p).toBeNull()
    expect(analyse([['pass', work]]).state).toBe('no failing run')
    expect(analyse([]).columns).toEqual([])
  })

  test('trials without outcome or steps are left out, with the reason', () => {
    const analysis = analyse([
      ['pass', work],
      ['unknown', work],
      ['fail', []],
      ['error', work],
    ])
    expect(analysis.excluded).toEqual([
      { trial: 't1', reason: 'its outcome is unknown' },
      { trial: 't2', reason: 'it has no recorded steps' },
    ])
    expect(analysis.lanes.map((lane) => [lane.trial, lane.isPass])).toEqual([
      ['t0', true],
      ['t3', false],
    ])
    const strict = analyse([['error', work]], { policy: { error: 'exclude', unknown: 'exclude' } })
    expect(strict.excluded).toHaveLength(1)
  })

  test('trials of another system are not comparable, not “step 0, 97 %”', () => {
    const foreign: readonly Call[] = [
      ['LLMChat', { q: 'x' }, { answer: 'y' }],
      ['final_answer_tool', { text: 'z' }, { done: 1 }],
      ['web_agent', { url: 'u' }, { page: 'p' }],
    ]
    const analysis = analyse([
      ['pass', work],
      ['pass', work],
      ['fail', foreign],
    ])
    expect(analysis.state).toBe('not comparable')
    expect(analysis.lead).toBeNull()
    expect(analysis.findings[0]?.ranked).toEqual([])
  })

  test('a stop at once is a stop, not another system', () => {
    const analysis = analyse([
      ['pass', work],
      ['pass', work],
      ['fail', [['get_z', { id: 9 }]]],
    ])
    expect(analysis.findings[0]?.state).not.toBe('not comparable')
  })
})

describe('what a person sets', () => {
  const pass: readonly Call[] = [
    ['ack', { id: 'x-1' }, { seen: 1 }],
    ['update_it', { id: 'x-1' }],
  ]
  const fail: readonly Call[] = [
    ['ack', { id: 'x-1' }, { seen: 2 }],
    ['update_it', { id: 'x-1' }],
  ]
  const trials = [
    ['pass', pass],
    ['pass', pass],
    ['fail', fail],
  ] as const

  test('tool classes, stages and their reasons', () => {
    expect(analyse(trials).tools.find((tool) => tool.name === 'ack')).toMatchObject({
      stepClass: 'write',
      reason: 'no known verb in the name: taken as state-changing',
    })
    const set = analyse(trials, { toolClasses: { ack: 'check' }, stages: [{ tool: 'a*', stage: 'confirm' }] })
    expect(set.tools.find((tool) => tool.name === 'ack')).toMatchObject({
      stepClass: 'check',
      stage: 'confirm',
      reason: 'set to check',
    })
    expect(set.columns[0]).toMatchObject({ stage: 'confirm', stepClass: 'check' })
  })

  test('ignored paths and equivalences', () => {
    expect(analyse(trials).findings[0]?.ranked).not.toEqual([])
    const ignoring = analyse(trials, { ignoredPaths: [{ tool: 'ack', path: 'seen' }] })
    expect(ignoring.findings[0]?.ranked).toEqual([])
    const renamed: readonly Call[] = [
      ['acknowledge', { key: 'x-1' }, { seen: 1 }],
      ['update_it', { id: 'x-1' }],
    ]
    const merged = analyse(
      [
        ['pass', pass],
        ['pass', pass],
        ['fail', renamed],
      ],
      {
        equivalences: { acknowledge: { tool: 'ack', args: { key: 'id' } } },
      },
    )
    expect(merged.findings[0]?.ranked).toEqual([])
    expect(merged.tools.find((tool) => tool.name === 'acknowledge')?.canonical).toBe('ack')
  })

  test('names that objects have by birth are names like others', () => {
    const odd: readonly Call[] = [
      ['constructor', { __proto__x: 1, toString: 2 }],
      ['hasOwnProperty', {}],
    ]
    const analysis = analyse(
      [
        ['pass', odd],
        ['fail', odd],
      ],
      { toolClasses: {}, equivalences: {} },
    )
    expect(analysis.tools.map((tool) => tool.name)).toEqual(['constructor', 'hasOwnProperty'])
  })
})

describe('permutation test', () => {
  const withCheck: readonly Call[] = [
    ['get_a', { id: 1 }],
    ['check_b', { id: 1 }],
    ['create_c', { id: 1 }],
  ]
  const without: readonly Call[] = [
    ['get_a', { id: 1 }],
    ['create_c', { id: 1 }],
  ]
  const group = (passing: number, failing: number): TaskAnalysis =>
    analyse([
      ...Array.from({ length: passing }, () => ['pass', withCheck] as const),
      ...Array.from({ length: failing }, () => ['fail', without] as const),
    ])

  test('exact for few trials: only this labeling is as clear', () => {
    expect(group(3, 2).permutation).toMatchObject({ p: 0.1, floor: 0.1, labelings: 10, isExact: true })
    expect(group(3, 2).tooFew).toBe(false)
    expect(group(2, 2).tooFew).toBe(true)
  })

  test('random and repeatable for many', () => {
    const { permutation } = group(12, 12)
    expect(permutation).toMatchObject({ isExact: false, labelings: 1999, stream: 'perm' })
    expect(permutation.p).toBeCloseTo(1 / 2000, 9)
    expect(group(12, 12).permutation).toEqual(permutation)
  })
})

describe('words', () => {
  test('levels', () => {
    expect(levelOf(0.4, { p: 0.01 }, 5, 0)).toBe('Weak lead')
    expect(levelOf(0.6, { p: 0.01 }, 5, 0)).toBe('Lead')
    expect(levelOf(0.9, { p: 0.2 }, 5, 0)).toBe('Lead')
    expect(levelOf(0.9, { p: 0.1 }, 5, 0)).toBe('Clear lead')
    expect(levelOf(0.9, { p: 0.05 }, 3, 0)).toBe('Strong lead')
    expect(levelOf(0.9, { p: 0.05 }, 3, 1)).toBe('Clear lead')
    expect(levelOf(0.9, { p: null }, 3, 0)).toBe('Lead')
  })

  test('how many more trials could reach 5 %', () => {
    expect(moreTrials(2, 3)).toBe(1)
    expect(moreTrials(1, 1)).toBe(4)
  })

  test('a lead is never called a cause', () => {
    const calls: readonly Call[] = [
      ['get_a', { id: 'a-1' }],
      ['check_b', { id: 'a-1' }],
      ['create_c', { id: 'a-1' }],
    ]
    const analysis = analyse([
      ['pass', calls],
      ['pass', calls],
      ['pass', calls],
      ['fail', calls.filter(([tool]) => tool !== 'check_b')],
      ['fail', calls.filter(([tool]) => tool !== 'check_b')],
    ])
    const sentence = findingSentence(analysis, analysis.lead!)
    expect(sentence).toContain('In 2 of 2 failing and 0 of 3 passing trials, check_b is missing')
    expect(sentence).toContain('A lead, not proof.')
    expect(sentence).toContain('To test it:')
    const all = [
      sentence,
      ...Object.values(STATE_SENTENCES),
      ...howComputed(analysis.lead!).map((term) => term.label),
    ]
    for (const text of all) expect(text).not.toMatch(/\bcause|because|prove[sdn]?\b/i)
  })

  test('never rounds a weight to a certainty', () => {
    const weights = [1, 0.9973, 0.995, 0.9949, 0.5, 0.004, 0]
    const texts = ['1.00', '>0.99', '>0.99', '0.99', '0.50', '<0.01', '0.00']
    expect(weights.map(weightText)).toEqual(texts)
  })
})

test('an open analysis gives one trial before the others', () => {
  const inputs = (['pass', 'pass', 'fail'] as const).map((outcome, i) => ({
    id: `t${i}`,
    trial: toTrial(
      steps([
        ['get_a', { id: 1 }],
        ['create_c', { id: outcome }],
      ]),
      outcome,
    ),
  }))
  const open = new OpenAnalysis(inputs)
  expect(open.outline().columns).toHaveLength(2)
  expect(open.rankable()).toEqual(['t2'])
  expect(open.finding('t0')).toBeNull()
  expect(open.finding('t2')?.ranked[0]?.kind).toBe('arguments')
  expect(open.finish().findings[0]).toEqual(open.finding('t2'))
})
