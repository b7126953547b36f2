// The sample workspace: the file is what its generator writes, and holds what its README says.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { sampleText } from '../../../scripts/sample.ts'
import { taxonomySchema } from '../../../src/model/taxonomy.ts'
import { readBytes, ROOT } from './readall.ts'

const bytes = readFileSync(join(ROOT, 'resources/sample/refund-desk.faultline.jsonl'))
const read = readBytes(bytes, 'refund-desk.faultline.jsonl')

describe('the sample', () => {
  it('is written byte for byte by its generator', () => {
    expect(sampleText() === bytes.toString()).toBe(true)
    expect(bytes.length).toBeLessThan(3_000_000)
  })
  it('is ten tasks, two configurations, eight trials each, without a problem', async () => {
    const { trials, problems } = await read
    expect(problems).toEqual([])
    expect(trials).toHaveLength(160)
    const passes = (label: string) =>
      Array.from({ length: 10 }, (_, i) => {
        const own = trials.filter(
          (trial) =>
            trial.configuration.label === label && trial.task === `t${String(i + 1).padStart(2, '0')}`,
        )
        expect(own).toHaveLength(8)
        return own.filter((trial) => trial.outcome === 'pass').length
      })
    expect(passes('careful')).toEqual([6, 6, 7, 8, 8, 8, 6, 8, 8, 8])
    expect(passes('eager')).toEqual([8, 0, 7, 6, 8, 8, 0, 8, 4, 4])
  })
  it('marks wrong refunds as severe at the step that made them, with what they cost', async () => {
    const { trials } = await read
    const wrong = trials.filter((trial) => trial.severeErrors.some((event) => event.severity === 'severe'))
    const count = (label: string) => wrong.filter((trial) => trial.configuration.label === label).length
    expect([count('careful'), count('eager')]).toEqual([4, 26])
    for (const trial of wrong) {
      const step = trial.steps.find((one) => one.index === trial.severeErrors[0]?.step)
      expect(step?.calls?.[0]?.name).toBe('settle_request')
      expect(trial.scores['conceded_beyond_policy_usd']).toBeGreaterThan(0)
      expect(trial.outcome).toBe('fail')
    }
    for (const trial of trials.filter((one) => !wrong.includes(one)))
      expect(trial.scores['conceded_beyond_policy_usd']).toBe(0)
  })
  it('varies what is of no consequence', async () => {
    const { trials } = await read
    const passing = trials.filter((trial) => trial.task === 't08')
    const names = passing.map((trial) =>
      trial.steps.flatMap((step) => (step.calls ?? []).map((call) => call.name)),
    )
    expect(new Set(names.map((list) => list.join())).size).toBeGreaterThan(8)
    expect(names.flat()).toEqual(expect.arrayContaining(['get_order', 'lookup_order']))
    expect(trials.some((trial) => trial.outcome === 'pass' && trial.steps.some((step) => step.isError))).toBe(
      true,
    )
    expect(trials.some((trial) => trial.steps.some((step) => (step.calls?.length ?? 0) > 1))).toBe(true)
  })
})

describe('the default taxonomy', () => {
  it('is valid, in two levels, every term with a definition and an example', () => {
    const taxonomy = parse(
      taxonomySchema,
      JSON.parse(readFileSync(join(ROOT, 'resources/taxonomy.json'), 'utf8')),
    )
    const ids = taxonomy.terms.map((term) => term.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) if (id.includes('/')) expect(ids).toContain(id.split('/')[0])
    for (const term of taxonomy.terms) {
      expect(term.definition.length).toBeGreaterThan(20)
      expect(term.example.length).toBeGreaterThan(20)
    }
  })
})
