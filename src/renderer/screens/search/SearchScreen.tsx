// Search: in which trials and steps a text stands, passing and failing. The text stands in the URL hash; the lines come
// in pages as they are scrolled to; Enter or a click opens the step where it is read.

import { useCallback, useEffect, useRef, useState, type ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import { foundWords } from '../../../contract/searchrows.ts'
import { useSettings } from '../../bridge/desktop.ts'
import { useAsk } from '../../bridge/queries.ts'
import { useSearch, type Search } from '../../bridge/searches.ts'
import { Button } from '../../kit/Button.tsx'
import { Grid, type GridHandle } from '../../kit/Grid.tsx'
import { NoMatchIcon, SearchIcon } from '../../kit/icons.ts'
import { Progress } from '../../kit/Progress.tsx'
import { EmptyState, ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { useLastPlaces } from '../../shell/lastplaces.ts'
import type { Place } from '../../shell/places.ts'
import { Region } from '../../shell/Region.tsx'
import { ROW_HEIGHTS } from '../../shell/theme.ts'
import { useCommands } from '../../shell/usecommands.ts'
import { usePlace, useView } from '../../shell/useplace.ts'
import { searchColumns } from './searchcolumns.tsx'
import { lineLabel, linesOf, placeOfLine, type SearchLine } from './searchlines.ts'
import { SearchText } from './SearchText.tsx'
import styles from './Search.module.css'

/** Lines before the end from which on the next page is asked for. */
const AHEAD = 40

/** The Search screen. */
export function SearchScreen({ place }: { readonly place: Extract<Place, { at: 'search' }> }): ReactElement {
  const { go } = usePlace()
  const view = useView()
  const { text } = place
  const search = useSearch(view, text)
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<GridHandle>(null)
  const toField = (): void => {
    field.current?.focus()
    field.current?.select()
  }
  useCommands({ 'search.text': toField, 'edit.find': toField })
  useEffect(() => {
    // Coming back to lines, they have the focus; without any there is something to type. The palette that leads here lets
    // go of the focus first.
    const timer = setTimeout(() => {
      if (useLastPlaces.getState().hit === null) field.current?.focus()
    }, 0)
    return () => clearTimeout(timer)
  }, [])
  const count = search.data?.rows.length ?? 0
  return (
    <Region label="Search" context="search" className={styles.screen}>
      <div className={styles.top}>
        <div className={styles.titleRow}>
          <h1>Search</h1>
          <SearchText
            text={text}
            inputRef={field}
            onText={(next) => {
              useLastPlaces.setState({ hit: null })
              go({ at: 'search', text: next }, { replace: true })
            }}
            onDown={() => {
              if (count > 0) grid.current?.goToRow(0, { focus: true })
            }}
          />
        </div>
        <FoundLine text={text} search={search} />
      </div>
      <Body text={text} search={search} grid={grid} onEdit={toField} />
    </Region>
  )
}

/** How much was found, and how far the search is. */
function FoundLine({ text, search }: { readonly text: string; readonly search: Search }): ReactElement {
  const { data, isBusy, isOld, canGoOn } = search
  const info = useAsk('workspace.info', {})
  const pending = info.data?.indexPending ?? 0
  if (text.trim() === '')
    return (
      <div className={styles.found}>
        <span className={styles.note}>
          One phrase, as written; upper and lower case are the same. It is looked for in messages, tool calls,
          results and errors of the trials in scope.
        </span>
      </div>
    )
  const isPartial = data !== undefined && !isOld && data.searched < data.total
  // Told large below.
  const isNone = data !== undefined && !isOld && data.isWhole && data.rows.length === 0
  return (
    <div className={styles.found}>
      <span role="status" className={isNone ? 'hidden-text' : undefined}>
        {data === undefined || isOld ? (isBusy ? 'Searching…' : '') : foundWords(data.found, data.isWhole)}
      </span>
      {isPartial ? (
        <>
          <Progress label="Trials searched" value={data.total === 0 ? null : data.searched / data.total} />
          <span className={styles.note}>
            searched {data.searched.toLocaleString('en-US')} of {plural(data.total, 'trial')}
          </span>
        </>
      ) : null}
      {isPartial && isBusy ? (
        <Button size="small" onPress={search.stop}>
          Stop
        </Button>
      ) : null}
      {isPartial && canGoOn ? (
        <Button size="small" onPress={search.goOn}>
          Go on
        </Button>
      ) : null}
      {pending > 0 && isPartial ? (
        <span className={styles.note}>
          {plural(pending, 'trial')} not in the index yet: they are read one by one
        </span>
      ) : null}
      {data !== undefined && search.fault !== null && search.fault.code !== 'CANCELLED' ? (
        <ErrorState compact fault={search.fault} title="The search stopped here" />
      ) : null}
      {data !== undefined && data.unreadable > 0 ? (
        <span>{plural(data.unreadable, 'trial')} could not be read (damaged record)</span>
      ) : null}
    </div>
  )
}

function Body(props: {
  readonly text: string
  readonly search: Search
  readonly grid: React.RefObject<GridHandle | null>
  readonly onEdit: () => void
}): ReactElement {
  const { text, search, grid, onEdit } = props
  const { data, fault, isBusy } = search
  const { scope, setScope } = usePlace()
  if (text.trim() === '')
    return (
      <EmptyState icon={SearchIcon} title="Search the steps of all trials">
        For example a tool’s name, <code>KeyError: &apos;order_id&apos;</code>, or what the agent said.
      </EmptyState>
    )
  if (fault !== null && fault.code !== 'CANCELLED' && data === undefined)
    return (
      <ErrorState
        fault={fault}
        title="The search did not end"
        actions={<Button onPress={search.again}>Search again</Button>}
      />
    )
  if (data === undefined)
    return isBusy ? (
      <Loading what="Searching the steps…" rows={12} onCancel={search.stop} />
    ) : (
      <EmptyState
        icon={SearchIcon}
        title="The search was stopped"
        actions={<Button onPress={search.again}>Search again</Button>}
      />
    )
  if (data.rows.length > 0) return <Lines search={search} rows={data.rows} grid={grid} />
  if (isBusy || search.isOld) return <Loading what="Searching the steps…" rows={12} onCancel={search.stop} />
  if (!data.isWhole)
    return (
      <EmptyState
        icon={SearchIcon}
        title={`Nothing found in the first ${plural(data.searched, 'trial')}`}
        actions={<Button onPress={search.goOn}>Go on</Button>}
      >
        The search was stopped; {plural(data.total - data.searched, 'trial')} are left.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={NoMatchIcon}
      title={
        <>
          No step in scope holds{' '}
          <em>
            <Text value={text} limit={120} />
          </em>
        </>
      }
      actions={
        <>
          <Button onPress={onEdit}>Change the text</Button>
          {scope === null ? null : <Button onPress={() => setScope(null)}>All configurations</Button>}
        </>
      }
    >
      {plural(data.total, 'trial')} searched. The text is one phrase: try a shorter piece of it.
    </EmptyState>
  )
}

function Lines(props: {
  readonly search: Search
  readonly rows: NonNullable<Search['data']>['rows']
  readonly grid: React.RefObject<GridHandle | null>
}): ReactElement {
  const { search, rows, grid } = props
  const { go, scope } = usePlace()
  const density = useSettings()?.density ?? 'normal'
  const hit = useLastPlaces((state) => state.hit)
  const lines = linesOf(rows)
  const at = hit === null ? -1 : lines.findIndex(({ key }) => key === hit)
  const select = (line: SearchLine | undefined): void => {
    if (line !== undefined) useLastPlaces.setState({ hit: line.key })
  }
  const hasSuites = new Set(rows.map(({ suite }) => suite)).size > 1
  const columns = searchColumns(scope, hasSuites, select)
  const { canGoOn, goOn } = search
  const count = lines.length
  // What was stopped by hand waits for the hand.
  const isNext = canGoOn && !search.isStopped
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (isNext && last >= count - AHEAD) goOn()
    },
    [isNext, count, goOn],
  )
  // Back from a step: the line that led there has the focus again.
  const [arrival] = useState(at)
  useEffect(() => {
    if (arrival >= 0) grid.current?.goToRow(arrival, { focus: true })
  }, [arrival, grid])
  return (
    <div className={styles.lines} data-old={search.isOld} aria-busy={search.isOld}>
      <Grid
        label="Steps found"
        handle={grid}
        columns={columns}
        count={count}
        rowAt={(index) => lines[index]}
        rowKey={(line) => line.key}
        rowHeight={ROW_HEIGHTS[density]}
        rowLabel={lineLabel}
        selected={at < 0 ? null : at}
        onSelect={(index) => select(lines[index])}
        onOpen={(line) => {
          select(line)
          go(placeOfLine(line))
        }}
        onRange={onRange}
        minWidth={700}
      />
    </div>
  )
}
