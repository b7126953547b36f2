// All real data that stands beside the repository, imported in one go by a real core: per file its format, tasks,
// trials, outcomes and problems as in everything.golden.json; the figures of the sets that were computed independently;
// and a second import that changes nothing. A clone does not have the data; then these tests are skipped.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { importTable, type ImportTableRow } from '../../../scripts/importtable.ts'
import type { SuiteSummary, TaskRow } from '../../../src/contract/rows.ts'
import { RECOGNISED } from '../../../src/core/importers/detect.ts'
import { openTemporary, type Temporary } from '../opened.ts'
import { hasSharedData, sharedData } from './readall.ts'

const hasData = hasSharedData('tau-bench/gpt-4o-airline.json', 'the whole of it is')

const GOLDEN = join(import.meta.dirname, 'everything.golden.json')

/** Per folder of the data, what its files are recognised as although they are not read. */
const SECOND_WAVE: readonly (readonly [folder: string, title: string, files: number])[] = [
  ['langfuse/', 'a Langfuse export', 12],
  ['langsmith/', 'LangSmith runs as they are sent', 3],
  ['otel-openinference/', 'OpenTelemetry spans', 10],
  ['misc/', 'an ADK session', 1],
  ['misc/', 'AgentLab results', 1],
  ['misc/', 'DeepEval results', 1],
  ['misc/', 'a DeepEval trace', 1],
  ['who-and-when/', 'Who&When labels', 53],
]

describe.skipIf(!hasData)('everything (../shared/data)', () => {
  let open: Temporary
  let rows: ImportTableRow[] = []
  beforeAll(async () => {
    open = openTemporary()
    rows = await importTable(open.core, sharedData('.'))
  }, 120_000)
  afterAll(() => open.close())

  const ids = async (isWanted: (label: string) => boolean): Promise<string[]> => {
    const all = await open.core.request('configurations.list', {})
    return all.filter(({ label }) => isWanted(label)).map(({ configurationId }) => configurationId)
  }
  const list = async (
    configurations: readonly string[],
    suite: string | null,
    error: 'fail' | 'exclude' = 'fail',
  ): Promise<{ readonly summary: SuiteSummary; readonly rows: readonly TaskRow[] }> =>
    open.core.request('tasks.list', {
      view: { configurations: [...configurations], policy: { error, unknown: 'exclude' } },
      filter: { suite },
      sort: 'task',
      offset: 0,
      limit: 200,
    })
  const curve = (summary: SuiteSummary, kind: 'passHatK' | 'passAtK', upTo: number): (number | null)[] =>
    summary.curve.slice(0, upTo).map((at) => (at[kind].ok ? Number(at[kind].value.toFixed(6)) : null))
  const wilson = ({ pooled }: SuiteSummary): number[] =>
    (pooled.wilson ?? []).map((bound) => Number(bound.toFixed(6)))

  /** The rows without the texts that stand beside the data, and without the name of the folder that all lies in. */
  const told = (): ImportTableRow[] =>
    rows
      .filter(({ file }) => !/(?:LICENSE|SOURCE\.txt|SCHEMA\.txt)$/.test(file))
      .map((row) => ({
        ...row,
        file: row.file.replace(/^[^/]*\//, ''),
        why: row.why?.replace(/^[^/ ]*\//, '') ?? null,
      }))

  it('is as in the golden table, file by file', async () => {
    const lines = told().map((row) => JSON.stringify(row))
    await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot(GOLDEN)
  })
  it('is read, named, or text that stands beside the data', () => {
    const strange = told().filter(({ state }) => state === 'needs format')
    // A judge's verdicts, and a log that was made to be no log.
    expect(strange.map(({ file }) => file)).toEqual([
      'inspect/log_invalid.txt',
      'tau-bench-madhav/judge_multiple_runs.json',
    ])
    for (const { file, problems } of told()) expect(Object.keys(problems), file).not.toContain('INTERNAL')
  })
  it.each(SECOND_WAVE)('names what comes later: %s %s', (folder, title, files) => {
    expect(RECOGNISED).toContain(title)
    const named = rows.filter(
      ({ file, why }) => file.includes(`/${folder}`) && why?.includes(`looks like ${title},`) === true,
    )
    expect(named).toHaveLength(files)
    for (const { format, trials } of named) expect([format, trials]).toEqual([null, 0])
  })
  it('holds as many trials as the preview said, and changes nothing when it is imported again', async () => {
    const [first] = await open.core.request('imports.list', {})
    expect(
      first!.trialsNew + first!.trialsSame + first!.files.reduce((sum, one) => sum + one.conflicts, 0),
    ).toBe(rows.reduce((sum, row) => sum + row.trials, 0))
    const before = await open.core.request('workspace.info', {})
    const conflicts = await open.core.request('conflicts.list', {})
    const again = await open.core.request('imports.run', { files: [{ path: sharedData('.') }] })
    expect([again.trialsNew, again.state]).toEqual([0, 'kept'])
    expect(again.files.filter(({ state }) => state === 'kept')).toEqual([])
    const after = await open.core.request('workspace.info', {})
    expect([after.trials, after.tasks, after.configurations]).toEqual([
      before.trials,
      before.tasks,
      before.configurations,
    ])
    expect(await open.core.request('conflicts.list', {})).toEqual(conflicts)
  }, 60_000)

  it('τ-bench airline, gpt-4o: 50 tasks of four trials', async () => {
    const { summary } = await list(await ids((label) => label === 'gpt-4o'), 'airline')
    expect([summary.tasks, summary.trials, summary.pooled.passes, summary.sometimes]).toEqual([
      50, 200, 84, 26,
    ])
    expect(wilson(summary)).toEqual([0.353736, 0.489279])
    expect(curve(summary, 'passHatK', 4)).toEqual([0.42, 0.273333, 0.22, 0.2])
    expect(curve(summary, 'passAtK', 4)).toEqual([0.42, 0.566667, 0.66, 0.72])
  })
  it('τ-bench retail, three configurations as three trials, under both readings of errors', async () => {
    const three = await ids((label) => /^retail_tool-calling-l[012]-4o$/.test(label))
    const fail = (await list(three, 'retail')).summary
    expect([fail.tasks, fail.pooled.n, fail.pooled.passes, fail.sometimes]).toEqual([115, 345, 290, 35])
    expect(wilson(fail)).toEqual([0.798232, 0.875426])
    expect(curve(fail, 'passHatK', 3)).toEqual([0.84058, 0.73913, 0.66087])
    expect(curve(fail, 'passAtK', 3)).toEqual([0.84058, 0.942029, 0.965217])
    const without = (await list(three, 'retail', 'exclude')).summary
    expect([without.tasks, without.pooled.n, without.pooled.passes, without.sometimes]).toEqual([
      115, 343, 290, 33,
    ])
    expect(wilson(without)).toEqual([0.803424, 0.879885])
    expect(curve(without, 'passHatK', 3)).toEqual([0.846377, 0.750725, 0.672566])
    expect(curve(without, 'passAtK', 3)).toEqual([0.846377, 0.942029, 0.964602])
    expect(without.curve.map(({ tasksDefined }) => tasksDefined)).toEqual([115, 115, 113])
  })
  it('agentrial: seven tasks of twenty trials', async () => {
    const { summary } = await list(await ids((label) => label === 'results_haiku'), null)
    expect([summary.tasks, summary.trials, summary.pooled.passes, summary.sometimes]).toEqual([
      7, 140, 132, 3,
    ])
    expect(wilson(summary)).toEqual([0.891297, 0.970764])
    const hat = curve(summary, 'passHatK', 20)
    expect([hat[0], hat[1], hat[4], hat[9], hat[19]]).toEqual([
      0.942857, 0.896992, 0.804161, 0.71506, 0.571429,
    ])
    expect(curve(summary, 'passAtK', 3)).toEqual([0.942857, 0.988722, 0.997494])
  })
  it('τ²-bench airline, one file per trial: by start time', async () => {
    const wanted = await ids((label) => label.startsWith('openai/gpt-4.1-mini llm_agent'))
    const { rows: tasks } = await list(wanted, 'airline')
    const passes: Record<string, number[]> = {}
    for (const { task, taskId } of tasks) {
      const { trials } = await open.core.request('tasks.get', { taskId, view: { configurations: wanted } })
      passes[task] = trials
        .toSorted((a, b) => a.number - b.number)
        .map(({ outcome }) => (outcome === 'pass' ? 1 : 0))
    }
    expect(passes).toEqual({ '0': [1], '8': [0, 0, 1, 0] })
  })
})

describe.skipIf(!hasData)('outcome files by themselves (../shared/data)', () => {
  it('SWE-bench Pro: every key a task', async () => {
    const open = openTemporary()
    try {
      const [row] = await importTable(
        open.core,
        sharedData('swe-bench-pro-outcomes/claude-45sonnet-10132025.eval_results.json'),
      )
      const golden = JSON.parse(
        readFileSync(sharedData('swe-bench-pro-outcomes/claude-45sonnet-10132025.eval_results.json'), 'utf8'),
      ) as Record<string, boolean>
      const passes = Object.values(golden).filter((value) => value).length
      const all = Object.keys(golden).length
      expect(row).toMatchObject({ tasks: all, trials: all, pass: passes, fail: all - passes, unknown: 0 })
    } finally {
      await open.close()
    }
  })
})
