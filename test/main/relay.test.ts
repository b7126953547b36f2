// The door between window and core: what is admitted, what is refused, and that no path comes from the window.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Fault } from '../../src/base/fault.ts'
import { makeGrants } from '../../src/main/grants.ts'
import { admit } from '../../src/main/relay.ts'

const folder = mkdtempSync(join(tmpdir(), 'faultline-relay-'))
const file = join(folder, 'trials.json')
writeFileSync(file, '[]')
afterAll(() => rmSync(folder, { recursive: true }))

/** The code of the fault that `work` throws; 'none' when it throws none. */
function codeOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

describe('admit', () => {
  test('swaps every grant for the path it stands for and leaves the rest alone', () => {
    const grants = makeGrants()
    const { grant, name, isFolder } = grants.add(file, 'read')
    expect({ name, isFolder }).toEqual({ name: 'trials.json', isFolder: false })
    const input = { files: [{ grant }, { grant }], format: 'tau-bench', suite: null }
    expect(admit(grants, '1', 'imports.run', input)).toEqual({
      id: '1',
      method: 'imports.run',
      input: { files: [{ path: file }, { path: file }], format: 'tau-bench', suite: null },
    })
  })

  test.each([
    ['a path', { files: [{ path: '/etc/passwd' }] }],
    ['a path beside a grant that does not exist', { files: [{ grant: 'none', path: '/etc/passwd' }] }],
    ['a bare string', { files: ['/etc/passwd'] }],
    ['no list', { files: { grant: 'none' } }],
    ['null', { files: [null] }],
  ])('refuses a file given as %s', (_title, input) => {
    expect(codeOf(() => admit(makeGrants(), '1', 'imports.run', input))).toBe('INVALID_INPUT')
  })

  test('a path beside a good grant does not reach the core', () => {
    const grants = makeGrants()
    const { grant } = grants.add(file, 'read')
    const { input } = admit(grants, '1', 'imports.run', { files: [{ grant, path: '/etc/passwd' }] })
    expect(input).toEqual({ files: [{ path: file }] })
  })

  test('a file that was chosen for reading cannot be written', () => {
    const grants = makeGrants()
    const read = { file: { grant: grants.add(file, 'read').grant }, report: {} }
    const write = { file: { grant: grants.add(file, 'write').grant }, report: {} }
    expect(codeOf(() => admit(grants, '1', 'report.save', read))).toBe('INVALID_INPUT')
    expect(codeOf(() => admit(grants, '1', 'report.save', write))).toBe('none')
  })

  test.each(['files.read', '__proto__', 'toString', 'constructor', '', 7])(
    'refuses the method %s',
    (method) => {
      expect(codeOf(() => admit(makeGrants(), '1', method, {}))).toBe('INVALID_INPUT')
    },
  )

  test('refuses an id that is none, and input that is not JSON', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    expect(codeOf(() => admit(makeGrants(), '', 'tasks.list', {}))).toBe('INVALID_INPUT')
    expect(codeOf(() => admit(makeGrants(), 5, 'tasks.list', {}))).toBe('INVALID_INPUT')
    expect(codeOf(() => admit(makeGrants(), '1', 'tasks.list', loop))).toBe('INVALID_INPUT')
    expect(codeOf(() => admit(makeGrants(), '1', 'tasks.list', { n: 1n }))).toBe('INVALID_INPUT')
  })

  test('counts the size in bytes: 8 MiB pass, one more does not', () => {
    const frame = JSON.stringify({ text: '' }).length
    const limit = 8 * 1024 * 1024
    const ofBytes = (bytes: number, letter: string): unknown => ({
      text: letter.repeat((bytes - frame) / Buffer.byteLength(letter)),
    })
    expect(codeOf(() => admit(makeGrants(), '1', 'tasks.list', ofBytes(limit, 'x')))).toBe('none')
    expect(codeOf(() => admit(makeGrants(), '1', 'tasks.list', ofBytes(limit + 1, 'x')))).toBe('TOO_LARGE')
    expect(codeOf(() => admit(makeGrants(), '1', 'tasks.list', ofBytes(limit + 3, '€')))).toBe('TOO_LARGE')
  })
})
