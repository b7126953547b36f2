// A small checker for the part of JSON Schema that docs/report.schema.json uses. Gives the path of every problem.

import { isObject } from '../../../src/base/json.ts'

type Schema = Record<string, unknown>

const KNOWN = new Set(
  '$schema $id $defs $ref title description type const enum properties required additionalProperties items anyOf minimum maximum minItems maxItems'.split(
    ' ',
  ),
)

/** Problems of a value against a schema, as `path: what`; empty when it holds. Throws on keywords that it lacks. */
export function problems(root: Schema, value: unknown, schema: Schema = root, path = '$'): string[] {
  for (const word of Object.keys(schema)) if (!KNOWN.has(word)) throw new Error(`The checker lacks ${word}`)
  if (typeof schema['$ref'] === 'string') return problems(root, value, resolved(root, schema['$ref']), path)
  if (Array.isArray(schema['anyOf'])) {
    const all = schema['anyOf'].map((option) => problems(root, value, option as Schema, path))
    return all.some((list) => list.length === 0) ? [] : [`${path}: none of the alternatives`, ...all.flat()]
  }
  const found: string[] = []
  if ('const' in schema && value !== schema['const']) found.push(`${path}: not ${String(schema['const'])}`)
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) found.push(`${path}: not in the list`)
  const types = schema['type'] === undefined ? null : [schema['type']].flat()
  if (types !== null && !types.some((type) => hasType(value, String(type))))
    return [...found, `${path}: not ${types.join(' or ')}`]
  if (typeof value === 'number') {
    if (value < Number(schema['minimum'] ?? -Infinity)) found.push(`${path}: too small`)
    if (value > Number(schema['maximum'] ?? Infinity)) found.push(`${path}: too large`)
  }
  if (Array.isArray(value)) {
    if (value.length < Number(schema['minItems'] ?? 0)) found.push(`${path}: too short`)
    if (value.length > Number(schema['maxItems'] ?? Infinity)) found.push(`${path}: too long`)
    if (isObject(schema['items']))
      found.push(
        ...value.flatMap((item, i) => problems(root, item, schema['items'] as Schema, `${path}[${i}]`)),
      )
  }
  if (isObject(value)) {
    const known = (schema['properties'] ?? {}) as Record<string, Schema>
    for (const name of (schema['required'] ?? []) as string[])
      if (!(name in value)) found.push(`${path}: lacks ${name}`)
    for (const [name, item] of Object.entries(value)) {
      const own = known[name]
      if (own !== undefined) found.push(...problems(root, item, own, `${path}.${name}`))
      else if (schema['additionalProperties'] === false) found.push(`${path}: ${name} is not known`)
    }
  }
  return found
}

function resolved(root: Schema, ref: string): Schema {
  const name = ref.replace('#/$defs/', '')
  const found = (root['$defs'] as Record<string, Schema>)[name]
  if (found === undefined) throw new Error(`No definition ${ref}`)
  return found
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
