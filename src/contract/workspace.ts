// The part of the contract about the workspace as a whole and its configurations. Spread into contract.ts; nothing else
// uses it.

import * as v from 'valibot'
import { configurationEditSchema, type ConfigurationEdit } from '../model/configurationedit.ts'
import type { OutcomePolicy } from '../model/outcome.ts'
import { command, job, query, type Topic } from './define.ts'
import { id, none, policySchema } from './inputs.ts'
import { fileSchema } from './outcomerows.ts'
import type { ImportProgress } from './rows.ts'
import type { ConfigurationRow, WorkspaceInfo } from './workspacerows.ts'

const everything: readonly Topic[] = [
  'workspace',
  'trials',
  'imports',
  'analysis',
  'annotations',
  'rules',
  'settings',
]

/** workspace.* and configurations.* */
export const workspaceEntries = {
  'workspace.info': query<WorkspaceInfo>()(none, [
    'workspace',
    'trials',
    'imports',
    'annotations',
    'analysis',
    'rules',
    'settings',
    'search',
  ]),
  /** Opens (or makes, when absent and `create`) another workspace in place of this one. */
  'workspace.open': command<WorkspaceInfo>()(
    v.object({ file: fileSchema, create: v.optional(v.boolean(), false) }),
    ['workspace', 'trials', 'imports', 'analysis', 'annotations', 'taxonomy', 'rules', 'settings'],
  ),
  /** Opens the sample workspace, making it when it is absent. */
  'workspace.openSample': job<WorkspaceInfo, ImportProgress>()(none, [
    'workspace',
    'trials',
    'imports',
    'analysis',
    'annotations',
    'taxonomy',
    'rules',
    'settings',
  ]),
  'workspace.saveCopy': command<{ readonly path: string; readonly bytes: number }>()(
    v.object({ file: fileSchema }),
    // A copy beside the file may be named like a safety copy, and is listed as one then.
    ['workspace'],
  ),
  'workspace.setPolicy': command<OutcomePolicy>()(v.object({ policy: policySchema }), [
    'settings',
    'trials',
    'analysis',
  ]),
  /** Marks everything for deletion, rules included; restorable until the app closes. */
  'workspace.deleteAll': command<{ readonly trials: number; readonly rules: number }>()(none, everything),
  /** Brings back everything that was deleted and is not yet erased. */
  'workspace.restoreAll': command<{ readonly trials: number; readonly rules: number }>()(none, everything),
  /** Erases what was deleted for good: secure_delete and VACUUM; with everything, the safety copies, too. */
  'workspace.erase': command<{ readonly trials: number; readonly rules: number }>()(none, everything),
  /** Puts a safety copy into the workspace; what it holds now is saved beside it first, as `savedAs`. */
  'workspace.restoreBackup': command<{ readonly savedAs: string }>()(v.object({ name: id }), everything),
  'workspace.removeBackup': command<{ readonly name: string }>()(v.object({ name: id }), ['workspace']),

  'configurations.list': query<readonly ConfigurationRow[]>()(none, ['trials', 'settings']),
  /** Says what a configuration is in place of the file, all fields at once; answers what was said before, for undo. */
  'configurations.edit': command<{ readonly before: ConfigurationEdit }>()(
    v.object({ configurationId: id, edit: configurationEditSchema }),
    ['settings', 'trials'],
  ),
} as const
