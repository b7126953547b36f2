// Assertions: what must hold inside the doors. A failed one is a bug and throws an ordinary Error.

/** Closes a switch over a union: the compiler proves that it is never reached. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}

/** The value, or an Error naming what was missing. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Missing: ${what}`)
  return value
}
