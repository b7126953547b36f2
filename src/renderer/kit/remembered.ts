// Small choices that the page remembers by itself: numbers and words under a name of Faultline's. Without storage a
// choice holds until the window closes. Never holds anything from a trajectory.

const PREFIX = 'faultline.'

/** The word kept under a name; null when there is none, or no storage. */
export function rememberedWord(name: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + name)
  } catch {
    return null
  }
}

/** Keeps a word under a name. */
export function rememberWord(name: string, word: string): void {
  try {
    window.localStorage.setItem(PREFIX + name, word)
  } catch {
    // Without storage the choice holds until the window closes.
  }
}

/** The number kept under a name; null when there is none, or it is no finite number. */
export function rememberedNumber(name: string): number | null {
  const word = rememberedWord(name)
  const number = word === null || word === '' ? NaN : Number(word)
  return Number.isFinite(number) ? number : null
}

/** Keeps a number under a name. */
export function rememberNumber(name: string, number: number): void {
  rememberWord(name, String(number))
}
