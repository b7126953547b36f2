// What a person typed wrongly, and the options that every command takes, read once. Exit codes stand here.

import { InvalidArgumentError } from 'commander'
import type { OutcomePolicy } from '../model/outcome.ts'

/** 0: fine; 1: a fault, also when nothing could be read; 2: wrong usage; 3: a --fail-on condition held. */
export const EXIT = { fine: 0, fault: 1, usage: 2, condition: 3 } as const

/** Wrong usage: the message says what would be right. Ends the program with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Options that every command takes, as commander gives them. */
export type GlobalOptions = {
  readonly json?: boolean
  readonly csv?: boolean
  readonly workspace?: string
  readonly config?: readonly string[]
  readonly policy?: Partial<OutcomePolicy>
  readonly quiet?: boolean
}

/** Adds one more value of an option that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

/** `error=exclude,unknown=fail`: one or both parts. */
export function policyOption(text: string): Partial<OutcomePolicy> {
  const policy: { error?: OutcomePolicy['error']; unknown?: OutcomePolicy['unknown'] } = {}
  for (const part of text.split(',')) {
    const [name, value] = part.trim().split('=')
    if ((name !== 'error' && name !== 'unknown') || (value !== 'fail' && value !== 'exclude'))
      throw new InvalidArgumentError('Write error=fail|exclude and unknown=fail|exclude, apart by a comma.')
    policy[name] = value
  }
  return policy
}

/** A whole number of at least one. */
export function countOption(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Write a whole number of at least 1.')
  return Number(text)
}
