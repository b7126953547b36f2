// What the `rules` commands share: the rule that was typed or named, waiting for the judging, telling what changed.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { printableJson } from '../base/json.ts'
import { Fault } from '../base/fault.ts'
import { plural } from '../base/text.ts'
import type { Input } from '../contract/contract.ts'
import type { RuleChanged, RuleRow } from '../contract/rulerows.ts'
import { checkTarget } from '../core/store/targets.ts'
import { writeWhole } from '../core/store/wholefile.ts'
import type { Rule } from '../model/rules.ts'
import { ruleWords } from '../model/rulewords.ts'
import { safe } from './layout.ts'
import type { Work } from './run.ts'
import { effectText } from './ruletext.ts'
import type { Session } from './session.ts'
import type { Terminal } from './terminal.ts'
import { EXIT, UsageError } from './usage.ts'

type Draft = Input<'rules.save'>['draft']
/** How a rule is given. */
export type RuleOptions = { readonly file?: string; readonly replace?: string; readonly without?: string }

/** Judges what waits and prints what became of the changed rules. */
export async function told(
  session: Session,
  { globals, terminal }: Work,
  changes: readonly RuleChanged[],
  done: string,
): Promise<number> {
  await applied(session, terminal)
  const { rows } = await session.ask('rules.list', {})
  const effects = new Map(rows.map((row) => [row.rule.id, row]))
  if (globals.json === true) {
    const shown = changes.map((change) => ({ ...change, effect: effects.get(change.ruleId)?.effect ?? null }))
    terminal.out(printableJson(shown))
    return EXIT.fine
  }
  if (changes.length === 0) terminal.out('Nothing changed.')
  for (const { ruleId, revision, rule } of changes) {
    const words = rule === null ? 'removed' : safe(ruleWords(rule), 400)
    terminal.out(`${done}: ${ruleId}, revision ${revision}: ${words}`)
    const row: RuleRow | undefined = effects.get(ruleId)
    if (row !== undefined) terminal.out(`  ${effectText(row)}`)
  }
  return EXIT.fine
}

/** Waits until every trial is judged. */
export async function applied(session: Session, terminal: Terminal): Promise<void> {
  const { failed } = await session.ask('rules.apply', {}, ({ done, total }) =>
    terminal.progress(`Judging ${done} of ${plural(total, 'trial')}`),
  )
  terminal.progress(null)
  if (failed > 0)
    terminal.warn(
      `${plural(failed, 'trial')} could not be judged (damaged record); they keep what was imported.`,
    )
}

/** The rule with this id or beginning of an id. `isGone`: a whole id may be that of a removed rule. */
export async function ruleNamed(
  session: Session,
  name: string,
  isGone = false,
): Promise<Pick<Rule, 'id'> & Rule> {
  const { rows } = await session.ask('rules.list', {})
  const rules = rows.map((row) => row.rule)
  const exact = rules.filter((rule) => rule.id === name)
  const found = exact.length > 0 || name.length < 3 ? exact : rules.filter((rule) => rule.id.startsWith(name))
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (found.length > 1)
    throw new UsageError(
      `Several rules begin with ${safe(name)}: ${found.map((rule) => rule.id).join(', ')}.`,
    )
  if (isGone) return { id: name } as Rule
  throw new Fault('NOT_FOUND', `No rule answers to ${safe(name)}.`, {
    where: session.path,
    hint: 'faultline rules list shows them with their ids.',
  })
}

/** The rule that was typed, or stands in a file. The core checks it; here it must be JSON. */
export function draftFrom(text: string | undefined, options: RuleOptions): Draft {
  if ((text === undefined) === (options.file === undefined))
    throw new UsageError('Give a rule as JSON, or --file (faultline rules --help shows examples).')
  const json = text === undefined || text === '-' ? readText(options.file ?? '-') : text
  try {
    return JSON.parse(json) as Draft
  } catch (error) {
    throw new UsageError(`The rule is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The text of a file; `-` is standard input. Throws FILE_UNREADABLE. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(file), 'utf8')
  } catch (error) {
    throw new Fault('FILE_UNREADABLE', 'The file cannot be read.', { where: file, cause: error })
  }
}

/** Writes a rules file; never over the open workspace. Throws the faults of checkTarget and writeWhole. */
export async function writeText(path: string, text: string, workspace: string): Promise<void> {
  checkTarget(path, workspace)
  await writeWhole(path, Buffer.from(text, 'utf8'), 'rules file')
}
