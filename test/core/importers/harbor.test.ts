// Harbor jobs and trials: a golden dump of a job made by hand, the same in a zip, and outcomes, schemas, trajectories
// and broken files as cases. Lone trajectories stand in atif.test.ts.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import { dump } from './dump.ts'
import { openAll, readFolder, readOneFolder, type Files } from './openall.ts'
import { fixture, readBytes } from './readall.ts'
import { makeZip } from './zipwriter.ts'

const JOB = fixture('harbor/job')
const jobFiles = (): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(JOB, { recursive: true })
      .map((name) => String(name).replaceAll('\\', '/'))
      .filter((name) => statSync(join(JOB, name)).isFile())
      .map((name) => [name, readFileSync(join(JOB, name))]),
  )

type Fields = Record<string, unknown>
const result = (more: Fields = {}): Fields => ({
  id: 'r1',
  task_name: 'task-a',
  trial_name: 'task-a__abcdefg',
  source: null,
  config: { agent: { name: 'agent-x' } },
  agent_info: { name: 'agent-x', version: 'unknown', model_info: null },
  agent_result: { n_input_tokens: 0, n_output_tokens: 0, cost_usd: null },
  verifier_result: { rewards: { reward: 1 } },
  exception_info: null,
  started_at: '2025-11-03T14:54:00.000000',
  finished_at: '2025-11-03T14:56:00.000000',
  agent_execution: { started_at: 'a', finished_at: 'b' },
  ...more,
})
const exception = (type: string): Fields => ({
  exception_type: type,
  exception_message: 'm',
  exception_traceback: 't',
})
const step = (source: string, message: unknown, more: Fields = {}): Fields => ({
  step_id: 1,
  source,
  message,
  ...more,
})
const trajectory = (steps: unknown, more: Fields = {}): Fields => ({
  schema_version: 'ATIF-v1.6',
  session_id: 's',
  agent: { name: 'agent-x', version: '1' },
  steps,
  ...more,
})
const trial = async (more: Fields = {}, files: Files = {}) => {
  const read = await readOneFolder({ 'result.json': result(more), ...files })
  const codes = read.codes.filter((code) => code !== 'FORMAT_BETA' && code !== 'REFERENCE_MISSING')
  return { ...read, trial: read.trials[0], codes }
}
const withSteps = async (steps: unknown, more: Fields = {}, files: Files = {}) => {
  const read = await readOneFolder({
    'result.json': result(),
    'agent/trajectory.json': trajectory(steps, more),
    ...files,
  })
  const codes = read.codes.filter((code) => code !== 'FORMAT_BETA')
  return { ...read, trial: read.trials[0]!, codes }
}

describe('a job', () => {
  it('reads as in the golden dump', async () => {
    const { reads, strangers, skipped } = await openAll(JOB)
    expect([strangers, skipped]).toEqual([[], []])
    expect(reads).toHaveLength(1)
    expect(reads[0]?.detection.importer?.id).toBe('harbor')
    await expect(dump(reads[0]!)).toMatchFileSnapshot(fixture('harbor/job.golden.txt'))
  })
  it('reads the same in a folder that says nothing, among other jobs, and in a zip', async () => {
    const expected = (await openAll(JOB)).reads[0]!
    const inFolder = Object.fromEntries(
      Object.entries(jobFiles()).map(([name, bytes]) => [`jobs/job/${name}`, bytes]),
    )
    const other = Object.fromEntries(
      Object.entries(jobFiles()).map(([name, bytes]) => [`jobs/other/${name}`, bytes]),
    )
    const among = await readFolder({ ...inFolder, ...other, 'readme.txt': 'x' })
    expect(among.reads.map((read) => read.source.name)).toEqual(['root/jobs/job', 'root/jobs/other'])
    expect(among.strangers).toEqual(['root/readme.txt: FORMAT_UNKNOWN'])
    expect(dump(among.reads[0]!)).toBe(dump(expected))
    const members = Object.entries(inFolder).map(([name, data]) => ({ name, data }))
    const zipped = await readFolder({ 'sent.zip': makeZip(members) })
    expect(zipped.reads.map((read) => read.source.name)).toEqual(['root/sent.zip/jobs/job'])
    expect(dump(zipped.reads[0]!)).toBe(dump(expected))
    expect(zipped.reads[0]!.raws.map((raw) => raw.recordBytes)).toEqual(
      expected.raws.map((raw) => raw.recordBytes),
    )
    // A copy of the job elsewhere is the same job.
    expect(await zipped.reads[0]!.source.sha256()).toBe(await expected.source.sha256())
    expect(await expected.source.sha256()).toMatch(/^[0-9a-f]{64}$/)
  })
  it('is the same after an export and an import', async () => {
    const { trials } = (await openAll(JOB)).reads[0]!
    const lines = [...writeFaultlineJsonl(trials, { producer: 'test' })].join('')
    expect((await readBytes(lines)).trials).toEqual(trials)
  })
  it('keeps result and trajectories of a trial as its original', async () => {
    const { raws } = (await openAll(JOB)).reads[0]!
    const file = (name: string): string =>
      readFileSync(join(JOB, 'make-file__AAAAAA2', name), 'utf8').trimEnd()
    expect(raws[1]!.recordBytes.toString()).toBe(
      [
        file('result.json'),
        file('agent/trajectory.json'),
        file('agent/trajectory.cont-1.json'),
        file('agent/trajectory.summarization-1-summary.json'),
      ].join('\n'),
    )
    expect(raws.map((raw) => [raw.record, raw.sourceKey])).toEqual(
      [1, 2, 3, 4, 5].map((n, at) => [at, `00000000-0000-4000-8000-00000000000${n}`]),
    )
  })
  it('is read trial by trial when one of them is opened alone', async () => {
    const { reads } = await openAll(join(JOB, 'make-file__AAAAAA1'))
    expect(reads).toHaveLength(1)
    const [first] = (await openAll(JOB)).reads[0]!.trials
    expect({ ...reads[0]!.trials[0], extra: null }).toEqual({ ...first, extra: null })
  })
  it('tells progress up to its size', async () => {
    const { source } = (await openAll(JOB)).reads[0]!
    expect(source.bytesRead()).toBeGreaterThan(0)
    expect(source.bytesRead()).toBeLessThanOrEqual(source.size)
    expect(source.size).toBe(Object.values(jobFiles()).reduce((sum, bytes) => sum + bytes.length, 0))
  })
  it('leaves aside and lists what is not part of it', async () => {
    const { reads, strangers } = await readFolder({
      ...jobFiles(),
      'notes.md': 'x',
      'make-file__AAAAAA1/mine.json': { a: 1 },
    })
    expect(reads).toHaveLength(1)
    expect(strangers).toEqual([
      'root/make-file__AAAAAA1/mine.json: FORMAT_UNKNOWN',
      'root/notes.md: FORMAT_UNKNOWN',
    ])
  })
  it('of which only the summary is there says what to import', async () => {
    const { problems, trials } = await readBytes(jobFiles()['result.json']!)
    expect(trials).toEqual([])
    expect(problems[0]).toMatchObject({ code: 'TRIALS_MISSING', severity: 'error' })
    expect(problems[0]?.hint).toMatch(/folder of the job/)
  })
  it('of 2025 is read, too', async () => {
    const { trials, codes } = await readOneFolder({
      'result.json': {
        id: 'j',
        started_at: 'x',
        finished_at: 'y',
        n_total_trials: 1,
        stats: { n_trials: 1, n_errors: 0, evals: {} },
      },
      'task-a__abcdefg/result.json': result(),
    })
    expect(trials.map((one) => [one.task, one.outcome])).toEqual([['task-a', 'pass']])
    expect(codes).toEqual(['FORMAT_BETA', 'REFERENCE_MISSING'])
  })
})

describe('a result alone', () => {
  it('is a trial without steps, and that is said', async () => {
    const { trials, problems, detection } = await readBytes(JSON.stringify(result()))
    expect(detection.importer?.id).toBe('harbor')
    expect(trials[0]).toMatchObject({ task: 'task-a', outcome: 'pass', steps: [] })
    expect(problems.map((problem) => [problem.code, problem.severity])).toEqual([['TRIALS_MISSING', 'info']])
  })
  it('may stand with others, one per line', async () => {
    const lines = [result(), result({ id: 'r2', verifier_result: { rewards: { reward: 0 } } })]
    const { trials } = await readBytes(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(trials.map((one) => one.outcome)).toEqual(['pass', 'fail'])
  })
})

describe('outcome', () => {
  it.each([
    [{ reward: 1 }, 'pass', 1, 'Harbor reward'],
    [{ reward: 1 - 5e-7 }, 'pass', 1 - 5e-7, 'Harbor reward'],
    [{ reward: '1.0' }, 'pass', 1, 'Harbor reward'],
    [{ reward: 0.5 }, 'fail', 0.5, 'Harbor reward'],
    [{ reward: 0 }, 'fail', 0, 'Harbor reward'],
    [{ accuracy: 1 }, 'pass', 1, 'Harbor accuracy'],
    [{ a: 1, b: 0 }, 'unknown', null, null],
    [{ reward: null }, 'unknown', null, 'Harbor reward'],
    [{}, 'unknown', null, null],
    [null, 'unknown', null, null],
    [{ reward: 37 }, 'unknown', 37, 'Harbor reward'],
    [{ reward: -1 }, 'unknown', -1, 'Harbor reward'],
  ])('of rewards %j is %s', async (rewards, outcome, score, scorer) => {
    const { trial: one, codes } = await trial({ verifier_result: { rewards } })
    expect([one?.outcome, one?.score, one?.scorer]).toEqual([outcome, score, scorer])
    expect(codes.includes('OUTCOME_MISSING')).toBe(outcome === 'unknown')
  })
  it('keeps further rewards as scores', async () => {
    const { trial: one } = await trial({ verifier_result: { rewards: { reward: 0, style: 0.5, note: 'x' } } })
    expect(one?.scores).toEqual({ reward: 0, style: 0.5, note: null })
  })
  it.each([
    ['EnvironmentStartTimeoutError', 'infra'],
    ['AgentSetupTimeoutError', 'infra'],
    ['APIConnectionError', 'infra'],
    ['litellm.exceptions.RateLimitError', 'infra'],
    ['VerifierTimeoutError', 'verifier'],
    ['RewardFileNotFoundError', 'verifier'],
    ['AgentTimeoutError', 'agent'],
    ['ContextLengthExceededError', 'agent'],
    ['NonZeroAgentExitCodeError', 'agent'],
    ['SomethingElse', 'unknown'],
  ])('of %s without a reward is an error of %s', async (type, origin) => {
    const { trial: one } = await trial({ verifier_result: null, exception_info: exception(type) })
    expect([one?.outcome, one?.termination, one?.error?.origin]).toEqual(['error', type, origin])
  })
  it('of an exit code before the agent ran is an error of the infrastructure', async () => {
    const { trial: one } = await trial({
      verifier_result: null,
      exception_info: exception('NonZeroAgentExitCodeError'),
      agent_execution: null,
    })
    expect(one?.error?.origin).toBe('infra')
  })
  it('with an exception and a reward is the reward', async () => {
    for (const [reward, outcome] of [
      [0, 'fail'],
      [1, 'pass'],
    ]) {
      const { trial: one } = await trial({
        verifier_result: { rewards: { reward } },
        exception_info: exception('AgentTimeoutError'),
      })
      expect([one?.outcome, one?.termination, one?.error?.origin]).toEqual([
        outcome,
        'AgentTimeoutError',
        'agent',
      ])
    }
  })
  it.each([
    [{ 'verifier/reward.txt': '1\n' }, 'pass', { reward: 1 }, 'reward.txt'],
    [{ 'verifier/reward.txt': '0.25' }, 'fail', { reward: 0.25 }, 'reward.txt'],
    [{ 'verifier/reward.json': { reward: 1, style: 0.5 } }, 'pass', { reward: 1, style: 0.5 }, 'reward.json'],
    [{ 'verifier/reward.json': 0, 'verifier/reward.txt': '1' }, 'fail', { reward: 0 }, 'reward.json'],
    [{ 'verifier/reward.json': '{', 'verifier/reward.txt': '1' }, 'pass', { reward: 1 }, 'reward.txt'],
  ])('that only the verifier wrote, %j, is %s', async (files, outcome, scores, name) => {
    const { trial: one, problems } = await trial({ verifier_result: null }, files)
    expect([one?.outcome, one?.scores, one?.error]).toEqual([outcome, scores, null])
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(`no verdict of the verifier: its reward is taken from verifier/${name}`),
    )
  })
  it('is not taken from a reward file that says nothing, nor where the trial broke or was judged', async () => {
    const file = { 'verifier/reward.txt': '1' }
    const nothing = await trial({ verifier_result: null }, { 'verifier/reward.txt': '' })
    expect(nothing.trial?.outcome).toBe('error')
    const broken = await trial(
      { verifier_result: null, exception_info: exception('AgentTimeoutError') },
      file,
    )
    expect(broken.trial).toMatchObject({ outcome: 'error', termination: 'AgentTimeoutError' })
    expect((await trial({ verifier_result: { rewards: { reward: 0 } } }, file)).trial?.outcome).toBe('fail')
  })
  it('without a verifier result is an error; with the verifier switched off it is unknown', async () => {
    expect((await trial({ verifier_result: null })).trial?.outcome).toBe('error')
    const off = await trial({ verifier_result: null, config: { verifier: { disable: true } } })
    expect([off.trial?.outcome, off.codes]).toEqual(['unknown', ['OUTCOME_MISSING']])
  })
  it.each([
    [{ verifier_result: undefined }, /no “verifier_result” \(it has id, task_name/],
    [{ verifier_result: { scores: { reward: 1 } } }, /no “verifier_result.rewards” \(it has scores\)/],
    [{ verifier_result: { rewards: [1] } }, /“verifier_result.rewards” that is no object/],
    [{ verifier_result: 1 }, /“verifier_result” that is no object/],
    [{ verifier_result: null, step_results: [{ reward: 1 }] }, /“step_results” instead of/],
  ])('of an unknown schema %j is refused with the field, never a 0', async (more, words) => {
    const { trials, problems } = await readOneFolder({ 'result.json': result(more) })
    expect(trials).toEqual([])
    const problem = problems.find(({ code }) => code === 'FORMAT_NEWER')
    expect(problem?.severity).toBe('error')
    expect(problem?.message).toMatch(words)
  })
})

describe('identity', () => {
  it('takes the task without its data set, which is the suite where the source is not named', async () => {
    const one = (await trial({ task_name: 'terminal-bench/hello', source: 'terminal-bench@2.0' })).trial
    expect([one?.suite, one?.task]).toEqual(['terminal-bench@2.0', 'hello'])
    const two = (await trial({ task_name: 'terminal-bench/hello' })).trial
    expect([two?.suite, two?.task]).toEqual(['terminal-bench', 'hello'])
    expect((await trial()).trial?.suite).toBe('harbor')
  })
  it('has a configuration of agent, model and settings, without what may be a secret', async () => {
    const config = {
      agent: { name: 'a', model_name: 'p/m', kwargs: { turns: 3, api_key: 'x' } },
      timeout_multiplier: 2,
      environment: { type: 'docker' },
    }
    const { trial: one } = await trial({
      config,
      agent_info: { name: 'a', version: '2', model_info: { name: 'm', provider: 'p' } },
    })
    expect(one?.configuration).toMatchObject({
      label: 'a m',
      model: 'm',
      agent: 'a',
      agentVersion: '2',
      environment: 'docker',
    })
    expect(one?.configuration.params).toEqual({ provider: 'p', kwargs: { turns: 3 }, timeout_multiplier: 2 })
  })
  it('keeps naive times of the result apart from those of the steps', async () => {
    const { trial: one } = await withSteps([step('user', 'x', { timestamp: '2025-11-03T22:54:07Z' })])
    expect([one.startedAt, one.timeNaive]).toEqual(['2025-11-03T14:54:00.000000', true])
    expect(one.steps[0]?.startedAt).toBe('2025-11-03T22:54:07Z')
  })
})

describe('tokens', () => {
  const metrics = {
    final_metrics: { total_prompt_tokens: 40, total_completion_tokens: 4, total_cost_usd: 0.5 },
  }
  const line = (id: string, output: number): string =>
    JSON.stringify({
      type: 'assistant',
      message: { id, usage: { input_tokens: 1, cache_read_input_tokens: 5, output_tokens: output } },
    })
  it('come from sessions, the last line of every message once', async () => {
    const sessions = {
      'agent/sessions/projects/-app/a.jsonl': [line('m', 0), line('m', 9), '{torn', line('n', 1)].join('\n'),
    }
    const { trial: one, codes } = await withSteps([], metrics, sessions)
    expect(one.usage).toEqual({ inputTokens: 12, outputTokens: 10, cachedInputTokens: 10 })
    expect([one.costUsd, one.extra['usageFrom'], codes]).toEqual([0.5, 'sessions', []])
  })
  it('come from the trajectory without them, and zeros without a cost are unknown', async () => {
    const { trial: one } = await withSteps([], metrics)
    expect([one.usage?.inputTokens, one.extra['usageFrom']]).toEqual([40, 'trajectory'])
    expect((await trial()).trial).toMatchObject({ usage: null, costUsd: null })
    const counted = {
      agent_result: { n_input_tokens: 7, n_cache_tokens: 2, n_output_tokens: 1, cost_usd: 0.1 },
    }
    expect((await trial(counted)).trial).toMatchObject({
      usage: { inputTokens: 7, outputTokens: 1, cachedInputTokens: 2 },
      costUsd: 0.1,
    })
  })
})

describe('broken files', () => {
  const job = { id: 'j', started_at: 'x', n_total_trials: 3, stats: {} }
  it('cost their trial only', async () => {
    const { trials, problems } = await readOneFolder({
      'result.json': job,
      'a__1/result.json': '{"id": "r", "task_name": "a"',
      'b__1/result.json': '',
      'c__1/result.json': result(),
      'd__1/result.json': { other: 1 },
      'e__1/trial.log': 'x',
    })
    expect(trials.map((one) => one.task)).toEqual(['task-a'])
    expect(problems.map(({ code, message }) => [code, message.split(':')[0]])).toEqual([
      ['FORMAT_BETA', expect.anything()],
      ['JSON_CUT_OFF', 'a__1/result.json'],
      ['FILE_EMPTY', 'b__1/result.json'],
      ['REFERENCE_MISSING', 'c__1/result.json'],
      ['RECORD_INVALID', 'd__1/result.json'],
      ['TRIALS_MISSING', 'e__1'],
      ['TRIALS_MISSING', 'The job planned 3 trials; 1 was read.'],
    ])
  })
  it('beside a result are named, and the trial is kept', async () => {
    for (const [content, code] of [
      ['{"schema_version": "ATIF-v1.6", "steps": [', 'JSON_CUT_OFF'],
      ['[]', 'FILE_EMPTY'],
      ['[[1]]', 'REFERENCE_MISSING'],
      [trajectory([], { schema_version: 'ATIF-v2.0' }), 'FORMAT_NEWER'],
      [trajectory(7), 'RECORD_INVALID'],
    ] as const) {
      const { trials, problems } = await readOneFolder({
        'result.json': result(),
        'agent/trajectory.json': content,
      })
      expect(trials).toMatchObject([{ outcome: 'pass', steps: [] }])
      expect(problems.find((problem) => problem.code === code)?.message).toContain('trajectory.json')
    }
  })
})
