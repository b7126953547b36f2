// Holds the floors of docs/architecture.md: reads every import in src/ (static, dynamic, type) and compares it
// with the table of who may know whom, and looks at the shape of every file. Passes while a room is empty.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const src = resolve(import.meta.dirname, '../src')

/** room → rooms it may import, npm packages it may import. `node` allows node: modules. */
const rooms: Readonly<Record<string, { rooms: readonly string[]; packages: readonly string[] }>> = {
  base: { rooms: [], packages: ['birpc'] },
  model: { rooms: ['base'], packages: ['valibot'] },
  analysis: { rooms: ['model', 'base'], packages: ['diff'] },
  contract: { rooms: ['model', 'base'], packages: ['valibot'] },
  marks: { rooms: ['model', 'base'], packages: ['react', 'd3-scale', 'd3-shape'] },
  core: {
    rooms: ['contract', 'analysis', 'marks', 'model', 'base'],
    packages:
      'node better-sqlite3 yauzl fflate csv-parse csv-stringify @streamparser/json valibot react react-dom'.split(
        ' ',
      ),
  },
  renderer: {
    rooms: ['contract', 'analysis', 'marks', 'model', 'base'],
    packages:
      'react react-dom react-aria-components valibot diff @tanstack/react-query @tanstack/react-virtual zustand lucide-react tinykeys wouter @observablehq/plot react-resizable-panels'.split(
        ' ',
      ),
  },
  main: {
    rooms: ['contract', 'model', 'base'],
    packages: ['node', 'electron', 'electron-log', 'electron-store', 'valibot'],
  },
  preload: { rooms: ['contract'], packages: ['electron'] },
  cli: { rooms: ['core', 'contract', 'model', 'base'], packages: ['node', 'commander'] },
}

/** folder inside a room → what it may not import although its room may: folders of src/ or npm packages. */
const inner: readonly { in: string; never: readonly string[] }[] = [
  {
    in: 'core/importers',
    never: ['core/store', 'core/reports', 'core/services', 'marks', 'react', 'better-sqlite3'],
  },
  { in: 'core/store', never: ['core/importers', 'core/reports', 'core/services', 'marks', 'react'] },
  { in: 'core/reports', never: ['core/importers', 'core/store', 'core/services', 'better-sqlite3'] },
  { in: 'core/services', never: ['marks', 'react', 'react-dom', 'better-sqlite3'] },
  { in: 'renderer/kit', never: ['renderer/screens', 'renderer/bridge', 'renderer/shell'] },
]

type Import = { readonly from: string; readonly to: string; readonly isType: boolean }

const files = readdirSync(src, { recursive: true })
  .map((name) => String(name).replaceAll('\\', '/'))
  .filter((name) => /\.(ts|tsx|css)$/.test(name))
const text = (file: string): string => readFileSync(join(src, file), 'utf8')
/** A file's code without comments, so that a word in a comment is not an import. */
const code = (file: string): string => text(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const importPattern =
  /(?:^|[\s;}])(?:import|export)\s+(type\s+)?(?:[\w$*{}\s,]+?\s+from\s+)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/g

/** Every import of a file; `to` is a path inside src/ or the name of a package (`node` for Node's own). */
function importsOf(file: string): Import[] {
  return [...code(file).matchAll(importPattern)].map((match) => {
    const name = (match[2] ?? match[3] ?? '').split('?')[0] ?? ''
    const isType = match[1] !== undefined
    if (name.startsWith('.'))
      return { from: file, to: relative(src, resolve(src, dirname(file), name)), isType }
    if (name.startsWith('node:') || builtinModules.includes(name)) return { from: file, to: 'node', isType }
    return { from: file, to: name.split('/', name.startsWith('@') ? 2 : 1).join('/'), isType }
  })
}
const imports = files.filter((file) => !file.endsWith('.css')).flatMap(importsOf)
const roomOf = (path: string): string => path.split('/')[0] ?? ''
const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
const isFile = (to: string): boolean => roomOf(to) in rooms && to.includes('/')
const show = ({ from, to }: Import): string => `${from} → ${to}`

describe('floors', () => {
  test('the table knows every room', () => {
    const found = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(found.map((entry) => entry.name).filter((name) => !(name in rooms))).toEqual([])
  })

  test('the reader finds every kind of import', () => {
    const sample = `import a from 'a'\nimport type { B } from "b"\nexport { c } from 'c'\nimport 'd'\nawait import('e')\nimport {\n  f,\n} from 'f'\nexport * from 'g'`
    expect([...sample.matchAll(importPattern)].map((match) => match[2] ?? match[3])).toEqual([...'abcdefg'])
  })

  test('a room imports only what the table allows', () => {
    const wrong = imports.filter(({ from, to, isType }) => {
      const own = roomOf(from)
      const allowed = rooms[own] ?? { rooms: [], packages: [] }
      if (!isFile(to)) return to.startsWith('..') || !allowed.packages.includes(to)
      if (own === 'preload' && roomOf(to) === 'contract') return !isType
      return roomOf(to) !== own && !allowed.rooms.includes(roomOf(to))
    })
    expect(wrong.map(show)).toEqual([])
  })

  test('folders inside a room that must not know each other do not', () => {
    const wrong = imports.filter(({ from, to }) =>
      inner.some((rule) => isInside(from, rule.in) && rule.never.some((target) => isInside(to, target))),
    )
    expect(wrong.map(show)).toEqual([])
  })

  test('marks and react are drawn in the core only by reports', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        roomOf(from) === 'core' &&
        !isInside(from, 'core/reports') &&
        (roomOf(to) === 'marks' || to === 'react' || to === 'react-dom'),
    )
    expect(wrong.map(show)).toEqual([])
  })

  test('only core/store says better-sqlite3, only main and preload say electron', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (to === 'better-sqlite3' && !isInside(from, 'core/store')) ||
        (to.startsWith('electron') && !['main', 'preload'].includes(roomOf(from))),
    )
    expect(wrong.map(show)).toEqual([])
  })

  test('only renderer/bridge uses window.faultline', () => {
    const wrong = files.filter(
      (file) =>
        /\b(window|globalThis)\s*(\.|\?\.)\s*faultline\b/.test(code(file)) &&
        !isInside(file, 'renderer/bridge'),
    )
    expect(wrong).toEqual([])
  })

  test('every relative import names an existing file with its extension', () => {
    expect(imports.filter(({ to }) => isFile(to) && !existsSync(join(src, to))).map(show)).toEqual([])
  })
})

describe('files', () => {
  test('every file opens with a comment that says what it is', () => {
    expect(files.filter((file) => !/^(\/\/ ?\S|\/\*)/.test(text(file)))).toEqual([])
  })

  test('no file is longer than 350 lines', () => {
    const long = files.filter((file) => /\.tsx?$/.test(file) && text(file).split('\n').length > 350)
    expect(long).toEqual([])
  })
})
