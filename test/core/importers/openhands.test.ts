// OpenHands outputs: golden dumps of real lines, events of every age as cases, outcomes and ends, broken files, and all
// real files at hand.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openHands } from '../../../src/core/importers/openhands/openhands.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import type { Step, Trial } from '../../../src/model/trial.ts'
import { hasSharedData, fixture, readBytes, readSource, sharedData, type ReadAll } from './readall.ts'
import { holdToGolden } from './golden.ts'
import { readFolder, readOneFolder } from './openall.ts'

const FILES = [
  'output-finished.jsonl',
  'output-limit.jsonl',
  'resolver.jsonl',
  'basic.json',
  'basic_interactions.json',
  'wrong_initial_state.json',
]

type Fields = Record<string, unknown>

const METADATA = {
  agent_class: 'CodeActAgent',
  llm_config: { model: 'maker/m', temperature: 0, api_key: 'sk-secret', base_url: 'http://inside' },
  max_iterations: 30,
  eval_output_dir: 'evaluation/outputs/set/CodeActAgent/m_maxiter_30_N_v0.40-no-hint-run_2',
  start_time: '2026-01-02 03:04:05',
  dataset: 'maker__set-test',
  data_split: 'test',
}
const line = (history: readonly unknown[], more: Fields = {}): string =>
  JSON.stringify({
    instance_id: 'a__b-1',
    instruction: 'Fix it.',
    test_result: { git_patch: 'diff' },
    metadata: METADATA,
    history,
    metrics: { accumulated_cost: 0.5 },
    error: null,
    ...more,
  })
const user = (content: string): Fields => ({ id: 0, source: 'user', action: 'message', args: { content } })
const meta = (name: string, id: string, args: unknown, more: Fields = {}): Fields => ({
  tool_call_metadata: {
    function_name: name,
    tool_call_id: id,
    model_response: {
      id: `r-${id}`,
      model: 'm-1',
      usage: { prompt_tokens: 7, completion_tokens: 3 },
      choices: [{ message: { tool_calls: [{ id, function: { name, arguments: JSON.stringify(args) } }] } }],
    },
    total_calls_in_response: 1,
    ...more,
  },
})
const action = (id: number, kind: string, args: Fields, more: Fields = {}): Fields => ({
  id,
  source: 'agent',
  action: kind,
  args,
  ...more,
})
const observation = (id: number, kind: string, content: string, more: Fields = {}): Fields => ({
  id,
  source: 'agent',
  observation: kind,
  content,
  extras: {},
  ...more,
})

const readOne = async (text: string, name = 'output.jsonl'): Promise<{ trial: Trial; all: ReadAll }> => {
  const all = await readBytes(text, name)
  const trial = all.trials[0]
  if (trial === undefined) throw new Error(`No trial: ${JSON.stringify(all.problems)}`)
  expect(all.detection.importer?.id).toBe('openhands')
  return { trial, all }
}
const ofEvents = async (...events: readonly unknown[]): Promise<readonly Step[]> =>
  (await readOne(line([user('Fix it.'), ...events]))).trial.steps.slice(1)
const told = (steps: readonly Step[]): unknown[] =>
  steps.map(({ role, kind, text, calls, callId }) => [
    `${role} ${kind}`,
    text,
    ...(calls ?? []).map((call) => `${call.id} ${call.name}(${JSON.stringify(call.args)})`),
    ...(callId === undefined ? [] : [`← ${callId}`]),
  ])

const nameless = ({ configuration: { label: _l, ...configuration }, ...rest }: Trial): unknown => ({
  ...rest,
  configuration,
})

holdToGolden('openhands', 'openhands', FILES, { aside: nameless })

describe('an action', () => {
  it('is the call that the model wrote; without it, the action and its arguments', async () => {
    const steps = await ofEvents(
      action(
        1,
        'run',
        { command: 'ls', thought: 'See.', hidden: false },
        meta('execute_bash', 't1', { command: 'ls -a' }),
      ),
      observation(2, 'run', 'a', { cause: 1, extras: { metadata: { exit_code: 0 } } }),
      action(3, 'read', { path: 'x', thought: '', view_range: null, impl_source: 'default' }),
      observation(4, 'read', 'text', { cause: 3 }),
    )
    expect(told(steps)).toEqual([
      ['assistant tool_call', 'See.', 't1 execute_bash({"command":"ls -a"})'],
      ['tool tool_result', 'a', '← t1'],
      ['assistant tool_call', null, 'event-3 read({"path":"x"})'],
      ['tool tool_result', 'text', '← event-3'],
    ])
    expect(steps[0]).toMatchObject({ model: 'm-1', usage: { inputTokens: 7, outputTokens: 3 } })
    expect(steps[1]).toMatchObject({ toolName: 'execute_bash', extra: { exitCode: 0 } })
  })
  it('of one answer with several calls is one batch, whenever their results come', async () => {
    const both = (id: string, command: string): Fields => {
      const more = meta('execute_bash', id, { command }, { total_calls_in_response: 2 })
      const inner = more['tool_call_metadata'] as Fields
      return {
        tool_call_metadata: {
          ...inner,
          model_response: { ...(inner['model_response'] as Fields), id: 'r1' },
        },
      }
    }
    const steps = await ofEvents(
      action(1, 'run', { command: 'a' }, both('t1', 'a')),
      observation(2, 'run', 'A', { cause: 1 }),
      action(3, 'run', { command: 'b' }, both('t2', 'b')),
      observation(4, 'run', 'B', { cause: 3 }),
    )
    expect(told(steps)).toEqual([
      ['assistant tool_call', null, 't1 execute_bash({"command":"a"})', 't2 execute_bash({"command":"b"})'],
      ['tool tool_result', 'A', '← t1'],
      ['tool tool_result', 'B', '← t2'],
    ])
  })
  it('is answered by cause, in whatever order; without ids by what comes next', async () => {
    const crossed = await ofEvents(
      action(1, 'run', { command: 'a' }),
      action(2, 'run', { command: 'b' }),
      observation(3, 'run', 'B', { cause: 2 }),
      observation(4, 'run', 'A', { cause: 1 }),
    )
    expect(told(crossed).slice(2)).toEqual([
      ['tool tool_result', 'B', '← event-2'],
      ['tool tool_result', 'A', '← event-1'],
    ])
    const flat = (kind: string, name: string, more: Fields): Fields => ({ [kind]: name, ...more })
    const old = await ofEvents(
      flat('action', 'run', { command: 'a', thought: 'T' }),
      flat('observation', 'run', { content: 'A', exit_code: 1 }),
      flat('observation', 'run', { content: 'stray' }),
    )
    expect(told(old)).toEqual([
      ['assistant tool_call', 'T', 'action-1 run({"command":"a"})'],
      ['tool tool_result', 'A', '← action-1'],
      ['environment message', 'stray'],
    ])
    expect(old[1]).toMatchObject({ isError: true, extra: { exitCode: 1 } })
  })
  it('may stand in a pair with its observation', async () => {
    const pairs = [
      [user('Fix it.'), { observation: 'null', content: '', extras: {} }],
      [
        { action: 'run', args: { command: 'a', thought: 'T' }, source: 'agent' },
        { observation: 'run', content: 'A', extras: { exit_code: 0 } },
      ],
    ]
    const { trial } = await readOne(line(pairs))
    expect(told(trial.steps)).toEqual([
      ['user message', 'Fix it.'],
      ['assistant tool_call', 'T', 'action-1 run({"command":"a"})'],
      ['tool tool_result', 'A', '← action-1'],
    ])
    expect(trial.extra['eventsNotShown']).toEqual({ null: 1 })
  })
  it('that says errors, or still runs', async () => {
    const result = async (more: Fields, content = 'x', kind = 'run'): Promise<Step | undefined> =>
      (
        await ofEvents(
          action(1, 'run', { command: 'a' }),
          observation(2, kind, content, { cause: 1, ...more }),
        )
      )[1]
    expect(await result({ success: false, extras: { metadata: { exit_code: 127 } } })).toMatchObject({
      isError: true,
    })
    expect(await result({ success: false, extras: { metadata: { exit_code: -1 } } })).not.toHaveProperty(
      'isError',
    )
    expect(await result({}, 'ERROR:\nNo such file')).toMatchObject({ isError: true })
    expect(await result({}, 'late', 'error')).toMatchObject({ isError: true, callId: 'event-1' })
    expect(await result({}, 'no', 'user_rejected')).toMatchObject({ isError: true })
  })
  it('of a sub-agent is marked as its own, and its end is not the end', async () => {
    const steps = await ofEvents(
      action(1, 'delegate', { agent: 'BrowsingAgent', inputs: { task: 'look' } }),
      action(2, 'browse', { url: 'http://x' }),
      observation(3, 'browse', 'page', { cause: 2 }),
      action(4, 'finish', { outputs: { content: 'seen' } }),
      observation(5, 'delegate', '', { cause: 1, extras: { outputs: { content: 'seen' } } }),
      action(6, 'finish', { final_thought: 'Done.', task_completed: 'true' }),
    )
    expect(steps.map(({ agent, parent, final }) => [agent, parent, final])).toEqual([
      [undefined, undefined, undefined],
      ['BrowsingAgent', 1, undefined],
      ['BrowsingAgent', 1, undefined],
      ['BrowsingAgent', 1, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, true],
    ])
    expect(steps[4]).toMatchObject({ callId: 'event-1', content: { content: 'seen' } })
    expect(steps[5]).toMatchObject({ text: 'Done.', extra: { taskCompleted: 'true' } })
  })
})

describe('events that are no calls', () => {
  it('are thoughts, condensations, recalls, errors; bookkeeping is counted', async () => {
    const { trial } = await readOne(
      line([
        action(0, 'system', { content: 'You are.', tools: [{ name: 't' }], openhands_version: '0.40' }),
        user('Fix it.'),
        action(2, 'recall', { query: 'x' }),
        observation(3, 'recall', 'Added workspace context', {
          cause: 2,
          extras: { repo_name: 'r', date: '' },
        }),
        action(4, 'think', { thought: 'Hm.' }),
        observation(5, 'think', 'logged', { cause: 4 }),
        action(6, 'condensation', { forgotten_event_ids: [1, 2], summary: 'So far.' }),
        action(7, 'condensation_request', {}),
        observation(8, 'error', 'No such tool.'),
        observation(9, 'agent_state_changed', '', { extras: { agent_state: 'awaiting_user_input' } }),
        action(10, 'change_agent_state', { agent_state: 'running' }),
      ]),
    )
    expect(told(trial.steps)).toEqual([
      ['system message', 'You are.'],
      ['user message', 'Fix it.'],
      ['environment message', 'Added workspace context'],
      ['assistant reasoning', 'Hm.'],
      ['environment compaction', 'So far.'],
      ['environment error', 'No such tool.'],
    ])
    expect(trial.steps[2]?.extra).toEqual({ repo_name: 'r' })
    expect(trial.steps[4]?.extra).toEqual({ forgottenEvents: 2 })
    expect(trial.termination).toBe('awaiting_user_input')
    expect(trial.configuration.agentVersion).toBe('0.40')
    expect(trial.extra['eventsNotShown']).toEqual({
      recall: 1,
      think: 1,
      condensation_request: 1,
      agent_state_changed: 1,
      change_agent_state: 1,
    })
  })
  it('are kept when they are no events at all', async () => {
    const { trial, all } = await readOne(line([user('x'), 5, { odd: true }, null]))
    expect(trial.steps.map((step) => step.content)).toEqual([undefined, 5, { odd: true }])
    expect(all.codes).toEqual(['STEP_INVALID', 'OUTCOME_MISSING'])
  })
})

describe('events of the SDK', () => {
  const event = (kind: string, more: Fields): Fields => ({ kind, timestamp: '2026-01-02T03:04:05', ...more })
  const say = (source: string, text: string): Fields =>
    event('MessageEvent', { source, llm_message: { role: source, content: [{ type: 'text', text }] } })
  const act = (id: string, tool: string, args: Fields, more: Fields = {}): Fields =>
    event('ActionEvent', {
      id,
      source: 'agent',
      thought: [{ type: 'text', text: 'T' }],
      action: { kind: 'TerminalAction', ...args },
      tool_name: tool,
      tool_call_id: `c-${id}`,
      tool_call: { id: `c-${id}`, name: tool, arguments: JSON.stringify(args) },
      llm_response_id: `r-${id}`,
      ...more,
    })
  const HISTORY = [
    event('SystemPromptEvent', {
      source: 'agent',
      system_prompt: { type: 'text', text: 'You are.' },
      tools: [{ a: 1 }],
    }),
    say('user', 'Fix it.'),
    act('a', 'terminal', { command: 'ls' }, { llm_response_id: 'r', reasoning_content: 'Hm.' }),
    act('b', 'terminal', { command: 'pwd' }, { llm_response_id: 'r' }),
    event('ObservationEvent', {
      source: 'environment',
      tool_name: 'terminal',
      tool_call_id: 'c-a',
      action_id: 'a',
      observation: { kind: 'TerminalObservation', content: [{ type: 'text', text: 'x' }], exit_code: 0 },
    }),
    event('AgentErrorEvent', { source: 'agent', tool_name: 'terminal', tool_call_id: 'c-b', error: 'No.' }),
    act('c', 'think', { thought: 'So.' }),
    event('ObservationEvent', {
      source: 'environment',
      action_id: 'c',
      tool_call_id: 'c-c',
      observation: {},
    }),
    event('Condensation', { source: 'environment', forgotten_event_ids: ['a'], summary: 'Short.' }),
    event('ConversationStateUpdateEvent', {
      source: 'environment',
      key: 'execution_status',
      value: 'running',
    }),
    event('TokenEvent', { source: 'agent', prompt_token_ids: [1] }),
    act('d', 'finish', { message: 'Done.' }, { thought: [] }),
  ]
  const expected = [
    ['system message', 'You are.'],
    ['user message', 'Fix it.'],
    ['assistant reasoning', 'Hm.'],
    ['assistant tool_call', 'T', 'c-a terminal({"command":"ls"})', 'c-b terminal({"command":"pwd"})'],
    ['tool tool_result', 'x', '← c-a'],
    ['tool tool_result', 'No.', '← c-b'],
    ['assistant reasoning', 'T\n\nSo.'],
    ['environment compaction', 'Short.'],
    ['assistant message', 'Done.'],
  ]
  it('in a line are steps, and said to be beta', async () => {
    const { trial, all } = await readOne(
      line(HISTORY, { attempt: 2, metadata: { llm: { model: 'maker/m' }, eval_output_dir: 'x' } }),
    )
    expect(told(trial.steps)).toEqual(expected)
    expect(trial.steps[5]).toMatchObject({ isError: true })
    expect(trial.steps[8]).toMatchObject({ final: true })
    expect(trial).toMatchObject({
      termination: 'finished',
      sourceTrial: '2',
      configuration: { model: 'maker/m' },
    })
    expect(trial.extra).toMatchObject({
      attempt: '2',
      eventsNotShown: { ConversationStateUpdateEvent: 1, TokenEvent: 1, ObservationEvent: 1 },
    })
    expect(all.codes).toEqual(['FORMAT_BETA', 'OUTCOME_MISSING'])
  })
  it('by themselves are a conversation', async () => {
    for (const text of [JSON.stringify(HISTORY), HISTORY.map((one) => JSON.stringify(one)).join('\n')])
      expect(told((await readOne(text, 'events')).trial.steps)).toEqual(expected)
  })
})

describe('an outcome', () => {
  const of = async (more: Fields): Promise<Trial> => (await readOne(line([user('x')], more))).trial
  it.each([
    [{ test_result: { git_patch: 'd', report: { resolved: true } } }, 'pass', 1],
    [{ test_result: { git_patch: '', report: { resolved: false, empty_generation: true } } }, 'fail', 0],
    [{ test_result: {}, report: { resolved: true } }, 'pass', 1],
    [{ test_result: { report: { resolved: false, error_eval: true } } }, 'error', null],
    [{ test_result: { report: { resolved: true } }, error: 'RuntimeError: late' }, 'pass', 1],
    [{ test_result: { git_patch: 'd' } }, 'unknown', null],
    [{ test_result: { report: { resolved: 'yes' } } }, 'unknown', null],
    // Not the resolver: `success` of a line means nothing that is known.
    [{ success: true }, 'unknown', null],
  ])('of %j is %s', async (more, outcome, score) => {
    expect(await of(more)).toMatchObject({ outcome, score })
  })
  it('of the resolver is its own judgement, and says so', async () => {
    const issue = { owner: 'o', repo: 'r', number: 3, title: 'T', body: 'B' }
    const resolved = {
      instance_id: undefined,
      metadata: undefined,
      test_result: undefined,
      issue,
      git_patch: 'd',
    }
    expect(await of({ ...resolved, success: false, result_explanation: 'why' })).toMatchObject({
      suite: 'openhands',
      task: 'o/r#3',
      taskTitle: 'T',
      outcome: 'fail',
      scorer: 'resolver (a model judged)',
      extra: { resultExplanation: 'why', submission: 'd' },
    })
  })
  it.each([
    [
      'RuntimeError: Agent reached maximum iteration in headless mode. Current iteration: 30',
      'max_iterations',
      null,
    ],
    ['AgentStuckInLoopError: Agent got stuck in a loop', 'stuck_in_loop', null],
    ['BudgetExceeded: maximum budget reached', 'max_budget', null],
    ['litellm.APIConnectionError: gone', 'error', 'litellm.APIConnectionError'],
    ['something else', 'error', null],
  ])('of the error %s ends by %s', async (error, termination, type) => {
    const trial = await of({ error })
    expect(trial.termination).toBe(termination)
    const isBroken = termination === 'error'
    expect(trial.outcome).toBe(isBroken ? 'error' : 'unknown')
    expect(trial.error === null ? null : trial.error.type).toBe(type)
    expect(trial.error?.message ?? null).toBe(isBroken ? error : null)
    expect(trial.extra['runError']).toBe(error)
  })
})

describe('a configuration', () => {
  it('is model, agent, versions and settings, without secrets, seed and repetition', async () => {
    const system = action(0, 'system', { content: 'You are.', tools: [], openhands_version: '0.40' })
    const of = async (folder: string, more: Fields = {}) => {
      const metadata = {
        ...METADATA,
        eval_output_dir: METADATA.eval_output_dir.replace('run_2', folder),
        ...more,
      }
      return (await readOne(line([system, user('x')], { metadata }))).trial
    }
    const one = await of('run_1')
    const two = await of('run_2', { llm_config: { ...METADATA.llm_config, seed: 5 } })
    expect(one.configuration).toEqual(two.configuration)
    expect([one.sourceTrial, two.sourceTrial, one.seed, two.seed]).toEqual(['1', '2', null, '5'])
    expect(one.suite).toBe('maker__set-test')
    expect(one.configuration).toMatchObject({
      label: null,
      model: 'maker/m',
      agent: 'CodeActAgent',
      agentVersion: '0.40',
      promptVersion: expect.stringMatching(/^sha256:/),
      params: { temperature: 0, maxIterations: 30, note: 'v0.40-no-hint' },
    })
    expect(JSON.stringify([one, two])).not.toMatch(/sk-secret|inside/)
  })
  it('of attempt files has the attempt; one line in two files is one trial', async () => {
    const text = line([user('x')])
    const first = await readOne(text, 'm-run_3/output.critic_attempt_1.jsonl')
    const last = await readOne(text, 'm-run_3/output.jsonl')
    expect([first.trial.sourceTrial, first.trial.extra['attempt'], last.trial.sourceTrial]).toEqual([
      '2.1',
      '1',
      '2',
    ])
    expect(first.all.raws[0]?.recordBytes).toEqual(last.all.raws[0]?.recordBytes)
    expect(first.all.raws[0]?.identitySalt).toBeNull()
    expect(first.all.raws[0]?.sourceKey).not.toBe(last.all.raws[0]?.sourceKey)
  })
  it('is known again when a report was written into the line later', async () => {
    const graded = line([user('x')], { test_result: { git_patch: 'diff', report: { resolved: true } } })
    const keys = await Promise.all(
      [line([user('x')]), graded].map(async (text) => (await readOne(text)).all.raws[0]),
    )
    expect(keys[0]?.sourceKey).toMatch(/a__b-1$/)
    expect(keys[0]?.sourceKey).toBe(keys[1]?.sourceKey)
  })
})

describe('counts', () => {
  it('come from metrics, else from the last event that has them; zeros were not counted', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 4, cache_read_tokens: 3 }
    const own = await readOne(
      line([user('x')], { metrics: { accumulated_cost: 0, accumulated_token_usage: usage } }),
    )
    expect(own.trial).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3 },
      costUsd: null,
    })
    const llm_metrics = { accumulated_cost: 0.25, accumulated_token_usage: usage }
    const events = await readOne(
      line([user('x'), action(1, 'run', { command: 'a' }, { llm_metrics })], { metrics: null }),
    )
    expect(events.trial).toMatchObject({ usage: { inputTokens: 10 }, costUsd: 0.25 })
  })
})

describe('a file', () => {
  it('of lines of 280 KB loses none to a broken neighbour', async () => {
    const long = (id: string): string =>
      line(
        [
          user('x'),
          action(1, 'run', { command: 'a' }),
          observation(2, 'run', 'y'.repeat(280_000), { cause: 1 }),
        ],
        {
          instance_id: id,
        },
      )
    const text = [long('a'), long('b').slice(0, 200_000), long('c'), '{"odd": 1}'].join('\n')
    const { trials, codes } = await readBytes(text, 'output.jsonl')
    expect(trials.map((trial) => trial.task)).toEqual(['a', 'c'])
    expect(codes.toSorted()).toEqual(['JSON_INVALID', 'OUTCOME_MISSING', 'RECORD_INVALID'])
  })
  it('of events that is cut off keeps what was whole', async () => {
    const bytes = readFileSync(fixture('openhands/wrong_initial_state.json')).toString()
    const { trials, codes } = await readBytes(bytes.slice(0, bytes.lastIndexOf('"action": "finish"')), 'x')
    expect(trials[0]?.steps).toHaveLength(7)
    expect(codes).toContain('JSON_CUT_OFF')
  })
  it('whose history is empty, or lies behind what detection sees, is known all the same', async () => {
    const empty = await readOne(line([], { error: 'RuntimeError: no runtime' }))
    expect(empty.trial).toMatchObject({ outcome: 'error', steps: [] })
    expect(empty.all.raws[0]?.identitySalt).toBe('output.jsonl')
    const far = JSON.stringify({
      instance_id: 'x',
      metadata: METADATA,
      instruction: 'y'.repeat(80_000),
      history: [user('x')],
    })
    expect((await readOne(far)).trial.task).toBe('x')
  })
  it('of something else is not taken for one', async () => {
    for (const text of [
      '{"action": "run"}',
      '[{"action": "x", "result": 1}]',
      '{"instance_id": "a", "history": [{"role": "user"}]}',
      '[{"kind": "Event"}]',
    ])
      expect((await readBytes(text)).detection.importer?.id).not.toBe('openhands')
    expect((await readBytes('{"a": 1}\n', 'x', openHands)).codes).toEqual([
      'FORMAT_UNKNOWN',
      'RECORD_INVALID',
    ])
  })
})

const hasData = hasSharedData('openhands', 'real OpenHands files are')

describe.skipIf(!hasData)('real OpenHands files (../shared/data)', () => {
  it('are read: trials, calls, results, errors counted by another JSON reader', async () => {
    const found: Record<string, unknown> = {}
    for await (const opened of openSources(sharedData('openhands'))) {
      if (opened.kind !== 'source' || !/\.jsonl?$/.test(opened.source.name)) continue
      const { detection, trials, codes } = await readSource(opened.source)
      const steps = trials.flatMap((trial) => trial.steps)
      const count = (test: (step: Step) => boolean): number => steps.filter(test).length
      found[opened.source.name.slice('openhands/'.length)] = [
        detection.importer?.id ?? null,
        trials.map((trial) => trial.outcome).join(),
        count((step) => step.kind === 'tool_call'),
        count((step) => step.kind === 'tool_result'),
        count((step) => step.final === true),
        codes.join(),
      ]
      const configurations = trials.map((trial) => JSON.stringify(trial.configuration))
      expect(new Set(configurations).size).toBeLessThanOrEqual(1)
    }
    const unknown = 'OUTCOME_MISSING'
    expect(found).toEqual({
      'multi_swe_bench__examples__output.jsonl': [
        'openhands',
        'unknown,unknown,unknown',
        101,
        101,
        2,
        unknown,
      ],
      'runtime__trajs__basic.json': ['openhands', 'unknown', 1, 1, 1, unknown],
      'runtime__trajs__basic_gui_mode.json': ['openhands', 'unknown', 4, 4, 0, unknown],
      'runtime__trajs__basic_interactions.json': ['openhands', 'unknown', 0, 0, 1, unknown],
      'runtime__trajs__wrong_initial_state.json': ['openhands', 'unknown', 3, 3, 1, unknown],
      'swe_bench__examples__example_model_output.json': [null, '', 0, 0, 0, 'FORMAT_NOT_READ'],
      'unit__resolver__mock_output__output.jsonl': ['openhands', 'pass,pass', 24, 24, 2, ''],
    })
  })
})

describe('the folder of an SDK conversation', () => {
  const id = '7d0f0a52-3c7b-4b7e-9a63-1b5f0f3f0a11'
  const STATE = {
    id,
    agent: { kind: 'Agent', llm: { model: 'maker/model-1', temperature: 0, api_key: 'sk-not-for-anybody' } },
    workspace: { kind: 'LocalWorkspace', working_dir: '/w' },
    max_iterations: 50,
    execution_status: 'finished',
    stats: {
      usage_to_metrics: {
        agent: {
          accumulated_cost: 0.25,
          accumulated_token_usage: { prompt_tokens: 100, completion_tokens: 10, cache_read_tokens: 60 },
        },
        condenser: {
          accumulated_cost: 0.05,
          accumulated_token_usage: { prompt_tokens: 20, completion_tokens: 2 },
        },
      },
    },
  }
  const said = (eventId: string, source: string, text: string, more: Fields = {}): Fields => ({
    kind: 'MessageEvent',
    id: eventId,
    source,
    timestamp: '2026-01-02T03:04:05',
    llm_message: { role: source, content: [{ type: 'text', text }] },
    ...more,
  })
  const files = (events: readonly Fields[], state: Fields | null = STATE): Record<string, unknown> => ({
    ...(state === null ? {} : { 'base_state.json': state }),
    'events/.eventlog.lock': '',
    ...Object.fromEntries(
      events.map((event, i) => [
        `events/event-${String(i).padStart(5, '0')}-${event['id'] as string}.json`,
        event,
      ]),
    ),
  })
  it('is one trial: events in their order, model, tokens, cost and end from the state', async () => {
    const events = Array.from({ length: 12 }, (_, i) =>
      said(`e${i}`, i % 2 === 0 ? 'user' : 'agent', `say ${i}`),
    )
    const { reads, strangers } = await readFolder({ ...files(events), 'notes.txt': 'x' }, id)
    expect(strangers).toEqual([`${id}/notes.txt: FORMAT_UNKNOWN`])
    expect(reads).toHaveLength(1)
    const { trials, raws, detection, codes } = reads[0]!
    expect(detection.importer?.id).toBe('openhands')
    expect(trials).toHaveLength(1)
    expect(trials[0]).toMatchObject({
      sourceId: id,
      task: 'say 0',
      outcome: 'unknown',
      termination: 'finished',
      costUsd: 0.3,
      usage: { inputTokens: 120, outputTokens: 12, cachedInputTokens: 60 },
      configuration: { model: 'maker/model-1', params: { temperature: 0, maxIterations: 50 } },
    })
    expect(trials[0]!.steps.map(({ text }) => text)).toEqual(events.map((_, i) => `say ${i}`))
    expect(raws[0]!.sourceKey).toBe(id)
    expect(JSON.stringify(trials[0])).not.toContain('sk-not')
    expect(codes).toEqual(['FORMAT_BETA', 'OUTCOME_MISSING'])
  })
  it('that broke is an error with its words; without events there is no trial, and a broken one costs itself', async () => {
    const broke = {
      kind: 'ConversationErrorEvent',
      id: 'x',
      source: 'environment',
      timestamp: 't',
      code: 'E',
      detail: 'no',
    }
    const events = [said('a', 'user', 'go'), broke]
    const { trials } = await readOneFolder(files(events, { ...STATE, execution_status: 'error' }))
    expect(trials[0]).toMatchObject({ outcome: 'error', termination: 'error', error: { message: 'E\n\nno' } })
    expect((await readOneFolder(files([]))).codes).toContain('TRIALS_MISSING')
    const cut = {
      ...files([said('a', 'user', 'go'), said('b', 'agent', 'ok')]),
      'events/event-00002-c.json': '{"kind":',
    }
    const { trials: two, problems } = await readOneFolder(cut)
    expect(two[0]?.steps).toHaveLength(2)
    expect(problems.some(({ message }) => message.startsWith('events/event-00002-c.json: '))).toBe(true)
  })
  it('that was forked is the path to its last event, and what was left is said', async () => {
    const events = [
      said('a', 'user', 'go'),
      said('b', 'agent', 'first', { parent_id: 'a' }),
      said('c', 'agent', 'second', { parent_id: 'a' }),
      said('d', 'user', 'more', { parent_id: 'c' }),
    ]
    const { trials, codes } = await readOneFolder(files(events))
    expect(trials[0]?.steps.map(({ text }) => text)).toEqual(['go', 'second', 'more'])
    expect(codes).toContain('BRANCH_LEFT')
  })
})
