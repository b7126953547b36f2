// `faultline configurations`: what makes each configuration, and what a person says of it in place of the file.

import type { Command } from 'commander'
import { canonicalJson, printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { ConfigurationRow } from '../../contract/workspacerows.ts'
import { EDITABLE, type ConfigurationEdit } from '../../model/configurationedit.ts'
import { safe } from '../layout.ts'
import type { Run } from '../run.ts'
import { configurationNamed, withSession } from '../session.ts'
import { EXIT, UsageError } from '../usage.ts'

type Field = (typeof EDITABLE)[number]

/** `agentVersion` as an option: `agent-version`. */
const optionOf = (field: Field): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Adds the commands. */
export function addConfigurations(program: Command, run: Run): void {
  const group = program
    .command('configurations')
    .summary('what makes each configuration; say it otherwise')
    .description(
      'Trials of one task are repeats of the same thing where their configuration is equal. What is said here is shown in place of what was imported; trials stay grouped by what was imported.',
    )
  group
    .command('list', { isDefault: true })
    .description('every configuration with all that makes it')
    .action(() =>
      run(async ({ globals, terminal, signal }) =>
        withSession({ ...globals, config: [] }, { terminal, create: false, signal }, async (session) => {
          const rows = await session.ask('configurations.list', {})
          terminal.out(globals.json === true ? printableJson(rows) : rows.map(rowText).join('\n\n'))
          return EXIT.fine
        }),
      ),
    )
  const edit = group
    .command('edit')
    .description('say what a configuration is; an empty text is as imported again')
    .argument('<configuration>', 'its label, id or an unmistakable beginning of the id')
  for (const field of EDITABLE)
    edit.option(`--${optionOf(field)} <text>`, `its ${optionOf(field).replace('-', ' ')}`)
  edit.action((name: string, options: { readonly [Name in Field]?: string }) =>
    run(async ({ globals, terminal, signal }) =>
      withSession({ ...globals, config: [] }, { terminal, create: false, signal }, async (session) => {
        const said = EDITABLE.filter((field) => options[field] !== undefined)
        if (said.length === 0)
          throw new UsageError(
            `Say what is otherwise: ${EDITABLE.map((field) => `--${optionOf(field)}`).join(', ')}.`,
          )
        const row = configurationNamed(name, await session.ask('configurations.list', {}))
        const texts = EDITABLE.flatMap((field): (readonly [Field, string])[] => {
          const now = row.configuration[field]
          const text = options[field]?.trim() ?? (now === null || now === row.imported[field] ? '' : now)
          return text === '' ? [] : [[field, text]]
        })
        const { configurationId } = row
        await session.ask('configurations.edit', {
          configurationId,
          edit: Object.fromEntries(texts) as ConfigurationEdit,
        })
        const after = (await session.ask('configurations.list', {})).find(
          (one) => one.configurationId === configurationId,
        )
        if (after !== undefined) terminal.out(globals.json === true ? printableJson(after) : rowText(after))
        return EXIT.fine
      }),
    ),
  )
}

function rowText({ configurationId, label, configuration, imported, trials }: ConfigurationRow): string {
  const facts = EDITABLE.flatMap((field) => {
    const text = configuration[field]
    if (text === null) return []
    const before = text === imported[field] ? '' : ` (imported: ${safe(imported[field] ?? 'not known', 60)})`
    return [`  ${optionOf(field).replace('-', ' ')}: ${safe(text, 200)}${before}`]
  })
  const params = Object.entries(configuration.params).map(
    ([name, value]) =>
      `  ${safe(name, 40)}: ${safe(typeof value === 'string' ? value : canonicalJson(value), 200)}`,
  )
  return [`${safe(label, 80)}  ${configurationId}  ${plural(trials, 'trial')}`, ...facts, ...params].join(
    '\n',
  )
}
