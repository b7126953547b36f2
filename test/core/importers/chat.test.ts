// Chat messages and Gemini CLI sessions: golden dumps, shapes of messages and rows, and what is not taken for chat.

import { describe, expect, it } from 'vitest'
import { holdToGolden, lines } from './golden.ts'
import { readBytes } from './readall.ts'

holdToGolden('chat', 'chat-messages', ['rows.jsonl', 'one.json', 'lines.jsonl'])
holdToGolden('gemini-cli', 'gemini-cli', ['hello.json', 'tools.json'])

type More = Record<string, unknown>
const talk = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'bye' },
]
const read = (value: unknown, name = 'data') => readBytes(JSON.stringify(value), name)
const only = async (row: More) => {
  const { trials, codes, problems, detection } = await read({ messages: talk, ...row })
  expect(detection.importer?.id).toBe('chat-messages')
  expect(trials).toHaveLength(1)
  return { trial: trials[0]!, codes, problems }
}

describe('a file', () => {
  it('is one conversation, or one per element, per line, or per line of a bare list', async () => {
    const count = async (text: string) => (await readBytes(text)).trials.length
    expect(await count(JSON.stringify(talk))).toBe(1)
    expect(await count(JSON.stringify([talk, talk]))).toBe(2)
    expect(await count(lines(talk, talk, talk))).toBe(3)
    expect(await count(lines({ messages: talk }, { messages: talk }))).toBe(2)
    expect(await count(JSON.stringify([{ messages: talk }]))).toBe(1)
    expect(await count(lines(...talk))).toBe(1)
  })
  it('of single messages is told apart by what they name', async () => {
    const line = (conversation_id: string, role: string, content: string): More => ({
      conversation_id,
      role,
      content,
    })
    const { trials } = await readBytes(
      lines(
        line('a', 'user', 'one'),
        line('b', 'user', 'two'),
        line('a', 'assistant', 'x'),
        line('b', 'assistant', 'y'),
      ),
    )
    expect(trials.map((trial) => [trial.sourceId, trial.steps.map((step) => step.text)])).toEqual([
      ['a', ['one', 'x']],
      ['b', ['two', 'y']],
    ])
  })
  it('that is broken here and there gives the rest', async () => {
    const row = JSON.stringify({ task_id: 't', messages: talk })
    const { trials, codes } = await readBytes(
      `${row}\n{"messages": [{"role"\n${row}\n{"a":1}\n{"task_id":"t","mess`,
    )
    expect(trials).toHaveLength(2)
    expect(codes.toSorted()).toEqual(['JSON_CUT_OFF', 'JSON_INVALID', 'OUTCOME_MISSING', 'RECORD_INVALID'])
  })
  it('of a named task is filed under it, where it holds one conversation only', async () => {
    const tasks = async (value: unknown) =>
      (await read(value, 'question_5-run_2.json')).trials.map((t) => [t.task, t.sourceTrial])
    expect(await tasks(talk)).toEqual([['question_5', '2']])
    expect(await tasks([talk, talk])).toEqual([
      ['hello', null],
      ['hello', null],
    ])
  })
})

describe('outcome', () => {
  it.each([
    [{ outcome: 'passed' }, 'pass', null],
    [{ resolved: false }, 'fail', null],
    [{ is_correct: 1 }, 'pass', null],
    [{ reward: 1 }, 'pass', 1],
    [{ reward: 0.5 }, 'fail', 0.5],
    [{ reward: '1.0' }, 'pass', 1],
    [{ score: 0.5, score_threshold: 0.5 }, 'pass', 0.5],
    [{ outcome: 'fail', score: 1 }, 'fail', 1],
    [{ outcome: 'Errored' }, 'error', null],
    [{ success: 'wrong' }, 'fail', null],
    [{ score: 7 }, 'unknown', 7],
    [{ reward: -1 }, 'unknown', -1],
    [{ score: 7, score_threshold: 8 }, 'fail', 7],
    [{ error: 'timed out' }, 'error', null],
    [{ error: null }, 'unknown', null],
    [{ status: 'success' }, 'unknown', null],
    [{ result: 'some text' }, 'unknown', null],
    [{}, 'unknown', null],
  ])('of %j', async (row, outcome, score) => {
    const { trial, codes } = await only(row)
    expect([trial.outcome, trial.score]).toEqual([outcome, score])
    expect(codes.includes('OUTCOME_MISSING')).toBe(outcome === 'unknown')
  })
  it.each([
    [{ success: 'maybe' }, '“success” is "maybe"'],
    [{ correct: 'C' }, '“correct” is "C"'],
    [{ outcome: { is: 'good' } }, '“outcome” is {"is":"good"}'],
    [{ score: 7 }, '“score” is 7, which is no number between 0 and 1'],
  ])('of %j cannot be told, and what stands there is said', async (row, words) => {
    const { problems } = await only(row)
    expect(problems.find(({ severity }) => severity === 'warning')?.message).toContain(words)
  })
  it('without a single message is a trial without steps, wherever it stands; without an outcome it is none', async () => {
    const empty = { task_id: '3', trial: 1, passed: true, messages: [] }
    const full = { task_id: '3', trial: 2, passed: false, messages: talk }
    for (const rows of [
      [empty, full],
      [full, empty],
      [empty, empty],
    ]) {
      const { detection, trials, codes } = await read(rows)
      expect(detection.importer?.id).toBe('chat-messages')
      expect(trials.map(({ task, outcome, steps }) => [task, outcome, steps.length])).toEqual(
        rows.map(({ passed, messages }) => ['3', passed ? 'pass' : 'fail', messages.length]),
      )
      expect(codes).toEqual([])
    }
    expect((await read([full, { ...empty, passed: undefined }])).codes).toEqual(['RECORD_INVALID'])
  })
})

describe('what stands beside the messages', () => {
  it('becomes task, trial, configuration and the rest', async () => {
    const { trial } = await only({
      task_id: 7,
      trial: 3,
      seed: 11,
      model: 'gpt-4o',
      agent: 'mine',
      temperature: 0.5,
      domain: 'retail',
      usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
      cost: 0.02,
      started_at: '2026-01-01T00:00:00Z',
      note: 'x',
    })
    expect(trial).toMatchObject({
      suite: 'retail',
      task: '7',
      sourceTrial: '3',
      seed: '11',
      usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 },
      costUsd: 0.02,
      startedAt: '2026-01-01T00:00:00Z',
      extra: { note: 'x' },
      configuration: { model: 'gpt-4o', agent: 'mine', label: 'gpt-4o mine', params: { temperature: 0.5 } },
    })
  })
  it('names a trial across files only when the id is more than the number of a row', async () => {
    const key = async (id: unknown) => (await read({ id, messages: talk })).raws[0]?.sourceKey
    expect(await key(7)).toBeNull()
    expect(await key('row-7')).toBeNull()
    expect(await key('0b9e4c1a-6a0f-4f57-9b0d-6f6c1a2b3c4d')).toBe('0b9e4c1a-6a0f-4f57-9b0d-6f6c1a2b3c4d')
  })
})

describe('messages', () => {
  const steps = async (messages: unknown[]) => {
    const { trials, codes } = await read({ messages })
    return { steps: trials[0]!.steps, codes }
  }
  it('may mix shapes; results find their calls', async () => {
    const { steps: all, codes } = await steps([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          { type: 'text', text: 'and?' },
        ],
      },
      { type: 'function_call', call_id: 'b', name: 'g', arguments: '{"y":2}' },
      { type: 'function_call_output', call_id: 'b', output: 'two' },
      { type: 'ai', content: '', tool_calls: [{ id: 'c', name: 'h', args: { z: 3 } }] },
      { type: 'tool', tool_call_id: 'c', content: 'three', status: 'error' },
    ])
    expect(
      all.map((step) => step.calls?.map((one) => [one.id, one.args]) ?? step.callId ?? step.text),
    ).toEqual(['go', [['a', { x: 1 }]], 'a', 'and?', [['b', { y: 2 }]], 'b', [['c', { z: 3 }]], 'c'])
    expect(all.at(-1)).toMatchObject({ isError: true, toolName: 'h' })
    expect(codes).toEqual(['OUTCOME_MISSING'])
  })
  it('keep structured results, bytes as placeholders, and members that are not known', async () => {
    const audio = { type: 'input_audio', input_audio: { data: 'A'.repeat(400), format: 'wav' } }
    const { steps: all } = await steps([
      { role: 'user', content: [{ type: 'text', text: 'hear' }, audio], mood: 'calm' },
      { role: 'assistant', content: null, refusal: 'I will not.' },
      { role: 'tool', content: { rows: [1, 2] } },
    ])
    expect(all[0]?.text).toMatch(/^hear\n\[audio, audio\/wav, 300 bytes, sha256 [0-9a-f]{8}\]$/)
    expect(all[0]?.extra).toEqual({ mood: 'calm' })
    expect(all[1]).toMatchObject({ text: 'I will not.', extra: { refusal: true } })
    expect(all[2]).toMatchObject({ text: null, content: { rows: [1, 2] } })
  })
  it('that are none, or of no known role, are kept and said', async () => {
    const { steps: all, codes } = await steps([
      ...talk,
      { role: 'user', content: 'x' },
      'odd',
      { role: 'oracle', content: 'hm' },
    ])
    expect(all.slice(3).map((step) => [step.role, step.text, step.content ?? step.extra])).toEqual([
      ['environment', null, 'odd'],
      ['environment', 'hm', { role: 'oracle' }],
    ])
    expect(codes).toContain('STEP_INVALID')
  })
  it('with a __proto__ key pollute nothing', async () => {
    const text =
      '{"messages":[{"role":"user","content":"x","__proto__":{"polluted":1}}],"__proto__":{"polluted":1}}'
    const { trials } = await readBytes(text)
    expect(trials).toHaveLength(1)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('what is not chat', () => {
  it.each([
    [{ task_id: 1, outcome: 'pass' }],
    [{ history: talk, mistake_step: '3' }],
    [{ trajectory: [], history: talk }],
    [{ messages: ['a', 'b'] }],
    [{ messages: [] }],
    [[{ role: 'admin', content: 'x' }]],
    [{ run_type: 'llm', messages: talk }],
    [[{ id: 1, source: 'agent', message: 'x', role: 'assistant', content: 'x' }]],
  ])('%j', async (value) => {
    const { detection } = await read(value)
    const chat = detection.candidates.find((candidate) => candidate.id === 'chat-messages')
    expect(chat?.confidence).toBe(0)
  })
  it('a Faultline trial with messages, nor a session of another program', async () => {
    const faultline = { type: 'trial', trial_id: '1', task_id: 't', outcome: 'pass', messages: talk }
    expect((await read(faultline)).detection.importer?.id).toBe('faultline-jsonl')
    const session = {
      sessionId: 's',
      projectHash: 'p',
      startTime: '2026-01-01T00:00:00Z',
      messages: [{ type: 'user', content: 'x' }],
    }
    expect((await read(session)).detection.importer?.id).toBe('gemini-cli')
  })
})

describe('a call of Gemini CLI', () => {
  const session = (toolCalls: readonly More[]): More => ({
    sessionId: 's1',
    projectHash: 'h',
    startTime: '2026-01-02T03:04:05Z',
    messages: [
      { id: '1', type: 'user', content: 'Do it.' },
      { id: '2', type: 'gemini', content: '', toolCalls },
    ],
  })
  it.each([
    ['error', [], { text: 'error', isError: true }],
    ['error', undefined, { text: 'error', isError: true }],
    ['cancelled', [], { text: 'cancelled', extra: { status: 'cancelled' } }],
  ])('with the status %s and no result has it as its result', async (status, result, expected) => {
    const { trials } = await read(session([{ id: 'a', name: 'rm', args: {}, status, result }]))
    expect(trials[0]?.steps.at(-1)).toMatchObject({ kind: 'tool_result', callId: 'a', ...expected })
  })
  it('that still runs has none', async () => {
    const { trials } = await read(
      session([{ id: 'a', name: 'rm', args: {}, status: 'executing', result: [] }]),
    )
    expect(trials[0]?.steps.map(({ kind }) => kind)).toEqual(['message', 'tool_call'])
  })
})
