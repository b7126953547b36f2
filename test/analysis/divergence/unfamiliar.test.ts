// Systems that differ in kind: unknown verbs, one tool for everything, pages with handles, documents as results, values
// that the user states. Each part on its own, and a slice of each such family.

import { describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import { analyseTask } from '../../../src/analysis/divergence/analyse.ts'
import { handlesOf } from '../../../src/analysis/divergence/handles.ts'
import { foldedLines } from '../../../src/analysis/divergence/textleaves.ts'
import { classOfName } from '../../../src/analysis/divergence/words.ts'
import type { TaskAnalysis } from '../../../src/model/analysis.ts'
import { compactIndex, toTrial } from '../../bench/divergence/convert.ts'
import type { CompactStep } from '../../bench/divergence/convert.ts'
import { familySuite } from '../../bench/divergence/families.ts'

function call(tool: string, args: Json, obs: Json): CompactStep {
  return { kind: 'tool', tool, args, obs, error: null }
}

function analyse(
  passing: readonly (readonly CompactStep[])[],
  failing: readonly (readonly CompactStep[])[],
): TaskAnalysis {
  return analyseTask([
    ...passing.map((steps, i) => ({ id: `p${i}`, trial: toTrial(steps, 'pass') })),
    ...failing.map((steps, i) => ({ id: `f${i}`, trial: toTrial(steps, 'fail') })),
  ])
}

function toolsOf(analysis: TaskAnalysis): Record<string, string> {
  return Object.fromEntries(analysis.tools.map(({ name, stepClass }) => [name, stepClass]))
}

describe('classes', () => {
  test('verbs of other languages, with and without accents', () => {
    expect(classOfName('buscarCliente').isWrite).toBe(false)
    expect(classOfName('prüfe_berechtigung').isWrite).toBe(false)
    expect(classOfName('annulerCommande').isWrite).toBe(true)
    expect(classOfName('löscheKonto').isKnown).toBe(true)
  })

  test('behaviour decides when the name says nothing', () => {
    const trial = (n: number): CompactStep[] => [
      call('zorb', { id: 'A-17' }, { colour: 'green', owner: 'dept-44' }),
      call('mupf', { id: 'A-17' }, { allowed: true }),
      call('grix', { id: 'A-17' }, { ok: true, receipt: `RC-${n}77${n}` }),
    ]
    const analysis = analyse([trial(1), trial(2)], [trial(3)])
    expect(toolsOf(analysis)).toEqual({ zorb: 'read', mupf: 'check', grix: 'write' })
    expect(analysis.tools.find((tool) => tool.name === 'zorb')?.reason).toContain('results tell')
  })
})

test('operations of a tool that does everything are told apart, and classed by what they ask for', () => {
  const trial = (amount: number): CompactStep[] => [
    call('api_call', { method: 'GET', path: '/orders/W77' }, { total: 80 }),
    call('api_call', { method: 'GET', path: '/users/u5' }, { tier: 'gold' }),
    call('api_call', { method: 'POST', path: '/refunds/create', body: { amount } }, { ok: true }),
  ]
  const analysis = analyse([trial(80), trial(80), trial(80)], [trial(95)])
  expect(toolsOf(analysis)).toEqual({
    'api_call:GET /orders/{}': 'read',
    'api_call:GET /users/{}': 'read',
    'api_call:POST /refunds/create': 'write',
  })
  expect(analysis.lead).toMatchObject({ kind: 'arguments', facet: 'body.amount', valueFail: '95' })
})

describe('handles', () => {
  test('are found in lines and in element-like objects', () => {
    expect(handlesOf('page\n- button "Save" [ref=e12]\n[7] link "Home": x')).toEqual([
      ['s:e12', 'button "Save"'],
      ['n:7', 'link "Home"'],
    ])
    expect(handlesOf({ items: [{ ref: 'e3', role: 'textbox', name: 'Amount' }] })).toEqual([
      ['s:e3', 'textbox "Amount"'],
    ])
    expect(handlesOf({ order: { id: 12, total: 3 } })).toEqual([])
    expect(foldedLines('- textbox "Amount" [ref=e3]: 12')[0]?.bare).toBe('- textbox "Amount": 12')
  })

  test('are compared by what they denote: other numbers are no difference, another button is one', () => {
    const trial = (offset: number, pressed: string): CompactStep[] => {
      const names = ['Approve', 'Reject', 'Search']
      const page = names.map((name, i) => `- button "${name}" [ref=e${offset + i}]`).join('\n')
      const press = (name: string): CompactStep =>
        call('click', { ref: `e${offset + names.indexOf(name)}` }, `${page}\nstate: ${name}`)
      return [call('observe_page', {}, page), press('Search'), press(pressed)]
    }
    const passing = [trial(10, 'Approve'), trial(40, 'Approve'), trial(70, 'Approve')]
    expect(analyse(passing, [trial(25, 'Approve')]).state).toBe('none')
    const analysis = analyse(passing, [trial(25, 'Reject')])
    expect(analysis.lead?.tool).toBe('click:button "Reject"')
    expect(toolsOf(analysis)['click:button "Search"']).toBe('read')
  })
})

test('in a document the value that matters differs alone', () => {
  const page = (amount: number, sheet: number): string =>
    `RECORDS OFFICE sheet ${sheet}\nprinted 2026-01-0${sheet}T10:00:00Z\namount due: ${amount}\nKeep this paper.`
  const trial = (amount: number, sheet: number): CompactStep[] => [
    call('get_invoice', { id: 'IV-100' }, page(amount, sheet)),
    call('pay_invoice', { id: 'IV-100', amount }, { ok: true }),
  ]
  const analysis = analyse([trial(120, 1), trial(120, 2), trial(120, 3)], [trial(190, 4)])
  expect(analysis.lead).toMatchObject({
    kind: 'observation',
    tool: 'get_invoice',
    facet: '$line.amount due',
    valueFail: '190',
    valuePass: '120',
  })
})

test('a value that the user states elsewise is where it begins', () => {
  const trial = (order: string): CompactStep[] => [
    { kind: 'user', text: `Please cancel order ${order} for me` },
    call('get_order', { order_id: order }, { total: order === '#W1111111' ? 10 : 99 }),
    call('cancel_order', { order_id: order }, { ok: true }),
    { kind: 'final', text: 'Done.' },
  ]
  const passing = [trial('#W1111111'), trial('#W1111111'), trial('#W1111111')]
  const analysis = analyse(passing, [trial('#W2222222')])
  const top = analysis.findings[0]?.ranked[0]
  expect(top).toMatchObject({ kind: 'message', tool: 'user', valueFail: '#W2222222' })
  expect(compactIndex(top!.step!)).toBe(0)
})

describe.each([
  ['foreign', 0.8, 0.9],
  ['api', 0.8, 0.9],
  ['docs', 0.75, 0.88],
  ['gui', 0.55, 0.8],
] as const)('family %s', (family, top1, top3) => {
  test('ranks the planted step', () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    const { figures } = familySuite({ family, from: 301, count: 40, isPooled: false, withBaselines: false })
    vi.restoreAllMocks()
    expect(figures.top1).toBeGreaterThanOrEqual(top1)
    expect(figures.top3).toBeGreaterThanOrEqual(top3)
  })
})
