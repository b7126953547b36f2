// One import run while it goes on: takes the import thread's news and writes it, one short transaction each, and
// knows how far it is. Holds no rule of a format; identity and conflicts are the store's (ingest.ts).

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { oneLine } from '../../base/text.ts'
import { toFaultData, type FaultData } from '../../base/fault.ts'
import type { ImportFileRow, ImportProgress } from '../../contract/rows.ts'
import type { Context } from '../context.ts'
import type { ImportNews, Recognised } from '../importnews.ts'
import type { WritableDb } from '../store/connection.ts'
import { storeFault } from '../store/faults.ts'
import { addFile, beat, countFile, describeFile, endFile, endRun, startRun } from '../store/imports.ts'
import { addProblem, countProblem, type ProblemRecord } from '../store/problems.ts'
import { keepTrials, type PreparedTrial } from '../store/ingest.ts'
import { problemLog, type LoggedProblem, type ProblemLog } from './problemlog.ts'

/** Answers about imports and trials are refreshed at most this often while a run goes on. */
const CHANGED_MS = 1000
/** A run says that it lives at least this often, so that another process does not take it for interrupted. */
const BEAT_MS = 5000

/** Runs of this process: they are not interrupted while they are here, whatever their heartbeat says. */
const ours = new Set<string>()

/** True while a run of this process goes on. */
export function isOurRun(importId: string): boolean {
  return ours.has(importId)
}

/** A run, as the imports service sees it. */
export type ImportRun = {
  readonly importId: string
  /** Writes one piece of news. Throws what the store throws. */
  take(news: ImportNews): void
  progress(): ImportProgress
  /** Tasks that have new trials or conflicts. */
  changedTasks(): ReadonlySet<string>
  end(state: 'kept' | 'cancelled'): void
  /** Says that the run failed, as far as that can still be written. */
  fail(error: unknown): void
  /** Gives the workspace free again. */
  leave(): void
}

type FileState = {
  readonly id: string
  readonly name: string
  readonly bytes: number
  /** How much of it is read, 0 to 1. */
  share: number
  readonly tasks: Set<string>
  trialsNew: number
  trialsSame: number
  /** What only the store can see: conflicts, and records that came twice. */
  readonly met: ProblemLog
  /** Rows that stand for the problems of a code beyond the hundredth. */
  readonly rest: Map<string, number>
}

/** Starts a run in the open workspace, which cannot be swapped until `leave`. */
export function beginRun(
  context: Context,
  request: { readonly format: string | null; readonly suite: string | null },
): ImportRun {
  const db: WritableDb = context.db()
  const importId = `i${randomUUID().replaceAll('-', '').slice(0, 19)}`
  const files: FileState[] = []
  const changed = new Set<string>()
  let current: FileState | null = null
  let reading: FileState | null = null
  let filesDone = 0
  let trials = 0
  let problems = 0
  /** The first news is told at once: the run is listed as soon as its files are known. */
  let changedAt = Number.NEGATIVE_INFINITY

  startRun(db, {
    id: importId,
    startedAt: context.now(),
    suite: request.suite,
    format: request.format,
    reader: { host: hostname(), pid: process.pid, nowMs: Date.now() },
  })
  context.busy.add(importId)
  ours.add(importId)
  const heart = setInterval(() => {
    try {
      db.write(() => beat(db, importId, Date.now()))
    } catch {
      // The file is held by another writer for a moment: the next beat tells.
    }
  }, BEAT_MS)
  heart.unref()

  const at = (position: number): FileState => {
    const file = files[position]
    if (file === undefined) throw new Error(`The import thread speaks of file ${position}`)
    return file
  }

  const say = (): void => {
    if (performance.now() - changedAt < CHANGED_MS) return
    changedAt = performance.now()
    context.changed(['imports', 'trials'])
  }

  const found = (news: ImportNews & { readonly kind: 'found' }): void => {
    db.write(() => {
      for (const file of news.files) {
        const id = `${importId}.${files.length}`
        addFile(db, {
          ...UNKNOWN_FORMAT,
          id,
          importId,
          position: files.length,
          name: file.name,
          bytes: file.bytes,
          reason: file.skipped ?? '',
          state: file.skipped === null ? 'waiting' : 'skipped',
        })
        if (file.skipped !== null) filesDone += 1
        files.push({
          id,
          name: file.name,
          bytes: file.bytes,
          share: 0,
          tasks: new Set(),
          trialsNew: 0,
          trialsSame: 0,
          met: problemLog(),
          rest: new Map(),
        })
      }
    })
    say()
  }

  const writeProblem = (file: FileState, problem: ProblemRecord, isRest: boolean): void => {
    const id = addProblem(db, file.id, problem)
    if (isRest) file.rest.set(problem.code, id)
  }

  const batch = (news: ImportNews & { readonly kind: 'batch' }): void => {
    const file = at(news.position)
    const kept = db.write(() => {
      const kept = keepTrials(db, { importId, fileId: file.id }, news.trials)
      for (const { trial, fate } of kept) {
        if (fate === 'conflict') file.met.add(conflictProblem(trial))
        if (fate === 'attempt') file.met.add(attemptProblem(trial))
        // Where the source has ids, its importer says that one came twice.
        if (fate === 'repeated' && trial.sourceKey === null) file.met.add(repeatProblem(trial))
      }
      let count = 0
      for (const piece of [...news.problems, ...file.met.take()]) {
        if (piece.kind === 'row') writeProblem(file, piece.problem, piece.isRest)
        else {
          const row = file.rest.get(piece.code)
          if (row !== undefined) countProblem(db, row, piece.count)
        }
        count += piece.kind === 'row' ? 1 : piece.count
      }
      const tasks = new Set([...file.tasks, ...kept.map(({ trial }) => trial.taskId)])
      const conflicts = kept.filter(({ fate }) => fate === 'conflict').length
      const same = kept.filter(({ fate }) => fate === 'same' || fate === 'repeated').length
      const more = { trialsNew: kept.length - same, trialsSame: same, conflicts, problems: count }
      countFile(db, file.id, { ...more, tasks: tasks.size })
      beat(db, importId, Date.now())
      return more
    })
    // Counted in memory only after the transaction holds.
    file.trialsNew += kept.trialsNew
    file.trialsSame += kept.trialsSame
    problems += kept.problems
    trials += news.trials.length
    for (const trial of news.trials) file.tasks.add(trial.taskId)
    if (kept.trialsNew > 0) for (const trial of news.trials) changed.add(trial.taskId)
    say()
  }

  const fileEnd = (news: ImportNews & { readonly kind: 'fileEnd' }): void => {
    const file = at(news.position)
    const isUnchanged = file.trialsNew === 0 && file.trialsSame > 0
    const state: ImportFileRow['state'] =
      news.state === 'read' ? (isUnchanged ? 'unchanged' : 'kept') : news.state
    db.write(() => {
      if (news.recognised !== null) describe(file, news.recognised, state)
      endFile(db, file.id, { state, sha256: news.sha256, fault: news.fault })
    })
    file.share = 1
    filesDone += 1
    reading = null
    say()
  }

  const describe = (file: FileState, recognised: Recognised, state: ImportFileRow['state']): void =>
    describeFile(db, file.id, { ...recognised, state })

  return {
    importId,
    take: (news) => {
      if (news.kind === 'found') found(news)
      else if (news.kind === 'reading') {
        const file = at(news.position)
        current = file
        reading = file
        db.write(() => describe(file, news.recognised, 'reading'))
      } else if (news.kind === 'progress') at(news.position).share = news.share
      else if (news.kind === 'batch') batch(news)
      else if (news.kind === 'fileEnd') fileEnd(news)
    },
    progress: () => ({
      importId,
      fileName: current?.name ?? '',
      filesDone,
      filesTotal: files.length,
      bytesDone: Math.round(files.reduce((sum, file) => sum + file.bytes * file.share, 0)),
      bytesTotal: files.reduce((sum, file) => sum + file.bytes, 0),
      trials,
      problems,
    }),
    changedTasks: () => changed,
    end: (state) => endRun(db, importId, state, context.now()),
    fail: (error) => {
      const fault: FaultData = toFaultData(storeFault(error, db.path) ?? error)
      try {
        const file = reading
        if (file !== null) {
          db.write(() => endFile(db, file.id, { state: 'unreadable', sha256: null, fault }))
        }
        endRun(db, importId, 'failed', context.now())
      } catch {
        // A full disk: the run still says `running` and is told as interrupted when the workspace is opened again.
        context.log('warn', `An import failed and could not say so: ${fault.code}`)
      }
    },
    leave: () => {
      clearInterval(heart)
      ours.delete(importId)
      context.busy.delete(importId)
    },
  }
}

const UNKNOWN_FORMAT = {
  format: null,
  formatTitle: null,
  formatVersion: null,
  confidence: 0,
  candidates: [],
  fault: null,
} as const

function conflictProblem(trial: PreparedTrial): LoggedProblem {
  const name = trial.sourceId === null ? 'This trial' : `Trial “${oneLine(trial.sourceId, 80)}”`
  return {
    severity: 'warning',
    code: 'CONFLICT',
    message: `${name} of task “${oneLine(trial.task, 80)}” is here already with other content. Both are kept; neither counts.`,
    hint: 'Decide which one is kept: Imports, Conflicts, or faultline conflicts.',
    ...placeOf(trial),
  }
}

function attemptProblem(trial: PreparedTrial): LoggedProblem {
  const name = trial.sourceId === null ? 'a trial' : `trial “${oneLine(trial.sourceId, 80)}”`
  return {
    severity: 'info',
    code: 'ATTEMPT',
    message: `Task “${oneLine(trial.task, 80)}” has several attempts of ${name}: the last one counts, the ones that broke before it stand under it.`,
    ...placeOf(trial),
  }
}

function repeatProblem(trial: PreparedTrial): LoggedProblem {
  return {
    severity: 'info',
    code: 'RECORD_DUPLICATE',
    message: `The same record of task “${oneLine(trial.task, 80)}” stands in this file twice; it counts once.`,
    ...placeOf(trial),
  }
}

function placeOf(trial: PreparedTrial): Pick<LoggedProblem, 'record' | 'line' | 'byte'> {
  return {
    record: trial.record,
    ...(trial.line === null ? {} : { line: trial.line }),
    ...(trial.byteOffset === null ? {} : { byte: trial.byteOffset }),
  }
}
