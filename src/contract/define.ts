// The three words that a contract entry is made with. An entry is data: its kind, what it takes (a schema, checked
// in the core), what it gives (a type only), and the topics that it reads or writes.

import type * as v from 'valibot'

/** What answers depend on; the only language of invalidation. */
export const TOPICS = [
  'workspace',
  'imports',
  'trials',
  'analysis',
  'annotations',
  'taxonomy',
  'rules',
  'settings',
  'search',
] as const

/** One of the topics. */
export type Topic = (typeof TOPICS)[number]

type Schema = v.GenericSchema<unknown, unknown>

/** An entry of the contract. `Out` is carried as a type only. */
export type Entry<S extends Schema = Schema, Out = unknown, Progress = unknown> = {
  readonly kind: 'query' | 'command' | 'job'
  readonly input: S
  readonly topics: readonly Topic[]
  readonly out?: Out
  readonly progress?: Progress
}

/** A question: may be cached; names the topics that it reads. */
export function query<Out>() {
  return <S extends Schema>(input: S, topics: readonly Topic[]): Entry<S, Out, never> => ({
    kind: 'query',
    input,
    topics,
  })
}

/** A write: names the topics that it changes; answers what it wrote. */
export function command<Out>() {
  return <S extends Schema>(input: S, topics: readonly Topic[]): Entry<S, Out, never> => ({
    kind: 'command',
    input,
    topics,
  })
}

/** Long work: progress events and cancel; names the topics that it changes. */
export function job<Out, Progress>() {
  return <S extends Schema>(input: S, topics: readonly Topic[]): Entry<S, Out, Progress> => ({
    kind: 'job',
    input,
    topics,
  })
}
