// Links to a place: `faultline://` and the place as the window's hash writes it, `task/ID;trial=ID;column=4`. The same
// text is opened by the app, by a second start of it, and by the command line. A link names, it never does anything.

const START = 'faultline://'
const MOST_CHARS = 16_384

/** The words of a place: its segments, and its parameters, all decoded. */
export type PlaceWords = {
  readonly segments: readonly string[]
  readonly params: ReadonlyMap<string, string>
}

/** The link to the place that a hash names (`#/task/…` or `/task/…`). */
export function linkOfHash(hash: string): string {
  return START + hash.replace(/^#/, '').replace(/^\//, '')
}

/** The hash path (`/task/…`) that a link names; null when the text is no link of Faultline's, or an endless one. */
export function hashOfLink(text: string): string | null {
  const link = text.trim()
  if (link.length > MOST_CHARS || link.slice(0, START.length).toLowerCase() !== START) return null
  return `/${link.slice(START.length).replace(/^\/+/, '')}`
}

/** Splits a hash path into its words. Never throws: text that is badly encoded stays as it is. */
export function placeWords(hash: string): PlaceWords {
  const [path = '', ...rest] = hash.replace(/^#/, '').split(';')
  const params = new Map<string, string>()
  for (const part of rest) {
    const cut = part.indexOf('=')
    if (cut > 0) params.set(part.slice(0, cut), decodeWord(part.slice(cut + 1)))
  }
  return { segments: path.split('/').slice(1).map(decodeWord), params }
}

/** A percent-encoded word; as it is when the encoding is damaged. */
export function decodeWord(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
