// Sources: bytes as they lie on disk to UTF-8 text, hash, place and progress; folders; and giving up in time.

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultlineJsonl } from '../../../src/core/importers/faultline-jsonl.ts'
import type { Source } from '../../../src/core/importers/importer.ts'
import { runImporter } from '../../../src/core/importers/reader.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import { readSource, withSource } from './readall.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'faultline-source-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LINES = '{"a":"é€😀"}\r\n{"a":2}\r\n'
const values = async (source: Source): Promise<unknown[]> => {
  const out: unknown[] = []
  for await (const item of source.records())
    out.push(item.kind === 'record' ? item.record.value : item.problem.code)
  return out
}
const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

describe('a source', () => {
  const forms: [string, Buffer, string][] = [
    ['UTF-8', Buffer.from(LINES), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${LINES}`), 'utf-8'],
    ['UTF-16 little endian', utf16(LINES, false), 'utf-16le'],
    ['UTF-16 big endian', utf16(LINES, true), 'utf-16be'],
  ]
  it.each(forms)('reads %s, gzipped or not', async (_, bytes, encoding) => {
    for (const content of [
      bytes,
      gzipSync(bytes),
      Buffer.concat([gzipSync(bytes.subarray(0, 9)), gzipSync(bytes.subarray(9))]),
    ])
      await withSource(content, 'x.bin', async (source) => {
        expect(await values(source)).toEqual([{ a: 'é€😀' }, { a: 2 }])
        expect(await source.text()).toBe(LINES)
        expect((await source.head()).encoding).toBe(encoding)
        expect(await source.sha256()).toBe(createHash('sha256').update(content).digest('hex'))
        expect(source.bytesRead()).toBe(content.length)
      })
  })
  it('gives lines with their numbers and offsets', async () => {
    await withSource('a\r\n\nüb\nlast', 'x', async (source) => {
      const lines = []
      for await (const line of source.lines()) lines.push(line)
      expect(lines).toEqual([
        { text: 'a', line: 1, byteOffset: 0 },
        { text: '', line: 2, byteOffset: 3 },
        { text: 'üb', line: 3, byteOffset: 4 },
        { text: 'last', line: 4, byteOffset: 8 },
      ])
    })
  })
  it('gives no offsets where they would not be the file’s own', async () => {
    await withSource(utf16(LINES, false), 'x', async (source) => {
      for await (const item of source.records())
        expect(item.kind === 'record' && item.record.byteOffset).toBeNull()
    })
  })
  it('gives its head without reading further, with the complete parts of a record that it cuts', async () => {
    const long = `[{"task_id":7,"info":{"a":[1,2]},"traj":[{"x":"${'y'.repeat(200_000)}"}],"last":1}]`
    await withSource(long, 'x', async (source) => {
      const head = await source.head()
      expect(head.isWhole).toBe(false)
      expect(head.text.length).toBe(65536)
      expect(head.records).toEqual([
        { value: { task_id: 7, info: { a: [1, 2] }, traj: [{}] }, complete: false },
      ])
    })
  })
  it('does not cut a character at the end of its head', async () => {
    await withSource(`["${'é'.repeat(70_000)}"]`, 'x', async (source) => {
      expect((await source.head()).text).not.toContain('\ufffd')
    })
  })
  it('of a cut-off gzip stream gives what was there, and says so', async () => {
    const rows = Array.from(
      { length: 3000 },
      (_, i) => `{"n":${i},"hash":"${createHash('sha256').update(String(i)).digest('hex')}"}\n`,
    )
    const zipped = gzipSync(rows.join(''))
    await withSource(zipped.subarray(0, zipped.length / 2), 'x.gz', async (source) => {
      const read = await values(source)
      expect(read.length).toBeGreaterThan(1000)
      expect(read.at(-1)).toBe('ARCHIVE_BROKEN')
    })
  })
  it('says which record holds bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(
      '{"type":"trial","trial_id":"1","task_id":"t","outcome":"pass","extra":{"a":"caf\xe9"}}',
      'latin1',
    )
    await withSource(bytes, 'x', async (source) => {
      const { trials, problems } = await readSource(source)
      expect(trials[0]?.extra).toEqual({ a: 'caf\ufffd' })
      expect(problems.map(({ code, line }) => [code, line])).toEqual([['ENCODING', 1]])
    })
  })
  it('reads no further than the length it was found with', async () => {
    const path = join(folder, 'growing')
    writeFileSync(path, '{"a":1}\n{"a":2}\n')
    expect(await values(fileSource({ path, size: 8 }))).toEqual([{ a: 1 }])
  })
  it('that is gone is a fault that names it', async () => {
    const source = fileSource({ path: join(folder, 'gone'), size: 5 })
    await expect(source.head()).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'gone cannot be read: it does not exist.',
    })
    await expect(source.sha256()).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })
})

/** Processor time of this process in ms: what a busy machine does to the clock does not count. */
const busyMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('giving up', () => {
  const big = `{"type":"header","format":"faultline","version":1}\n${Array.from(
    { length: 60_000 },
    (_, i) =>
      `{"type":"trial","trial_id":"${i}","task_id":"t","outcome":"pass","steps":[{"role":"user","content":"${'x'.repeat(200)}"}]}`,
  ).join('\n')}`
  it('takes less than 100 ms, keeps what was read, and reports it', async () => {
    await withSource(big, 'x', async (source) => {
      const controller = new AbortController()
      let trials = 0
      let abortedAt = 0
      const sink = {
        trial: async () => {
          trials += 1
          if (trials === 500) {
            abortedAt = busyMs()
            controller.abort()
          }
        },
        problem: () => {},
        progress: () => {},
      }
      const report = await runImporter(faultlineJsonl, source, sink, controller.signal)
      expect(busyMs() - abortedAt).toBeLessThan(100)
      expect(report.state).toBe('cancelled')
      expect(report.trials).toBe(trials)
      expect(trials).toBeLessThan(2000)
    })
  })
  it('lets the event loop live, and progress be told in bytes', async () => {
    await withSource(big, 'x', async (source) => {
      let longest = 0
      let last = busyMs()
      const timer = setInterval(() => {
        longest = Math.max(longest, busyMs() - last)
        last = busyMs()
      }, 5)
      const seen: number[] = []
      const sink = {
        trial: () => {},
        problem: () => {},
        progress: ({ bytesRead, bytesTotal }: { bytesRead: number; bytesTotal: number }) =>
          void seen.push(bytesRead / bytesTotal),
      }
      await runImporter(faultlineJsonl, source, sink, new AbortController().signal)
      clearInterval(timer)
      expect(longest).toBeLessThan(200)
      expect(seen.at(-1)).toBe(1)
      expect(seen.toSorted((a, b) => a - b)).toEqual(seen)
    })
  })
  it('because the sink throws hands its error on', async () => {
    await withSource(big, 'x', async (source) => {
      const sink = {
        trial: () => Promise.reject(new Error('disk full')),
        problem: () => {},
        progress: () => {},
      }
      await expect(runImporter(faultlineJsonl, source, sink, new AbortController().signal)).rejects.toThrow(
        'disk full',
      )
    })
  })
})

describe('openSources', () => {
  const opened = async (path: string) => {
    const out: string[] = []
    for await (const one of openSources(path))
      out.push(
        one.kind === 'source' ? `${one.source.name} ${one.source.origin}` : `- ${one.name}: ${one.reason}`,
      )
    return out
  }
  it('opens one file', async () => {
    writeFileSync(join(folder, 'a b@c.json'), '{}')
    expect(await opened(join(folder, 'a b@c.json'))).toEqual(['a b@c.json file'])
  })
  it('walks a folder in a stable order and lists what it leaves aside', async () => {
    const root = join(folder, 'run')
    mkdirSync(join(root, 'sub/.git'), { recursive: true })
    for (const name of ['z.json', 'a.json', 'sub/m.json', 'sub/.git/config'])
      writeFileSync(join(root, name), '{}')
    writeFileSync(join(folder, 'outside.json'), '{}')
    symlinkSync(join(folder, 'outside.json'), join(root, 'link.json'))
    symlinkSync(root, join(root, 'sub/circle'))
    expect(await opened(root)).toEqual([
      'run/a.json folder',
      '- run/link.json: a symbolic link',
      '- run/sub/.git: housekeeping of a system or tool',
      '- run/sub/circle: a symbolic link',
      'run/sub/m.json folder',
      'run/z.json folder',
    ])
  })
  it('throws for a path that is not there or no file', async () => {
    await expect(opened(join(folder, 'no'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
    await expect(opened('/dev/null')).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'null is not a regular file.',
    })
  })
})
