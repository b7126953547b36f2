// Exports made for a test: several scorers, one score on a scale, a measure beside outcomes, a step with a picture.

import { crc32, deflateSync } from 'node:zlib'

type Sample = { readonly epoch: number; readonly scores: { readonly [name: string]: string | number } }

/** An Inspect log of the suite `task`, one question asked again in each sample. */
function inspectLog(task: string, scorers: readonly string[], samples: readonly Sample[]): string {
  return JSON.stringify({
    version: 2,
    status: 'success',
    eval: { run_id: task, task, model: 'm', created: 'x', scorers: scorers.map((name) => ({ name })) },
    plan: {},
    samples: samples.map(({ epoch, scores }) => ({
      id: 1,
      epoch,
      uuid: `${task}-${epoch}`,
      input: 'q',
      messages: [{ role: 'user', content: `q ${epoch}` }],
      scores: Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, { value }])),
    })),
  })
}

/** A log of the suite `two` with two scorers: by the first 1 of 3 samples passes, by the other 2 from 0.9 on. */
export function twoScorers(): string {
  return inspectLog(
    'two',
    ['match', 'judge'],
    [
      { epoch: 1, scores: { match: 'C', judge: 0.4 } },
      { epoch: 2, scores: { match: 'I', judge: 0.9 } },
      { epoch: 3, scores: { match: 'I', judge: 0.9 } },
    ],
  )
}

/** A log of the suite `graded` with one score between 3 and 9. */
export function oneScale(): string {
  return inspectLog(
    'graded',
    ['grade'],
    [3, 7, 9].map((grade, at) => ({ epoch: at + 1, scores: { grade } })),
  )
}

/** Faultline JSONL of the suite `stated`: 2 of 3 trials pass by their own word, 1 by either score. */
export function statedOutcomes(): string {
  const trial = (id: string, outcome: string, waste: number, speed: number) => ({
    type: 'trial',
    trial_id: id,
    task_id: 'order',
    outcome,
    scores: { waste, speed },
    steps: [],
  })
  const header = { type: 'header', format: 'faultline', version: 1, suite: 'stated' }
  return [header, trial('a', 'pass', 0, 0.2), trial('b', 'pass', 0, 0.4), trial('c', 'fail', 1, 1)]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

/** A square of one colour, as PNG in base64; `size` in pixels. */
function picture(size: number): string {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 2, 0, 0, 0])
  const rows = Buffer.alloc(size * (1 + size * 3), 90)
  for (let row = 0; row < size; row += 1) rows[row * (1 + size * 3)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

/** One passing trial of the task `seen`, whose first step holds a picture; `size` in pixels, at most 255. */
export function pictureTrial(size: number): string {
  const url = `data:image/png;base64,${picture(size)}`
  const messages = [
    { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
    { role: 'assistant', content: 'A square.' },
  ]
  return JSON.stringify([{ task_id: 'seen', passed: true, messages }])
}
