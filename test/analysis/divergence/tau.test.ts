// Real trials with labels from outside: tau-bench airline, when its data lies beside the repository. The figures are
// those of the method page; the trivial rule "last write, else end" is asserted too, because the label favours it.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { tauBench } from '../../../src/core/importers/tau-bench.ts'
import { readTrials } from '../../bench/divergence/read.ts'
import { tauFigures } from '../../bench/divergence/tau.ts'

const path = resolve(import.meta.dirname, '../../../../shared/data/tau-bench/gpt-4o-airline.json')

test.skipIf(!existsSync(path))('tau-bench airline (skipped without its data)', async () => {
  const trials = await readTrials(path, tauBench)
  const pooled = tauFigures(trials, true)
  expect([pooled.failing, pooled.unexpected, pooled.missing, pooled.lastWrite]).toEqual([60, 35, 21, 47])
  expect(pooled.top1).toBeGreaterThanOrEqual(46)
  expect(pooled.top3).toBeGreaterThanOrEqual(55)
  expect(tauFigures(trials, false).top3).toBeGreaterThanOrEqual(52)
})
