// The virtual grid: true counts for a screen reader, few rows drawn of many, focus that is never lost, sort state.

import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Grid, type GridColumn, type GridProps } from '../../../src/renderer/kit/Grid.tsx'
import { moveGridFocus } from '../../../src/renderer/kit/gridmoves.ts'

type Row = { readonly id: string; readonly name: string }

const columns: readonly GridColumn<Row>[] = [
  { id: 'id', title: 'Id', width: '80px', cell: (row) => row.id, sort: 'ascending', onSort: vi.fn() },
  { id: 'name', title: 'Name', width: '1fr', cell: (row) => <button type="button">{row.name}</button> },
]

function grid(more: Partial<GridProps<Row>> = {}) {
  return (
    <Grid
      label="Rows"
      columns={columns}
      count={10_000}
      rowAt={(index) => ({ id: `r${index}`, name: `name ${index}` })}
      rowKey={(row) => row.id}
      rowHeight={32}
      rowLabel={(row) => row.name}
      {...more}
    />
  )
}

describe('moves', () => {
  const size = { rows: 10, columns: 3, page: 4 }
  const key = (name: string, isMod = false) => ({ key: name, isMod })

  test('arrows move inside the grid and stop at its edges', () => {
    expect(moveGridFocus({ row: 9, column: -1 }, size, key('ArrowDown'))).toEqual({ row: 9, column: -1 })
    expect(moveGridFocus({ row: 0, column: -1 }, size, key('ArrowUp'))).toEqual({ row: -1, column: 0 })
    expect(moveGridFocus({ row: -1, column: 2 }, size, key('ArrowDown'))).toEqual({ row: 0, column: -1 })
    expect(moveGridFocus({ row: 3, column: -1 }, size, key('ArrowRight'))).toEqual({ row: 3, column: 0 })
    expect(moveGridFocus({ row: 3, column: 0 }, size, key('ArrowLeft'))).toEqual({ row: 3, column: -1 })
    expect(moveGridFocus({ row: 3, column: 1 }, size, key('End'))).toEqual({ row: 3, column: 2 })
    expect(moveGridFocus({ row: 3, column: -1 }, size, key('End'))).toEqual({ row: 9, column: -1 })
    expect(moveGridFocus({ row: 3, column: 2 }, size, key('Home', true))).toEqual({ row: 0, column: -1 })
    expect(moveGridFocus({ row: 3, column: 0 }, size, key('x'))).toBeNull()
  })

  test('no series of keys leaves the grid', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 30 }),
        fc.integer({ min: 1, max: 20 }),
        (presses, rows) => {
          let at = { row: 0, column: -1 }
          for (const [name, isMod] of presses)
            at = moveGridFocus(at, { rows, columns: 3, page: 5 }, key(name, isMod)) ?? at
          expect(at.row).toBeGreaterThanOrEqual(-1)
          expect(at.row).toBeLessThan(rows)
          expect(at.column).toBeLessThan(3)
          expect(at.column).toBeGreaterThanOrEqual(at.row < 0 ? 0 : -1)
        },
      ),
    )
  })
})

describe('grid', () => {
  test('tells the true counts and draws only what is in sight', () => {
    render(grid())
    const element = screen.getByRole('grid', { name: 'Rows' })
    expect(element.getAttribute('aria-rowcount')).toBe('10001')
    expect(element.getAttribute('aria-colcount')).toBe('2')
    const rows = within(element).getAllByRole('row')
    expect(rows.length).toBeGreaterThan(18)
    expect(rows.length).toBeLessThan(60)
    expect(rows[1]?.getAttribute('aria-rowindex')).toBe('2')
  })

  test('has one tab stop; arrows select rows, Enter opens, Space peeks', async () => {
    const onSelect = vi.fn()
    const onOpen = vi.fn()
    const onPeek = vi.fn()
    render(grid({ onSelect, onOpen, onPeek }))
    const user = userEvent.setup()
    expect(document.querySelectorAll('[role="grid"] [tabindex="0"]').length).toBe(1)
    await user.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('name 0')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('name 2')
    expect(onSelect.mock.calls.map(([index]) => index as number)).toEqual([1, 2])
    await user.keyboard('{Enter} ')
    expect(onOpen).toHaveBeenCalledWith({ id: 'r2', name: 'name 2' }, 2)
    expect(onPeek).toHaveBeenCalledWith({ id: 'r2', name: 'name 2' }, 2)
    expect(document.querySelectorAll('[role="grid"] [tabindex="0"]').length).toBe(1)
  })

  test('a cell with a control gives it the focus; Enter on it is the control’s own', async () => {
    const onOpen = vi.fn()
    render(grid({ onOpen }))
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(document.activeElement?.textContent).toBe('name 0')
    expect(document.activeElement?.tagName).toBe('BUTTON')
    await user.keyboard('{Enter}')
    expect(onOpen).not.toHaveBeenCalled()
  })

  test('says how it is sorted, and the header is reached by the arrows', async () => {
    const onSort = vi.fn()
    render(grid({ columns: columns.map((column) => (column.id === 'id' ? { ...column, onSort } : column)) }))
    const head = screen.getByRole('columnheader', { name: 'Id' })
    expect(head.getAttribute('aria-sort')).toBe('ascending')
    expect(screen.getByRole('columnheader', { name: 'Name' }).hasAttribute('aria-sort')).toBe(false)
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(within(head).getByRole('button'))
    await user.keyboard('{Enter}')
    expect(onSort).toHaveBeenCalledOnce()
  })

  test('asks for the rows in sight and draws those on their way as coming', () => {
    const onRange = vi.fn()
    render(grid({ rowAt: () => undefined, onRange }))
    expect(onRange).toHaveBeenCalled()
    const [first, last] = onRange.mock.calls.at(-1) as [number, number]
    expect(first).toBe(0)
    expect(last).toBeLessThan(40)
    expect(screen.getAllByRole('row', { name: 'Loading' }).length).toBeGreaterThan(10)
  })

  test('the focus stays on a row that was on its way when it comes, and it is selected then', async () => {
    const onSelect = vi.fn()
    const before = grid({
      rowAt: (index) => (index < 5 ? { id: `r${index}`, name: `name ${index}` } : undefined),
      onSelect,
    })
    const { rerender } = render(before)
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard('{PageDown}')
    const placeholder = document.activeElement
    expect(placeholder?.getAttribute('aria-label')).toBe('Loading')
    expect(onSelect).not.toHaveBeenCalled()
    const index = Number(placeholder?.getAttribute('aria-rowindex')) - 2
    rerender(grid({ onSelect }))
    expect(document.activeElement?.getAttribute('aria-label')).toBe(`name ${index}`)
    expect(onSelect.mock.calls).toEqual([[index]])
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe(`name ${index + 1}`)
  })

  test('the focused row stays in the document when it is scrolled away', async () => {
    render(grid())
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    const element = screen.getByRole('grid')
    element.scrollTop = 100_000
    element.dispatchEvent(new Event('scroll'))
    await vi.waitFor(() => expect(screen.queryByRole('row', { name: 'name 3125' })).not.toBeNull())
    expect(document.activeElement?.getAttribute('aria-label')).toBe('name 3')
  })
})
