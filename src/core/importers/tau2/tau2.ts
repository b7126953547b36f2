// tau2-bench results (github.com/sierra-research/tau2-bench): one object {info, tasks, simulations}, or a folder with
// results.json without simulations and one file each in simulations/. One simulation is one trial. Simulations are
// read one at a time, whatever the file's length; a broken one is a problem, and the rest goes on.

import type { Json } from '../../../base/json.ts'
import { oneLine, plural } from '../../../base/text.ts'
import { inside, tellDoubts } from '../doubts.ts'
import { asId, asObject, isBare } from '../fields.ts'
import type {
  HeadRecord,
  Importer,
  Problem,
  RecordBytes,
  Sink,
  Sniff,
  Source,
  SourceHead,
  SourceRecord,
} from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, noteRecord, placeOf } from '../reader.ts'
import { parseRecord } from '../parserecord.ts'
import { readInfo, readTask, type ResultFacts, type TaskFacts } from './facts.ts'
import { isSimulation, readSimulation } from './simulation.ts'

const RESULTS = 'results.json'
const SIMULATION_FILE = /^simulations\/[^/]+\.json(?:\.gz)?$/
const LISTS = new Set(['tasks', 'simulations'])
const INFO_KEYS = ['git_commit', 'num_trials', 'user_info', 'agent_info', 'environment_info']

/** Reads tau2 (and tau3) results. */
export const tau2: Importer = {
  id: 'tau2',
  title: 'τ²-bench results',
  version: 1,
  status: 'stable',
  nameHint: /(?:^|[^a-z])(?:tau2|results?)(?:[^a-z]|$)/i,
  folder: { markers: [RESULTS], owns: (name) => name === RESULTS || SIMULATION_FILE.test(name) },
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  if (head.markers !== undefined) {
    const info = infoKeys(head.markers.get(RESULTS)?.[0])
    return info.length >= 2 && head.entries?.includes('simulations/') === true
      ? { confidence: 0.97, reason: `a folder with ${RESULTS} (info: ${info.join(', ')}) and simulations/` }
      : { confidence: 0, reason: `a folder without ${RESULTS} and simulations/ of tau2` }
  }
  const first = head.records[0]
  const value = asObject(first?.value)
  const info = infoKeys(first)
  if ((head.shape === 'values' || head.shape === 'array') && value !== null && info.length >= 2) {
    const lists = [...LISTS].filter((key) => Object.hasOwn(value, key))
    if (lists.length > 0 || first?.complete === false)
      return {
        confidence: 0.96,
        reason: `${head.shape === 'array' ? 'a list of objects' : 'an object'} with info (${info.join(', ')})${lists.length > 0 ? ` and ${lists.join(', ')}` : ''}`,
      }
  }
  const isBareSimulation =
    value !== null &&
    ['id', 'task_id', 'termination_reason'].every((key) => Object.hasOwn(value, key)) &&
    ['messages', 'ticks', 'reward_info', 'start_time'].some((key) => Object.hasOwn(value, key))
  return isBareSimulation
    ? { confidence: 0.85, reason: 'an object with id, task_id and termination_reason: one simulation' }
    : { confidence: 0, reason: 'no object with info (agent_info, environment_info) and simulations' }
}

function infoKeys(record: HeadRecord | undefined): string[] {
  const info = asObject(asObject(record?.value)?.['info'])
  return info === null ? [] : INFO_KEYS.filter((key) => Object.hasOwn(info, key))
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const entries = await source.entries(signal)
  const results = entries.find((entry) => entry.name === RESULTS)
  const head = results === undefined ? await source.head(signal) : null
  if (head !== null && !isResultFile(head)) {
    const trials = new Simulations(source, sink, 0)
    for await (const item of source.records(signal))
      if (item.kind === 'problem') sink.problem(item.problem)
      else await trials.take(item.record, null)
    return
  }
  const all = await readResults(
    { source: results?.source() ?? source, name: results === undefined ? null : RESULTS, whole: source },
    sink,
    signal,
  )
  const trials = all.at(-1) as Simulations
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted()
    if (entry === results) continue
    for await (const item of entry.source().records(signal))
      if (item.kind === 'record') await trials.take(item.record, entry.name)
      else sink.problem({ ...item.problem, message: `${inside(entry.name)}${item.problem.message}` })
  }
  for (const one of all) one.finish(results === undefined)
}

function isResultFile(head: SourceHead): boolean {
  const value = head.records[0]?.value
  return (
    value === undefined ||
    ['info', 'tasks', 'simulations'].some((key) => Object.hasOwn(asObject(value) ?? {}, key))
  )
}

/**
 * The object of a result file, or several in a list or one behind the other: what each holds, at least one. When
 * simulations come before what describes them, the file is read twice.
 */
async function readResults(
  from: { readonly source: Source; readonly name: string | null; readonly whole: Source },
  sink: Sink,
  signal: AbortSignal,
): Promise<Simulations[]> {
  const { source, name, whole } = from
  const all = [new Simulations(whole, sink, 0)]
  const tell = (problem: Problem): void =>
    sink.problem({ ...problem, message: `${inside(name)}${problem.message}` })
  const parsed = (record: RecordBytes): SourceRecord | null => {
    const found = parseRecord(record)
    if (found.kind === 'record') return found.record
    tell(found.problem)
    return null
  }
  for await (const item of source.members(LISTS, signal)) {
    const results = all.at(-1) as Simulations
    if (item.kind === 'problem') tell(item.problem)
    else if (item.kind === 'next') all.push(new Simulations(whole, sink, results.seen))
    else if (item.kind === 'list') {
      if (item.name === 'simulations') results.isWaiting = !results.isDescribed
    } else if (item.kind === 'member') {
      const record = parsed(item.record)
      if (record !== null) results.describe(item.name, record, sink)
    } else if (item.name === 'tasks') results.know(parsed(item.record)?.value ?? null)
    else if (!results.isWaiting) {
      const record = parsed(item.record)
      if (record !== null) await results.take(record, name)
    }
  }
  if (!all.some(({ isWaiting }) => isWaiting)) return all
  let at = 0
  for await (const item of source.members(LISTS, signal)) {
    if (item.kind === 'next') at += 1
    const results = all[at]
    if (item.kind !== 'element' || item.name !== 'simulations' || results?.isWaiting !== true) continue
    const record = parsed(item.record)
    if (record !== null) await results.take(record, name)
  }
  return all
}

/** The simulations of one result object: emits them as trials, and knows what describes them. */
class Simulations {
  readonly #source: Source
  readonly #sink: Sink
  readonly #tasks = new Map<string, TaskFacts>()
  readonly #ids = new Set<string>()
  /** Ids that the file's own index of simulations names. */
  #listed: readonly string[] = []
  #facts: ResultFacts = readInfo(null)
  #count = 0
  #rejected = 0
  /** Simulations of the source before these. */
  readonly #before: number
  /** Whether `info` was met: simulations before it wait for a second pass. */
  isDescribed = false
  isWaiting = false

  constructor(source: Source, sink: Sink, before: number) {
    this.#source = source
    this.#sink = sink
    this.#before = before
  }

  /** Simulations of the source up to here. */
  get seen(): number {
    return this.#before + this.#count + this.#rejected
  }

  /** A member of the outermost object that is no streamed list. */
  describe(name: string, record: SourceRecord, sink: Sink): void {
    if (name === 'info') {
      const places = record.notes.map((note) => ({ ...note, path: `/info${note.path}` }))
      noteRecord({ ...record, notes: places }, sink)
      this.#facts = readInfo(asObject(record.value))
      this.isDescribed = true
    } else if (name === 'simulation_index' && Array.isArray(record.value))
      this.#listed = (record.value as readonly Json[]).flatMap((one) => asId(asObject(one)?.['id']) ?? [])
    else if (LISTS.has(name) && !isBare(record.value))
      sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: `“${name}” is not a list: not read.`,
        ...placeOf(record),
      })
  }

  /** A task of the file. */
  know(value: Json): void {
    const found = readTask(value)
    if (found !== null) this.#tasks.set(found.id, found.task)
  }

  /** One simulation that was parsed. `name` is the file that it stands in, in a folder. */
  async take(record: SourceRecord, name: string | null): Promise<void> {
    const own = { ...record, index: this.seen }
    const place = name === null ? placeOf(own) : { record: own.index }
    noteRecord(own, this.#sink)
    const { value } = record
    if (!isSimulation(value)) {
      this.#rejected += 1
      this.#sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: `${inside(name)}The record is not a simulation (no task_id, or nothing else): skipped.`,
        ...place,
      })
      return
    }
    const id = asId(value['id'])
    if (id !== null && this.#ids.has(id))
      this.#sink.problem({
        severity: 'warning',
        code: 'RECORD_DUPLICATE',
        message: `${inside(name)}Simulation ${oneLine(id, 60)} stands twice in this source.`,
        ...place,
      })
    if (id !== null) this.#ids.add(id)
    const doubts: StepDoubt[] = []
    const raw = guarded(own, this.#sink, () => ({
      ...readSimulation(
        value,
        this.#facts,
        this.#tasks.get(asId(value['task_id']) ?? '') ?? null,
        record.notes,
        doubts,
      ),
      recordBytes: record.bytes,
      record: own.index,
      line: name === null ? record.line : null,
      byteOffset: name === null ? record.byteOffset : null,
    }))
    tellDoubts(doubts, place, name, this.#sink)
    this.#count += 1
    if (raw !== null) await this.#sink.trial(raw)
    this.#sink.progress({
      bytesRead: this.#source.bytesRead(),
      bytesTotal: this.#source.size,
      records: this.seen,
    })
  }

  /** Tells what the source lacks, after its last simulation. */
  finish(isFile: boolean): void {
    const missing = this.#listed.filter((id) => !this.#ids.has(id))
    const planned = (this.#facts.trialsPerTask ?? 0) * this.#tasks.size
    const say = (severity: Problem['severity'], message: string, hint?: string): void =>
      this.#sink.problem({
        severity,
        code: 'TRIALS_MISSING',
        message,
        ...(hint === undefined ? {} : { hint }),
      })
    if (this.#count === 0 && this.#rejected === 0 && isFile)
      say(
        'error',
        `${this.#source.name} describes a run, but holds no simulations.`,
        'They stand in the folder simulations/ beside it: import the folder that holds both.',
      )
    else if (missing.length > 0)
      say(
        'warning',
        `${plural(missing.length, 'simulation')} of the index ${missing.length === 1 ? 'is' : 'are'} not there, first ${oneLine(missing[0] as string, 60)}.`,
      )
    else if (this.#count < planned)
      say(
        'warning',
        `The source holds ${plural(this.#count, 'simulation')} of ${planned.toLocaleString('en-US')} (${plural(this.#tasks.size, 'task')}, ${plural(this.#facts.trialsPerTask ?? 0, 'trial')} each).`,
      )
  }
}
