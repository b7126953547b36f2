// Mutated sessions and chat files, from a fixed seed: an import never throws, never hangs, gives valid trials or
// problems, and a message on an undamaged line is never lost to its neighbours.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { chat } from '../../../src/core/importers/chat/chat.ts'
import { claudeCode } from '../../../src/core/importers/claude-code/claude-code.ts'
import { codex } from '../../../src/core/importers/codex/codex.ts'
import { geminiCli } from '../../../src/core/importers/gemini-cli.ts'
import { OUTCOMES } from '../../../src/model/outcome.ts'
import { mutate } from './mutate.ts'
import { fixture, readSource, withSource } from './readall.ts'

const CASES = 60
const MAX_MS = 5000
const FOLDERS = [
  ['claude-code', claudeCode],
  ['codex', codex],
  ['gemini-cli', geminiCli],
  ['chat', chat],
] as const
const files = FOLDERS.flatMap(([folder, importer]) =>
  readdirSync(fixture(folder))
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => ({
      name: `${folder}/${name}`,
      importer,
      bytes: readFileSync(fixture(`${folder}/${name}`)),
    })),
)

describe('mutated sessions', () => {
  it.each(files)('$name', async ({ name, importer, bytes: good }) => {
    const rng = new Rng(20260803, name)
    for (let n = 0; n < CASES; n += 1) {
      const other = files[rng.below(files.length)]?.bytes ?? good
      const bytes = mutate(rng, good, other)
      const where = `${name} case ${n}`
      await withSource(bytes, 'x', async (source) => {
        const started = performance.now()
        const { report, trials } = await readSource(source, importer)
        expect(performance.now() - started, where).toBeLessThan(MAX_MS)
        expect(['done', 'failed'], where).toContain(report?.state)
        expect(report?.problems['INTERNAL'], where).toBeUndefined()
        for (const trial of trials) {
          expect(OUTCOMES, where).toContain(trial.outcome)
          expect(trial.task.isWellFormed(), where).toBe(true)
          expect(trial.task, where).not.toBe('')
          expect(
            trial.steps.map((step) => step.index),
            where,
          ).toEqual(trial.steps.map((_, i) => i))
          for (const step of trial.steps)
            if (step.parent !== undefined) expect(step.parent, where).toBeLessThan(step.index)
          expect(JSON.parse(JSON.stringify(trial)), where).toEqual(trial)
        }
      })
    }
  })
  it('a damaged line costs its own message only', async () => {
    const talk = Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({ role: i % 2 === 0 ? 'user' : 'assistant', content: `message ${i}` }),
    )
    const rng = new Rng(20260803, 'lines')
    for (let n = 0; n < CASES; n += 1) {
      const hit = rng.below(talk.length)
      const damaged = talk.map((line, i) =>
        i === hit ? line.slice(0, 1 + rng.below(line.length - 1)) : line,
      )
      await withSource(damaged.join('\n'), 'x', async (source) => {
        const { trials } = await readSource(source, chat)
        const texts = trials.flatMap((trial) => trial.steps.map((step) => step.text))
        for (let i = 0; i < talk.length; i += 1)
          if (i !== hit && i !== hit + 1) expect(texts).toContain(`message ${i}`)
        expect(texts.length).toBeGreaterThanOrEqual(talk.length - 1)
      })
    }
  })
})
