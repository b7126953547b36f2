// Short names for configurations: enough of each to tell it apart from the others in the workspace.
// Pure. A label is for reading; identity is the configuration's id.

import { canonicalJson, type Json } from '../../base/json.ts'
import type { Configuration } from '../../model/trial.ts'

/** The fields that a label is made of, the most telling first. */
const FIELDS = [
  'model',
  'agent',
  'agentVersion',
  'promptVersion',
  'toolsVersion',
  'policyVersion',
  'environment',
] as const

function valueText(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** What a configuration says, as name → text, its parameters included. */
function facts(configuration: Configuration): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const field of FIELDS) {
    const value = configuration[field]
    if (value !== null) found.set(field, value)
  }
  for (const [name, value] of Object.entries(configuration.params)) found.set(name, valueText(value))
  return found
}

/**
 * One label per configuration, all different. Its own label or model (or agent) first; then, where several would read
 * alike, the facts in which they differ; then a number. Input order decides the numbers.
 */
export function configurationLabels(
  records: readonly { readonly id: string; readonly configuration: Configuration }[],
): ReadonlyMap<string, string> {
  const base = records.map(({ id, configuration }) => ({
    id,
    facts: facts(configuration),
    text: configuration.label ?? configuration.model ?? configuration.agent ?? 'configuration unknown',
    named: configuration.label !== null ? null : configuration.model !== null ? 'model' : 'agent',
  }))
  const groups = Map.groupBy(base, (item) => item.text)
  const labels = new Map<string, string>()
  const taken = new Set<string>()
  for (const item of base) {
    const group = groups.get(item.text) ?? []
    const names = [...new Set(group.flatMap((other) => [...other.facts.keys()]))]
    const differing = names.filter(
      (name) => name !== item.named && new Set(group.map((other) => other.facts.get(name) ?? '')).size > 1,
    )
    const more = differing.slice(0, 3).map((name) => item.facts.get(name) ?? `no ${name}`)
    const label = [item.text, ...more].join(' · ')
    let unique = label
    for (let i = 2; taken.has(unique); i++) unique = `${label} (${i})`
    taken.add(unique)
    labels.set(item.id, unique)
  }
  return labels
}
