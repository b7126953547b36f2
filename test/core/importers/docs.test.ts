// docs/formats.md against the program: every format with its id and status, beta named, every format that is recognised
// and not read, and what the importers' README says of adding one.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RECOGNISED } from '../../../src/core/importers/detect.ts'
import { IMPORTERS } from '../../../src/core/importers/registry.ts'
import { ROOT } from './readall.ts'

const formats = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8')
const folded = formats.replace(/\s+/g, ' ')

describe('docs/formats.md', () => {
  it('has a row for every importer, with its status', () => {
    const rows = [...formats.matchAll(/^\| \*\*.+?\*\* +\| `([a-z0-9-]+)` +\| (stable|beta) +\|/gm)]
    expect(rows.map(([, id, status]) => `${id} ${status}`).toSorted()).toEqual(
      IMPORTERS.map(({ id, status }) => `${id} ${status}`).toSorted(),
    )
  })
  it.each(RECOGNISED)('names what is recognised and not read: %s', (title) => {
    expect(folded).toContain(title)
  })
})

describe('the README of the importers', () => {
  it('names files that are there', () => {
    const readme = readFileSync(join(ROOT, 'src/core/importers/README.md'), 'utf8')
    for (const [, name] of readme.matchAll(/`([a-z]+\.ts)`/g))
      expect(() => readFileSync(join(ROOT, 'src/core/importers', name ?? ''))).not.toThrow()
    for (const path of ['test/core/importers/formats.ts', 'scripts/importtable.ts', 'docs/formats.md']) {
      expect(readme).toContain(path)
      expect(() => readFileSync(join(ROOT, path))).not.toThrow()
    }
  })
})
