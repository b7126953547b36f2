// The rules file: what a person exports, writes by hand, or hands to the benchmark's command line. Two spellings in
// one format: `rules` (everything, lossless, what export writes) and four short sections for tools and paths.
// A wrong entry is refused with its place, never skipped. Reads text, gives drafts; knows no file and no store.

import * as v from 'valibot'
import { isObject } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import { draftOf, ruleDraftSchema, type Rule, type RuleDraft } from './rules.ts'

/** A rule of a file; `id` when it was exported from a workspace. */
export type FiledRule = { readonly id: string | null; readonly draft: RuleDraft }

/** What is wrong with a file, and where: `rules[2].tool`. */
export type FileProblem = { readonly field: string; readonly message: string }

/** The name and version that stand in the file. */
export const RULES_FORMAT = 'faultline-rules'
export const RULES_VERSION = 1

/** More rules are a mistake, or an attack. */
const MAX_RULES = 10_000

/** The file's text for these rules: stable, so that two exports of the same rules are the same bytes. */
export function rulesFileText(rules: readonly Rule[]): string {
  const filed = rules.map((rule) => ({ id: rule.id, ...draftOf(rule) }))
  return `${JSON.stringify({ format: RULES_FORMAT, version: RULES_VERSION, rules: filed }, null, 2)}\n`
}

/** Ends reading; never leaves this file. */
class Wrong extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * The rules of a file. `suite` at the top is for entries that name none. Short sections: `toolClasses` {tool: class},
 * `equivalences` {alias: tool or {tool, args}}, `stages` [{tool, stage}] or {tool: stage}, `ignoredPaths`
 * [{tool, path, where}] or [path]; also in snake_case and as `stageMap`. `isLenient`: fields that the short sections do
 * not know are passed over (files that other programs wrote), else they are refused like everything else.
 */
export function readRulesFile(text: string, isLenient = false): Result<readonly FiledRule[], FileProblem> {
  try {
    return ok(read(text, isLenient))
  } catch (error) {
    if (error instanceof Wrong) return err({ field: error.field, message: error.message })
    throw error
  }
}

function read(text: string, isLenient: boolean): FiledRule[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Wrong('', `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isObject(value)) throw new Wrong('', 'must be an object with the field rules')
  if (value['format'] !== undefined && value['format'] !== RULES_FORMAT)
    throw new Wrong('format', `must be “${RULES_FORMAT}”`)
  const version = value['version'] ?? RULES_VERSION
  if (version !== RULES_VERSION)
    throw new Wrong('version', `is ${JSON.stringify(version)}; this program reads version ${RULES_VERSION}`)
  const suite = value['suite'] ?? null
  if (suite !== null && typeof suite !== 'string') throw new Wrong('suite', 'must be a text')
  const found: FiledRule[] = []
  for (const [name, content] of Object.entries(value)) {
    if (['format', 'version', 'suite', 'title', 'note'].includes(name)) continue
    const section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined
    if (section === undefined)
      throw new Wrong(name, 'is not known; known are rules, toolClasses, equivalences, stages, ignoredPaths')
    for (const { field, entry: written } of section(name, content)) {
      const entry = isLenient && name !== 'rules' && isObject(written) ? knownFields(written) : written
      found.push(filed(field, isObject(entry) && suite !== null ? { suite, ...entry } : entry))
      if (found.length > MAX_RULES) throw new Wrong(field, `is one of more than ${MAX_RULES} rules`)
    }
  }
  return found
}

function filed(field: string, entry: unknown): FiledRule {
  if (!isObject(entry)) throw new Wrong(field, 'must be an object')
  const { id, ...rest } = entry
  if (id !== undefined && id !== null && (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)))
    throw new Wrong(`${field}.id`, 'must be letters, digits, - and _')
  const result = v.safeParse(ruleDraftSchema, rest)
  if (!result.success) {
    const [issue] = result.issues
    const path = v.getDotPath(issue)
    throw new Wrong(path === null ? field : `${field}.${path}`, issue.message)
  }
  return { id: typeof id === 'string' ? id : null, draft: result.output }
}

const KNOWN = new Set('kind suite enabled note tool class alias args stage path where'.split(' '))

function knownFields(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => KNOWN.has(name)))
}

type Entry = { readonly field: string; readonly entry: unknown }

const SECTIONS: Readonly<Record<string, (name: string, content: unknown) => readonly Entry[]>> = {
  rules: (name, content) => items(name, content).map((entry, i) => ({ field: `${name}[${i}]`, entry })),
  toolClasses,
  tool_classes: toolClasses,
  equivalences: (name, content) =>
    pairs(name, content).flatMap(([alias, to]): readonly Entry[] => {
      const field = `${name}.${alias}`
      // A map of all names may say that one is itself: that changes nothing.
      if (to === alias) return []
      if (typeof to === 'string') return [{ field, entry: { kind: 'equivalence', alias, tool: to } }]
      if (!isObject(to)) throw new Wrong(field, 'must be a tool or {tool, args}')
      const { arguments: args, ...rest } = to
      const entry = { kind: 'equivalence', alias, ...rest, ...(args === undefined ? {} : { args }) }
      const renames = 'args' in entry && isObject(entry.args) && Object.keys(entry.args).length > 0
      return rest['tool'] === alias && !renames ? [] : [{ field, entry }]
    }),
  stages,
  stageMap: stages,
  stage_map: stages,
  ignoredPaths,
  ignored_paths: ignoredPaths,
}

function toolClasses(name: string, content: unknown): readonly Entry[] {
  return pairs(name, content).map(([tool, cls]) => {
    const field = `${name}.${tool}`
    if (cls !== 'read' && cls !== 'check' && cls !== 'write')
      throw new Wrong(field, 'must be read, check or write')
    return { field, entry: { kind: 'tool-class', tool, class: cls } }
  })
}

function stages(name: string, content: unknown): readonly Entry[] {
  if (!Array.isArray(content)) {
    return pairs(name, content).map(([tool, stage]) => ({
      field: `${name}.${tool}`,
      entry: { kind: 'stage', tool, stage },
    }))
  }
  return content.map((entry: unknown, i) => ({
    field: `${name}[${i}]`,
    entry: isObject(entry) ? { kind: 'stage', ...entry } : entry,
  }))
}

function ignoredPaths(name: string, content: unknown): readonly Entry[] {
  return items(name, content).map((entry, i) => ({
    field: `${name}[${i}]`,
    entry:
      typeof entry === 'string'
        ? { kind: 'ignored-path', path: entry }
        : isObject(entry)
          ? { kind: 'ignored-path', ...entry }
          : entry,
  }))
}

function items(name: string, content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) throw new Wrong(name, 'must be a list')
  return content
}

function pairs(name: string, content: unknown): readonly [string, unknown][] {
  if (!isObject(content)) throw new Wrong(name, 'must be an object')
  return Object.entries(content)
}
