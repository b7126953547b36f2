// What a person searches for: one phrase, exactly as written but for case and for the width of blanks. Its words choose
// the trials that may hold it; whether one does is read in its steps. Everything typed is text: nothing in it commands.
// Pure.

import { fold, indexWord } from './fold.ts'

/** White space that may be any other white space, any number of times. All of it is ASCII and parts words. */
const BLANKS = /[ \t\n\r\f\v]+/g
const WORD = /[a-z0-9\u0080-\uffff]+/g
/** Longer phrases are looked for by a method that stays fast whatever repeats in them. */
const LONG = 2000

/**
 * A word of the phrase, folded. `whole`: it stands alone in a text that holds the phrase; `start` and `end`: it begins or
 * ends a word there; `inside`: it is a part of one. Those that begin a word are cut as the index cuts them.
 */
export type PhraseWord = {
  readonly text: string
  readonly place: 'whole' | 'start' | 'end' | 'inside'
}

/** A range of a text in characters (UTF-16); `end` is the first one behind it. */
export type Match = { readonly start: number; readonly end: number }

/** A phrase ready to be looked for. */
export type Phrase = {
  readonly words: readonly PhraseWord[]
  /** All of it is ASCII. */
  readonly isAscii: boolean
  /** The first place in a folded text; null when it is not there. */
  find(folded: string): Match | null
  /** False when a trial whose folded JSON this is cannot hold the phrase: a look without parsing it. */
  mayStandIn(foldedJson: string): boolean
}

/** The phrase that was typed; null when it is blank. */
export function phraseOf(typed: string): Phrase | null {
  const text = fold(typed).replace(BLANKS, ' ').replace(/^ | $/g, '')
  if (text === '') return null
  const words = wordsOfPhrase(text)
  const seek = seekerOf(text)
  // Blanks of the text differ from those of the phrase, but no part between two of them does.
  const parts = text.split(' ')
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), '')
  const isOne = parts.length === 1
  // Half of a character stands in JSON as an escape: such a word is not there as it reads.
  const looked = words.flatMap((word) => (word.text.includes('\ufffd') ? [] : [word.text]))
  const wide = isOne ? null : patternOfParts(parts)
  const inJson = patternInJson(text)
  return {
    words,
    // eslint-disable-next-line no-control-regex
    isAscii: /^[\u0000-\u007f]*$/.test(text),
    find: (folded) => {
      if (isOne) return rangeAt(seek(folded), text.length)
      if (wide !== null) {
        const found = wide.exec(folded)
        return found === null ? null : rangeAt(found.index, found[0].length)
      }
      if (!folded.includes(longest)) return null
      const narrow = folded.replace(BLANKS, ' ')
      const at = seek(narrow)
      return at < 0 ? null : widened(folded, at, at + text.length)
    },
    mayStandIn: (foldedJson) =>
      looked.every((word) => foldedJson.includes(word)) && (inJson === null || inJson.test(foldedJson)),
  }
}

function rangeAt(start: number, length: number): Match | null {
  return start < 0 ? null : { start, end: start + length }
}

/** A range of the text with narrow blanks as a range of the text itself. Neither end of it is a blank. */
function widened(folded: string, start: number, end: number): Match {
  return { start: wideAt(folded, start), end: wideAt(folded, end - 1) + 1 }
}

function wideAt(folded: string, narrowAt: number): number {
  let shift = 0
  for (const { index, 0: blank } of folded.matchAll(BLANKS)) {
    if (index - shift >= narrowAt) break
    shift += blank.length - 1
  }
  return narrowAt + shift
}

function wordsOfPhrase(text: string): readonly PhraseWord[] {
  const words: PhraseWord[] = []
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const before = text[index - 1]
    const isOpenBehind = index + word.length === text.length
    const place = before === undefined ? (isOpenBehind ? 'inside' : 'end') : isOpenBehind ? 'start' : 'whole'
    const isLed = place === 'whole' || place === 'start'
    words.push({ text: isLed ? indexWord(word) : word, place })
  }
  return words
}

/** Longer phrases are looked for without patterns. */
const MOST_PATTERN = 300

/** The parts of a phrase with blanks of any width between; null for a long one. */
function patternOfParts(parts: readonly string[]): RegExp | null {
  const pattern = parts
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(BLANKS.source)
  return pattern.length > MOST_PATTERN ? null : new RegExp(pattern)
}

/**
 * The phrase as JSON may write it: a quote escaped or not (it is a part of a structured value then), blanks as they are or
 * as escapes. Null where it holds what JSON writes in other ways.
 */
function patternInJson(text: string): RegExp | null {
  // eslint-disable-next-line no-control-regex
  if (text.length > MOST_PATTERN || /[\u0000-\u001f\ufffd]/.test(text)) return null
  const parts = text.replace(/[\\^$.*+?()[\]{}|"/ ]/g, (sign) => {
    if (sign === ' ') return String.raw`(?: |\\[nrtf]|\\u000b)+`
    if (sign === '"') return String.raw`\\?"`
    return sign === '\\' ? String.raw`\\\\` : `\\${sign}`
  })
  return new RegExp(parts)
}

/** Finds the first place of a text in another; -1 when it is not there. */
function seekerOf(text: string): (within: string) => number {
  if (text.length < LONG) return (within) => within.indexOf(text)
  // Knuth, Morris and Pratt: never goes back in the text, however much of the phrase repeats.
  const borders = new Int32Array(text.length)
  for (let i = 1, k = 0; i < text.length; i += 1) {
    while (k > 0 && text.charCodeAt(i) !== text.charCodeAt(k)) k = borders[k - 1] ?? 0
    if (text.charCodeAt(i) === text.charCodeAt(k)) k += 1
    borders[i] = k
  }
  return (within) => {
    for (let i = 0, k = 0; i < within.length; i += 1) {
      while (k > 0 && within.charCodeAt(i) !== text.charCodeAt(k)) k = borders[k - 1] ?? 0
      if (within.charCodeAt(i) === text.charCodeAt(k)) k += 1
      if (k === text.length) return i - k + 1
    }
    return -1
  }
}
