// Faults: the errors that Faultline means to show. Every code has one title and action in the window.
// A bug is not a Fault: it throws an ordinary Error and arrives as INTERNAL.

/** The closed list of fault codes; the renderer has one sentence and one action for each. */
export const FAULT_CODES = [
  'FILE_UNREADABLE',
  'FILE_EMPTY',
  'FORMAT_UNKNOWN',
  'FORMAT_INVALID',
  'TOO_LARGE',
  'DB_NEWER',
  'DB_LOCKED',
  'DB_CORRUPT',
  'NOT_FOUND',
  'CONFLICT',
  'INVALID_INPUT',
  'CANCELLED',
  'CORE_GONE',
  'DISK_FULL',
  'READ_ONLY',
  'INTERNAL',
] as const

/** One of the closed list of fault codes. */
export type FaultCode = (typeof FAULT_CODES)[number]

/** A fault as it crosses a process boundary: plain data. */
export type FaultData = {
  readonly code: FaultCode
  readonly message: string
  readonly hint?: string
  readonly where?: string
  readonly details?: unknown
}

/** An expected failure: a code, what happened, where, and what to do. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly hint: string | undefined
  readonly where: string | undefined
  readonly details: unknown

  constructor(
    code: FaultCode,
    message: string,
    more: { hint?: string; where?: string; cause?: unknown; details?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Fault'
    this.code = code
    this.hint = more.hint
    this.where = more.where
    this.details = more.details
  }

  /** The fault as plain data for the wire. */
  toData(): FaultData {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.where === undefined ? {} : { where: this.where }),
      ...(this.details === undefined ? {} : { details: this.details }),
    }
  }

  /** The fault again from its wire form. */
  static from(data: FaultData): Fault {
    return new Fault(data.code, data.message, {
      ...(data.hint === undefined ? {} : { hint: data.hint }),
      ...(data.where === undefined ? {} : { where: data.where }),
      ...(data.details === undefined ? {} : { details: data.details }),
    })
  }
}

/** Any thrown value as fault data: a Fault keeps its code, an abort is CANCELLED, everything else is INTERNAL. */
export function toFaultData(error: unknown): FaultData {
  if (error instanceof Fault) return error.toData()
  if (error instanceof Error) {
    if (error.name === 'AbortError') return { code: 'CANCELLED', message: 'Cancelled.' }
    return { code: 'INTERNAL', message: error.message }
  }
  return { code: 'INTERNAL', message: String(error) }
}
