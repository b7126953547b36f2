// One open core for one command: which workspace, which scope, which policy; waits for analyses; closes what it
// opened. The core runs in this process and is asked by the contract, as the window asks it.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../base/fault.ts'
import { hashOfLink, placeWords } from '../base/link.ts'
import { plural } from '../base/text.ts'
import type { Input, Method, Output, ProgressOf } from '../contract/contract.ts'
import type { View } from '../contract/inputs.ts'
import type { TaskList, TaskRow } from '../contract/rows.ts'
import type { ConfigurationRow } from '../contract/workspacerows.ts'
import { openCore } from '../core/core.ts'
import { taskAddress } from '../core/reports/figures.ts'
import { safe } from './layout.ts'
import type { Terminal } from './terminal.ts'
import { UsageError, type GlobalOptions } from './usage.ts'

/** An open core and what the person looks at. */
export type Session = {
  readonly path: string
  readonly view: View
  readonly signal: AbortSignal
  ask<M extends Method>(
    method: M,
    input: Input<M>,
    progress?: (value: ProgressOf<M>) => void,
  ): Promise<Output<M>>
}

/** Where the app keeps its data: Electron's userData of an app named Faultline. */
export function dataFolder(): string {
  const env = process.env
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Faultline')
  if (process.platform === 'win32')
    return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Faultline')
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'Faultline')
}

/** The workspace that a command works on: --workspace, FAULTLINE_WORKSPACE, or the app's own. */
export function workspacePath(options: GlobalOptions): string {
  const named = options.workspace ?? process.env['FAULTLINE_WORKSPACE']
  return named ? resolve(named) : join(dataFolder(), 'default.fault')
}

/** The folder that holds package.json: the built program stands in out/main, the source in src/cli. */
const root = resolve(import.meta.dirname, '../..')

/** The program's version. */
export function appVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0'
}

/** How a session is opened. */
export type SessionOptions = {
  readonly terminal: Terminal
  /** Make the file when it does not exist. Commands that only read refuse, so that a typo makes no workspace. */
  readonly create: boolean
  readonly signal: AbortSignal
  /** Another place for default.fault and sample.fault than the app's. */
  readonly userData?: string
  readonly path?: string
}

/** Opens the core, does the work and closes it again, whatever happens. */
export async function withSession<T>(
  globals: GlobalOptions,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const path = options.path ?? workspacePath(globals)
  if (!existsSync(path)) {
    if (!options.create)
      throw new Fault('NOT_FOUND', 'There is no workspace here yet.', {
        where: path,
        hint: 'Import something first: faultline import PATH… (or name another file with --workspace FILE).',
      })
    makeFolder(dirname(path))
  } else if (statSync(path).isDirectory()) {
    throw new Fault('FILE_UNREADABLE', 'This is a folder, not a workspace file.', { where: path })
  }
  const core = openCore({
    path,
    resourcesDir: join(root, 'resources'),
    userDataDir: options.userData ?? dataFolder(),
    appVersion: appVersion(),
    emit: (event) => {
      if (event.type === 'log' && event.level === 'error') options.terminal.warn(safe(event.message, 400))
    },
    watchMs: 0,
  })
  try {
    const ask: Session['ask'] = (method, input, progress) =>
      core.request(method, input, { signal: options.signal, ...(progress === undefined ? {} : { progress }) })
    const view = await viewOf(globals, ask)
    return await work({ path, view, signal: options.signal, ask })
  } finally {
    await core.close()
  }
}

/** A session on a workspace of its own that leaves nothing behind: for what needs a core but no data. */
export async function withScratch<T>(
  globals: GlobalOptions,
  options: Omit<SessionOptions, 'create' | 'path' | 'userData'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  // A second Ctrl+C and a reader that goes away end the process at once: the data must not stay behind then either.
  process.once('exit', remove)
  try {
    const path = join(folder, 'scratch.fault')
    return await withSession(
      { ...globals, config: [] },
      { ...options, create: true, path, userData: folder },
      work,
    )
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Fault('FILE_UNREADABLE', 'The folder of the workspace cannot be made.', {
      where: folder,
      hint: 'Check its path and that you may write there, or name another file with --workspace FILE.',
      cause,
    })
  }
}

async function viewOf(globals: GlobalOptions, ask: Session['ask']): Promise<View> {
  const policy =
    globals.policy === undefined ? null : { ...(await ask('workspace.info', {})).policy, ...globals.policy }
  const named = globals.config ?? []
  if (named.length === 0) return { configurations: null, policy }
  const all = await ask('configurations.list', {})
  const ids = named.flatMap((name) => configurationsNamed(name, all).map((row) => row.configurationId))
  return { configurations: [...new Set(ids)], policy }
}

/** The one configuration that a name means. Throws a UsageError that lists them when it is none, or several. */
export function configurationNamed(name: string, all: readonly ConfigurationRow[]): ConfigurationRow {
  return configurationsNamed(name, all)[0] as ConfigurationRow
}

/** A configuration's id or an unmistakable beginning of it, or its label. */
function configurationsNamed(name: string, all: readonly ConfigurationRow[]): readonly ConfigurationRow[] {
  const found = configurationsLike(name, all)
  if (found.length === 1) return found
  const list = (found.length > 1 ? found : all).map(
    (row) => `  ${row.configurationId}  ${safe(row.label)}  (${plural(row.trials, 'trial')})`,
  )
  throw new UsageError(
    `${found.length > 1 ? 'Several configurations are' : 'No configuration is'} named ${safe(name)}. ` +
      (list.length === 0 ? 'The workspace is empty.' : `Choose one by its id:\n${list.join('\n')}`),
  )
}

/** The configurations that a name may mean: those that it names exactly, else those that it begins. */
export function configurationsLike(
  name: string,
  all: readonly ConfigurationRow[],
): readonly ConfigurationRow[] {
  const exact = all.filter((row) => row.configurationId === name || row.label === name)
  const loose = all.filter(
    (row) =>
      row.label.toLowerCase() === name.toLowerCase() ||
      (name.length >= 4 && row.configurationId.startsWith(name)),
  )
  return exact.length > 0 ? exact : loose
}

/** Every row that the filter lets through, with the summary, page by page. */
export async function everyTask(
  session: Session,
  input: Omit<Input<'tasks.list'>, 'view'>,
): Promise<TaskList> {
  const rows: TaskRow[] = []
  for (;;) {
    const page = await session.ask('tasks.list', {
      ...input,
      view: session.view,
      offset: rows.length,
      limit: 1000,
    })
    rows.push(...page.rows)
    if (rows.length >= page.total || page.rows.length === 0) return { ...page, rows }
  }
}

/** Waiting this long without any progress is looked into. */
const STUCK_MS = 5000

/** The same when every analysis in scope is there; says on the terminal how many are missing. */
export async function analysedTasks(
  session: Session,
  input: Omit<Input<'tasks.list'>, 'view'>,
  terminal: Terminal,
): Promise<TaskList> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    // Without the filter: what is still missing may be what the filter looks for.
    const { rows } = await everyTask(session, {})
    const pending = rows.filter((row) => row.lead.state === 'pending').length
    if (pending === 0) break
    if (pending !== before) changedAt = performance.now()
    before = pending
    const stuck = rows.find((row) => row.lead.state === 'pending')
    // One task asked for by itself says why nothing comes: a full disk, for one. Else it is slow, and is waited for.
    if (stuck !== undefined && performance.now() - changedAt > STUCK_MS) {
      await session.ask('tasks.get', { taskId: stuck.taskId, view: session.view })
      changedAt = performance.now()
    }
    terminal.progress(`Comparing trials: ${plural(pending, 'task')} to go`)
    await pause(100, undefined, { signal: session.signal })
  }
  terminal.progress(null)
  return await everyTask(session, input)
}

/** A link of the window as the name of a task and of a trial; undefined where it names none. */
export function linkedTask(address: string): { readonly task?: string; readonly trial?: string } | undefined {
  const hash = hashOfLink(address)
  if (hash === null) return undefined
  const { segments, params } = placeWords(hash)
  const task = segments[0] === 'task' ? segments[1] : undefined
  const trial = params.get('trial')
  return { ...(task === undefined ? {} : { task }), ...(trial === undefined ? {} : { trial }) }
}

/** The task that an address names: its id, `suite/task`, or the bare task id when only one suite has it. */
export async function taskNamed(session: Session, address: string): Promise<TaskRow> {
  const { rows } = await everyTask(session, { sort: 'task' })
  const byId = rows.find((row) => row.taskId === address)
  if (byId !== undefined) return byId
  const full = rows.filter((row) => taskAddress(row) === address)
  const found = full.length > 0 ? full : rows.filter((row) => row.task === address)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (found.length > 1) throw new UsageError(`Several tasks answer to ${safe(address)}:\n${listed(found)}`)
  const near = rows
    .filter((row) => taskAddress(row).toLowerCase().includes(address.toLowerCase()))
    .slice(0, 10)
  throw new Fault('NOT_FOUND', `No task in scope answers to ${safe(address)}.`, {
    where: session.path,
    hint:
      near.length > 0
        ? `Did you mean one of these?\n${listed(near)}`
        : 'faultline tasks lists them; write suite/task or the id.',
  })
}

function listed(rows: readonly TaskRow[]): string {
  return rows.map((row) => `  ${safe(taskAddress(row))}  (id ${row.taskId})`).join('\n')
}
