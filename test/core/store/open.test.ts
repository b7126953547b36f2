// What can be wrong with a workspace file, each with its fault and a hint; nothing foreign is ever changed.

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Fault } from '../../../src/base/fault.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { temporaryFolder } from '../opened.ts'

const appVersion = '0.1.0'

/** The fault of opening; a hint belongs to each. */
function refusal(path: string, more: { create?: boolean; busyMs?: number } = {}): Fault {
  try {
    openWriter(path, { appVersion, ...more }).close()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('It was opened')
}

test('text is not a workspace', () => {
  const path = join(temporaryFolder(), 'a.fault')
  writeFileSync(path, 'this is a shopping list, not a database')
  const fault = refusal(path)
  expect(fault).toMatchObject({ code: 'DB_CORRUPT', where: path })
  expect(fault.message).toContain('not a Faultline workspace')
  expect(fault.hint).toBeTruthy()
  expect(readFileSync(path, 'utf8')).toBe('this is a shopping list, not a database')
})

test("another program's database is refused and stays as it is", () => {
  const path = join(temporaryFolder(), 'a.fault')
  const other = new Sqlite(path)
  other.exec('CREATE TABLE recipes (name TEXT); PRAGMA user_version = 1;')
  other.close()
  const before = readFileSync(path)
  const fault = refusal(path)
  expect(fault.code).toBe('DB_CORRUPT')
  expect(fault.message).toContain('but not a Faultline workspace')
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a file whose end is missing is told as cut off', () => {
  const path = join(temporaryFolder(), 'a.fault')
  openWriter(path, { appVersion }).close()
  truncateSync(path, 8192)
  const fault = refusal(path)
  expect(fault.code).toBe('DB_CORRUPT')
  expect(fault.message).toContain('cut off')
})

test('a file with a damaged schema page is told as damaged', () => {
  const path = join(temporaryFolder(), 'a.fault')
  openWriter(path, { appVersion }).close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(3900, 0xa5), 0, 3900, 110)
  closeSync(file)
  expect(refusal(path).code).toBe('DB_CORRUPT')
})

test('a folder, an absent file and a path through a file are each told', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'sub'))
  expect(refusal(join(folder, 'sub')).message).toContain('folder')
  expect(refusal(join(folder, 'absent.fault'), { create: false })).toMatchObject({ code: 'FILE_UNREADABLE' })
  writeFileSync(join(folder, 'file'), 'x')
  expect(refusal(join(folder, 'file', 'a.fault')).code).toBe('FILE_UNREADABLE')
})

test('an empty file becomes a workspace, and folders are made', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'empty.fault'), '')
  openWriter(join(folder, 'empty.fault'), { appVersion }).close()
  openWriter(join(folder, 'deep', 'er', 'a.fault'), { appVersion }).close()
  expect(readFileSync(join(folder, 'empty.fault')).subarray(0, 15).toString()).toBe('SQLite format 3')
})

test('a file that another process has locked is told as locked', async () => {
  const path = join(temporaryFolder(), 'a.fault')
  openWriter(path, { appVersion }).close()
  const sqlite = import.meta.resolve('better-sqlite3')
  const script = `import Sqlite from ${JSON.stringify(sqlite)}
    const db = new Sqlite(${JSON.stringify(path)}); db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE'); db.exec("INSERT INTO settings VALUES ('x', '1')"); console.log('locked'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await new Promise((resolve, reject) => {
      holder.stdout.once('data', resolve)
      holder.once('exit', reject)
    })
    const fault = refusal(path, { busyMs: 50 })
    expect(fault.code).toBe('DB_LOCKED')
    expect(fault.hint).toBeTruthy()
  } finally {
    holder.kill('SIGKILL')
  }
})
