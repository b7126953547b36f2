// One fuzz case: a mutated fixture read through the whole path of an import, and what was wrong with that. Nothing may
// be thrown; trials must be valid, problems readable; no record that a strict reader has may be lost. Gives sentences,
// asserts nothing: the unit test and the command share it.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Rng } from '../../../../src/analysis/reliability/random.ts'
import { canonicalJson, type Json } from '../../../../src/base/json.ts'
import type { Importer, Problem, RawTrial, Source } from '../../../../src/core/importers/importer.ts'
import { bareImporter } from '../../../../src/core/importers/outcomes/bare.ts'
import { OUTCOME_READERS } from '../../../../src/core/importers/outcomes/readers.ts'
import { splitRecords } from '../../../../src/core/importers/records.ts'
import { IMPORTERS } from '../../../../src/core/importers/registry.ts'
import { fileSource } from '../../../../src/core/importers/source.ts'
import { OUTCOMES } from '../../../../src/model/outcome.ts'
import type { Trial } from '../../../../src/model/trial.ts'
import type { Fixture } from '../formats.ts'
import { openAll } from '../openall.ts'
import { readSource, type ReadAll } from '../readall.ts'
import { makeZip } from '../zipwriter.ts'
import { mutate } from './mutate.ts'
import { strictRecords, wantedRecords, wantedTrials } from './strict.ts'

/** No case may take longer, in milliseconds; the machine may be slow. */
export const MAX_MS = 5000
/** After these a file is not read on, and says why: nothing is lost in silence. */
const REFUSALS: readonly Problem['code'][] = ['FORMAT_NEWER', 'TOO_LARGE']

/** All readers of outcomes, those too that are no importers because their rows can only be attached. */
const OUTCOME_ONES = OUTCOME_READERS.map((reader) => bareImporter(reader, { isOutcomes: true }))
/** Formats whose tasks are named here, by prompt or file: never by nothing. In the others an id is what the source says. */
const NAMING: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'gemini-cli',
  'chat-messages',
  'swe-agent',
  'mini-swe-agent',
  'openhands',
  'atif',
])

/** What a fixture gives before anything is done to it. */
export type Subject = {
  readonly fixture: Fixture
  /** Members of a zip. */
  readonly members: readonly { readonly name: string; readonly data: Buffer }[]
  readonly trials: number
}

/** Reads a fixture as it is. `dir` is a folder for files. */
export async function subjectOf(fixture: Fixture, dir: string): Promise<Subject> {
  if (fixture.kind === 'folder') {
    const { reads } = await openAll(writeFolder(fixture.files, dir))
    return { fixture, members: [], trials: reads.reduce((sum, read) => sum + read.trials.length, 0) }
  }
  const source = writeFile(fixture.bytes, dir)
  const members = await Promise.all(
    (await source.entries()).map(async (entry) => ({ name: entry.name, data: await entry.read() })),
  )
  return { fixture, members, trials: (await readSource(source, fixture.importer)).trials.length }
}

/** Runs case `n` of a subject; gives what was wrong. `other` gives material to splice in. */
export async function runCase(
  subject: Subject,
  n: number,
  seed: number,
  other: Buffer,
  dir: string,
): Promise<string[]> {
  const rng = new Rng(seed, `${subject.fixture.name} ${n}`)
  const started = performance.now()
  const wrong: string[] = []
  try {
    if (subject.fixture.kind === 'folder') await folderCase(subject, rng, other, dir, wrong)
    else if (subject.members.length > 0 && rng.below(2) === 0)
      await memberCase(subject, rng, other, dir, wrong)
    else await fileCase(subject, rng, other, dir, wrong)
  } catch (error) {
    wrong.push(`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  const took = performance.now() - started
  if (took > MAX_MS) wrong.push(`took ${Math.round(took)} ms`)
  return wrong
}

function writeFile(bytes: Buffer, dir: string): Source {
  const path = join(dir, 'x')
  writeFileSync(path, bytes)
  return fileSource({ path, size: bytes.length, name: 'x' })
}

function writeFolder(files: Readonly<Record<string, unknown>>, dir: string): string {
  const root = join(dir, 'root')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root)
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content as Buffer)
  }
  return root
}

async function fileCase(
  { fixture }: Subject,
  rng: Rng,
  other: Buffer,
  dir: string,
  wrong: string[],
): Promise<void> {
  const bytes = mutate(rng, fixture.bytes, other)
  const isPacked = rng.below(6) === 0
  const source = writeFile(isPacked ? mutate(rng, gzipSync(bytes), other) : bytes, dir)
  const read = await readSource(source, fixture.importer)
  checkRead(read, fixture.importer.id, wrong)
  for (const importer of othersFor(fixture.importer, rng))
    checkRead(await readSource(source, importer), importer.id, wrong)
  if (isPacked || fixture.kind === 'zip' || fixture.kind === 'table') return
  const strict = strictRecords(bytes, fixture.kind === 'lines')
  const records = await lenientRecords(source)
  const known = new Set(records.flat())
  for (const value of strict)
    if (!known.has(canonicalJson(value)))
      wrong.push(`no record is ${short(value)}, which a strict reader has`)
  if (read.problems.some(({ code }) => REFUSALS.includes(code))) return
  const kept = await keptRecords(read.raws)
  for (const value of wantedRecords(fixture.importer.id, strict)) {
    const text = canonicalJson(value)
    const at = records.findIndex((own) => own.includes(text))
    const isTold = read.problems.some(
      // Lines of one conversation are told of together, at its first.
      ({ severity, code, record = -1 }) =>
        (severity === 'error' && record === at) || (code === 'RECORD_ORPHAN' && record >= 0 && record <= at),
    )
    if (!kept.has(text) && !isTold) wrong.push(`lost without a word: record ${at}, ${short(value)}`)
  }
  const least = wantedTrials(fixture.importer.id, strict)
  if (read.trials.length < least) wrong.push(`${read.trials.length} trials instead of ${least}`)
}

/** Whom a person might choose instead: every reader of outcomes for a file of outcomes, else now and then anyone. */
function othersFor(importer: Importer, rng: Rng): readonly Importer[] {
  if (importer.isOutcomes === true || importer.id === 'agentrial') return OUTCOME_ONES
  return rng.below(8) === 0 ? [IMPORTERS[rng.below(IMPORTERS.length)] as Importer] : []
}

/** A zip in which one member is broken: the others must not suffer. */
async function memberCase(
  { fixture, members, trials }: Subject,
  rng: Rng,
  other: Buffer,
  dir: string,
  wrong: string[],
): Promise<void> {
  const at = rng.below(members.length)
  const hit = members[at]?.name ?? ''
  const broken = members.map((member, i) => ({
    ...member,
    data: i === at ? mutate(rng, member.data, other) : member.data,
    method: 0,
  }))
  const read = await readSource(writeFile(makeZip(broken), dir), fixture.importer)
  checkRead(read, fixture.importer.id, wrong)
  // A header may have become one of a newer version, which is not read.
  if (read.problems.some(({ code }) => REFUSALS.includes(code))) return
  const least = hit.startsWith('samples/') ? trials - 1 : trials
  if (read.trials.length < least)
    wrong.push(`${read.trials.length} trials instead of ${least} after ${hit} was broken`)
}

/** A folder in which one to three files are broken, away, or named otherwise. */
async function folderCase(
  { fixture, trials }: Subject,
  rng: Rng,
  other: Buffer,
  dir: string,
  wrong: string[],
): Promise<void> {
  const names = Object.keys(fixture.files)
  const hits = new Set(
    Array.from({ length: 1 + rng.below(3) }, () => names[rng.below(names.length)] as string),
  )
  const what = rng.below(8)
  const files: Record<string, Buffer> = {}
  for (const [name, content] of Object.entries(fixture.files)) {
    const bytes = content as Buffer
    if (!hits.has(name)) files[name] = bytes
    else if (what === 0) files[`${name}.bak`] = bytes
    else if (what !== 1) files[name] = mutate(rng, bytes, other)
  }
  const { reads } = await openAll(writeFolder(files, dir))
  for (const read of reads) checkRead(read, read.detection.importer?.id ?? '', wrong)
  const isRefused = reads.some(({ codes }) =>
    codes.some((code) => REFUSALS.includes(code as Problem['code'])),
  )
  const count = reads.reduce((sum, read) => sum + read.trials.length, 0)
  if (!isRefused && count < trials - hits.size)
    wrong.push(`${count} trials instead of ${trials - hits.size} after ${[...hits].join(', ')}`)
}

function checkRead(read: ReadAll, importer: string, wrong: string[]): void {
  const { report, trials, problems } = read
  if (report?.state !== 'done' && report?.state !== 'failed') wrong.push(`ended ${report?.state}`)
  for (const problem of problems) {
    if (problem.code === 'INTERNAL') wrong.push(`INTERNAL ${problem.message}`)
    if (problem.message.trim() === '' || !problem.message.isWellFormed())
      wrong.push(`problem ${problem.code} says ${JSON.stringify(problem.message)}`)
    for (const place of [problem.byte, problem.record])
      if (place !== undefined && !(Number.isInteger(place) && place >= 0))
        wrong.push(`problem ${problem.code} at ${place}`)
    if (problem.line !== undefined && !(Number.isInteger(problem.line) && problem.line >= 1))
      wrong.push(`problem ${problem.code} on line ${problem.line}`)
  }
  if (trials.length === 0 && !problems.some(({ severity }) => severity === 'error'))
    wrong.push('no trial, and no error that says why')
  for (const trial of trials) checkTrial(trial, importer, wrong)
}

function checkTrial(trial: Trial, importer: string, wrong: string[]): void {
  const say = (what: string): void => void wrong.push(`trial ${trial.task}: ${what}`)
  if (!OUTCOMES.includes(trial.outcome)) say(`outcome ${String(trial.outcome)}`)
  for (const [name, text] of [
    ['suite', trial.suite],
    ['task', trial.task],
  ] as const)
    if (typeof text !== 'string' || !text.isWellFormed()) say(`${name} is ${JSON.stringify(text)}`)
  if (trial.score !== null && !Number.isFinite(trial.score)) say(`score ${trial.score}`)
  for (const [name, text] of Object.entries({ ...trial.configuration, id: trial.sourceId }))
    if (typeof text === 'string' && !text.isWellFormed()) say(`${name} is ${JSON.stringify(text)}`)
  if (trial.task === '' && NAMING.has(importer)) say('has no name')
  let last = -1
  trial.steps.forEach((step, i) => {
    if (step.index <= last || (importer !== 'faultline-jsonl' && step.index !== i))
      say(`step ${i} has the index ${step.index}`)
    last = step.index
    if (step.parent !== undefined && step.parent >= step.index) say(`step ${i} hangs below ${step.parent}`)
  })
  // JSON-plain: what the store writes is what it reads. (-0 is written as 0.)
  const written = JSON.stringify(trial)
  if (JSON.stringify(JSON.parse(written)) !== written || !isPlain(trial)) say('is not plain JSON')
}

/** True when JSON keeps every member: nothing undefined, not finite, or of a class. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object' || !isDeepStrictEqual(Object.getPrototypeOf(value), Object.prototype))
    return false
  return Object.values(value).every(isPlain)
}

/** The records as they were cut out, canonical; none where one is not strict JSON (the tolerant parser's own tests). */
export async function lenientRecords(source: Source): Promise<string[][]> {
  const out: string[][] = []
  for await (const item of source.rawRecords())
    if (item.kind === 'record') out[item.record.index] = canonical(item.record.bytes)
  return Array.from(out, (own) => own ?? [])
}

function canonical(bytes: Buffer): string[] {
  try {
    return [canonicalJson(JSON.parse(bytes.toString('utf8')) as Json)]
  } catch {
    return []
  }
}

/** What the trials keep as their originals. */
async function keptRecords(raws: readonly RawTrial[]): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const { recordBytes } of raws) {
    for (const text of canonical(recordBytes)) kept.add(text)
    for await (const item of splitRecords(
      (async function* () {
        yield recordBytes
      })(),
    ))
      if (item.kind === 'record') for (const text of canonical(item.record.bytes)) kept.add(text)
  }
  return kept
}

const short = (value: Json): string => JSON.stringify(value).slice(0, 120)
