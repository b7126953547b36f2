// Annotations and the taxonomy that they choose from. What a person wrote is on the disk when a save answers.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { Fault } from '../../base/fault.ts'
import { taxonomySchema, type Taxonomy } from '../../model/taxonomy.ts'
import type { Context, Slice } from '../context.ts'
import { allAnnotations, annotationHistory, deleteAnnotation, saveAnnotation } from '../store/annotations.ts'
import { loadTaxonomy } from '../store/settings.ts'

/** annotations.* and taxonomy.get */
export function annotationsService(
  context: Context,
): Slice<
  'annotations.list' | 'annotations.save' | 'annotations.delete' | 'annotations.history' | 'taxonomy.get'
> {
  let shipped: Taxonomy | null = null
  return {
    'annotations.list': ({ taskId }) => allAnnotations(context.db(), taskId),
    'annotations.save': ({ trialId, revision, draft, leadShown, algorithm }) =>
      saveAnnotation(context.db(), {
        trialId,
        revision,
        draft,
        leadShown,
        algorithm,
        newId: `a${randomUUID().replaceAll('-', '').slice(0, 19)}`,
        now: context.now(),
      }),
    'annotations.delete': ({ trialId, revision }) =>
      deleteAnnotation(context.db(), { trialId, revision, now: context.now() }),
    'annotations.history': ({ trialId }) => annotationHistory(context.db(), trialId),
    'taxonomy.get': () => {
      shipped ??= shippedTaxonomy(context.resourcesDir)
      return loadTaxonomy(context.db()) ?? shipped
    },
  }
}

/** The taxonomy that the program brings. Throws FILE_UNREADABLE when it is missing or not one. */
function shippedTaxonomy(resourcesDir: string): Taxonomy {
  const path = join(resourcesDir, 'taxonomy.json')
  try {
    return v.parse(taxonomySchema, JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Fault('FILE_UNREADABLE', 'The default taxonomy cannot be read.', {
      where: path,
      cause: error,
      hint: 'Install Faultline again: the file belongs to it.',
    })
  }
}
