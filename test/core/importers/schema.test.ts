// docs/faultline-jsonl.schema.json describes what is written and what is read.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import { IMPORTERS } from '../../../src/core/importers/registry.ts'
import { problems } from '../reports/schema.ts'
import { fixture, readBytes, ROOT } from './readall.ts'

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/faultline-jsonl.schema.json'), 'utf8')) as Record<
  string,
  unknown
>
const docs = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8')

/** Each line against the definition of its own type, so that a problem is named and not hidden in `anyOf`. */
function check(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line, i) => {
      const record = JSON.parse(line) as { type: string }
      const own = (schema['$defs'] as Record<string, Record<string, unknown>>)[record.type]
      if (own === undefined) return []
      return problems(schema, record, own).map((problem) => `line ${i + 1} ${problem}`)
    })
}

describe('the schema', () => {
  it('holds for what the writer writes', async () => {
    for (const name of [
      'tau-bench/gpt-4o-airline.json',
      'tau-bench/retail-no-call-ids.json',
      'faultline-jsonl/whole.faultline.jsonl',
    ]) {
      const { trials } = await readBytes(readFileSync(fixture(name)), name.replace('/', '-'))
      expect(trials.length).toBeGreaterThan(0)
      expect(check([...writeFaultlineJsonl(trials, { producer: 'test' })].join(''))).toEqual([])
    }
  })
  it('holds for the sample, the fixture and the examples of the documentation', () => {
    expect(check(readFileSync(join(ROOT, 'resources/sample/refund-desk.faultline.jsonl'), 'utf8'))).toEqual(
      [],
    )
    expect(
      check(readFileSync(fixture('faultline-jsonl/whole.faultline.jsonl'), 'utf8').replaceAll('NaN', 'null')),
    ).toEqual([])
    const examples = [...docs.matchAll(/```text\n([\s\S]*?)```/g)].map((found) => found[1] as string)
    expect(examples).toHaveLength(2)
    for (const example of examples) expect(check(example)).toEqual([])
  })
  it('does not hold for what is none', () => {
    expect(check('{"type":"trial","task_id":"t"}')).toEqual(['line 1 $: lacks trial_id'])
    expect(check('{"type":"header","format":"faultline","version":2}')).toEqual([
      'line 1 $.version: too large',
    ])
    expect(check('{"type":"step","trial_id":"1","index":-1}')).not.toEqual([])
    expect(problems(schema, { type: 'comet' }).length).toBeGreaterThan(0)
  })
})

describe('the documentation', () => {
  it('names every importer with its status', () => {
    for (const { id, status } of IMPORTERS) expect(docs).toMatch(new RegExp(`\`${id}\`\\s*\\|\\s*${status}`))
  })
  it('has examples that are read as it says', async () => {
    const [long, least] = [...docs.matchAll(/```text\n([\s\S]*?)```/g)].map((found) => found[1] as string)
    const whole = await readBytes(long as string)
    expect(whole.problems).toEqual([])
    expect(whole.trials[0]).toMatchObject({
      suite: 'retail-agent',
      task: '42',
      outcome: 'fail',
      scores: { politeness: 0.5 },
    })
    expect(whole.trials[0]?.steps.map((step) => step.kind)).toEqual([
      'message',
      'tool_call',
      'tool_result',
      'message',
    ])
    expect((await readBytes(least as string)).trials).toHaveLength(1)
  })
})
