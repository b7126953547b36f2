// Configurations: the list that the scope is chosen from, and what a person says of them in place of the file.

import { Fault } from '../../base/fault.ts'
import { EDITABLE } from '../../model/configurationedit.ts'
import type { Context, Slice } from '../context.ts'
import { allConfigurations, configurationCounts } from '../store/configurations.ts'
import { saveConfigurationEdit } from '../store/settings.ts'
import { configurationLabels } from './labels.ts'

/** configurations.* */
export function configurationsService(
  context: Context,
): Slice<'configurations.list' | 'configurations.edit'> {
  return {
    'configurations.edit': ({ configurationId, edit }) => {
      const db = context.db()
      const known = allConfigurations(db).find(({ id }) => id === configurationId)
      if (known === undefined)
        throw new Fault('NOT_FOUND', 'There is no such configuration in the workspace.', {
          where: configurationId,
          hint: 'Its trials may have been deleted.',
        })
      // What says the same as the file is no edit: it follows the file again.
      const kept = Object.fromEntries(
        EDITABLE.flatMap((field) => {
          const text = edit[field]
          return text === undefined || text === known.imported[field] ? [] : [[field, text] as const]
        }),
      )
      return { before: saveConfigurationEdit(db, configurationId, kept) }
    },
    'configurations.list': () => {
      const db = context.db()
      const records = allConfigurations(db)
      const labels = configurationLabels(records)
      const counts = configurationCounts(db)
      return records.map(({ id, configuration, imported }) => ({
        configurationId: id,
        label: labels.get(id) ?? id,
        configuration,
        imported,
        ...(counts.get(id) ?? { trials: 0, tasks: 0, passes: 0 }),
      }))
    },
  }
}
