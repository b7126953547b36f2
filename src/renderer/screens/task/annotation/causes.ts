// Root causes for choosing: the taxonomy's terms by group, searched in names, definitions and examples, and the
// ones used last. Pure; the panel keeps nothing that is not in the taxonomy or the annotations.

import type { Annotation } from '../../../../model/annotation.ts'
import type { Taxonomy, TaxonomyTerm } from '../../../../model/taxonomy.ts'

/** A group of the taxonomy with its terms. `name` is the group's own name. */
export type CauseGroup = {
  readonly id: string
  readonly name: string
  readonly terms: readonly TaxonomyTerm[]
}

function groupOf(id: string): string {
  return id.split('/')[0] ?? id
}

/** The name of a group: its own term's, else its id. */
function groupName(taxonomy: Taxonomy, group: string): string {
  return taxonomy.terms.find((term) => term.id === group)?.name ?? group
}

/**
 * The terms that match every word of `text` (in id, name, definition, example or group name), by group, in the
 * taxonomy's order. A group's own term is choosable when it stands alone or matches.
 */
export function searchCauses(taxonomy: Taxonomy, text: string): CauseGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const groups = new Map<string, TaxonomyTerm[]>()
  for (const term of taxonomy.terms) {
    const group = groupOf(term.id)
    const haystack = [term.id, term.name, term.definition, term.example, groupName(taxonomy, group)]
      .join(' ')
      .toLowerCase()
    if (!words.every((word) => haystack.includes(word))) continue
    groups.set(group, [...(groups.get(group) ?? []), term])
  }
  return [...groups].map(([id, terms]) => ({ id, name: groupName(taxonomy, id), terms }))
}

/** A cause in words: `Planning ▸ Skipped required check`; an id that the taxonomy does not know stands for itself. */
export function causeName(taxonomy: Taxonomy | undefined, id: string): string {
  const term = taxonomy?.terms.find((one) => one.id === id)
  if (taxonomy === undefined || term === undefined) return id
  const group = groupOf(id)
  return group === id ? term.name : `${groupName(taxonomy, group)} ▸ ${term.name}`
}

/** Up to nine causes for the keys 1 to 9: those used last, newest first, then the taxonomy's first leaves. */
export function recentCauses(taxonomy: Taxonomy, annotations: readonly Annotation[]): string[] {
  const newest = [...annotations].sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  )
  const known = new Set(taxonomy.terms.map((term) => term.id))
  const leaves = taxonomy.terms.filter((term) => term.id.includes('/')).map((term) => term.id)
  const all = [...newest.flatMap((annotation) => annotation.causes), ...leaves, ...known]
  return [...new Set(all)].filter((id) => known.has(id)).slice(0, 9)
}
