// Content of Inspect messages: attachments put back where they are referred to, parts of a message told apart, and
// images, audio and other bytes replaced by a placeholder with type and size. The bytes themselves stay in the
// trial's original record; nothing of them is decoded here.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asList, asObject, asText } from '../fields.ts'
import { dataAddress, mediaPlaceholder } from '../media.ts'

const REFERENCE = /^(?:attachment|tc):\/\/(\S{1,200})$/

/** Texts that events and messages refer to, by hash or, in the chunked layout, by position. */
export class Attachments {
  readonly #texts: JsonObject | readonly Json[]
  /** References that lead nowhere. */
  readonly missing = new Set<string>()

  constructor(texts: Json | undefined) {
    this.#texts = asObject(texts) ?? asList(texts) ?? {}
  }

  /** The text, or the one that it refers to. A reference to nothing stays as it is and is noted. */
  text(text: string): string {
    const found = REFERENCE.exec(text)
    if (found === null) return text
    const key = found[1] as string
    const held = Object.hasOwn(this.#texts, key) ? (this.#texts as JsonObject)[key] : undefined
    if (typeof held === 'string') return held
    this.missing.add(key)
    return text
  }

  /** A value with every string in it resolved, and bytes in it replaced by placeholders. */
  value(value: Json): Json {
    if (typeof value === 'string') return withoutBytes(this.text(value))
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.value(item))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.value(item)]))
  }
}

/** A text, or the placeholder of the bytes that it is. */
export function withoutBytes(text: string, kind = 'data'): string {
  const found = dataAddress(text)
  if (found === null) return text
  const shown = /^(?:image|audio|video)\//.test(found.type ?? '') ? (found.type?.split('/')[0] ?? kind) : kind
  return mediaPlaceholder(shown, found.type, found.base64)
}

/** A tool that the model's provider ran itself, inside of a message. */
export type ServerCall = {
  readonly id: string | null
  readonly name: string
  readonly args: Json
  readonly result: string | null
  readonly error: string | null
}

/** A message's content in order: texts (placeholders among them), reasoning, and calls run by the provider. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly isRefusal: boolean }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ServerCall }

/** The parts of a message's or a tool result's content; bare values are text. */
export function readParts(content: Json | undefined, attachments: Attachments): Part[] {
  if (content === undefined || content === null) return []
  const list = asList(content)
  if (list !== null) return list.flatMap((item) => readParts(item, attachments))
  if (typeof content !== 'object')
    return [
      {
        kind: 'text',
        text: typeof content === 'string' ? withoutBytes(attachments.text(content)) : JSON.stringify(content),
        isRefusal: false,
      },
    ]
  return readPart(content as JsonObject, attachments)
}

function text(value: string): Part[] {
  return value === '' ? [] : [{ kind: 'text', text: value, isRefusal: false }]
}

function readPart(part: JsonObject, attachments: Attachments): Part[] {
  const given = (key: string): string | null => {
    const value = asText(part[key])
    return value === null ? null : attachments.text(value)
  }
  const type = asText(part['type'])
  switch (type) {
    case 'text': {
      const written = withoutBytes(given('text') ?? '')
      return [{ kind: 'text', text: written, isRefusal: part['refusal'] === true }]
    }
    case 'reasoning': {
      const isWithheld = part['redacted'] === true
      const written = isWithheld ? given('summary') : given('reasoning') || given('summary')
      return [{ kind: 'reasoning', text: written || '[reasoning that the provider withheld]' }]
    }
    case 'image':
    case 'audio':
    case 'video':
      return text(medium(type, given(type)))
    case 'document': {
      const name = given('filename')
      const shown = medium('document', given('document'))
      return text(name === null ? shown : `${shown.slice(0, -1)}, ${name}]`)
    }
    case 'tool_use':
      return [{ kind: 'call', call: readServerCall(part, attachments) }]
    default:
      // `data` and parts that came later: shown as what they are.
      return text(JSON.stringify(attachments.value(part['data'] ?? part)))
  }
}

/** An image or the like: bytes as a placeholder, an address as text (it is never loaded). */
function medium(kind: string, value: string | null): string {
  if (value === null || value === '') return `[${kind}]`
  const shown = withoutBytes(value, kind)
  return shown === value ? `[${kind}, ${value.slice(0, 300)}]` : shown
}

function readServerCall(part: JsonObject, attachments: Attachments): ServerCall {
  const shown = (key: string): string | null => {
    const value = part[key]
    if (value === undefined || value === null || value === '') return null
    const resolved = attachments.value(value)
    return typeof resolved === 'string' ? resolved : JSON.stringify(resolved)
  }
  return {
    id: asText(part['id']),
    name: asText(part['name']) ?? asText(part['tool_type']) ?? '',
    args: attachments.value(part['arguments'] ?? null),
    result: shown('result'),
    error: shown('error'),
  }
}
