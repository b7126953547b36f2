// Claude Code sessions: golden dumps, and every quirk that the format is known for as its own case.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dump } from './dump.ts'
import { holdToGolden, lines } from './golden.ts'
import { openAll, readFolder } from './openall.ts'
import { fixture, readBytes } from './readall.ts'

holdToGolden('claude-code', 'claude-code', [
  'branches.jsonl',
  'clear.jsonl',
  'stream.jsonl',
  'tool-call.jsonl',
  'web.json',
  'wrapped.json',
])

type More = Record<string, unknown>
const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
const base = (type: string, uuid: string, parentUuid: string | null, more: More): More => ({
  type,
  uuid,
  parentUuid,
  sessionId: 'S',
  isSidechain: false,
  timestamp: at(1),
  version: '2.1.0',
  ...more,
})
const user = (uuid: string, parent: string | null, content: unknown, more: More = {}): More =>
  base('user', uuid, parent, { message: { role: 'user', content }, ...more })
const said = (uuid: string, parent: string | null, id: string, content: unknown, more: More = {}): More =>
  base('assistant', uuid, parent, {
    message: {
      id,
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'end_turn',
      ...(more['usage'] === undefined ? {} : { usage: more['usage'] }),
    },
    ...more,
  })
const text = (value: string): More => ({ type: 'text', text: value })
const call = (id: string, name = 'Read', input: More = {}): More => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown = 'ok', more: More = {}): More[] => [
  { type: 'tool_result', tool_use_id: id, content, ...more },
]
const only = async (...records: unknown[]) => {
  const read = await readBytes(lines(...records), 'data')
  expect(read.trials).toHaveLength(1)
  return { ...read, trial: read.trials[0]!, texts: read.trials[0]!.steps.map((step) => step.text) }
}

describe('one message on several lines', () => {
  it('is one step with its calls as one batch; tokens are those of its last line', async () => {
    const usage = (out: number): More => ({
      input_tokens: 3,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 7,
      output_tokens: out,
    })
    const { trial } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'm1', [text('one')], { usage: usage(1) }),
      said('b', 'a', 'm1', [call('t1')], { usage: usage(2) }),
      said('c', 'b', 'm1', [call('t2')], { usage: usage(134) }),
      user('r1', 'b', result('t1')),
      user('r2', 'c', result('t2')),
      said('d', 'r2', 'm2', [text('done')], { usage: usage(6) }),
    )
    expect(trial.steps.map((step) => `${step.role}/${step.kind}`)).toEqual([
      'user/message',
      'assistant/tool_call',
      'tool/tool_result',
      'tool/tool_result',
      'assistant/message',
    ])
    expect(trial.steps[1]?.calls?.map((one) => one.id)).toEqual(['t1', 't2'])
    expect(trial.usage).toEqual({ inputTokens: 30, outputTokens: 140, cachedInputTokens: 10 })
  })
  it('is read once where results come between its lines, and calls that are repeated count once', async () => {
    const { trial, problems } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'm1', [call('t1')]),
      user('r1', 'a', result('t1')),
      said('b', 'r1', 'm1', [call('t1'), call('t2')]),
      user('r2', 'b', result('t2')),
    )
    expect(trial.steps.map((step) => step.calls?.length ?? step.callId ?? 0)).toEqual([0, 2, 't1', 't2'])
    expect(problems.map((problem) => problem.code)).toEqual(['OUTCOME_MISSING'])
  })
  it('is another message when its id comes again after a prompt', async () => {
    const { texts } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'same', [text('one')]),
      user('v', 'a', 'and?'),
      said('b', 'v', 'same', [text('two')]),
    )
    expect(texts).toEqual(['go', 'one', 'and?', 'two'])
  })
  it('loses signatures and withheld thoughts', async () => {
    const { trial } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'm', [
        { type: 'thinking', thinking: '', signature: 'S'.repeat(9000) },
        { type: 'redacted_thinking', data: 'R'.repeat(9000) },
        { type: 'thinking', thinking: 'hm', signature: 'S' },
        text('x'),
      ]),
    )
    expect(trial.steps.map((step) => [step.kind, step.text])).toEqual([
      ['message', 'go'],
      ['reasoning', 'hm'],
      ['message', 'x'],
    ])
    expect(JSON.stringify(trial)).not.toMatch(/SSS|RRR/)
  })
})

describe('branches', () => {
  it('end where the session was rewound: the chain to the last line is the trial, the rest is said', async () => {
    const { trial, texts, problems } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'm1', [text('first')]),
      user('v', 'a', 'wrong way'),
      said('b', 'v', 'm2', [text('lost')]),
      user('w', 'a', 'right way'),
      said('c', 'w', 'm3', [text('kept')]),
    )
    expect(texts).toEqual(['go', 'first', 'right way', 'kept'])
    expect(trial.extra['branches']).toEqual([{ firstUuid: 'v', lines: 2, prompt: 'wrong way', at: at(1) }])
    expect(problems.find((problem) => problem.code === 'BRANCH_LEFT')).toMatchObject({
      severity: 'info',
      line: 1,
    })
  })
  it('begin anew when the first prompt was edited', async () => {
    const { texts, codes } = await only(
      user('u', null, 'first wording'),
      said('a', 'u', 'm1', [text('x')]),
      user('v', null, 'second wording'),
      said('b', 'v', 'm2', [text('y')]),
    )
    expect(texts).toEqual(['second wording', 'y'])
    expect(codes).toContain('BRANCH_LEFT')
  })
  it('are none in a file without parents, nor after a parent that is missing', async () => {
    const flat = await only(user('u', null, 'a'), said('b', null, 'm1', [text('b')]), user('c', null, 'c'))
    expect(flat.texts).toEqual(['a', 'b', 'c'])
    const torn = await only(user('u', null, 'a'), said('b', 'gone', 'm1', [text('b')]), user('c', 'b', 'c'))
    expect(torn.texts).toEqual(['a', 'b', 'c'])
    expect(torn.codes).toContain('REFERENCE_MISSING')
  })
  it('hold for a line that is its own parent, and for parents in a circle', async () => {
    const own = await only(user('u', 'u', 'a'), said('b', 'u', 'm1', [text('b')]))
    expect(own.texts).toEqual(['a', 'b'])
    const circle = await only(user('u', 'b', 'a'), said('b', 'u', 'm1', [text('b')]))
    expect(circle.texts).toEqual(['a', 'b'])
    expect(circle.codes).toContain('RECORD_INVALID')
  })
})

describe('doubled and broken lines', () => {
  it('of one uuid and message are read once, of another message kept', async () => {
    const line = user('u', null, 'go')
    const { texts, problems } = await only(
      line,
      line,
      said('a', 'u', 'm', [text('x')]),
      line,
      user('a', 'u', 'other'),
    )
    expect(texts).toEqual(['go', 'other'])
    expect(problems[0]).toMatchObject({ code: 'RECORD_DUPLICATE', severity: 'info' })
    expect(problems[0]?.message).toMatch(/2 lines stand .* And 1 more/)
  })
  it('cost themselves only: cut off, interleaved, no object, no content', async () => {
    const { texts, codes } = await only(
      user('u', null, 'go'),
      '{"type":"user","uuid":"x","sess{"type":"assistant"',
      [1],
      said('a', 'u', 'm', [text('x')]),
      { type: 'user', uuid: 'n', parentUuid: 'a', sessionId: 'S', message: { role: 'user' } },
      '{"type":"assistant","uuid":"z","message":{"role":"assist',
    )
    expect(texts).toEqual(['go', 'x', null])
    expect(new Set(codes)).toEqual(
      new Set(['JSON_INVALID', 'JSON_CUT_OFF', 'RECORD_INVALID', 'STEP_INVALID', 'OUTCOME_MISSING']),
    )
  })
  it('of a type that is not known are counted, those that are known to say nothing are not', async () => {
    const { codes, texts } = await only(
      user('u', null, 'go'),
      { type: 'novelty', sessionId: 'S' },
      { type: 'novelty', sessionId: 'S' },
      { type: 'progress', sessionId: 'S', uuid: 'p', parentUuid: 'u' },
      said('a', 'p', 'm', [text('x')]),
    )
    expect(texts).toEqual(['go', 'x'])
    expect(codes).toEqual(['RECORD_UNKNOWN', 'OUTCOME_MISSING'])
  })
})

describe('steps', () => {
  it('of a compaction are one, with the summary', async () => {
    const { trial } = await only(
      user('u', null, 'go'),
      base('system', 's', null, {
        subtype: 'compact_boundary',
        logicalParentUuid: 'u',
        compactMetadata: { trigger: 'manual' },
      }),
      user('c', 's', 'what was', { isCompactSummary: true }),
      said('a', 'c', 'm', [text('on')]),
      user('d', 'a', 'alone', { isCompactSummary: true }),
    )
    expect(trial.steps.map((step) => [step.kind, step.text])).toEqual([
      ['message', 'go'],
      ['compaction', 'what was'],
      ['message', 'on'],
      ['compaction', 'alone'],
    ])
    expect(trial.steps[1]).toMatchObject({ role: 'environment', extra: { trigger: 'manual' } })
    expect(trial.taskInput).toBe('go')
  })
  it('of results carry errors and placeholders of images', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400) },
    }
    const { trial } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'm', [call('t'), call('i')]),
      user('r', 'a', [...result('t', 'bad', { is_error: true }), ...result('i', [image])]),
    )
    expect(trial.steps[2]).toMatchObject({ callId: 't', isError: true, text: 'bad', toolName: 'Read' })
    expect(trial.steps[3]?.text).toMatch(/^\[image, image\/png, 300 bytes, sha256 [0-9a-f]{8}\]$/)
  })
  it('of what the program puts in are the environment, and no prompt', async () => {
    const { trial } = await only(
      user('m', null, 'Caveat: The messages below were generated by the user.', { isMeta: true }),
      user('c', 'm', '<command-name>/review</command-name>\n<command-args>all of it</command-args>'),
      said('a', 'c', 'm', [text('x')]),
    )
    expect(trial.steps.map((step) => step.role)).toEqual(['environment', 'environment', 'assistant'])
    expect(trial.task).toBe('/review all of it')
  })
  it('of error notices are errors, and the trial is one when it ends so', async () => {
    const notice = (uuid: string, parent: string): More => ({
      ...said(uuid, parent, `n${uuid}`, [text('API Error: 529 overloaded')]),
      message: {
        id: 'n',
        role: 'assistant',
        model: '<synthetic>',
        content: [text('API Error: 529 overloaded')],
      },
      isApiErrorMessage: true,
    })
    const ended = await only(user('u', null, 'go'), notice('a', 'u'))
    expect(ended.trial).toMatchObject({
      outcome: 'error',
      termination: 'api_error',
      error: { origin: 'infra' },
    })
    expect(ended.trial.steps[1]).toMatchObject({ role: 'environment', kind: 'error', isError: true })
    expect(ended.trial.configuration.model).toBeNull()
    const went = await only(user('u', null, 'go'), notice('a', 'u'), said('b', 'a', 'm', [text('x')]))
    expect(went.trial).toMatchObject({ outcome: 'unknown', termination: 'end_turn', error: null })
  })
  it('that a person broke off end the trial so', async () => {
    const { trial } = await only(
      user('u', null, 'go'),
      said('a', 'u', 'm', [call('t')]),
      user('r', 'a', [
        ...result('t', 'rejected', { is_error: true }),
        text('[Request interrupted by user for tool use]'),
      ]),
    )
    expect(trial).toMatchObject({ termination: 'interrupted', outcome: 'unknown' })
  })
})

describe('sessions', () => {
  it('of one file are told apart by their id, even when interleaved', async () => {
    const { trials, raws } = await readBytes(
      lines(
        user('u', null, 'one'),
        user('x', null, 'two', { sessionId: 'T' }),
        said('a', 'u', 'm1', [text('of one')]),
        said('y', 'x', 'm2', [text('of two')], { sessionId: 'T' }),
      ),
      'task_3.jsonl',
    )
    expect(trials.map((trial) => [trial.sourceId, trial.task])).toEqual([
      ['S', 'one'],
      ['T', 'two'],
    ])
    expect(raws.map((raw) => raw.sourceKey)).toEqual(['S', 'T'])
    expect(raws[1]?.recordBytes.toString().split('\n')).toHaveLength(2)
  })
  it('that go on from another one of the file are one with it', async () => {
    const { trial, texts } = await only(
      user('u', null, 'one'),
      said('a', 'u', 'm1', [text('x')]),
      user('v', 'a', 'later', { sessionId: 'T' }),
    )
    expect(texts).toEqual(['one', 'x', 'later'])
    expect(trial.sourceId).toBe('T')
  })
  it('are filed under the task that a name names, else under their first prompt', async () => {
    const task = async (name: string) => {
      const { trials } = await readBytes(lines(user('u', null, 'Fix  the\nbug')), name)
      return [trials[0]?.task, trials[0]?.sourceTrial]
    }
    expect(await task('task_18.jsonl')).toEqual(['task_18', null])
    expect(await task('airline-task-7_trial_2.jsonl')).toEqual(['airline-task-7', '2'])
    expect(await task('case-7/run_3/session.jsonl')).toEqual(['case-7', '3'])
    expect(await task('0b9e4c1a-6a0f-4f57-9b0d-6f6c1a2b3c4d.jsonl')).toEqual(['Fix the bug', null])
    expect(await task('my-notes.jsonl')).toEqual(['Fix the bug', null])
  })
  it('with long prompts keep what tells tasks of one template apart', async () => {
    const task = async (id: string) => {
      const prompt = `${'You are careful. '.repeat(40)}Solve ${id}. ${'Write tests. '.repeat(30)}`
      return (await only(user('u', null, prompt))).trial
    }
    const [one, other] = [await task('issue 7'), await task('issue 1234')]
    expect(one.task).not.toBe(other.task)
    expect(one.task.length).toBeLessThan(450)
    expect(one.taskTitle?.length).toBeLessThanOrEqual(80)
    expect(one.taskInput).toContain('issue 7')
  })
})

describe('sub-agents', () => {
  const session = '0b9e4c1a-6a0f-4f57-9b0d-6f6c1a2b3c4d'
  const main = lines(
    user('u', null, 'go'),
    said('a', 'u', 'm1', [call('t', 'Task', { subagent_type: 'reviewer', prompt: 'look' })]),
    user('r', 'a', result('t', 'seen'), {
      toolUseResult: { agentId: 'k1', status: 'completed', totalTokens: 9 },
    }),
    said('b', 'r', 'm2', [text('end')]),
  )
  const agent = lines(
    user('x', null, 'look', { isSidechain: true }),
    said('y', 'x', 'm3', [text('seen')], { isSidechain: true, usage: { input_tokens: 4, output_tokens: 2 } }),
  )
  it('with a file beside the session are put behind the call that started them', async () => {
    const folder = await openAll(fixture('claude-code/with-agent'))
    expect(folder.reads).toHaveLength(1)
    await expect(dump(folder.reads[0]!)).toMatchFileSnapshot(fixture('claude-code/with-agent.golden.txt'))
  })
  it.each([`agent-k1.jsonl`, `${session}/subagents/agent-k1.jsonl`])('are found in %s', async (name) => {
    const { reads } = await readFolder({ [`${session}.jsonl`]: main, [name]: agent, 'notes.txt': 'x' })
    expect(reads).toHaveLength(1)
    expect(reads[0]?.trials[0]?.steps.map((step) => [step.text, step.agent, step.parent])).toEqual([
      ['go', undefined, undefined],
      [null, undefined, undefined],
      ['look', 'reviewer', 1],
      ['seen', 'reviewer', 1],
      ['seen', undefined, undefined],
      ['end', undefined, undefined],
    ])
    expect(reads[0]?.trials[0]?.usage).toEqual({ inputTokens: 4, outputTokens: 2, cachedInputTokens: null })
  })
  it('are found beside sessions that a harness named, each under its own task; other files stay files', async () => {
    const twin = (id: string) =>
      [main, agent].map((lines) => lines.replaceAll('"sessionId":"S"', `"sessionId":"${id}"`))
    const [first, firstAgent] = twin('A')
    const [second] = twin('B')
    const { reads, strangers } = await readFolder({
      'task_1.jsonl': first,
      'task_2.jsonl': second,
      'agent-k1.jsonl': firstAgent,
      'rows.jsonl': '{"task_id":"1","messages":[{"role":"user","content":"hi"}],"passed":true}\n',
      'notes.jsonl': '{"a":1}\n',
    })
    const byFormat = reads.map((read) => [read.detection.importer?.id, read.trials.map(({ task }) => task)])
    expect(byFormat).toEqual([
      ['chat-messages', ['1']],
      ['claude-code', ['task_1', 'task_2']],
    ])
    expect(strangers.map((name) => name.split(':')[0])).toEqual(['root/notes.jsonl'])
    const [one, two] = reads[1]!.trials
    expect(one!.steps.filter(({ parent }) => parent === 1).map(({ text }) => text)).toEqual(['look', 'seen'])
    expect(two!.steps.every(({ parent }) => parent === undefined)).toBe(true)
  })
  it('in a folder without any session are left out, and that is said', async () => {
    const { reads } = await readFolder({ 'inner/agent-k1.jsonl': agent })
    expect(reads.map(({ trials, codes }) => [trials.length, codes])).toEqual([[0, ['RECORD_ORPHAN']]])
  })
  it('without their session are no trials of a folder, and a trial when imported alone', async () => {
    const other = agent.replaceAll('"sessionId":"S"', '"sessionId":"elsewhere"')
    const { reads } = await readFolder({
      [`${session}.jsonl`]: main,
      'agent-k1.jsonl': agent,
      'agent-k2.jsonl': other,
    })
    expect(reads[0]?.trials).toHaveLength(1)
    expect(reads[0]?.codes).toContain('RECORD_ORPHAN')
    const alone = await only(...agent.split('\n'))
    expect(alone.texts).toEqual(['look', 'seen'])
    expect(alone.trial).toMatchObject({ sourceId: 'S:agent-x', extra: { subAgent: 'x' } })
  })
  it('on the side of one file are linked by their prompt; what is not linked is kept and said', async () => {
    const { trial } = await only(
      ...main.split('\n').slice(0, 2),
      ...agent.split('\n'),
      ...main.split('\n').slice(2),
    )
    expect(trial.steps.map((step) => step.parent)).toEqual([undefined, undefined, 1, 1, undefined, undefined])
    const lost = await only(
      user('u', null, 'go'),
      user('x', null, 'Warmup', { isSidechain: true }),
      said('b', 'u', 'm2', [text('end')]),
    )
    expect(lost.trial.steps.map((step) => [step.text, step.agent])).toEqual([
      ['go', undefined],
      ['Warmup', 'sub-agent'],
      ['end', undefined],
    ])
    expect(lost.codes).toContain('RECORD_ORPHAN')
  })
  it('of sub-agents are told from each other, and of the other folder files from them', async () => {
    const plain = await readFolder({
      [`${session}.jsonl`]: main,
      'other.jsonl': agent.replaceAll('"S"', '"O"'),
    })
    expect(plain.reads).toHaveLength(2)
  })
})

describe('a result alone', () => {
  it('is a trial of its answer, its cost and its tokens, and that the steps are missing is said', async () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'All done.',
      session_id: 'S',
      num_turns: 4,
      total_cost_usd: 0.25,
      usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 },
    }
    const { trials, codes } = await readBytes(JSON.stringify(result), 'task_3.json')
    expect(trials).toHaveLength(1)
    expect(trials[0]).toMatchObject({
      task: 'task_3',
      sourceId: 'S',
      outcome: 'unknown',
      costUsd: 0.25,
      usage: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 90 },
      termination: 'success',
      steps: [{ role: 'assistant', kind: 'message', text: 'All done.', final: true }],
    })
    expect(codes).toContain('REFERENCE_MISSING')
  })
})

describe('stream-json logs', () => {
  const stream = readFileSync(fixture('claude-code/stream.jsonl'), 'utf8').trim().split('\n')
  const ended = (more: More) => {
    const last = JSON.parse(stream.at(-1)!) as More
    return only(...stream.slice(0, -1), { ...last, ...more })
  }
  it.each([
    [{ subtype: 'error_max_turns', is_error: true, result: null }, 'unknown', 'error_max_turns', null],
    [
      { subtype: 'error_during_execution', is_error: true },
      'error',
      'error_during_execution',
      'error_during_execution',
    ],
    [{ is_error: true, result: 'Credit balance is too low' }, 'error', 'success', 'api_error'],
  ])('ended by %j', async (more, outcome, termination, type) => {
    const { trial } = await ended(more)
    expect([trial.outcome, trial.termination, trial.error?.type ?? null]).toEqual([
      outcome,
      termination,
      type,
    ])
  })
  it('cut off before their result have no cost, and the tokens of their messages', async () => {
    const { trial } = await only(...stream.slice(0, -1))
    expect(trial).toMatchObject({ costUsd: null, termination: null, outcome: 'unknown' })
    expect(trial.usage).toEqual({ inputTokens: 9018, outputTokens: 5, cachedInputTokens: 0 })
  })
})
