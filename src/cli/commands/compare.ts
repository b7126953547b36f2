// `faultline compare`: two versions of a system in one workspace, paired by task.

import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { CompareView } from '../../contract/comparerows.ts'
import type { Input } from '../../contract/contract.ts'
import type { ImportRow } from '../../contract/rows.ts'
import type { ConfigurationRow } from '../../contract/workspacerows.ts'
import { compareCsv, compareText, namesOf } from '../comparetext.ts'
import { safe } from '../layout.ts'
import type { Run } from '../run.ts'
import { configurationsLike, withSession, type Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { collect, countOption, EXIT, UsageError } from '../usage.ts'
import { shareOption } from './plan.ts'

type Query = Input<'compare.versions'>
type Rule = NonNullable<Query['rule']>

type CompareOptions = {
  readonly rule: Rule
  readonly correction: 'holm' | 'benjamini-hochberg'
  readonly k?: number
  readonly confidence: number
  readonly failOn?: readonly string[]
}

const CONDITIONS = ['severe', 'more-severe', 'regression'] as const
type Condition = (typeof CONDITIONS)[number]

/** Adds the command. */
export function addCompare(program: Command, run: Run): void {
  program
    .command('compare')
    .summary('two versions, task by task: better, worse, not yet certain')
    .description(
      'Compares version B with version A over the tasks that both ran: rates with intervals, pass^k, severe events, where each parts, and what can be said over all tasks.',
    )
    .argument('<A>', 'before: a configuration (label or id) or an imported file')
    .argument('<B>', 'after: the same')
    .addOption(
      new Option('--rule <rule>', 'when a task passes, for McNemar: majority, all, or pass^K>=T')
        .argParser(ruleOption)
        .default({ kind: 'majority' } satisfies Rule, 'majority'),
    )
    .addOption(
      new Option('--correction <name>', 'for many tests: holm for a gate, benjamini-hochberg to explore')
        .choices(['holm', 'benjamini-hochberg'])
        .default('holm'),
    )
    .option('--k <k>', 'also pass^k at this k', countOption)
    .option('--confidence <share>', 'of the intervals', shareOption, 0.95)
    .option(
      '--fail-on <condition>',
      `exit with 3 when it holds: ${CONDITIONS.join(', ')} (repeatable)`,
      collect,
    )
    .addHelpText(
      'after',
      `
Examples:
  faultline compare v1.4 v1.5
  faultline compare before.json after.json
  faultline compare v1.4 v1.5 --k 4 --rule 'pass^4>=0.5'
  faultline compare v1.4 v1.5 --json | jq '.atK[0].paired.difference.headline'
  faultline compare v1.4 v1.5 --fail-on severe --fail-on regression

A name that is a configuration is taken as one; write file:NAME or config:NAME where both exist.
Trials are paired by task, never one by one: n may differ between A and B, and is shown. A difference whose
interval holds 0 is "not yet certain". McNemar over trials needs seeds that both sides share.

--fail-on severe       a task has a severe event in B
--fail-on more-severe  a larger share of its trials than in A has one, or the task is new and has one
--fail-on regression   a task got worse after the correction, or the mean pass^1 did (sign-flip p below .05)`,
    )
    .action((a: string, b: string, options: CompareOptions) =>
      run(async ({ globals, terminal, signal }) => {
        const conditions = (options.failOn ?? []).flatMap((text) => text.split(',')).map(conditionNamed)
        if ((globals.config ?? []).length > 0)
          throw new UsageError('--config has no meaning here: A and B say what is looked at.')
        return await withSession(globals, { terminal, create: false, signal }, async (session) => {
          const [configurations, imports] = await Promise.all([
            session.ask('configurations.list', {}),
            session.ask('imports.list', {}),
          ])
          const view = await compared(session, terminal, {
            a: sideNamed(a, configurations, imports),
            b: sideNamed(b, configurations, imports),
            rule: options.rule,
            correction: options.correction,
            k: options.k ?? null,
            confidence: options.confidence,
            policy: session.view.policy,
          })
          if (globals.json === true) terminal.out(printableJson(view))
          else if (globals.csv === true) terminal.out(compareCsv(view))
          else terminal.out(compareText(view, terminal.style, terminal.columns))
          return judge(view, conditions, terminal)
        })
      }),
    )
}

/** The comparison when all leads of both sides are there. */
async function compared(session: Session, terminal: Terminal, query: Query): Promise<CompareView> {
  for (;;) {
    const view = await session.ask('compare.versions', query)
    if (view.pending === 0) {
      terminal.progress(null)
      return view
    }
    terminal.progress(`Comparing trials: ${plural(view.pending, 'task')} to go`)
    await pause(100, undefined, { signal: session.signal })
  }
}

function judge(view: CompareView, conditions: readonly Condition[], terminal: Terminal): number {
  const names = namesOf(view)
  let code: number = EXIT.fine
  for (const condition of conditions) {
    const ids = holding(view, condition)
    const isOverall = condition === 'regression' && view.conditions.worseOverall
    if (ids.length === 0 && !isOverall) continue
    code = EXIT.condition
    const said = [
      ...(ids.length > 0 ? [`${plural(ids.length, 'task')}: ${names(ids)}`] : []),
      ...(isOverall ? ['the mean pass^1 over tasks'] : []),
    ]
    terminal.warn(`--fail-on ${condition}: ${said.join('; ')}`)
  }
  // A gate that cannot see anything must not look like one that saw nothing.
  if (conditions.includes('regression') && code === EXIT.fine && !view.regressions.canTell)
    terminal.warn(
      '--fail-on regression: too few trials for any single task to be told worse; see the smallest adjusted p.',
    )
  return code
}

function holding(view: CompareView, condition: Condition): readonly string[] {
  if (condition === 'severe') return view.conditions.severe
  return condition === 'more-severe' ? view.conditions.moreSevere : view.conditions.worse
}

function conditionNamed(text: string): Condition {
  const found = CONDITIONS.find((name) => name === text.trim())
  if (found === undefined)
    throw new UsageError(`--fail-on knows ${CONDITIONS.join(', ')}, not ${safe(text)}.`)
  return found
}

function ruleOption(text: string): Rule {
  const name = text.trim()
  if (name === 'majority' || name === 'all') return { kind: name }
  const match = /^pass\^([1-9]\d{0,4})\s*(?:>=|≥)\s*(0?\.\d+|0|1|1\.0*)$/.exec(name)
  if (match === null) throw new InvalidArgumentError("Write majority, all, or for instance 'pass^4>=0.5'.")
  return { kind: 'pass-hat', k: Number(match[1]), threshold: Number(match[2]) }
}

/** A name as one side: a configuration, else an imported file; the prefixes say which is meant. */
function sideNamed(
  text: string,
  configurations: readonly ConfigurationRow[],
  imports: readonly ImportRow[],
): Query['a'] {
  const [, prefix, rest] = /^(config|file):(.+)$/s.exec(text) ?? []
  const name = rest ?? text
  const found = prefix === 'file' ? [] : configurationsLike(name, configurations)
  if (found.length === 1) return { configurations: found.map((row) => row.configurationId) }
  if (found.length > 1)
    throw new UsageError(
      `Several configurations are named ${safe(name)}. Choose one by its id:\n${listed(found)}`,
    )
  const files = prefix === 'config' ? [] : filesNamed(name, imports)
  if (files.length > 0) return { files }
  throw new UsageError(
    `Neither a configuration nor an imported file is named ${safe(name)}. ${configurations.length === 0 ? 'The workspace is empty.' : `Configurations:\n${listed(configurations)}`}`,
  )
}

function listed(rows: readonly ConfigurationRow[]): string {
  return rows
    .map((row) => `  ${row.configurationId}  ${safe(row.label)}  (${plural(row.trials, 'trial')})`)
    .join('\n')
}

/** Files of runs that are kept, by the name they were imported under, or by their last part when that is unmistakable. */
function filesNamed(name: string, imports: readonly ImportRow[]): string[] {
  const all = imports
    .filter((run) => run.state !== 'undone')
    .flatMap((run) => run.files)
    .filter((file) => file.trialsNew + file.trialsSame > 0)
  const exact = all.filter((file) => file.name === name)
  const loose = all.filter((file) => basename(file.name) === basename(name))
  const found = exact.length > 0 ? exact : loose
  const names = new Set(found.map((file) => file.name))
  if (names.size > 1)
    throw new UsageError(
      `Several files are named ${safe(name)}:\n${[...names].map((one) => `  file:${safe(one)}`).join('\n')}`,
    )
  return found.map((file) => file.fileId)
}
