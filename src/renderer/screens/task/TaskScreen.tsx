// The task screen: asks for the task, draws its header and the chosen lens, and beside them the step pair and the
// annotation panel when the place names them. The place in the hash is the only home of what is open.

import { useState, type ReactElement } from 'react'
import { Button } from '../../kit/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { EmptyIcon } from '../../kit/icons.ts'
import { Splitter } from '../../kit/Splitter.tsx'
import { EmptyState, ErrorState, Loading } from '../../kit/States.tsx'
import { Tabs } from '../../kit/Tabs.tsx'
import type { TaskView } from '../../../contract/rows.ts'
import { useAsk } from '../../bridge/queries.ts'
import { TASKS } from '../../shell/places.ts'
import { Region } from '../../shell/Region.tsx'
import { useCommands } from '../../shell/usecommands.ts'
import { usePlace, useView } from '../../shell/useplace.ts'
import { AnnotationPanel } from './annotation/AnnotationPanel.tsx'
import { trialToAnnotate } from './Finding.tsx'
import { consensusLane } from './laneLayout.ts'
import { LanesLens } from './LanesLens.tsx'
import { StatsLens } from './StatsLens.tsx'
import { StepPair } from './StepPair.tsx'
import { StepsLens } from './StepsLens.tsx'
import { TaskHeader } from './TaskHeader.tsx'
import type { GoInTask, TaskPlace } from './taskplace.ts'
import styles from './TaskScreen.module.css'

/** One task. */
export function TaskScreen({ place }: { readonly place: TaskPlace }): ReactElement {
  const { go: goTo } = usePlace()
  const inView = useView()
  // Of a task that is still to be compared, the trial that was asked for on arrival comes first. Later choices do not
  // ask again: what is there by then has all of them.
  const [arrival] = useState({ taskId: place.taskId, trial: place.trial })
  const first = arrival.taskId === place.taskId && arrival.trial !== null ? { first: arrival.trial } : {}
  const task = useAsk('tasks.get', { taskId: place.taskId, view: inView, ...first }, { keep: true })
  const go: GoInTask = (change, options) => goTo({ ...place, ...change }, options)
  const view = task.data
  const analysis = view?.analysis ?? null
  const target =
    view === undefined || analysis === null ? place.trial : trialToAnnotate(view, analysis, place.trial)
  useCommands({
    'lens.lanes': () => go({ lens: 'lanes' }),
    'lens.steps': () => go({ lens: 'steps' }),
    'lens.stats': () => go({ lens: 'stats' }),
    'annotation.open': () => {
      if (target !== null) go({ isAnnotating: true, trial: target })
    },
  })
  if (task.fault !== null && view === undefined) {
    return (
      <ErrorState
        fault={task.fault}
        actions={
          <>
            <Button size="small" onPress={() => void task.refetch()}>
              Try again
            </Button>
            <Button size="small" onPress={() => goTo(TASKS)}>
              All tasks
            </Button>
          </>
        }
      />
    )
  }
  if (view === undefined) return <Loading what="Reading the task and its lanes…" rows={14} />
  return (
    <div className={styles.screen}>
      <Splitter
        label="Width of the annotation panel"
        direction="horizontal"
        remember="annotation"
        first={{ id: 'task', min: '420px', content: <TaskMain view={view} place={place} go={go} /> }}
        second={
          place.isAnnotating && target !== null
            ? {
                id: 'annotation',
                size: '350px',
                min: '312px',
                max: '560px',
                content: <AnnotationPanel key={target} view={view} trialId={target} place={place} go={go} />,
              }
            : null
        }
      />
    </div>
  )
}

function TaskMain({
  view,
  place,
  go,
}: {
  readonly view: TaskView
  readonly place: TaskPlace
  readonly go: GoInTask
}): ReactElement {
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const isPairOpen = place.lens === 'lanes' && place.column !== null
  return (
    // The keys of an open step pair act in the lanes too: one walks along a lane without leaving it.
    <Region
      label="Task"
      context={isPairOpen ? ['lanes', 'steps', 'pair'] : ['lanes', 'steps']}
      className={classes(styles.main, isPairOpen && styles.beside)}
    >
      <TaskHeader view={view} />
      <Tabs
        label="Lenses"
        items={[
          { id: 'lanes', title: '1 Lanes' },
          { id: 'steps', title: '2 Steps' },
          { id: 'stats', title: '3 Stats' },
        ]}
        value={place.lens}
        onChange={(lens) => go({ lens })}
        aside={<div ref={setBar} className={styles.aside} />}
      >
        <div className={styles.lens}>
          {place.lens === 'lanes' ? <LanesAndPair view={view} place={place} go={go} bar={bar} /> : null}
          {place.lens === 'steps' ? <StepsLens view={view} place={place} go={go} /> : null}
          {place.lens === 'stats' ? <StatsLens view={view} go={go} /> : null}
        </div>
      </Tabs>
    </Region>
  )
}

function LanesAndPair({
  view,
  place,
  go,
  bar,
}: {
  readonly view: TaskView
  readonly place: TaskPlace
  readonly go: GoInTask
  /** Where the lanes' own controls stand: the row of the tabs. */
  readonly bar: HTMLElement | null
}): ReactElement {
  const { analysis } = view
  if (analysis === null) {
    if (view.analysisState === 'failed' && view.analysisFault !== null)
      return <ErrorState fault={view.analysisFault} title="The lanes could not be computed" />
    return <Loading what={`Aligning ${view.trials.length} trials of this task…`} rows={12} />
  }
  if (analysis.lanes.length === 0) {
    return (
      <EmptyState icon={EmptyIcon} title="No trial here has steps to align">
        The outcomes are counted; the lanes need trajectories. Read the figures under 3 Stats.
      </EmptyState>
    )
  }
  const pinned = analysis.lanes.find((lane) => lane.trial === place.reference)
  const reference = pinned?.trial ?? consensusLane(analysis)?.lane.trial ?? null
  const isOpen =
    place.trial !== null && place.column !== null && analysis.lanes.some((lane) => lane.trial === place.trial)
  return (
    <Splitter
      label="Height of the step pair"
      direction="vertical"
      remember="pair"
      first={{
        id: 'lanes',
        min: '160px',
        content: <LanesLens view={view} analysis={analysis} place={place} go={go} bar={bar} />,
      }}
      second={
        isOpen && place.trial !== null && place.column !== null
          ? {
              id: 'pair',
              size: 43,
              min: '140px',
              content: (
                <StepPair
                  view={view}
                  analysis={analysis}
                  reference={reference}
                  isPinned={pinned !== undefined}
                  trial={place.trial}
                  column={place.column}
                  isAnnotating={place.isAnnotating}
                  go={go}
                />
              ),
            }
          : null
      }
    />
  )
}
