// Outcome files: values, tables, maps, reports; as rows for attaching and as bare trials. Each shape also under a
// name that says nothing, broken, and as what it is not.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { passHatEstimate } from '../../../src/analysis/reliability/passk.ts'
import type { Problem } from '../../../src/core/importers/importer.ts'
import { detect } from '../../../src/core/importers/detect.ts'
import { bareImporter } from '../../../src/core/importers/outcomes/bare.ts'
import { labelOfPath, trialOfPath } from '../../../src/core/importers/outcomes/names.ts'
import { OUTCOME_READERS } from '../../../src/core/importers/outcomes/readers.ts'
import {
  NO_CHOICE,
  type OutcomeChoice,
  type OutcomeField,
  type OutcomeRow,
} from '../../../src/core/importers/outcomes/row.ts'
import { readValue } from '../../../src/core/importers/outcomes/values.ts'
import { readBytes, withSource, sharedData } from './readall.ts'

const fixtures = resolve(import.meta.dirname, '../../fixtures/outcomes')
const fixture = (name: string): Buffer => readFileSync(join(fixtures, name))

/** The rows of an outcome file, by the reader that recognises it. */
async function rowsOf(bytes: string | Uint8Array, name = 'data', choice: OutcomeChoice = NO_CHOICE) {
  const importers = OUTCOME_READERS.map((reader) => bareImporter(reader, { isOutcomes: true }))
  return await withSource(bytes, name, async (source) => {
    const { importer } = await detect(source, undefined, importers)
    const reader = OUTCOME_READERS.find(({ id }) => id === importer?.id)
    const rows: OutcomeRow[] = []
    const problems: Problem[] = []
    let fields: readonly OutcomeField[] = []
    await reader?.rows(
      source,
      choice,
      {
        row: (row) => void rows.push(row),
        problem: (problem) => void problems.push(problem),
        progress: () => {},
        fields: (met) => (fields = met),
      },
      new AbortController().signal,
    )
    return { id: reader?.id ?? null, rows, problems, fields }
  })
}

const short = (rows: readonly OutcomeRow[]): string[] =>
  rows.map(
    (row) => `${row.task} ${row.trial ?? '-'} ${row.outcome}${row.score === null ? '' : ` ${row.score}`}`,
  )

describe('values', () => {
  test.each([
    ['1', 'pass', 1],
    ['0', 'fail', 0],
    ['0.5', 'fail', 0.5],
    ['1.0000001', 'pass', 1.0000001],
    ['TRUE', 'pass', 1],
    ['Passed', 'pass', 1],
    ['resolved', 'pass', 1],
    ['unresolved', 'fail', 0],
    ['C', 'pass', 1],
    ['I', 'fail', 0],
    ['P', 'fail', 0.5],
    ['✓', 'pass', 1],
    ['✗', 'fail', 0],
    ['error', 'error', null],
    ['Timed out', 'error', null],
  ])('%s is %s', (text, outcome, score) => {
    expect(readValue(text, null)).toEqual({ kind: 'read', outcome, score })
  })

  test('nothing is missing, an unknown word is strange, a number beyond 1 needs a threshold', () => {
    for (const nothing of ['', '  ', 'N/A', 'null', '-'])
      expect(readValue(nothing, null)).toEqual({ kind: 'missing' })
    expect(readValue(null, null)).toEqual({ kind: 'missing' })
    expect(readValue('finished', null)).toEqual({ kind: 'strange' })
    expect(readValue('NaN', null)).toEqual({ kind: 'missing' })
    expect(readValue(85, null)).toEqual({ kind: 'scale', score: 85 })
    expect(readValue(85, 80)).toEqual({ kind: 'read', outcome: 'pass', score: 85 })
    expect(readValue(0.5, 0.5)).toEqual({ kind: 'read', outcome: 'pass', score: 0.5 })
  })
})

describe('CSV', () => {
  test('a matrix: a trial per filled cell; derived columns are compared', async () => {
    const { id, rows, problems } = await rowsOf(fixture('matrix.csv'), 'm.csv')
    expect(id).toBe('outcome-csv')
    expect(short(rows)).toEqual([
      '0 1 pass 1',
      '0 2 fail 0',
      '0 3 pass 1',
      '0 4 pass 1',
      '1 1 fail 0',
      '1 2 fail 0',
      '1 3 fail 0',
      '1 4 fail 0',
      '2 1 pass 1',
      '2 2 pass 1',
      '2 4 pass 1',
      '3 1 pass 1',
      '3 2 pass 1',
      '3 3 pass 1',
      '3 4 fail 0',
    ])
    expect(rows[8]?.place).toEqual({ file: 'm.csv', line: 4, record: 2 })
    expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['DERIVED_DIFFERS', 5, expect.stringContaining('0.5000')],
    ])
  })

  test('a long table with semicolons, quotes, line ends inside cells, words for outcomes', async () => {
    const { rows, problems, fields } = await rowsOf(fixture('long.csv'))
    expect(short(rows)).toEqual(['book-1 1 pass 1', 'book-1 2 fail 0', 'book;2 1 error', 'book 3 unknown'])
    expect(rows[0]).toMatchObject({
      scores: { score: 0.9 },
      scorer: 'outcome',
      costUsd: 0.01,
      configuration: { model: 'm-1' },
      extra: { note: 'semi;colon' },
    })
    expect(rows[2]?.place).toMatchObject({ line: 4 })
    expect(rows[3]?.place).toMatchObject({ line: 6 })
    expect(problems.map(({ code, line }) => [code, line])).toEqual([['OUTCOME_MISSING', 6]])
    expect(fields.map(({ name, rows: count, isScale }) => [name, count, isScale])).toEqual([
      ['outcome', 3, false],
      ['score', 2, true],
    ])
  })

  test('another column decides when a person says so, from the number that the person says', async () => {
    const { rows } = await rowsOf(fixture('long.csv'), 'x', { scorer: 'Score', threshold: 0.2 })
    expect(short(rows)).toEqual([
      'book-1 1 pass 0.9',
      'book-1 2 pass 0.2',
      'book;2 1 unknown',
      'book 3 unknown',
    ])
  })

  test('a status says how a trial ended, never that it was right', async () => {
    const text = 'task_id,trial,status,passed\na,1,success,0\n'
    expect(short((await rowsOf(text)).rows)).toEqual(['a 1 fail 0'])
    const only = await readBytes('task_id,trial,status\na,1,success\n', 'x.csv')
    expect(only.detection.importer).toBeNull()
  })

  test('a table with only a status is nobody’s by itself, and may be chosen', async () => {
    const { candidates } = (await readBytes('task_id,trial,status\na,1,success\n', 'x.csv')).detection
    expect(candidates[0]).toMatchObject({ id: 'outcome-csv', confidence: 0.3 })
    const csv = OUTCOME_READERS.find(({ id }) => id === 'outcome-csv')!
    const read = async (choice: OutcomeChoice) =>
      await withSource('task_id,trial,status\na,1,success\na,2,failed\n', 'x', async (source) => {
        const rows: OutcomeRow[] = []
        const sink = {
          row: (row: OutcomeRow) => void rows.push(row),
          problem: () => {},
          progress: () => {},
          fields: () => {},
        }
        await csv.rows(source, choice, sink, new AbortController().signal)
        return rows.map(({ outcome }) => outcome)
      })
    expect(await read(NO_CHOICE)).toEqual(['unknown', 'unknown'])
    expect(await read({ scorer: 'status', threshold: null })).toEqual(['pass', 'fail'])
  })

  test('a line that names the separator, empty rows, and a closing comma are what spreadsheets write', async () => {
    const { id, rows, problems } = await rowsOf('sep=;\r\ntask;passed;\r\na;1;\r\n;;\r\n\r\nb;0;\r\n')
    expect(id).toBe('outcome-csv')
    expect(short(rows)).toEqual(['a - pass 1', 'b - fail 0'])
    expect(rows.map(({ place }) => place.line)).toEqual([3, 6])
    expect(problems).toEqual([])
  })

  test('a table that is not UTF-8 is Windows-1252, and that is said; two names stay two', async () => {
    const table = 'task,passed\ncaf\xe9,1\ncaf\xe8,0\n\x80uro,1\n'
    const { rows, problems } = await rowsOf(Buffer.from(table, 'latin1'), 't.csv')
    expect(short(rows)).toEqual(['café - pass 1', 'cafè - fail 0', '€uro - pass 1'])
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['ENCODING', 'info']])
    // A longer one is not at hand as bytes: it is read with what cannot be read shown, and that is a doubt.
    const long = await rowsOf(Buffer.from(table + 'x,1\n'.repeat(20_000), 'latin1'), 't.csv')
    expect(long.rows).toHaveLength(20_003)
    expect(long.problems.map(({ code, severity }) => [code, severity])).toEqual([['ENCODING', 'warning']])
  })

  test('a quote that is never closed costs its own line', async () => {
    const { rows, problems } = await rowsOf('task,passed\na,1\n\nb,"1\nc,0\n\ne,1\n')
    expect(short(rows)).toEqual(['a - pass 1', 'c - fail 0', 'e - pass 1'])
    expect(rows.map(({ place }) => place.line)).toEqual([2, 5, 7])
    expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['RECORD_INVALID', 4, 'A row of the table is broken: it has a quote that is never closed.'],
    ])
  })

  test('cells of a matrix, and values of a map, that are on a scale ask where a pass begins', async () => {
    const fieldsOf = async (text: string) => (await rowsOf(text)).fields
    const scale = [{ name: 'score', rows: 3, isScale: true, lowest: 0, highest: 0.5 }]
    expect(await fieldsOf('task,run1,run2\na,0.5,0\nb,,0.25\n')).toEqual(scale)
    expect(await fieldsOf('task,run1,run2\na,1,0\n')).toEqual([])
    const map = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`t${i}`, i / 10]))
    expect(await fieldsOf(JSON.stringify(map))).toEqual([{ ...scale[0], rows: 10, highest: 0.9 }])
    expect(await fieldsOf('{"a":true,"b":false}')).toEqual([])
  })

  test('a table of something else is nobody’s', async () => {
    const other = await readBytes('name,age\nada,36\n', 'people.csv')
    expect(other.detection.importer).toBeNull()
    expect(other.detection.problem?.code).toBe('FORMAT_UNKNOWN')
  })

  test.each([
    ['matrix.csv', 8],
    ['long.csv', 6],
  ])('%s cut anywhere gives rows or problems, and never throws', async (name) => {
    const whole = fixture(name)
    for (let at = 1; at < whole.length; at += 3) {
      const cut = await readBytes(whole.subarray(0, at), 'data')
      expect(['done', 'failed', undefined]).toContain(cut.report?.state)
      expect(cut.codes).not.toContain('INTERNAL')
    }
  })
})

describe('JSON', () => {
  test('rows, or a map, in a member of an object that says more of the run', async () => {
    const rows = [
      { task_id: 'a', trial: 1, passed: true },
      { task_id: 'a', trial: 2, passed: false, model: 'own' },
    ]
    const list = await rowsOf(
      JSON.stringify({ model: 'm-1', date: 'x', summary: { rate: 0.5 }, results: rows }),
    )
    expect(list.id).toBe('outcome-rows')
    expect(short(list.rows)).toEqual(['a 1 pass 1', 'a 2 fail 0'])
    expect(list.rows.map(({ configuration, place }) => [configuration.model, place.record])).toEqual([
      ['m-1', 0],
      ['own', 1],
    ])
    // What stands between them and is no row is said, with its place.
    const odd = await rowsOf(JSON.stringify({ results: [rows[0], 'note', null, rows[1]] }))
    expect(short(odd.rows)).toEqual(['a 1 pass 1', 'a 2 fail 0'])
    expect(odd.problems.map(({ code, record }) => [code, record])).toEqual([
      ['RECORD_INVALID', 1],
      ['RECORD_INVALID', 2],
    ])
    const map = await rowsOf(JSON.stringify({ date: 'x', n: 2, outcomes: { a: true, b: false } }))
    expect([map.id, ...short(map.rows)]).toEqual(['outcome-map', 'a - pass 1', 'b - fail 0'])
    // A list of something else, and maps within maps, are nobody's.
    expect((await rowsOf(JSON.stringify({ results: [{ name: 'x', messages: [] }] }))).id).toBeNull()
    expect((await rowsOf(JSON.stringify({ results: { a: { '0': true } } }))).id).toBeNull()
  })

  test('null in a list of trials is a trial that was not run', async () => {
    const { rows } = await rowsOf('{"a":[1,null,"fail"],"b":[null,true]}')
    expect(short(rows)).toEqual(['a 1 pass 1', 'a 3 fail 0', 'b 2 pass 1'])
    expect((await rowsOf('{"a":[null],"b":[null]}')).id).toBeNull()
  })

  test('a map of truth values; what is not in it is no failure', async () => {
    const { id, rows } = await rowsOf(fixture('some-model.eval_results.json'), 'some-model.eval_results.json')
    expect(id).toBe('outcome-map')
    expect(rows).toHaveLength(12)
    expect(rows.filter((row) => row.outcome === 'pass')).toHaveLength(
      Object.values(JSON.parse(fixture('some-model.eval_results.json').toString()) as object).filter(Boolean)
        .length,
    )
    expect(rows[0]?.configuration.label).toBe('some-model')
  })

  test('maps of numbers, words, lists and objects', async () => {
    expect(short((await rowsOf('{"a":1,"b":0,"c":0.5}', 'outcomes.json')).rows)).toEqual([])
    expect(short((await rowsOf('{"a":1,"b":0,"c":1}', 'x')).rows)).toEqual([
      'a - pass 1',
      'b - fail 0',
      'c - pass 1',
    ])
    expect(short((await rowsOf('{"a":"pass","b":"error"}')).rows)).toEqual(['a - pass 1', 'b - error'])
    expect(short((await rowsOf('{"a":[true,false],"b":[1,1]}')).rows)).toEqual([
      'a 1 pass 1',
      'a 2 fail 0',
      'b 1 pass 1',
      'b 2 pass 1',
    ])
    const objects = await rowsOf('{"a":{"passed":true,"reward":3},"b":{"reward":7}}')
    expect(short(objects.rows)).toEqual(['a - pass 1', 'b - unknown 7'])
    expect(objects.problems[0]?.hint).toContain('which number')
    const decided = await rowsOf('{"a":{"passed":true,"reward":3},"b":{"reward":7}}', 'x', {
      scorer: 'reward',
      threshold: 5,
    })
    expect(short(decided.rows)).toEqual(['a - fail 3', 'b - pass 7'])
  })

  test('rows as an array and as lines; __proto__ is a task like another', async () => {
    const rows = [
      { task_id: 0, trial: 1, reward: 1 },
      { task_id: '__proto__', trial: 2, reward: 0 },
    ]
    const array = await rowsOf(JSON.stringify(rows))
    expect([array.id, short(array.rows)]).toEqual(['outcome-rows', ['0 1 pass 1', '__proto__ 2 fail 0']])
    const lines = await rowsOf(rows.map((row) => JSON.stringify(row)).join('\n'))
    expect(short(lines.rows)).toEqual(short(array.rows))
    expect(short((await rowsOf('{"__proto__":true,"b":false}')).rows)).toEqual([
      '__proto__ - pass 1',
      'b - fail 0',
    ])
  })

  test('settings, trajectories and other JSON are nobody’s outcomes', async () => {
    for (const text of [
      '{"hello":"world"}',
      '{"timeout":1,"debug":0}',
      '{"a":{"b":1}}',
      '[1,2]',
      '{"a":"finished"}',
    ])
      expect([text, (await rowsOf(text)).id]).toEqual([text, null])
    expect((await rowsOf('{"task_id":1,"reward":1,"traj":[],"info":{}}')).id).toBeNull()
  })
})

describe('benchmarks', () => {
  test('a SWE-bench report: listed once, errors and empty patches kept apart, the rest without outcome', async () => {
    const { id, rows, problems } = await rowsOf(fixture('swe-report.json'))
    expect(id).toBe('swe-bench-report')
    expect(short(rows)).toEqual(['a__a-1 - pass 1', 'a__a-4 - error', 'a__a-2 - fail 0', 'a__a-3 - fail 0'])
    expect(rows.map((row) => row.scoreRaw)).toContain('empty_patch_ids')
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('1 instance of the report has no outcome'),
    ])
  })

  test('the report of one instance, a tau sidecar, a reward file', async () => {
    expect(short((await rowsOf(fixture('report.json'))).rows)).toEqual(['a__a-1 - pass 1'])
    const sidecar = await rowsOf(fixture('eval_results.json'), 'trial_2/eval_results.json')
    expect([sidecar.id, short(sidecar.rows)]).toEqual([
      'tau-sidecar',
      ['0 2 pass 1', '1 2 fail 0', '2 2 fail 0', '3 2 unknown'],
    ])
    expect(sidecar.rows[0]?.scores).toEqual({ db_match: 1, path_match: 0 })
    const reward = await rowsOf('1.0\n', 'job/t-1/verifier/reward.txt')
    expect([reward.id, reward.rows[0]?.folder, reward.rows[0]?.outcome]).toEqual([
      'reward-file',
      'job/t-1',
      'pass',
    ])
    expect((await rowsOf('1.0\n', 'notes.txt')).id).toBeNull()
  })
})

describe('as bare trials', () => {
  test('an agentrial file is a set of trials of its suite, without steps', async () => {
    const read = await readBytes(fixture('agentrial.json'))
    expect(read.detection.importer?.id).toBe('agentrial')
    expect(read.trials).toHaveLength(16)
    expect(read.trials[0]).toMatchObject({
      suite: 'real-agent-benchmark',
      task: 'simple-math',
      sourceTrial: '0',
      outcome: 'pass',
      steps: [],
      costUsd: 0.00052775,
      configuration: { agent: 'examples.benchmark.agent.agent' },
      extra: { tokens: 1783, stepNames: ['llm_call', 'calculator', 'llm_call'] },
    })
    expect(new Set(read.raws.map((raw) => raw.sourceKey)).size).toBe(16)
  })

  test('the published agentrial results: seven tasks of twenty trials, and their pass^k', async (context) => {
    const path = sharedData('agentrial/results_haiku.json')
    if (!existsSync(path)) context.skip(`needs ${path}, which is not part of this repository`)
    const { trials, codes } = await readBytes(readFileSync(path), 'results_haiku.json')
    expect(codes).toEqual([])
    const byTask = Map.groupBy(trials, (trial) => trial.task)
    expect([trials.length, byTask.size, trials.filter(({ outcome }) => outcome === 'pass').length]).toEqual([
      140, 7, 132,
    ])
    const golden = [
      0.942857, 0.896992, 0.8599, 0.829515, 0.804161, 0.782497, 0.763467, 0.746263, 0.730274, 0.71506,
      0.70031, 0.685817, 0.671454, 0.657147, 0.642857, 0.628571, 0.614286, 0.6, 0.585714, 0.571429,
    ]
    const curve = golden.map((_, at) => {
      const values = [...byTask.values()].map((rows) => {
        const estimate = passHatEstimate(
          rows.length,
          rows.filter(({ outcome }) => outcome === 'pass').length,
          at + 1,
        )
        return estimate.ok ? estimate.value : Number.NaN
      })
      return values.reduce((sum, value) => sum + value, 0) / values.length
    })
    curve.forEach((value, at) => expect(value).toBeCloseTo(golden[at] ?? Number.NaN, 6))
  })

  test('the published SWE-bench Pro outcomes: every key a task, no key invented', async (context) => {
    const path = sharedData('swe-bench-pro-outcomes/claude-45sonnet-10132025.eval_results.json')
    if (!existsSync(path)) context.skip(`needs ${path}, which is not part of this repository`)
    const written = JSON.parse(readFileSync(path, 'utf8')) as Record<string, boolean>
    const { trials } = await readBytes(readFileSync(path), 'claude-45sonnet-10132025.eval_results.json')
    expect(trials).toHaveLength(Object.keys(written).length)
    expect(trials.filter(({ outcome }) => outcome === 'pass')).toHaveLength(
      Object.values(written).filter(Boolean).length,
    )
    expect(trials[0]?.configuration.label).toBe('claude-45sonnet-10132025')
  })

  test('equal lines of two tasks or two files are different trials; a changed row of a known trial keeps its key', async () => {
    const a = await readBytes('task_id,Trial_1,Trial_2\n0,1,1\n1,1,1\n', 'model-a.csv')
    const b = await readBytes('task_id,Trial_1,Trial_2\n0,1,1\n1,1,1\n', 'model-b.csv')
    const salts = [...a.raws, ...b.raws].map((raw) => raw.identitySalt)
    expect(new Set(salts).size).toBe(8)
    const changed = await readBytes('task_id,Trial_1,Trial_2\n0,1,0\n1,1,1\n', 'model-a.csv')
    expect(changed.raws.map((raw) => raw.sourceKey)).toEqual(a.raws.map((raw) => raw.sourceKey))
  })

  test('what a path tells', () => {
    expect(labelOfPath('evals/gpt-x/eval_results.json')).toBe('gpt-x')
    expect(labelOfPath('outcomes.csv')).toBeNull()
    expect(labelOfPath('gpt-x.eval_results.json')).toBe('gpt-x')
    expect(labelOfPath('gpt-x/trial_1/eval_results.json')).toBe('gpt-x')
    expect([trialOfPath('a/trial_2/x.json'), trialOfPath('a/Run-3.csv'), trialOfPath('a/b.csv')]).toEqual([
      '2',
      '3',
      null,
    ])
  })
})
