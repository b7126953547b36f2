// The core's side of the thread that reads outcome files: starts it, gathers what it says, stops it on abort. Holds no
// rule of outcomes and no database.

import { Fault } from '../base/fault.ts'
import type { OutcomeField, OutcomeRow } from './importers/outcomes/row.ts'
import type { OutcomeFileNews, OutcomeNews, OutcomeOrder, OutcomeProblem } from './outcomeworker.ts'
import { startThread } from './thread.ts'

/** Everything that outcome files say. */
export type OutcomesRead = {
  readonly files: readonly OutcomeFileNews[]
  readonly rows: readonly OutcomeRow[]
  readonly fields: readonly OutcomeField[]
  readonly problems: readonly OutcomeProblem[]
}

/** Reads outcome files in a thread of its own. Rejects with the thread's fault, or CANCELLED. */
export function readOutcomes(
  order: Omit<OutcomeOrder, 'kind'>,
  signal: AbortSignal,
  progress: (fileName: string, filesDone: number, rows: number) => void,
): Promise<OutcomesRead> {
  const files: OutcomeFileNews[] = []
  const rows: OutcomeRow[] = []
  const problems: OutcomeProblem[] = []
  const fields = new Map<string, OutcomeField>()
  return new Promise((resolve, reject) => {
    const worker = startThread({ kind: 'outcomes', ...order })
    let isOver = false
    const finish = (end: () => void): void => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', cancel)
      void worker.terminate().then(end, end)
    }
    const cancel = (): void =>
      finish(() => reject(new Fault('CANCELLED', 'Reading the outcomes was cancelled.')))
    worker.on('message', (news: OutcomeNews) => {
      if (isOver) return
      if (news.kind === 'end') finish(() => resolve({ files, rows, fields: [...fields.values()], problems }))
      else if (news.kind === 'failed') finish(() => reject(Fault.from(news.fault)))
      else if (news.kind === 'rows') {
        for (const row of news.rows) rows.push(row)
        for (const problem of news.problems) problems.push(problem)
        progress(news.rows[0]?.place.file ?? '', files.length, rows.length)
      } else {
        files.push(news.file)
        for (const field of news.fields) fields.set(field.name, together(fields.get(field.name), field))
      }
    })
    worker.on('error', (error) => finish(() => reject(error)))
    worker.on('exit', (code) =>
      finish(() => reject(new Error(`The outcome thread ended by itself with code ${code}`))),
    )
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
  })
}

function together(known: OutcomeField | undefined, more: OutcomeField): OutcomeField {
  if (known === undefined) return more
  const lows = [known.lowest, more.lowest].filter((value) => value !== null)
  const highs = [known.highest, more.highest].filter((value) => value !== null)
  return {
    name: more.name,
    rows: known.rows + more.rows,
    isScale: known.isScale || more.isScale,
    lowest: lows.length === 0 ? null : Math.min(...lows),
    highest: highs.length === 0 ? null : Math.max(...highs),
  }
}
