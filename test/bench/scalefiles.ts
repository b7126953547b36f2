// Large files to import, made on the spot from a fixed seed: Faultline JSONL with inline steps of realistic size, one
// τ-bench list as a single JSON value, small trials, and a zip of many samples. Written to a temporary folder by
// scale.ts, which deletes them.

import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

/** Text is cut from blocks that are made once: making it anew for gigabytes would take longer than reading it. */
const BLOCKS = 600
const WRITE_BYTES = 8 * 1024 * 1024

const WORDS = (
  'the order of a customer was placed on Monday and is still pending because its payment method has not been ' +
  'confirmed yet return exchange refund policy address item variant blue leather size price total user id status ' +
  'delivered cancelled please check whether flight cabin economy passenger baggage insurance reservation segment ' +
  'traceback most recent call last file line in module raise ValueError assert equal expected got None True False ' +
  'def class import from self args kwargs path name value index error warning info debug request response header'
).split(' ')

type Random = (below: number) => number

/** A small seeded generator (xorshift32): the same file on every machine. */
function seeded(seed: number): Random {
  let state = seed | 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Prose, source text and JSON answers in turn, with escapes and characters beyond ASCII where real ones have them. */
function block(random: Random, i: number, characters: number): string {
  const parts: string[] = []
  let length = 0
  while (length < characters) {
    const part =
      i % 3 === 0
        ? JSON.stringify({ id: `#W${random(9_999_999)}`, status: word(random), price: random(90_000) / 100 })
        : i % 3 === 1
          ? `    ${word(random)} = self.${word(random)}[${random(500)}]  # ${word(random)} ${word(random)}\n`
          : `${word(random)} ${word(random)} ${word(random)} “${word(random)}” ${word(random)}, ${random(1000)}. `
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

function word(random: Random): string {
  // The smaller of two: frequent words are frequent.
  return WORDS[Math.min(random(WORDS.length), random(WORDS.length))] ?? 'the'
}

/** Blocks as JSON strings, quotes included. */
function blocks(random: Random, characters: number): readonly string[] {
  return Array.from({ length: BLOCKS }, (_, i) =>
    JSON.stringify(block(random, i, characters / 2 + random(characters))),
  )
}

/** Writes pieces to a file without holding it; gives the bytes written. */
function writeAll(path: string, write: (put: (text: string) => void) => void): number {
  const file = openSync(path, 'w')
  let waiting: string[] = []
  let length = 0
  let bytes = 0
  const flush = (): void => {
    const buffer = Buffer.from(waiting.join(''))
    for (let at = 0; at < buffer.length;) at += writeSync(file, buffer, at)
    bytes += buffer.length
    waiting = []
    length = 0
  }
  try {
    write((text) => {
      waiting.push(text)
      length += text.length
      if (length >= WRITE_BYTES) flush()
    })
    flush()
  } finally {
    closeSync(file)
  }
  return bytes
}

/** Trials of one task: what is compared after the import, however large the files are. */
const TRIALS_PER_TASK = 20

/** One Faultline trial as a line of about `bytes`: a call and its result in turn, up to 6 KB each, like real ones. */
function trialLine(
  random: Random,
  texts: readonly string[],
  number: number,
  bytes: number,
  tasks: number,
): string {
  const text = (): string => texts[random(texts.length)] ?? '""'
  const isPass = number % 3 !== 0
  const steps: string[] = [`{"index":0,"role":"user","kind":"message","content":${text()}}`]
  let length = 0
  for (let i = 1; length < bytes; i += 2) {
    const call = `{"index":${i},"role":"assistant","kind":"tool_call","content":"Step ${i} of ${number}","calls":[{"call_id":"call_${number}_${i}","name":"${word(random)}_tool","arguments":{"order_id":"#W${random(9_999_999)}","items":["${random(99_999)}","${random(99_999)}"],"confirm":true}}],"usage":{"input_tokens":${random(90_000)},"output_tokens":${random(900)},"cached_input_tokens":null}}`
    const result = `{"index":${i + 1},"role":"tool","kind":"tool_result","call_id":"call_${number}_${i}","content":${text()}}`
    steps.push(call, result)
    length += call.length + result.length
  }
  return `{"type":"trial","trial_id":"t${number}","task_id":"task-${number % tasks}","config_id":"${number % 2 === 0 ? 'a' : 'b'}","outcome":"${isPass ? 'pass' : 'fail'}","cost_usd":${random(9_999) / 10_000},"started_at":"2026-03-01T10:00:00Z","ended_at":"2026-03-01T10:0${random(10)}:30Z","steps":[${steps.join(',')}]}\n`
}

/** Writes Faultline JSONL of `trials` trials of about `trialBytes` each; gives its size. */
export function writeScaleJsonl(
  path: string,
  trials: number,
  trialBytes: number,
  tasks = Math.max(1, Math.round(trials / TRIALS_PER_TASK)),
): number {
  const random = seeded(20_260_301)
  const texts = blocks(random, Math.min(6000, trialBytes / 4))
  return writeAll(path, (put) => {
    put('{"type":"header","format":"faultline","version":1,"suite":"scale","source":"scale bench"}\n')
    for (const id of ['a', 'b'])
      put(`{"type":"config","config_id":"${id}","label":"${id}","model":"model-${id}"}\n`)
    for (let i = 0; i < trials; i += 1) put(trialLine(random, texts, i, trialBytes, tasks))
  })
}

/** Writes τ-bench rows as one JSON list of at least `bytes`; gives how many rows. */
export function writeScaleList(path: string, bytes: number): number {
  const random = seeded(7)
  const texts = blocks(random, 4000)
  const text = (): string => texts[random(texts.length)] ?? '""'
  let rows = 0
  writeAll(path, (put) => {
    put('[')
    for (let written = 0; written < bytes; rows += 1) {
      const messages = [`{"role":"system","content":${text()}}`, `{"role":"user","content":${text()}}`]
      for (let i = 0; i < 14; i += 1)
        messages.push(
          `{"role":"assistant","content":null,"tool_calls":[{"id":"call_${rows}_${i}","type":"function","function":{"name":"get_order_details","arguments":"{\\"order_id\\": \\"#W${random(9_999_999)}\\"}"}}]}`,
          `{"role":"tool","tool_call_id":"call_${rows}_${i}","name":"get_order_details","content":${text()}}`,
        )
      const row = `${rows === 0 ? '' : ', '}{"task_id": ${rows % 115}, "reward": ${rows % 2}.0, "info": {"task": {"user_id": "u${rows}", "instruction": "Return it.", "actions": [], "outputs": []}}, "traj": [${messages.join(', ')}], "trial": ${Math.floor(rows / 115)}}`
      written += row.length
      put(row)
    }
    put(']\n')
  })
  return rows
}

/** Writes a zip of `trials` Faultline files of one trial each, and `ballast` members of noise that no importer wants. */
export function writeScaleZip(path: string, trials: number, ballast: number, ballastBytes: number): void {
  const random = seeded(99)
  const texts = blocks(random, 2000)
  const noise = Buffer.alloc(ballastBytes)
  for (let i = 0; i < noise.length; i += 1) noise[i] = random(256)
  const file = openSync(path, 'w')
  const directory: Buffer[] = []
  let at = 0
  const put = (name: string, content: Buffer, method: 0 | 8): void => {
    const body = method === 8 ? deflateRawSync(content, { level: 1 }) : content
    const sum = crc32(content)
    const title = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(sum, 14)
    local.writeUInt32LE(body.length, 18)
    local.writeUInt32LE(content.length, 22)
    local.writeUInt16LE(title.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    central.writeUInt16LE(20, 6)
    local.copy(central, 10, 8, 28)
    central.writeUInt16LE(title.length, 28)
    central.writeUInt32LE(at, 42)
    directory.push(central, title)
    for (const part of [local, title, body]) {
      writeSync(file, part)
      at += part.length
    }
  }
  try {
    for (let i = 0; i < trials; i += 1)
      put(
        `samples/${String(i).padStart(5, '0')}.jsonl`,
        Buffer.from(trialLine(random, texts, i, 8000, 1000)),
        8,
      )
    for (let i = 0; i < ballast; i += 1) put(`media/${i}.bin`, noise, 0)
    const central = Buffer.concat(directory)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(trials + ballast, 8)
    end.writeUInt16LE(trials + ballast, 10)
    end.writeUInt32LE(central.length, 12)
    end.writeUInt32LE(at, 16)
    writeSync(file, central)
    writeSync(file, end)
  } finally {
    closeSync(file)
  }
}
