// A sink that is done with a trial's record at once gets texts that are only held, and records in memory that is used
// again. What is prepared for the store is the same, byte for byte, as when everything is decoded and kept.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RawTrial, Sink } from '../../../src/core/importers/importer.ts'
import { heldNumber } from '../../../src/core/importers/longtexts.ts'
import { runImporter } from '../../../src/core/importers/reader.ts'
import { importerById } from '../../../src/core/importers/registry.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import { giveBack } from '../../../src/core/services/bodytext.ts'
import { prepareTrial, type UnpackedTrial } from '../../../src/core/services/intake.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faultline-held-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LONG = 'Every character counts: é, “quotes”, 😀, back\\slash, tab\t, line\n. '
const PNG = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(2000)}`

/** Trials of every kind: short and long ones, media, step records of their own, twins, escapes in several spellings. */
function lines(): string[] {
  const all = [
    { type: 'header', format: 'faultline', version: 1, suite: 'held' },
    { type: 'config', config_id: 'a', label: 'a', model: 'm' },
    { type: 'task', task_id: 'k1', input: { messages: [{ role: 'user', content: LONG.repeat(20) }] } },
  ].map((record) => JSON.stringify(record))
  for (let i = 0; i < 90; i += 1) {
    const text = (n: number): string => `${n} ${LONG.repeat(1 + ((i * 7 + n * 13) % 90))}`
    const steps = Array.from({ length: 1 + (i % 40) }, (_, n) => ({
      index: n,
      role: n % 2 === 0 ? 'assistant' : 'tool',
      content: n % 11 === 3 ? [{ type: 'text', text: text(n) }] : n % 13 === 5 ? text(0) : text(n),
      ...(n % 5 === 0 ? { state: { content: text(n + 1) }, extra: { content: text(n + 2) } } : {}),
      ...(n % 7 === 0 ? { text: text(n) } : {}),
    }))
    if (i % 10 === 4) steps.push({ index: 99, role: 'tool', content: `see ${PNG}` })
    const record: Record<string, unknown> = {
      type: 'trial',
      trial_id: `t${i % 45 === 44 ? 0 : i}`,
      task_id: `k${i % 3}`,
      config_id: 'a',
      outcome: i % 2 === 0 ? 'pass' : 'fail',
      error: i % 9 === 0 ? { message: text(1) } : null,
      content: text(5),
      [i % 8 === 0 ? 'messages' : 'steps']: steps,
    }
    let line = JSON.stringify(record)
    if (i % 6 === 1) line = line.replaceAll('é', '\\u00e9')
    if (i % 6 === 2) line = line.replaceAll('/', '\\/')
    if (i % 6 === 3) line = line.replace('Every', 'Ev\u0001ery')
    all.push(line)
    if (i % 15 === 2)
      all.push(
        JSON.stringify({ type: 'step', trial_id: `t${i}`, index: 200, role: 'tool', content: text(3) }),
      )
  }
  return all
}

type Told = {
  readonly trials: readonly Record<string, unknown>[]
  readonly problems: readonly string[]
  held: number
}

async function read(path: string, size: number, isFleeting: boolean): Promise<Told> {
  const importer = importerById('faultline-jsonl')
  if (importer === null) throw new Error('The format is missing')
  const raws: RawTrial[] = []
  const trials: Record<string, unknown>[] = []
  const problems: string[] = []
  let held = 0
  const plain = (raw: RawTrial): Record<string, unknown> => {
    const {
      body,
      raw: record,
      own,
      ...columns
    }: UnpackedTrial = prepareTrial(raw, 'faultline-jsonl', null, 0)
    const told = {
      ...columns,
      body: Buffer.from(body).toString('utf8'),
      record: Buffer.from(record).toString('utf8'),
      // Which of equal texts is not kept twice may differ.
      isBeside: own !== null,
    }
    giveBack(body)
    return told
  }
  const sink: Sink = {
    ...(isFleeting ? { isFleeting: true as const } : {}),
    async trial(raw) {
      if (raw.held !== undefined) held += 1
      if (!isFleeting) raws.push(raw)
      else trials.push(plain(raw))
      await new Promise((resolve) => setImmediate(resolve))
    },
    problem: (problem) => problems.push(JSON.stringify(problem)),
    progress: () => {},
  }
  const report = await runImporter(importer, fileSource({ path, size }), sink, new AbortController().signal)
  expect(report.state).toBe('done')
  return { trials: isFleeting ? trials : raws.map(plain), problems, held }
}

test.each(['plain', 'gzip'])('the same trials, kept or fleeting: %s', async (kind) => {
  const content = Buffer.from(`${lines().join('\n')}\n`)
  expect(content.length).toBeGreaterThan(6 * 1024 * 1024)
  const bytes = kind === 'gzip' ? gzipSync(content) : content
  const path = join(folder, `${kind}.jsonl`)
  writeFileSync(path, bytes)
  const kept = await read(path, bytes.length, false)
  const fleeting = await read(path, bytes.length, true)
  expect(kept.held).toBe(0)
  expect(fleeting.held).toBeGreaterThan(40)
  expect(fleeting.held).toBeLessThan(fleeting.trials.length)
  expect(fleeting.problems).toEqual(kept.problems)
  expect(fleeting.trials.length).toBe(kept.trials.length)
  for (const [i, trial] of fleeting.trials.entries()) expect(trial).toEqual(kept.trials[i])
  const written = JSON.stringify(fleeting.trials)
  for (const part of written.match(/[0-9a-f-]{36}:\d+/g) ?? []) expect(heldNumber(part)).toBe(-1)
})

test('a file that is written anew while it is read: no text is taken as it no longer is', async () => {
  const path = join(folder, 'changed.jsonl')
  const file = (content: string): string =>
    [lines()[0], ...Array.from({ length: 30 }, (_, i) => trialOf(`t${10 + i}`, content)), ''].join('\n')
  const before = file('x'.repeat(20_000))
  const broken = `${'y'.repeat(9000)}\\q${'z'.repeat(10_998)}`
  const other = `${'y'.repeat(9000)}","stage":"${'z'.repeat(10_989)}`
  for (const [content, trials] of [
    [broken, 0],
    [other, 30],
  ] as const) {
    writeFileSync(path, before)
    const after = file(content)
    expect(after.length).toBe(before.length)
    const source = fileSource({ path, size: before.length })
    let passes = 0
    const changing = new Proxy(source, {
      get(whole, name: keyof typeof source) {
        if (name === 'rawRecords' && (passes += 1) === 2) writeFileSync(path, after)
        const member = whole[name]
        return typeof member === 'function' ? member.bind(whole) : member
      },
    })
    const bodies: unknown[] = []
    const sink: Sink = {
      isFleeting: true,
      trial: (raw) => void bodies.push(JSON.parse(bodyOf(raw))),
      problem: () => {},
      progress: () => {},
    }
    const importer = importerById('faultline-jsonl')
    if (importer === null) throw new Error('The format is missing')
    await runImporter(importer, changing, sink, new AbortController().signal)
    expect(bodies.length).toBe(trials)
    for (const body of bodies)
      expect(body).toMatchObject({ steps: [{ text: 'y'.repeat(9000), stage: 'z'.repeat(10_989) }] })
  }
})

const trialOf = (id: string, content: string): string =>
  `{"type":"trial","trial_id":"${id}","task_id":"k","outcome":"pass","steps":[{"index":0,"role":"user","content":"${content}"}]}`

const bodyOf = (raw: RawTrial): string =>
  Buffer.from(prepareTrial(raw, 'faultline-jsonl', null, 0).body).toString('utf8')
