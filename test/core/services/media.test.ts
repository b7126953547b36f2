// The bytes behind a placeholder: found in the original record by its hash, whatever the format and the way in which the
// record writes them; what is not there, or is too large, says so.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mediaPlaceholder as placeholderOf } from '../../../src/core/importers/media.ts'
import { mediumIn } from '../../../src/core/services/media.ts'
import { faultOf, importPaths, opened } from '../opened.ts'

const placeholder = (base64: string): string => placeholderOf('data', null, base64)
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3000, 0xff)]).toString(
  'base64',
)
const JPEG = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(900, 7)]).toString('base64')

test('a picture of a step is opened from the original record', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'chat.json')
  const rows = [
    {
      task_id: 'a',
      passed: true,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
        },
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: JPEG } }],
        },
      ],
    },
  ]
  // Some writers escape slashes.
  writeFileSync(path, JSON.stringify(rows).replaceAll('/', '\\/'))
  await importPaths(core, [path])
  const { rows: tasks } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: tasks[0]!.taskId })
  const { trialId } = trials[0]!
  const { steps } = await core.request('trials.steps', { trialId })
  const hashes = steps.map(({ said }) => /sha256 ([0-9a-f]{8})\]/.exec(said ?? '')?.[1] ?? '')
  const medium = async (hash: string) => core.request('trials.medium', { trialId, hash })
  expect(await medium(hashes[0]!)).toEqual({ base64: PNG, type: 'image/png', bytes: 3008 })
  expect(await medium(hashes[1]!)).toEqual({ base64: JPEG, type: 'image/jpeg', bytes: 904 })
  expect((await faultOf(medium('00000000'))).code).toBe('NOT_FOUND')
  expect((await faultOf(medium('nothex!!'))).code).toBe('INVALID_INPUT')
})

test('signs that a writer escapes are read', () => {
  const record = JSON.stringify({ url: `data:image/png;base64,${PNG}`, other: 1 })
  expect(PNG).toMatch(/[+/]/)
  const hash = /sha256 ([0-9a-f]{8})/.exec(placeholder(PNG))?.[1] ?? ''
  const escaped = record.replaceAll('+', '\\u002B').replaceAll('/', '\\u002f').replaceAll('=', '\\u003D')
  expect(JSON.parse(escaped)).toEqual(JSON.parse(record))
  expect(mediumIn(Buffer.from(escaped), hash)).toEqual({ base64: PNG, type: 'image/png', bytes: 3008 })
})

test('what it is, its first bytes say; a text that only looks like one is of no known kind', () => {
  const record = (base64: string): Buffer => Buffer.from(JSON.stringify({ data: base64 }))
  const of = (bytes: Buffer) => {
    const base64 = bytes.toString('base64')
    const hash = /sha256 ([0-9a-f]{8})/.exec(placeholder(base64))?.[1] ?? ''
    return mediumIn(record(base64), hash)?.type
  }
  expect(of(Buffer.from(`%PDF-1.7 ${'x'.repeat(100)}`))).toBe('application/pdf')
  expect(of(Buffer.from(`RIFF1234WEBP${'x'.repeat(100)}`))).toBe('image/webp')
  expect(of(Buffer.from(`<svg onload="x">${'x'.repeat(100)}`))).toBeNull()
})
