// `npm test`: everything that must hold. Types of every room, lint, format, the build, unit and integration
// tests (with the architecture test), and the end-to-end tests in a real Electron window.
// Every part runs even when one before it failed; the last line sums the tests up as `N passed, N failed`.

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const results = join(root, 'out/test')
const bin = (path: string): string => join(root, 'node_modules', path)
const unitFile = join(results, 'unit.json')
const e2eFile = join(results, 'e2e.json')

type Sum = { passed: number; failed: number; skipped: number }

/** Runs one Node program with this terminal; whether it ended with 0. */
function run(title: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  process.stdout.write(`\n── ${title}\n`)
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.once('error', () => done(false))
    child.once('exit', (code) => done(code === 0))
  })
}

/** A reporter's file, or undefined when the part died before it wrote one. */
function readReport(file: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch {
    return undefined
  }
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Adds a part's tests to the sum; a part that failed without a failing test counts as one failure. */
function add(sum: Sum, part: Sum, isFine: boolean): void {
  sum.passed += part.passed
  sum.skipped += part.skipped
  sum.failed += isFine ? part.failed : Math.max(part.failed, 1)
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const sum: Sum = { passed: 0, failed: 0, skipped: 0 }
const none: Sum = { passed: 0, failed: 0, skipped: 0 }
const broken: string[] = []

/** Runs a part that has no tests of its own. */
async function check(title: string, args: readonly string[]): Promise<void> {
  const isFine = await run(title, args)
  add(sum, none, isFine)
  if (!isFine) broken.push(title)
}

await check('types', [join(root, 'scripts/types.ts')])
await check('lint', [bin('oxlint/bin/oxlint'), '--deny-warnings'])
await check('format', [bin('prettier/bin/prettier.cjs'), '--check', '.', '--log-level', 'warn'])
await check('build', [join(root, 'scripts/build.ts')])

const unitIsFine = await run('unit and integration tests', [
  bin('vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitFile}`,
])
const unit = readReport(unitFile)
add(
  sum,
  {
    passed: count(unit?.['numPassedTests']),
    failed: count(unit?.['numFailedTests']),
    skipped: count(unit?.['numPendingTests']),
  },
  unitIsFine,
)
if (!unitIsFine) broken.push('unit and integration tests')

const e2eIsFine = await run(
  'end-to-end tests in Electron',
  [bin('@playwright/test/cli.js'), 'test', '--project=app', '--reporter=list,json'],
  { PLAYWRIGHT_JSON_OUTPUT_NAME: e2eFile },
)
const stats = (readReport(e2eFile)?.['stats'] ?? {}) as Record<string, unknown>
add(
  sum,
  {
    passed: count(stats['expected']) + count(stats['flaky']),
    failed: count(stats['unexpected']),
    skipped: count(stats['skipped']),
  },
  e2eIsFine,
)
if (!e2eIsFine) broken.push('end-to-end tests')

process.stdout.write(broken.length === 0 ? '\n' : `\nFailed: ${broken.join(', ')}\n`)
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`)
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1
