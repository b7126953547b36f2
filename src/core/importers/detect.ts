// Detection: which importer a source belongs to, by its content. Every importer is asked; the surest wins; a
// tie, or nobody sure, is a question to the person, with every reason. A name breaks a tie and decides nothing.

import { isObject } from '../../base/json.ts'
import { oneLine } from '../../base/text.ts'
import type { Candidate, Detection, Importer, Problem, ProblemCode, Source, SourceHead } from './importer.ts'
import { predictionsIn } from './predictions.ts'
import { problemOf } from './reader.ts'
import { IMPORTERS } from './registry.ts'

/** Below this, nobody is sure. */
export const SURE = 0.5
/** Below this, a format that is known by name and not read is likelier than a guess by general shape. */
const NAMED = 0.6

const WHAT_TO_DO: Readonly<Record<string, string>> = {
  zip: 'Unpack it and import the folder. (A zip in a zip is opened, but not one in that; nor a zip in gzip.)',
  tar: 'Unpack it and import the folder.',
  '7-Zip': 'Unpack it and import the folder.',
  Zstandard: 'Decompress it, or compress it with gzip, and import the result.',
  xz: 'Decompress it, or compress it with gzip, and import the result.',
  bzip2: 'Decompress it, or compress it with gzip, and import the result.',
  SQLite: 'Export the rows as JSON lines and import those.',
  Parquet: 'Export the rows as JSON lines and import those.',
  Arrow: 'Export the rows as JSON lines and import those.',
  Avro: 'Export the rows as JSON lines and import those.',
}

const WHO_AND_WHEN = 'Who&When labels'

/** Formats whose content is recognised, although this version has no importer for them. */
const NOT_READ_YET: readonly (readonly [title: string, keys: readonly string[], hint?: string])[] = [
  [
    'the fine-tuning export of a Harbor trial (traces)',
    ['conversations', 'trial_name'],
    'Import the folder of the job or trial that it was made from: result.json has the outcome, agent/trajectory.json the steps.',
  ],
  [
    'a fine-tuning export of conversations',
    ['conversations'],
    'Import what it was made from: the folder of the job, or one record per trial as Faultline JSONL (docs/formats.md).',
  ],
  ['OpenTelemetry spans', ['resourceSpans']],
  ['OpenTelemetry spans', ['trace_id', 'span_id']],
  ['OpenTelemetry spans', ['traceId', 'spanId']],
  ['OpenTelemetry spans', ['span_count', 'spans']],
  ['a Langfuse export', ['trace', 'observations']],
  ['promptfoo results', ['results', 'config']],
  ['LangSmith runs', ['run_type', 'inputs']],
  ['LangSmith runs as they are sent', ['post', 'patch']],
  ['DeepEval results', ['testCases']],
  ['a DeepEval trace', ['baseSpans']],
  ['an ADK session', ['id', 'context', 'events']],
  ['an ADK session', ['events', 'appName']],
  [WHO_AND_WHEN, ['mistake_agent', 'mistake_step']],
  [WHO_AND_WHEN, ['question_ID', 'ground_truth', 'history']],
  [WHO_AND_WHEN, ['history', 'ground_truth', 'is_corrected']],
  ['AgentLab results', ['n_steps', 'cum_reward']],
  ['a Terminal-Bench run', ['results', 'n_resolved']],
  ['Braintrust spans', ['span_attributes', 'root_span_id']],
  ['a Weave export', ['op_name', 'inputs']],
]

/** What these formats are called, each once. */
export const RECOGNISED: readonly string[] = [...new Set(NOT_READ_YET.map(([title]) => title))]

/**
 * Asks every importer about a source. Never throws, except the abort reason. What each of them missed is said of a file
 * that a person named; of the strangers in a folder, which may be many thousands, only what was tried.
 */
export async function detect(
  source: Source,
  signal?: AbortSignal,
  importers: readonly Importer[] = IMPORTERS,
): Promise<Detection> {
  let head: SourceHead
  try {
    head = await source.head(signal)
  } catch (error) {
    signal?.throwIfAborted()
    return { importer: null, ask: false, candidates: [], problem: problemOf(error) }
  }
  const found = detectHead(head, importers)
  if (source.origin === 'file' || found.problem?.code !== 'FORMAT_UNKNOWN' || found.candidates.length === 0)
    return found
  const possible = found.candidates.filter(({ confidence }) => confidence > 0).map(reasonLine)
  const tried = `Tried: ${found.candidates.map(({ title }) => title).join(', ')}. Import the file by itself to see what each of them missed.`
  return { ...found, problem: { ...found.problem, hint: [...possible, tried].join('\n') } }
}

/** The same from a head. Pure. */
export function detectHead(head: SourceHead, importers: readonly Importer[] = IMPORTERS): Detection {
  const hopeless = head.entries === null || head.entries.length === 0 ? unreadable(head) : null
  if (hopeless !== null) return { importer: null, ask: false, candidates: [], problem: hopeless }
  const answers = importers.map((importer) => ({ importer, sniff: sniffSafely(importer, head) }))
  answers.sort((a, b) => b.sniff.confidence - a.sniff.confidence)
  const candidates = answers.map(({ importer, sniff }): Candidate => ({
    id: importer.id,
    title: importer.title,
    ...sniff,
  }))
  const best = answers[0]
  const named = (best?.sniff.confidence ?? 0) < NAMED ? notReadYet(head) : null
  if (named !== null) return { importer: null, ask: false, candidates, problem: named }
  if (best === undefined || best.sniff.confidence < SURE) {
    const problem = notRecognised(head, candidates)
    return {
      importer: null,
      ask: problem.code === 'FORMAT_UNKNOWN' && head.records.length > 0,
      candidates,
      problem,
    }
  }
  const tied = answers.filter(({ sniff }) => sniff.confidence === best.sniff.confidence)
  const hinted = tied.length > 1 ? tied.filter(({ importer }) => importer.nameHint?.test(head.name)) : tied
  const chosen = hinted.length === 1 ? hinted[0] : undefined
  if (chosen === undefined)
    return {
      importer: null,
      ask: true,
      candidates,
      problem: {
        severity: 'error',
        code: 'FORMAT_UNKNOWN',
        message: `${head.name} could be ${tied.map(({ importer }) => importer.title).join(' or ')}: which is it?`,
        hint: tied.map(({ importer, sniff }) => `${importer.title}: ${sniff.reason}`).join('\n'),
      },
    }
  return { importer: chosen.importer, ask: false, candidates, problem: null }
}

/** True when an importer knows the archive as its own, so that its members are no files of their own. */
export function isClaimed(head: SourceHead, importers: readonly Importer[] = IMPORTERS): boolean {
  return head.entries !== null && importers.some((importer) => sniffSafely(importer, head).confidence >= SURE)
}

function sniffSafely(importer: Importer, head: SourceHead): { confidence: number; reason: string } {
  try {
    return importer.sniff(head)
  } catch (error) {
    return {
      confidence: 0,
      reason: `could not look: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function reasonLine(candidate: Candidate): string {
  return `${candidate.title}: ${candidate.reason}`
}

function fail(code: ProblemCode, message: string, hint?: string, byte?: number): Problem {
  return {
    severity: 'error',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(byte === undefined ? {} : { byte }),
  }
}

/** Longer files hold more than brackets with white space between. */
const MOST_BLANK = 4096

/** What no importer could do anything with, each with its own sentence. */
function unreadable(head: SourceHead): Problem | null {
  const { name } = head
  if (head.entries !== null) return fail('FILE_EMPTY', `${name} is empty: the zip file has no members.`)
  if (head.magic !== null)
    return fail(
      'FORMAT_NOT_READ',
      `${name} is a ${head.magic} file${head.isGzip ? ' inside gzip' : ''}, which is not read in this version.`,
      WHAT_TO_DO[head.magic] ?? 'Import the trials as JSON or JSON lines.',
    )
  if (head.shape === 'empty') {
    if (head.size === 0) return fail('FILE_EMPTY', `${name} is empty: 0 bytes.`)
    if (head.bytes.length === 0)
      return fail(
        'FILE_EMPTY',
        head.isGzip
          ? `${name} is empty: there is nothing in the gzip file.`
          : `${name} is empty: it holds a byte-order mark and nothing else.`,
      )
    return fail('FILE_EMPTY', `${name} is empty: it holds nothing but white space.`)
  }
  if (head.isWhole && head.records.length <= 1) {
    const bare = head.text.length > MOST_BLANK ? '' : head.text.replace(/\s+/g, '')
    if (bare === '[]') return fail('FILE_EMPTY', `${name} is empty: its list has no elements.`)
    if (bare === '{}') return fail('FILE_EMPTY', `${name} is empty: its object has no members.`)
  }
  if (head.shape === 'binary')
    return head.nulAt === null
      ? fail('FORMAT_UNKNOWN', `${name} is not text.`, 'Import the trials as JSON or JSON lines.')
      : nulBytes(name, head.nulAt)
  return null
}

function nulBytes(name: string, at: number): Problem {
  return fail(
    'NUL_BYTES',
    `${name} holds NUL bytes (the first at byte ${at.toLocaleString('en-US')}): it is not a text file, or its writing was interrupted.`,
    'If it was an export, write it again. UTF-16 text needs its byte-order mark.',
    at,
  )
}

/** A format that is known by its content and has no importer here; null when it is none of these. */
function notReadYet(head: SourceHead): Problem | null {
  const first = head.records[0]?.value
  const handedIn = head.nulAt === null ? predictionsIn(head) : null
  if (handedIn !== null) {
    const message = `${head.name} holds ${handedIn}, without outcome or steps: there are no trials in it.`
    const hint = "Import the run's trajectories, and the report that says which instances were resolved."
    return { ...fail('FORMAT_NOT_READ', message, hint), severity: 'info' }
  }
  if (!isObject(first) || head.nulAt !== null) return null
  const found = NOT_READ_YET.find(
    ([title, keys]) =>
      keys.every((key) => Object.hasOwn(first, key)) || (title === WHO_AND_WHEN && isLongHistory(first)),
  )
  return found === undefined
    ? null
    : fail(
        'FORMAT_NOT_READ',
        `${head.name} looks like ${found[0]}, which is not read in this version.`,
        found[2] ?? 'Convert it to Faultline JSONL: docs/formats.md says how.',
      )
}

/** A history of Who&When so long that its labels lie behind what detection sees: its planner speaks of itself in it. */
function isLongHistory(first: Record<string, unknown>): boolean {
  const history = Object.keys(first).join() === 'history' ? first['history'] : null
  return (
    Array.isArray(history) &&
    (history as unknown[])
      .slice(0, 3)
      .some((one) => isObject(one) && one['role'] === 'Orchestrator (thought)')
  )
}

function notRecognised(head: SourceHead, candidates: readonly Candidate[]): Problem {
  if (head.entries !== null)
    return fail(
      'FORMAT_UNKNOWN',
      `${head.name} is a zip file, and as a whole no format that this version recognises.`,
      'Its members are read one by one when it is imported.',
    )
  if (head.nulAt !== null) return nulBytes(head.name, head.nulAt)
  const first = head.records[0]?.value
  const seen =
    head.shape === 'text'
      ? 'It is text, but not JSON.'
      : head.records.length === 0
        ? 'It begins like JSON, but no record in it is complete JSON.'
        : isObject(first)
          ? `It is JSON; its first record has ${keyList(first)}.`
          : 'It is JSON, but its records are not objects.'
  return fail(
    'FORMAT_UNKNOWN',
    `${head.name} is not a format that this version recognises. ${seen}`,
    candidates.map(reasonLine).join('\n'),
  )
}

function keyList(value: Record<string, unknown>): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'no keys'
  const shown = keys.slice(0, 8).map((key) => oneLine(key, 30))
  return `the keys ${shown.join(', ')}${keys.length > 8 ? ', …' : ''}`
}
