// Mutated outcome files, from a fixed seed: reading never throws, never hangs, and gives valid rows or problems.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { bareImporter } from '../../../src/core/importers/outcomes/bare.ts'
import { OUTCOME_READERS } from '../../../src/core/importers/outcomes/readers.ts'
import { OUTCOMES } from '../../../src/model/outcome.ts'
import { mutate } from './mutate.ts'
import { readSource, withSource } from './readall.ts'

const folder = resolve(import.meta.dirname, '../../fixtures/outcomes')
const files = readdirSync(folder).filter((name) => /\.(?:csv|json)$/.test(name))
const CASES = 40
const MAX_MS = 5000

test.each(files)('%s, mutated, under every reader', async (name) => {
  const whole = readFileSync(join(folder, name))
  const other = readFileSync(join(folder, name === 'long.csv' ? 'report.json' : 'long.csv'))
  const rng = new Rng(20_261_130)
  for (let at = 0; at < CASES; at += 1) {
    const bytes = mutate(rng, whole, other)
    for (const reader of OUTCOME_READERS) {
      const started = performance.now()
      const read = await withSource(bytes, name, (source) =>
        readSource(source, bareImporter(reader, { isOutcomes: true })),
      )
      expect([name, at, reader.id, read.codes.includes('INTERNAL')]).toEqual([name, at, reader.id, false])
      expect(performance.now() - started).toBeLessThan(MAX_MS)
      for (const { task, outcome, score } of read.trials) {
        expect(typeof task).toBe('string')
        expect(OUTCOMES).toContain(outcome)
        expect(score === null || Number.isFinite(score)).toBe(true)
      }
    }
  }
})
