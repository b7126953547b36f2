// Text from traces is hostile: these functions make it safe to look at. They never interpret it.

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\n', '\t': '\t' }

/**
 * The text with every invisible or direction-changing character written out as `\u{XXXX}`, so that what is
 * shown is what is there. Line feeds and tabs stay. Covers C0/C1 controls, bidi marks and overrides
 * (U+061C, U+200E/F, U+202A–E, U+2066–9), zero-width characters, soft hyphen, U+2028/9, BOM, lone surrogates,
 * tag characters and variation-free fillers.
 */
export function visibleText(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g,
    (c) => ESCAPES[c] ?? `\\u{${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`,
  )
}

/** The text in well-formed Unicode: each lone surrogate written as `\uXXXX`, so that UTF-8 output is valid. */
export function wellFormed(text: string): string {
  return text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** One line of at most `limit` characters: white space folded, cut with an ellipsis. */
export function oneLine(text: string, limit: number): string {
  const head = text.length > limit * 4 ? text.slice(0, limit * 4) : text
  const folded = visibleText(head).replace(/\s+/g, ' ').trim()
  return folded.length > limit ? `${folded.slice(0, Math.max(0, limit - 1))}…` : folded
}

/** `1 task`, `2 tasks`: the count with its noun; `many` defaults to the noun with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
