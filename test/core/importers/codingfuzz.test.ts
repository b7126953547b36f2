// Mutated trajectories of coding agents, from a fixed seed: an import never throws, never hangs, gives valid trials or
// problems, whatever was cut, flipped or spliced.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import type { Importer } from '../../../src/core/importers/importer.ts'
import { miniSweAgent } from '../../../src/core/importers/mini-swe-agent/mini-swe-agent.ts'
import { openHands } from '../../../src/core/importers/openhands/openhands.ts'
import { sweAgent } from '../../../src/core/importers/swe-agent/swe-agent.ts'
import { OUTCOMES } from '../../../src/model/outcome.ts'
import { mutate } from './mutate.ts'
import { fixture, readSource, withSource } from './readall.ts'

const CASES = 30
const MAX_MS = 5000
const files = ([sweAgent, miniSweAgent, openHands] as const).flatMap((importer: Importer) =>
  readdirSync(fixture(importer.id))
    .filter((name) => /\.(?:traj|jsonl?)$/.test(name))
    .map((name) => ({ importer, name, bytes: readFileSync(fixture(`${importer.id}/${name}`)) })),
)

describe('mutated trajectories', () => {
  it.each(files)('$name', async ({ importer, name, bytes }) => {
    const rng = new Rng(20260804, name)
    for (let n = 0; n < CASES; n += 1) {
      const other = files[rng.below(files.length)]?.bytes ?? bytes
      const where = `${name} case ${n}`
      await withSource(mutate(rng, bytes, other), 'x', async (source) => {
        const started = performance.now()
        const { report, trials } = await readSource(source, importer)
        expect(performance.now() - started, where).toBeLessThan(MAX_MS)
        expect(['done', 'failed'], where).toContain(report?.state)
        expect(report?.problems['INTERNAL'], where).toBeUndefined()
        for (const trial of trials) {
          expect(OUTCOMES, where).toContain(trial.outcome)
          expect(trial.task.isWellFormed(), where).toBe(true)
          expect(trial.steps.map((step) => step.index)).toEqual(trial.steps.map((_, i) => i))
          for (const step of trial.steps)
            if (step.parent !== undefined) expect(step.parent, where).toBeLessThan(step.index)
          expect(JSON.parse(JSON.stringify(trial)), where).toEqual(trial)
        }
      })
    }
  })
})
