// `faultline rules`: what a person declares about a suite: list, add, try, remove, undo, what was learned, files.
// A rule is one JSON object; the core checks it and names the field that is wrong.

import type { Command } from 'commander'
import { resolve } from 'node:path'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { RuleChanged } from '../../contract/rulerows.ts'
import { draftOf } from '../../model/rules.ts'
import { safe } from '../layout.ts'
import type { Run, Work } from '../run.ts'
import { historyText, learnedText, rulesCsv, rulesText, testText } from '../ruletext.ts'
import { applied, draftFrom, readText, ruleNamed, told, writeText, type RuleOptions } from '../rulework.ts'
import { withSession, type Session } from '../session.ts'
import { EXIT, UsageError } from '../usage.ts'

const KINDS = `
A rule is one JSON object. "suite": "name" makes it a suite's own; without it, it is for every suite.

What a pass is (the imported outcome is kept beside it):
  {"kind":"outcome","scorer":"reward","test":">=","value":1,"error":"fail","unknown":"keep"}
What is harmful (events at steps; severity minor, major or severe; cost in dollars):
  {"kind":"must-not","event":"overpaid","tool":"send_certificate","severity":"severe",
   "amount":{"path":"arguments.amount","allowed":{"tool":"compute_refund","path":"result.amount"}},"cost":"paid - allowed"}
  {"kind":"must-not","event":"basic_cancelled","tool":"cancel_*","where":[{"path":"arguments.cabin","test":"equals","value":"basic"}]}
  {"kind":"must-happen-before","event":"unknown_user","check":"get_user_details","write":"book_reservation",
   "match":[{"check":"arguments.user_id","write":"arguments.user_id"}]}
  {"kind":"duplicate","event":"booked_twice","tool":"book_*"}
How trials are compared (see: faultline rules learned):
  {"kind":"tool-class","tool":"think","class":"read"}        read, check or write
  {"kind":"stage","tool":"get_*","stage":"gather"}
  {"kind":"equivalence","alias":"fetch_order","tool":"get_order","args":{"id":"order_id"}}
  {"kind":"apart","tool":"fetch_order"}                       not merged by itself
  {"kind":"ignored-path","tool":"*","path":"seen_at","where":"result"}
  {"kind":"compared-path","tool":"get_order","path":"version"}

* in a tool or path stands for any text. docs/rules.md says everything.`

/** Adds the commands. */
export function addRules(program: Command, run: Run): void {
  const rules = program
    .command('rules')
    .summary('say what a pass is, what is harmful, what tools do')
    .description(
      'Rules of this workspace: what counts as a pass, what is harmful, and how tools are to be compared. Data, never code; every change is kept and can be undone.',
    )
    .addHelpText('after', KINDS)
  const inSession =
    (work: (session: Session, work: Work) => Promise<number>) =>
    (own: Work): Promise<number> =>
      withSession({ ...own.globals, config: [] }, { ...own, create: false }, (session) => work(session, own))

  rules
    .command('list', { isDefault: true })
    .summary('the rules with what they do at present')
    .description('Lists the rules with what they do at present.')
    .action(() =>
      run(
        inSession(async (session, { globals, terminal }) => {
          await applied(session, terminal)
          const list = await session.ask('rules.list', {})
          if (globals.json === true) terminal.out(printableJson(list))
          else if (globals.csv === true) terminal.out(rulesCsv(list.rows))
          else terminal.out(rulesText(list, terminal.columns))
          return EXIT.fine
        }),
      ),
    )

  rules
    .command('add')
    .summary('save a rule, and judge all trials by it')
    .description(
      'Saves a rule and judges all trials by it. Prints its id, its revision and its effect. With --replace it takes the place of a rule.',
    )
    .argument('[rule]', 'the rule as JSON; - reads it from standard input')
    .option('--file <file>', 'read the rule from this file')
    .option('--replace <id>', 'in place of this rule')
    .addHelpText(
      'after',
      `${KINDS}\n\nExample:\n  faultline rules add '{"kind":"duplicate","event":"booked_twice","tool":"book_*"}'`,
    )
    .action((text: string | undefined, options: RuleOptions) =>
      run(
        inSession(async (session, work) => {
          const draft = draftFrom(text, options)
          const old = options.replace === undefined ? null : await ruleNamed(session, options.replace)
          const saved = await session.ask('rules.save', {
            draft,
            ruleId: old?.id ?? null,
            revision: old?.revision ?? 0,
          })
          return await told(session, work, [saved], 'Saved')
        }),
      ),
    )

  rules
    .command('test')
    .summary('what a rule would do, without saving it')
    .description(
      'Shows what a rule would change, without saving it: passes, severe trials and events, tasks compared again, and examples.',
    )
    .argument('[rule]', 'the rule as JSON; - reads it from standard input')
    .option('--file <file>', 'read the rule from this file')
    .option('--replace <id>', 'in place of this rule')
    .option('--without <id>', 'what removing this rule would do')
    .addHelpText(
      'after',
      `\nExamples:\n  faultline rules test '{"kind":"duplicate","event":"booked_twice","tool":"book_*"}'\n  faultline rules test --without r1a2b3c`,
    )
    .action((text: string | undefined, options: RuleOptions) =>
      run(
        inSession(async (session, { globals, terminal }) => {
          if (options.without !== undefined && (text !== undefined || options.file !== undefined))
            throw new UsageError('--without takes no rule.')
          const named = options.without ?? options.replace
          const old = named === undefined ? null : await ruleNamed(session, named)
          const draft = options.without === undefined ? draftFrom(text, options) : null
          const result = await session.ask(
            'rules.test',
            { draft, ruleId: old?.id ?? null },
            ({ done, total }) => terminal.progress(`Trying the rule: ${done} of ${plural(total, 'trial')}`),
          )
          terminal.progress(null)
          if (globals.json === true) terminal.out(printableJson(result))
          else terminal.out(testText(result, terminal.columns ?? 120))
          return EXIT.fine
        }),
      ),
    )

  const change = (
    name: string,
    summary: string,
    done: string,
    work: (session: Session, id: string) => Promise<readonly RuleChanged[]>,
  ): Command =>
    rules
      .command(name)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .argument('<id>', 'the rule’s id, or its beginning')
      .action((id: string) =>
        run(inSession(async (session, own) => await told(session, own, await work(session, id), done))),
      )

  change('remove', 'remove a rule; undo brings it back', 'Removed', async (session, id) => {
    const { id: ruleId, revision } = await ruleNamed(session, id)
    return [await session.ask('rules.remove', { ruleId, revision })]
  })
  for (const name of ['on', 'off'] as const) {
    change(name, `switch a rule ${name}`, `Switched ${name}`, async (session, id) => {
      const rule = await ruleNamed(session, id)
      const draft = { ...draftOf(rule), enabled: name === 'on' }
      return [await session.ask('rules.save', { draft, ruleId: rule.id, revision: rule.revision })]
    })
  }
  change('undo', 'take back the last change of a rule, its removal too', 'Undone', async (session, id) => {
    const ruleId = (await ruleNamed(session, id, true)).id
    const [now] = await session.ask('rules.history', { ruleId })
    return await session.ask('rules.undo', { changes: [{ ruleId, revision: now?.revision ?? 0 }] })
  })

  rules
    .command('history')
    .summary('every state that a rule had')
    .description('Lists every state that a rule had, newest first.')
    .argument('<id>', 'the rule’s id (of a removed rule: the whole id)')
    .action((id: string) =>
      run(
        inSession(async (session, { globals, terminal }) => {
          const states = await session.ask('rules.history', {
            ruleId: (await ruleNamed(session, id, true)).id,
          })
          terminal.out(globals.json === true ? printableJson(states) : historyText(states, terminal.columns))
          return EXIT.fine
        }),
      ),
    )

  rules
    .command('learned')
    .summary('what is believed of the tools of a suite, and why')
    .description(
      'Shows the tools of a suite with class, stage and reason, the names taken for one tool, and the paths that are not compared, with evidence. Correct them with tool-class, stage, equivalence, apart, ignored-path and compared-path rules.',
    )
    .argument('[suite]', 'the suite; may be left out when there is one')
    .action((suite: string | undefined) =>
      run(
        inSession(async (session, { globals, terminal }) => {
          const { suites } = await session.ask('rules.list', {})
          const only = suite ?? (suites.length === 1 ? suites[0] : undefined)
          if (only === undefined)
            throw new UsageError(
              `Name a suite: ${suites.map((one) => safe(one)).join(', ') || 'there is none'}.`,
            )
          const learned = await session.ask('rules.learned', { suite: only }, ({ done, total }) =>
            terminal.progress(`Reading ${done} of ${plural(total, 'task')}`),
          )
          terminal.progress(null)
          terminal.out(
            globals.json === true
              ? printableJson(learned)
              : learnedText(learned, terminal.style, terminal.columns),
          )
          return EXIT.fine
        }),
      ),
    )

  rules
    .command('export')
    .summary('write rules as a file')
    .description(
      'Writes the rules (all, or those named) as a rules file: JSON, the same rules the same bytes.',
    )
    .argument('[id...]', 'only these rules')
    .option('--out <file>', 'write to this file instead of standard output')
    .action((ids: readonly string[], options: { readonly out?: string }) =>
      run(
        inSession(async (session, { terminal }) => {
          const ruleIds: string[] = []
          for (const id of ids) ruleIds.push((await ruleNamed(session, id)).id)
          const file = await session.ask('rules.export', { ruleIds: ids.length === 0 ? null : ruleIds })
          if (options.out === undefined) terminal.out(file.text)
          else {
            await writeText(resolve(options.out), file.text, session.path)
            terminal.note(`Saved ${resolve(options.out)}: ${plural(file.rules, 'rule')}.`)
          }
          return EXIT.fine
        }),
      ),
    )

  rules
    .command('import')
    .summary('take the rules of a file')
    .description(
      'Takes the rules of a rules file: all or none. Rules with a known id are replaced, those that are here already are passed over.',
    )
    .argument('<file>', 'a rules file; - reads standard input')
    .action((file: string) =>
      run(
        inSession(async (session, work) => {
          const { changes, same } = await session.ask('rules.import', { text: readText(file) })
          if (same > 0) work.terminal.note(`${plural(same, 'rule')} already here.`)
          return await told(session, work, changes, 'Taken')
        }),
      ),
    )
}
