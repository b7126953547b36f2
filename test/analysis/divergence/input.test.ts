// From trials of the model to acts: pairing of results with calls, the final answer, states and effects, stray results.

import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import type { Step, Trial } from '../../../src/model/trial.ts'
import { normaliseTrial } from '../../../src/analysis/divergence/input.ts'
import { shellProgram } from '../../../src/analysis/divergence/shell.ts'
import { toTrial } from '../../bench/divergence/convert.ts'

function trialOf(steps: readonly Step[], changes: Partial<Trial> = {}): Trial {
  return { ...toTrial([], 'fail'), steps, ...changes }
}

function calling(index: number, calls: readonly { id: string | null; name: string; args?: Json }[]): Step {
  return {
    index,
    role: 'assistant',
    kind: 'tool_call',
    text: null,
    calls: calls.map(({ id, name, args }) => ({ id, name, args: args ?? {} })),
  }
}

function result(index: number, text: string, more: Partial<Step> = {}): Step {
  return { index, role: 'tool', kind: 'tool_result', text, ...more }
}

function message(index: number, role: 'user' | 'assistant', text: string, more: Partial<Step> = {}): Step {
  return { index, role, kind: 'message', text, ...more }
}

describe('pairing', () => {
  test('parallel calls of one tool, results out of order', () => {
    const { acts } = normaliseTrial(
      trialOf([
        calling(0, [
          { id: 'a', name: 'get' },
          { id: 'b', name: 'get' },
        ]),
        result(1, 'second', { callId: 'b' }),
        result(2, 'first', { callId: 'a' }),
      ]),
    )
    expect(acts.map((act) => [act.call, act.resultStep, act.observed[0]?.[1]])).toEqual([
      [0, 2, 's:first'],
      [1, 1, 's:second'],
    ])
  })

  test('an id used again belongs to the call of its own turn', () => {
    const { acts } = normaliseTrial(
      trialOf([
        calling(0, [{ id: 'x', name: 'get' }]),
        calling(1, [{ id: 'x', name: 'get' }]),
        result(2, 'late', { callId: 'x' }),
      ]),
    )
    expect(acts.map((act) => act.resultStep)).toEqual([null, 2])
  })

  test('results without ids go by order, names first', () => {
    const { acts } = normaliseTrial(
      trialOf([
        calling(0, [
          { id: null, name: 'a' },
          { id: null, name: 'b' },
        ]),
        result(1, 'of b', { toolName: 'b' }),
        result(2, 'of a'),
      ]),
    )
    expect(acts.map((act) => act.resultStep)).toEqual([2, 1])
  })

  test('a result that fits no call is kept', () => {
    const { acts } = normaliseTrial(
      trialOf([calling(0, [{ id: 'a', name: 'get' }]), result(1, 'stray', { callId: 'zzz' })]),
    )
    expect(acts).toHaveLength(2)
    expect(acts[1]).toMatchObject({ call: null, resultStep: 1, step: 1 })
  })
})

describe('the final answer', () => {
  const work = [calling(0, [{ id: 'a', name: 'get' }]), result(1, 'ok', { callId: 'a' })]
  const kinds = (trial: Trial): string[] => normaliseTrial(trial).acts.map((act) => act.kind)

  test('is the last assistant message after the last tool step', () => {
    expect(kinds(trialOf([...work, message(2, 'assistant', 'Done.'), message(3, 'user', 'Bye')]))).toEqual([
      'tool',
      'final',
      'user',
    ])
  })

  test('is not implied by a trial that ended by a limit or an error', () => {
    const steps = [...work, message(2, 'assistant', 'Let me see')]
    expect(kinds(trialOf(steps, { termination: 'max_steps' }))).toEqual(['tool', 'assistant'])
    expect(kinds(trialOf(steps, { outcome: 'error' }))).toEqual(['tool', 'assistant'])
  })

  test('is what the source says, wherever it stands', () => {
    const steps = [message(0, 'assistant', 'Answer', { final: true }), ...work, message(3, 'assistant', 'Hm')]
    const { acts } = normaliseTrial(trialOf(steps))
    expect(acts.map((act) => act.kind)).toEqual(['final', 'tool', 'assistant'])
    expect(acts[0]?.isImplied).toBe(false)
  })

  test('does not stand before a tool step', () => {
    expect(kinds(trialOf([message(0, 'assistant', 'I begin'), ...work]))).toEqual(['assistant', 'tool'])
  })
})

test('states and effects are observed; a text that is JSON is read as JSON', () => {
  const { acts } = normaliseTrial(
    trialOf([
      calling(0, [{ id: 'a', name: 'ack' }]),
      result(1, '{"ok": true}', {
        callId: 'a',
        state: { open: 3 },
        effects: [{ path: 'orders.1', before: null, after: 'paid' }],
      }),
    ]),
  )
  expect(acts[0]?.hasEffect).toBe(true)
  expect(acts[0]?.observed).toEqual([
    ['ok', 'b:true'],
    ['$state.open', 'n:3'],
    ['$effect.orders.1.', 's:paid'],
  ])
})

test('arguments that could not be parsed are compared as written', () => {
  const step: Step = {
    ...calling(0, []),
    calls: [{ id: 'a', name: 'get', args: null, argsRaw: '{"id": ', parseError: 'cut' }],
  }
  expect(normaliseTrial(trialOf([step])).acts[0]?.args).toEqual([['(unparsed)', 's:{"id":']])
})

test.each([
  ['cd /a && sudo FOO=1 git commit -m x', 'git-commit'],
  ['python -m pytest -q', 'pytest'],
  ['/usr/bin/ls -la', 'ls'],
  ['timeout 5 make test', 'make-test'],
  ['', ''],
])('program of %j is %s', (command, program) => {
  expect(shellProgram(command)).toBe(program)
})
