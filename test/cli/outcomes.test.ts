// `faultline outcomes`, `conflicts`, `import --outcomes` and `--dry-run` as a child process: what is said, what is
// written, exit codes.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deskTrials, faultline, folder, writeTrials, type SmallTrial } from './program.ts'

const open = (...tasks: readonly string[]): readonly SmallTrial[] =>
  tasks.map((task) => ({ id: `s-${task}`, task, outcome: 'unknown', calls: [['look', { task }, 'ok']] }))

const write = (cwd: string, name: string, content: string): string => {
  writeFileSync(join(cwd, name), content)
  return name
}

const outcomes = async (cwd: string): Promise<readonly string[]> => {
  const { rows } = JSON.parse((await faultline(cwd, ['tasks', '--json'])).out)
  return rows
    .map(
      (row: { task: string; rate: { n: number; passes: number } }) =>
        `${row.task} ${row.rate.passes}/${row.rate.n}`,
    )
    .sort()
}

test('a dry run says what would change and changes nothing; attaching does it; undo takes it back', async () => {
  const cwd = folder()
  await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', open('a', 'b', 'c'))])
  const map = write(cwd, 'map.json', '{"a":true,"b":false,"x":true}')
  const dry = await faultline(cwd, ['outcomes', 'attach', map, '--dry-run'])
  expect(dry.code).toBe(0)
  expect(dry.out).toContain('2 of 3 rows joined (2 by task)')
  expect(dry.out).toContain('2 outcomes would change: 1 unknown → pass, 1 unknown → fail')
  expect(dry.out).toContain('x (line 1): no trial of its task is here')
  expect(dry.out).toContain('desk/c, trial 1 (unknown)')
  expect(await outcomes(cwd)).toEqual(['a 0/0', 'b 0/0', 'c 0/0'])
  const done = await faultline(cwd, ['outcomes', 'attach', map])
  expect(done.code).toBe(0)
  expect(await outcomes(cwd)).toEqual(['a 1/1', 'b 0/1', 'c 0/0'])
  const id = /outcomes undo (o\w+)/.exec(done.out)?.[1] ?? ''
  const listed = await faultline(cwd, ['outcomes', 'list', '--json'])
  expect(JSON.parse(listed.out)).toMatchObject([{ attachmentId: id, trials: 2, isUndone: false }])
  expect((await faultline(cwd, ['outcomes', 'undo', id.slice(0, 6)])).out).toContain('undone')
  expect(await outcomes(cwd)).toEqual(['a 0/0', 'b 0/0', 'c 0/0'])
  const nothing = await faultline(cwd, [
    'outcomes',
    'attach',
    write(cwd, 'other.json', '{"x":true,"y":false}'),
  ])
  expect(nothing.code).toBe(1)
  expect(nothing.out).toContain('Nothing was attached')
  expect((await faultline(cwd, ['outcomes', 'undo', 'nonsense'])).code).toBe(2)
})

test('import --outcomes does both, with the field and the threshold that are named', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'runs'))
  writeTrials(join(cwd, 'runs/t.jsonl'), 'desk', open('a', 'b'))
  write(cwd, 'runs/scores.csv', 'task_id,passed,reward\na,1,10\nb,1,90\n')
  const ran = await faultline(cwd, [
    'import',
    'runs',
    '--outcomes',
    'runs/scores.csv',
    '--scorer',
    'reward',
    '--threshold',
    '50',
  ])
  expect(ran.code).toBe(0)
  expect(ran.out).toContain('2 new trials kept')
  expect(ran.out).toMatch(/runs\/scores\.csv\s+CSV outcomes\s+outcomes/)
  expect(ran.out).toContain('“reward” decides from 50 on')
  expect(await outcomes(cwd)).toEqual(['a 0/1', 'b 1/1'])
  const json = await faultline(cwd, ['import', 'runs', '--outcomes', 'runs/scores.csv', '--json'])
  // What was chosen is remembered for tables of this kind.
  expect(JSON.parse(json.out)).toMatchObject({
    trialsNew: 0,
    trialsSame: 2,
    outcomes: {
      attachment: null,
      preview: { isRemembered: true, same: 2, choice: { scorer: 'reward', threshold: 50 } },
    },
  })
})

test('import --dry-run says what is there and what is missing, and writes nothing', async () => {
  const cwd = folder()
  writeTrials(join(cwd, 't.jsonl'), 'desk', [...deskTrials('a'), ...open('b')])
  const ran = await faultline(cwd, ['import', 't.jsonl', '--dry-run', '--suite', 'night', '--label', 'v2'])
  expect(ran.code).toBe(0)
  expect(ran.out).toContain('7 trials of 2 tasks: 3 pass, 3 fail, 0 error, 1 unknown.')
  expect(ran.out).toContain('Suites: night. Configurations: v2.')
  expect(ran.out).toContain('How it ended is not known of 1 trial of 7.')
  expect(ran.out).toContain('Nothing was written.')
  expect(JSON.parse((await faultline(cwd, ['tasks', '--json'])).out).summary.trials).toBe(0)
  const none = await faultline(cwd, ['import', write(cwd, 'x.json', '{"hello":1}'), '--dry-run'])
  expect(none.code).toBe(1)
  const unread = await faultline(cwd, ['import', 'x.json'])
  expect(unread.code).toBe(1)
})

test('conflicts are listed with both sides, decided and opened again', async () => {
  const cwd = folder()
  const one = (name: string, outcome: 'pass' | 'fail', result: string): string =>
    writeTrials(join(cwd, name), 'desk', [{ id: 'r-1', task: 'a', outcome, calls: [['look', {}, result]] }])
  expect((await faultline(cwd, ['import', one('a.jsonl', 'pass', 'x')])).code).toBe(0)
  expect((await faultline(cwd, ['conflicts'])).out).toContain('No conflicts')
  await faultline(cwd, ['import', one('b.jsonl', 'fail', 'y')])
  const listed = await faultline(cwd, ['conflicts', 'list'])
  expect(listed.out).toContain('they differ in: outcome, steps')
  expect(listed.out).toContain('1 conflict to decide')
  const [conflict] = JSON.parse((await faultline(cwd, ['conflicts', 'list', '--json'])).out)
  const [, side] = conflict.sides
  expect(await outcomes(cwd)).toEqual([])
  const id: string = conflict.conflictId.slice(0, 12)
  const kept = await faultline(cwd, ['conflicts', 'resolve', id, '--keep', side.trialId.slice(0, 8)])
  expect(kept.code).toBe(0)
  expect(kept.out).toContain(`✓ ${side.trialId}`)
  expect(await outcomes(cwd)).toEqual(['a 0/1'])
  await faultline(cwd, ['conflicts', 'resolve', id, '--keep', 'both'])
  expect(await outcomes(cwd)).toEqual(['a 1/2'])
  await faultline(cwd, ['conflicts', 'resolve', id, '--keep', 'none'])
  expect(await outcomes(cwd)).toEqual([])
  expect((await faultline(cwd, ['conflicts', 'resolve', id, '--keep', 'nobody'])).code).toBe(2)
  expect((await faultline(cwd, ['conflicts', 'resolve', 'zzzz', '--keep', 'both'])).code).toBe(2)
})

test('formats lists what is read, with its status, and names what is recognised only', async () => {
  const ran = await faultline(folder(), ['formats'])
  expect(ran.out).toMatch(/outcome-csv\s+CSV outcomes\s+\d+\s+stable\s+outcomes/)
  expect(ran.out).toContain('Recognised, and not yet read:')
  const rows = JSON.parse((await faultline(folder(), ['formats', '--json'])).out)
  expect(rows).toContainEqual({
    format: 'agentrial',
    title: 'agentrial results',
    version: 1,
    status: 'stable',
    isOutcomes: false,
  })
})

test('import --scorer lets another score decide, from a number on, and says what else there is without it', async () => {
  const cwd = folder()
  const scores = (judge: number, match: number) => ({ judge: { value: judge }, match: { value: match } })
  const sample = (epoch: number, judge: number, match: number) => ({
    id: 1,
    epoch,
    uuid: `u${epoch}`,
    input: 'q',
    messages: [{ role: 'user', content: `q ${epoch}` }],
    scores: scores(judge, match),
  })
  const log = {
    version: 2,
    status: 'success',
    eval: {
      run_id: 'r',
      task: 'log',
      model: 'm',
      created: 'x',
      scorers: [{ name: 'match' }, { name: 'judge' }],
    },
    plan: {},
    samples: [sample(1, 0.9, 0), sample(2, 0.4, 1), sample(3, 0.5, 0)],
  }
  write(cwd, 'log.json', JSON.stringify(log))
  const plain = await faultline(cwd, ['import', 'log.json'])
  expect(plain.out).toContain('In log “match” decides; its trials also have “judge”. (--scorer, --threshold)')
  expect(await outcomes(cwd)).toEqual(['1 1/3'])
  const unknown = await faultline(cwd, ['import', 'log.json', '--scorer', 'nobody'])
  expect([unknown.code, unknown.err.includes('Its trials have: judge, match')]).toEqual([1, true])
  const judged = await faultline(cwd, ['import', 'log.json', '--scorer', 'judge', '--threshold', '0.5'])
  expect(judged.code).toBe(0)
  expect(judged.out).toContain('In log “judge” decides from 0.5 on, as chosen.')
  expect(await outcomes(cwd)).toEqual(['1 2/3'])
  const { scorers } = JSON.parse((await faultline(cwd, ['import', 'log.json', '--json'])).out)
  expect(scorers).toMatchObject([{ suite: 'log', decides: 'judge', threshold: 0.5, isChosen: true }])
})
