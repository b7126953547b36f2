// What runs of coding agents have in common, whichever harness wrote them: folders that name the run and count its
// repetitions, prompts too long to be part of a configuration. Used by the importers of such harnesses; knows no format.

import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../base/json.ts'
import { wellFormed } from '../../base/text.ts'
import { isBare } from './fields.ts'

const RUN_NUMBER =
  /^(?<label>(?:.*[-_. ])?)(?:run|trial|attempt|repetition|repeat|rep)[-_. ]?(?<number>\d+)$/i
const SAYS_NOTHING = /^(?:trajector(?:y|ies)|trajs?|results?|outputs?|runs?|data|logs?|files?|unknown)$/i
/** Names that a disk can have; longer ones, in a zip, say nothing. */
const MAX_FOLDER = 255
const HASH_CHARACTERS = 12
const INFRA =
  /connection|timed? ?out|http|rate ?limit|overload|unavailable|litellm|api ?(?:error|connection|status)|socket|ssl|dns|quota|docker|container|runtime|environment|disk/i

/** What folder names tell of a run: what it is called, and which repetition it is. */
export type RunFolder = { readonly label: string | null; readonly number: string | null }

/**
 * The run in the folders of a file's name, nearest first. A number at the end (`gpt-x_run_2`, `attempt-1`) is the
 * repetition and no part of the label, so that repetitions have one. `aside` are folders that mean something else.
 */
export function runFolder(name: string, aside: readonly (string | null)[] = []): RunFolder {
  let number: string | null = null
  for (const part of wellFormed(name).split('/').slice(0, -1).toReversed()) {
    if (part === '' || part.length > MAX_FOLDER || aside.includes(part)) continue
    const groups = RUN_NUMBER.exec(part)?.groups
    number ??= groups?.['number'] ?? null
    const label = groups === undefined ? part : (groups['label'] as string).replace(/[-_. ]+$/, '')
    if (label !== '' && !SAYS_NOTHING.test(label)) return { label, number }
  }
  return { label: null, number }
}

/** A short hash of a value, for prompts and tools whose text is too long for a configuration; null for nothing. */
export function fingerprint(value: Json | undefined): string | null {
  if (value === undefined || isBare(value) || value === '') return null
  const hash = createHash('sha256').update(canonicalJson(value)).digest('hex')
  return `sha256:${hash.slice(0, HASH_CHARACTERS)}`
}

/** Where an error came from, as far as its words tell. */
export function originOf(words: string): 'infra' | 'unknown' {
  return INFRA.test(words) ? 'infra' : 'unknown'
}

/** A count that a harness writes as 0 when it did not count; null then. */
export function countedOf(value: number | null): number | null {
  return value === 0 ? null : value
}
