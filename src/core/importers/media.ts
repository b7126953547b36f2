// Images, audio and other bytes inside of foreign JSON, replaced by a placeholder with type and size. The bytes stay
// in the trial's original record; nothing of them is decoded here, and no address is ever loaded.

import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../base/json.ts'
import type { Trial } from '../../model/trial.ts'
import { asObject, asText } from './fields.ts'

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^,;]{1,100})*;base64,/i
/** Shorter texts are shown as they are, whatever they encode. */
const MIN_BASE64 = 64
const TYPE_KEYS = ['media_type', 'mimeType', 'mime_type', 'format']

/** The type and the bytes of a `data:` address; null for any other text. */
export function dataAddress(text: string): { readonly type: string | null; readonly base64: string } | null {
  const found = DATA_URI.exec(text)
  return found === null ? null : { type: found[1] ?? null, base64: text.slice(found[0].length) }
}

const EMBEDDED =
  /data:([\w.+-]{1,60}\/[\w.+-]{1,60})(?:;[\w=.+-]{1,60}){0,4};base64,([A-Za-z0-9+/_-]{256,}={0,2})/gi
/** What base64 of PNG, JPEG, GIF, WebP or WAV, and PDF begins with. */
const MAGIC = ['iVBORw0KGgo', '/9j/', 'R0lGOD', 'UklGR', 'JVBERi0']
const BARE = /(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)[A-Za-z0-9+/_-]{1000,}={0,2}/g
/** Shorter texts have no room for either. */
const MIN_EMBEDDED = 256
/** Looked for in every record's bytes: few and rare, so that a record without media costs next to nothing. */
const HINTS = ['base64', 'VBORw0', '/9j/', 'R0lGOD', 'UklGR', 'JVBERi']

/** False when no part of a record can be media that has to be replaced. */
export function mayHoldMedia(recordBytes: Buffer): boolean {
  return HINTS.some((hint) => recordBytes.includes(hint))
}

/**
 * The trial with placeholders for media that a format's reader left in it: `data:` addresses inside of texts, bytes
 * beside their type, and bare base64 of known kinds of file. The same trial when its original record has no sign of any.
 */
export function withoutMedia(trial: Trial, recordBytes: Buffer): Trial {
  if (!mayHoldMedia(recordBytes)) return trial
  const { steps, extra, taskInput } = trial
  const rest = { steps, extra, taskInput } as unknown as Json
  const bare = withoutEmbedded(rest)
  return bare === rest
    ? trial
    : { ...trial, ...(bare as unknown as Pick<Trial, 'steps' | 'extra' | 'taskInput'>) }
}

/** The value without them; the same value when there are none. */
function withoutEmbedded(value: Json): Json {
  if (typeof value === 'string') return withoutMediaText(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    const kept = items.map(withoutEmbedded)
    return kept.every((one, i) => one === items[i]) ? value : kept
  }
  const object = value as JsonObject
  let isSame = true
  const kept = Object.entries(object).map(([name, item]): [string, Json] => {
    const shown = name === 'data' ? withoutTyped(object, item) : withoutEmbedded(item)
    if (shown !== item) isSame = false
    return [name, shown]
  })
  return isSame ? value : Object.fromEntries(kept)
}

function withoutTyped(object: JsonObject, data: Json): Json {
  const key = TYPE_KEYS.find((one) => typeof object[one] === 'string')
  if (key === undefined || typeof data !== 'string' || data.length < MIN_BASE64) return withoutEmbedded(data)
  return mediaPlaceholder('data', asText(object[key]), data)
}

/** The text with placeholders for `data:` addresses and for bare base64 of known kinds of file inside of it. */
export function withoutMediaText(text: string): string {
  if (text.length < MIN_EMBEDDED) return text
  const bare = /;base64,/i.test(text)
    ? text.replace(EMBEDDED, (_, type: string, bytes: string) =>
        mediaPlaceholder(type.split('/')[0] ?? 'data', type, bytes),
      )
    : text
  return MAGIC.some((magic) => bare.includes(magic))
    ? bare.replace(BARE, (bytes) => mediaPlaceholder('data', null, bytes))
    : bare
}

/** `[image, image/png, 7,534 bytes, sha256 1a2b3c4d]`: equal bytes have equal placeholders. */
export function mediaPlaceholder(kind: string, type: string | null, base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  const hash = createHash('sha256').update(base64).digest('hex').slice(0, 8)
  return `[${[kind, type, `${bytes.toLocaleString('en-US')} bytes`, `sha256 ${hash}`].filter(Boolean).join(', ')}]`
}

/** A medium given as bytes, as a `data:` address or as an address: a placeholder; the address is shown as text. */
export function mediaText(kind: string, value: string | null, type: string | null = null): string {
  if (value === null || value === '') return `[${kind}]`
  const found = dataAddress(value)
  if (found !== null) return mediaPlaceholder(kind, found.type ?? type, found.base64)
  if (type !== null && /^[A-Za-z0-9+/_=\s-]+$/.test(value)) return mediaPlaceholder(kind, type, value)
  return `[${kind}, ${value.slice(0, 300)}]`
}

/** A value in which every `data:` address, and every text beside its media type, is a placeholder. */
export function withoutBytes(value: Json): Json {
  if (typeof value === 'string') {
    const found = dataAddress(value)
    return found === null ? value : mediaPlaceholder('data', found.type, found.base64)
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutBytes)
  const object = value as JsonObject
  const key = TYPE_KEYS.find((one) => typeof object[one] === 'string')
  const data = asText(object['data'])
  const isBytes = key !== undefined && data !== null && data.length >= MIN_BASE64
  return Object.fromEntries(
    Object.entries(object).map(([name, item]) => [
      name,
      isBytes && name === 'data'
        ? mediaPlaceholder('data', asText(object[key as string]), data)
        : withoutBytes(item),
    ]),
  )
}

/** The `source` of an image or document: `{type: base64, media_type, data}` or `{type: url, url}`. */
export function mediaOfSource(kind: string, value: Json | undefined): string {
  const source = asObject(value)
  if (source === null) return mediaText(kind, asText(value))
  const type = asText(source['media_type']) ?? asText(source['mimeType']) ?? asText(source['mime_type'])
  const data = asText(source['data'])
  if (data !== null && source['type'] === 'text') return data
  if (data !== null) return mediaPlaceholder(kind, type, data)
  return mediaText(kind, asText(source['url']) ?? asText(source['file_id']) ?? asText(source['fileUri']))
}
