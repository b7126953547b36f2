// Imports: what was brought in, file by file, with what was recognised and why, what was kept, what went wrong and
// where. New files come by drop or dialog; a run can be undone and done again.

import { useMemo, useState, type ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { ImportFileRow, ImportRow } from '../../../contract/rows.ts'
import type { ScorerChoice } from '../../../contract/rulerows.ts'
import { skipToken, useAsk } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { AttachIcon, FolderIcon, ImportIcon, WorkspaceIcon } from '../../kit/icons.ts'
import { RowList } from '../../kit/RowList.tsx'
import { Splitter } from '../../kit/Splitter.tsx'
import { ErrorState, Loading } from '../../kit/States.tsx'
import { chooseAndAttach, chooseAndImport, openSample } from '../../shell/actions.ts'
import { keyOf } from '../../shell/keynames.ts'
import { useLastPlaces } from '../../shell/lastplaces.ts'
import type { Place } from '../../shell/places.ts'
import { Region } from '../../shell/Region.tsx'
import { hrefOf, usePlace } from '../../shell/useplace.ts'
import { hasChoices, ScorerChoices, type Decided } from '../intake/ScorerChoices.tsx'
import { decideScorer } from '../rules/changes.ts'
import { Formats } from './FirstRun.tsx'
import { FileLine, HeadLine, RunLine } from './ImportLines.tsx'
import { Pending } from './Pending.tsx'
import { Problems } from './Problems.tsx'
import styles from './Imports.module.css'

type Line =
  | { readonly kind: 'run'; readonly run: ImportRow }
  | { readonly kind: 'file'; readonly run: ImportRow; readonly file: ImportFileRow }

/** The lines of the table: each run, newest first, with its files. */
function linesOf(runs: readonly ImportRow[]): readonly Line[] {
  return runs.flatMap((run) => [
    { kind: 'run' as const, run },
    ...run.files.map((file) => ({ kind: 'file' as const, run, file })),
  ])
}

/** What the problems panel shows: a file of a run, or all of a run. */
export type ProblemsOf = { readonly importId: string; readonly fileId: string | null; readonly title: string }

/** What decides in the suites of the newest import, where there is a choice: to be made or changed after the fact. */
function Deciding({ importId }: { readonly importId: string | null }): ReactElement | null {
  const { data } = useAsk('rules.scorers', importId === null ? skipToken : { importId })
  // What was just chosen is shown, and built upon, until the workspace answers with what holds then.
  const [chosen, setChosen] = useState<{
    readonly over: readonly ScorerChoice[]
    readonly to: readonly Decided[]
  } | null>(null)
  if (data === undefined || !hasChoices(data)) return null
  const decided = chosen !== null && chosen.over === data ? chosen.to : []
  const decide = async (one: Decided): Promise<void> => {
    setChosen({ over: data, to: [...decided.filter(({ suite }) => suite !== one.suite), one] })
    if (!(await decideScorer(one))) setChosen(null)
  }
  return (
    <section className={styles.deciding} aria-label="What decides">
      <ScorerChoices choices={data} decided={decided} onDecide={(one) => void decide(one)} />
    </section>
  )
}

/** The Imports screen. */
export function ImportsScreen({
  place,
}: {
  readonly place: Extract<Place, { at: 'imports' }>
}): ReactElement {
  const { go, scope } = usePlace()
  const { data, fault } = useAsk('imports.list', {})
  const tasksPlace = useLastPlaces((state) => state.tasks)
  const [chosen, setChosen] = useState<ProblemsOf | null>(null)
  const runs = useMemo(() => {
    const all = (data ?? []).toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
    return place.importId === null ? all : all.filter((run) => run.importId === place.importId)
  }, [data, place.importId])
  const lines = useMemo(() => linesOf(runs), [runs])
  const problems = chosen !== null && runs.some((run) => run.importId === chosen.importId) ? chosen : null
  const kept = runs.reduce((sum, run) => sum + (run.state === 'undone' ? 0 : run.trialsNew), 0)

  const row = (index: number): ReactElement | null => {
    const line = lines[index]
    if (line === undefined) return null
    return line.kind === 'run' ? (
      <RunLine run={line.run} onProblems={setChosen} />
    ) : (
      <FileLine
        run={line.run}
        file={line.file}
        isChosen={problems?.fileId === line.file.fileId}
        onProblems={setChosen}
      />
    )
  }

  const table = (
    <div className={styles.tablePane}>
      {lines.length === 0 ? (
        <p className={styles.none}>Nothing was imported into this workspace yet.</p>
      ) : (
        <>
          <HeadLine />
          <RowList
            label="Imports and their files"
            role="list"
            count={lines.length}
            estimate={36}
            rowKey={(index) => {
              const line = lines[index]
              if (line === undefined) return index
              return line.kind === 'run' ? line.run.importId : `${line.run.importId}/${line.file.fileId}`
            }}
            row={row}
          />
        </>
      )}
    </div>
  )

  return (
    <Region label="Imports" context="imports" className={styles.screen}>
      <div className={styles.top}>
        <div className={styles.titleRow}>
          <h1>Imports</h1>
          <span className="muted">{runs.length > 0 ? plural(runs.length, 'import run') : ''}</span>
          <span className={styles.gap} />
          {kept > 0 ? (
            <a className={styles.toTasks} href={hrefOf(tasksPlace, scope)}>
              Show the tasks →
            </a>
          ) : null}
        </div>
        <div className={styles.zone}>
          <ImportIcon size={20} strokeWidth={1.5} aria-hidden />
          <div className={styles.zoneWords}>
            <span className={styles.zoneTitle}>Drop trial exports anywhere in this window</span>
            <Formats isShort />
          </div>
          <div className={styles.zoneActions}>
            <Button
              variant="primary"
              icon={ImportIcon}
              onPress={() => void chooseAndImport(false, go)}
              aria-keyshortcuts={keyOf('import.choose')}
            >
              Choose files…
            </Button>
            <Button icon={FolderIcon} onPress={() => void chooseAndImport(true, go)}>
              Folder…
            </Button>
            <Button icon={AttachIcon} onPress={() => void chooseAndAttach()}>
              Attach outcomes…
            </Button>
            <Button variant="quiet" icon={WorkspaceIcon} onPress={() => void openSample(go)}>
              Open the sample workspace
            </Button>
          </div>
        </div>
      </div>
      <Pending />
      <Deciding importId={runs.find(({ state }) => state === 'kept')?.importId ?? null} />
      {fault !== null ? (
        <ErrorState fault={fault} title="The imports cannot be listed" />
      ) : data === undefined ? (
        <Loading what="Listing the imports…" />
      ) : (
        <Splitter
          label="Height of the problems"
          direction="vertical"
          first={{ id: 'imports', content: table, size: 60, min: 20 }}
          second={
            problems === null
              ? null
              : {
                  id: 'problems',
                  content: <Problems of={problems} onClose={() => setChosen(null)} />,
                  size: 40,
                  min: 15,
                }
          }
        />
      )}
    </Region>
  )
}
