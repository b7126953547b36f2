// `faultline rules` on a small real workspace: add, list, try, switch, undo, files, and faults that name the field.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deskTrials, faultline, folder, writeTrials } from './program.ts'

/** What every failing trial of the desk does: it pays without the policy's leave. */
const RULE = JSON.stringify({
  kind: 'must-happen-before',
  event: 'unchecked_refund',
  check: 'check_policy',
  write: 'refund_*',
  match: [{ check: 'arguments.order_id', write: 'arguments.order_id' }],
  cost: 'arguments.amount',
})

test('a rule is tried, added, listed, switched off, removed and brought back', async () => {
  const cwd = folder()
  const run = (...args: string[]) => faultline(cwd, ['rules', ...args])
  deskTrialsIn(cwd)
  expect((await faultline(cwd, ['import', 'a.jsonl'])).code).toBe(0)

  const learned = JSON.parse((await run('learned', '--json')).out)
  expect(learned.tools.map(({ tool, stepClass }: Record<string, string>) => [tool, stepClass])).toEqual([
    ['check_policy', 'check'],
    ['get_order', 'read'],
    ['refund_order', 'write'],
    ['refuse', 'write'],
  ])

  const tried = JSON.parse((await run('test', RULE, '--json')).out)
  expect(tried.before.severeEvents).toBe(0)
  expect(tried.after).toMatchObject({ severeEvents: 3, ruleCostUsd: 120 })
  expect((await run('list')).out).toContain('No rules yet')

  const text = (await run('test', RULE)).out
  expect(text).toContain('check_policy must succeed before refund_* with the same order_id')
  expect(text).toContain('Nothing was saved.')

  const [added] = JSON.parse((await run('add', RULE, '--json')).out)
  expect(added).toMatchObject({ revision: 1, effect: { is: 'events', events: 3 } })
  const severe = async (): Promise<number> =>
    JSON.parse((await faultline(cwd, ['tasks', '--json'])).out).summary.severeEvents
  expect(await severe()).toBe(3)

  const short = String(added.ruleId).slice(0, 6)
  expect((await run('off', short)).out).toContain('switched off')
  expect(await severe()).toBe(0)
  expect((await run('undo', short)).code).toBe(0)
  expect((await run('remove', short)).out).toContain('removed')
  expect((await run('undo', added.ruleId)).out).toContain('Undone')
  expect(await severe()).toBe(3)
  expect((await run('history', short)).out.split('\n')[1]).toMatch(/^\s*5 /)
  expect((await run('list', '--csv')).out).toMatch(/^rule_id,revision,/)

  expect((await run('export', '--out', 'rules.json')).code).toBe(0)
  expect(JSON.parse(readFileSync(join(cwd, 'rules.json'), 'utf8'))).toMatchObject({
    format: 'faultline-rules',
    rules: [{ id: added.ruleId, kind: 'must-happen-before' }],
  })
  expect((await run('import', 'rules.json')).out).toContain('Nothing changed')
})

test('wrong rules name the field; wrong usage says what would be right', async () => {
  const cwd = folder()
  deskTrialsIn(cwd)
  await faultline(cwd, ['import', 'a.jsonl'])
  const bad = await faultline(cwd, ['rules', 'add', '{"kind":"stage","tool":"a","stge":"b"}', '--json'])
  expect(bad.code).toBe(1)
  expect(JSON.parse(bad.err).error).toMatchObject({ code: 'INVALID_INPUT', where: 'rules.save: draft.stage' })
  for (const [args, message] of [
    [['add', '{'], 'The rule is not JSON'],
    [['add'], 'Give a rule as JSON'],
    [['test', '{}', '--without', 'x'], '--without takes no rule'],
  ] as const) {
    const { code, err } = await faultline(cwd, ['rules', ...args])
    expect(code).toBe(2)
    expect(err).toContain(message)
  }
  const none = await faultline(cwd, ['rules', 'remove', 'nothing'])
  expect(none.code).toBe(1)
  expect(none.err).toContain('faultline rules list')
  expect((await faultline(cwd, ['rules', '--help'])).out).toContain('"kind":"must-happen-before"')
})

function deskTrialsIn(cwd: string): void {
  writeTrials(join(cwd, 'a.jsonl'), 'desk', deskTrials('refund'))
}
