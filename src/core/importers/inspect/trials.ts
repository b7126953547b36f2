// The samples of one Inspect log as trials, wherever the log lies: emits them, tells what is doubtful, and what the log
// lacks. Knows no container.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import type { ParseNote, Problem, RecordBytes, Sink } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, placeOf } from '../reader.ts'
import { missingTrials, tooNew, type LogFacts } from './log.ts'
import { isSample, readSample } from './sample.ts'
import { logError } from './zipped.ts'

/** The trials of one log: emits them, and knows which were met. */
export class Trials {
  readonly #log: LogFacts
  readonly #sink: Sink
  /** The key of the first sample of each task and epoch. */
  readonly #places = new Map<string, string | null>()
  count = 0

  constructor(log: LogFacts, sink: Sink) {
    this.#log = log
    this.#sink = sink
  }

  /** One sample that was parsed. `name` is its member in a zip, for the person to find it. */
  async take(
    record: RecordBytes,
    value: Json,
    notes: readonly ParseNote[],
    name: string | null,
  ): Promise<void> {
    const place = name === null ? placeOf(record) : { record: record.index }
    const say = (severity: Problem['severity'], code: Problem['code'], message: string): void =>
      this.#sink.problem({
        severity,
        code,
        message: name === null ? message : `${oneLine(name, 120)}: ${message}`,
        ...place,
      })
    if (!isSample(value)) {
      say('error', 'RECORD_INVALID', 'The record is not a sample (no id, input or messages): skipped.')
      return
    }
    const raw = guarded(record, this.#sink, () => {
      const doubts: StepDoubt[] = []
      const found = readSample(value, this.#log, notes, doubts)
      for (const code of new Set(doubts.map((doubt) => doubt.code))) {
        const same = doubts.filter((doubt) => doubt.code === code)
        const more = same.length > 1 ? ` And ${same.length - 1} more in this sample.` : ''
        say('warning', code, `${same[0]?.message}${more}`)
      }
      const isAgain = this.#places.has(found.place)
      if (isAgain)
        say('warning', 'RECORD_DUPLICATE', `Sample ${found.trial.task} stands twice with this epoch.`)
      else this.#places.set(found.place, found.sourceKey)
      // One sample and epoch of a run is one trial, whatever id each of its records was given: two that differ are a
      // question to the person, not two trials.
      const sourceKey = isAgain ? (this.#places.get(found.place) ?? null) : found.sourceKey
      const { trial, identitySalt } = found
      return {
        trial,
        recordBytes: record.bytes,
        identitySalt,
        sourceKey,
        record: record.index,
        line: name === null ? record.line : null,
        byteOffset: name === null ? record.byteOffset : null,
      }
    })
    if (raw === null) return
    this.count += 1
    await this.#sink.trial(raw)
  }

  /** Tells what the log lacks, after its last sample. */
  finish(): void {
    const missing = missingTrials(this.#log, this.count)
    if (missing !== null) this.#sink.problem(missing)
  }
}

/** Tells of a log that cannot be read, or that ended badly; true when its samples may be read. */
export function isReadable(log: JsonObject, facts: LogFacts, sink: Sink): boolean {
  const newer = tooNew(facts)
  if (newer !== null) sink.problem(newer)
  const error = logError(log)
  if (error !== null)
    sink.problem({ severity: 'info', code: 'TRIALS_MISSING', message: `The run's own error: ${error}` })
  return newer === null
}
