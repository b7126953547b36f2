// Mutated Inspect logs, from a fixed seed: an import never throws, never hangs, gives valid trials or problems, and a
// sample that is whole in a zip is never lost to its neighbours.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { inspect } from '../../../src/core/importers/inspect/inspect.ts'
import { OUTCOMES } from '../../../src/model/outcome.ts'
import { mutate } from './mutate.ts'
import { fixture, readSource, withSource } from './readall.ts'
import { makeZip } from './zipwriter.ts'

const CASES = 30
const MAX_MS = 5000
const names = readdirSync(fixture('inspect')).filter((name) => /\.(?:json|eval)$/.test(name))
const files = names.map((name) => ({ name, bytes: readFileSync(fixture(`inspect/${name}`)) }))

const check = (bytes: Buffer, where: string): Promise<number> =>
  withSource(bytes, 'x', async (source) => {
    const started = performance.now()
    const { report, trials } = await readSource(source, inspect)
    expect(performance.now() - started, where).toBeLessThan(MAX_MS)
    expect(['done', 'failed'], where).toContain(report?.state)
    expect(report?.problems['INTERNAL'], where).toBeUndefined()
    for (const trial of trials) {
      expect(OUTCOMES, where).toContain(trial.outcome)
      expect(trial.task.isWellFormed(), where).toBe(true)
      expect(trial.score === null || Number.isFinite(trial.score), where).toBe(true)
      expect(
        trial.steps.map((step) => step.index),
        where,
      ).toEqual(trial.steps.map((_, i) => i))
      for (const step of trial.steps)
        if (step.parent !== undefined) expect(step.parent).toBeLessThan(step.index)
      expect(JSON.parse(JSON.stringify(trial)), where).toEqual(trial)
    }
    return trials.length
  })

describe('mutated logs', () => {
  it.each(files)('$name', async ({ name, bytes }) => {
    const rng = new Rng(20260802, name)
    for (let n = 0; n < CASES; n += 1) {
      const other = files[rng.below(files.length)]?.bytes ?? bytes
      await check(mutate(rng, bytes, other), `${name} case ${n}`)
    }
  })
  it.each(files.filter(({ name }) => name.endsWith('.eval')))(
    '$name, member by member',
    async ({ name, bytes }) => {
      const members = await withSource(bytes, 'x', async (source) =>
        Promise.all(
          (await source.entries()).map(async (entry) => ({
            name: entry.name,
            data: await entry.read(),
            method: 0,
          })),
        ),
      )
      const samples = members.filter((member) => member.name.startsWith('samples/')).length
      const rng = new Rng(20260803, name)
      for (let n = 0; n < CASES; n += 1) {
        const at = rng.below(members.length)
        const broken = members.map((member, i) =>
          i === at ? { ...member, data: mutate(rng, member.data, bytes) } : member,
        )
        const trials = await check(makeZip(broken), `${name} member ${members[at]?.name} case ${n}`)
        // A header may be mutated into one of a newer version, which is not read.
        const isHeader = members[at]?.name.startsWith('samples/') === false
        if (!isHeader || trials > 0) expect(trials).toBeGreaterThanOrEqual(isHeader ? samples : samples - 1)
      }
    },
  )
})
