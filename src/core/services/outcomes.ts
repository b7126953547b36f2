// Outcomes that come separately: reads them, joins them to the trials that are here, says what would change, and
// attaches them in one transaction that can be taken back. Which field decides is remembered per kind of source.

import { createHash, randomUUID } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import type { Parsed } from '../../contract/contract.ts'
import type {
  Attached,
  AttachmentRow,
  AttachPreview,
  JoinedLine,
  OutcomeProgress,
} from '../../contract/outcomerows.ts'
import type { Context, RequestContext, Slice } from '../context.ts'
import { outcomeRank } from '../importers/outcomes/names.ts'
import { NO_CHOICE, type OutcomeChoice } from '../importers/outcomes/row.ts'
import { readOutcomes, type OutcomesRead } from '../outcomethread.ts'
import {
  allAttachments,
  attachOutcomes,
  joinableTrials,
  markAttachment,
  type AttachmentRecord,
  type OutcomeToAttach,
} from '../store/attachments.ts'
import { allConfigurations } from '../store/configurations.ts'
import type { ReadableDb } from '../store/connection.ts'
import { loadOutcomeChoices, saveOutcomeChoice } from '../store/settings.ts'
import { joinRows, type Join, type Joined } from './joining.ts'
import { groupProblems } from './problemgroups.ts'

type AttachInput = Parsed<'outcomes.attach'>

/** Lines of a preview's lists. */
const LISTED = 100

/** outcomes.* */
export function outcomesService(
  context: Context,
): Slice<'outcomes.preview' | 'outcomes.attach' | 'outcomes.list' | 'outcomes.undo' | 'outcomes.redo'> {
  const changed = async (taskIds: readonly string[], signal: AbortSignal): Promise<void> => {
    await context.rules().settle(signal)
    context.scheduleAnalysis(taskIds)
  }

  const mark = async (
    attachmentId: string,
    undoneAt: string | null,
    signal: AbortSignal,
  ): Promise<AttachmentRow> => {
    must(context.db(), attachmentId)
    await changed(markAttachment(context.db(), attachmentId, undoneAt), signal)
    return must(context.db(), attachmentId)
  }

  return {
    'outcomes.preview': async (input, request) => (await joinFiles(context, input, request)).preview,
    'outcomes.attach': async (input, request): Promise<Attached> => {
      const { preview, join, signature } = await joinFiles(context, input, request)
      request.signal.throwIfAborted()
      const db = context.db()
      if (input.choice !== null) saveOutcomeChoice(db, signature, { ...NO_CHOICE, ...input.choice })
      const outcomes = join.joined.filter((one) => isChange(one, input.replace)).map(toAttach)
      if (outcomes.length === 0) return { attachment: null, preview }
      const id = `o${randomUUID().replaceAll('-', '').slice(0, 19)}`
      const [first] = preview.files.filter(({ rows }) => rows > 0)
      const taskIds = attachOutcomes(
        db,
        {
          id,
          attachedAt: context.now(),
          source: sourceName(preview),
          format: first?.format ?? '',
          ...preview.choice,
          rows: preview.rows,
        },
        outcomes,
      )
      await changed(taskIds, request.signal)
      return { attachment: must(context.db(), id), preview }
    },
    'outcomes.list': () => allAttachments(context.db()).map(rowOf),
    'outcomes.undo': ({ attachmentId }, { signal }) => mark(attachmentId, context.now(), signal),
    'outcomes.redo': ({ attachmentId }, { signal }) => mark(attachmentId, null, signal),
  }
}

function must(db: ReadableDb, attachmentId: string): AttachmentRow {
  const record = allAttachments(db).find(({ id }) => id === attachmentId)
  if (record !== undefined) return rowOf(record)
  throw new Fault('NOT_FOUND', 'These outcomes are not in the workspace.', {
    where: attachmentId,
    hint: 'The trials that they were attached to may have been erased.',
  })
}

function rowOf({ id, ...record }: AttachmentRecord): AttachmentRow {
  return { attachmentId: id, ...record }
}

function sourceName(preview: AttachPreview): string {
  const names = preview.files.filter(({ rows }) => rows > 0).map(({ name }) => name)
  return names.length === 1
    ? (names[0] ?? '')
    : `${names.length.toLocaleString('en-US')} files, ${names[0] ?? ''} …`
}

type JoinedFiles = { readonly preview: AttachPreview; readonly join: Join; readonly signature: string }

async function joinFiles(
  context: Context,
  input: AttachInput,
  { signal, progress }: RequestContext<OutcomeProgress>,
): Promise<JoinedFiles> {
  const paths = input.files.map(({ path }) => path)
  const tell = (fileName: string, filesDone: number, rows: number): void =>
    progress({ fileName, filesDone, rows })
  const given: OutcomeChoice | null = input.choice
  let read = await readOutcomes({ paths, only: input.only, choice: given ?? NO_CHOICE }, signal, tell)
  const signature = signatureOf(read)
  const remembered = given === null ? (loadOutcomeChoices(context.db())[signature] ?? null) : null
  if (remembered !== null && (remembered.scorer !== null || remembered.threshold !== null))
    read = await readOutcomes({ paths, only: input.only, choice: remembered }, signal, tell)
  // The workspace as it is now: nothing is awaited between here and the end.
  const db = context.db()
  const trials = joinableTrials(db, input)
  const configurations = new Map(allConfigurations(db).map(({ id, configuration }) => [id, configuration]))
  const join = joinRows(read.rows, trials, {
    suite: input.suite,
    byOrder: input.byOrder,
    namesOf: (id) => [configurations.get(id)?.label ?? null, configurations.get(id)?.model ?? null],
  })
  const choice = given ?? remembered ?? NO_CHOICE
  return {
    join,
    signature,
    preview: previewOf(read, join, trials.length, { input, choice, isRemembered: remembered !== null }),
  }
}

/** Names a kind of source: its format and its fields. */
function signatureOf(read: OutcomesRead): string {
  const formats = [...new Set(read.files.map(({ format }) => format ?? ''))].sort()
  const names = read.fields.map(({ name }) => name).sort()
  return createHash('sha256')
    .update(JSON.stringify([formats, names]))
    .digest('hex')
    .slice(0, 24)
}

function isChange({ row, trial }: Joined, replace: boolean): boolean {
  if (row.outcome === 'unknown' || row.outcome === trial.outcome) return false
  return replace || trial.outcome === 'unknown'
}

function toAttach({ row, trial, rule }: Joined): OutcomeToAttach {
  return {
    seq: trial.seq,
    outcome: row.outcome,
    score: row.score,
    scoreRaw: JSON.stringify(row.scoreRaw),
    scores: JSON.stringify(row.scores),
    scorer: row.scorer,
    rule,
    ...row.place,
  }
}

function lineOf({ row, trial, rule }: Joined): JoinedLine {
  const { trialId, suite, task, number, outcome: from } = trial
  return {
    trialId,
    suite,
    task,
    number,
    from,
    to: row.outcome,
    rule,
    file: row.place.file,
    line: row.place.line,
  }
}

function counted<Key extends string>(keys: readonly Key[]): readonly (readonly [Key, number])[] {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])
}

function previewOf(
  read: OutcomesRead,
  join: Join,
  trials: number,
  about: { readonly input: AttachInput; readonly choice: OutcomeChoice; readonly isRemembered: boolean },
): AttachPreview {
  const { input, choice } = about
  const changed = join.joined.filter((one) => isChange(one, input.replace))
  const contradicted = join.joined.filter(
    ({ row, trial }) =>
      row.outcome !== 'unknown' && trial.outcome !== 'unknown' && row.outcome !== trial.outcome,
  )
  // What says only how a trial ended decides when a person says so, and not before.
  const scorer = choice.scorer ?? read.fields.find(({ name }) => outcomeRank(name) >= 0)?.name ?? null
  const decides = read.fields.find(({ name }) => name === scorer)
  const isUnasked = input.choice === null && !about.isRemembered
  return {
    files: read.files,
    rows: read.rows.length,
    trials,
    fields: read.fields,
    choice: { scorer, threshold: choice.threshold },
    isRemembered: about.isRemembered,
    asks: [
      ...(isUnasked && read.fields.length > (scorer === null ? 0 : 1) ? (['scorer'] as const) : []),
      ...(choice.threshold === null && decides?.isScale === true ? (['threshold'] as const) : []),
      ...(join.suites.length > 0 ? (['suite'] as const) : []),
    ],
    suites: join.suites,
    matched: join.joined.length,
    byRule: counted(join.joined.map(({ rule }) => rule)).map(([rule, count]) => ({ rule, count })),
    changed: changed.length,
    changes: [
      ...Map.groupBy(changed, ({ row, trial }) => `${trial.outcome} ${row.outcome}`).values(),
    ].flatMap((group) => {
      const [one] = group
      return one === undefined ? [] : [{ from: one.trial.outcome, to: one.row.outcome, count: group.length }]
    }),
    changedLines: changed.slice(0, LISTED).map(lineOf),
    same: join.joined.filter(({ row, trial }) => row.outcome !== 'unknown' && row.outcome === trial.outcome)
      .length,
    silent: join.joined.filter(({ row }) => row.outcome === 'unknown').length,
    contradicted: contradicted.length,
    contradictedLines: contradicted.slice(0, LISTED).map(lineOf),
    unmatchedRows: {
      count: join.unjoined.length,
      reasons: counted(join.unjoined.map(({ reason }) => reason)).map(([reason, count]) => ({
        reason,
        count,
      })),
      lines: join.unjoined.slice(0, LISTED).map(({ row, reason }) => ({
        task: row.task,
        trial: row.trial,
        sourceId: row.sourceId,
        outcome: row.outcome,
        file: row.place.file,
        line: row.place.line,
        reason,
      })),
    },
    unmatchedTrials: {
      count: join.trialsLeft.length,
      lines: join.trialsLeft
        .slice(0, LISTED)
        .map(({ trialId, suite, task, number, outcome }) => ({ trialId, suite, task, number, outcome })),
    },
    joinableByOrder: join.joinableByOrder,
    problems: groupProblems(read.problems),
  }
}
