// SWE-agent trajectories: golden dumps of real files, what the harness's versions write otherwise as cases, broken
// files, and all real files at hand.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sweAgent } from '../../../src/core/importers/swe-agent/swe-agent.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { hasSharedData, fixture, readBytes, readSource, sharedData, type ReadAll } from './readall.ts'
import { holdToGolden } from './golden.ts'

/** Fixture and the folder that the harness wrote it to. */
const FILES: readonly (readonly [folder: string, name: string])[] = [
  ['demonstrations', 'function_calling_simple.traj'],
  [
    'gpt4__swe-agent-test-repo__default_from_url__t-0.00__p-0.95__c-3.00__install-1',
    '6e44b9__sweagenttestrepo-1c2844.traj',
  ],
  [
    'gpt4__swe-agent__test-repo__default_from_url__t-0.00__p-0.95__c-3.00__install-1',
    'swe-agent__test-repo-i1.traj',
  ],
  [
    'human_thought__swe-bench-HumanEvalFix-python__lcb__t-0.00__p-0.95__c-4.00__install-0',
    'humanevalfix-python-0.traj',
  ],
]

type Fields = Record<string, unknown>

const turn = (action: string, more: Fields = {}): Fields => ({
  action,
  observation: `did ${action}`,
  response: `I think\n\`\`\`\n${action}\n\`\`\``,
  thought: 'I think',
  state: '{"open_file": "n/a", "working_dir": "/repo"}\n',
  ...more,
})
const said = (action: string, more: Fields = {}): Fields => ({
  role: 'assistant',
  content: 'I think',
  thought: 'I think',
  action,
  agent: 'main',
  ...more,
})
const OPENING = [
  { role: 'system', content: 'You are.', agent: 'main' },
  { role: 'user', content: 'Fix it.', agent: 'main' },
]
const trajectory = (turns: readonly unknown[], more: Fields = {}): string =>
  JSON.stringify({
    environment: 'main',
    trajectory: turns,
    history: OPENING,
    info: { exit_status: 'submitted', submission: 'diff --git a/x b/x' },
    ...more,
  })

const readOne = async (text: string, name = 'task-1.traj'): Promise<{ trial: Trial; all: ReadAll }> => {
  const all = await readBytes(text, name)
  const trial = all.trials[0]
  if (trial === undefined) throw new Error(`No trial: ${JSON.stringify(all.problems)}`)
  return { trial, all }
}

/** What a name cannot tell. */
const nameless = ({
  suite: _s,
  task: _t,
  configuration: _c,
  taskTitle: _i,
  sourceTrial: _n,
  ...rest
}: Trial): unknown => rest

const FOLDERS = new Map(FILES.map(([folder, name]) => [name, folder]))

holdToGolden('swe-agent', 'swe-agent', [...FOLDERS.keys()], {
  nameOf: (name) => `${FOLDERS.get(name)}/${name}`,
  aside: nameless,
})

describe.each([...FOLDERS.keys()])('%s', (name) => {
  const bytes = readFileSync(fixture(`swe-agent/${name}`))
  it('hands on the record as it stands in the file', async () => {
    const raw = (await readBytes(bytes, name)).raws[0]
    expect(
      bytes
        .subarray(raw?.byteOffset ?? -1)
        .toString()
        .trim(),
    ).toBe(raw?.recordBytes.toString())
  })
})

describe('a turn', () => {
  it('is a command of the shell where no tool is named, and its answer knows where it stood', async () => {
    const { trial, all } = await readOne(trajectory([turn('edit 1:2\nx\nend_of_edit\n')]))
    expect(trial.steps[2]).toEqual({
      index: 2,
      role: 'assistant',
      kind: 'tool_call',
      text: 'I think',
      calls: [{ id: 'step-2', name: 'bash', args: { command: 'edit 1:2\nx\nend_of_edit' } }],
    })
    expect(trial.steps[3]).toEqual({
      index: 3,
      role: 'tool',
      kind: 'tool_result',
      text: 'did edit 1:2\nx\nend_of_edit\n',
      callId: 'step-2',
      toolName: 'bash',
      state: { open_file: 'n/a', working_dir: '/repo' },
    })
    expect(all.codes).toEqual(['OUTCOME_MISSING'])
  })
  it('takes tools and reasoning from the conversation, past answers that were tried again', async () => {
    const history = [
      ...OPENING,
      said('wrong'),
      { role: 'user', content: 'Not like that.', agent: 'main' },
      said('open x', {
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'open', arguments: '{"path":"x"}' } }],
        tool_call_ids: ['c1'],
        thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'abc' }],
      }),
    ]
    const { trial } = await readOne(trajectory([turn('open x', { execution_time: 0.25 })], { history }))
    expect(trial.steps.slice(2).map(({ kind, text }) => [kind, text])).toEqual([
      ['reasoning', 'Hm.'],
      ['tool_call', 'I think'],
      ['tool_result', 'did open x'],
    ])
    expect(trial.steps[3]?.calls).toEqual([{ id: 'c1', name: 'open', args: { path: 'x' } }])
    expect(trial.steps[4]).toMatchObject({ callId: 'c1', toolName: 'open', extra: { executionTimeMs: 250 } })
  })
  it('does not take a demonstration for its conversation', async () => {
    const demo = [
      said('ls', { is_demo: true }),
      { role: 'user', content: 'a b', is_demo: true, agent: 'main' },
    ]
    const history = [OPENING[0], ...demo, OPENING[1], said('ls', { tool_calls: [] })]
    const { trial } = await readOne(trajectory([turn('ls')], { history }))
    expect(trial.steps.map(({ kind, extra }) => [kind, extra])).toEqual([
      ['message', undefined],
      ['message', { isDemo: true }],
      ['message', { isDemo: true }],
      ['message', undefined],
      ['tool_call', undefined],
      ['tool_result', undefined],
    ])
    expect(trial.taskInput).toBe('Fix it.')
  })
  it('without an action is a message; an exit is an error of the environment', async () => {
    const { trial } = await readOne(
      trajectory([
        turn('', { observation: 'Your command was not readable.' }),
        turn('', { thought: 'Exit due to cost limit', observation: 'Exited (autosubmitted)' }),
        turn('exit_format', { thought: 'Exit due to repeated format errors', observation: '' }),
      ]),
    )
    expect(trial.steps.slice(2).map(({ role, kind, text }) => [role, kind, text])).toEqual([
      ['assistant', 'message', 'I think'],
      ['environment', 'message', 'Your command was not readable.'],
      ['environment', 'error', 'Exit due to cost limit\nExited (autosubmitted)'],
      ['environment', 'error', 'Exit due to repeated format errors'],
    ])
  })
  it('that is no turn, a state that is no JSON and a prompt per turn do no harm', async () => {
    const turns = [
      7,
      turn('ls', { state: 'somewhere', messages: [{ role: 'user', content: 'x' }], query: [] }),
    ]
    const { trial, all } = await readOne(trajectory([...turns, turn('pwd', { state: '' })]))
    expect(trial.steps[2]).toMatchObject({ role: 'environment', content: 7 })
    expect(trial.steps[4]?.state).toBe('somewhere')
    expect(trial.steps[6]).not.toHaveProperty('state')
    expect(JSON.stringify(trial)).not.toContain('"query"')
    expect(all.codes).toEqual(['STEP_INVALID', 'OUTCOME_MISSING'])
  })
})

describe('a trajectory without turns', () => {
  it('is its conversation: actions and the answers to them', async () => {
    const history = [
      ...OPENING,
      said('ls'),
      { role: 'user', content: 'a b\n(Open file: n/a)', agent: 'main' },
      said('', { content: 'Done?' }),
      { role: 'user', content: 'Yes.', agent: 'main' },
    ]
    const { trial } = await readOne(JSON.stringify({ history }))
    expect(trial.steps.map(({ role, kind }) => `${role} ${kind}`)).toEqual([
      'system message',
      'user message',
      'assistant tool_call',
      'tool tool_result',
      'assistant message',
      'user message',
    ])
    expect(trial.extra).toEqual({ isDemonstration: true })
  })
  it('that broke before its first one is a trial all the same', async () => {
    const info = { exit_status: 'exit_environment_error', model_stats: { instance_cost: 0 } }
    const { trial, all } = await readOne(
      JSON.stringify({ trajectory: [], history: [], info }),
      'r1/task-1.traj',
    )
    expect(trial).toMatchObject({
      task: 'task-1',
      outcome: 'error',
      termination: 'exit_environment_error',
      error: { type: 'exit_environment_error', origin: 'infra' },
      steps: [],
    })
    expect(all.raws[0]?.identitySalt).toBe('r1/task-1.traj')
    expect(all.codes).toEqual([])
  })
})

describe('an end', () => {
  it.each([
    ['submitted', 'diff', 'unknown'],
    ['submitted (exit_cost)', 'diff', 'unknown'],
    ['exit_cost', null, 'unknown'],
    ['exit_context', null, 'unknown'],
    ['exit_format', null, 'unknown'],
    ['early_exit', '', 'unknown'],
    ['exit_error', null, 'error'],
    ['exit_api', '', 'error'],
    ['exit_error', 'diff', 'unknown'],
    [null, null, 'unknown'],
  ])('%s with the patch %s is %s', async (exit_status, submission, outcome) => {
    const { trial } = await readOne(trajectory([turn('ls')], { info: { exit_status, submission } }))
    expect(trial).toMatchObject({ outcome, termination: exit_status, score: null })
    expect(trial.extra['submission']).toBe(submission === '' || submission === null ? undefined : submission)
  })
  it('of several attempts says what became of each', async () => {
    const attempts = [
      { trajectory: [turn('ls')], info: { exit_status: 'exit_cost', model_stats: { api_calls: 1 } } },
      { trajectory: [], info: {} },
    ]
    const { trial } = await readOne(trajectory([turn('ls')], { attempts }))
    expect(trial.extra['attempts']).toEqual([
      { exitStatus: 'exit_cost', turns: 1, modelStats: { api_calls: 1 } },
      { exitStatus: '', turns: 0, modelStats: null },
    ])
  })
})

describe('counts', () => {
  it('that are all zero were not counted', async () => {
    const zero = { instance_cost: 0, tokens_sent: 0, tokens_received: 0, api_calls: 0 }
    const { trial } = await readOne(trajectory([turn('ls')], { info: { model_stats: zero } }))
    expect(trial).toMatchObject({ usage: null, costUsd: null, extra: { environment: 'main' } })
    const some = { instance_cost: 0.5, tokens_sent: 10, tokens_received: 0 }
    expect((await readOne(trajectory([turn('ls')], { info: { model_stats: some } }))).trial).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 0 },
      costUsd: 0.5,
    })
  })
})

describe('a configuration', () => {
  const of = async (name: string, more: Fields = {}) =>
    (await readOne(trajectory([turn('ls')], more), name)).trial
  it('stands in the folder that the harness named, old and new', async () => {
    const old = await of('gpt4__swe-bench__lite__cfg__t-0.20__p-0.95__c-2.00__install-0___again/a__b-1.traj')
    expect(old).toMatchObject({ suite: 'swe-bench__lite', task: 'a__b-1' })
    expect(old.configuration).toMatchObject({
      label: 'gpt4 cfg',
      model: 'gpt4',
      agent: 'SWE-agent',
      params: { config: 'cfg', temperature: 0.2, top_p: 0.95, costLimit: 2, install: false, suffix: 'again' },
    })
    const recent = await of(
      'x/default__maker--m-1__t-0.00__p-1.00__c-3.00___swe_bench_lite/a__b-1/a__b-1.traj',
    )
    expect(recent).toMatchObject({
      suite: 'swe_bench_lite',
      configuration: { model: 'maker--m-1', params: { config: 'default', costLimit: 3 } },
    })
  })
  it('is the same for repetitions, which the folder counts', async () => {
    const [one, two] = await Promise.all([of('gpt4_run_1/t.traj'), of('gpt4_run_2/t.traj')])
    expect(one.configuration).toEqual(two.configuration)
    expect([one.configuration.label, one.sourceTrial, two.sourceTrial]).toEqual(['gpt4', '1', '2'])
    const named = 'gpt4__d__cfg__t-0.00__p-0.95__c-2.00__install-1__run-3/t.traj'
    expect(await of(named)).toMatchObject({ sourceTrial: '3', suite: 'd' })
  })
  it('comes from replay_config, as text or object, without keys and addresses', async () => {
    const replay = {
      agent: {
        model: {
          name: 'm',
          temperature: 0.5,
          api_key: 'sk-secret',
          api_base: 'http://inside',
          completion_kwargs: { seed: 1, token: 'no' },
        },
        templates: { system_template: 'S', strategy_template: null },
        tools: { bundles: [{ path: '/home/me/tools/search' }], parse_function: { type: 'function_calling' } },
      },
      problem_statement: { id: 'org__repo-1', text: 'It breaks.' },
      env: { deployment: { type: 'docker', image: 'only-for-this-instance' } },
    }
    const asText = await of('t.traj', { replay_config: JSON.stringify(replay) })
    const asObject = await of('other.traj', { replay_config: replay })
    expect(asText).toEqual(asObject)
    expect(asText).toMatchObject({ task: 'org__repo-1', taskInput: 'It breaks.', suite: 'swe-agent' })
    expect(asText.configuration).toEqual({
      label: null,
      model: 'm',
      agent: 'SWE-agent',
      agentVersion: null,
      promptVersion: expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
      toolsVersion: expect.stringMatching(/^sha256:/),
      policyVersion: null,
      environment: 'docker',
      params: {
        temperature: 0.5,
        completion: { seed: 1 },
        parser: 'function_calling',
        tools: ['tools/search'],
      },
    })
    expect(JSON.stringify(asText)).not.toMatch(/secret|inside|only-for-this|home/)
  })
})

describe('a file', () => {
  it('that is cut off says where', async () => {
    const text = trajectory([turn('ls'), turn('pwd')])
    const { trials, problems } = await readBytes(text.slice(0, text.indexOf('pwd')), 'x.traj')
    expect(trials).toEqual([])
    expect(problems.map((problem) => problem.code)).toEqual(['JSON_CUT_OFF'])
  })
  it('of several trajectories loses none to a broken neighbour', async () => {
    const lines = [
      trajectory([turn('a')]),
      '{"trajectory": [',
      trajectory([turn('b')]),
      '{"info": {}}',
      '[1]',
    ]
    const { trials, codes } = await readBytes(lines.join('\n'), 'x.jsonl', sweAgent)
    expect(trials.map((trial) => trial.steps[3]?.text)).toEqual(['did a', 'did b'])
    expect(codes.toSorted()).toEqual(['JSON_INVALID', 'OUTCOME_MISSING', 'RECORD_INVALID', 'RECORD_INVALID'])
  })
  it('of something else is not taken for one', async () => {
    for (const text of [
      '{"trajectory": [{"role": "user"}]}',
      '{"history": [{"role": "user"}]}',
      '{"trajectory": []}',
    ])
      expect((await readBytes(text)).detection.importer?.id).not.toBe('swe-agent')
  })
})

const hasData = hasSharedData('swe-agent', 'real SWE-agent files are')

describe.skipIf(!hasData)('real SWE-agent files (../shared/data)', () => {
  it('are one trial each, with every turn', async () => {
    const found: Record<string, number> = {}
    for await (const opened of openSources(sharedData('swe-agent'))) {
      if (opened.kind !== 'source' || !opened.source.name.endsWith('.traj')) continue
      const read = await readSource(opened.source)
      expect(read.detection.importer?.id).toBe('swe-agent')
      expect(read.codes).toEqual(['OUTCOME_MISSING'])
      expect(read.trials).toHaveLength(1)
      const trial = read.trials[0] as Trial
      const calls = trial.steps.flatMap((step) => step.calls ?? [])
      const results = trial.steps.filter((step) => step.kind === 'tool_result')
      expect(results.map((step) => step.callId)).toEqual(calls.map((call) => call.id))
      found[opened.source.name.replace('swe-agent/', '').slice(0, 60)] = calls.length
    }
    // Turns as counted by another JSON reader.
    expect(found).toEqual({
      'crypto/BabyTimeCapsule.traj': 9,
      'crypto/eps.traj': 14,
      'demonstrations/function_calling_simple.traj': 5,
      'gpt4__swe-agent-test-repo__default_from_url__t-0.00__p-0.95_': 5,
      'gpt4__swe-agent__test-repo__default_from_url__t-0.00__p-0.95': 5,
      'gpt4__swe-bench-dev-easy_first_only__default__t-0.00__p-0.95': 12,
      'human_thought__swe-bench-HumanEvalFix-python__lcb__t-0.00__p': 5,
      'misc/networking_1.traj': 4,
      'replay__marshmallow-code__marshmallow-1867__default__t-0.20_': 14,
      'replay__marshmallow-code__marshmallow-1867__default_sys-env_': 11,
      'replay__marshmallow-code__marshmallow-1867__function_calling': 13,
      'web/i_got_id_demo.traj': 21,
    })
  })
})
