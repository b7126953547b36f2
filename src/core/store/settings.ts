// Choices that belong to one workspace: outcome policy, taxonomy, whether it is the sample. JSON by key, checked
// against a schema on read; a damaged or foreign value falls back to the default.

import * as v from 'valibot'
import { policySchema } from '../../contract/inputs.ts'
import { configurationEditSchema, type ConfigurationEdit } from '../../model/configurationedit.ts'
import { DEFAULT_POLICY, type OutcomePolicy } from '../../model/outcome.ts'
import { taxonomySchema, type Taxonomy } from '../../model/taxonomy.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** Also named by taken.ts, which removes it. */
const RECENT_VIEWS = 'recentViews'

function read<T>(db: ReadableDb, key: string, schema: v.GenericSchema<unknown, T>): T | null {
  const row = db.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)
  if (row === undefined) return null
  try {
    const result = v.safeParse(schema, JSON.parse(row.value))
    return result.success ? result.output : null
  } catch {
    return null
  }
}

function put(db: WritableDb, key: string, value: unknown): void {
  db.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    JSON.stringify(value),
  )
}

function save(db: WritableDb, key: string, value: unknown): void {
  db.durable(() => put(db, key, value))
}

/** The workspace's outcome policy; the default when none was chosen. */
export function loadPolicy(db: ReadableDb): OutcomePolicy {
  return read(db, 'policy', policySchema) ?? DEFAULT_POLICY
}

/** Saves the outcome policy; on the disk when it returns. */
export function savePolicy(db: WritableDb, policy: OutcomePolicy): void {
  save(db, 'policy', policy)
}

/** The workspace's own taxonomy, or null when it uses the program's default. */
export function loadTaxonomy(db: ReadableDb): Taxonomy | null {
  return read(db, 'taxonomy', taxonomySchema)
}

const outcomeChoices = v.record(
  v.string(),
  v.object({ scorer: v.nullable(v.string()), threshold: v.nullable(v.number()) }),
)

/** Which field and threshold a person chose for outcome files of one kind, by the kind's signature. */
export type OutcomeChoices = v.InferOutput<typeof outcomeChoices>

/** The choices for outcome files that were made in this workspace. */
export function loadOutcomeChoices(db: ReadableDb): OutcomeChoices {
  return read(db, 'outcomeChoices', outcomeChoices) ?? {}
}

/** Adds the choice for outcome files of one kind; on the disk when it returns. */
export function saveOutcomeChoice(db: WritableDb, signature: string, choice: OutcomeChoices[string]): void {
  db.durable(() => put(db, 'outcomeChoices', { ...loadOutcomeChoices(db), [signature]: choice }))
}

const configurationEdits = v.record(v.string(), configurationEditSchema)

/** What a person says of configurations, by id. */
export type ConfigurationEdits = v.InferOutput<typeof configurationEdits>

/** What was said of configurations in this workspace. */
export function loadConfigurationEdits(db: ReadableDb): ConfigurationEdits {
  return read(db, 'configurationEdits', configurationEdits) ?? {}
}

/**
 * Saves what is said of one configuration in place of what was said before, which it gives; on the disk when it returns.
 * Read and written in one transaction: another program may say something of another configuration.
 */
export function saveConfigurationEdit(
  db: WritableDb,
  configurationId: string,
  edit: ConfigurationEdit,
): ConfigurationEdit {
  return db.durable(() => {
    const { [configurationId]: before, ...others } = loadConfigurationEdits(db)
    const isEdit = Object.keys(edit).length > 0
    put(db, 'configurationEdits', isEdit ? { ...others, [configurationId]: edit } : others)
    return before ?? {}
  })
}

/** The scopes that were used last, the latest first, by the hash of their view. */
export function loadRecentViews(db: ReadableDb): readonly string[] {
  return read(db, RECENT_VIEWS, v.array(v.string())) ?? []
}

/** Saves them. Not durable: it only says which analyses are kept, and those can be made again. */
export function saveRecentViews(db: WritableDb, views: readonly string[]): void {
  db.write(() => put(db, RECENT_VIEWS, views))
}

/** True for the sample workspace. */
export function loadIsSample(db: ReadableDb): boolean {
  return read(db, 'isSample', v.boolean()) ?? false
}

/** Marks the workspace as the sample. */
export function saveIsSample(db: WritableDb, isSample: boolean): void {
  save(db, 'isSample', isSample)
}
