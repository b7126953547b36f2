// The services of one core, joined: one handler for every entry of the contract.

import type { Context, Handlers } from './context.ts'
import { annotationsService } from './services/annotations.ts'
import { configurationsService } from './services/configurations.ts'
import { conflictsService } from './services/conflicts.ts'
import { importsService } from './services/imports.ts'
import { outcomesService } from './services/outcomes.ts'
import { reportsService } from './services/reports.ts'
import { rulesService } from './services/rules.ts'
import { sampleService } from './services/sample.ts'
import { searchService } from './services/search.ts'
import { tasksService } from './services/tasks.ts'
import { trialsService } from './services/trials.ts'
import { workspaceService } from './services/workspace.ts'

/** Makes the services of a core; each registers its scheduler in the context. */
export function allHandlers(context: Context): Handlers {
  const own = {
    ...workspaceService(context),
    ...sampleService(context),
    ...configurationsService(context),
    ...importsService(context),
    ...outcomesService(context),
    ...conflictsService(context),
    ...tasksService(context),
    ...trialsService(context),
    ...annotationsService(context),
    ...rulesService(context),
    ...searchService(context),
  }
  return {
    ...own,
    // Reports gather what they print through the other services' own handlers.
    ...reportsService(context, own),
  }
}
