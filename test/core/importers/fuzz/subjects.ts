// What is mutated: every fixture of every format, and files of many records, which show what one broken record
// could take with it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../../src/base/json.ts'
import { allFixtures, type Fixture } from '../formats.ts'
import { ROOT } from '../readall.ts'
import { importerById } from '../../../../src/core/importers/registry.ts'

const SAMPLE_LINES = 40

/** Lines as a fixture of a format. */
function linesOf(name: string, importer: string, lines: readonly string[]): Fixture {
  const found = importerById(importer)
  if (found === null) throw new Error(`there is no importer ${importer}`)
  return { name, importer: found, kind: 'lines', bytes: Buffer.from(lines.join('\n')), files: {} }
}

/** The object of a fixture with its one record in `list` six times, under ids of their own. */
function sixfold(fixtures: readonly Fixture[], name: string, list: string): Fixture {
  const found = fixtures.find((fixture) => fixture.name === name)
  if (found === undefined) throw new Error(`there is no fixture ${name}`)
  const object = JSON.parse(found.bytes.toString()) as Record<string, Record<string, Json>[]>
  const one = object[list]?.[0] ?? {}
  const many = Array.from({ length: 6 }, (_, i) => ({ ...one, id: `record ${i}` }))
  const bytes = Buffer.from(JSON.stringify({ ...object, [list]: many }, null, 2))
  return { ...found, name: `${name}, six ${list}`, bytes }
}

/** The fixtures, then the files of many lines. */
export function fuzzFixtures(): readonly Fixture[] {
  const fixtures = allFixtures()
  const rows = fixtures
    .filter(({ importer }) => importer.id === 'tau-bench')
    .flatMap(({ bytes }) => JSON.parse(bytes.toString()) as Json[])
  const sample = readFileSync(join(ROOT, 'resources/sample/refund-desk.faultline.jsonl'), 'utf8').split('\n')
  const talk = Array.from({ length: SAMPLE_LINES }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `message ${i}`,
  }))
  return [
    ...fixtures,
    sixfold(fixtures, 'inspect/tool-errors.json', 'samples'),
    sixfold(fixtures, 'tau2/mock-max-steps.json', 'simulations'),
    linesOf(
      'tau-bench rows, one per line',
      'tau-bench',
      rows.map((row) => JSON.stringify(row)),
    ),
    linesOf('forty lines of the sample', 'faultline-jsonl', sample.slice(0, SAMPLE_LINES)),
    linesOf(
      'forty messages, one per line',
      'chat-messages',
      talk.map((one) => JSON.stringify(one)),
    ),
  ]
}
