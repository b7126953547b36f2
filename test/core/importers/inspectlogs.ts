// Small Inspect logs made by hand, for what no log at hand shows: a sample with what is given, in a .json log or in
// an .eval zip. For the Inspect tests only.

import type { Problem } from '../../../src/core/importers/importer.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { readBytes, type ReadAll } from './readall.ts'
import { makeZip, type Member } from './zipwriter.ts'

type Fields = Record<string, unknown>

/** A log's members without its samples. */
export const header = (more: Fields = {}, evaluation: Fields = {}): Fields => ({
  version: 2,
  status: 'success',
  eval: {
    run_id: 'run1',
    created: '2026-01-02T03:04:05+00:00',
    task: 'suite',
    task_id: 'task1',
    dataset: { name: 'set', samples: 1 },
    model: 'maker/model-1',
    config: { epochs: 1 },
    ...evaluation,
  },
  plan: { name: 'plan', steps: [{ solver: 'generate', params: {} }], config: {} },
  ...more,
})

/** A sample with its usual members. */
export const sample = (more: Fields = {}): Fields => ({
  id: 1,
  epoch: 1,
  input: 'question',
  target: 'answer',
  messages: [message('user', 'question'), message('assistant', 'answer', { source: 'generate' })],
  scores: { match: { value: 'C' } },
  uuid: 'u1',
  ...more,
})

/** A chat message. */
export const message = (role: string, content: unknown, more: Fields = {}): Fields => ({
  role,
  content,
  ...more,
})

/** A tool call of a message. */
export const call = (id: string, name: string, args: unknown = {}, more: Fields = {}): Fields => ({
  id,
  function: name,
  arguments: args,
  type: 'function',
  ...more,
})

/** A model event: what went in and what came out. */
export const model = (input: unknown[], output: unknown, more: Fields = {}): Fields => ({
  event: 'model',
  timestamp: '2026-01-02T03:04:06+00:00',
  model: 'maker/model-1',
  input,
  output: { choices: output === null ? [] : [{ message: output, stop_reason: 'stop' }] },
  ...more,
})

/** A tool event. */
export const tool = (id: string, name: string, result: unknown, more: Fields = {}): Fields => ({
  event: 'tool',
  timestamp: '2026-01-02T03:04:07+00:00',
  id,
  function: name,
  arguments: {},
  result,
  ...more,
})

/** A .json log of samples, as text. */
export const json = (samples: unknown, log: Fields = header()): string => JSON.stringify({ ...log, samples })

/** A .eval log; `members` are put in as they are. */
export const zipped = (
  samples: readonly Fields[],
  log: Fields | null = header(),
  members: Member[] = [],
): Buffer =>
  makeZip([
    { name: '_journal/start.json', data: JSON.stringify({ ...header(), status: undefined }) },
    ...samples.map((one) => ({
      name: `samples/${String(one['id'])}_epoch_${String(one['epoch'])}.json`,
      data: JSON.stringify(one),
    })),
    ...members,
    ...(log === null ? [] : [{ name: 'header.json', data: JSON.stringify(log) }]),
  ])

/** Reads a .json log of one sample. */
export async function readOne(
  more: Fields = {},
  log: Fields = header(),
): Promise<{ trial: Trial; problems: readonly Problem[]; codes: readonly string[]; all: ReadAll }> {
  const all = await readBytes(json([sample(more)], log))
  const trial = all.trials[0]
  if (trial === undefined) throw new Error(`No trial: ${JSON.stringify(all.problems)}`)
  return { trial, problems: all.problems, codes: all.codes, all }
}
