// The fixtures of every format that is read: which importer they belong to and what they are made of. For tests that
// hold something for all formats at once; a new format joins them with a line in FOLDERS.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Importer } from '../../../src/core/importers/importer.ts'
import { importerById } from '../../../src/core/importers/registry.ts'
import type { Files } from './openall.ts'
import { fixture } from './readall.ts'

/** What a fixture is made of: a record per line, one object, one list of records, a zip, a table, a folder of files. */
export type FixtureKind = 'lines' | 'object' | 'array' | 'zip' | 'table' | 'folder'

/** One fixture. A folder has `files`, every other one `bytes`. */
export type Fixture = {
  /** Its path below test/fixtures. */
  readonly name: string
  readonly importer: Importer
  readonly kind: FixtureKind
  readonly bytes: Buffer
  readonly files: Files
}

/** Per folder of fixtures: its importer, the files that are its own, and the folders that are one source. */
const FOLDERS: readonly (readonly [
  folder: string,
  importer: string,
  files: RegExp,
  folders?: readonly string[],
])[] = [
  ['faultline-jsonl', 'faultline-jsonl', /\.jsonl$/],
  ['tau-bench', 'tau-bench', /\.json$/],
  ['tau2', 'tau2', /\.json$/, ['voice']],
  ['inspect', 'inspect', /\.(?:json|eval)$/],
  ['harbor', 'atif', /^(?:openhands|terminus-\w+)\.json$/, ['continued']],
  ['harbor', 'harbor', /^none$/, ['job']],
  ['claude-code', 'claude-code', /\.jsonl?$/, ['with-agent']],
  ['codex', 'codex', /\.jsonl?$/],
  ['gemini-cli', 'gemini-cli', /\.json$/],
  ['swe-agent', 'swe-agent', /\.traj$/],
  ['mini-swe-agent', 'mini-swe-agent', /\.traj\.json$/],
  ['openhands', 'openhands', /\.jsonl?$/],
  ['chat', 'chat-messages', /\.jsonl?$/],
  ['outcomes', 'agentrial', /^agentrial\.json$/],
  ['outcomes', 'outcome-csv', /\.csv$/],
  ['outcomes', 'outcome-map', /^some-model\.eval_results\.json$/],
  ['outcomes', 'swe-bench-instance', /^report\.json$/],
  ['outcomes', 'swe-bench-report', /^swe-report\.json$/],
  ['outcomes', 'tau-sidecar', /^eval_results\.json$/],
]

/** Every file below a folder, by its path inside of it. */
function filesBelow(folder: string, prefix = ''): Record<string, Buffer> {
  const files: Record<string, Buffer> = {}
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) Object.assign(files, filesBelow(path, `${prefix}${name}/`))
    else files[`${prefix}${name}`] = readFileSync(path)
  }
  return files
}

function kindOf(name: string, bytes: Buffer): FixtureKind {
  if (name.endsWith('.csv')) return 'table'
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return 'zip'
  const text = bytes.toString('utf8').trim()
  if (text.startsWith('[')) return 'array'
  const first = text.slice(0, text.indexOf('\n') < 0 ? text.length : text.indexOf('\n'))
  // A file of one line is a line of its format where the format has lines; its name says so.
  return name.endsWith('l') || (first.endsWith('}') && first !== text) ? 'lines' : 'object'
}

/** All fixtures of all formats, in a stable order. */
export function allFixtures(): Fixture[] {
  return FOLDERS.flatMap(([folder, id, files, folders]) => {
    const importer = importerById(id)
    if (importer === null) throw new Error(`there is no importer ${id}`)
    const own = readdirSync(fixture(folder))
      .filter((name) => files.test(name) && statSync(fixture(`${folder}/${name}`)).isFile())
      .sort()
      .map((name): Fixture => {
        const bytes = readFileSync(fixture(`${folder}/${name}`))
        return { name: `${folder}/${name}`, importer, kind: kindOf(name, bytes), bytes, files: {} }
      })
    const wholes = (folders ?? []).map((name): Fixture => ({
      name: `${folder}/${name}`,
      importer,
      kind: 'folder',
      bytes: Buffer.alloc(0),
      files: filesBelow(fixture(`${folder}/${name}`)),
    }))
    return [...own, ...wholes]
  })
}
