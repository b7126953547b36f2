// The rules file on the benchmark's command line: the same format and the same reader as `faultline rules import`.
// Only what the comparison heeds is taken; outcome and severity rules change nothing here and are passed over.

import { analysisOptions } from '../../../src/analysis/rules/options.ts'
import type { AnalysisOptions } from '../../../src/analysis/divergence/options.ts'
import { readRulesFile } from '../../../src/model/rulefile.ts'

/** The options that a rules file asks for, by suite; throws an Error that names the field. */
export function readRules(text: string): (suite: string) => AnalysisOptions {
  const read = readRulesFile(text, true)
  if (!read.ok) {
    const { field, message } = read.error
    throw new Error(
      `rules${field === '' ? '' : field.startsWith('rules') ? `: ${field}` : `.${field}`}: ${message}`,
    )
  }
  const drafts = read.value.map(({ draft }) => draft)
  return (suite) => analysisOptions(drafts, suite, null) ?? {}
}
