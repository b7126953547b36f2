// Queries about configurations: what must be equal for two trials to be repeats of the same thing.

import { edited } from '../../model/configurationedit.ts'
import type { Configuration } from '../../model/trial.ts'
import type { ReadableDb } from './connection.ts'
import { OUTCOME } from './judgements.ts'
import { loadConfigurationEdits } from './settings.ts'

/** One configuration in the order of arrival, as a person may have edited it, and as it was imported. */
export type ConfigurationRecord = {
  readonly id: string
  readonly configuration: Configuration
  readonly imported: Configuration
}

/** Configurations with at least one trial that is not deleted, in the order of arrival. */
export function allConfigurations(db: ReadableDb): readonly ConfigurationRecord[] {
  const edits = loadConfigurationEdits(db)
  return db
    .all<{ id: string; content: string }>(
      `SELECT id, content FROM configurations
       WHERE EXISTS (SELECT 1 FROM trials WHERE configuration_id = configurations.id AND deleted_at IS NULL)
       ORDER BY seq`,
    )
    .map(({ id, content }) => {
      const imported = JSON.parse(content) as Configuration
      return { id, imported, configuration: edited(imported, edits[id]) }
    })
}

/** Counted trials, tasks and passes of every configuration. */
export function configurationCounts(
  db: ReadableDb,
): ReadonlyMap<string, { readonly trials: number; readonly tasks: number; readonly passes: number }> {
  const rows = db.rows<[string, number, number, number]>(
    `SELECT configuration_id, count(*), count(DISTINCT task_id), sum(${OUTCOME} = 'pass')
     FROM trials INDEXED BY trials_counted WHERE deleted_at IS NULL AND is_conflict = 0
     GROUP BY configuration_id`,
  )
  return new Map(rows.map(([id, trials, tasks, passes]) => [id, { trials, tasks, passes }]))
}
