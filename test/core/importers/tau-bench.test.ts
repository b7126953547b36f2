// tau-bench rows: golden dumps of real pieces, and every quirk that the format is known for as its own case.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runOfName } from '../../../src/core/importers/tau-configuration.ts'
import { tauBench } from '../../../src/core/importers/tau-bench.ts'
import { fixture, readBytes } from './readall.ts'
import { holdToGolden } from './golden.ts'

const FILES = [
  'gpt-4o-airline.json',
  'airline-max-steps.json',
  'retail_tool-calling-l1-4o.json',
  'airline-text-calls.json',
  'retail-no-call-ids.json',
]

const message = (role: string, content: unknown, more = {}): object => ({ role, content, ...more })
const call = (id: string, name: string, args: unknown = '{}'): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const row = (more: object = {}): Record<string, unknown> => ({
  task_id: 0,
  reward: 1.0,
  info: {},
  traj: [message('user', 'hello'), message('assistant', 'bye')],
  trial: 0,
  ...more,
})
const read = (rows: unknown, name = 'unknown') => readBytes(JSON.stringify(rows), name)
const only = async (more: object) => {
  const { trials, codes } = await read([row(more)])
  expect(trials).toHaveLength(1)
  return { trial: trials[0]!, codes }
}

holdToGolden('tau-bench', 'tau-bench', FILES, {
  // Model and run are told by the file's name only.
  aside: ({ configuration: _c, extra: { run: _run, ...extra }, ...rest }) => ({ ...rest, extra }),
})

describe.each(FILES)('%s', (name) => {
  const bytes = readFileSync(fixture(`tau-bench/${name}`))
  it('hands on every record exactly as it stands in the file, with its place', async () => {
    const text = bytes.toString()
    for (const raw of (await readBytes(bytes, name)).raws) {
      const { recordBytes, byteOffset, line } = raw
      expect(bytes.subarray(byteOffset!, byteOffset! + recordBytes.length).equals(recordBytes)).toBe(true)
      expect(text.slice(0, byteOffset!).split('\n')).toHaveLength(line!)
      expect(JSON.parse(recordBytes.toString()).task_id).toBe(Number(raw.trial.task))
    }
  })
})

describe('rows', () => {
  it('may be one bare object, or one per line', async () => {
    expect((await read(row())).trials).toHaveLength(1)
    const lines = [row(), row({ trial: 1 })].map((one) => JSON.stringify(one)).join('\r\n')
    expect((await readBytes(lines)).trials.map((trial) => trial.sourceTrial)).toEqual(['0', '1'])
  })
  it('keep the trial number that they carry, in whatever order they come', async () => {
    const rows = [row({ trial: 1, task_id: 3 }), row({ trial: 0, task_id: 5 }), row({ trial: 0, task_id: 3 })]
    expect((await read(rows)).trials.map((t) => [t.task, t.sourceTrial])).toEqual([
      ['3', '1'],
      ['5', '0'],
      ['3', '0'],
    ])
  })
  it('lose trial numbers that are the index of the task', async () => {
    const rows = [0, 1, 2, 3].map((i) => row({ trial: i, task_id: i }))
    expect((await read(rows)).trials.map((trial) => trial.sourceTrial)).toEqual([null, null, null, null])
    expect((await read([row({ trial: 0, task_id: 0 })])).trials[0]?.sourceTrial).toBe('0')
    const real = [row({ task_id: 0 }), row({ task_id: 1 })]
    expect((await read(real)).trials.map((trial) => trial.sourceTrial)).toEqual(['0', '0'])
  })
  it('without a task id, or that are no object, are problems and the rest goes on', async () => {
    const { trials, problems } = await read([
      row(),
      { reward: 1, traj: [], info: {} },
      [1],
      7,
      row({ trial: 1 }),
    ])
    expect(trials).toHaveLength(2)
    expect(problems.map(({ code, record }) => [code, record])).toEqual([
      ['RECORD_INVALID', 1],
      ['RECORD_INVALID', 2],
      ['JSON_INVALID', undefined],
    ])
  })
  it('keep keys that the format does not know', async () => {
    const { trial } = await only({ records: { a: 1 }, empty: {}, info: { extra_info: 2 } })
    expect(trial.extra).toEqual({ info: { extra_info: 2 }, records: { a: 1 } })
  })
  it('with a __proto__ key pollute nothing', async () => {
    const text = JSON.stringify([row()]).replace('"task_id"', '"__proto__":{"polluted":1},"task_id"')
    const { trials } = await readBytes(text)
    expect(trials).toHaveLength(1)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(trials[0]!.extra)).toBe(Object.prototype)
  })
})

describe('outcome', () => {
  it.each([
    [1, 'pass'],
    [1 - 5e-7, 'pass'],
    [1 + 5e-7, 'pass'],
    [1 - 2e-6, 'fail'],
    [0, 'fail'],
    [0.5, 'fail'],
    [2, 'fail'],
    ['1.0', 'pass'],
    [true, 'pass'],
  ])('of reward %s is %s', async (reward, outcome) => {
    expect((await only({ reward })).trial.outcome).toBe(outcome)
  })
  it.each([[null], ['good'], [{ a: 1 }]])('of reward %j is unknown, and that is said', async (reward) => {
    const { trial, codes } = await only({ reward })
    expect([trial.outcome, trial.score, trial.scoreRaw]).toEqual(['unknown', null, reward])
    expect(codes).toContain('OUTCOME_MISSING')
  })
  it('of reward NaN is unknown, and the word is kept', async () => {
    const { trials, codes } = await readBytes(JSON.stringify([row()]).replace('"reward":1', '"reward":NaN'))
    expect(trials[0]).toMatchObject({ outcome: 'unknown', score: null, scoreRaw: 'NaN' })
    expect(codes).toEqual(['NOT_A_NUMBER', 'OUTCOME_MISSING'])
  })
  it('of an error row is error, with its origin, and the row is told apart by its file', async () => {
    const error = {
      error: "('Connection aborted.', 10054)",
      traceback: 'Traceback:\n  File\nx.ConnectionError: gone',
    }
    const { raws } = await read([row({ reward: 0, traj: [], info: error })], 'run-7.json')
    expect(raws[0]?.trial).toMatchObject({
      outcome: 'error',
      termination: 'error',
      error: { type: 'x.ConnectionError', message: error.error, origin: 'infra' },
      steps: [],
    })
    expect(raws[0]?.identitySalt).toBe('run-7')
    expect((await read([row()])).raws[0]?.identitySalt).toBeNull()
  })
  it('names how the trial ended', async () => {
    const stop = [message('user', 'Thanks ###STOP###')]
    const transfer = [
      message('assistant', null, { tool_calls: [call('a', 'transfer_to_human_agents')] }),
      message('tool', 'Transfer successful', { tool_call_id: 'a' }),
    ]
    const long = Array.from({ length: 62 }, (_, i) => message(i % 2 ? 'user' : 'assistant', 'again'))
    const ends: (string | null)[] = []
    for (const more of [
      { traj: stop },
      { traj: transfer },
      { traj: long },
      { info: { reward_info: null } },
      {},
      { traj: [] },
    ])
      ends.push((await only(more)).trial.termination)
    expect(ends).toEqual(['user_stop', 'transfer', 'max_steps', 'max_steps', null, null])
  })
})

describe('calls and results', () => {
  const steps = async (traj: object[]) => {
    const { trial, codes } = await only({ traj })
    return { steps: trial.steps, codes }
  }
  it('read arguments from JSON text, from an object, and from what Python prints; keep what is neither', async () => {
    const { steps: read, codes } = await steps([
      message('assistant', 'text beside a call', {
        tool_calls: [
          call('a', 'f', '{"x": 1}'),
          call('b', 'f', { x: 1 } as never),
          call('c', 'f', "{'x': 'it', 'y': None, 'z': [True]}"),
          call('d', 'f', '{"x": '),
          call('e', 'f', ''),
        ],
      }),
    ])
    expect(read[0]).toMatchObject({ text: 'text beside a call', kind: 'tool_call' })
    expect(read[0]?.calls?.map((one) => one.args)).toEqual([
      { x: 1 },
      { x: 1 },
      { x: 'it', y: null, z: [true] },
      null,
      {},
    ])
    expect(read[0]?.calls?.map((one) => one.argsRaw)).toEqual([
      undefined,
      undefined,
      "{'x': 'it', 'y': None, 'z': [True]}",
      '{"x": ',
      undefined,
    ])
    expect(codes).toEqual(['CALL_UNPARSED'])
  })
  it('pair an id that is used again with the nearest earlier call that is open', async () => {
    const { steps: read } = await steps([
      message('assistant', null, { tool_calls: [call('0', 'first')] }),
      message('tool', 'one', { tool_call_id: '0' }),
      message('assistant', null, { tool_calls: [call('0', 'second')] }),
      message('tool', 'two', { tool_call_id: '0' }),
    ])
    expect(read.map((step) => step.callId ?? step.calls?.[0]?.id)).toEqual(['0', '0', '0#2', '0#2'])
    expect(read.map((step) => step.toolName)).toEqual([undefined, 'first', undefined, 'second'])
  })
  it('pair results without an id by name and order, and say when that was a guess', async () => {
    const { steps: read, codes } = await steps([
      message('assistant', null, { tool_calls: [call('a', 'f'), call('b', 'g'), call('c', 'f')] }),
      message('tool', 'of g', { name: 'g' }),
      message('tool', 'of f', { name: 'f' }),
      message('tool', 'of the other f'),
      message('tool', 'of nothing'),
    ])
    expect(read.map((step) => step.callId)).toEqual([undefined, 'b', 'a', 'c', undefined])
    expect(codes).toEqual(['RESULT_UNPAIRED'])
  })
  it('live without content, ids and names', async () => {
    const { steps: read } = await steps([
      { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', content: '# var_6 = "Error: no"' },
    ])
    expect(read[0]?.calls?.[0]).toEqual({ id: 'step-0', name: 'f', args: {} })
    expect(read[1]).toMatchObject({ callId: 'step-0', toolName: 'f', isError: true })
  })
  it('mark results that begin with Error as errors, and no others', async () => {
    const texts = ['Error: no seats', 'error - none', '{"error": null}', 'An error: x', 'Errors: 0']
    const { steps: read } = await steps(texts.map((text) => message('tool', text)))
    expect(read.map((step) => step.isError ?? false)).toEqual([true, true, false, false, false])
  })
  it('understand ReAct text actions and their results', async () => {
    const { steps: read } = await steps([
      message('user', 'cancel it'),
      message('assistant', 'Thought:\nI look.\nAction:\n{"name": "get_order", "arguments": {"id": "W1"}}'),
      message('user', 'API output: Error: no such order'),
      message('assistant', 'Thought: sad\nAction: {"name": "respond", "arguments": {"content": "Sorry"}}'),
      message('user', 'API output: this is a user who says so'),
    ])
    expect(read.map((step) => `${step.role}/${step.kind}`)).toEqual([
      'user/message',
      'assistant/tool_call',
      'tool/tool_result',
      'assistant/message',
      'user/message',
    ])
    expect(read[1]?.calls).toEqual([{ id: 'step-1', name: 'get_order', args: { id: 'W1' } }])
    expect(read[2]).toMatchObject({ text: 'Error: no such order', isError: true, callId: 'step-1' })
  })
  it('never take a <tool_call> in the text for a call', async () => {
    const { steps: read, codes } = await steps([
      message('assistant', 'I do it. <tool_call>\n{"name": "refund", "arguments": {"usd": 5}}\n</tool_call>'),
      message('user', 'did you?'),
    ])
    expect(read[0]).toMatchObject({ kind: 'message' })
    expect(read[0]?.calls).toBeUndefined()
    expect(read[0]?.extra).toEqual({ unexecutedCalls: [{ name: 'refund', arguments: { usd: 5 } }] })
    expect(codes).toEqual(['CALL_NOT_EXECUTED'])
  })
  it('keep a message that is none, and a role that is unknown', async () => {
    const { steps: read, codes } = await steps(['odd' as never, message('oracle', 'hm')])
    expect(read.map((step) => step.role)).toEqual(['environment', 'environment'])
    expect(read[1]?.extra).toEqual({ role: 'oracle' })
    expect(codes).toEqual(['STEP_INVALID'])
  })
})

describe('domain', () => {
  const suites = async (rows: object[], name = 'unknown') =>
    (await read(rows, name)).trials.map((t) => t.suite)
  const using = (tool: string) => ({ traj: [message('assistant', null, { tool_calls: [call('a', tool)] })] })
  it('comes from the policy, the calls or the expected actions', async () => {
    expect(await suites([row({ traj: [message('system', '# Telecom Agent Policy\n…')] })])).toEqual([
      'telecom',
    ])
    expect(await suites([row(using('search_direct_flight'))])).toEqual(['airline'])
    expect(await suites([row(using('exchange_delivered_order_items'))])).toEqual(['retail'])
    const expected = { info: { task: { actions: [{ name: 'book_reservation', kwargs: {} }] } } }
    expect(await suites([row(expected)])).toEqual(['airline'])
  })
  it('of a row that tells nothing is that of its file, even when it comes first', async () => {
    expect(await suites([row(), row({ ...using('get_order_details'), trial: 1 })])).toEqual([
      'retail',
      'retail',
    ])
  })
  it('that nothing in the file tells is looked for in the name, and else left open', async () => {
    expect(await suites([row()], 'react_airline_7.json')).toEqual(['airline'])
    expect(await suites([row()], 'hairliner.json')).toEqual(['tau-bench'])
  })
})

describe('configuration', () => {
  it('is read from the name that the harness gives', () => {
    const name = 'tool-calling-claude-3-5-sonnet-0.0_range_0-115_user-gpt-4o-llm_1022105522.json.gz'
    expect(runOfName(name)).toEqual({
      configuration: {
        label: 'claude-3-5-sonnet tool-calling',
        model: 'claude-3-5-sonnet',
        agent: 'tool-calling',
        agentVersion: null,
        promptVersion: null,
        toolsVersion: null,
        policyVersion: null,
        environment: null,
        params: { temperature: 0, user_model: 'gpt-4o', user_strategy: 'llm' },
      },
      about: { range: '0-115', stamp: '1022105522' },
    })
  })
  it('of other names is a label, with the folder where the name says nothing', () => {
    const label = (name: string) => runOfName(name).configuration.label
    expect(label('gpt-4o-airline.json')).toBe('gpt-4o')
    expect(label('folder/retail_tool-calling-l0-4o.json')).toBe('retail_tool-calling-l0-4o')
    expect(label('folder/a/results.json')).toBe('a/results')
    expect(label('results.json')).toBe('results')
  })
})

describe('detection', () => {
  const sniff = async (value: unknown) => (await readBytes(JSON.stringify(value))).detection
  it('needs task_id and traj, not a name', async () => {
    expect((await sniff([row()])).importer?.id).toBe('tau-bench')
    expect((await readBytes('[{"a":1}]', 'tau-airline.json')).detection.importer).toBeNull()
  })
  it('works when the first row is longer than the head', async () => {
    const long = row({ traj: Array.from({ length: 3000 }, () => message('user', 'x'.repeat(100))) })
    const { detection, trials } = await read([long, row({ trial: 1 })])
    expect(detection.importer).toBe(tauBench)
    expect(trials).toHaveLength(2)
  })
})
