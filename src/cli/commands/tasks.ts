// `faultline tasks`: the task table with its summary.

import { Option, type Command } from 'commander'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import { TASK_SORTS, type Input } from '../../contract/contract.ts'
import { taskAddress } from '../../core/reports/figures.ts'
import { suiteDoubtText } from '../doubttext.ts'
import { safe } from '../layout.ts'
import { analysedTasks, withSession } from '../session.ts'
import type { Run } from '../run.ts'
import { CONDITIONS, holding, taskListCsv, taskListText, type Condition } from '../tasktable.ts'
import { collect, countOption, EXIT, UsageError } from '../usage.ts'

type TasksOptions = {
  readonly sort: (typeof TASK_SORTS)[number]
  readonly desc?: boolean
  readonly filter?: string
  readonly outcome: 'any' | 'always' | 'never' | 'sometimes' | 'not estimable'
  readonly lead: 'any' | 'with' | 'without'
  readonly annotated: 'any' | 'yes' | 'no'
  readonly severe?: boolean
  readonly suite?: string
  readonly limit?: number
  readonly intervals?: boolean
  readonly failOn?: readonly string[]
}

/** Adds the command. */
export function addTasks(program: Command, run: Run): void {
  program
    .command('tasks')
    .summary('list tasks: n, passes, pass^k, severe, where they part')
    .description('Lists the tasks in scope with their figures, and what they say as a whole.')
    .addOption(new Option('--sort <column>', 'order of the rows').choices(TASK_SORTS).default('severe'))
    .option('--desc', 'the other way round')
    .option('--filter <text>', 'only tasks whose suite, id or title holds this text')
    .addOption(
      new Option('--outcome <kind>', 'only tasks that pass so often')
        .choices(['any', 'always', 'never', 'sometimes', 'not estimable'])
        .default('any'),
    )
    .addOption(
      new Option('--lead <which>', 'only tasks with or without a lead')
        .choices(['any', 'with', 'without'])
        .default('any'),
    )
    .addOption(
      new Option('--annotated <which>', 'only tasks with or without annotations')
        .choices(['any', 'yes', 'no'])
        .default('any'),
    )
    .option('--severe', 'only tasks with a severe event')
    .option('--suite <name>', 'only tasks of this suite')
    .option('--limit <rows>', 'at most so many rows', countOption)
    .option('--intervals', 'how sure: intervals of the mean pass^k, order of retries, severe bounds')
    .option(
      '--fail-on <condition>',
      `exit with 3 when it holds for a listed task: ${CONDITIONS.join(', ')} (repeatable)`,
      collect,
    )
    .addHelpText(
      'after',
      `
Examples:
  faultline tasks
  faultline tasks --outcome sometimes --sort lowest
  faultline tasks --policy error=exclude --json | jq '.summary.curve'
  faultline tasks --csv > tasks.csv
  faultline tasks --intervals               how sure the means are, over all tasks in scope
  faultline tasks --fail-on severe          exits with 3 when a task has a severe event

A figure that cannot be had is "not estimable (needs n ≥ k)", never 0 or 1.`,
    )
    .action((options: TasksOptions) =>
      run(async ({ globals, terminal, signal }) => {
        const conditions = (options.failOn ?? []).flatMap((text) => text.split(',')).map(condition)
        const query: Omit<Input<'tasks.list'>, 'view'> = {
          sort: options.sort,
          descending: options.desc === true,
          filter: {
            text: options.filter ?? '',
            outcome: options.outcome,
            lead: options.lead,
            annotated: options.annotated,
            severe: options.severe === true,
            suite: options.suite ?? null,
          },
        }
        return await withSession(globals, { terminal, create: false, signal }, async (session) => {
          const all = await analysedTasks(session, query, terminal)
          const list = { ...all, rows: all.rows.slice(0, options.limit ?? all.rows.length) }
          const suite =
            options.intervals === true
              ? (await session.ask('tasks.statistics', { taskId: null, view: session.view })).suite
              : null
          if (globals.json === true)
            terminal.out(printableJson(suite === null ? list : { ...list, statistics: suite }))
          else if (globals.csv === true) terminal.out(taskListCsv(list))
          else {
            terminal.out(taskListText(list, terminal.style, terminal.columns))
            if (suite !== null)
              terminal.out(`\n${suiteDoubtText(suite, terminal.style, terminal.columns ?? 120)}`)
            const hidden = all.rows.length - list.rows.length
            if (hidden > 0) terminal.note(`${plural(hidden, 'more task')} not shown (--limit).`)
          }
          let code: number = EXIT.fine
          for (const name of conditions) {
            // The whole filtered list counts, also what --limit hides.
            const found = holding(name, all.rows)
            if (found.length === 0) continue
            code = EXIT.condition
            const names = found.slice(0, 5).map((row) => safe(taskAddress(row)))
            terminal.warn(
              `--fail-on ${name}: ${plural(found.length, 'task')}: ${names.join(', ')}${found.length > 5 ? ', …' : ''}`,
            )
          }
          return code
        })
      }),
    )
}

function condition(text: string): Condition {
  const found = CONDITIONS.find((name) => name === text.trim())
  if (found === undefined)
    throw new UsageError(`--fail-on knows ${CONDITIONS.join(' and ')}, not ${safe(text)}.`)
  return found
}
