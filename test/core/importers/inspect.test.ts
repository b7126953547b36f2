// Inspect logs: golden dumps of real pieces, the container in every form, and scores, endings and configurations as
// cases. Steps from events stand in inspectevents.test.ts.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inspect } from '../../../src/core/importers/inspect/inspect.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import { header, json, message, readOne, sample, zipped } from './inspectlogs.ts'
import { hasSharedData, fixture, readBytes, readSource, sharedData, withSource } from './readall.ts'
import { makeZip } from './zipwriter.ts'
import { holdToGolden } from './golden.ts'

const FILES = [
  'input-task.json',
  'old-transcript.json',
  'images.json',
  'tool-errors.json',
  'browser.json',
  'epochs.eval',
  'choices.eval',
  'unscored.eval',
  'ctf.eval',
]

/** The members of a zip, packed again otherwise. */
const repacked = (bytes: Buffer, method: number, frames: number): Promise<Buffer> =>
  withSource(bytes, 'x', async (source) => {
    const entries = await source.entries()
    const members = entries.map(async (entry) => ({
      name: entry.name,
      data: await entry.read(),
      method,
      frames,
    }))
    return makeZip(await Promise.all(members))
  })

holdToGolden('inspect', 'inspect', FILES, { aside: (trial) => trial })

describe.each(FILES)('%s', (name) => {
  const bytes = readFileSync(fixture(`inspect/${name}`))
  it.runIf(name.endsWith('.eval'))('is the same, stored or Zstandard of several frames', async () => {
    const expected = await readBytes(bytes, name)
    for (const [method, frames] of [
      [0, 1],
      [93, 1],
      [93, 3],
    ] as const) {
      const again = await readBytes(await repacked(bytes, method, frames), name)
      expect(again.raws).toEqual(expected.raws)
      expect(again.problems).toEqual(expected.problems)
    }
  })
  it.runIf(name.endsWith('.json'))('hands on every sample exactly as it stands in the file', async () => {
    for (const { recordBytes, byteOffset, line, trial } of (await readBytes(bytes, name)).raws) {
      expect(bytes.subarray(byteOffset!, byteOffset! + recordBytes.length).equals(recordBytes)).toBe(true)
      expect(bytes.subarray(0, byteOffset!).toString().split('\n')).toHaveLength(line!)
      expect(String(JSON.parse(recordBytes.toString()).id)).toBe(trial.task)
    }
  })
})

describe('a log without trials says why:', () => {
  it.each([
    ['cancelled.json', 'TRIALS_MISSING', /was cancelled: 0 of 3 samples/],
    ['version-1-nan.json', 'FILE_EMPTY', /no trials/],
    ['version-4.json', 'FORMAT_NEWER', /“version”: 4/],
  ])('%s', async (name, code, words) => {
    const { trials, problems } = await readBytes(readFileSync(fixture(`inspect/${name}`)))
    expect(trials).toEqual([])
    expect(problems.find((problem) => problem.code === code)?.message).toMatch(words)
  })
})

describe('the container', () => {
  it('of a crashed run has no header: what was written is read', async () => {
    const { trials, problems } = await readBytes(zipped([sample(), sample({ epoch: 2, uuid: 'u2' })], null))
    expect(trials.map((trial) => [trial.suite, trial.sourceTrial, trial.outcome])).toEqual([
      ['suite', '1', 'pass'],
      ['suite', '2', 'pass'],
    ])
    expect(trials[0]?.extra['log']).toMatchObject({ status: 'started' })
    expect(problems).toMatchObject([{ severity: 'info', code: 'TRIALS_MISSING' }])
    expect(problems[0]?.message).toMatch(/crashed or had not ended: 2 samples/)
  })
  it('with a damaged header falls back on the beginning', async () => {
    const zip = makeZip([
      { name: '_journal/start.json', data: JSON.stringify(header()) },
      { name: 'header.json', data: '{"version": 2, "eval"' },
      { name: 'samples/1_epoch_1.json', data: JSON.stringify(sample()) },
    ])
    const { trials, codes } = await readBytes(zip)
    expect(trials[0]).toMatchObject({ suite: 'suite', outcome: 'pass' })
    expect(codes).toEqual(['RECORD_INVALID', 'TRIALS_MISSING'])
  })
  it('loses no sample to a broken neighbour', async () => {
    const good = ['a', 'b', 'c'].map((id) => sample({ id, uuid: id }))
    const { trials, problems } = await readBytes(
      zipped(good, header(), [
        { name: 'samples/bad1_epoch_1.json', data: '{"id": 1, "epoch"' },
        { name: 'samples/bad2_epoch_1.json', data: JSON.stringify(sample()), lie: { crc32: 1 } },
        { name: 'samples/bad3_epoch_1.json', data: '[]' },
        { name: 'samples/bad4_epoch_1.json', data: JSON.stringify(sample()), flags: 1 },
        { name: 'samples/bad5_epoch_1.json', data: '{}' },
      ]),
    )
    expect(trials.map((trial) => trial.task)).toEqual(['a', 'b', 'c'])
    const errors = problems.filter((problem) => problem.severity === 'error')
    expect(errors.map(({ code, message }) => [code, /bad\d/.exec(message)?.[0]])).toEqual([
      ['ARCHIVE_BROKEN', 'bad4'],
      ['JSON_INVALID', 'bad1'],
      ['ARCHIVE_BROKEN', 'bad2'],
      ['RECORD_INVALID', 'bad3'],
      ['RECORD_INVALID', 'bad5'],
    ])
  })
  it('of ids that a file name cannot hold reads the id from the sample', async () => {
    const ids = ['a/b', '../x', 'c:\\d', 'ü 1', '']
    const names = ['a/b', '_x', 'c_d', 'ü 1', '']
    const zip = makeZip([
      { name: 'header.json', data: JSON.stringify(header()) },
      ...ids.map((id, i) => ({
        name: `samples/${names[i]}_epoch_1.json`,
        data: JSON.stringify(sample({ id, uuid: id })),
      })),
    ])
    expect((await readBytes(zip)).trials.map((trial) => trial.task)).toEqual(ids)
  })
  it('of a sample that stands twice: the last member counts; twice in a list, both come and it is said', async () => {
    const twice = zipped([sample({ scores: { match: { value: 'I' } } }), sample()])
    const inZip = await readBytes(twice)
    expect(inZip.trials.map((trial) => trial.outcome)).toEqual(['pass'])
    expect(inZip.codes).toEqual(['RECORD_DUPLICATE'])
    const inList = await readBytes(json([sample({ scores: { match: { value: 'I' } } }), sample()]))
    expect(inList.trials).toHaveLength(2)
    expect(inList.codes).toEqual(['RECORD_DUPLICATE'])
  })
  it('of 2,000 samples is read member by member, summaries untouched', async () => {
    const samples = Array.from({ length: 2000 }, (_, i) => sample({ id: i, uuid: `u${i}` }))
    const summaries = { name: 'summaries.json', data: JSON.stringify(samples), method: 0 }
    await withSource(zipped(samples, header(), [summaries]), 'big.eval', async (source) => {
      const { trials, codes } = await readSource(source)
      expect(trials).toHaveLength(2000)
      expect(codes).toEqual([])
      const entries = await source.entries()
      const needed = entries.filter(
        (entry) => entry.name.startsWith('samples/') || entry.name === 'header.json',
      )
      await readSource(source)
      const bytes = needed.reduce((sum, entry) => sum + entry.compressedSize, 0)
      expect(source.bytesRead()).toBe(bytes)
      expect(bytes).toBeLessThan(source.size / 2)
    })
  })
  it('of the chunked layout is put together, and called beta', async () => {
    const prefix = 'samples/7_epoch_2'
    const pool = [
      message('user', 'attachment://1', { id: 'm1' }),
      message('assistant', 'attachment://0', { id: 'm2' }),
    ]
    const shell = { ...sample({ id: 7, epoch: 2, uuid: 'u7' }), message_refs: [[0, 2]], messages: undefined }
    const event = {
      event: 'model',
      model: 'm',
      input: [],
      input_refs: [[0, 1]],
      output: { choices: [{ message: pool[1] }] },
    }
    const parts: [string, unknown][] = [
      ['skeleton.json', { nothing: 'needed' }],
      ['sample.json', shell],
      ['metadata.json', { level: 3 }],
      ['messages/0.json', [pool[0]]],
      ['messages/1.json', [pool[1]]],
      ['events/stats.json', {}],
      ['events/10.json', [{ event: 'info' }]],
      ['events/0.json', [event]],
      ['attachments/0.json', ['the answer', 'the question']],
      ['calls/0.json', [{ role: 'user' }]],
    ]
    const members = parts.map(([name, value]) => ({ name: `${prefix}/${name}`, data: JSON.stringify(value) }))
    const { trials, raws, codes } = await readBytes(zipped([sample()], header({ version: 3 }), members))
    expect(codes).toEqual(['FORMAT_BETA'])
    expect(trials).toHaveLength(2)
    expect(trials[1]).toMatchObject({ task: '7', sourceTrial: '2', extra: { metadata: { level: 3 } } })
    expect(trials[1]?.steps.map((step) => [step.role, step.text])).toEqual([
      ['user', 'the question'],
      ['assistant', 'the answer'],
    ])
    const raw = raws[1]?.recordBytes
      .toString()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(raw).toHaveLength(7)
    expect(raw?.[1]).toEqual({ level: 3 })
  })
  it('as one object may have its samples before what describes them', async () => {
    const { version, status, ...rest } = header()
    const text = JSON.stringify({
      samples: [sample(), sample({ epoch: 2, uuid: 'u2' })],
      status,
      version,
      ...rest,
    })
    const { trials } = await readBytes(text, 'x', inspect)
    expect(trials.map((trial) => [trial.suite, trial.configuration.model])).toEqual([
      ['suite', 'maker/model-1'],
      ['suite', 'maker/model-1'],
    ])
  })
  it('as a list of logs, or logs one behind the other: each has its own run, samples and problems', async () => {
    const first = JSON.parse(json([sample(), sample({ id: 2, uuid: 'u2' })], header({ status: 'cancelled' })))
    const { eval: own, ...rest } = header({}, { model: 'maker/model-2', run_id: 'run2' })
    // The second has its samples before what describes them.
    const second = { ...rest, samples: [sample({ uuid: 'w1' }), sample({ epoch: 2, uuid: 'w2' })], eval: own }
    for (const text of [
      JSON.stringify([first, second]),
      `${JSON.stringify(first, null, 1)}\n${JSON.stringify(second)}`,
    ]) {
      const { detection, trials, problems } = await readBytes(text)
      expect(detection.importer?.id).toBe('inspect')
      expect(trials.map(({ configuration, sourceId }) => [configuration.model, sourceId])).toEqual([
        ['maker/model-1', 'u1'],
        ['maker/model-1', 'u2'],
        ['maker/model-2', 'w1'],
        ['maker/model-2', 'w2'],
      ])
      expect(problems.map(({ message }) => message)).toEqual([
        'The run was cancelled: 2 samples are in the file.',
      ])
    }
  })
  it('as a list with a log of a newer version refuses that one only', async () => {
    const newer = JSON.parse(json([sample({ uuid: 'n' })], header({ version: 9 })))
    const { trials, codes } = await readBytes(JSON.stringify([newer, JSON.parse(json([sample()]))]))
    expect(trials.map(({ sourceId }) => sourceId)).toEqual(['u1'])
    expect(codes).toEqual(['FORMAT_NEWER'])
  })
  it('with one sample and epoch under two ids knows both as one trial', async () => {
    const { raws, codes } = await readBytes(
      json([
        sample(),
        sample({ uuid: 'u2', scores: { match: { value: 'I' } } }),
        sample({ epoch: 2, uuid: 'u3' }),
      ]),
    )
    expect(raws.map(({ sourceKey, trial }) => [sourceKey, trial.sourceId, trial.outcome])).toEqual([
      ['u1', 'u1', 'pass'],
      ['u1', 'u2', 'fail'],
      ['u3', 'u3', 'pass'],
    ])
    expect(codes).toEqual(['RECORD_DUPLICATE'])
  })
  it('as one object that is cut off or broken keeps the samples that are whole', async () => {
    const text = json([sample({ id: 'a' }), sample({ id: 'b' }), sample({ id: 'c' })])
    const cut = await readBytes(text.slice(0, text.indexOf('"c"') + 20))
    expect(cut.trials.map((trial) => trial.task)).toEqual(['a', 'b'])
    expect(cut.codes).toContain('JSON_CUT_OFF')
    const broken = await readBytes(text.replace('"id":"b"', '"id":"b",,'))
    expect(broken.trials.map((trial) => trial.task)).toEqual(['a', 'c'])
    expect(broken.codes).toContain('JSON_INVALID')
  })
  it('is not taken for a log when it is something else', async () => {
    for (const text of ['{"eval": 1, "plan": {}}', '{"eval": {"task": "x"}}', '[{"eval": {}}]'])
      expect((await readBytes(text)).detection.importer).toBeNull()
    const other = makeZip([{ name: 'header.json', data: '{}' }])
    expect((await readBytes(other)).detection.importer).toBeNull()
  })
  it('is left when it is aborted', async () => {
    const samples = Array.from({ length: 50 }, (_, i) => sample({ id: i, uuid: `u${i}` }))
    for (const bytes of [zipped(samples), json(samples)])
      await withSource(bytes, 'x', async (source) => {
        const abort = new AbortController()
        const running = readSource(source, undefined, abort.signal)
        abort.abort(new Error('enough'))
        expect((await running).report?.state).toBe('cancelled')
      })
  })
})

describe('a score', () => {
  it.each([
    ['C', 'pass', 1],
    ['I', 'fail', 0],
    ['N', 'fail', 0],
    ['P', 'fail', 0.5],
    ['yes', 'pass', 1],
    ['True', 'pass', 1],
    ['no', 'fail', 0],
    ['false', 'fail', 0],
    ['0.25', 'fail', 0.25],
    ['1', 'pass', 1],
    [true, 'pass', 1],
    [false, 'fail', 0],
    [0, 'fail', 0],
    [1 - 5e-7, 'pass', 1 - 5e-7],
    [0.999, 'fail', 0.999],
  ])('of %j is %s', async (value, outcome, score) => {
    const { trial, codes } = await readOne({ scores: { match: { value } } })
    expect(trial).toMatchObject({
      outcome,
      score,
      scoreRaw: value,
      scorer: 'match',
      scores: { match: score },
    })
    expect(codes).toEqual([])
  })
  it.each([
    [{ match: { value: 'maybe' } }, /no number \("maybe"\)/],
    [{ match: { value: [1, 0] } }, /no number/],
    [{ match: { value: null } }, /was not scored by match/],
    [{}, /has no score/],
    [null, /has no score/],
  ])('of %j is unknown, and that is said', async (scores, words) => {
    const { trial, problems } = await readOne({ scores })
    expect(trial).toMatchObject({ outcome: 'unknown', score: null })
    expect(problems.find((problem) => problem.code === 'OUTCOME_MISSING')?.message).toMatch(words)
  })
  it.each([7, -1, '10', 1.01])(
    'of %j is on a scale that is not known: unknown, kept, and said',
    async (value) => {
      const { trial, problems } = await readOne({ scores: { match: { value } } })
      expect(trial).toMatchObject({
        outcome: 'unknown',
        score: Number(value),
        scores: { match: Number(value) },
      })
      expect(problems[0]).toMatchObject({
        code: 'OUTCOME_MISSING',
        message: expect.stringMatching(/no number between 0 and 1/),
      })
    },
  )
  it('of NaN is unscored, and its word is kept', async () => {
    const text = json([sample({ scores: { match: { value: 'NAN' } } })]).replace('"NAN"', 'NaN')
    const { trials, codes } = await readBytes(text)
    expect(trials[0]).toMatchObject({
      outcome: 'unknown',
      score: null,
      scoreRaw: 'NaN',
      scores: { match: null },
    })
    expect(codes).toEqual(['NOT_A_NUMBER', 'OUTCOME_MISSING'])
  })
  it('of a dictionary gives its parts as scores of their own', async () => {
    const { trial } = await readOne({ scores: { grade: { value: { clear: 'C', kind: 0.5, odd: 'x' } } } })
    expect(trial).toMatchObject({ outcome: 'unknown', scoreRaw: { clear: 'C', kind: 0.5, odd: 'x' } })
    expect(trial.scores).toEqual({ 'grade/clear': 1, 'grade/kind': 0.5, 'grade/odd': null })
  })
  it('of several scorers: the first of the log decides, all are kept', async () => {
    const scores = { b: { value: 'I', explanation: 'why' }, a: { value: 'C' } }
    expect((await readOne({ scores })).trial).toMatchObject({ scorer: 'b', outcome: 'fail' })
    const listed = header({}, { scorers: [{ name: 'pack/a' }, { name: 'b' }] })
    const { trial } = await readOne({ scores }, listed)
    expect(trial).toMatchObject({ scorer: 'a', outcome: 'pass', scores: { a: 1, b: 0 } })
    expect(trial.extra['scoreDetails']).toEqual(scores)
    const reported = header({ results: { total_samples: 1, scores: [{ name: 'a' }, { name: 'b' }] } })
    expect((await readOne({ scores }, reported)).trial.scorer).toBe('a')
    const missing = await readOne({ scores: { b: { value: 'C' } } }, listed)
    expect(missing.trial).toMatchObject({ scorer: null, outcome: 'unknown', scores: { b: 1 } })
    expect(missing.problems[0]?.message).toMatch(/no score of pack\/a/)
  })
  it('of old logs stands alone', async () => {
    const old = header({ results: { scorer: { name: 'includes' } } })
    const { trial } = await readOne({ scores: undefined, score: { value: 'C' } }, old)
    expect(trial).toMatchObject({ scorer: 'includes', outcome: 'pass' })
    expect((await readOne({ scores: undefined, score: 'I' })).trial).toMatchObject({
      scorer: 'score',
      outcome: 'fail',
    })
  })
  it('of a sample that someone marked as invalid does not count', async () => {
    const { trial, codes } = await readOne({ invalidation: { author: 'x', reason: 'y' } })
    expect(trial).toMatchObject({ outcome: 'unknown', score: 1 })
    expect(codes).toEqual(['OUTCOME_MISSING'])
  })
})

describe('an ending', () => {
  it('by a limit is scored all the same', async () => {
    const { trial } = await readOne({ limit: { type: 'token', limit: 500 } })
    expect(trial).toMatchObject({ outcome: 'pass', termination: 'limit:token', error: null })
  })
  it('by an error is an error, with its kind', async () => {
    const error = {
      message: "RuntimeError('docker compose failed')",
      traceback: 'Traceback …',
      traceback_ansi: '\u001b[31m',
    }
    const { trial } = await readOne({ error, scores: { match: { value: 'C' } } })
    expect(trial).toMatchObject({
      outcome: 'error',
      termination: 'error',
      error: { type: 'RuntimeError', message: "RuntimeError('docker compose failed')", origin: 'infra' },
    })
    expect(trial.extra['traceback']).toBe('Traceback …')
    expect((await readOne({ error: { message: 'odd' } })).trial.error).toEqual({
      type: null,
      message: 'odd',
      origin: 'unknown',
    })
  })
  it('keeps the attempts that failed before it', async () => {
    const retries = [{ message: 'TimeoutError()', traceback: 't', events: [] }, { message: 'again' }]
    expect((await readOne({ error_retries: retries })).trial.extra['errorRetries']).toEqual([
      'TimeoutError()',
      'again',
    ])
  })
  it('that the model gave is kept', async () => {
    const output = (reason: string): object => ({ choices: [{ message: {}, stop_reason: reason }] })
    expect((await readOne({ output: output('max_tokens') })).trial.termination).toBe('max_tokens')
    expect((await readOne({ output: output('tool_calls') })).trial.termination).toBeNull()
    expect((await readOne({ output: { choices: [] } })).trial.termination).toBeNull()
  })
  it('of the run before all samples were done is said', async () => {
    const ended = async (more: object): Promise<(string | undefined)[]> => {
      const { problems } = await readOne({}, header({ results: { total_samples: 8 }, ...more }))
      return problems.map((problem) => `${problem.severity}: ${problem.message}`)
    }
    expect(await ended({})).toEqual(['warning: 1 of 8 samples is in the file.'])
    expect(await ended({ status: 'cancelled' })).toEqual([
      'warning: The run was cancelled: 1 of 8 samples is in the file.',
    ])
    const error = { message: 'ValueError: boom\nmore', traceback: '' }
    expect(await ended({ status: 'error', error })).toEqual([
      "info: The run's own error: ValueError: boom",
      'warning: The run ended with an error: 1 of 8 samples is in the file.',
    ])
    const ids = header({}, { dataset: { sample_ids: ['a', 'b'] }, config: { epochs: 3 } })
    expect((await readOne({}, ids)).problems[0]?.message).toBe('1 of 6 samples is in the file.')
  })
})

describe('identity, counts and times', () => {
  it('uses the uuid, else run, sample and epoch', async () => {
    const known = await readOne()
    expect(known.trial.sourceId).toBe('u1')
    expect(known.all.raws[0]).toMatchObject({ sourceKey: 'u1', identitySalt: null })
    const old = await readOne({ uuid: undefined })
    expect(old.trial.sourceId).toBe('run1:1:1')
    expect(old.all.raws[0]?.sourceKey).toBe('run1:1:1')
    expect(old.all.raws[0]?.identitySalt).toContain('run1')
  })
  it('makes a task of an integer and of the same text', async () => {
    expect((await readOne({ id: 7 })).trial.task).toBe((await readOne({ id: '7' })).trial.task)
  })
  it('sums tokens over models, and counts cached input as input whichever way it was counted', async () => {
    const usage = {
      a: { input_tokens: 10, output_tokens: 5, total_tokens: 15, input_tokens_cache_read: 4 },
      b: {
        input_tokens: 1,
        output_tokens: 2,
        total_tokens: 106,
        input_tokens_cache_read: 100,
        input_tokens_cache_write: 3,
      },
    }
    const { trial } = await readOne({ model_usage: usage })
    expect(trial.usage).toEqual({ inputTokens: 114, outputTokens: 7, cachedInputTokens: 104 })
    expect(trial.costUsd).toBeNull()
    expect((await readOne({ model_usage: {} })).trial.usage).toBeNull()
  })
  it('has a cost when every model has one', async () => {
    const cost = (a: unknown, b: unknown): object => ({
      x: { input_tokens: 1, output_tokens: 1, total_cost: a },
      y: { input_tokens: 1, output_tokens: 1, total_cost: b },
    })
    expect((await readOne({ model_usage: cost(0.25, 0.5) })).trial.costUsd).toBe(0.75)
    expect((await readOne({ model_usage: cost(0.25, undefined) })).trial.costUsd).toBeNull()
  })
  it('takes times from the sample', async () => {
    const { trial } = await readOne({
      started_at: '2026-01-02T00:00:00',
      completed_at: '2026-01-02T00:01:00',
    })
    expect(trial).toMatchObject({
      startedAt: '2026-01-02T00:00:00',
      endedAt: '2026-01-02T00:01:00',
      timeNaive: true,
    })
  })
})

describe('a configuration', () => {
  const of = async (evaluation: object, log: object = {}) =>
    (await readOne({}, header({ ...log }, { ...evaluation }))).trial
  it('is model, solver, revision, sandbox, and what was set', async () => {
    const { configuration, seed } = await of(
      {
        solver: 'react',
        solver_args: { attempts: 3 },
        task_args: { level: 2 },
        model_generate_config: { temperature: 0.5, seed: 42, max_connections: 20 },
        model_args: { device: 0 },
        sandbox: ['docker', 'compose.yaml'],
        revision: { type: 'git', origin: 'x', commit: 'abc', dirty: true },
        packages: { inspect_ai: '0.3.200' },
        config: { epochs: 5, message_limit: 30, max_samples: 10, log_images: true },
        task_version: '2-A',
      },
      {
        plan: {
          steps: [{ solver: 'react', params: { prompt: 'x' } }],
          config: { temperature: 1, top_p: 0.9 },
        },
      },
    )
    expect(seed).toBe('42')
    expect(configuration).toEqual({
      label: null,
      model: 'maker/model-1',
      agent: 'react',
      agentVersion: 'abc (changed)',
      promptVersion: null,
      toolsVersion: null,
      policyVersion: null,
      environment: 'docker:compose.yaml',
      params: {
        generate: { temperature: 0.5, top_p: 0.9 },
        taskArgs: { level: 2 },
        modelArgs: { device: 0 },
        solverArgs: { attempts: 3 },
        solvers: [{ solver: 'react', params: { prompt: 'x' } }],
        limits: { message_limit: 30 },
        packages: { inspect_ai: '0.3.200' },
        taskVersion: '2-A',
      },
    })
  })
  it('is the same for two runs that differ in epochs, seed, pace and a tool’s instance', async () => {
    const run = (instance: string, seed: number, epochs: number) =>
      of(
        { run_id: `r${seed}`, model_generate_config: { seed, max_retries: epochs }, config: { epochs } },
        {
          plan: {
            steps: [{ solver: 'use_tools', params: { tools: [{ name: 'web', params: { instance } }] } }],
          },
        },
      )
    const one = await run('4g6KtU22C8DUjmbCoiJCfR', 1, 1)
    const two = await run('9sQGSCUfJL6aZdSHP6PQcX', 2, 4)
    expect(two.configuration).toEqual(one.configuration)
    expect(two.seed).not.toBe(one.seed)
  })
})

const hasData = hasSharedData('inspect/log_streaming.eval', 'whole real Inspect logs are')

describe.skipIf(!hasData)('real Inspect logs (../shared/data)', () => {
  /** Counted independently: a zip and JSON reader, scores by hand. Tasks, trials, pass, fail, unknown, steps. */
  it.each<[string, number[]]>([
    ['2024-11-05T13-31-45-05-00_input-task_8zXjbRzCWrL9GXiXo2vus9.json', [1, 1, 1, 0, 0, 3]],
    ['2024-11-05T13-32-37-05-00_input-task_hxs4q9azL3ySGkjJirypKZ.eval', [1, 1, 1, 0, 0, 3]],
    ['2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval', [10, 10, 0, 0, 10, 30]],
    ['2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval', [10, 10, 8, 2, 0, 30]],
    ['2025-05-12T20-27-36-04-00_browser.json', [1, 1, 1, 0, 0, 10]],
    ['2025-05-12T20-28-13-04-00_no-samples.json', [0, 0, 0, 0, 0, 0]],
    ['2025-05-12T20-28-26-04-00_security-guide.json', [3, 3, 3, 0, 0, 9]],
    ['2025-09-23T08-09-58-04-00_popularity_DN2wbX2ZvACsBpjwptzBRo.eval', [100, 100, 63, 37, 0, 300]],
    ['2025-09-23T08-09-58-04-00_security-guide_LuxZJVwvymC3S3SyoJczxB.eval', [16, 16, 11, 5, 0, 48]],
    ['2025-11-07T10-59-47-05-00_websearch-addition-problem_LqPDntDnkk4h2fSqQ8i6CE.eval', [1, 1, 1, 0, 0, 2]],
    ['DERIVED_zstd_method93_multiframe_security-guide.eval', [16, 16, 11, 5, 0, 48]],
    ['docent_sample_log.eval', [15, 15, 9, 6, 0, 336]],
    ['log_formats.eval', [1, 1, 0, 1, 0, 3]],
    ['log_formats.json', [1, 1, 0, 1, 0, 3]],
    ['log_images.json', [1, 1, 0, 1, 0, 3]],
    ['log_length_stop_reason.txt', [1, 1, 0, 1, 0, 2]],
    ['log_read_sample.eval', [1, 1, 1, 0, 0, 3]],
    ['log_read_sample.json', [1, 1, 1, 0, 0, 3]],
    ['log_streaming.eval', [2, 4, 3, 1, 0, 12]],
    ['log_tool_call_error.json', [1, 1, 0, 0, 1, 11]],
    ['log_valid.txt', [0, 0, 0, 0, 0, 0]],
    ['log_with_nan.txt', [0, 0, 0, 0, 0, 0]],
    ['mmlu-no-summary-choices.eval', [1, 1, 0, 1, 0, 2]],
  ])('%s', async (name, [tasks, trials, pass, fail, unknown, steps]) => {
    const path = sharedData(`inspect/${name}`)
    const read = await readSource(fileSource({ path, size: readFileSync(path).length }))
    expect(read.detection.importer?.id).toBe('inspect')
    expect(read.codes).not.toContain('INTERNAL')
    const count = (outcome: string): number => read.trials.filter((trial) => trial.outcome === outcome).length
    expect([
      new Set(read.trials.map((trial) => trial.task)).size,
      read.trials.length,
      count('pass'),
      count('fail'),
      count('unknown'),
      read.trials.reduce((sum, trial) => sum + trial.steps.length, 0),
    ]).toEqual([tasks, trials, pass, fail, unknown, steps])
  })
  it('the Zstandard form has the very same records', async () => {
    const of = async (name: string) => {
      const path = sharedData(`inspect/${name}`)
      return (await readSource(fileSource({ path, size: readFileSync(path).length }))).raws
    }
    expect(await of('DERIVED_zstd_method93_multiframe_security-guide.eval')).toEqual(
      await of('2025-09-23T08-09-58-04-00_security-guide_LuxZJVwvymC3S3SyoJczxB.eval'),
    )
  })
})
