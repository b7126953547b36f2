// The lanes table as data: order, folds, reference, signs, folded columns, and the moves of the focus.

import { describe, expect, test } from 'vitest'
import type { TaskAnalysis } from '../../../src/model/analysis.ts'
import {
  laneLayout,
  consensusLane,
  type CellRow,
  type LaneLayout,
  type LaneOptions,
} from '../../../src/renderer/screens/task/laneLayout.ts'
import {
  clampFocus,
  drawnColumn,
  moveFocus,
  nextFailing,
  STAGE_ROW,
  TOOL_ROW,
} from '../../../src/renderer/screens/task/laneMoves.ts'
import { pairRefs } from '../../../src/renderer/screens/task/pairRefs.ts'
import { analysisOf, divergence, trialRow } from './analysis.ts'

const plain: LaneOptions = {
  reference: null,
  order: 'divergence',
  isGapsHidden: false,
  openColumns: new Set(),
  foldedStages: new Set(),
  openFolds: new Set(),
  reveal: null,
}
const layoutOf = (analysis: TaskAnalysis, more: Partial<LaneOptions> = {}): LaneLayout =>
  laneLayout(
    analysis,
    analysis.lanes.map((lane, i) => trialRow(lane.trial, i + 1)),
    { ...plain, ...more },
  )
const keys = (layout: LaneLayout): string[] => layout.rows.map((row) => row.key)
const rowOf = (layout: LaneLayout, key: string): CellRow => {
  const row = layout.rows.find((one) => one.key === key)
  if (row === undefined || row.kind === 'block') throw new Error(`no row ${key}`)
  return row
}

const stages = ['identify', 'gather', 'gather', 'check', 'act', 'answer']
/** Three alike passing lanes and one with an extra habit; three failing lanes that skip the check, one ends early. */
const refund = analysisOf(
  [
    'p0 pass a b a a a a',
    'p1 pass a a a a a a',
    'p2 pass a a a a a a',
    'p3 pass a a a a a a',
    'f1 fail a a a - b a',
    'f2 fail a a a - b -',
    'f3 fail a b b a b a',
  ],
  stages,
  [
    {
      trial: 'f1',
      state: 'lead',
      pNone: 0.1,
      ranked: [divergence('f1', 3), divergence('f1', 4, { kind: 'arguments', isConsequence: true })],
    },
    { trial: 'f2', state: 'lead', pNone: 0.1, ranked: [divergence('f2', 3)] },
    {
      trial: 'f3',
      state: 'lead',
      pNone: 0.1,
      ranked: [divergence('f3', 4), divergence('f3', 1, { isInert: true }), divergence('f3', 2)],
    },
  ],
)

describe('rows', () => {
  test('reference, passed, failed; alike lanes fold; failing lanes in the order of their divergence', () => {
    expect(keys(layoutOf(refund))).toEqual(['reference', 'passed', 'p0', 'p1', 'failed', 'f2', 'f1', 'f3'])
    expect(rowOf(layoutOf(refund), 'p1')).toMatchObject({
      fold: 'head',
      isOpen: false,
      alike: ['p1', 'p2', 'p3'],
    })
  })

  test('the consensus is the first of the largest group of alike passing lanes', () => {
    expect(consensusLane(refund)).toMatchObject({ lane: { trial: 'p1' }, count: 3 })
    expect(rowOf(layoutOf(refund), 'reference').lane.trial).toBe('p1')
    expect(layoutOf(refund, { reference: 'p0' })).toMatchObject({
      isPinned: true,
      reference: { trial: 'p0' },
    })
    expect(layoutOf(refund, { reference: 'gone' })).toMatchObject({
      isPinned: false,
      reference: { trial: 'p1' },
    })
  })

  test('a fold opens by hand or because its member is being looked at', () => {
    const opened = ['reference', 'passed', 'p0', 'p1', 'p2', 'p3', 'failed', 'f2', 'f1', 'f3']
    const fold = `passed ${refund.lanes[1]?.alike}`
    expect(keys(layoutOf(refund, { openFolds: new Set([fold]) }))).toEqual(opened)
    expect(keys(layoutOf(refund, { reveal: 'p3' }))).toEqual(opened)
    expect(keys(layoutOf(refund, { reveal: 'p1' }))).toHaveLength(8)
  })

  test('order by number keeps the blocks', () => {
    expect(keys(layoutOf(refund, { order: 'number' })).slice(4)).toEqual(['failed', 'f1', 'f2', 'f3'])
  })

  test('without a passing trial there is no reference, and any lane can be pinned', () => {
    const failing = analysisOf(['f1 fail a a', 'f2 fail a b'], ['act', 'act'], [], {
      state: 'no passing run',
    })
    expect(layoutOf(failing)).toMatchObject({ reference: null, passing: 0, failing: 2 })
    expect(
      rowOf(layoutOf(failing), 'f2').cells.every((cell) => !cell.isDifferent && cell.sign === null),
    ).toBe(true)
    expect(rowOf(layoutOf(failing, { reference: 'f1' }), 'f2').cells[1]?.isDifferent).toBe(true)
  })

  test('trials without a lane are named with the reason', () => {
    const layout = laneLayout(
      { ...refund, excluded: [{ trial: 'u1', reason: 'unknown outcome' }] },
      [...refund.lanes.map((lane, i) => trialRow(lane.trial, i + 1)), trialRow('u1', 8), trialRow('u2', 9)],
      plain,
    )
    expect(layout.leftOut.map(({ label, reason }) => `${label}: ${reason}`)).toEqual([
      'trial 8: unknown outcome',
      'trial 9: not part of the comparison',
    ])
  })
})

describe('cells', () => {
  const signs = (key: string, layout = layoutOf(refund)): string =>
    rowOf(layout, key)
      .cells.map((cell) =>
        cell.sign === 'lead' ? '◆' : cell.sign === 'small' ? '◇' : cell.sign === 'ended' ? '×' : cell.count,
      )
      .join('')

  test('the lead at each trial’s own column, small differences, the end; inert ones are no sign', () => {
    expect(signs('f1')).toBe('111◆◇1')
    expect(signs('f2')).toBe('111◆1×')
    expect(signs('f3')).toBe('11◇1◆1')
    expect(signs('p1')).toBe('111111')
  })

  test('a consequential divergence and a mere difference never share a sign', () => {
    const none = {
      ...refund,
      findings: refund.findings.map((finding) => ({ ...finding, state: 'none' as const })),
      lead: null,
    }
    expect(signs('f1', layoutOf(none))).toBe('111◇◇1')
    expect(layoutOf(none).columns.some((column) => column.isBand)).toBe(false)
  })

  test('what differs is told against the shown reference', () => {
    expect(rowOf(layoutOf(refund), 'p0').cells.map((cell) => cell.isDifferent)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
    const pinned = layoutOf(refund, { reference: 'p0' })
    expect(rowOf(pinned, 'p1').cells.map((cell) => cell.isDifferent)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(rowOf(layoutOf(refund), 'f1').cells[3]).toMatchObject({
      isSkipped: true,
      isDifferent: true,
      count: 0,
    })
  })

  test('a failed step and a divergence in the final answer', () => {
    const analysis = analysisOf(
      ['p1 pass a a', 'f1 fail a a!'],
      ['gather', 'act'],
      [{ trial: 'f1', state: 'lead', pNone: 0.1, ranked: [divergence('f1', 2, { kind: 'final', step: 9 })] }],
    )
    const layout = layoutOf(analysis)
    expect(layout.columns.map((column) => column.tool)).toEqual(['tool_0', 'tool_1', 'final answer'])
    expect(rowOf(layout, 'f1').cells[1]).toMatchObject({ errors: 1, isDifferent: true })
    expect(signs('f1', layout)).toBe('11◆')
  })
})

describe('the final answer', () => {
  test('a difference in it is drawn in the alignment’s own column of final answers, when it has one', () => {
    const findings = [
      {
        trial: 'f1',
        state: 'lead' as const,
        pNone: 0.1,
        ranked: [divergence('f1', 2, { kind: 'final', step: 9 })],
      },
    ]
    const plainColumns = analysisOf(['p1 pass a a', 'f1 fail a b'], ['act', 'present'], findings)
    const last = plainColumns.columns[1]
    if (last === undefined) throw new Error('no column')
    const analysis = {
      ...plainColumns,
      columns: [...plainColumns.columns.slice(0, 1), { ...last, tool: 'final' }],
    }
    const layout = layoutOf(analysis)
    expect(layout.columns.map((column) => [column.tool, column.isBand])).toEqual([
      ['tool_0', false],
      ['final answer', true],
    ])
    expect(rowOf(layout, 'f1').cells[1]).toMatchObject({ sign: 'lead', column: 1, count: 1 })
    expect(pairRefs(analysis, 'p1', 'f1', 1)).toMatchObject({
      left: { trialId: 'p1', step: 2 },
      right: { trialId: 'f1', step: 9 },
    })
  })
})

describe('columns', () => {
  const wide = analysisOf(
    ['p1 pass a a a a a a a a', 'f1 fail a a a a a b a a'],
    ['look', 'look', 'look', 'act', 'act', 'act', 'act', 'act'],
    [{ trial: 'f1', state: 'lead', pNone: 0.1, ranked: [divergence('f1', 5, { kind: 'arguments' })] }],
  )

  test('segments are maximal runs of one stage', () => {
    expect(layoutOf(refund).segments.map(({ stage, from, span }) => `${stage} ${from}+${span}`)).toEqual([
      'identify 0+1',
      'gather 1+2',
      'check 3+1',
      'act 4+1',
      'answer 5+1',
    ])
  })

  test('gaps fold where all agree, never across a stage, never beside the band', () => {
    const layout = layoutOf(wide, { isGapsHidden: true })
    expect(layout.columns.map((column) => column.key)).toEqual(['0-2', '3', '4', '5', '6', '7'])
    expect(layout.columns.filter((column) => column.isBand).map((column) => column.key)).toEqual(['5'])
    expect(rowOf(layout, 'p1').cells[0]).toMatchObject({ count: 3, column: 0 })
    expect(
      layoutOf(wide, { isGapsHidden: true, openColumns: new Set([1]) }).columns.map((one) => one.key),
    ).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  })

  test('a stage folded by hand keeps its strongest sign and opens at it', () => {
    const layout = layoutOf(wide, { foldedStages: new Set([3]) })
    expect(layout.columns.map((column) => column.key)).toEqual(['0', '1', '2', '3-7'])
    expect(layout.segments[1]).toMatchObject({ isFolded: true, span: 1, columns: 5 })
    expect(rowOf(layout, 'f1').cells[3]).toMatchObject({ sign: 'lead', count: 5, column: 5 })
    expect(layout.columns[3]?.isBand).toBe(true)
  })

  test('every alignment column is drawn exactly once, whatever is folded', () => {
    for (const isGapsHidden of [true, false]) {
      for (const foldedStages of [new Set<number>(), new Set([0]), new Set([0, 3])]) {
        const layout = layoutOf(wide, { isGapsHidden, foldedStages })
        expect(layout.columns.flatMap((column) => column.columns)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
        expect(layout.segments.reduce((sum, segment) => sum + segment.span, 0)).toBe(layout.columns.length)
        expect(drawnColumn(layout, 6)).toBe(layout.columns.findIndex((one) => one.columns.includes(6)))
      }
    }
  })

  test('200 columns of 80 lanes are laid out in a bounded time', () => {
    const line = (trial: string, outcome: string, odd: number): string =>
      `${trial} ${outcome} ${Array.from({ length: 200 }, (_, i) => (i % 17 === odd ? 'b' : 'a')).join(' ')}`
    const picture = Array.from({ length: 80 }, (_, i) => line(`t${i}`, i % 2 ? 'pass' : 'fail', i % 16))
    const analysis = analysisOf(
      picture,
      Array.from({ length: 200 }, (_, i) => `stage ${Math.floor(i / 20)}`),
    )
    const before = performance.now()
    expect(layoutOf(analysis).columns).toHaveLength(200)
    // A net against quadratic behaviour; the budget itself is held in the window.
    expect(performance.now() - before).toBeLessThan(1000)
  })
})

describe('focus', () => {
  const layout = layoutOf(refund)
  const move = (row: number, column: number, key: string, isMod = false): (number | undefined)[] => {
    const to = moveFocus(layout, { row, column }, { key, isMod })
    return [to?.row, to?.column]
  }

  test('arrows step over block titles and stop at the edges', () => {
    expect(move(0, 2, 'ArrowDown')).toEqual([2, 2])
    expect(move(2, 2, 'ArrowUp')).toEqual([0, 2])
    expect(move(0, -1, 'ArrowUp')).toEqual([0, -1])
    expect(move(7, 5, 'ArrowDown')).toEqual([7, 5])
    expect(move(0, 0, 'ArrowLeft')).toEqual([0, -1])
    expect(move(0, -1, 'ArrowLeft')).toEqual([0, -1])
    expect(move(0, 5, 'ArrowRight')).toEqual([0, 5])
  })

  test('up from the first lane leads to the stages, and along them by stage', () => {
    expect(move(0, 2, 'ArrowUp')).toEqual([STAGE_ROW, 1])
    expect(move(STAGE_ROW, 1, 'ArrowRight')).toEqual([STAGE_ROW, 3])
    expect(move(STAGE_ROW, 0, 'ArrowLeft')).toEqual([STAGE_ROW, 0])
    expect(move(STAGE_ROW, 1, 'End')).toEqual([STAGE_ROW, 5])
    expect(move(STAGE_ROW, 1, 'ArrowUp')).toEqual([STAGE_ROW, 1])
    expect(move(STAGE_ROW, 1, 'ArrowDown')).toEqual([0, 1])
    expect(move(STAGE_ROW, 1, 'End', true)).toEqual([7, 5])
    expect(nextFailing(layout, STAGE_ROW, 1)).toBe(5)
  })

  test('folded columns are a stop between lanes and stage', () => {
    const folded = layoutOf(refund, { foldedStages: new Set([1]) })
    const at = (row: number, column: number, key: string) =>
      moveFocus(folded, { row, column }, { key, isMod: false })
    expect(at(0, 1, 'ArrowUp')).toEqual({ row: TOOL_ROW, column: 1 })
    expect(at(TOOL_ROW, 1, 'ArrowUp')).toEqual({ row: STAGE_ROW, column: 1 })
    expect(at(STAGE_ROW, 1, 'ArrowDown')).toEqual({ row: TOOL_ROW, column: 1 })
    expect(at(TOOL_ROW, 1, 'ArrowDown')).toEqual({ row: 0, column: 1 })
    // Opened again, the place of its button is no longer one.
    expect(clampFocus(layout, { row: TOOL_ROW, column: 1 })).toEqual({ row: 0, column: 1 })
  })

  test('Home and End go along the row, with the modifier to the corners', () => {
    expect(move(3, 3, 'Home')).toEqual([3, 0])
    expect(move(3, 3, 'End')).toEqual([3, 5])
    expect(move(3, 3, 'Home', true)).toEqual([0, 0])
    expect(move(3, 3, 'End', true)).toEqual([7, 5])
    expect(moveFocus(layout, { row: 0, column: 0 }, { key: 'x', isMod: false })).toBeNull()
  })

  test('a place that is gone is brought back inside', () => {
    expect(clampFocus(layout, { row: 99, column: 99 })).toEqual({ row: 7, column: 5 })
    expect(clampFocus(layout, { row: 1, column: 0 })).toEqual({ row: 2, column: 0 })
  })

  test('next and previous failing lane go around', () => {
    expect(nextFailing(layout, 0, 1)).toBe(5)
    expect(nextFailing(layout, 7, 1)).toBe(5)
    expect(nextFailing(layout, 5, -1)).toBe(7)
    expect(nextFailing(layoutOf(analysisOf(['p1 pass a'], ['act'])), 0, 1)).toBeNull()
  })
})
