// A rule as one sentence, for lists, reports and notes. Written from the rule alone: no trace text can stand here.

import type { RuleDraft } from './rules.ts'
import type { Condition } from './ruleparts.ts'

const TESTS: Readonly<Record<Condition['test'], string>> = {
  equals: 'is',
  'not-equals': 'is not',
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
  contains: 'contains',
  glob: 'looks like',
  in: 'is one of',
  exists: 'is there',
  missing: 'is missing',
}

/** What a rule says, in one sentence without a full stop. */
export function ruleWords(rule: RuleDraft): string {
  switch (rule.kind) {
    case 'outcome': {
      const what = rule.scorer !== null ? `scorer ${rule.scorer}` : (rule.field ?? '')
      const value = rule.test === 'exists' ? '' : ` ${shown(rule.value)}`
      return `a trial passes when ${what} ${TESTS[rule.test]}${value}${policyOf(rule)}`
    }
    case 'must-not': {
      const many = rule.moreThan > 0 ? ` more than ${rule.moreThan} times` : ''
      const beyond =
        rule.amount === null ? '' : ` with ${rule.amount.path} above ${allowedWords(rule.amount.allowed)}`
      return `${rule.tool} must not be called${many}${whereWords(rule.where)}${beyond}`
    }
    case 'must-happen-before':
      return `${rule.check}${whereWords(rule.checkWhere)} must succeed before ${rule.write}${whereWords(rule.writeWhere)}${matchWords(rule.match)}`
    case 'duplicate':
      return `${rule.tool} must not be called twice with the same ${rule.keys === null ? 'arguments' : rule.keys.map(bare).join(', ')}`
    case 'tool-class':
      return `${rule.tool} is a ${rule.class}`
    case 'equivalence': {
      const names = Object.entries(rule.args).map(([from, to]) => `${from} is ${to}`)
      return `${rule.alias} is the same tool as ${rule.tool}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
    }
    case 'apart':
      return `${rule.tool} is not merged with another tool by itself`
    case 'stage':
      return `${rule.tool} belongs to the stage ${rule.stage}`
    case 'ignored-path':
      return `${rule.path} of ${rule.tool} is not compared${rule.where === null ? '' : ` in ${rule.where === 'result' ? 'results' : 'arguments'}`}`
    case 'compared-path':
      return `${rule.path} of ${rule.tool} is compared although it varies`
  }
}

function policyOf(rule: Extract<RuleDraft, { kind: 'outcome' }>): string {
  const parts: string[] = []
  if (rule.error === 'judge') parts.push('errors are judged, too')
  else if (rule.error === 'fail') parts.push('an error is a failure')
  else if (rule.error === 'unknown') parts.push('an error is unknown')
  if (rule.unknown !== 'keep')
    parts.push(
      `without the value it is ${rule.unknown === 'fail' ? 'a failure' : `of outcome ${rule.unknown}`}`,
    )
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`
}

function whereWords(where: readonly Condition[]): string {
  if (where.length === 0) return ''
  const words = where.map((one) =>
    'value' in one ? `${one.path} ${TESTS[one.test]} ${shown(one.value)}` : `${one.path} ${TESTS[one.test]}`,
  )
  return ` where ${words.join(' and ')}`
}

function matchWords(match: readonly { readonly check: string; readonly write: string }[]): string {
  if (match.length === 0) return ''
  const words = match.map(({ check, write }) =>
    check === write ? `the same ${bare(write)}` : `${bare(write)} as its ${bare(check)}`,
  )
  return ` with ${words.join(' and ')}`
}

function allowedWords(allowed: number | { readonly path: string; readonly tool: string | null }): string {
  if (typeof allowed === 'number') return String(allowed)
  return allowed.tool === null ? allowed.path : `${allowed.path} of the last ${allowed.tool}`
}

/** A path without `arguments.`, as people say it. */
function bare(path: string): string {
  return path.startsWith('arguments.') ? path.slice('arguments.'.length) : path
}

function shown(value: unknown): string {
  if (Array.isArray(value)) {
    const some = value.slice(0, 5).map(shown).join(', ')
    return value.length > 5 ? `${some}, … (${value.length})` : some
  }
  return typeof value === 'string' ? `“${value}”` : String(value)
}
