// Identities made from content, so that the same export gives the same ids in every workspace: links, reports and
// exports can be compared between machines. Called in worker threads; no database here.

import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../base/json.ts'
import type { Configuration, TaskKey } from '../../model/trial.ts'

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** The hash of a trial's original record: equal hash, the same trial. `salt` tells equal bytes apart. */
export function contentHash(record: Uint8Array, salt: string | null): string {
  return salt === null ? sha256(record) : sha256(record, '\0', salt)
}

/** The hash of a trial's normal form in UTF-8: equal hash, equal content, whatever the record looked like. */
export function bodyHash(body: Uint8Array): string {
  return sha256(body)
}

/** A trial's id, from its content hash. */
export function trialId(hash: string): string {
  return `t${hash.slice(0, 19)}`
}

/** A task's id, from suite and task together: equal task names of two suites are two tasks. */
export function taskId(key: TaskKey): string {
  return `k${sha256(JSON.stringify([key.suite, key.task])).slice(0, 19)}`
}

/** Keys made lately: the trials of a file have few configurations. */
const lately = new Map<string, { id: string; content: string }>()
const LATELY = 32

/** A configuration's id and its canonical text: equal content, the same configuration. */
export function configurationKey(configuration: Configuration): { id: string; content: string } {
  const text = JSON.stringify(configuration)
  const known = lately.get(text)
  if (known !== undefined) return known
  const content = canonicalJson(configuration as unknown as Json)
  const key = { id: `c${sha256(content).slice(0, 19)}`, content }
  if (lately.size >= LATELY) lately.clear()
  lately.set(text, key)
  return key
}

/** Ids that are made to be unique everywhere: UUIDs, long hexadecimal numbers, and short forms of 22 signs. */
const UNIQUE =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,64}|(?=.*\d)(?=.*[a-zA-Z])[A-Za-z0-9]{22})(?:[:#].*)?$/i

/**
 * Names one trial of one source, to notice when its content is different the next time. An id that is unique everywhere is
 * the same trial whatever configuration the record says: a session that went on with another model is the same session.
 * Any other id is compared among trials of one configuration.
 */
export function sourceKey(
  format: string,
  suite: string,
  configurationId: string,
  key: string | null,
): string | null {
  if (key === null) return null
  const within = UNIQUE.test(key) ? null : configurationId
  return sha256(JSON.stringify([format, suite, within, key])).slice(0, 40)
}
