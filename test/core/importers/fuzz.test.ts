// Mutated fixtures of every format, from a fixed seed: an import never throws, never hangs, gives valid trials or
// problems, and never loses a record that a strict reader of the same bytes would have had. `npm run fuzz` runs more.

import { describe, expect, it } from 'vitest'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { canonicalJson } from '../../../src/base/json.ts'
import { chat } from '../../../src/core/importers/chat/chat.ts'
import { IMPORTERS } from '../../../src/core/importers/registry.ts'
import { lenientRecords } from './fuzz/check.ts'
import { planOf, runFuzz } from './fuzz/run.ts'
import { strictRecords } from './fuzz/strict.ts'
import { readSource, withSource } from './readall.ts'

const CASES = 5000
const SEED = 20260801
/** Processor time of all cases together, in milliseconds: what the unit run may spend on them. */
const MAX_CPU_MS = 30_000

describe('mutated files', () => {
  it(`${CASES} cases over all formats: nothing thrown, nothing hangs, nothing lost`, async () => {
    const report = await runFuzz(planOf(CASES, SEED))
    expect(report.failures).toEqual([])
    expect(report.cases).toBeGreaterThanOrEqual(CASES)
    expect(report.cpuMs).toBeLessThan(MAX_CPU_MS)
  }, 240_000)
  it('hold for arbitrary bytes, in every format', async () => {
    const rng = new Rng(7, 'bytes')
    for (let n = 0; n < 60; n += 1) {
      const alphabet = '{}[]",:\\ \n01eE-tnu\0é'
      const text = Array.from({ length: rng.below(300) }, () => alphabet[rng.below(alphabet.length)]).join('')
      await withSource(text, 'x', async (source) => {
        for (const importer of IMPORTERS) {
          const { report } = await readSource(source, importer)
          expect(report?.problems['INTERNAL'], JSON.stringify(text)).toBeUndefined()
          expect(['done', 'failed'], JSON.stringify(text)).toContain(report?.state)
        }
        const kept = (await lenientRecords(source)).flat()
        for (const value of strictRecords(Buffer.from(text), true))
          expect(kept).toContain(canonicalJson(value))
      })
    }
  })
  it('a damaged line costs its own message only', async () => {
    const talk = Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({ role: i % 2 === 0 ? 'user' : 'assistant', content: `message ${i}` }),
    )
    const rng = new Rng(20260803, 'lines')
    for (let n = 0; n < 60; n += 1) {
      const hit = rng.below(talk.length)
      const damaged = talk.map((line, i) =>
        i === hit ? line.slice(0, 1 + rng.below(line.length - 1)) : line,
      )
      await withSource(damaged.join('\n'), 'x', async (source) => {
        const { trials } = await readSource(source, chat)
        const texts = trials.flatMap((trial) => trial.steps.map((step) => step.text))
        for (let i = 0; i < talk.length; i += 1) if (i !== hit) expect(texts).toContain(`message ${i}`)
      })
    }
  })
})
