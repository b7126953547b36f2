// tau2-bench results: golden dumps of real pieces, both forms of the container, and every quirk that the format is
// known for as its own case.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import { dump } from './dump.ts'
import { openAll, readFolder, readOneFolder } from './openall.ts'
import { fixture, readBytes } from './readall.ts'
import { holdToGolden } from './golden.ts'

const FILES = ['airline-pass.json', 'airline-fail.json', 'mock-user-tools.json', 'mock-max-steps.json']

const message = (role: string, content: unknown, more = {}): object => ({ role, content, ...more })
const call = (id: string, name: string, args: unknown = {}): object => ({ id, name, arguments: args })
const simulation = (more: object = {}): Record<string, unknown> => ({
  id: 's1',
  task_id: '7',
  start_time: '2026-05-31T12:38:33.730958',
  end_time: '2026-05-31T12:39:33.730958',
  termination_reason: 'user_stop',
  reward_info: { reward: 1 },
  messages: [message('assistant', 'Hi'), message('user', 'bye')],
  trial: 0,
  seed: 626729,
  ...more,
})
const INFO = {
  git_commit: 'abc',
  num_trials: 1,
  agent_info: { implementation: 'llm_agent', llm: 'm-1', llm_args: { temperature: 0 } },
  user_info: { implementation: 'user_simulator', llm: 'u-1' },
  environment_info: { domain_name: 'airline', policy: '# Policy' },
}
const results = (simulations: unknown, more: object = {}): Record<string, unknown> => ({
  timestamp: 'x',
  info: INFO,
  tasks: [{ id: '7', description: { purpose: 'Why' }, user_scenario: { instructions: 'Do it.' } }],
  simulations,
  ...more,
})
const read = (value: unknown) => readBytes(JSON.stringify(value))
const only = async (more: object) => {
  const { trials, codes, problems } = await read(results([simulation(more)]))
  expect(trials).toHaveLength(1)
  return { trial: trials[0]!, codes, problems }
}

holdToGolden('tau2', 'tau2', FILES, { aside: (trial) => trial })

describe.each(FILES)('%s', (name) => {
  const bytes = readFileSync(fixture(`tau2/${name}`))
  it('hands on every simulation exactly as it stands in the file, with its place', async () => {
    for (const { recordBytes, byteOffset, line, trial } of (await readBytes(bytes, name)).raws) {
      expect(bytes.subarray(byteOffset!, byteOffset! + recordBytes.length).equals(recordBytes)).toBe(true)
      expect(bytes.subarray(0, byteOffset!).toString().split('\n')).toHaveLength(line!)
      expect(JSON.parse(recordBytes.toString()).id).toBe(trial.sourceId)
    }
  })
})

describe('the folder form', () => {
  it('reads as in the golden dump, and the same after an export and an import', async () => {
    const { reads, strangers, skipped } = await openAll(fixture('tau2/voice'))
    expect([strangers, skipped]).toEqual([[], []])
    expect(reads).toHaveLength(1)
    const result = reads[0]!
    await expect(dump(result)).toMatchFileSnapshot(fixture('tau2/voice.golden.txt'))
    const lines = [...writeFaultlineJsonl(result.trials, { producer: 'test' })].join('')
    expect((await readBytes(lines)).trials).toEqual(result.trials)
  })
  const simulations = {
    'simulations/b.json': simulation({ id: 'b' }),
    'simulations/a.json': simulation({ id: 'a' }),
  }
  it('takes simulations by name of file; what does not belong to it is left aside and listed', async () => {
    const { reads, strangers } = await readFolder({
      'results.json': results(undefined),
      ...simulations,
      'notes.txt': 'hello',
      'simulations/readme.md': 'text',
      'older/results.json': results([simulation({ id: 'old' })]),
    })
    expect(reads.map((one) => one.trials.map((trial) => trial.sourceId))).toEqual([['old'], ['a', 'b']])
    expect(strangers).toEqual([
      'root/notes.txt: FORMAT_UNKNOWN',
      'root/simulations/readme.md: FORMAT_UNKNOWN',
    ])
    const { trial } = reads[1]!.raws[0]!
    expect([trial.suite, trial.taskTitle, trial.configuration.model]).toEqual(['airline', 'Why', 'm-1'])
  })
  it('reads simulations of both places, and says when one stands in both', async () => {
    const { trials, codes } = await readOneFolder({
      'results.json': results([simulation({ id: 'a' }), simulation({ id: 'c' })]),
      ...simulations,
    })
    expect(trials.map((trial) => trial.sourceId)).toEqual(['a', 'c', 'a', 'b'])
    expect(codes).toEqual(['RECORD_DUPLICATE'])
  })
  it('names the file of a broken simulation, and reads the rest', async () => {
    const { trials, problems } = await readOneFolder({
      'results.json': results(undefined, { simulation_index: [{ id: 'a' }, { id: 'gone' }] }),
      'simulations/0.json': '{"id": "x", "task_id": ',
      'simulations/1.json': '',
      'simulations/2.json': [1],
      'simulations/3.json': { id: 'no task' },
      ...simulations,
    })
    expect(trials).toHaveLength(2)
    expect(problems.map(({ code, message }) => [code, message.slice(0, 30)])).toEqual([
      ['JSON_CUT_OFF', expect.stringContaining('simulations/0.json: ')],
      ['JSON_INVALID', expect.anything()],
      ['RECORD_INVALID', expect.stringContaining('simulations/3.json: ')],
      ['TRIALS_MISSING', expect.stringContaining('1 simulation of the index')],
    ])
  })
  it('without its folder says what to import', async () => {
    const { trials, problems } = await read(results(undefined))
    expect(trials).toEqual([])
    expect(problems[0]).toMatchObject({ code: 'TRIALS_MISSING', severity: 'error' })
    expect(problems[0]?.hint).toMatch(/simulations\//)
  })
  it('of one simulation alone gives the trial, without what only the results say', async () => {
    const { trials, detection } = await read(simulation())
    expect(detection.importer?.id).toBe('tau2')
    expect(trials[0]).toMatchObject({ suite: 'tau2-bench', task: '7', outcome: 'pass', taskTitle: null })
  })
})

describe('a file', () => {
  it('whose simulations come before what describes them is read twice', async () => {
    const { tasks, info, simulations } = results([simulation()])
    const { trials } = await read({ simulations, tasks, info })
    expect(trials).toHaveLength(1)
    expect(trials[0]).toMatchObject({ suite: 'airline', taskInput: 'Do it.' })
  })
  it('may be a list of results: each has its own run and tasks', async () => {
    const other = { ...INFO, environment_info: { domain_name: 'retail' }, num_trials: 3 }
    const { info, ...rest } = results([simulation({ id: 's2', task_id: '9' })], { info: other })
    const list = [results([simulation()]), { ...rest, info }]
    for (const text of [JSON.stringify(list), list.map((one) => JSON.stringify(one)).join('\n')]) {
      const { detection, raws, problems } = await readBytes(text)
      expect(detection.importer?.id).toBe('tau2')
      expect(raws.map(({ trial, record }) => [trial.suite, trial.task, trial.taskTitle, record])).toEqual([
        ['airline', '7', 'Why', 0],
        ['retail', '9', null, 1],
      ])
      expect(problems.map(({ code, message }) => [code, message.slice(0, 43)])).toEqual([
        ['TRIALS_MISSING', 'The source holds 1 simulation of 3 (1 task,'],
      ])
    }
  })
  it('with null or a number for a list says so', async () => {
    expect((await read(results(null))).codes).toEqual(['TRIALS_MISSING'])
    expect((await read(results(7))).codes).toEqual(['RECORD_INVALID', 'TRIALS_MISSING'])
  })
  it('cut off in a simulation keeps those before it', async () => {
    const text = JSON.stringify(results([simulation(), simulation({ id: 's2' })]))
    const { trials, codes } = await readBytes(text.slice(0, -40))
    expect(trials.map((trial) => trial.sourceId)).toEqual(['s1'])
    expect(codes).toContain('JSON_CUT_OFF')
  })
  it('with fewer simulations than tasks times trials says how many', async () => {
    const { problems } = await read(results([simulation()], { info: { ...INFO, num_trials: 4 } }))
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['TRIALS_MISSING', 'The source holds 1 simulation of 4 (1 task, 4 trials each).'],
    ])
  })
  it('of a large object is read member by member, the places its own', async () => {
    const filler = 'x'.repeat(300_000)
    const sims = Array.from({ length: 40 }, (_, i) =>
      simulation({ id: `s${i}`, messages: [message('user', filler)] }),
    )
    const { raws, problems } = await read(results(sims, { info: { ...INFO, num_trials: 40 } }))
    expect(problems).toEqual([])
    expect(raws.map((raw) => [raw.record, raw.trial.sourceId])).toEqual(sims.map((_, i) => [i, `s${i}`]))
  })
})

describe('identity', () => {
  it('is the simulation’s id; its number, restarting in every file, is only kept', async () => {
    const { raws } = await read(results([simulation({ task_id: 5, trial: 0 })]))
    expect(raws[0]).toMatchObject({ sourceKey: 's1', identitySalt: null })
    expect(raws[0]?.trial).toMatchObject({ task: '5', sourceTrial: '0', seed: '626729' })
  })
  it('without an id is the record within its run', async () => {
    const { raws } = await read(results([simulation({ id: undefined })]))
    expect(raws[0]).toMatchObject({ sourceKey: null })
    expect(raws[0]?.identitySalt).toContain('airline')
  })
  it('of a task keeps its brackets and bars', async () => {
    const task = '[mobile_data_issue]airplane_mode_on|user_abroad[PERSONA:None]'
    expect((await only({ task_id: task })).trial.task).toBe(task)
  })
  it('of the configuration does not change with the harness’s commit', async () => {
    const [one, two] = await Promise.all(
      ['abc', 'def'].map(
        async (commit) =>
          (await read(results([simulation()], { info: { ...INFO, git_commit: commit } }))).trials[0]!,
      ),
    )
    expect(one!.configuration).toEqual(two!.configuration)
    expect([one!.extra['source'], two!.extra['source']]).toEqual([{ gitCommit: 'abc' }, { gitCommit: 'def' }])
    const other = await read(results([simulation()], { info: { ...INFO, user_info: { llm: 'u-2' } } }))
    expect(other.trials[0]!.configuration).not.toEqual(one!.configuration)
  })
})

describe('outcome', () => {
  it.each([
    [1, 'user_stop', 'pass', null],
    [1 - 5e-7, 'agent_stop', 'pass', null],
    [0.5, 'user_stop', 'fail', null],
    [0, 'max_steps', 'fail', null],
    [0, 'timeout', 'fail', null],
    [0, 'too_many_errors', 'fail', null],
    [0, 'agent_error', 'fail', 'agent'],
    [0, 'context_window_exceeded', 'fail', 'agent'],
    [0, 'infrastructure_error', 'error', 'infra'],
    [0, 'unexpected_error', 'error', 'unknown'],
    [0, 'user_error', 'error', 'user_sim'],
  ])('of reward %s after %s is %s', async (reward, termination, outcome, origin) => {
    const { trial } = await only({ reward_info: { reward }, termination_reason: termination })
    expect([trial.outcome, trial.termination, trial.error?.origin ?? null]).toEqual([
      outcome,
      termination,
      origin,
    ])
  })
  it('without a reward is unknown, and that is said', async () => {
    for (const reward_info of [null, {}, { reward: null }]) {
      const { trial, codes } = await only({ reward_info })
      expect([trial.outcome, trial.score]).toEqual(['unknown', null])
      expect(codes).toContain('OUTCOME_MISSING')
    }
  })
  it('of NaN is unknown, and the word is kept', async () => {
    const text = JSON.stringify(results([simulation()])).replace('"reward":1', '"reward":NaN')
    expect((await readBytes(text)).trials[0]).toMatchObject({
      outcome: 'unknown',
      score: null,
      scoreRaw: 'NaN',
    })
  })
  it('keeps the note of an early end, the parts of the reward and its checks', async () => {
    const reward_info = {
      reward: 0,
      reward_breakdown: { DB: 0, COMMUNICATE: 1 },
      db_check: null,
      action_checks: [{ action_match: false, tool_type: 'write' }],
      info: { note: 'Simulation terminated prematurely.' },
    }
    const { trial } = await only({ reward_info, termination_reason: 'infrastructure_error' })
    expect(trial.error?.message).toBe('Simulation terminated prematurely.')
    expect(trial.scores).toEqual({ reward: 0, DB: 0, COMMUNICATE: 1 })
    expect(trial.extra['rewardInfo']).toMatchObject({
      action_checks: [{ action_match: false, tool_type: 'write' }],
    })
    expect(trial.extra['rewardInfo']).not.toHaveProperty('db_check')
  })
  it('has the errors that a review marked on the agent; all of the review is kept', async () => {
    const review = {
      errors: [
        {
          source: 'agent',
          error_tags: ['wrong_argument'],
          severity: 'critical_helped',
          turn_idx: 5,
          reasoning: 'r',
        },
        { source: 'agent', error_tags: [], severity: 'minor', turn_idx: 99 },
        { source: 'user', error_tags: ['x'], severity: 'critical' },
      ],
    }
    const { trial } = await only({
      review,
      messages: [message('assistant', 'Hi', { turn_idx: 4 }), message('user', 'x', { turn_idx: 5 })],
    })
    expect(trial.severeErrors).toEqual([
      { step: 1, kind: 'wrong_argument', severity: 'severe', note: 'r' },
      { step: null, kind: 'review', severity: 'minor', note: null },
    ])
    expect(trial.extra['review']).toEqual(review)
  })
})

describe('steps', () => {
  it('of several calls in one message are one batch, and results find their calls', async () => {
    const { trial, codes } = await only({
      messages: [
        message('assistant', null, { tool_calls: [call('a', 'f', { x: 1 }), call('b', 'g')] }),
        message('tool', 'A', { id: 'a', requestor: 'assistant', error: false }),
        message('tool', 'Error: no', { id: 'b', requestor: 'assistant', error: true }),
      ],
    })
    expect(codes).toEqual([])
    expect(trial.steps.map((step) => [step.kind, step.calls?.length, step.callId, step.isError])).toEqual([
      ['tool_call', 2, undefined, undefined],
      ['tool_result', undefined, 'a', undefined],
      ['tool_result', undefined, 'b', true],
    ])
  })
  it('of the user’s own calls are the user’s', async () => {
    const { trial } = await only({
      messages: [
        message('user', 'let me look', { tool_calls: [call('u', 'check_phone')] }),
        message('tool', 'on', { id: 'u', requestor: 'user' }),
      ],
    })
    expect(trial.steps).toEqual([
      {
        index: 0,
        role: 'user',
        kind: 'tool_call',
        agent: 'user',
        text: 'let me look',
        calls: [{ id: 'u', name: 'check_phone', args: {} }],
      },
      {
        index: 1,
        role: 'tool',
        kind: 'tool_result',
        agent: 'user',
        text: 'on',
        callId: 'u',
        toolName: 'check_phone',
      },
    ])
  })
  it('of results that were left in one message are taken apart', async () => {
    const { trial } = await only({
      messages: [
        message('assistant', null, { tool_calls: [call('a', 'f'), call('b', 'g')] }),
        {
          role: 'tool',
          tool_messages: [message('tool', 'A', { id: 'a' }), message('tool', 'B', { id: 'b' })],
        },
      ],
    })
    expect(trial.steps.map((step) => step.text)).toEqual([null, 'A', 'B'])
  })
  it('have tokens of the agent only in the trial; the provider’s answer is left in the record', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5 }
    const { trial } = await only({
      agent_cost: 0.25,
      user_cost: 0.5,
      messages: [
        message('assistant', 'Hi', { cost: 0, usage: null }),
        message('user', 'q', { usage, cost: 0.5 }),
        message('assistant', 'a', {
          usage,
          raw_data: { model: 'm-1-x', usage: { prompt_tokens_details: { cached_tokens: 64 } } },
        }),
        message('assistant', 'b', { usage }),
      ],
    })
    expect(trial.usage).toEqual({ inputTokens: 200, outputTokens: 10, cachedInputTokens: 64 })
    expect([trial.costUsd, trial.extra['user_cost']]).toEqual([0.25, 0.5])
    expect(trial.extra['userUsage']).toEqual({ inputTokens: 100, outputTokens: 5, cachedInputTokens: null })
    expect(trial.steps[0]?.extra).toEqual({ scripted: true })
    expect(trial.steps[2]?.model).toBe('m-1-x')
    expect(JSON.stringify(trial)).not.toContain('raw_data')
  })
  it('that are no messages, or calls without JSON, are doubts and kept', async () => {
    const { trial, codes } = await only({
      messages: [
        7,
        message('ghost', 'boo'),
        message('assistant', null, { tool_calls: [call('a', 'f', '{x')] }),
      ],
    })
    expect(trial.steps).toHaveLength(3)
    expect(codes).toEqual(['STEP_INVALID', 'CALL_UNPARSED'])
  })
  it('of speech are utterances: a short pause does not end one, and both sides may speak at once', async () => {
    const tick = (agent: string, user: string) => ({
      timestamp: 't',
      agent_chunk: { role: 'assistant', content: agent, contains_speech: agent !== '' },
      user_chunk: { role: 'user', content: user, contains_speech: user !== '' },
    })
    const silence = Array.from({ length: 7 }, () => tick('', ''))
    const { trial } = await only({
      messages: null,
      ticks: [
        tick('Hel', ''),
        tick('lo. ', 'Hm'),
        tick('', ''),
        tick('Yes?', ''),
        {
          ...tick('', ''),
          agent_tool_calls: [call('a', 'f')],
          agent_tool_results: [{ id: 'a', content: 'ok' }],
        },
        ...silence,
        tick('Done', ''),
      ],
    })
    expect(trial.steps.map((step) => [step.role, step.kind, step.text])).toEqual([
      ['assistant', 'message', 'Hello. Yes?'],
      ['user', 'message', 'Hm'],
      ['assistant', 'tool_call', null],
      ['tool', 'tool_result', 'ok'],
      ['assistant', 'message', 'Done'],
    ])
  })
})
