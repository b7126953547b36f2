// The words of Tasks, Imports, scope and status: numbers carry their doubt, nothing claims what cannot be estimated.

import { describe, expect, test } from 'vitest'
import {
  fileStateText,
  placeText,
  sureDots,
  wasNotRead,
} from '../../../src/renderer/screens/imports/formatwords.ts'
import {
  coverageText,
  figureText,
  moneyText,
  nextSort,
  numberText,
  setFilters,
  shownKs,
  SORT_TITLES,
} from '../../../src/renderer/screens/tasks/taskwords.ts'
import { bytesText } from '../../../src/renderer/shell/actions.ts'
import { NO_FILTER, type TaskFilter, type TaskSort } from '../../../src/renderer/shell/places.ts'
import { policyWords } from '../../../src/model/outcome.ts'
import { nextScope } from '../../../src/renderer/shell/ScopeBar.tsx'
import { spokenWork } from '../../../src/renderer/shell/StatusBar.tsx'
import type { ImportFileRow, SuiteAt } from '../../../src/contract/rows.ts'
import type { Work } from '../../../src/renderer/bridge/work.ts'

describe('figures', () => {
  test('what only rounds to never or always says so', () => {
    expect(numberText(0)).toBe('0.00')
    expect(numberText(1)).toBe('1.00')
    expect(numberText(0.001)).toBe('<0.01')
    expect(numberText(0.999)).toBe('>0.99')
    expect(numberText(0.2732, 3)).toBe('0.273')
    expect(figureText({ ok: false, reason: 'k > n' }, 3)).toBe('–')
  })

  test('a cheap trial is not free, bytes are readable', () => {
    expect([0, 0.00012, 0.012, 1.5, 120].map(moneyText)).toEqual([
      '$0',
      '$0.00012',
      '$0.012',
      '$1.50',
      '$120.00',
    ])
    expect([0, 999, 12_400, 999_600, 1_234_567_890].map(bytesText)).toEqual([
      '0 B',
      '999 B',
      '12.4 kB',
      '1.0 MB',
      '1.2 GB',
    ])
  })

  test('the summary shows the first four k, the powers of two and the last', () => {
    const curve: SuiteAt[] = Array.from({ length: 20 }, (_, index) => ({
      k: index + 1,
      passHatK: { ok: true, value: 0.5 },
      passAtK: { ok: true, value: 0.5 },
      tasksDefined: index < 8 ? 10 : 4,
      tasks: 10,
      bounds: null,
    }))
    expect(shownKs(curve).map(({ k }) => k)).toEqual([1, 2, 3, 4, 8, 16, 20])
    expect(coverageText(curve[0] as SuiteAt)).toBe('')
    expect(coverageText(curve[19] as SuiteAt)).toBe('4/10 tasks')
  })
})

describe('filters and scope', () => {
  test('each filter that is set has words and a way back', () => {
    const filter: TaskFilter = { ...NO_FILTER, text: 'a\u202e', outcome: 'never', severe: true, suite: 's' }
    const set = setFilters(filter)
    expect(set.map(({ words }) => words)).toEqual(['“a\\u{202E}”', 'never pass', 'severe', 'suite s'])
    const cleared = set.reduce<TaskFilter>((left, { without }) => ({ ...left, ...without }), filter)
    expect(setFilters(cleared)).toEqual([])
  })

  test('cycling the order meets each once', () => {
    const met: TaskSort[] = ['severe']
    for (let sort = nextSort('severe'); sort !== 'severe'; sort = nextSort(sort)) met.push(sort)
    expect(met.toSorted()).toEqual(Object.keys(SORT_TITLES).toSorted())
  })

  test('all is its own choice: choosing one leaves it, choosing none returns to it', () => {
    expect(nextScope(null, ['*', 'a'])).toEqual(['a'])
    expect(nextScope(['a'], ['a', 'b'])).toEqual(['a', 'b'])
    expect(nextScope(['a'], [])).toBeNull()
    expect(nextScope(['a'], ['*', 'a'])).toBeNull()
    expect(nextScope(null, [])).toBeNull()
  })

  test('the policy says both halves', () => {
    expect(policyWords({ error: 'fail', unknown: 'exclude' })).toBe(
      'errors count as failures, unknown excluded',
    )
    expect(policyWords({ error: 'exclude', unknown: 'fail' })).toBe(
      'errors excluded, unknown counts as failure',
    )
  })
})

describe('imports', () => {
  const file: ImportFileRow = {
    fileId: 'f',
    name: 'a.json',
    bytes: 10,
    format: 'tau-bench',
    formatTitle: 'tau-bench rows',
    confidence: 0.9,
    reason: '',
    candidates: [],
    state: 'kept',
    trialsNew: 3,
    trialsSame: 0,
    conflicts: 0,
    tasks: 1,
    problems: 0,
    fault: null,
  }

  test('how sure, how it ended, where a problem stands', () => {
    expect([0, 0.1, 0.5, 0.8, 1].map(sureDots)).toEqual(['○○○○', '●○○○', '●●○○', '●●●○', '●●●●'])
    expect(fileStateText(file)).toBe('kept')
    expect(fileStateText({ ...file, trialsSame: 2 })).toBe('kept; 2 trials already here')
    expect(fileStateText({ ...file, state: 'unchanged' })).toBe('already here, nothing changed')
    // A file that waited for its turn was not looked at: that is no unknown format.
    const waited = { ...file, state: 'cancelled', format: null, candidates: [] } as const
    expect([wasNotRead(waited), wasNotRead({ ...waited, format: 'chat' }), wasNotRead(file)]).toEqual([
      true,
      false,
      false,
    ])
    expect(placeText({ line: 14, byte: 88_121, record: null })).toBe('line 14, byte 88,121')
    expect(placeText({ line: null, byte: null, record: null })).toBe('')
  })

  test('what is spoken of running work moves in steps of ten percent', () => {
    const work = (bytesDone: number): Work => ({
      id: 'w',
      method: 'imports.run',
      title: 'Importing a.json',
      state: 'running',
      fault: null,
      summary: null,
      importId: 'i',
      progress: {
        importId: 'i',
        fileName: 'a.json',
        filesDone: 0,
        filesTotal: 1,
        bytesDone,
        bytesTotal: 1000,
        trials: 1,
        problems: 0,
      },
    })
    const spoken = new Set(Array.from({ length: 1001 }, (_, bytes) => spokenWork(work(bytes))))
    expect(spoken.size).toBe(11)
    expect(spokenWork(work(619))).toBe('Importing a.json: 60 %')
  })
})
