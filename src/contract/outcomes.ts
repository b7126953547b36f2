// The part of the contract about outcomes that come separately and about conflicts of identity. Spread into
// contract.ts; nothing else uses it.

import * as v from 'valibot'
import { command, job, query } from './define.ts'
import {
  attachSchema,
  resolveSchema,
  type Attached,
  type AttachmentRow,
  type AttachPreview,
  type ConflictRow,
  type OutcomeProgress,
} from './outcomerows.ts'
import { none } from './inputs.ts'

const attachment = v.object({ attachmentId: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })

/** outcomes.* and conflicts.* */
export const outcomeEntries = {
  /** What attaching these outcomes would do; writes nothing. */
  'outcomes.preview': job<AttachPreview, OutcomeProgress>()(attachSchema, []),
  /** Attaches them in one transaction, and remembers the choice for sources like this. */
  'outcomes.attach': job<Attached, OutcomeProgress>()(attachSchema, ['trials', 'analysis', 'settings']),
  'outcomes.list': query<readonly AttachmentRow[]>()(none, ['trials']),
  'outcomes.undo': command<AttachmentRow>()(attachment, ['trials', 'analysis']),
  'outcomes.redo': command<AttachmentRow>()(attachment, ['trials', 'analysis']),

  'conflicts.list': query<readonly ConflictRow[]>()(none, ['trials', 'imports']),
  /** Keeps one trial of a conflict, or all of them; null takes the decision back. */
  'conflicts.resolve': command<ConflictRow>()(resolveSchema, ['trials', 'imports', 'analysis']),
} as const
