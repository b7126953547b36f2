// Codex sessions: golden dumps, and the quirks of rollouts and of `codex exec --json` logs.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { holdToGolden, lines } from './golden.ts'
import { fixture, readBytes } from './readall.ts'

holdToGolden('codex', 'codex', ['rollout.jsonl', 'exec.jsonl', 'oldest.jsonl', 'items.json'])

type More = Record<string, unknown>
const line = (type: string, payload: More): More => ({ timestamp: '2026-02-01T00:00:00.000Z', type, payload })
const item = (payload: More): More => line('response_item', payload)
const event = (payload: More): More => line('event_msg', payload)
const said = (role: string, text: string): More =>
  item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] })
const meta = (id: string, more: More = {}): More =>
  line('session_meta', { id, cli_version: '0.99.0', ...more })
const tokens = (total: number, last: number): More =>
  event({
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: total, cached_input_tokens: 1, output_tokens: 2 },
      last_token_usage: { input_tokens: last, cached_input_tokens: 0, output_tokens: 1 },
    },
  })
const only = async (...records: unknown[]) => {
  const read = await readBytes(lines(...records), 'data')
  expect(read.trials).toHaveLength(1)
  return { ...read, trial: read.trials[0]!, texts: read.trials[0]!.steps.map((step) => step.text) }
}

describe('rollouts', () => {
  it('count tokens as the last cumulative total, also when the program began to count anew', async () => {
    const { trial } = await only(
      meta('A'),
      said('user', 'go'),
      said('assistant', 'x'),
      tokens(100, 100),
      tokens(100, 100),
      tokens(300, 200),
    )
    expect(trial.usage).toEqual({ inputTokens: 300, outputTokens: 2, cachedInputTokens: 1 })
    expect(trial.steps[1]?.usage).toEqual({ inputTokens: 200, outputTokens: 1, cachedInputTokens: 0 })
    const resumed = await only(
      meta('A'),
      said('user', 'go'),
      said('assistant', 'x'),
      tokens(300, 300),
      tokens(50, 50),
    )
    expect(resumed.trial.usage).toEqual({ inputTokens: 350, outputTokens: 4, cachedInputTokens: 2 })
  })
  it('do not read events twice, and read them where there are no items', async () => {
    const both = await only(
      meta('A'),
      said('user', 'go'),
      event({ type: 'user_message', message: 'go' }),
      said('assistant', 'x'),
      event({ type: 'agent_message', message: 'x' }),
    )
    expect(both.texts).toEqual(['go', 'x'])
    const events = await only(
      meta('A'),
      event({ type: 'user_message', message: 'go' }),
      event({ type: 'agent_message', message: 'x' }),
    )
    expect(events.texts).toEqual(['go', 'x'])
  })
  it('keep calls of one response together, and apart when a result comes between', async () => {
    const call = (id: string): More =>
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: id })
    const done = (id: string): More => item({ type: 'function_call_output', call_id: id, output: 'ok' })
    const { trial } = await only(
      meta('A'),
      said('user', 'go'),
      said('assistant', 'I look'),
      call('1'),
      call('2'),
      done('2'),
      done('1'),
      call('3'),
      done('3'),
    )
    expect(trial.steps.map((step) => step.calls?.map((one) => one.id) ?? step.callId ?? step.text)).toEqual([
      'go',
      ['1', '2'],
      '2',
      '1',
      ['3'],
      '3',
    ])
    expect(trial.steps[1]?.text).toBe('I look')
  })
  it('keep arguments that are no JSON, and outputs in every form', async () => {
    const output = (id: string, value: unknown): More =>
      item({ type: 'function_call_output', call_id: id, output: value })
    const { trial, codes } = await only(
      meta('A'),
      said('user', 'go'),
      item({ type: 'function_call', name: 'f', arguments: '{"a": ', call_id: '1' }),
      output('1', { content: 'boom', success: false }),
      item({ type: 'function_call', name: 'f', arguments: '{}', call_id: '2' }),
      output('2', [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(80)}` },
      ]),
      item({ type: 'function_call', name: 'f', arguments: '{}', call_id: '3' }),
      output('3', 'Exit code: 2\nOutput:\nbad'),
    )
    const results = trial.steps.filter((step) => step.kind === 'tool_result')
    expect(results.map((step) => step.isError ?? false)).toEqual([true, false, true])
    expect(results[1]?.text).toMatch(/^a\n\[image, image\/png, 60 bytes/)
    expect(trial.steps[1]?.calls?.[0]).toMatchObject({ args: null, argsRaw: '{"a": ' })
    expect(codes).toContain('CALL_UNPARSED')
  })
  it('end as their last turn did', async () => {
    const end = async (...events: More[]) => {
      const { trial } = await only(meta('A'), said('user', 'go'), ...events)
      return [trial.outcome, trial.termination, trial.error?.message ?? null]
    }
    expect(await end(event({ type: 'turn_aborted', reason: 'interrupted' }))).toEqual([
      'unknown',
      'interrupted',
      null,
    ])
    expect(await end(event({ type: 'error', message: 'usage limit' }))).toEqual([
      'error',
      'error',
      'usage limit',
    ])
    expect(
      await end(
        event({ type: 'error', message: 'x' }),
        event({ type: 'task_started' }),
        event({ type: 'task_complete' }),
      ),
    ).toEqual(['unknown', 'task_complete', null])
  })
  it('lose the turns that were rolled back, and say so', async () => {
    const { texts, codes } = await only(
      meta('A'),
      said('user', 'one'),
      said('assistant', 'x'),
      said('user', 'two'),
      said('assistant', 'y'),
      event({ type: 'thread_rolled_back', num_turns: 1 }),
      said('user', 'three'),
    )
    expect(texts).toEqual(['one', 'x', 'three'])
    expect(codes).toContain('BRANCH_LEFT')
  })
  it('one after another in a file are several trials; a fork names the one that it came from', async () => {
    const { trials, raws } = await readBytes(
      lines(
        meta('A'),
        said('user', 'one'),
        meta('B', { forked_from_id: 'Z' }),
        meta('Z'),
        said('user', 'two'),
      ),
      'task_4.jsonl',
    )
    expect(trials.map((trial) => [trial.sourceId, trial.task])).toEqual([
      ['A', 'one'],
      ['B', 'two'],
    ])
    expect(raws.map((raw) => raw.line)).toEqual([1, 3])
  })
  it('survive broken lines, and name types of lines that they do not know', async () => {
    const { texts, codes } = await only(
      meta('A'),
      said('user', 'one'),
      '{"timestamp":"2026","type":"resp',
      line('novelty', { a: 1 }),
      { a: 1 },
      said('assistant', 'x'),
      '{"type":"event_msg","payl',
    )
    expect(texts).toEqual(['one', 'x'])
    expect(codes.toSorted()).toEqual([
      'FORMAT_BETA',
      'JSON_CUT_OFF',
      'JSON_INVALID',
      'OUTCOME_MISSING',
      'RECORD_INVALID',
      'RECORD_UNKNOWN',
    ])
  })
})

describe('exec logs', () => {
  const log = readFileSync(fixture('codex/exec.jsonl'), 'utf8').trim().split('\n')
  it('hold steps of completed items only, and say what was begun and not completed', async () => {
    const { trial, problems } = await only(...log)
    expect(trial.steps.filter((step) => step.kind === 'tool_call')).toHaveLength(6)
    expect(problems[0]).toMatchObject({ code: 'STEP_INVALID' })
    expect(trial.usage).toEqual({ inputTokens: 24763, outputTokens: 122, cachedInputTokens: 24448 })
  })
  it('that failed are errors', async () => {
    const { trial } = await only(...log.slice(0, 3), {
      type: 'turn.failed',
      error: { message: 'stream disconnected' },
    })
    expect(trial).toMatchObject({
      outcome: 'error',
      termination: 'turn.failed',
      error: { message: 'stream disconnected', origin: 'infra' },
    })
    expect(trial.steps.at(-1)).toMatchObject({ kind: 'error', isError: true })
  })
})
