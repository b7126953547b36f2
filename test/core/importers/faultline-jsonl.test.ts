// Faultline JSONL: golden dumps, the rules of docs/formats.md one by one, memory, and writing what reads back.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultlineJsonl, readFaultline } from '../../../src/core/importers/faultline-jsonl.ts'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import type { Problem, RawTrial, Source } from '../../../src/core/importers/importer.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { fixture, readBytes, withSource } from './readall.ts'
import { holdToGolden } from './golden.ts'

const HEADER = { type: 'header', format: 'faultline', version: 1 }
const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n')
const read = (...records: object[]) => readBytes(lines(HEADER, ...records))
const TRIAL = { type: 'trial', trial_id: '1', task_id: 't', outcome: 'pass' }
const only = async (more: object, ...others: object[]) => {
  const result = await read(...others, { ...TRIAL, ...more })
  expect(result.trials).toHaveLength(1)
  return { ...result, trial: result.trials[0]! }
}
const rewritten = (trials: readonly Trial[]) =>
  readBytes([...writeFaultlineJsonl(trials, { producer: 'test' })].join(''))

holdToGolden('faultline-jsonl', 'faultline-jsonl', ['whole.faultline.jsonl', 'minimal.jsonl'], {
  aside: (trial) => trial,
})

describe('records', () => {
  const records = readFileSync(fixture('faultline-jsonl/whole.faultline.jsonl'), 'utf8').trimEnd().split('\n')
  it('after the header may come in any order', async () => {
    const expected = (await readBytes(records.join('\n'))).trials
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(records.slice(1), { minLength: records.length - 1 }),
        async (order) => {
          const { trials } = await readBytes([records[0], ...order].join('\n'))
          expect(new Map(trials.map((trial) => [trial.sourceId, trial]))).toEqual(
            new Map(expected.map((trial) => [trial.sourceId, trial])),
          )
        },
      ),
      { numRuns: 25 },
    )
  })
  it('of trials that lie apart are read in several passes when they do not fit into memory', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const step = (id: string, index: number) => ({
      type: 'step',
      trial_id: id,
      index,
      role: 'user',
      content: `${id}${index}`,
    })
    const apart = lines(
      HEADER,
      ...[0, 1, 2].flatMap((index) => ids.map((id) => step(id, index))),
      ...ids.map((id) => ({ ...TRIAL, trial_id: id })),
    )
    const collect = (budget: number) =>
      withSource(apart, 'x', async (source) => {
        const raws: RawTrial[] = []
        const passes: number[] = []
        await readFaultline(
          source,
          {
            trial: (raw) => void raws.push(raw),
            problem: (problem) => expect.unreachable(problem.message),
            progress: ({ bytesRead, bytesTotal }) => void passes.push(bytesRead / bytesTotal),
          },
          new AbortController().signal,
          budget,
        )
        return { raws, passes: passes.length }
      })
    const roomy = await collect(1e6)
    const tight = await collect(1)
    expect(roomy.passes).toBe(2)
    expect(tight.passes).toBe(6)
    const byId = (raws: readonly RawTrial[]) =>
      raws
        .map((raw) => [raw.trial, raw.recordBytes.toString()])
        .toSorted((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1))
    expect(byId(tight.raws)).toEqual(byId(roomy.raws))
    expect(roomy.raws[0]?.trial.steps.map((one) => one.text)).toEqual(['a0', 'a1', 'a2'])
    expect(roomy.raws[0]?.recordBytes.toString().split('\n')).toHaveLength(4)
  })
  it('that are no longer there when they are to be read are told, and nobody waits for them', async () => {
    const step = (id: string) => ({
      type: 'step',
      trial_id: id,
      index: 0,
      role: 'user',
      content: 'x'.repeat(99),
    })
    const whole = lines(
      HEADER,
      TRIAL,
      step('2'),
      step('3'),
      ...['2', '3'].map((id) => ({ ...TRIAL, trial_id: id })),
    )
    const short = whole.split('\n').slice(0, -2).join('\n')
    const problems: Problem[] = []
    const trials = await withSource(whole, 'x', (source) =>
      withSource(short, 'x', async (later) => {
        const raws: RawTrial[] = []
        let passes = 0
        const changing: Source = new Proxy(source, {
          get(first, name: keyof Source) {
            const from = name === 'rawRecords' && (passes += 1) > 1 ? later : first
            const member = from[name]
            return typeof member === 'function' ? member.bind(from) : member
          },
        })
        const sink = {
          trial: (raw: RawTrial) => void raws.push(raw),
          problem: (problem: Problem) => void problems.push(problem),
          progress: () => {},
        }
        await readFaultline(changing, sink, new AbortController().signal, 1)
        return raws.map((raw) => raw.trial.sourceId)
      }),
    )
    expect(trials).toEqual(['1'])
    expect(problems).toMatchObject([
      { code: 'JSON_CUT_OFF', message: expect.stringMatching(/^2 trials were/) },
    ])
  })
  it('of files that were put together keep to their own header', async () => {
    const config = (model: string) => ({ type: 'config', config_id: 'c', model })
    const part = (suite: string, model: string) => [
      { ...HEADER, suite },
      config(model),
      { ...TRIAL, config_id: 'c' },
    ]
    const { trials } = await readBytes(lines(...part('one', 'm1'), ...part('two', 'm2')))
    expect(trials.map((trial) => [trial.suite, trial.configuration.model])).toEqual([
      ['one', 'm1'],
      ['two', 'm2'],
    ])
  })
  it('may stand in a list, and without a header', async () => {
    expect((await readBytes(JSON.stringify([HEADER, TRIAL]))).trials).toHaveLength(1)
    const bare = await readBytes(lines(TRIAL, { ...TRIAL, trial_id: '2' }))
    expect(bare.detection.candidates[0]).toMatchObject({ id: 'faultline-jsonl', confidence: 0.8 })
    expect(bare.trials).toHaveLength(2)
  })
  it('that are broken lose nothing but themselves', async () => {
    const content = `${lines(HEADER, TRIAL)}\n{"type":"trial","trial_id":"2","task_i\n${lines({ ...TRIAL, trial_id: '3' })}\n`
    const { trials, codes } = await readBytes(content)
    expect(trials.map((trial) => trial.sourceId)).toEqual(['1', '3'])
    expect(codes).toEqual(['JSON_INVALID'])
  })
  it('without what they need, of unknown type, or without their trial are said', async () => {
    const { codes, trials, problems } = await read(
      { type: 'trial', task_id: 't', outcome: 'pass' },
      { type: 'trial', trial_id: '2', outcome: 'pass' },
      { type: 'comet', trial_id: '3' },
      { type: 'step', trial_id: '9', index: 0 },
      { note: 'no type' },
      { ...TRIAL, trial_id: '3' },
    )
    expect(trials.map((trial) => trial.extra)).toEqual([{ records: [{ type: 'comet', trial_id: '3' }] }])
    expect(codes).toEqual([
      'RECORD_INVALID',
      'RECORD_UNKNOWN',
      'RECORD_UNKNOWN',
      'RECORD_INVALID',
      'RECORD_ORPHAN',
    ])
    expect(problems[0]?.line).toBe(2)
  })
  it('of one id twice are both kept and said', async () => {
    const { trials, codes, raws } = await read(
      { ...TRIAL, steps: [{ role: 'user', content: 'a' }] },
      { ...TRIAL, outcome: 'fail' },
      { type: 'score', trial_id: '1', name: 's', value: 1 },
    )
    expect(trials.map((trial) => [trial.outcome, trial.scores])).toEqual([
      ['pass', { s: 1 }],
      ['fail', {}],
    ])
    expect(raws[0]?.sourceKey).toBe(raws[1]?.sourceKey)
    expect(codes).toEqual(['RECORD_DUPLICATE'])
  })
})

describe('a trial', () => {
  it.each([
    [{ outcome: 'pass' }, 'pass'],
    [{ outcome: 'FAILED' }, 'fail'],
    [{ outcome: true }, 'pass'],
    [{ outcome: 0 }, 'fail'],
    [{ outcome: 'error' }, 'error'],
    [{ outcome: 'unknown', score: 1 }, 'unknown'],
    [{ outcome: undefined, score: 1 }, 'pass'],
    [{ outcome: undefined, score: 0.9999995 }, 'pass'],
    [{ outcome: undefined, score: 0.99 }, 'fail'],
    [{ outcome: undefined, score: 0.5, score_threshold: 0.5 }, 'pass'],
    [{ outcome: null, score: true }, 'pass'],
    [{ outcome: undefined }, 'unknown'],
    [{ outcome: 'perhaps' }, 'unknown'],
  ])('%j is %s', async (more, outcome) => {
    const { trial, codes } = await only(more)
    expect(trial.outcome).toBe(outcome)
    expect(codes).toEqual(outcome === 'unknown' && more.outcome !== 'unknown' ? ['OUTCOME_MISSING'] : [])
  })
  it('maps severities as stated', async () => {
    const all = ['low', 'medium', 'high', 'critical', 'minor', 'major', 'severe', 'odd', undefined]
    const { trial } = await only({ severe_errors: all.map((severity) => ({ kind: 'k', severity })) })
    expect(trial.severeErrors.map((event) => event.severity)).toEqual([
      'minor',
      'major',
      'severe',
      'severe',
      'minor',
      'major',
      'severe',
      'severe',
      'severe',
    ])
  })
  it('takes its configuration from the record it names, the only one, its own keys, or nothing', async () => {
    const configs = [
      { type: 'config', config_id: 'a', model: 'm', prompt_hash: 'h' },
      { type: 'config', config_id: 'b' },
    ]
    const of = async (more: object, ...others: object[]) => (await only(more, ...others)).trial.configuration
    expect(await of({ config_id: 'a' }, ...configs)).toMatchObject({
      label: 'a',
      model: 'm',
      params: { prompt_hash: 'h' },
    })
    expect(await of({}, configs[0]!)).toMatchObject({ label: 'a' })
    expect(await of({}, ...configs)).toMatchObject({ label: null, model: null })
    expect(await of({ model: 'own', params: { t: 1 } })).toMatchObject({
      label: null,
      model: 'own',
      params: { t: 1 },
    })
    const { trial, codes } = await only({ config_id: 'gone' }, ...configs)
    expect([trial.configuration.label, codes]).toEqual(['gone', ['REFERENCE_MISSING']])
  })
  it('has a suite of its own, its task’s, its header’s, or the default', async () => {
    expect((await only({})).trial.suite).toBe('default')
    expect((await only({}, { type: 'task', task_id: 't', suite: 'of task' })).trial.suite).toBe('of task')
    expect((await only({ suite: 'own' }, { type: 'task', task_id: 't', suite: 'of task' })).trial.suite).toBe(
      'own',
    )
  })
  it('says whether its times carry a zone', async () => {
    const naive = async (started_at: unknown) => (await only({ started_at })).trial.timeNaive
    expect(await naive('2026-08-01T10:00:00')).toBe(true)
    expect(await naive('2026-08-01T10:00:00Z')).toBe(false)
    expect(await naive('2026-08-01T10:00:00+02:00')).toBe(false)
    expect(await naive(1786051888270)).toBe(false)
    expect(await naive(undefined)).toBe(false)
  })
  it('is told apart from an equal line in another file by suite and configuration, and known again by its id', async () => {
    const key = async (model: string, source?: string) => {
      const { raws } = await readBytes(
        lines({ ...HEADER, source }, { type: 'config', config_id: 'c', model }, { ...TRIAL, config_id: 'c' }),
      )
      return [raws[0]?.recordBytes.toString(), raws[0]?.identitySalt, raws[0]?.sourceKey]
    }
    const [one, two, again] = [await key('m1'), await key('m2'), await key('m1')]
    expect(one).toEqual(again)
    expect(one[0]).toBe(two[0])
    expect(one[1]).not.toBe(two[1])
    expect(one[2]).not.toBe(two[2])
    expect((await key('m1', 'lab'))[2]).toBe('faultline:lab:1')
    expect((await key('m2', 'lab'))[2]).toBe('faultline:lab:1')
  })
})

describe('steps', () => {
  const steps = async (list: object[]) => {
    const { trial, codes } = await only({ steps: list })
    return { steps: trial.steps, codes }
  }
  it('get the index of their place when they have none, and are sorted by it when they have', async () => {
    expect((await steps([{ role: 'user' }, { role: 'user' }])).steps.map((step) => step.index)).toEqual([
      0, 1,
    ])
    const sorted = await steps([
      { role: 'user', index: 5, content: 'b' },
      { role: 'user', index: 2, content: 'a' },
    ])
    expect(sorted.steps.map((step) => [step.index, step.text])).toEqual([
      [2, 'a'],
      [5, 'b'],
    ])
    const twice = await steps([
      { role: 'user', index: 3 },
      { role: 'user', index: 3 },
    ])
    expect([twice.steps.map((step) => step.index), twice.codes]).toEqual([[0, 1], ['STEP_INVALID']])
  })
  it('keep unknown roles, kinds and keys', async () => {
    const { steps: read, codes } = await steps([
      { role: 'oracle', kind: 'vision', content: 'x', mood: 1, extra: { a: 2 } },
    ])
    expect(read[0]).toEqual({
      index: 0,
      role: 'environment',
      kind: 'message',
      text: 'x',
      extra: { mood: 1, role: 'oracle', kind: 'vision', a: 2 },
    })
    expect(codes).toEqual(['STEP_INVALID'])
  })
  it('that are no list, and messages that are none, are said', async () => {
    const { trial, codes } = await only({ steps: 'none', messages: 7 })
    expect([trial.steps, codes]).toEqual([[], ['STEP_INVALID']])
  })
})

describe('writeFaultlineJsonl', () => {
  const json = fc
    .jsonValue({ maxDepth: 2, stringUnit: 'binary' })
    .map((one) => JSON.parse(JSON.stringify(one).replaceAll('-0', '0')))
  const text = fc.string({ unit: 'binary', maxLength: 8 })
  const step = fc.record(
    {
      role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'environment'),
      kind: fc.constantFrom('message', 'tool_call', 'tool_result', 'reasoning', 'state', 'handoff'),
      content: fc.oneof(text, json),
      calls: fc.array(fc.record({ call_id: text, name: text, arguments: fc.oneof(json, text) }), {
        maxLength: 2,
      }),
      call_id: text,
      name: text,
      is_error: fc.boolean(),
      error: text,
      stage: text,
      parent: fc.nat(5),
      state: json,
      final: fc.boolean(),
      usage: fc.record({ input_tokens: fc.nat(99) }),
      extra: json,
      surprise: json,
    },
    { requiredKeys: ['role'] },
  )
  const trial = fc.record(
    {
      type: fc.constant('trial'),
      trial_id: fc.string({ minLength: 1, maxLength: 3 }),
      task_id: fc.constantFrom('t', 'u', '__proto__'),
      suite: fc.constantFrom('s', 'default'),
      task_title: fc.option(text),
      task_input: fc.option(json),
      trial_index: fc.oneof(fc.nat(9), text),
      seed: fc.nat(),
      started_at: fc.constantFrom('2026-08-01T10:00:00', '2026-08-01T10:00:00Z'),
      outcome: fc.constantFrom('pass', 'fail', 'error', 'unknown'),
      score: json,
      scores: fc.dictionary(text, fc.option(fc.nat(3))),
      error: fc.option(
        fc.record({ type: text, message: text, origin: fc.constantFrom('infra', 'agent', 'x') }),
      ),
      severe_errors: fc.array(
        fc.record({ step: fc.option(fc.nat(4)), kind: text, severity: fc.constantFrom('low', 'high') }),
        { maxLength: 2 },
      ),
      usage: fc.record({ output_tokens: fc.nat(5) }),
      cost_usd: fc.nat(5),
      config_id: fc.constantFrom('c', 'd'),
      model: text,
      steps: fc.array(step, { maxLength: 5 }),
      extra: fc.oneof(fc.dictionary(text, json), json),
      source: fc.record({ id: fc.option(text), file: text }, { requiredKeys: [] }),
      unheard: json,
    },
    { requiredKeys: ['type', 'trial_id', 'task_id', 'outcome'] },
  )
  it('writes what reads back as equal trials, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(trial, { maxLength: 4, selector: (one) => one.trial_id }),
        async (records) => {
          const { trials } = await read(
            { type: 'config', config_id: 'c', label: null, params: { k: 1 } },
            ...records,
          )
          expect(trials).toHaveLength(records.length)
          expect((await rewritten(trials)).trials).toEqual(trials)
        },
      ),
      { numRuns: 150 },
    )
  })
  it('reads back trials of tau-bench, ids and texts that are missing included', async () => {
    for (const name of [
      'gpt-4o-airline.json',
      'retail_tool-calling-l1-4o.json',
      'retail-no-call-ids.json',
      'airline-text-calls.json',
    ]) {
      const { trials } = await readBytes(readFileSync(fixture(`tau-bench/${name}`)), name)
      const again = await rewritten(trials)
      expect(again.detection.importer).toBe(faultlineJsonl)
      expect(again.trials).toEqual(trials)
      expect(again.codes).toEqual([])
    }
  })
  it('writes valid UTF-8 and the same bytes each time', async () => {
    const { trials } = await only({ extra: { lone: '\udcb2' } })
    const write = () =>
      [...writeFaultlineJsonl(trials, { producer: 'p', createdAt: '2026-01-01T00:00:00Z' })].join('')
    expect(write()).toBe(write())
    expect(write().isWellFormed()).toBe(true)
    expect(write()).toContain('\\udcb2')
  })
})

it('what is nested too deep is told in words, however deep its path is', async () => {
  const deep = '['.repeat(5000) + '1' + ']'.repeat(5000)
  const record = JSON.stringify({ ...TRIAL, steps: [{ index: 0, role: 'user', content: 'AT' }] })
  const { problems, trials } = await readBytes(`${lines(HEADER)}\n${record.replace('"AT"', deep)}`)
  expect(trials).toHaveLength(1)
  const told = problems.find((problem) => problem.code === 'NESTED_TOO_DEEP')
  expect(told?.message).toContain('/steps/0/content/0')
  expect(told?.message).toContain('is nested too deep; kept as its text')
  expect(told?.message.length).toBeLessThan(300)
})
