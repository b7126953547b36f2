// Desktop calls: what main does for the window beside relaying to the core (dialogs, settings, clipboard, log).
// A table of functions, one per call of the contract. Answers grants, never paths.

import { BrowserWindow, app, clipboard, dialog, nativeTheme, shell } from 'electron'
import * as v from 'valibot'
import { Fault } from '../base/fault.ts'
import type { DesktopCall, DesktopCalls } from '../contract/desktop.ts'
import type { CoreState, Granted, Settings } from '../contract/events.ts'
import type { Grants } from './grants.ts'
import { settingsPatch, type SettingsStore } from './settings.ts'

/** What the desktop calls work with. */
export type DesktopOptions = {
  readonly grants: Grants
  readonly settings: SettingsStore
  readonly coreState: () => CoreState
  readonly restartCore: () => void
  readonly logPath: string
  /** Called after a change of the settings, with what the window may know of them. */
  readonly onSettings: (settings: Settings) => void
}

/** The calls, by name. Inputs come from the window and are checked here. */
export type DesktopHandlers = {
  readonly [C in DesktopCall]: (input: unknown, window: BrowserWindow) => Promise<DesktopCalls[C]['output']>
}

const maxClipboardChars = 8 * 1024 * 1024

const saveFilters = {
  markdown: { name: 'Markdown', extensions: ['md'] },
  json: { name: 'JSON', extensions: ['json'] },
  csv: { name: 'CSV', extensions: ['csv'] },
  workspace: { name: 'Faultline workspace', extensions: ['fault'] },
} as const

const chooseSchema = v.object({ folders: v.boolean() })
const chooseSaveSchema = v.object({
  suggestedName: v.pipe(v.string(), v.maxLength(255)),
  kind: v.picklist(['markdown', 'json', 'csv', 'workspace']),
})
const revealSchema = v.object({ grant: v.string() })
const textSchema = v.object({ text: v.pipe(v.string(), v.maxLength(maxClipboardChars)) })

function parse<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, input)
  if (!parsed.success)
    throw new Fault('INVALID_INPUT', `The desktop call is not valid: ${parsed.issues[0].message}`)
  return parsed.output
}

/** The handlers of all desktop calls. */
export function makeDesktop(options: DesktopOptions): DesktopHandlers {
  const { grants, settings } = options
  const changed = (): Settings => {
    const now = settings.forWindow(grants)
    options.onSettings(now)
    return now
  }
  return {
    async 'files.choose'(input, window) {
      const { folders } = parse(chooseSchema, input)
      const { filePaths } = await dialog.showOpenDialog(window, {
        title: folders ? 'Import a folder of trial exports' : 'Import trial exports',
        properties: folders ? ['openDirectory', 'multiSelections'] : ['openFile', 'multiSelections'],
      })
      return filePaths.map((path) => grants.add(path, 'read'))
    },
    async 'files.chooseSave'(input, window) {
      const { suggestedName, kind } = parse(chooseSaveSchema, input)
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        defaultPath: safeFileName(suggestedName),
        filters: [{ name: saveFilters[kind].name, extensions: [...saveFilters[kind].extensions] }],
      })
      return canceled || !filePath ? null : grants.add(filePath, 'write')
    },
    async 'files.chooseWorkspace'(_input, window): Promise<Granted | null> {
      const { filePaths } = await dialog.showOpenDialog(window, {
        title: 'Open a workspace',
        properties: ['openFile'],
        // The copies before a migration are called name.fault.before-2, which no pattern of extensions covers.
        filters: [
          { name: 'Faultline workspace', extensions: ['fault'] },
          { name: 'Safety copies and all files', extensions: ['*'] },
        ],
      })
      const path = filePaths[0]
      return path === undefined ? null : grants.add(path, 'read')
    },
    async 'files.reveal'(input) {
      shell.showItemInFolder(grants.pathOf(parse(revealSchema, input).grant, 'read'))
      return null
    },
    async 'settings.get'() {
      return settings.forWindow(grants)
    },
    async 'settings.set'(input) {
      const patch = settingsPatch(input)
      let isSaved = true
      if (patch.theme !== undefined) {
        isSaved = settings.set('theme', patch.theme)
        nativeTheme.themeSource = patch.theme
      }
      if (patch.density !== undefined) isSaved = settings.set('density', patch.density) && isSaved
      const now = changed()
      if (!isSaved) throw notSaved()
      return now
    },
    async 'recent.clear'() {
      const isSaved = settings.set('recent', [])
      const now = changed()
      if (!isSaved) throw notSaved()
      return now
    },
    async 'core.state'() {
      return options.coreState()
    },
    async 'core.restart'() {
      options.restartCore()
      return options.coreState()
    },
    async 'log.open'() {
      shell.showItemInFolder(options.logPath)
      return null
    },
    async 'clipboard.write'(input) {
      clipboard.writeText(parse(textSchema, input).text)
      return null
    },
    async 'app.versions'() {
      const { electron = '', chrome = '', node } = process.versions
      return {
        app: app.getVersion(),
        electron,
        chromium: chrome,
        node,
        platform: `${process.platform}-${process.arch}`,
      }
    },
  }
}

/** For a change that is in force and will be forgotten. */
function notSaved(): Fault {
  return new Fault('FILE_UNREADABLE', 'The setting holds until Faultline is closed: it could not be saved.', {
    hint: 'Check that the disk is not full and that Faultline may write into its own folder; the log says more.',
  })
}

/** A suggestion without folders or characters that a file system refuses: it may come from a trajectory. */
function safeFileName(name: string): string {
  const safe = name.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/g,
    '-',
  )
  return safe.replace(/^\.+/, '') || 'faultline'
}
