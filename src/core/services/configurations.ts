// Configurations: the list that the scope is chosen from.

import type { Context, Slice } from '../context.ts'
import { allConfigurations, configurationCounts } from '../store/configurations.ts'
import { configurationLabels } from './labels.ts'

/** configurations.list */
export function configurationsService(context: Context): Slice<'configurations.list'> {
  return {
    'configurations.list': () => {
      const db = context.db()
      const records = allConfigurations(db)
      const labels = configurationLabels(records)
      const counts = configurationCounts(db)
      return records.map(({ id, configuration }) => ({
        configurationId: id,
        label: labels.get(id) ?? id,
        configuration,
        ...(counts.get(id) ?? { trials: 0, tasks: 0, passes: 0 }),
      }))
    },
  }
}
