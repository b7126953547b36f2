// `faultline search`: in which trials and steps a text stands, passing or failing.

import type { Command } from 'commander'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { Input } from '../../contract/contract.ts'
import { foundTogether, foundWords, type SearchAnswer } from '../../contract/searchrows.ts'
import { safe } from '../layout.ts'
import type { Run } from '../run.ts'
import { searchCsv, searchText } from '../searchtext.ts'
import { taskNamed, withSession, type Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { countOption, EXIT, UsageError } from '../usage.ts'

type SearchOptions = {
  readonly suite?: string
  readonly task?: string
  readonly limit: number
  readonly steps: number
}

/** Rows of one question, and how long it may take, in milliseconds. */
const ROWS_AT_ONCE = 500
const TURN_MS = 1000
const COUNT_MS = 30_000

/** Adds the command. */
export function addSearch(program: Command, run: Run): void {
  program
    .command('search')
    .summary('find a text in the steps of all trials')
    .description(
      'Finds a text in messages, tool calls with their arguments, results and errors of the trials in scope, passing and failing. The text is one phrase, as written: case and the width of blanks do not matter, nothing in it is an operator.',
    )
    .argument('<text>', 'what to look for; in quotes when it has blanks')
    .option('--suite <name>', 'only tasks of this suite')
    .option('--task <task>', 'only this task: its id, suite/task, or the bare task id')
    .option('--limit <trials>', 'at most so many trials', countOption, 50)
    .option('--steps <count>', 'at most so many steps of each trial', countOption, 3)
    .addHelpText(
      'after',
      `
Examples:
  faultline search cancel_pending_order
  faultline search "KeyError: 'order_id'" --task retail/12
  faultline search 'not authorized' --suite airline --limit 10
  faultline search timeout --json | jq '.rows[].trial.outcome'
  faultline --config v1.5 search --csv refund > places.csv`,
    )
    .action((text: string, options: SearchOptions) =>
      run(async ({ globals, terminal, signal }) => {
        if (!/[^ \t\n\r\f\v]/.test(text)) throw new UsageError('The text to search for is blank.')
        return await withSession(globals, { terminal, create: false, signal }, async (session) => {
          const task = options.task === undefined ? null : await taskNamed(session, options.task)
          const answer = await searched(
            session,
            {
              text,
              taskId: task?.taskId ?? null,
              suite: options.suite ?? null,
              stepsPerTrial: Math.min(200, options.steps),
            },
            options.limit,
            terminal,
          )
          if (globals.json === true) terminal.out(printableJson({ text, ...answer }))
          else if (globals.csv === true) terminal.out(searchCsv(answer.rows))
          else print(text, answer, terminal)
          if (answer.unreadable > 0)
            terminal.warn(
              `${plural(answer.unreadable, 'trial')} could not be read: the stored steps are damaged.`,
            )
          return EXIT.fine
        })
      }),
    )
}

function print(text: string, answer: Found, terminal: Terminal): void {
  const { rows, found, total } = answer
  if (rows.length === 0) {
    terminal.out(`Nothing found for ${safe(text, 80)} in ${plural(total, 'trial')}.`)
    terminal.note('The text is searched as one phrase: try a shorter piece of it.')
    return
  }
  terminal.out(searchText(rows, terminal.style, terminal.columns ?? 160))
  terminal.out(`\n${foundWords(found, answer.isWhole)}.`)
  const hidden = found.trials - rows.filter(({ trial }) => trial !== null).length
  if (hidden > 0) terminal.note(`${plural(hidden, 'more trial')} not shown (--limit).`)
}

type Found = Omit<SearchAnswer, 'next'>

/** Asks until the rows are there or everything was searched; then counts the rest, if that can be done in time. */
async function searched(
  session: Session,
  input: Omit<Input<'search.steps'>, 'view'>,
  limit: number,
  terminal: Terminal,
): Promise<Found> {
  const answers: SearchAnswer[] = []
  for (let rows = 0, cursor: string | null = null; ;) {
    const ask = { ...input, view: session.view, cursor, limit: Math.min(ROWS_AT_ONCE, limit - rows) }
    let answer: SearchAnswer = await session.ask('search.steps', { ...ask, waitMs: TURN_MS })
    terminal.progress(`Searching: ${answer.searched} of ${plural(answer.total, 'trial')}`)
    rows += answer.rows.length
    if (rows >= limit && !answer.isWhole)
      answer = await session.ask('search.steps', { ...ask, waitMs: COUNT_MS })
    answers.push(answer)
    cursor = answer.next
    if (rows < limit && cursor !== null) continue
    terminal.progress(null)
    const { isWhole, searched, total } = answer
    return {
      rows: answers.flatMap((one) => one.rows),
      found: foundTogether(answers),
      isWhole,
      searched,
      total,
      unreadable: answers.reduce((sum, one) => sum + one.unreadable, 0),
    }
  }
}
