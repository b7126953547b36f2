// ATIF trajectories: golden dumps of real ones, a folder of a trajectory and its continuation, and every quirk of the
// format as its own case. Trials of Harbor stand in harbor.test.ts.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dump } from './dump.ts'
import { openAll, readFolder, readOneFolder } from './openall.ts'
import { fixture, readBytes } from './readall.ts'
import { holdToGolden } from './golden.ts'

const FILES = ['openhands.json', 'terminus-reasoning.json', 'terminus-summarization.json']

type Fields = Record<string, unknown>
const step = (source: string, message: unknown, more: Fields = {}): Fields => ({
  step_id: 1,
  source,
  message,
  ...more,
})
const call = (id: string | undefined, name: string, args: unknown = {}): Fields => ({
  tool_call_id: id,
  function_name: name,
  arguments: args,
})
const results = (...all: Fields[]): Fields => ({ observation: { results: all } })
const trajectory = (steps: unknown, more: Fields = {}): Fields => ({
  schema_version: 'ATIF-v1.6',
  session_id: 's',
  agent: { name: 'agent-x', version: '1', model_name: 'm' },
  steps,
  ...more,
})
const OUTCOME = 'OUTCOME_MISSING'
const read = async (steps: unknown, more: Fields = {}) => {
  const { trials, codes, problems, raws, detection } = await readBytes(
    JSON.stringify(trajectory(steps, more)),
  )
  return {
    trial: trials[0]!,
    trials,
    raws,
    problems,
    detection,
    codes: codes.filter((code) => code !== OUTCOME),
  }
}
const shape = (steps: readonly { role: string; kind: string; text: string | null }[]) =>
  steps.map(({ role, kind, text }) => `${role}/${kind} ${text}`)

holdToGolden('harbor', 'atif', FILES, { aside: (trial) => trial })

describe('a folder', () => {
  it('of a trajectory and its continuation is one trial; copied steps are left out', async () => {
    const { reads, strangers } = await openAll(fixture('harbor/continued'))
    expect(strangers).toEqual([])
    expect(reads).toHaveLength(1)
    await expect(dump(reads[0]!)).toMatchFileSnapshot(fixture('harbor/continued.golden.txt'))
    expect(reads[0]!.trials[0]?.usage?.inputTokens).toBe(7802)
  })
  it('of trajectories under other names is read file by file; a piece says that it is one', async () => {
    const { reads } = await readFolder({
      'a.json': readFileSync(fixture('harbor/continued/trajectory.json')),
      'b.json': readFileSync(fixture('harbor/continued/trajectory.cont-1.json')),
    })
    expect(reads.map((one) => one.codes)).toEqual([
      ['REFERENCE_MISSING', OUTCOME],
      ['RECORD_ORPHAN', OUTCOME],
    ])
    expect(reads[1]!.trials[0]?.steps[0]?.extra).toEqual({ copiedContext: true })
    // Both share a session: neither is taken for a later version of the other.
    expect(reads.map((one) => one.raws[0]?.sourceKey)).toEqual([null, null])
  })
  it('does not follow a name out of itself', async () => {
    const { codes } = await readOneFolder({
      'trajectory.json': trajectory([step('user', 'x')], { continued_trajectory_ref: '../../../etc/passwd' }),
      'trajectory.cont-9.json': trajectory([]),
    })
    expect(codes).toContain('REFERENCE_MISSING')
  })
})

describe('a fine-tuning export', () => {
  it('is named, with what to import instead', async () => {
    const { detection } = await readBytes(readFileSync(fixture('harbor/hello-world.traces.json')))
    expect(detection.importer).toBeNull()
    expect(detection.problem).toMatchObject({ code: 'FORMAT_NOT_READ' })
    expect(detection.problem?.message).toMatch(/fine-tuning export of a Harbor trial/)
    expect(detection.problem?.hint).toMatch(/agent\/trajectory\.json/)
  })
})

describe('versions', () => {
  it.each(['ATIF-v1.0', 'ATIF-v1.2', 'ATIF-v1.5', 'ATIF-v1.6', '1.4', 'atif-v1.3'])(
    '%s is read',
    async (version) => {
      const { trials, codes, detection } = await read([step('user', 'x')], { schema_version: version })
      expect(detection.importer?.id).toBe('atif')
      expect([trials.length, codes]).toEqual([1, []])
    },
  )
  it.each(['ATIF-v1.7', 'ATIF-v1.8'])('%s is read, and called beta', async (version) => {
    const { trials, problems } = await read([step('user', 'x')], { schema_version: version })
    expect(trials).toHaveLength(1)
    expect(problems.find((one) => one.code === 'FORMAT_BETA')).toMatchObject({ severity: 'info' })
  })
  it.each(['ATIF-v1.9', 'ATIF-v2.0', '3.0'])('%s is refused by name', async (version) => {
    const { trials, problems } = await read([step('user', 'x')], { schema_version: version })
    expect(trials).toEqual([])
    expect(problems[0]).toMatchObject({ code: 'FORMAT_NEWER', severity: 'error' })
    expect(problems[0]?.message).toContain(`“schema_version” is ${version}`)
  })
  it('without one, the shape tells', async () => {
    const { trials, codes } = await read([step('user', 'x')], { schema_version: undefined })
    expect([trials.length, codes]).toEqual([1, ['RECORD_UNKNOWN']])
  })
})

describe('a trajectory', () => {
  it('has an unknown outcome, and its instruction for a task', async () => {
    const one = await read([step('system', 'p'), step('user', 'Make a file.')])
    const two = await read([step('system', 'other'), step('user', 'Make a file. ')])
    expect(one.trial).toMatchObject({
      suite: 'atif',
      outcome: 'unknown',
      taskInput: 'Make a file.',
      taskTitle: 'Make a file.',
    })
    expect(one.trial.task).toMatch(/^instruction [0-9a-f]{10}$/)
    expect(two.trial.task).toBe(one.trial.task)
    expect((await read([step('user', 'Other.')])).trial.task).not.toBe(one.trial.task)
    expect((await read([], { extra: { task_name: 't-7' } })).trial.task).toBe('t-7')
  })
  it('has an instruction free of what Terminus writes around it', async () => {
    const wrapped = (screen: string) =>
      step('user', `Rules.\n\nTask Description:\nMake it.\n\nCurrent terminal state:\n${screen}`)
    const [one, two] = await Promise.all([read([wrapped('root@a')]), read([wrapped('root@b')])])
    expect(one.trial.taskInput).toBe('Make it.')
    expect(two.trial.task).toBe(one.trial.task)
  })
  it('has totals of its own, else those of its steps', async () => {
    const metrics = { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4, cost_usd: 0.01 }
    const steps = [step('agent', 'a', { metrics }), step('agent', 'b', { metrics })]
    expect((await read(steps)).trial.usage).toEqual({
      inputTokens: 20,
      outputTokens: 4,
      cachedInputTokens: 8,
    })
    const final = {
      final_metrics: { total_prompt_tokens: 99, total_completion_tokens: 9, total_cost_usd: 1 },
    }
    expect((await read(steps, final)).trial).toMatchObject({ usage: { inputTokens: 99 }, costUsd: 1 })
    const zeros = {
      final_metrics: { total_prompt_tokens: 0, total_completion_tokens: 0, total_cost_usd: null },
    }
    expect((await read([step('agent', 'a')], zeros)).trial.usage).toBeNull()
  })
  it('loses token ids and probabilities from what is shown, not from the original', async () => {
    const metrics = {
      prompt_tokens: 3,
      completion_tokens: 1,
      prompt_token_ids: [77123, 2, 3],
      logprobs: [-0.5],
    }
    const { trial, raws } = await read([step('agent', 'a', { metrics })])
    expect(JSON.stringify(trial)).not.toContain('77123')
    expect(raws[0]?.recordBytes.toString()).toContain('77123')
  })
  it('may stand with others, one per line', async () => {
    const lines = ['a', 'b'].map((text) => JSON.stringify(trajectory([step('user', text)])))
    expect((await readBytes(lines.join('\n'))).trials).toHaveLength(2)
  })
})

describe('steps', () => {
  it('pair results without an id by order, one answer to several calls with the last of them', async () => {
    const { trial, codes } = await read([
      step('agent', '', {
        tool_calls: [call('a', 'f'), call('b', 'g')],
        ...results({ content: 'A' }, { content: 'B' }),
      }),
      step('agent', '', { tool_calls: [call('c', 'f'), call('d', 'g')], ...results({ content: 'both' }) }),
    ])
    expect(codes).toEqual([])
    expect(trial.steps.flatMap((one) => one.callId ?? [])).toEqual(['a', 'b', 'd'])
    expect(trial.steps.at(-1)?.extra).toEqual({ answersCalls: 2 })
  })
  it('without a result, or with one and no call, are what they are', async () => {
    const { trial, codes } = await read([
      step('agent', 'cut off', { tool_calls: [call('a', 'f')] }),
      step('agent', '{"commands": []}', results({ content: 'screen' })),
    ])
    expect(codes).toEqual([])
    expect(shape(trial.steps)).toEqual([
      'assistant/tool_call cut off',
      'assistant/message {"commands": []}',
      'environment/message screen',
    ])
  })
  it('that write a call again beside its result are that result', async () => {
    const { trial } = await read([
      step('agent', 'I write.', { tool_calls: [call('a', 'write', { x: 1 })] }),
      step('agent', 'written', {
        tool_calls: [call('a', 'write', { x: 1 })],
        ...results({ source_call_id: 'a', content: 'written' }),
      }),
    ])
    expect(shape(trial.steps)).toEqual(['assistant/tool_call I write.', 'tool/tool_result written'])
  })
  it('that use an id again for another call are calls of their own', async () => {
    const { trial } = await read([
      step('agent', '', { tool_calls: [call('a', 'f', { x: 1 })] }),
      step('agent', 'again', {
        tool_calls: [call('a', 'f', { x: 2 })],
        ...results({ source_call_id: 'a', content: 'r' }),
      }),
    ])
    expect(trial.steps.map((one) => [one.kind, one.calls?.[0]?.id ?? one.callId])).toEqual([
      ['tool_call', 'a'],
      ['tool_call', 'a#2'],
      ['tool_result', 'a#2'],
    ])
  })
  it('of Claude Code lose what its converter wrote', async () => {
    const { trial } = await read(
      [
        step('user', 'x'),
        step('agent', 'Executed Bash toolu_1', {
          tool_calls: [call('toolu_1', 'Bash')],
          ...results({ source_call_id: 'toolu_1', content: 'out\n\n[metadata] {"is_error": true}' }),
          extra: { metadata: { a: 1 }, cwd: '/app' },
        }),
        step('agent', 'Executed Read toolu_2', {
          tool_calls: [call('toolu_2', 'Read')],
          ...results({ source_call_id: 'toolu_2', content: 'text\n\n[stdout]\ntext' }),
          extra: { tool_result_metadata: { raw_tool_result: { content: 'text', is_error: false } } },
        }),
      ],
      { agent: { name: 'claude-code', version: '2' } },
    )
    expect(shape(trial.steps)).toEqual([
      'user/message x',
      'assistant/tool_call null',
      'tool/tool_result out',
      'assistant/tool_call null',
      'tool/tool_result text',
    ])
    expect(trial.steps[2]?.isError).toBe(true)
    expect(trial.steps[1]?.extra).toEqual({ cwd: '/app' })
  })
  it('of side chains stand behind the calls that started them, each behind its own', async () => {
    const side = { extra: { is_sidechain: true } }
    const at = (second: number): Fields => ({ timestamp: `2025-11-03T22:00:0${second}Z` })
    const { trial } = await read([
      step('user', 'one', { ...side, ...at(2) }),
      step('agent', 'one done', { ...side, ...at(3) }),
      step('user', 'two', { ...side, ...at(6) }),
      step('user', 'main', at(0)),
      step('agent', 'a', { tool_calls: [call('1', 'Task')], ...results({ content: 'r1' }), ...at(1) }),
      step('agent', 'b', { tool_calls: [call('2', 'Task')], ...results({ content: 'r2' }), ...at(5) }),
    ])
    expect(trial.steps.map((one) => [one.text, one.parent])).toEqual([
      ['main', undefined],
      ['a', undefined],
      ['one', 1],
      ['one done', 1],
      ['r1', undefined],
      ['b', undefined],
      ['two', 5],
      ['r2', undefined],
    ])
  })
  it('of embedded sub-agents stand there, too; those that nobody names at the end', async () => {
    const sub = (id: string): Fields =>
      trajectory([step('agent', id)], { trajectory_id: id, agent: { name: 'helper' } })
    const { trial } = await read(
      [
        step('agent', 'go', {
          tool_calls: [call('1', 'ask')],
          ...results({ content: 'r', subagent_trajectory_ref: [{ trajectory_id: 'in' }] }),
        }),
      ],
      { schema_version: 'ATIF-v1.7', trajectory_id: 't', subagent_trajectories: [sub('out'), sub('in')] },
    )
    expect(trial.steps.map((one) => [one.text, one.agent, one.parent])).toEqual([
      ['go', undefined, undefined],
      ['in', 'helper', 0],
      ['r', undefined, undefined],
      ['out', 'helper', undefined],
    ])
  })
  it('of trajectories in a circle, or nested beyond sense, end', async () => {
    const { codes } = await readOneFolder({
      'trajectory.json': trajectory([step('user', 'x')], {
        continued_trajectory_ref: 'trajectory.cont-1.json',
      }),
      'trajectory.cont-1.json': trajectory([step('user', 'y')], {
        continued_trajectory_ref: 'trajectory.json',
      }),
    })
    expect(codes).toEqual([OUTCOME])
    let deep: Fields = trajectory([step('agent', 'leaf')])
    for (let n = 0; n < 40; n += 1) deep = trajectory([], { subagent_trajectories: [deep] })
    expect((await readBytes(JSON.stringify(deep))).codes).toContain('NESTED_TOO_DEEP')
  })
  it('show images as what they are, never as bytes', async () => {
    const data = 'QUJD'.repeat(50)
    const { trial } = await read([
      step('user', [
        { type: 'text', text: 'Look.' },
        { type: 'image', source: { media_type: 'image/png', path: 'images/a.png' } },
        { type: 'image', source: { media_type: 'image/png', data } },
      ]),
    ])
    expect(trial.steps[0]?.text).toMatch(
      /^Look\.\n\[image, image\/png, images\/a\.png\]\n\[image, image\/png, 150 bytes, sha256 \w{8}\]$/,
    )
  })
  it('that are none, of no known source, or with broken arguments are doubts and kept', async () => {
    const { trial, codes } = await read([
      7,
      step('ghost', 'boo'),
      step('agent', '', { tool_calls: [call('a', 'f', '{x')] }),
    ])
    expect(trial.steps).toHaveLength(3)
    expect(codes).toEqual(['STEP_INVALID', 'CALL_UNPARSED'])
  })
})
