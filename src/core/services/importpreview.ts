// An import before anything is written: the same thread reads the beginning of every file, and its news are counted
// instead of kept. Reads the workspace only to know what is here already.

import { oneLine, plural } from '../../base/text.ts'
import type { ImportPreview, PreviewFile, PreviewTrial } from '../../contract/outcomerows.ts'
import type { ScorerChoice } from '../../contract/rulerows.ts'
import type { ImportProgress } from '../../contract/rows.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Context } from '../context.ts'
import { runImportThread } from '../importthread.ts'
import { importerById } from '../importers/registry.ts'
import type { ImportNews, ImportOrder, Sample } from '../importnews.ts'
import { allRules } from '../store/rules.ts'
import { knownHashes } from '../store/imports.ts'
import type { PreparedTrial } from '../store/ingest.ts'
import { openChoice, ScoresMet } from './scorers.ts'
import { groupProblems } from './problemgroups.ts'

/** What is looked at: enough to know the files, little enough not to be waited for. */
const SAMPLE: Sample = {
  fileTrials: 2000,
  fileBytes: 256 * 1024 * 1024,
  trials: 10_000,
  bytes: 512 * 1024 * 1024,
}
const PROGRESS_MS = 200
const FIRST_TRIALS = 10
const FILES_LISTED = 1000
const LABELS_LISTED = 50

/** What is asked; the same as of an import. */
export type PreviewRequest = Omit<ImportOrder, 'kind' | 'sample'>

type Counts = { [outcome in Outcome]: number }
type Without = { steps: number; times: number; cost: number }
type FileState = {
  readonly row: { -readonly [Key in keyof PreviewFile]: PreviewFile[Key] } & {
    outcomes: Counts
    without: Without
  }
  readonly tasks: Set<string>
  share: number
}

/** Looks at files as an import would read them. Rejects with CANCELLED's reason on abort. */
export async function previewImport(
  context: Context,
  request: PreviewRequest,
  signal: AbortSignal,
  progress: (value: ImportProgress) => void,
): Promise<ImportPreview> {
  const look = new Look(context)
  const timer = setInterval(() => progress(look.progress()), PROGRESS_MS)
  try {
    await runImportThread({ kind: 'import', ...request, sample: SAMPLE }, signal, (news) => look.take(news))
  } finally {
    clearInterval(timer)
  }
  signal.throwIfAborted()
  return look.preview()
}

const noOutcomes = (): Counts => ({ pass: 0, fail: 0, error: 0, unknown: 0 })

class Look {
  readonly #context: Context
  readonly #files: FileState[] = []
  readonly #tasks = new Set<string>()
  readonly #suites = new Set<string>()
  readonly #configurations = new Map<string, string>()
  readonly #scores = new ScoresMet()
  readonly #first: PreviewTrial[] = []
  readonly #problems: Parameters<typeof groupProblems>[0][number][] = []
  #current = ''
  #done = 0

  constructor(context: Context) {
    this.#context = context
  }

  take(news: ImportNews): void {
    if (news.kind === 'found') for (const file of news.files) this.#add(file)
    else if (news.kind === 'reading') {
      this.#current = this.#at(news.position).row.name
      this.#describe(news.position, news.recognised)
    } else if (news.kind === 'progress') this.#at(news.position).share = news.share
    else if (news.kind === 'batch') this.#batch(news)
    else if (news.kind === 'fileEnd') this.#end(news)
  }

  progress(): ImportProgress {
    return {
      importId: '',
      fileName: this.#current,
      filesDone: this.#done,
      filesTotal: this.#files.length,
      bytesDone: Math.round(this.#files.reduce((sum, file) => sum + file.row.bytes * file.share, 0)),
      bytesTotal: this.#files.reduce((sum, file) => sum + file.row.bytes, 0),
      trials: this.#files.reduce((sum, file) => sum + file.row.trials, 0),
      problems: this.#problems.length,
    }
  }

  preview(): ImportPreview {
    const rows = this.#files.map(({ row, tasks }) => ({ ...row, tasks: tasks.size }))
    const sum = (of: (row: PreviewFile) => number): number => rows.reduce((total, row) => total + of(row), 0)
    const outcomes = noOutcomes()
    for (const row of rows) for (const outcome of OUTCOMES) outcomes[outcome] += row.outcomes[outcome]
    const without = {
      steps: sum((row) => row.without.steps),
      times: sum((row) => row.without.times),
      cost: sum((row) => row.without.cost),
    }
    const listed = rows.toSorted((a, b) => Number(a.state === 'skipped') - Number(b.state === 'skipped'))
    const problems = groupProblems(this.#problems)
    const scorers = this.#scores.choices(allRules(this.#context.db())).slice(0, LABELS_LISTED)
    const known = {
      trials: sum((row) => row.trials),
      configurations: [...this.#configurations.values()],
      scorers,
      outcomes,
      without,
    }
    return {
      ...known,
      files: listed.slice(0, FILES_LISTED),
      filesTotal: rows.length,
      isPartial: rows.some((row) => row.isPartial),
      alreadyHere: sum((row) => row.alreadyHere),
      tasks: this.#tasks.size,
      suites: [...this.#suites].sort().slice(0, LABELS_LISTED),
      configurations: known.configurations.slice(0, LABELS_LISTED),
      firstTrials: this.#first,
      problems,
      attention: attention(rows, known),
    }
  }

  #at(position: number): FileState {
    const file = this.#files[position]
    if (file === undefined) throw new Error(`The import thread speaks of file ${position}`)
    return file
  }

  #add(found: { readonly name: string; readonly bytes: number; readonly skipped: string | null }): void {
    if (found.skipped !== null) this.#done += 1
    this.#files.push({
      row: {
        name: found.name,
        bytes: found.bytes,
        format: null,
        formatTitle: null,
        confidence: 0,
        reason: found.skipped ?? '',
        candidates: [],
        fault: null,
        state: 'skipped',
        isBeta: false,
        trials: 0,
        isPartial: false,
        alreadyHere: 0,
        tasks: 0,
        outcomes: noOutcomes(),
        without: { steps: 0, times: 0, cost: 0 },
      },
      tasks: new Set(),
      share: 0,
    })
  }

  #describe(
    position: number,
    recognised: NonNullable<(ImportNews & { kind: 'fileEnd' })['recognised']>,
  ): void {
    const { row } = this.#at(position)
    const { format, formatTitle, confidence, reason, candidates } = recognised
    Object.assign(row, { format, formatTitle, confidence, reason, candidates })
    row.isBeta = format !== null && importerById(format)?.status === 'beta'
  }

  #batch(news: ImportNews & { readonly kind: 'batch' }): void {
    const file = this.#at(news.position)
    const here = knownHashes(
      this.#context.db(),
      news.trials.map(({ contentHash }) => contentHash),
    )
    for (const trial of news.trials) this.#trial(file, trial, here)
    for (const piece of news.problems) {
      // What is beyond the hundredth of a code has no words of its own.
      if (piece.kind === 'row') {
        const { hint, line, ...problem } = piece.problem
        this.#problems.push({
          severity: problem.severity,
          code: problem.code,
          message: problem.message,
          count: problem.count,
          ...(hint === null ? {} : { hint }),
          ...(line === null ? {} : { line }),
          fileName: file.row.name,
        })
      }
    }
  }

  #trial(file: FileState, trial: PreparedTrial, here: ReadonlySet<string>): void {
    const { row, tasks } = file
    row.trials += 1
    row.outcomes[trial.outcome] += 1
    if (here.has(trial.contentHash)) row.alreadyHere += 1
    if (trial.stepCount === 0) row.without.steps += 1
    if (trial.startedAt === null) row.without.times += 1
    if (trial.costUsd === null) row.without.cost += 1
    tasks.add(trial.taskId)
    this.#tasks.add(trial.taskId)
    this.#suites.add(trial.suite)
    this.#scores.see(trial)
    const label = trial.configurationLabel ?? trial.model ?? 'a configuration without a name'
    this.#configurations.set(trial.configurationId, label)
    if (this.#first.length < FIRST_TRIALS)
      this.#first.push({
        fileName: row.name,
        suite: trial.suite,
        task: trial.task,
        title: trial.title,
        configuration: label,
        outcome: trial.outcome,
        score: trial.score,
        scorer: trial.scorer,
        steps: trial.stepCount,
        calls: trial.callCount,
        startedAt: trial.startedAt,
        sourceId: trial.sourceId,
        sourceTrial: trial.sourceTrial,
      })
  }

  #end(news: ImportNews & { readonly kind: 'fileEnd' }): void {
    const { row } = this.#at(news.position)
    if (news.recognised !== null) this.#describe(news.position, news.recognised)
    row.fault = news.fault
    row.isPartial = news.isPartial === true
    const isAside = news.state === 'skipped' && row.format !== null
    row.state =
      news.state === 'read' || news.state === 'kept' || news.state === 'unchanged'
        ? 'trials'
        : news.state === 'needs format'
          ? 'needs format'
          : isAside
            ? 'outcomes'
            : news.state === 'skipped'
              ? 'skipped'
              : 'unreadable'
    this.#done += 1
  }
}

const OUTCOMES: readonly Outcome[] = ['pass', 'fail', 'error', 'unknown']

/** What a person should see before it is kept, each in a sentence. */
function attention(
  files: readonly PreviewFile[],
  known: {
    readonly trials: number
    readonly configurations: readonly string[]
    readonly scorers: readonly ScorerChoice[]
    readonly outcomes: Counts
    readonly without: Without
  },
): readonly string[] {
  const found: string[] = []
  const asked = files.filter(({ state }) => state === 'needs format').length
  const broken = files.filter(({ state }) => state === 'unreadable').length
  const aside = files.filter(({ state }) => state === 'outcomes').length
  const { trials, outcomes, configurations, scorers, without } = known
  if (asked > 0) found.push(`${plural(asked, 'file')} ${asked === 1 ? 'needs' : 'need'} a format.`)
  if (broken > 0) found.push(`${plural(broken, 'file')} cannot be read.`)
  if (outcomes.unknown > 0)
    found.push(
      outcomes.unknown === trials
        ? 'No trial says how it ended.'
        : `How it ended is not known of ${plural(outcomes.unknown, 'trial')} of ${trials.toLocaleString('en-US')}.`,
    )
  if (aside > 0)
    found.push(`${plural(aside, 'file')} ${aside === 1 ? 'holds' : 'hold'} outcomes that can be attached.`)
  if (configurations.length > 1)
    found.push(
      `${plural(configurations.length, 'configuration')} together: ${configurations
        .slice(0, 4)
        .map((label) => oneLine(label, 40))
        .join(', ')}${configurations.length > 4 ? ', …' : ''}.`,
    )
  for (const choice of scorers) {
    const open = openChoice(choice)
    if (open !== null) found.push(open)
  }
  if (without.steps > 0 && trials > 0) found.push(`${plural(without.steps, 'trial')} without steps.`)
  return found
}
