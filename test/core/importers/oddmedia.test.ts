// Images inside of trials, held for every format: the bytes stay in the original record, the step has a placeholder with
// type and size, and nothing of it is loaded or decoded.

import { describe, expect, it } from 'vitest'
import { isObject } from '../../../src/base/json.ts'
import { mediaPlaceholder } from '../../../src/core/importers/media.ts'
import { allFixtures, type Fixture } from './formats.ts'
import { readBytes } from './readall.ts'

const IMAGE = `${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(500)}AA==`
const SHOWN = '9,001 bytes'
const ADDRESS = `data:image/png;base64,${IMAGE}`
/** Members that hold what is said, and members that show that an object is a message, a turn or an event. */
const SAID = ['content', 'text', 'observation', 'message']
const SAYING = ['role', 'source', 'type', 'action', 'observation']
/** Where a trial is described, and nothing is said in it. */
const ASIDE = ['info', 'tasks', 'eval', 'plan', 'header', 'input', 'issue', 'instance', 'system_prompt']
/** Without trajectories. */
const NO_STEPS = /^outcomes\//

/** The first thing that is said in a value, as the object and its member; null when nothing is. */
function firstSaid(
  value: unknown,
): { readonly object: Record<string, unknown>; readonly key: string } | null {
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = firstSaid(one)
      if (found !== null) return found
    }
    return null
  }
  if (!isObject(value)) return null
  const object = value as Record<string, unknown>
  const key = SAID.find((one) => typeof object[one] === 'string' && String(object[one]).length > 3)
  if (key !== undefined && SAYING.some((one) => one !== key && Object.hasOwn(object, one)))
    return { object, key }
  for (const [name, one] of Object.entries(object)) {
    if (ASIDE.includes(name)) continue
    const found = firstSaid(one)
    if (found !== null) return found
  }
  return null
}

/** A line that is no strict JSON says nothing here. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** The file with another value in place of the first thing that is said in it; null when nothing is. */
function saying(fixture: Fixture, make: (said: string) => unknown): string | null {
  const text = fixture.bytes.toString().trim()
  const parts = fixture.kind === 'lines' ? text.split('\n') : [text]
  for (const [i, part] of parts.entries()) {
    const value = parsed(part)
    const found = firstSaid(value)
    if (found === null) continue
    found.object[found.key] = make(String(found.object[found.key]))
    return [...parts.slice(0, i), JSON.stringify(value), ...parts.slice(i + 1)].join('\n')
  }
  return null
}

const fixtures = allFixtures().filter(
  (fixture) =>
    ['lines', 'object', 'array'].includes(fixture.kind) &&
    !NO_STEPS.test(fixture.name) &&
    !/nan|version-4|cancelled/.test(fixture.name) &&
    saying(fixture, (said) => said) !== null,
)

const SHAPES: readonly (readonly [name: string, make: (said: string) => unknown])[] = [
  ['in a text', (said) => `${said} ![shot](${ADDRESS}) behind`],
  [
    'as an image_url',
    (said) => [
      { type: 'text', text: said },
      { type: 'image_url', image_url: { url: ADDRESS } },
    ],
  ],
  [
    'as an input_image',
    (said) => [
      { type: 'input_text', text: said },
      { type: 'input_image', image_url: ADDRESS },
    ],
  ],
  [
    'as a source of base64',
    (said) => [
      { type: 'text', text: said },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } },
    ],
  ],
  ['as inlineData', (said) => [{ text: said }, { inlineData: { mimeType: 'image/png', data: IMAGE } }]],
]

/** What was shown as a placeholder: formats and shapes. */
const shown = new Set<string>()

describe.each(SHAPES)('an image %s', (name, make) => {
  it.each(fixtures)('$name', async (fixture) => {
    const bytes = saying(fixture, make) ?? ''
    const plain = await readBytes(fixture.bytes)
    const { trials, raws, codes } = await readBytes(bytes, 'data', fixture.importer)
    expect(trials.length).toBe(plain.trials.length)
    expect(codes).not.toContain('INTERNAL')
    const all = JSON.stringify(trials)
    expect(all).not.toContain(IMAGE.slice(0, 200))
    expect(raws.some(({ recordBytes }) => recordBytes.includes(IMAGE))).toBe(true)
    if (all.includes(SHOWN)) shown.add(`${fixture.importer.id} ${name}`)
  })
})

describe('placeholders', () => {
  it('stand in a step', () => {
    const formats = new Set(fixtures.map(({ importer }) => importer.id))
    const missing = [...formats].flatMap((format) =>
      SHAPES.map(([name]) => `${format} ${name}`).filter((one) => !shown.has(one)),
    )
    // Codex has its texts inside of parts already, Inspect its images by another name.
    expect(missing).toEqual([
      'inspect as a source of base64',
      'codex as an image_url',
      'codex as an input_image',
      'codex as a source of base64',
      'codex as inlineData',
    ])
  })
  it('say the size of the bytes, not of their writing', () => {
    expect(mediaPlaceholder('image', 'image/png', IMAGE)).toContain(SHOWN)
    expect(Buffer.from(IMAGE, 'base64')).toHaveLength(9001)
  })
})
