// Text of one record to a JSON value: JSON.parse where that loses nothing, otherwise a tolerant parser.
// Tolerant means: NaN and Infinity become null, digits that a number cannot hold are kept as a string, parts
// nested too deep are kept as their text, raw control characters in strings are allowed. Everything else is an
// error with its offset. Never evaluates anything; a `__proto__` key is an ordinary own property.

import type { Json } from '../../base/json.ts'
import type { ParseNote } from './importer.ts'

/** Deeper parts are kept as text, so that nothing that walks a value later can run out of stack. */
export const DEPTH_KEPT = 200

/** A parsed value with what was read otherwise than written, or where and why it is not JSON. */
export type Parsed =
  | { readonly ok: true; readonly value: Json; readonly notes: readonly ParseNote[] }
  | { readonly ok: false; readonly message: string; readonly at: number }

/** Finds numbers outside of strings (mostly) that a double may not hold: 16 digits, or a three-digit exponent. */
const RISKY_NUMBER = /(?:^|[:,[\s])-?(?:\d{16}|\d[\d.]*[eE]\+?\d{3})/

/**
 * The value of a JSON text. `depth` is its nesting when known (Infinity otherwise forces the careful way).
 * `hasLongNumber` false says that no number in it can lose digits, so that it need not be searched for one. `isPython` also accepts single-quoted strings, None, True and False: what `str(dict)` writes.
 */
export function parseJson(text: string, depth = 0, isPython = false, hasLongNumber = true): Parsed {
  if (depth <= DEPTH_KEPT && !isPython && !(hasLongNumber && RISKY_NUMBER.test(text))) {
    try {
      return { ok: true, value: JSON.parse(text) as Json, notes: [] }
    } catch {
      // Read again below, which knows more forms and says where it fails.
    }
  }
  return new TolerantParser(text, isPython).parse()
}

/** True when an integer's digits come back from a double, and when any other number is finite. */
function survives(token: string): boolean {
  const value = Number(token)
  if (!Number.isFinite(value)) return false
  if (/[.eE]/.test(token) || Number.isSafeInteger(value)) return true
  return String(value) === token || BigInt(token) === BigInt(value)
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[+-]?[A-Za-z_]+/y
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const PYTHON_WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
])
const NOT_NUMBERS = new Set(['nan', 'infinity', '-infinity', '+infinity', 'inf', '-inf', '-nan'])
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class Bad extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

class TolerantParser {
  readonly #text: string
  readonly #isPython: boolean
  readonly #notes: ParseNote[] = []
  #at = 0
  readonly #path: string[] = []

  constructor(text: string, isPython: boolean) {
    this.#text = text
    this.#isPython = isPython
  }

  parse(): Parsed {
    try {
      this.#blank()
      const value = this.#value()
      this.#blank()
      if (this.#at < this.#text.length) throw new Bad('something follows after the value', this.#at)
      return { ok: true, value, notes: this.#notes }
    } catch (error) {
      if (error instanceof Bad) return { ok: false, message: error.message, at: error.at }
      throw error
    }
  }

  #blank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0) this.#at += 1
      else return
    }
  }

  #note(kind: ParseNote['kind'], token: string): void {
    if (this.#notes.length < 20)
      this.#notes.push({
        kind,
        path: this.#path.map((part) => `/${part}`).join(''),
        token: token.length > 40 ? `${token.slice(0, 39)}…` : token,
      })
  }

  #value(): Json {
    const char = this.#text[this.#at]
    if (char === undefined) throw new Bad('the text ends where a value should be', this.#at)
    if (char === '{' || char === '[') {
      if (this.#path.length >= DEPTH_KEPT) return this.#deepPart()
      return char === '{' ? this.#object() : this.#array()
    }
    if (char === '"' || (this.#isPython && char === "'")) return this.#string(char)
    return this.#scalar()
  }

  /** A part nested too deep, as its own text. */
  #deepPart(): string {
    const from = this.#at
    let depth = 0
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]
      if (char === '"' || (this.#isPython && char === "'")) {
        this.#skipString(char)
        continue
      }
      if (char === '{' || char === '[') depth += 1
      if (char === '}' || char === ']') depth -= 1
      this.#at += 1
      if (depth === 0) {
        const part = this.#text.slice(from, this.#at)
        this.#note('nested-as-text', part)
        return part
      }
    }
    throw new Bad('the text ends inside a list or an object', this.#at)
  }

  #skipString(quote: string): void {
    this.#at += 1
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]
      this.#at += char === '\\' ? 2 : 1
      if (char === quote) return
    }
    throw new Bad('the text ends inside a string', this.#at)
  }

  #object(): Json {
    const entries: [string, Json][] = []
    this.#at += 1
    this.#blank()
    if (this.#text[this.#at] === '}') {
      this.#at += 1
      return {}
    }
    for (;;) {
      this.#blank()
      const quote = this.#text[this.#at]
      if (quote !== '"' && !(this.#isPython && quote === "'"))
        throw new Bad('a name in quotes is missing', this.#at)
      const key = this.#string(quote)
      this.#blank()
      if (this.#text[this.#at] !== ':') throw new Bad('a colon is missing', this.#at)
      this.#at += 1
      this.#blank()
      this.#path.push(key.replaceAll('~', '~0').replaceAll('/', '~1'))
      entries.push([key, this.#value()])
      this.#path.pop()
      if (!this.#comma('}')) break
    }
    // Defines own properties, `__proto__` included; of equal names the last one wins, as in JSON.parse.
    return Object.fromEntries(entries)
  }

  #array(): Json {
    const items: Json[] = []
    this.#at += 1
    this.#blank()
    if (this.#text[this.#at] === ']') {
      this.#at += 1
      return items
    }
    for (;;) {
      this.#blank()
      this.#path.push(String(items.length))
      items.push(this.#value())
      this.#path.pop()
      if (!this.#comma(']')) return items
    }
  }

  /** True after a comma, false after the closing bracket. */
  #comma(close: string): boolean {
    this.#blank()
    const char = this.#text[this.#at]
    this.#at += 1
    if (char === ',') return true
    if (char === close) return false
    throw new Bad(
      char === undefined ? 'the text ends too early' : `a comma or '${close}' is missing`,
      this.#at - 1,
    )
  }

  #string(quote: string): string {
    const from = this.#at
    let out = ''
    this.#at += 1
    let run = this.#at
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined) throw new Bad('the text ends inside a string', from)
      if (char === quote) {
        out += this.#text.slice(run, this.#at)
        this.#at += 1
        return out
      }
      if (char === '\\') {
        out += this.#text.slice(run, this.#at) + this.#escape()
        run = this.#at
        continue
      }
      if (char < ' ')
        this.#note('control-character', `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      this.#at += 1
    }
  }

  #escape(): string {
    const char = this.#text[this.#at + 1] ?? ''
    if (char === 'u') {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new Bad('a broken \\u escape', this.#at)
      this.#at += 6
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    const known = ESCAPES[char] ?? (this.#isPython && char === "'" ? char : undefined)
    if (known === undefined) throw new Bad(`an unknown escape '\\${char}'`, this.#at)
    this.#at += 2
    return known
  }

  #scalar(): Json {
    const from = this.#at
    WORD.lastIndex = from
    const word = WORD.exec(this.#text)?.[0]
    if (word !== undefined) {
      this.#at += word.length
      const known = (this.#isPython && PYTHON_WORDS.has(word) ? PYTHON_WORDS : WORDS).get(word)
      if (known !== undefined) return known
      if (NOT_NUMBERS.has(word.toLowerCase())) {
        this.#note('not-a-number', word)
        return null
      }
      throw new Bad(`an unknown word '${word.slice(0, 20)}'`, from)
    }
    NUMBER.lastIndex = from
    const token = NUMBER.exec(this.#text)?.[0]
    if (token === undefined) throw new Bad('an unexpected character', from)
    this.#at += token.length
    if (survives(token)) return Number(token)
    this.#note('number-as-text', token)
    return token
  }
}
