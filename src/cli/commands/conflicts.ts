// `faultline conflicts`: records of one id that contradict each other; which one is kept.

import type { Command } from 'commander'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { ConflictRow } from '../../contract/outcomerows.ts'
import { csvText } from '../../core/reports/csvtext.ts'
import { safe } from '../layout.ts'
import type { Run, Work } from '../run.ts'
import { withSession, type Session } from '../session.ts'
import { EXIT, UsageError } from '../usage.ts'

/** Adds the commands. */
export function addConflicts(program: Command, run: Run): void {
  const conflicts = program
    .command('conflicts')
    .summary('records of one id that contradict each other')
    .description(
      'Two imports brought trials with the same id of their source and different content. Neither counts until it is decided which one is kept, or that both are.',
    )
  conflicts
    .command('list', { isDefault: true })
    .summary('both sides of each conflict')
    .addHelpText('after', '\nExample:\n  faultline conflicts list')
    .action(() =>
      run((work) =>
        inSession(work, async (session) => {
          const rows = await session.ask('conflicts.list', {})
          print(work, rows, rows)
          return EXIT.fine
        }),
      ),
    )
  conflicts
    .command('resolve')
    .summary('keep one trial of a conflict, or both; or open it again')
    .argument('<conflict>', 'its id, or an unmistakable beginning of it')
    .requiredOption('--keep <trial>', 'the id of the trial that counts; both; none opens the conflict again')
    .addHelpText(
      'after',
      `
Examples:
  faultline conflicts resolve 3f2a90 --keep t81be2c
  faultline conflicts resolve 3f2a90 --keep both
  faultline conflicts resolve 3f2a90 --keep none      take the decision back`,
    )
    .action((id: string, { keep }: { readonly keep: string }) =>
      run((work) =>
        inSession(work, async (session) => {
          const conflict = named(id, await session.ask('conflicts.list', {}))
          const row = await session.ask('conflicts.resolve', {
            conflictId: conflict.conflictId,
            keep: keep === 'none' ? null : keep === 'both' ? 'both' : sideNamed(keep, conflict),
          })
          print(work, row, [row])
          return EXIT.fine
        }),
      ),
    )
}

function inSession(work: Work, does: (session: Session) => Promise<number>): Promise<number> {
  return withSession({ ...work.globals, config: [] }, { ...work, create: false }, does)
}

function named(id: string, rows: readonly ConflictRow[]): ConflictRow {
  const found = rows.filter(
    ({ conflictId }) => conflictId === id || (id.length >= 4 && conflictId.startsWith(id)),
  )
  const [row] = found
  if (row !== undefined && found.length === 1) return row
  throw new UsageError(
    `${found.length > 1 ? 'Several conflicts begin' : 'No conflict begins'} with ${safe(id)}: faultline conflicts list shows them.`,
  )
}

function sideNamed(id: string, conflict: ConflictRow): string {
  const found = conflict.sides.filter(
    ({ trialId }) => trialId === id || (id.length >= 4 && trialId.startsWith(id)),
  )
  const [side] = found
  if (side !== undefined && found.length === 1) return side.trialId
  throw new UsageError(
    `--keep takes one of ${conflict.sides.map(({ trialId }) => trialId).join(', ')}, both or none.`,
  )
}

function print(work: Work, value: unknown, rows: readonly ConflictRow[]): void {
  if (work.globals.json === true) work.terminal.out(printableJson(value))
  else work.terminal.out(work.globals.csv === true ? csv(rows) : text(rows))
}

function text(rows: readonly ConflictRow[]): string {
  if (rows.length === 0) return 'No conflicts: every trial counts once.'
  const open = rows.filter(({ keep }) => keep === null).length
  const blocks = rows.map((row) => {
    const sides = row.sides.map((side) => {
      const isKept = row.keep === 'both' || row.keep === side.trialId
      const from = side.sources.map(
        ({ fileName, line }) => `${safe(fileName, 50)}${line === null ? '' : ` line ${line}`}`,
      )
      return `  ${row.keep === null ? ' ' : isKept ? '✓' : '×'} ${side.trialId}  ${side.outcome}, ${plural(side.steps, 'step')}, from ${from.join(' and ') || 'a deleted import'}`
    })
    return [
      `${row.conflictId.slice(0, 12)}  ${safe(row.suite, 30)}/${safe(row.task, 50)}  id ${safe(row.sourceId ?? '–', 50)}`,
      ...(row.differs.length > 0 ? [`    they differ in: ${row.differs.join(', ')}`] : []),
      ...sides,
    ].join('\n')
  })
  return `${blocks.join('\n\n')}\n\n${open === 0 ? 'All decided.' : `${plural(open, 'conflict')} to decide: neither side counts until then.`}`
}

function csv(rows: readonly ConflictRow[]): string {
  return csvText(
    'conflict_id suite task source_id kept trial_id outcome score steps files differs'.split(' '),
    rows.flatMap((row) =>
      row.sides.map((side) => [
        row.conflictId,
        row.suite,
        row.task,
        row.sourceId,
        row.keep === null ? null : row.keep === 'both' || row.keep === side.trialId ? 1 : 0,
        side.trialId,
        side.outcome,
        side.score,
        side.steps,
        side.sources.map(({ fileName }) => fileName).join(' '),
        row.differs.join(' '),
      ]),
    ),
  )
}
