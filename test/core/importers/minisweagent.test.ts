// mini-swe-agent trajectories: golden dumps of real files (version 0), versions 1 and 1.1 as cases, broken files, and
// predictions of coding benchmarks, which are no trials.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { miniSweAgent } from '../../../src/core/importers/mini-swe-agent/mini-swe-agent.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { hasSharedData, fixture, readBytes, readSource, sharedData, type ReadAll } from './readall.ts'
import { holdToGolden } from './golden.ts'

const FILES = ['github_issue.traj.json', 'local.traj.json']

type Fields = Record<string, unknown>

const fence = (command: string, tag = 'bash'): string => `THOUGHT: so\n\n\`\`\`${tag}\n${command}\n\`\`\``
const model = (content: string | null, more: Fields = {}): Fields => ({ role: 'assistant', content, ...more })
const user = (content: string, more: Fields = {}): Fields => ({ role: 'user', content, ...more })
const OPENING = [{ role: 'system', content: 'You answer with one bash block.' }, user('Fix it.')]
const object = (messages: readonly unknown[], info: Fields = {}, more: Fields = {}): string =>
  JSON.stringify({
    info: { mini_version: '1.9.0', exit_status: 'Submitted', submission: 'diff', ...info },
    messages: [...OPENING, ...messages],
    trajectory_format: 'mini-swe-agent-1',
    ...more,
  })

const readOne = async (
  text: string,
  name = 'org__repo-1.traj.json',
): Promise<{ trial: Trial; all: ReadAll }> => {
  const all = await readBytes(text, name)
  const trial = all.trials[0]
  if (trial === undefined) throw new Error(`No trial: ${JSON.stringify(all.problems)}`)
  expect(all.detection.importer?.id).toBe('mini-swe-agent')
  return { trial, all }
}
/** Steps behind the opening, in short. */
const told = (trial: Trial): unknown[] =>
  trial.steps
    .slice(2)
    .map(({ role, kind, text, calls }) => [
      `${role} ${kind}`,
      text,
      ...(calls ?? []).map((call) => (call.args as Fields)['command'] ?? call.args),
    ])

const nameless = ({ task: _t, configuration: _c, taskTitle: _i, ...rest }: Trial): unknown => rest

holdToGolden('mini-swe-agent', 'mini-swe-agent', FILES, { aside: nameless })

describe.each(FILES)('%s', (name) => {
  const bytes = readFileSync(fixture(`mini-swe-agent/${name}`))
  it('hands on its messages as they stand in the file', async () => {
    const raw = (await readBytes(bytes, name)).raws[0]
    const messages: unknown[] = JSON.parse(
      `[${raw?.recordBytes.toString().replace(/\n\{/g, ',{')}]`,
    ) as unknown[]
    expect(messages).toEqual(JSON.parse(bytes.toString()))
  })
})

describe('a command', () => {
  it('is what stands in the one fenced block, of either kind', async () => {
    const { trial } = await readOne(
      object([
        model(fence('ls')),
        user('<returncode>0</returncode>\n<output>\na\nb\n</output>'),
        model(fence('cat x\ncat y', 'mswea_bash_command')),
        user('<returncode>2</returncode>\n<output>\nno x\n</output>'),
      ]),
    )
    expect(told(trial)).toEqual([
      ['assistant tool_call', 'THOUGHT: so', 'ls'],
      ['tool tool_result', 'a\nb'],
      ['assistant tool_call', 'THOUGHT: so', 'cat x\ncat y'],
      ['tool tool_result', 'no x'],
    ])
    expect(trial.steps[3]).toMatchObject({ callId: 'step-2', toolName: 'bash', extra: { returncode: 0 } })
    expect(trial.steps[3]).not.toHaveProperty('isError')
    expect(trial.steps[5]).toMatchObject({ isError: true, extra: { returncode: 2 } })
  })
  it('of several blocks, of none and of one that is not closed was not run', async () => {
    const several = `${fence('a')}\n${fence('b')}`
    const { trial } = await readOne(
      object([model(several), user('Exactly one, please.'), model('```bash\nls'), user('Again.')]),
    )
    expect(told(trial)).toEqual([
      ['assistant message', several],
      ['user message', 'Exactly one, please.'],
      ['assistant message', '```bash\nls'],
      ['user message', 'Again.'],
    ])
  })
  it('that ran out of time is an error; a long output stays as it was shown', async () => {
    const long = '<returncode>0</returncode>\n<warning>\ntoo long\n</warning>\n<output_head>\na'
    const late = 'The last command <command>sleep 99</command> timed out and has been killed.'
    const { trial } = await readOne(
      object([model(fence('a')), user(long), model(fence('sleep 99')), user(late)]),
    )
    expect(trial.steps[3]).toMatchObject({ text: long, extra: { returncode: 0 } })
    expect(trial.steps[5]).toMatchObject({ text: late, isError: true })
  })
  it('that never ends a fence costs no time', async () => {
    const started = performance.now()
    await readOne(object([model('```bash\n'.repeat(200_000))]))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('version 1.1', () => {
  const extra = (more: Fields): Fields => ({ extra: { timestamp: 1760000000.5, ...more } })
  const v11 = { trajectory_format: 'mini-swe-agent-1.1' }
  it('has actions, tool calls, times, tokens and an exit', async () => {
    const toolCalls = ['c1', 'c2'].map((id) => ({
      id,
      type: 'function',
      function: { name: 'bash', arguments: JSON.stringify({ command: `echo ${id}` }) },
    }))
    const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } }
    const { trial, all } = await readOne(
      object(
        [
          model('Both.', {
            tool_calls: toolCalls,
            reasoning_content: 'Hm.',
            ...extra({ response: { model: 'm-2', usage }, cost: 0.01, actions: [{ command: 'echo c1' }] }),
          }),
          { role: 'tool', tool_call_id: 'c1', content: 'c1', ...extra({ returncode: 0, raw_output: 'c1' }) },
          {
            role: 'tool',
            tool_call_id: 'c2',
            content: '',
            ...extra({ returncode: -1, exception_info: 'not run' }),
          },
          model(fence('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT'), extra({ response: { usage } })),
          {
            role: 'exit',
            content: 'diff',
            extra: { exit_status: 'Submitted', submission: 'diff', timestamp: 1760000009 },
          },
        ],
        { model_stats: { instance_cost: 0.02, api_calls: 2 } },
        { ...v11, instance_id: 'org__repo-9' },
      ),
    )
    expect(told(trial)).toEqual([
      ['assistant reasoning', 'Hm.'],
      ['assistant tool_call', 'Both.', 'echo c1', 'echo c2'],
      ['tool tool_result', 'c1'],
      ['tool tool_result', ''],
      ['assistant tool_call', 'THOUGHT: so', 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT'],
      ['tool tool_result', 'diff'],
    ])
    expect(trial.steps[3]).toMatchObject({ model: 'm-2', extra: { costUsd: 0.01 } })
    expect(trial.steps[5]).toMatchObject({ callId: 'c2', isError: true, error: 'not run' })
    expect(trial).toMatchObject({
      task: 'org__repo-9',
      usage: { inputTokens: 20, outputTokens: 4, cachedInputTokens: 8 },
      costUsd: 0.02,
      startedAt: '2025-10-09T08:53:20.500Z',
      endedAt: '2025-10-09T08:53:29.000Z',
      timeNaive: false,
    })
    expect(all.codes).toEqual(['FORMAT_BETA', 'OUTCOME_MISSING'])
  })
  it('has items of the Responses API', async () => {
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
      { type: 'function_call', call_id: 'f1', name: 'bash', arguments: '{"command":"ls"}' },
    ]
    const { trial } = await readOne(
      object(
        [
          { object: 'response', output, ...extra({}) },
          { type: 'function_call_output', call_id: 'f1', output: 'a', ...extra({ returncode: 0 }) },
        ],
        {},
        v11,
      ),
    )
    expect(told(trial)).toEqual([
      ['assistant reasoning', 'Hm.'],
      ['assistant tool_call', 'Look.', 'ls'],
      ['tool tool_result', 'a'],
    ])
    expect(trial.steps[4]?.callId).toBe('f1')
  })
  it('says what the harness said in between', async () => {
    const { trial } = await readOne(
      object(
        [
          model('hm'),
          user('No call.', extra({ interrupt_type: 'FormatError' })),
          { role: 'exit', content: '' },
        ],
        {},
        v11,
      ),
    )
    expect(told(trial)).toEqual([
      ['assistant message', 'hm'],
      ['environment message', 'No call.'],
      ['environment message', ''],
    ])
    expect(trial.steps[3]?.extra).toEqual({ interrupt: 'FormatError' })
    expect(trial.steps[4]?.extra).toEqual({ role: 'exit' })
  })
  it('is the last one that is known: a version 2 is refused by name', async () => {
    const { trials, problems } = await readBytes(object([], {}, { trajectory_format: 'mini-swe-agent-2' }))
    expect(trials).toEqual([])
    expect(problems.map((problem) => problem.code)).toEqual(['FORMAT_NEWER'])
    expect(problems[0]?.message).toContain('mini-swe-agent-2')
  })
})

describe('an end', () => {
  it.each([
    ['Submitted', 'diff', 'unknown', null],
    ['LimitsExceeded', '', 'unknown', null],
    ['ContextWindowExceededError', 'too long', 'unknown', null],
    ['RateLimitError', 'slow down', 'error', 'infra'],
    ['RuntimeError', 'docker is gone', 'error', 'infra'],
    ['KeyError', "'x'", 'error', 'unknown'],
    ['TimeoutExpired', 'late', 'error', 'infra'],
  ])('%s is %s %s', async (exit_status, submission, outcome, origin) => {
    const { trial } = await readOne(object([], { exit_status, submission }))
    expect(trial).toMatchObject({ outcome, termination: exit_status, score: null })
    if (origin === null) expect(trial.error).toBeNull()
    else expect(trial.error).toEqual({ type: exit_status, message: submission, origin })
  })
})

describe('a configuration', () => {
  const config = {
    agent: { system_template: 'S', instance_template: 'I {{task}}', step_limit: 0, cost_limit: 3 },
    model: {
      model_name: 'maker/m',
      model_kwargs: { temperature: 0, api_key: 'sk-1', extra_headers: { a: 'b' } },
    },
    environment: { image: 'for-this-instance', env: { TOKEN: 'x' } },
    environment_type: 'minisweagent.environments.docker.DockerEnvironment',
  }
  it('is what the info says, without secrets and the instance', async () => {
    const { trial } = await readOne(object([], { config }), 'runs/a_run_2/org__repo-1/org__repo-1.traj.json')
    expect(trial.configuration).toMatchObject({
      label: null,
      model: 'maker/m',
      agent: 'mini-swe-agent',
      agentVersion: '1.9.0',
      promptVersion: expect.stringMatching(/^sha256:/),
      environment: config.environment_type,
      params: { model: { temperature: 0 }, stepLimit: 0, costLimit: 3 },
    })
    expect(trial).toMatchObject({ task: 'org__repo-1', sourceTrial: '2' })
    expect(JSON.stringify(trial)).not.toMatch(/sk-1|for-this|TOKEN/)
  })
})

describe('a file', () => {
  const list = JSON.stringify([...OPENING, model(fence('ls', 'mswea_bash_command')), user('a')])
  it('that is cut off keeps the messages before the cut', async () => {
    const { trials, codes } = await readBytes(list.slice(0, -10), 'x')
    expect(trials[0]?.steps.map((step) => step.kind)).toEqual(['message', 'message', 'tool_call'])
    expect(codes).toContain('JSON_CUT_OFF')
  })
  it('of a list per line, or of objects, is a trial for each', async () => {
    const lines = [list, object([]), '{"x": 1}', list.replace('Fix it.', 'Fix that.')].join('\n')
    const { trials, codes } = await readBytes(lines, 'x', miniSweAgent)
    expect(trials.map((trial) => trial.taskInput)).toEqual(['Fix it.', 'Fix it.', 'Fix that.'])
    expect(codes).toEqual(['FORMAT_BETA', 'RECORD_INVALID', 'OUTCOME_MISSING'])
  })
  it('of other messages is left to the chat', async () => {
    const other = JSON.stringify([
      { role: 'system', content: 'Use ```bash blocks.' },
      user('Hi'),
      model(fence('ls')),
    ])
    expect((await readBytes(other)).detection.importer?.id).toBe('chat-messages')
  })
})

describe('predictions', () => {
  it.each([
    'swe-agent/all_preds.jsonl',
    'swe-agent/pydicom__pydicom-1458.patch',
    'mini-swe-agent/preds.json',
  ])('%s are named, and no error', async (name) => {
    for (const as of [name, 'unknown']) {
      const { detection, problems } = await readBytes(readFileSync(fixture(name)), as)
      expect(detection).toMatchObject({ importer: null, ask: false })
      expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['FORMAT_NOT_READ', 'info']])
      expect(problems[0]?.message).toMatch(/without outcome or steps/)
    }
  })
  it('in a list are named too; with an outcome they are none', async () => {
    const one = { instance_id: 'a__b-1', model_name_or_path: 'm', model_patch: 'diff' }
    expect((await readBytes(JSON.stringify([one, one]))).codes).toEqual(['FORMAT_NOT_READ'])
    const graded = JSON.stringify({ 'a__b-1': { ...one, resolved: true } })
    expect((await readBytes(graded)).problems[0]?.message ?? '').not.toMatch(/without outcome/)
  })
})

const hasData = hasSharedData('mini-swe-agent', 'real mini-swe-agent files are')

describe.skipIf(!hasData)('real mini-swe-agent files (../shared/data)', () => {
  it('are one trial each; predictions are none', async () => {
    const found: unknown[] = []
    for await (const opened of openSources(sharedData('mini-swe-agent'))) {
      if (opened.kind !== 'source' || !opened.source.name.endsWith('.json')) continue
      const { detection, trials, codes } = await readSource(opened.source)
      found.push([
        opened.source.name,
        detection.importer?.id,
        trials.map((trial) => trial.steps.length),
        codes,
      ])
    }
    expect(found).toEqual([
      ['mini-swe-agent/github_issue.traj.json', 'mini-swe-agent', [22], ['OUTCOME_MISSING']],
      ['mini-swe-agent/local.traj.json', 'mini-swe-agent', [6], ['OUTCOME_MISSING']],
      ['mini-swe-agent/results.json', undefined, [], ['FORMAT_NOT_READ']],
    ])
  })
})
