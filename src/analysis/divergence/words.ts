// What a tool's name says: is it a state-changing, a checking or a reading call, and which stage of the work
// does it belong to. Word lists only; recorded effects and what a person set come first (prepare.ts).

import { FOREIGN_CHECK, FOREIGN_READ, FOREIGN_WRITE } from './foreignwords.ts'

const CHECK_WORDS = list(`check verify validate permission permissions authorize authorization access policy
  eligibility eligible allowed confirm approve`)

const COMPUTE_WORDS = list('parse date convert calculate compute count sum think normalize format')

const IDENTIFY_WORDS = list('find search login identify authenticate lookup')

const PERSON_WORDS = list('user customer account login authenticate')

const READ_WORDS = list(`get list search find lookup look query fetch read describe show view check calculate
  compute parse count think grep ls cat open verify validate retrieve load select inspect is has can convert
  estimate preview`)

const WRITE_WORDS =
  list(`create update delete remove cancel modify exchange return book send issue refund apply
  set add assign transfer submit write edit insert patch post put close approve pay charge commit push execute
  run append rename move replace save undo redo type click fill press upload install uninstall kill restart start
  stop deploy scale rollback merge checkout reset clear register reserve buy purchase schedule reschedule upgrade
  downgrade enable disable lock unlock grant revoke invite notify reply forward archive copy mkdir touch change
  reject accept escalate dispatch ship order swap withdraw deposit upsert drop truncate publish unpublish`)

const isWriteWord = (word: string): boolean => WRITE_WORDS.has(word) || FOREIGN_WRITE.has(word)
const isReadWord = (word: string): boolean => READ_WORDS.has(word) || FOREIGN_READ.has(word)
const isCheckWord = (word: string): boolean => CHECK_WORDS.has(word) || FOREIGN_CHECK.has(word)

function list(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}

/** The lower-case words of a name: without accents, split at non-letters and at camelCase (`mcp__ops__queryMetrics` → mcp ops query metrics). */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/([\p{Ll}0-9])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
}

/** Whether a tool changes something, with the word that says so. */
export type NameVerdict = { readonly isWrite: boolean; readonly isKnown: boolean; readonly reason: string }

/**
 * Read or write, from the name alone. The first word decides, then any write word, then any read word; an unknown
 * name counts as a write, because a write is never folded and never commuted.
 */
export function classOfName(name: string): NameVerdict {
  const words = nameWords(name)
  const first = words[0]
  if (first !== undefined) {
    if (isWriteWord(first)) return { isWrite: true, isKnown: true, reason: `name begins with “${first}”` }
    if (isReadWord(first)) return { isWrite: false, isKnown: true, reason: `name begins with “${first}”` }
    const write = words.find(isWriteWord)
    if (write !== undefined) return { isWrite: true, isKnown: true, reason: `name contains “${write}”` }
    const read = words.find(isReadWord)
    if (read !== undefined) return { isWrite: false, isKnown: true, reason: `name contains “${read}”` }
  }
  return { isWrite: true, isKnown: false, reason: 'no known verb in the name: taken as state-changing' }
}

/** The semantic stage of a tool: act, check, compute, identify or gather. */
export function stageOfName(name: string, isWrite: boolean): string {
  if (isWrite) return 'act'
  const words = nameWords(name)
  if (words.some(isCheckWord)) return 'check'
  if (words.some((word) => COMPUTE_WORDS.has(word))) return 'compute'
  if (words.some((word) => IDENTIFY_WORDS.has(word)) && words.some((word) => PERSON_WORDS.has(word))) {
    return 'identify'
  }
  return 'gather'
}

/** True when a glob (`*` stands for any text, nothing else is special) fits the whole name. Linear, never a regex. */
export function matchesGlob(glob: string, name: string): boolean {
  const parts = glob.split('*')
  const head = parts[0] ?? ''
  if (parts.length === 1) return glob === name
  const tail = parts.at(-1) ?? ''
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false
  let from = head.length
  const end = name.length - tail.length
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from)
    if (at < 0 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}
