// What main remembers between starts: settings.json in userData, written atomically. Every key is checked on
// read by itself: a bad value falls back to its default and is logged, the others stay. Holds paths of recent
// workspaces, which the window sees only as grants; holds nothing from a trajectory.

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import Store from 'electron-store'
import * as v from 'valibot'
import type { Settings } from '../contract/events.ts'
import type { Grants } from './grants.ts'
import type { Log } from './log.ts'

const maxRecent = 10

const pathSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(32_768))
const side = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))

/** One schema and one default per key. */
const keys = {
  theme: { schema: v.picklist(['light', 'dark', 'system']), fallback: 'system' },
  density: { schema: v.picklist(['compact', 'normal', 'comfortable']), fallback: 'normal' },
  recent: { schema: v.pipe(v.array(pathSchema), v.maxLength(maxRecent)), fallback: [] },
  lastWorkspace: { schema: v.nullable(pathSchema), fallback: null },
  bounds: {
    schema: v.nullable(v.object({ x: side, y: side, width: side, height: side, isMaximized: v.boolean() })),
    fallback: null,
  },
} as const

type Keys = typeof keys

/** A stored key. */
export type SettingKey = keyof Keys
/** A stored key's value. */
export type SettingValue<K extends SettingKey> = v.InferOutput<Keys[K]['schema']>

/** Size and place of the window in CSS pixels of the screen. */
export type WindowBounds = NonNullable<SettingValue<'bounds'>>

/** The stored settings. */
export type SettingsStore = {
  get<K extends SettingKey>(key: K): SettingValue<K>
  /** Never throws: false when the value holds only until the program ends, because it could not be written. */
  set<K extends SettingKey>(key: K, value: SettingValue<K>): boolean
  /** Puts a workspace first in the list of recent ones and remembers it as the last. */
  usedWorkspace(path: string): void
  /** What the window may know: names and grants instead of paths. */
  forWindow(grants: Grants): Settings
  /** Recent workspaces that still exist, newest first. */
  recentPaths(): readonly string[]
}

/**
 * Opens settings.json in `folder`. A file that is no JSON is replaced by the defaults; where it can be neither read nor
 * written (a full disk, a folder of that name), settings hold until the program ends, and that is logged.
 */
export function openSettings(folder: string, log: Log): SettingsStore {
  const store = openStore(folder, log)
  /** What could not be written: it holds for as long as the program runs. */
  const unsaved = new Map<string, unknown>()
  const readKey = (key: SettingKey): unknown => {
    if (unsaved.has(key)) return unsaved.get(key)
    try {
      return store?.get(key)
    } catch (error) {
      log.warn(`settings: "${key}" cannot be read (${codeOf(error)})`)
      return undefined
    }
  }

  const get = <K extends SettingKey>(key: K): SettingValue<K> => {
    const { schema, fallback } = keys[key]
    const stored = readKey(key)
    if (stored === undefined) return fallback as SettingValue<K>
    const parsed = v.safeParse(schema, stored)
    if (parsed.success) return parsed.output as SettingValue<K>
    log.warn(`settings: "${key}" is not valid and falls back to its default`)
    return fallback as SettingValue<K>
  }
  const set = <K extends SettingKey>(key: K, value: SettingValue<K>): boolean => {
    try {
      if (store === null) throw new Error('There is no settings file.')
      store.set(key, value)
      unsaved.delete(key)
      return true
    } catch (error) {
      unsaved.set(key, value)
      log.warn(`settings: "${key}" could not be saved (${codeOf(error)})`)
      return false
    }
  }
  const recentPaths = (): readonly string[] => get('recent').filter((path) => existsSync(path))

  return {
    get,
    set,
    recentPaths,
    usedWorkspace(path) {
      set('recent', [path, ...get('recent').filter((other) => other !== path)].slice(0, maxRecent))
      set('lastWorkspace', path)
    },
    forWindow(grants) {
      const last = get('lastWorkspace')
      return {
        theme: get('theme'),
        density: get('density'),
        recent: recentPaths().map((path) => ({
          name: basename(path),
          grant: grants.add(path, 'read').grant,
        })),
        lastWorkspace: last === null ? null : basename(last),
      }
    },
  }
}

function openStore(folder: string, log: Log): Store<Record<string, unknown>> | null {
  try {
    // Without clearInvalidConfig a truncated file would keep the app from showing any window.
    return new Store<Record<string, unknown>>({ cwd: folder, name: 'settings', clearInvalidConfig: true })
  } catch (error) {
    log.warn(`settings: settings.json cannot be opened (${codeOf(error)})`)
    return null
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? String(error.code) : error.name
}

/** The part of the settings that the window may change, checked; throws nothing, ignores what is unknown. */
export function settingsPatch(input: unknown): { theme?: Settings['theme']; density?: Settings['density'] } {
  const parsed = v.safeParse(
    v.object({ theme: v.optional(keys.theme.schema), density: v.optional(keys.density.schema) }),
    input,
  )
  return parsed.success ? parsed.output : {}
}
