// Pictures of what is not the good case: the core restarting and failed, a workspace that is newer or damaged, tasks
// without a divergence, many lanes with long names, a running import, an empty screen.

import { chmod, copyFile, mkdir, open, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CoreState } from '../src/contract/events.ts'
import { expect, ready, root, test, type App } from './fixtures.ts'
import { corePid } from './pages/core.ts'
import { ImportsPage, largeExport } from './pages/imports.ts'
import { shoot } from './pages/shoot.ts'
import { openTask } from './pages/task.ts'
import { TasksPage } from './pages/tasks.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** Tells the window of a state of the core, as main does; the core itself goes on. */
async function tell(app: App, core: CoreState): Promise<void> {
  await app.electron.evaluate(({ BrowserWindow }, state) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('faultline:event', { type: 'core', core: state })
  }, core)
}

test('the life of the core', async ({ app }) => {
  test.setTimeout(200_000)
  await new ImportsPage(app).importByDialog(sample)
  await new TasksPage(app).goTo('Tasks')
  await tell(app, { state: 'restarting', attempt: 1, of: 3, reason: 'It was ended by SIGKILL.' })
  await app.window.getByText(/is restarting \(1 of 3\)/).waitFor()
  await shoot(app, 'core-restarting')
  await tell(app, {
    state: 'failed',
    fault: {
      code: 'CORE_GONE',
      message: 'The analysis core ended three times within a minute.',
      hint: 'Start it again. When it fails again, the log says where.',
    },
    logPath: '/home/user/.config/Faultline/logs/main.log',
  })
  await app.window.getByRole('button', { name: 'Restart' }).waitFor()
  await shoot(app, 'core-failed')
})

test('workspaces that are not opened', async ({ launch, userData }) => {
  test.setTimeout(200_000)
  const first = await launch()
  await ready(first)
  await first.close()
  const path = join(userData, 'default.fault')
  const file = await open(path, 'r+')
  // The schema version stands at byte 60 of a SQLite file.
  await file.write(Buffer.from([0, 0, 0, 99]), 0, 4, 60)
  await file.close()
  const newer = await launch()
  await newer.window.getByText(/schema version 99/).waitFor()
  await shoot(newer, 'workspace-newer')
  await newer.close()
  await writeFile(path, 'This was a workspace once.\n'.repeat(200))
  const corrupt = await launch()
  await corrupt.window.getByRole('heading', { level: 1 }).waitFor()
  await shoot(corrupt, 'workspace-corrupt')
})

test('an import that is running', async ({ app, userData }) => {
  test.setTimeout(300_000)
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  const folder = join(userData, 'nightly')
  await mkdir(folder)
  for (const name of ['airline.jsonl', 'retail.jsonl', 'telecom.jsonl'])
    await largeExport(join(folder, name), 60)
  await imports.drop(folder)
  const keep = imports.page.getByRole('button', { name: /^Import .*trials/ })
  await keep.or(imports.status.getByText(/Importing .* · [1-9]/)).waitFor({ timeout: 60_000 })
  if (await keep.isVisible()) await keep.click()
  await imports.status.getByText(/Importing .* · [1-9][\d,]* trials/).waitFor({ timeout: 60_000 })
  await imports.file('airline.jsonl').getByText('reading').waitFor()
  // The core stands still while the pictures are taken: no picture is of another moment than the others.
  const pid = await corePid(app)
  process.kill(pid, 'SIGSTOP')
  try {
    await shoot(app, 'import-running')
    await imports.status.getByRole('button', { name: 'Cancel' }).click()
    await imports.status.getByText('Cancelling…').waitFor()
    await shoot(app, 'import-cancelling')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await imports.page.getByText(/cancelled; what was read before is kept/).waitFor({ timeout: 30_000 })
  await shoot(app, 'import-cancelled')
})

test('safety copies, the question before everything is deleted, a workspace that cannot be written', async ({
  app,
  userData,
}) => {
  test.setTimeout(200_000)
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  const path = join(userData, 'default.fault')
  await imports.answerSaveDialog(`${path}.before-4`)
  await imports.workspace(/^Save a copy/)
  await expect(imports.spoken).toContainText('Saved a copy')
  await imports.goToSettings()
  await imports.page.getByRole('button', { name: /^Restore default/ }).waitFor()
  await shoot(app, 'settings-copies')
  await imports.page.getByRole('button', { name: /^Restore default/ }).click()
  await imports.page.getByRole('alertdialog').waitFor()
  await shoot(app, 'settings-restore')
  await imports.page.getByRole('button', { name: 'Leave it as it is' }).click()
  await imports.workspace(/^Delete everything/)
  await imports.page.getByRole('alertdialog').waitFor()
  await shoot(app, 'delete-everything')
  await imports.page.getByRole('button', { name: 'Keep everything' }).click()
  const frozen = join(userData, 'evaluation of march.fault')
  await copyFile(`${path}.before-4`, frozen)
  await chmod(frozen, 0o444)
  await imports.answerOpenDialog(frozen)
  await imports.workspace(/^Open workspace/)
  await imports.page.getByText('Read only').waitFor()
  await shoot(app, 'workspace-read-only')
})

/** Trials of four configurations with long names over 40 calls, failing at the 25th in every third. */
function longNames(): string {
  const lines: unknown[] = [{ type: 'header', format: 'faultline', version: 1, suite: 'long-names' }]
  const names = [
    'gpt-4o-2024-11-20 · tool-calling · policy 2026-03 · retail',
    'claude-sonnet-4-20250514 · react · policy 2026-03 · retail',
  ]
  names.forEach((label, i) => lines.push({ type: 'config', config_id: `c${i}`, label, model: label }))
  for (let trial = 0; trial < 24; trial += 1) {
    const isFailing = trial % 3 === 0
    const steps: unknown[] = [{ index: 0, role: 'user', kind: 'message', content: 'Exchange my lamp.' }]
    for (let call = 0; call < 40; call += 1) {
      const id = `c${call}`
      const name = `read_the_${['customer', 'order', 'policy', 'history'][call % 4]}_record_${call}`
      const value = isFailing && call === 25 ? 'wrong' : call === 7 ? `habit ${trial % 5}` : 'usual'
      steps.push(
        {
          index: call * 2 + 1,
          role: 'assistant',
          kind: 'tool_call',
          stage: ['identify the customer', 'gather', 'check the policy', 'act', 'close'][
            Math.floor(call / 8)
          ],
          calls: [{ call_id: id, name, arguments: { value } }],
        },
        { index: call * 2 + 2, role: 'tool', kind: 'tool_result', call_id: id, name, content: '{"ok":true}' },
      )
    }
    lines.push({
      type: 'trial',
      trial_id: `t${trial}`,
      task_id: 'exchange_a_lamp_that_was_bought_long_ago',
      config_id: `c${trial % 2}`,
      outcome: isFailing ? 'fail' : 'pass',
      severe_errors:
        isFailing && trial % 2 === 0 ? [{ kind: 'refund_outside_policy', severity: 'severe' }] : [],
      steps,
    })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

test('lanes at their edges', async ({ app, userData }) => {
  test.setTimeout(300_000)
  const path = join(userData, 'long-names.jsonl')
  await writeFile(path, longNames())
  await new ImportsPage(app).importByDialog(path, sample)
  const wide = await openTask(app, 'exchange_a_lamp_that_was_bought_long_ago')
  await shoot(app, 'lanes-long-names')
  await wide.lanes
    .getByRole('rowheader', { name: /^trial .*failed/ })
    .first()
    .hover()
  await wide.page.getByRole('tooltip').waitFor()
  await shoot(app, 'lanes-shell-card')
  await wide.page.getByRole('checkbox', { name: 'fold gaps' }).setChecked(false, { force: true })
  await wide.openPair()
  await shoot(app, 'lanes-all-columns')
  await openTask(app, 't05')
  await shoot(app, 'lanes-all-passed')
})
