// Mutated fixtures, from a fixed seed: an import never throws, never hangs, gives valid trials or problems, and
// never loses a record that a strict reader of the same bytes would have had.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { canonicalJson, isObject, type Json } from '../../../src/base/json.ts'
import { faultlineJsonl } from '../../../src/core/importers/faultline-jsonl.ts'
import type { Importer, Source } from '../../../src/core/importers/importer.ts'
import { tauBench } from '../../../src/core/importers/tau-bench.ts'
import { OUTCOMES } from '../../../src/model/outcome.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { mutate } from './mutate.ts'
import { fixture, readSource, ROOT, withSource } from './readall.ts'

const CASES_PER_FILE = 40
const MAX_MS = 5000

type Subject = {
  readonly name: string
  readonly importer: Importer
  readonly isLines: boolean
  readonly bytes: Buffer
}

const named = (folder: string, ending: string): string[] =>
  readdirSync(fixture(folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
const subject = (name: string, importer: Importer): Subject => ({
  name,
  importer,
  isLines: importer === faultlineJsonl,
  bytes: readFileSync(fixture(name)),
})

const fixtures: Subject[] = [
  ...named('tau-bench', '.json').map((name) => subject(name, tauBench)),
  ...named('faultline-jsonl', '.jsonl').map((name) => subject(name, faultlineJsonl)),
]
const rows = fixtures
  .filter((one) => one.importer === tauBench)
  .flatMap((one) => JSON.parse(one.bytes.toString()) as Json[])
const sample = readFileSync(join(ROOT, 'resources/sample/refund-desk.faultline.jsonl'), 'utf8').split('\n')
/** Many records in one file, on lines: what one broken record could take with it. */
const SUBJECTS: readonly Subject[] = [
  ...fixtures,
  {
    name: 'tau-bench rows, one per line',
    importer: tauBench,
    isLines: true,
    bytes: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')),
  },
  {
    name: 'forty lines of the sample',
    importer: faultlineJsonl,
    isLines: true,
    bytes: Buffer.from(sample.slice(0, 40).join('\n')),
  },
]

/** What a strict reader has: the elements of a whole JSON list, or every line that is JSON by itself. */
function strictRecords(bytes: Buffer, isLines: boolean): Json[] {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const parse = (part: string): Json | undefined => {
    try {
      return JSON.parse(part) as Json
    } catch {
      return undefined
    }
  }
  const whole = parse(text)
  const all = Array.isArray(whole)
    ? (whole as Json[])
    : whole !== undefined
      ? [whole]
      : isLines
        ? text.split('\n').map(parse)
        : []
  return all.filter((value): value is Json => isObject(value))
}

async function lenientRecords(source: Source): Promise<string[]> {
  const out: string[] = []
  for await (const item of source.rawRecords())
    if (item.kind === 'record') {
      try {
        out.push(canonicalJson(JSON.parse(item.record.bytes.toString('utf8')) as Json))
      } catch {
        // Not strict JSON: what the tolerant parser makes of it is tested elsewhere.
      }
    }
  return out
}

function expectValid(trial: Trial): void {
  expect(OUTCOMES).toContain(trial.outcome)
  expect(typeof trial.suite).toBe('string')
  expect(typeof trial.task).toBe('string')
  expect(trial.task.isWellFormed()).toBe(true)
  expect(trial.score === null || Number.isFinite(trial.score)).toBe(true)
  let last = -1
  for (const step of trial.steps) {
    expect(step.index).toBeGreaterThan(last)
    last = step.index
  }
  // JSON-plain: what the store writes is what it reads.
  expect(JSON.parse(JSON.stringify(trial))).toEqual(trial)
}

describe('mutated files', () => {
  it.each(SUBJECTS)('$name', async ({ name, importer, isLines, bytes: good }) => {
    const rng = new Rng(20260801, name)
    for (let n = 0; n < CASES_PER_FILE; n += 1) {
      const other = SUBJECTS[rng.below(SUBJECTS.length)]?.bytes ?? good
      const bytes = mutate(rng, good, other)
      const content = rng.below(6) === 0 ? mutate(rng, gzipSync(bytes), other) : bytes
      const where = `${name} case ${n}`
      await withSource(content, 'x', async (source) => {
        const started = performance.now()
        const { report, trials } = await readSource(source, importer)
        expect(performance.now() - started, where).toBeLessThan(MAX_MS)
        expect(['done', 'failed'], where).toContain(report?.state)
        expect(report?.problems['INTERNAL'], where).toBeUndefined()
        for (const trial of trials) expectValid(trial)
        if (content !== bytes) return
        const strict = strictRecords(bytes, isLines)
        const kept = await lenientRecords(source)
        for (const value of strict) expect(kept, where).toContain(canonicalJson(value))
        const readable = strict.filter((value) =>
          isLines
            ? isObject(value) &&
              value['type'] === 'trial' &&
              isId(value['trial_id']) &&
              isId(value['task_id'])
            : isObject(value) && isId(value['task_id']),
        )
        const isNewer = report?.problems['FORMAT_NEWER'] !== undefined
        if (!isNewer) expect(trials.length, where).toBeGreaterThanOrEqual(readable.length)
      })
    }
  })
  it('hold for arbitrary bytes', async () => {
    const rng = new Rng(7, 'bytes')
    for (let n = 0; n < 60; n += 1) {
      const alphabet = '{}[]",:\\ \n01eE-tnu\0é'
      const text = Array.from({ length: rng.below(300) }, () => alphabet[rng.below(alphabet.length)]).join('')
      await withSource(text, 'x', async (source) => {
        for (const importer of [tauBench, faultlineJsonl]) {
          const { report } = await readSource(source, importer)
          expect(report?.problems['INTERNAL'], JSON.stringify(text)).toBeUndefined()
        }
        const kept = await lenientRecords(source)
        for (const value of strictRecords(Buffer.from(text), true))
          expect(kept).toContain(canonicalJson(value))
      })
    }
  })
})

const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
