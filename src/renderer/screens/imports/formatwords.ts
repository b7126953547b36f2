// Words of the Imports screen: how sure a format is, how a file ended, where a problem stands. Pure.

import { plural } from '../../../base/text.ts'
import type { ImportFileRow, ImportRow, ProblemRow } from '../../../contract/rows.ts'
import { bytesText } from '../../shell/actions.ts'

/** How sure, as one to four dots: `●●●○`; no dot when nothing recognised it. */
export function sureDots(confidence: number): string {
  const dots = confidence <= 0 ? 0 : Math.min(4, Math.max(1, Math.round(confidence * 4)))
  return '●'.repeat(dots) + '○'.repeat(4 - dots)
}

/** How sure, in a word. */
export function sureWord(confidence: number): string {
  if (confidence >= 0.9) return 'sure'
  if (confidence >= 0.7) return 'fairly sure'
  if (confidence >= 0.5) return 'likely'
  return confidence > 0 ? 'unsure' : 'not recognised'
}

const FILE_STATES: { readonly [state in ImportFileRow['state']]: string } = {
  waiting: 'waiting',
  reading: 'reading',
  kept: 'kept',
  unchanged: 'already here, nothing changed',
  'needs format': 'needs you',
  unreadable: 'could not be read',
  cancelled: 'cancelled',
  skipped: 'left out',
}

/** True for a file of outcomes that was set aside, because it speaks of trials that lie in other files. */
export function isAside(file: Pick<ImportFileRow, 'state' | 'format'>): boolean {
  return file.state === 'skipped' && file.format !== null
}

/** True for a file that was still waiting when its import was cancelled. */
export function wasNotRead(file: Pick<ImportFileRow, 'state' | 'format' | 'candidates'>): boolean {
  return file.state === 'cancelled' && file.format === null && file.candidates.length === 0
}

/** How a file ended, in words. */
export function fileStateText(file: ImportFileRow): string {
  if (file.state === 'kept' && file.trialsSame > 0)
    return `kept; ${plural(file.trialsSame, 'trial')} already here`
  return FILE_STATES[file.state]
}

const RUN_STATES: { readonly [state in ImportRow['state']]: string } = {
  running: 'running',
  kept: 'kept',
  cancelled: 'cancelled; what was read before is kept',
  failed: 'failed',
  interrupted: 'interrupted when the core stopped; whole batches before that are kept',
  undone: 'undone',
}

/** How an import run ended, in words. */
export function runStateText(run: ImportRow): string {
  if (run.state === 'kept' && run.trialsNew === 0)
    return run.trialsSame > 0 ? 'already here, nothing changed' : 'nothing kept'
  return RUN_STATES[run.state]
}

/** Where a problem stands: `line 14`, `record 52, byte 88,121`; empty when the whole file is meant. */
export function placeText(problem: Pick<ProblemRow, 'line' | 'byte' | 'record'>): string {
  const parts: string[] = []
  if (problem.line !== null) parts.push(`line ${problem.line.toLocaleString('en-US')}`)
  if (problem.record !== null) parts.push(`record ${problem.record.toLocaleString('en-US')}`)
  if (problem.byte !== null) parts.push(`byte ${problem.byte.toLocaleString('en-US')}`)
  return parts.join(', ')
}

/** A problem as one line of plain text, for copying. */
export function problemText(problem: ProblemRow): string {
  const place = placeText(problem)
  return [
    problem.severity,
    problem.code,
    problem.fileName,
    place,
    problem.message,
    problem.hint ?? '',
    problem.count > 1 ? `(${problem.count} alike)` : '',
  ]
    .filter((part) => part !== '')
    .join('\t')
}

/** When a run began, in the person's own words for dates. */
export function whenText(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** `12.4 kB`, or nothing for a size that is not known. */
export function sizeText(bytes: number): string {
  return bytes > 0 ? bytesText(bytes) : '0 B'
}
