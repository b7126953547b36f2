// `faultline plan`: how many trials show that a failure rate is below a limit, with failures allowed. Needs no workspace.

import { InvalidArgumentError, type Command } from 'commander'
import { printableJson } from '../../base/json.ts'
import type { PlanView } from '../../contract/comparerows.ts'
import { csvText } from '../../core/reports/csvtext.ts'
import { probability } from '../../core/reports/figures.ts'
import { textTable, wrapped } from '../layout.ts'
import type { Run } from '../run.ts'
import { withScratch } from '../session.ts'
import type { Style } from '../terminal.ts'
import { EXIT } from '../usage.ts'

type PlanOptions = {
  readonly rate: number
  readonly failures: number
  readonly confidence: number
  readonly good?: number
}

/** A number strictly between 0 and 1, also as a percentage. */
export function shareOption(text: string): number {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?(%?)$/.exec(text.trim())
  const value = Number.parseFloat(text) / (match?.[2] === '%' ? 100 : 1)
  if (match === null || !(value > 0 && value < 1))
    throw new InvalidArgumentError('Write a number between 0 and 1, for instance 0.05 or 5%.')
  return value
}

function failuresOption(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > 1000)
    throw new InvalidArgumentError('Write a whole number from 0 to 1000.')
  return Number(text)
}

/** Adds the command. */
export function addPlan(program: Command, run: Run): void {
  program
    .command('plan')
    .summary('how many trials show that failures are rare')
    .description(
      'Says how many trials, with at most so many failures among them, show that the failure rate is below a limit.',
    )
    .requiredOption('--rate <share>', 'the failure rate to be excluded, for instance 0.05 or 5%', shareOption)
    .option('--failures <number>', 'failures that are allowed', failuresOption, 0)
    .option('--confidence <share>', 'how sure it is to be (one-sided)', shareOption, 0.95)
    .option(
      '--good <share>',
      'failure rate of a system that you would call good (default: a fifth of --rate)',
      shareOption,
    )
    .addHelpText(
      'after',
      `
Examples:
  faultline plan --rate 0.05                 59 trials without a failure
  faultline plan --rate 0.05 --failures 2    124 trials with at most 2
  faultline plan --rate 1% --failures 3 --good 0.2% --confidence 0.99
  faultline plan --rate 0.05 --failures 2 --json | jq '.rows[-1].trials'

Two conventions give two numbers of clean trials, and both are named:
  one-sided exact     the smallest n with (1 − rate)^n at most 1 − confidence
  two-sided Wilson    the smallest n whose Wilson interval at 0 of n ends at or below the rate
The rows of the table use the first. 3/rate is easy to remember, and no result.

A plan that a good system often fails is a bad plan: allow more failures, and run more trials.
Trials of one task are not independent of each other: spread them over tasks.`,
    )
    .action((options: PlanOptions) =>
      run(async ({ globals, terminal, signal }) => {
        const view = await withScratch(globals, { terminal, signal }, (session) =>
          session.ask('plan.trials', {
            rate: options.rate,
            failures: options.failures,
            confidence: options.confidence,
            good: options.good ?? null,
          }),
        )
        if (globals.json === true) terminal.out(printableJson(view))
        else if (globals.csv === true) terminal.out(planCsv(view))
        else terminal.out(planText(view, terminal.style, terminal.columns ?? 100))
        return EXIT.fine
      }),
    )
}

function percent(value: number): string {
  return `${Number((100 * value).toPrecision(6))} %`
}

function planText(view: PlanView, style: Style, width: number): string {
  const last = view.rows.at(-1)
  const head =
    last === undefined
      ? ''
      : `${last.trials} trials with at most ${last.failures} failures show a failure rate below ${percent(view.rate)}, ${percent(view.confidence)} sure (${view.convention})`
  const rows = view.rows.map((row) => [
    String(row.failures),
    String(row.trials),
    probability(row.goodPasses),
    ...row.chances.map(({ chance }) => probability(chance)),
  ])
  const rates = view.rows[0]?.chances.map(({ trueRate }) => percent(trueRate)) ?? []
  const table = textTable(
    [
      { title: 'failures allowed', align: 'right' },
      { title: 'trials', align: 'right' },
      { title: `passes at ${percent(view.good)}`, align: 'right' },
      ...rates.map((rate) => ({ title: `at ${rate}`, align: 'right' }) as const),
    ],
    rows,
  )
  const { clean } = view
  return [
    style.bold(head),
    '',
    table,
    '',
    wrapped(
      `“passes at”: chance that a system with this true failure rate passes the plan. ${percent(view.good)} is the rate called good; at ${percent(view.rate)} it is the risk that was asked for.`,
      width,
    ),
    '',
    `Trials without any failure, by convention:`,
    `  one-sided exact binomial   ${clean.oneSidedExact}`,
    `  two-sided Wilson interval  ${clean.twoSidedWilson}`,
    style.faint(`  3/rate, to remember only   ${clean.ruleOfThree}`),
  ].join('\n')
}

function planCsv(view: PlanView): string {
  const rates = view.rows[0]?.chances.map(({ trueRate }) => `passes_at_${trueRate}`) ?? []
  return csvText(
    ['rate', 'confidence', 'convention', 'failures', 'trials', 'good_rate', 'good_passes', ...rates],
    view.rows.map((row) => [
      view.rate,
      view.confidence,
      view.convention,
      row.failures,
      row.trials,
      view.good,
      row.goodPasses,
      ...row.chances.map(({ chance }) => chance),
    ]),
  )
}
