// The part of the contract about import runs. Spread into contract.ts; nothing else uses it.

import * as v from 'valibot'
import { command, job, query } from './define.ts'
import { id, none, page } from './inputs.ts'
import { fileSchema, importChoicesSchema, type ImportPreview } from './outcomerows.ts'
import type { ImportProgress, ImportRow, ProblemRow } from './rows.ts'

const importInput = v.object({
  files: v.pipe(v.array(fileSchema), v.minLength(1), v.maxLength(100_000)),
  format: v.optional(v.nullable(v.string()), null),
  suite: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200))), null),
  ...importChoicesSchema,
})

/** imports.* */
export const importEntries = {
  'imports.run': job<ImportRow, ImportProgress>()(importInput, ['imports', 'trials', 'analysis']),
  /** What the same import would bring; looks at the beginning of large files and writes nothing. */
  'imports.preview': job<ImportPreview, ImportProgress>()(importInput, []),
  'imports.list': query<readonly ImportRow[]>()(none, ['imports']),
  'imports.problems': query<{ readonly rows: readonly ProblemRow[]; readonly total: number }>()(
    v.object({ importId: id, fileId: v.optional(v.nullable(id), null), ...page }),
    ['imports'],
  ),
  'imports.undo': command<ImportRow>()(v.object({ importId: id }), [
    'imports',
    'trials',
    'analysis',
    'annotations',
  ]),
  'imports.redo': command<ImportRow>()(v.object({ importId: id }), [
    'imports',
    'trials',
    'analysis',
    'annotations',
  ]),
  'imports.formats': query<
    readonly {
      readonly format: string
      readonly title: string
      readonly version: number
      readonly status: 'stable' | 'beta'
      /** Its files say outcomes of trials that may lie elsewhere. */
      readonly isOutcomes: boolean
    }[]
  >()(none, []),
  /** Formats that are recognised by their content, although this version does not read them. */
  'imports.recognised': query<readonly string[]>()(none, []),
} as const
