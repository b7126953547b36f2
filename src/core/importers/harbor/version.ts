// Versions of ATIF, and what an ATIF object is known by. Pure.

import type { Json } from '../../../base/json.ts'
import { asList, asObject, asText, member } from '../fields.ts'

/** The newest version that is read, and the first without a real sample at hand. */
const NEWEST_MINOR = 8
const FIRST_BETA_MINOR = 7

/** A version as written, and what follows from it. */
export type AtifVersion = { readonly text: string; readonly isBeta: boolean; readonly isNewer: boolean }

/** The version in `schema_version`: `ATIF-v1.6`, or the number alone; null when it is none. */
export function atifVersion(value: Json | undefined): AtifVersion | null {
  const text = asText(member(value, 'schema_version'))
  const found = text === null ? null : /^(?:ATIF[-_ ]?)?v?(\d{1,4})\.(\d{1,4})(?:\.\d+)?$/i.exec(text.trim())
  if (text === null || found === null) return null
  const [major, minor] = [Number(found[1]), Number(found[2])]
  const isNewer = major > 1 || (major === 1 && minor > NEWEST_MINOR)
  return { text, isNewer, isBeta: !isNewer && minor >= FIRST_BETA_MINOR }
}

/** How sure it is that a value is an ATIF trajectory, and why. */
export function looksLikeAtif(value: Json | undefined): { confidence: number; reason: string } {
  const root = asObject(value)
  const version = asText(root?.['schema_version'])
  if (root === null) return { confidence: 0, reason: 'no object' }
  if (version !== null && /^ATIF/i.test(version))
    return { confidence: 0.97, reason: `an object with schema_version ${version.slice(0, 40)}` }
  const hasAgent = asText(member(root['agent'], 'name')) !== null
  const first = asList(root['steps'])?.[0]
  if (hasAgent && version !== null && Object.hasOwn(root, 'steps') && atifVersion(root) !== null)
    return { confidence: 0.9, reason: 'an object with schema_version, agent and steps' }
  if (hasAgent && asText(member(first, 'source')) !== null && member(first, 'step_id') !== undefined)
    return { confidence: 0.8, reason: 'an object with agent and steps (step_id, source), without a version' }
  return { confidence: 0, reason: 'no object with schema_version ATIF, agent and steps' }
}
