// Which task a trajectory belongs to, where its format does not say: from the names of its file and folders when they
// name a task (`task_18.jsonl`, `case-7/trial_2.jsonl`), else from the first prompt. Pure; makes no hashes, so that a
// person recognises the task.

import { oneLine, visibleText, wellFormed } from '../../base/text.ts'
import { withoutMediaText } from './media.ts'

const MAX_ID = 400
const ID_HEAD = 240
const ID_TAIL = 140
const TITLE = 80

const TASK_WORD = '(?:task|case|instance|issue|problem|question|scenario|sample|q)'
const TRIAL_WORD = '(?:trial|run|attempt|repetition|repeat|rep|try|epoch)'
const NAMED_TASK = new RegExp(
  `^(?<task>(?:.*[^a-z])?${TASK_WORD}[-_. ]?\\d[\\w.-]*?)(?:[-_. ]${TRIAL_WORD}[-_. ]?(?<trial>\\d+))?$`,
  'i',
)
const NAMED_TRIAL = new RegExp(`^${TRIAL_WORD}[-_. ]?(\\d+)$`, 'i')
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
const SAYS_NOTHING =
  /^(?:sessions?|chats?|logs?|outputs?|results?|trajectory|transcripts?|messages|stream|conversations?|data|unknown|claude(?:[-_]code)?|codex|gemini|file|index|trial|run)?[-_\d]*$/i

/** A task and the source's own trial number, as names tell them. */
export type NamedTask = { readonly task: string; readonly trial: string | null }

/** The parts of a source's name, last first, without extensions that say only how a file is written. */
function segments(name: string): string[] {
  return wellFormed(name)
    .replace(/(?:\.(?:jsonl|ndjson|json|gz|txt|log|zip|csv|bak|tmp))+$/i, '')
    .split('/')
    .filter((part) => part !== '')
    .toReversed()
}

/** The task that the file's name, or the nearest folder's, names by a word and a number; null when none does. */
export function taskOfName(name: string): NamedTask | null {
  let trial: string | null = null
  for (const part of segments(name)) {
    const found = NAMED_TASK.exec(part)?.groups
    const task = found?.['task']
    if (task !== undefined) return { task, trial: found?.['trial'] ?? trial }
    trial ??= NAMED_TRIAL.exec(part)?.[1] ?? null
  }
  return null
}

/** The file's stem, when it is more than an id or a word like `session`; null otherwise. */
export function tellingStem(name: string): string | null {
  const stem = segments(name)[0] ?? ''
  return stem === '' || UUID.test(stem) || SAYS_NOTHING.test(stem) ? null : stem
}

/**
 * A prompt as the id of a task: its text with white space folded. Of more than 400 characters the beginning, the end
 * and the length, which keeps tasks of one template apart.
 */
export function taskOfPrompt(prompt: string): string {
  const folded = visibleText(withoutMediaText(prompt)).replace(/\s+/g, ' ').trim()
  if (folded.length <= MAX_ID) return folded
  const head = wellFormed(folded.slice(0, ID_HEAD)).trimEnd()
  const tail = wellFormed(folded.slice(-ID_TAIL)).trimStart()
  return `${head} … ${tail} (${folded.length.toLocaleString('en-US')} characters)`
}

/** What a trial without a task of its own is filed under. */
export type FiledTask = {
  readonly task: string
  readonly taskTitle: string | null
  readonly taskInput: string | null
  readonly sourceTrial: string | null
}

/**
 * The task of a trial from, in this order: a name that names one (`fileName` null where several trials share the
 * file), the first prompt, a telling file name, and at last `fallback`, or `unknown` when that is empty.
 */
export function fileUnder(fileName: string | null, prompt: string | null, fallback: string): FiledTask {
  const named = fileName === null ? null : taskOfName(fileName)
  const own = prompt === null ? '' : taskOfPrompt(prompt)
  const stem = fileName === null ? null : tellingStem(fileName)
  const names = [named?.task, own, stem, fallback]
  const task = wellFormed(
    names.find((name) => name !== undefined && name !== null && name !== '') ?? 'unknown',
  )
  return {
    task,
    taskTitle: named === null && task.length > TITLE ? oneLine(task, TITLE) : null,
    taskInput: prompt,
    sourceTrial: named?.trial ?? null,
  }
}
