// Settings of foreign programs without what may be a secret: keys, passwords, headers, environments. Every configuration
// that an importer makes passes here (reader.ts), so that none of it stands in a label, a report or an export. The
// original record keeps what it has. Pure.

import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { isBare } from './fields.ts'

/** Names of members that are left out. Rather one too many: a setting that is missed is asked for, a key is not. */
const SECRET =
  /key|secret|passw|credential|authorization|cookie|bearer|headers?$|(?:^|[-_])(?:token|auth|env|env[-_]?vars?)$/i

/** The value without members that are named like secrets, at every depth; the same value when there are none. */
export function withoutSecretMembers(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    const kept = items.map(withoutSecretMembers)
    return kept.every((one, i) => one === items[i]) ? value : kept
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value as JsonObject)
  const kept = entries.flatMap(([key, one]): [string, Json][] =>
    SECRET.test(key) ? [] : [[key, withoutSecretMembers(one)]],
  )
  const isSame = kept.length === entries.length && kept.every(([, one], i) => one === entries[i]?.[1])
  return isSame ? value : Object.fromEntries(kept)
}

/** The settings without such members and without those that hold nothing. */
export function withoutSecrets(settings: JsonObject): JsonObject {
  const kept = Object.entries(withoutSecretMembers(settings) as JsonObject)
  return Object.fromEntries(
    kept.flatMap(([key, value]): [string, Json][] => (isBare(value) ? [] : [[key, filled(value)]])),
  )
}

function filled(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(filled)
  return isObject(value) ? withoutSecrets(value as JsonObject) : value
}
