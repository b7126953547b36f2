// Checks the types of every room, each under its own tsconfig (so that a room sees only the platform it may
// use), at most two at a time. Prints one line per room and ends with exit code 1 when any room fails.
// `node scripts/types.ts core model` checks only the rooms named.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const sourceFile = /\.(ts|tsx)$/

const rooms = [...readdirSync(join(root, 'src')).map((name) => `src/${name}`), 'test', 'e2e', 'scripts']
const wanted = process.argv.slice(2)
const projects = rooms.filter(
  (room) =>
    existsSync(join(root, room, 'tsconfig.json')) &&
    (wanted.length === 0 || wanted.includes(room) || wanted.includes(room.replace('src/', ''))) &&
    // tsc calls a project without any input an error; a room that is still empty is none.
    readdirSync(join(root, room), { recursive: true }).some((file) => sourceFile.test(String(file))),
)

/** Runs tsc over one room; resolves to whether it passed, after printing its output. */
function checkRoom(room: string): Promise<boolean> {
  return new Promise((done) => {
    const started = performance.now()
    const child = spawn(process.execPath, [tsc, '-p', join(room, 'tsconfig.json'), '--pretty', 'false'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (part) => (output += part))
    child.stderr.on('data', (part) => (output += part))
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${room} (${seconds} s)\n${output}`)
      done(code === 0)
    })
  })
}

const queue = [...projects]
let failed = 0
async function drain(): Promise<void> {
  for (let room = queue.shift(); room !== undefined; room = queue.shift()) {
    if (!(await checkRoom(room))) failed += 1
  }
}
await Promise.all([drain(), drain()])
process.stdout.write(`types: ${projects.length - failed} of ${projects.length} rooms pass\n`)
process.exitCode = failed === 0 ? 0 : 1
