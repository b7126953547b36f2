// The frame of all screens: header, scope, messages, the screen, status bar. Decides which screen is drawn (or the
// core's failure, or the first run), carries out the app's own commands, and says when the window is ready.

import { useIsFetching } from '@tanstack/react-query'
import { useEffect, type ReactElement } from 'react'
import { oneLine } from '../../base/text.ts'
import { onWindowEvent } from '../bridge/client.ts'
import { useCoreState, useSetSettings, useSettings } from '../bridge/desktop.ts'
import { skipToken, useAsk } from '../bridge/queries.ts'
import { useWork } from '../bridge/work.ts'
import { IconButton } from '../kit/Button.tsx'
import { CloseIcon } from '../kit/icons.ts'
import { ErrorState, Loading } from '../kit/States.tsx'
import { ImportsScreen } from '../screens/imports/ImportsScreen.tsx'
import { FirstRun } from '../screens/imports/FirstRun.tsx'
import { ReportScreen } from '../screens/report/ReportScreen.tsx'
import { RulesScreen } from '../screens/rules/RulesScreen.tsx'
import { SearchScreen } from '../screens/search/SearchScreen.tsx'
import { SettingsScreen } from '../screens/settings/SettingsScreen.tsx'
import { guardDrafts, setDraftHome } from '../screens/task/annotation/savers.ts'
import { TasksScreen } from '../screens/tasks/TasksScreen.tsx'
import { TaskScreen } from '../screens/task/TaskScreen.tsx'
import { IntakeSheets } from '../screens/intake/IntakeSheets.tsx'
import {
  chooseAndAttach,
  chooseAndImport,
  chooseWorkspace,
  newWorkspace,
  openSample,
  openWorkspace,
  saveCopy,
  takeFiles,
} from './actions.ts'
import { Boundary } from './Boundary.tsx'
import { runCommand } from './commands.ts'
import { CoreBanner, CoreFailed, ReadOnlyBanner } from './CoreLife.tsx'
import { DropTarget } from './DropTarget.tsx'
import { Header } from './Header.tsx'
import { isField, listenForKeys } from './hotkeys.ts'
import { useLastPlaces } from './lastplaces.ts'
import { openIntake } from './intakes.ts'
import { dismissFault, openSheet, say, showFault, showSettingsFault, useFrame } from './notices.ts'
import { Palette } from './Palette.tsx'
import { formatPlace, TASKS, type Place } from './places.ts'
import { moveRegion } from './regions.ts'
import { ScopeBar } from './ScopeBar.tsx'
import { AboutSheet, DeleteSheet, KeySheet } from './Sheets.tsx'
import { StatusBar } from './StatusBar.tsx'
import { nextTheme, useAppearance } from './theme.ts'
import { useTypedKeys } from './typedkeys.ts'
import { redoLast, undoLast } from './undo.ts'
import { useCommands } from './usecommands.ts'
import { usePlace, useView } from './useplace.ts'
import styles from './Frame.module.css'

/** The whole window. */
export function Frame(): ReactElement {
  const settings = useSettings()
  const core = useCoreState()
  const { place, scope, go } = usePlace()
  const view = useView()
  const info = useAsk('workspace.info', {})
  const imports = useAsk('imports.list', {})
  const task = useAsk('tasks.get', place.at === 'task' ? { taskId: place.taskId, view } : skipToken)
  const sheet = useFrame((state) => state.sheet)
  // Work that has just ended counts, too: what it brought is about to be listed.
  const isWorking = useWork((state) => state.works.some((work) => work.state !== 'failed'))
  useAppearance(settings)
  useFrameCommands(info.data?.name)
  useReadyMark(info.isPending && core?.state !== 'failed')

  const home = info.data?.path
  useEffect(() => {
    if (home !== undefined) setDraftHome(home)
  }, [home])
  useEffect(guardDrafts, [])
  useEffect(() => {
    if (place.at === 'tasks') useLastPlaces.setState({ tasks: place })
    if (place.at === 'search') useLastPlaces.setState({ search: place })
  }, [place])

  const isFirstRun =
    info.data !== undefined &&
    info.data.trials === 0 &&
    info.data.deletedTrials === 0 &&
    imports.data?.length === 0 &&
    !isWorking &&
    place.at !== 'settings'

  if (core?.state === 'failed')
    return (
      <div className={styles.failedFrame}>
        <CoreFailed core={core} go={go} />
        <FrameFault />
      </div>
    )
  return (
    <div className={styles.frame}>
      <a
        href="#main"
        className={styles.skip}
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to the content
      </a>
      <Header info={info.data} settings={settings} place={place} scope={scope} go={go} />
      {isFirstRun ? null : (
        <ScopeBar
          place={place}
          crumb={task.data === undefined ? null : taskName(task.data.row)}
          policy={info.data?.policy}
        />
      )}
      <div className={styles.messages}>
        {core === undefined ? null : <CoreBanner core={core} />}
        {info.data?.isReadOnly === true ? <ReadOnlyBanner name={info.data.name} /> : null}
        <FrameFault />
      </div>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Boundary resetKey={formatPlace({ place, scope })}>
          {info.fault !== null ? (
            <ErrorState fault={info.fault} title="The workspace cannot be read" />
          ) : info.data === undefined ? (
            <Loading what="Opening the workspace…" />
          ) : isFirstRun ? (
            <FirstRun go={go} />
          ) : (
            <Screen place={place} />
          )}
        </Boundary>
      </main>
      <StatusBar info={info.data} core={core} scope={scope} />
      <DropTarget go={go} />
      <IntakeSheets go={go} />
      {sheet === 'palette' ? <Palette /> : null}
      {sheet === 'keys' ? <KeySheet /> : null}
      {sheet === 'about' ? <AboutSheet info={info.data} /> : null}
      {sheet === 'delete' ? <DeleteSheet info={info.data} /> : null}
    </div>
  )
}

/** A task's name with its suite: equal ids of two suites are two tasks. */
function taskName(row: { readonly suite: string; readonly task: string }): string {
  return row.suite === '' ? row.task : `${row.suite}/${row.task}`
}

function Screen({ place }: { readonly place: Place }): ReactElement {
  switch (place.at) {
    case 'imports':
      return <ImportsScreen place={place} />
    case 'tasks':
      return <TasksScreen place={place} />
    case 'task':
      return <TaskScreen key={place.taskId} place={place} />
    case 'search':
      return <SearchScreen place={place} />
    case 'report':
      return <ReportScreen place={place} />
    case 'rules':
      return <RulesScreen place={place} />
    case 'settings':
      return <SettingsScreen />
  }
}

function FrameFault(): ReactElement | null {
  const shown = useFrame((state) => state.fault)
  if (shown === null) return null
  return (
    <div className={styles.fault}>
      <ErrorState compact title={shown.title} fault={shown.fault} />
      <span className={styles.dismiss}>
        <IconButton icon={CloseIcon} label="Dismiss" size="small" onPress={dismissFault} />
      </span>
    </div>
  )
}

/** Marks the document ready when the first screen is drawn with its answers. */
function useReadyMark(isStarting: boolean): void {
  const fetching = useIsFetching()
  const isReady = !isStarting && fetching === 0
  useEffect(() => {
    const { dataset } = document.documentElement
    if (isReady) dataset['appState'] = 'ready'
    else dataset['appState'] ??= 'starting'
  }, [isReady])
}

/** Undo and redo of the menu belong to the text field that has the focus, as their keys do; whether one took it. */
function undoInField(command: string): boolean {
  if (command !== 'edit.undo' && command !== 'edit.redo') return false
  return isField(document.activeElement) && document.execCommand(command === 'edit.undo' ? 'undo' : 'redo')
}

function useFrameCommands(workspaceName: string | undefined): void {
  const { go } = usePlace()
  const settings = useSettings()
  const setSettings = useSetSettings()
  const undo = async (work: () => Promise<string | null>, done: string, none: string): Promise<void> => {
    try {
      const title = await work()
      say(title === null ? none : `${done}: ${oneLine(title, 120)}`)
    } catch (error) {
      showFault(`${done} failed`, error)
    }
  }
  useCommands({
    'view.palette': () => openSheet('palette'),
    'help.keys': () => openSheet('keys'),
    'help.about': () => openSheet('about'),
    'workspace.deleteAll': () => openSheet('delete'),
    'import.choose': () => void chooseAndImport(false, go),
    'import.chooseFolder': () => void chooseAndImport(true, go),
    'outcomes.attach': () => void chooseAndAttach(),
    'conflicts.show': () => openIntake({ kind: 'conflicts' }),
    'edit.undo': () => void undo(undoLast, 'Undone', 'Nothing to undo'),
    'edit.redo': () => void undo(redoLast, 'Done again', 'Nothing to redo'),
    'go.imports': () => go({ at: 'imports', importId: null }),
    'go.tasks': () => go(useLastPlaces.getState().tasks),
    'go.search': () => go(useLastPlaces.getState().search),
    'go.report': () => go({ at: 'report', taskId: null, isFiltered: false }),
    'go.rules': () => go({ at: 'rules', suite: null }),
    'go.settings': () => go({ at: 'settings' }),
    'go.back': () => window.history.back(),
    'go.forward': () => window.history.forward(),
    'view.nextRegion': () => moveRegion(1),
    'view.previousRegion': () => moveRegion(-1),
    'view.theme': () =>
      void setSettings({ theme: nextTheme(settings?.theme ?? 'system') }).catch(showSettingsFault),
    'workspace.new': () => void newWorkspace(go),
    'workspace.open': () => void chooseWorkspace(go),
    'workspace.openSample': () => void openSample(go),
    'workspace.saveCopy': () => void saveCopy(workspaceName ?? 'workspace'),
  })
  useEffect(() => {
    const stopKeys = listenForKeys(() => useTypedKeys.getState().isOn)
    const stopEvents = onWindowEvent((event) => {
      if ((event.type === 'ready' || event.type === 'workspace') && event.path !== '')
        setDraftHome(event.path)
      if (event.type === 'files') void takeFiles(event.files, go)
      else if (event.type === 'workspace') go(TASKS)
      else if (event.type === 'command') {
        const grant = /^workspace\.openGrant:(.+)$/.exec(event.command)?.[1]
        if (grant !== undefined) void openWorkspace({ grant }, false, go)
        else if (!undoInField(event.command)) runCommand(event.command)
      }
    })
    return () => {
      stopKeys()
      stopEvents()
    }
  }, [go])
}
