// Reads a rules file for the benchmark's command line: tool classes, equivalences, stage map, ignored paths, as a person
// would correct them. Unknown or wrong entries are refused with the field's name, never skipped.

import { isObject } from '../../../src/base/json.ts'
import type {
  AnalysisOptions,
  Equivalence,
  IgnoredPath,
  StageRule,
  ToolClass,
} from '../../../src/analysis/divergence/options.ts'

const FIELDS: Readonly<Record<string, 'toolClasses' | 'equivalences' | 'stages' | 'ignoredPaths'>> = {
  toolClasses: 'toolClasses',
  tool_classes: 'toolClasses',
  equivalences: 'equivalences',
  stages: 'stages',
  stageMap: 'stages',
  stage_map: 'stages',
  ignoredPaths: 'ignoredPaths',
  ignored_paths: 'ignoredPaths',
}

/** The options that a rules file asks for; throws an Error that names the field. */
export function readRules(text: string): AnalysisOptions {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('rules: must be an object')
  const options: {
    toolClasses?: Record<string, ToolClass>
    equivalences?: Record<string, Equivalence>
    stages?: StageRule[]
    ignoredPaths?: IgnoredPath[]
  } = {}
  for (const [name, content] of Object.entries(value)) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (field === undefined) {
      // A header of the file itself, not a rule.
      if (['format', 'version', 'suite', 'title', 'note'].includes(name)) continue
      throw new Error(
        `rules.${name}: unknown field; known are toolClasses, equivalences, stages, ignoredPaths`,
      )
    }
    if (field === 'toolClasses') options.toolClasses = toolClasses(name, content)
    else if (field === 'equivalences') options.equivalences = equivalences(name, content)
    else if (field === 'stages') options.stages = stages(name, content)
    else options.ignoredPaths = ignoredPaths(name, content)
  }
  return options
}

function text(path: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error(`rules.${path}: must be a text`)
  return value
}

function entries(path: string, value: unknown): [string, unknown][] {
  if (!isObject(value)) throw new Error(`rules.${path}: must be an object`)
  return Object.entries(value)
}

function list(path: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`rules.${path}: must be a list`)
  return value
}

function toolClasses(path: string, value: unknown): Record<string, ToolClass> {
  return Object.fromEntries(
    entries(path, value).map(([tool, cls]) => {
      if (cls === 'read' || cls === 'check' || cls === 'write') return [tool, cls]
      throw new Error(`rules.${path}.${tool}: must be read, check or write`)
    }),
  )
}

function equivalences(path: string, value: unknown): Record<string, Equivalence> {
  return Object.fromEntries(
    entries(path, value).map(([alias, rule]) => {
      const at = `${path}.${alias}`
      if (typeof rule === 'string') return [alias, { tool: text(at, rule) }]
      const fields = Object.fromEntries(entries(at, rule))
      const args = fields.args ?? fields.arguments
      return [
        alias,
        {
          tool: text(`${at}.tool`, fields.tool),
          ...(args === undefined
            ? {}
            : {
                args: Object.fromEntries(
                  entries(`${at}.args`, args).map(([name, to]) => [name, text(`${at}.args.${name}`, to)]),
                ),
              }),
        },
      ]
    }),
  )
}

/** A list of `{tool, stage}` or an object `{tool: stage}`; tools may be globs. */
function stages(path: string, value: unknown): StageRule[] {
  if (!Array.isArray(value)) {
    return entries(path, value).map(([tool, stage]) => ({ tool, stage: text(`${path}.${tool}`, stage) }))
  }
  return value.map((rule: unknown, i) => {
    const fields = Object.fromEntries(entries(`${path}[${i}]`, rule))
    return {
      tool: text(`${path}[${i}].tool`, fields.tool),
      stage: text(`${path}[${i}].stage`, fields.stage),
    }
  })
}

function ignoredPaths(path: string, value: unknown): IgnoredPath[] {
  return list(path, value).map((rule, i) => {
    if (typeof rule === 'string') return { tool: '*', path: rule }
    const fields = Object.fromEntries(entries(`${path}[${i}]`, rule))
    const where = fields.where
    if (where !== undefined && where !== 'arguments' && where !== 'result') {
      throw new Error(`rules.${path}[${i}].where: must be arguments or result`)
    }
    return {
      tool: text(`${path}[${i}].tool`, fields.tool ?? '*'),
      path: text(`${path}[${i}].path`, fields.path),
      ...(where === undefined ? {} : { where }),
    }
  })
}
