// Steps of Inspect samples: what events and messages become, and that nothing is told twice or lost.

import { describe, expect, it } from 'vitest'
import type { Step } from '../../../src/model/trial.ts'
import { call, message, model, readOne, tool } from './inspectlogs.ts'

const line = (step: Step): string => {
  const calls = (step.calls ?? [])
    .map((one) => ` → ${one.id} ${one.name}(${JSON.stringify(one.args)})`)
    .join('')
  const owner = `${step.agent === undefined ? '' : ` @${step.agent}`}${step.parent === undefined ? '' : ` <${step.parent}`}`
  const result = step.callId === undefined ? '' : ` answers ${step.callId}`
  const error = step.isError === true ? ` !${step.error ?? ''}` : ''
  return `${step.role}/${step.kind}${owner}${result} ${JSON.stringify(step.text)}${calls}${error}`
}
const steps = async (more: Record<string, unknown>): Promise<string[]> =>
  (await readOne(more)).trial.steps.map(line)

const ask = message('user', 'find it', { id: 'm1' })
const says = message('assistant', 'looking', { id: 'm2', tool_calls: [call('c1', 'search', { q: 'x' })] })
const found = message('tool', 'here', { id: 'm3', tool_call_id: 'c1', function: 'search' })
const done = message('assistant', 'it is here', { id: 'm4' })
const TWO_TURNS = [model([ask], says), tool('c1', 'search', 'here'), model([ask, says, found], done)]
const TOLD = [
  'user/message "find it"',
  'assistant/tool_call "looking" → c1 search({"q":"x"})',
  'tool/tool_result answers c1 "here"',
  'assistant/message "it is here"',
]
const CONVERSATION = [ask, says, found, done]

describe('events', () => {
  it('tell each message once, with times, tokens and model', async () => {
    const events = [
      model([ask], says, {
        completed: '2026-01-02T03:04:09+00:00',
        output: {
          choices: [{ message: says, stop_reason: 'tool_calls' }],
          usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
        },
        retries: 2,
      }),
      ...TWO_TURNS.slice(1),
    ]
    const { trial } = await readOne({ events, messages: CONVERSATION })
    expect(trial.steps.map(line)).toEqual(TOLD)
    expect(trial.steps.map((step) => step.index)).toEqual([0, 1, 2, 3])
    expect(trial.steps[1]).toMatchObject({
      model: 'maker/model-1',
      usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: null },
      startedAt: '2026-01-02T03:04:06+00:00',
      endedAt: '2026-01-02T03:04:09+00:00',
      extra: { retries: 2 },
    })
    expect(trial.steps[0]).not.toHaveProperty('startedAt')
    expect(trial.steps[2]).toMatchObject({ startedAt: '2026-01-02T03:04:07+00:00', toolName: 'search' })
    expect(trial).toMatchObject({
      startedAt: '2026-01-02T03:04:06+00:00',
      endedAt: '2026-01-02T03:04:06+00:00',
    })
  })
  it('are the same steps without ids, and equal messages that come again are told again', async () => {
    const go = message('user', 'go on')
    const a = message('assistant', 'a')
    const b = message('assistant', 'b')
    const events = [
      model([go], a),
      model([go, a, go], b),
      model([go, a, go, b, go], message('assistant', 'a')),
    ]
    expect(await steps({ events, messages: [go, a, go, b, go, a, go] })).toEqual([
      'user/message "go on"',
      'assistant/message "a"',
      'user/message "go on"',
      'assistant/message "b"',
      'user/message "go on"',
      'assistant/message "a"',
      'user/message "go on"',
    ])
  })
  it('of pooled inputs are found by position', async () => {
    const pooled = [
      { ...model([], says), input_refs: [[0, 1]] },
      tool('c1', 'search', 'here'),
      { ...model([], done), input_refs: [[0, 1], [2, 4], [9]] },
    ]
    const pool = [ask, message('user', 'of another', { id: 'zz' }), says, found]
    expect(await steps({ events: pooled, messages: [], events_data: { messages: pool, calls: [] } })).toEqual(
      TOLD,
    )
    expect(await steps({ events: pooled, messages: [], message_pool: pool })).toEqual(TOLD)
  })
  it('come before messages, which are read when events are no trajectory', async () => {
    const info = [
      { event: 'info', data: 1 },
      { event: 'state', changes: [] },
    ]
    expect(await steps({ events: info, messages: CONVERSATION })).toEqual(TOLD)
    expect(await steps({ events: [], messages: CONVERSATION })).toEqual(TOLD)
    expect(await steps({ events: TWO_TURNS, messages: [] })).toEqual(TOLD)
    const { trial } = await readOne({ events: [...TWO_TURNS, ...info, ...info], messages: CONVERSATION })
    expect(trial.extra['eventsNotShown']).toEqual({ info: 2 })
  })
  it('are completed by what only the conversation has at its end', async () => {
    const later = [...CONVERSATION, message('user', 'Wrong. Again.', { id: 'm5' })]
    expect(await steps({ events: TWO_TURNS, messages: later })).toEqual([
      ...TOLD,
      'user/message "Wrong. Again."',
    ])
    // A conversation that was rewritten has nothing in common: its events are told alone.
    expect(await steps({ events: TWO_TURNS, messages: [message('user', 'new', { id: 'n' })] })).toEqual(TOLD)
  })
  it('of scoring are no steps', async () => {
    const grade = model(
      [message('user', 'grade this', { id: 'g1' })],
      message('assistant', 'C', { id: 'g2' }),
    )
    const bySpan = [
      ...TWO_TURNS,
      { event: 'span_begin', id: 's1', type: 'scorers', name: 'scorers' },
      { event: 'span_begin', id: 's2', parent_id: 's1', type: 'scorer', name: 'match' },
      { ...grade, span_id: 's2' },
      { event: 'score', score: { value: 'C' }, intermediate: false, span_id: 's2' },
    ]
    const byStep = [
      ...TWO_TURNS,
      { event: 'step', action: 'begin', type: 'scorer', name: 'match' },
      grade,
      { event: 'step', action: 'end', type: 'scorer', name: 'match' },
    ]
    for (const events of [bySpan, byStep]) {
      const { trial } = await readOne({ events, messages: CONVERSATION })
      expect(trial.steps.map(line)).toEqual(TOLD)
      expect(trial.extra['eventsNotShown']).toEqual({ 'model (scorer)': 1 })
    }
  })
  it('of a sub-agent know their agent and the call that started it; its result comes behind them', async () => {
    const sub = message('user', 'look in the attic', { id: 's1' })
    const answer = message('assistant', 'a box', { id: 's2' })
    const events = [
      { event: 'span_begin', id: 'root', type: 'agent', name: 'react' },
      { ...model([ask], says), span_id: 'root' },
      { event: 'span_begin', id: 't', parent_id: 'root', type: 'tool', name: 'search' },
      { ...tool('c1', 'search', 'here'), span_id: 'root', agent_span_id: 'a' },
      { event: 'span_begin', id: 'a', parent_id: 't', type: 'agent', name: 'searcher' },
      { ...model([sub], answer), span_id: 'a' },
      { event: 'span_end', id: 'a' },
      { event: 'span_end', id: 't' },
      { ...model([ask, says, found], done), span_id: 'root' },
      { event: 'span_end', id: 'root' },
    ]
    const expected = [
      'user/message @react "find it"',
      'assistant/tool_call @react "looking" → c1 search({"q":"x"})',
      'user/message @searcher <1 "look in the attic"',
      'assistant/message @searcher <1 "a box"',
      'tool/tool_result @react answers c1 "here"',
      'assistant/message @react "it is here"',
    ]
    expect(await steps({ events, messages: CONVERSATION })).toEqual(expected)
    // Without the agent's span id, the tool span is found by its name.
    const unnamed = events.map(({ agent_span_id: _, ...event }: Record<string, unknown>) => event)
    expect(await steps({ events: unnamed, messages: CONVERSATION })).toEqual(expected)
  })
  it('nested in a tool event (old logs) belong to that tool', async () => {
    const inner = model([message('user', 'sub', { id: 's1' })], message('assistant', 'res', { id: 's2' }))
    const events = [TWO_TURNS[0], tool('c1', 'search', 'here', { events: [inner] }), TWO_TURNS[2]]
    expect(await steps({ events, messages: CONVERSATION })).toEqual([
      TOLD[0],
      TOLD[1],
      'user/message @search <1 "sub"',
      'assistant/message @search <1 "res"',
      TOLD[2],
      TOLD[3],
    ])
    const task = { event: 'subtask', name: 'helper', events: [inner] }
    expect((await steps({ events: [task, ...TWO_TURNS], messages: [] }))[0]).toBe(
      'user/message @helper "sub"',
    )
  })
  it('of parallel calls are one batch; results keep the order in which they ended', async () => {
    const both = message('assistant', '', { id: 'm2', tool_calls: [call('c1', 'f'), call('c2', 'g')] })
    const events = [
      model([ask], both),
      { event: 'span_begin', id: 't1', type: 'tool', name: 'f' },
      tool('c1', 'f', 'one'),
      { event: 'span_begin', id: 't2', type: 'tool', name: 'g' },
      tool('c2', 'g', 'two'),
      { event: 'span_end', id: 't2' },
      { event: 'span_end', id: 't1' },
    ]
    expect(await steps({ events, messages: [] })).toEqual([
      TOLD[0],
      'assistant/tool_call "" → c1 f({}) → c2 g({})',
      'tool/tool_result answers c2 "two"',
      'tool/tool_result answers c1 "one"',
    ])
  })
  it('of a tool that no model called bring the call along', async () => {
    const events = [tool('x1', 'setup', 'ok', { arguments: { a: 1 } }), ...TWO_TURNS]
    const { trial } = await readOne({ events, messages: CONVERSATION })
    expect(trial.steps.map(line).slice(0, 2)).toEqual([
      'assistant/tool_call null → x1 setup({"a":1})',
      'tool/tool_result answers x1 "ok"',
    ])
    expect(trial.steps[0]?.extra).toEqual({ ranBy: 'solver' })
  })
  it('of tools tell errors, failures and cuts; a pending one has no result', async () => {
    const events = [
      model(
        [ask],
        message('assistant', '', { id: 'm2', tool_calls: ['a', 'b', 'c', 'd'].map((id) => call(id, id)) }),
      ),
      tool('a', 'a', '', { error: { type: 'timeout', message: 'too slow' } }),
      tool('b', 'b', 'partial', { failed: true, truncated: [100, 50] }),
      tool('c', 'c', 12.5),
      tool('d', 'd', '', { pending: true }),
    ]
    const { trial } = await readOne({ events, messages: [] })
    expect(trial.steps.slice(2).map(line)).toEqual([
      'tool/tool_result answers a null !timeout: too slow',
      'tool/tool_result answers b "partial" !',
      'tool/tool_result answers c "12.5"',
    ])
    expect(trial.steps[3]?.extra).toEqual({ truncated: [100, 50], failed: true })
  })
  it('of limits, errors, compactions and scores on the way are steps of their kind', async () => {
    const events = [
      ...TWO_TURNS,
      { event: 'compaction', type: 'summary', tokens_before: 900, tokens_after: 100 },
      { event: 'score', intermediate: true, score: { value: 0.5 } },
      { event: 'sample_limit', type: 'token', message: 'Exceeded token limit', limit: 5 },
      { event: 'error', error: { message: 'boom', traceback: '' } },
    ]
    expect((await steps({ events, messages: CONVERSATION })).slice(4)).toEqual([
      'environment/compaction "summary: 900 → 100 tokens"',
      'environment/score "0.5"',
      'environment/error "Exceeded token limit"',
      'environment/error "boom"',
    ])
  })
  it('of a model call that failed tell the error; without choices there is no message', async () => {
    const events = [model([ask], null, { error: 'rate limited' }), ...TWO_TURNS, model([ask], null)]
    expect(await steps({ events, messages: CONVERSATION })).toEqual([
      TOLD[0],
      'assistant/error "rate limited"',
      ...TOLD.slice(1),
    ])
  })
  it('that are no events, or of kinds that came later, harm nothing', async () => {
    const events = [
      null,
      7,
      [],
      {},
      { event: 'model' },
      { event: 'tool' },
      { event: 'brand_new' },
      ...TWO_TURNS,
    ]
    const { trial, codes } = await readOne({ events, messages: CONVERSATION })
    expect(trial.steps.map(line).slice(-4)).toEqual(TOLD)
    expect(codes).toEqual(['STEP_INVALID'])
    expect(trial.extra['eventsNotShown']).toEqual({ unnamed: 1, brand_new: 1 })
  })
  it('whose spans are their own parents end', async () => {
    const events = [
      { event: 'span_begin', id: 'a', parent_id: 'b', type: 'x' },
      { event: 'span_begin', id: 'b', parent_id: 'a', type: 'x' },
      ...TWO_TURNS.map((event) => ({ ...event, span_id: 'a' })),
    ]
    expect(await steps({ events, messages: CONVERSATION })).toEqual(TOLD)
  })
})

describe('attachments', () => {
  it('are put back, in texts, arguments, results and scores', async () => {
    const { trial, codes } = await readOne({
      attachments: { h1: 'a long text', h2: 'long result' },
      input: 'attachment://h1',
      messages: [
        message('user', 'tc://h1'),
        message('assistant', [{ type: 'text', text: 'attachment://h1' }], {
          tool_calls: [call('c1', 'f', { a: ['attachment://h1', 'attachment:// h1 is text'] })],
        }),
        message('tool', 'attachment://h2', { tool_call_id: 'c1' }),
      ],
      scores: { match: { value: 'C', explanation: 'attachment://h2' } },
    })
    expect(trial.taskInput).toBe('a long text')
    expect(trial.steps.map(line)).toEqual([
      'user/message "a long text"',
      'assistant/tool_call "a long text" → c1 f({"a":["a long text","attachment:// h1 is text"]})',
      'tool/tool_result answers c1 "long result"',
    ])
    expect(trial.extra['scoreDetails']).toEqual({ match: { value: 'C', explanation: 'long result' } })
    expect(codes).toEqual([])
  })
  it('that are missing stay as they are, and that is said once', async () => {
    const lost = message('user', 'attachment://nowhere')
    const { trial, problems } = await readOne({ messages: [lost, lost], attachments: { __proto__: 'x' } })
    expect(trial.steps[0]?.text).toBe('attachment://nowhere')
    expect(problems.map(({ message: text }) => text)).toEqual([
      'Sample 1: 1 attachment that is referred to and not there.',
    ])
  })
})

describe('content', () => {
  const parts = (content: unknown, more = {}) =>
    readOne({ messages: [message('assistant', content, more)] }).then(({ trial }) => trial.steps)
  it('of bytes becomes a placeholder with type and size, the same for the same bytes', async () => {
    const png = `data:image/png;base64,${Buffer.from('0123456789').toString('base64')}`
    const [one] = await parts([
      { type: 'text', text: 'see' },
      { type: 'image', image: png },
      { type: 'image', image: 'https://example.org/a.png' },
      { type: 'audio', audio: png.replace('image/png', 'audio/wav'), format: 'wav' },
      { type: 'document', document: png.replace('image/png', 'application/pdf'), filename: 'a.pdf' },
      { type: 'data', data: { a: png } },
    ])
    expect(one?.text).not.toContain('base64')
    expect(one?.text?.split('\n')).toEqual([
      'see',
      expect.stringMatching(/^\[image, image\/png, 10 bytes, sha256 [0-9a-f]{8}\]$/),
      '[image, https://example.org/a.png]',
      expect.stringMatching(/^\[audio, audio\/wav, 10 bytes/),
      expect.stringMatching(/^\[document, application\/pdf, 10 bytes, sha256 [0-9a-f]{8}, a\.pdf\]$/),
      expect.stringMatching(/^\{"a":"\[image, image\/png, 10 bytes/),
    ])
    const { all } = await readOne({ messages: [message('user', [{ type: 'image', image: png }])] })
    expect(all.raws[0]?.recordBytes.toString()).toContain('base64')
  })
  it('of reasoning is a step of its own, in all the forms that it had', async () => {
    const of = async (content: unknown, more = {}) => (await parts(content, more)).map(line)
    expect(
      await of([
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: 'yes' },
      ]),
    ).toEqual(['assistant/reasoning "hm"', 'assistant/message "yes"'])
    expect(
      await of([{ type: 'reasoning', reasoning: 'c2VjcmV0', redacted: true, summary: 'thought' }]),
    ).toEqual(['assistant/reasoning "thought"'])
    expect(await of([{ type: 'reasoning', reasoning: '', redacted: true }])).toEqual([
      'assistant/reasoning "[reasoning that the provider withheld]"',
    ])
    expect(await of('yes', { reasoning: 'old' })).toEqual([
      'assistant/reasoning "old"',
      'assistant/message "yes"',
    ])
  })
  it('of calls that the provider ran is calls with their results', async () => {
    const { trial, codes } = await readOne({
      messages: [
        message('assistant', [
          { type: 'text', text: 'searching' },
          {
            type: 'tool_use',
            tool_type: 'web_search',
            id: 'w1',
            name: 'web_search',
            arguments: '{"q": 1}',
            result: 'r',
          },
          {
            type: 'tool_use',
            tool_type: 'mcp',
            id: 'w2',
            name: 'mcp',
            arguments: 'no json',
            result: '',
            error: 'down',
          },
          { type: 'text', text: 'found', refusal: true },
        ]),
      ],
    })
    expect(trial.steps.map(line)).toEqual([
      'assistant/tool_call "searching" → w1 web_search({"q":1})',
      'tool/tool_result answers w1 "r"',
      'assistant/tool_call null → w2 mcp(null)',
      'tool/tool_result answers w2 null !down',
      'assistant/message "found"',
    ])
    expect(trial.steps[0]?.extra).toEqual({ ranBy: 'provider' })
    expect(trial.steps[4]?.extra).toEqual({ refusal: true })
    expect(codes).toEqual([])
  })
  it('of calls whose arguments could not be parsed is marked', async () => {
    const { trial, codes } = await readOne({
      messages: [
        message('assistant', '', { tool_calls: [call('c1', 'f', { raw: 1 }, { parse_error: 'bad JSON' })] }),
      ],
    })
    expect(trial.steps[0]?.calls).toEqual([{ id: 'c1', name: 'f', args: { raw: 1 }, parseError: 'bad JSON' }])
    expect(codes).toEqual(['CALL_UNPARSED'])
  })
  it('in the form of version 1 is read: functions as objects, errors as text', async () => {
    expect(
      await steps({
        messages: [
          message('assistant', '', {
            tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }],
          }),
          message('tool', '', { tool_call_id: 'c1', tool_error: 'broken' }),
        ],
      }),
    ).toEqual(['assistant/tool_call "" → c1 f({"a":1})', 'tool/tool_result answers c1 null !broken'])
  })
  it('that is no message harms nothing', async () => {
    const { trial, codes } = await readOne({
      messages: [null, 7, {}, message('narrator', 'x'), message('user', 7)],
    })
    expect(trial.steps.map(line)).toEqual([
      'environment/message null',
      'environment/message null',
      'environment/message ""',
      'environment/message "x"',
      'user/message "7"',
    ])
    expect(codes).toEqual(['STEP_INVALID'])
  })
  it('of markup and control characters stays text', async () => {
    const text = '</script><img src=x onerror=alert(1)>\u001b[31m\u202e[x](javascript:alert(1))'
    expect((await parts(text))[0]?.text).toBe(text)
  })
})
