// Workspaces as a whole: what is open, opening another, copies, the policy, deleting for good, versions. The only
// service that swaps the open file.

import { join, parse } from 'node:path'
import { Fault } from '../../base/fault.ts'
import type { WorkspaceInfo } from '../../contract/workspacerows.ts'
import type { Context, Slice } from '../context.ts'
import { copyInThread } from '../copyworker.ts'
import { IMPORTERS } from '../importers/registry.ts'
import { countAnnotations } from '../store/annotations.ts'
import { allConfigurations } from '../store/configurations.ts'
import { backupsOf, removeBackup } from '../store/backups.ts'
import { workspaceBytes } from '../store/files.ts'
import { isImporting } from '../store/imports.ts'
import { countProblems } from '../store/problems.ts'
import { SCHEMA_VERSION } from '../store/migrate.ts'
import { sqliteVersion } from '../store/open.ts'
import type { ReadableDb } from '../store/connection.ts'
import { deleteAll, isEmpty, restoreAll } from '../store/removal.ts'
import { countRules } from '../store/rules.ts'
import { loadIsSample, loadPolicy, savePolicy } from '../store/settings.ts'
import { countTakenRules } from '../store/taken.ts'
import { countTasks } from '../store/tasks.ts'
import { countTrials } from '../store/trials.ts'
import { adoptRuns } from './adopt.ts'

/** Everything about the open workspace that the window's frame shows. */
export function workspaceInfo(context: Context): WorkspaceInfo {
  const db = context.db()
  const { live, deleted } = countTrials(db)
  const analysis = context.analysis()
  return {
    path: context.path(),
    name: parse(context.path()).name,
    isSample: loadIsSample(db),
    isReadOnly: context.isReadOnly(),
    schemaVersion: SCHEMA_VERSION,
    coreVersion: context.appVersion,
    algorithm: analysis.algorithm,
    trials: live,
    tasks: countTasks(db),
    configurations: allConfigurations(db).length,
    problems: countProblems(db),
    annotations: countAnnotations(db),
    rules: countRules(db),
    isEmpty: isEmpty(db),
    deletedTrials: deleted,
    deletedRules: countTakenRules(db),
    policy: loadPolicy(db),
    analysisPending: analysis.pending(),
    indexPending: context.search().pending(),
    bytes: workspaceBytes(db),
    backups: backupsOf(context.path()),
  }
}

/** Opens another workspace in place of this one and says so. */
export function openWorkspace(context: Context, path: string, create: boolean): WorkspaceInfo {
  context.swap(path, create)
  const info = workspaceInfo(context)
  context.emit({ type: 'workspace', path: info.path, name: info.name, isSample: info.isSample })
  return info
}

/** Above this size looking at every page would hold up other answers. */
const CHECKED_BYTES = 256 * 1024 * 1024

function checkIntegrity(db: ReadableDb): string {
  if (workspaceBytes(db) > CHECKED_BYTES) return 'not checked: the file is large'
  return db.pragma<string>('quick_check(1)')
}

/** workspace.* but the sample, and core.doctor. */
export function workspaceService(
  context: Context,
): Slice<
  | 'workspace.info'
  | 'workspace.open'
  | 'workspace.saveCopy'
  | 'workspace.setPolicy'
  | 'workspace.deleteAll'
  | 'workspace.restoreAll'
  | 'workspace.erase'
  | 'workspace.restoreBackup'
  | 'workspace.removeBackup'
  | 'core.doctor'
> {
  const refuseWhileBusy = (): void => {
    if (context.busy.size === 0) return
    throw new Fault('DB_LOCKED', 'An import is running in this workspace.', {
      hint: 'Wait until it has finished, or cancel it.',
    })
  }
  /** Also of another program: what it writes next belongs to a run that would be gone. */
  const refuseWhileImporting = (): void => {
    adoptRuns(context)
    refuseWhileBusy()
    if (!isImporting(context.db())) return
    throw new Fault('DB_LOCKED', 'Another program is importing into this workspace.', {
      hint: 'Wait until it has finished, or cancel it there.',
    })
  }
  return {
    'workspace.info': () => workspaceInfo(context),
    'workspace.open': ({ file, create }) => openWorkspace(context, file.path, create),
    'workspace.saveCopy': async ({ file }) => {
      const { appVersion } = context
      const source = context.db().path
      return { path: file.path, ...(await copyInThread({ source, target: file.path, appVersion })) }
    },
    'workspace.setPolicy': ({ policy }) => {
      savePolicy(context.db(), policy)
      context.scheduleAnalysis('all')
      return policy
    },
    'workspace.deleteAll': () => {
      refuseWhileImporting()
      const deleted = deleteAll(context.db(), context.now())
      // What is being judged by rules that are no longer there is left.
      context.rules().workspaceChanged()
      context.scheduleAnalysis('all')
      return deleted
    },
    'workspace.restoreAll': () => {
      const restored = restoreAll(context.db())
      context.rules().workspaceChanged()
      context.scheduleAnalysis('all')
      return restored
    },
    'workspace.erase': () => {
      refuseWhileBusy()
      return context.erase()
    },
    'workspace.restoreBackup': ({ name }) => {
      refuseWhileImporting()
      return context.restore(name)
    },
    'workspace.removeBackup': ({ name }) => {
      removeBackup(context.db().path, name)
      return { name }
    },
    'core.doctor': () => {
      const db = context.db()
      return {
        faultline: context.appVersion,
        node: process.versions.node,
        electron: process.versions['electron'] ?? null,
        sqlite: sqliteVersion(db),
        schema: SCHEMA_VERSION,
        importers: Object.fromEntries(IMPORTERS.map(({ id, version }) => [id, version])),
        algorithm: context.analysis().algorithm,
        platform: `${process.platform} ${process.arch}`,
        workspace: context.path(),
        readOnly: context.isReadOnly(),
        workspaceBytes: workspaceBytes(db),
        integrity: checkIntegrity(db),
        defaultWorkspace: join(context.userDataDir, 'default.fault'),
        resources: context.resourcesDir,
      }
    },
  }
}
