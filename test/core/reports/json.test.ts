// The JSON report holds to its published schema, keeps every figure in full, and is the same bytes for the same input.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonReport, REPORT_SCHEMA } from '../../../src/core/reports/json.ts'
import { redactInput } from '../../../src/core/reports/redactrows.ts'
import { problems } from './schema.ts'
import { reportInput } from './input.ts'

const schema = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../docs/report.schema.json'), 'utf8'),
)
const input = reportInput({ text: 'x', name: 'y' })
const report = JSON.parse(jsonReport(input))

describe('the JSON report', () => {
  test('names its schema and its exporter', () => {
    expect(report.$schema).toBe(REPORT_SCHEMA)
    expect(schema.$id).toBe(REPORT_SCHEMA)
    expect(report.exporter).toBe('faultline@0.1.0')
  })

  test.each([
    ['everything', input],
    ['redacted', redactInput(reportInput({ text: 'a@b.example', name: 'n' }))],
    [
      'nothing chosen',
      reportInput(
        { text: 'x', name: 'y' },
        { include: { summary: false, findings: false, method: false, stepTexts: false } },
      ),
    ],
    ['no task', reportInput({ text: 'x', name: 'y' }, { tasks: [], configurations: [] })],
    ['chosen trials', reportInput({ text: 'x', name: 'y' }, { trialIds: ['trial-2'] })],
  ] as const)('%s holds to the schema', (_, made) => {
    expect(problems(schema, JSON.parse(jsonReport(made)))).toEqual([])
  })

  test('the checker finds what the schema forbids', () => {
    expect(problems(schema, { ...report, policy: { error: 'maybe', unknown: 'exclude' } })).not.toEqual([])
    expect(problems(schema, { ...report, extra: 1 })).not.toEqual([])
    expect(problems(schema, { ...report, tasks: [{ ...report.tasks[0], rate: null }] })).not.toEqual([])
  })

  test('a figure that cannot be had is null with its reason', () => {
    expect(report.summary.curve[1].passHatK).toEqual({ value: null, reason: 'not estimable (needs n ≥ k)' })
    expect(report.summary.curve[1].passAtK).toEqual({ value: 0.99996 })
  })

  test('a lead says that it is no proof', () => {
    expect(report.tasks[0].finding.isProof).toBe(false)
  })

  test('lone surrogates and control characters leave it valid and well-formed', () => {
    const text = jsonReport(reportInput({ text: 'a\ud800b\u0000', name: '\udfff' }))
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain('\\ud800"')
    expect(JSON.parse(text).tasks[0].title).toBe('a\\ud800b\u0000')
  })

  test('the same input gives the same bytes', () => {
    expect(jsonReport(reportInput({ text: 'x', name: 'y' }))).toBe(jsonReport(input))
  })
})
