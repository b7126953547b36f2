// Hostile text on every screen of the real window: ids, tools, arguments, observations, labels and file names that
// carry markup, links, controls, overrides and formulas. Nothing of it becomes an element or an address, nothing is
// hidden, and a hash that nobody made leads somewhere. Small windows keep everything in reach.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FaultlineBridge } from '../src/contract/desktop.ts'
import { expect, test, type App } from './fixtures.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'

const texts = [
  '<img src=x onerror=alert(1)>',
  '</script><script>fetch("http://evil.example")</script>',
  '[x](javascript:alert(1)) ![i](http://evil.example/p.png)',
  '\u202egnp.exe \u2066x\u2069',
  'zero\u200bwidth\u200d\ufeff\u00ad',
  '\u001b[31mred\u001b]0;t\u0007 \u009b31m \u0000',
  '=HYPERLINK("http://evil.example")',
  'a/b#c?d%e;f=g%00%2f..',
  '__proto__',
  'constructor',
  '\ud800 lone',
  '\u2028\u2029',
  ' ',
  'x'.repeat(10_000),
]

/** A file in which every name and text is hostile: four trials of a task for each text. */
function hostileFile(): string {
  const lines: object[] = [{ type: 'header', format: 'faultline', version: 1, suite: texts[6] }]
  for (const [index, text] of texts.entries()) {
    lines.push({ type: 'config', config_id: `c${index}`, label: text, model: text, params: { [text]: text } })
    for (let trial = 0; trial < 4; trial++) {
      const isPass = trial % 2 === 0
      const name = isPass ? text : `${text}!`
      lines.push({
        type: 'trial',
        trial_id: `${text}${index}.${trial}`,
        task_id: text,
        config_id: `c${index}`,
        outcome: isPass ? 'pass' : 'fail',
        termination_reason: text,
        scorer: text,
        severe_errors: isPass ? [] : [{ step: 1, kind: text, severity: 'high', note: text }],
        steps: [
          { index: 0, role: 'user', kind: 'message', content: text },
          {
            index: 1,
            role: 'assistant',
            kind: 'tool_call',
            calls: [{ call_id: text, name, arguments: { [name]: text } }],
          },
          { index: 2, role: 'tool', kind: 'tool_result', call_id: text, content: name, is_error: !isPass },
        ],
      })
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function go(app: App, hash: string): Promise<void> {
  await app.window.evaluate((where) => {
    location.hash = where
  }, hash)
  await atRest(app.window)
}

/** What hostile text must never become: elements, addresses, characters that hide or reorder. */
function badThings(app: App): Promise<readonly string[]> {
  return app.window.evaluate(() => {
    const made = [...document.querySelectorAll('img, iframe, object, embed, a[href], script')]
      .filter((one) => one instanceof HTMLScriptElement || one.getAttribute('href')?.startsWith('#') !== true)
      .filter((one) => !(one instanceof HTMLScriptElement && one.src.startsWith('app://faultline/')))
      .map((one) => one.outerHTML.slice(0, 200))
    const texts = [...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [
      one.getAttribute('title') ?? '',
      one.getAttribute('aria-label') ?? '',
    ])
    const hidden =
      // eslint-disable-next-line no-control-regex
      /.{0,20}[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff].{0,20}/
    return [...made, ...[document.body.innerText, ...texts].flatMap((text) => hidden.exec(text)?.[0] ?? [])]
  })
}

async function openHostile(
  app: App,
): Promise<readonly { readonly taskId: string; readonly trialId: string }[]> {
  const path = join(app.userData, 'a\u202e<b>.faultline.jsonl')
  await writeFile(path, hostileFile())
  await new ImportsPage(app).importByDialog(path)
  return app.window.evaluate(async () => {
    const { faultline } = globalThis as unknown as { faultline: FaultlineBridge }
    const ask = async <T>(method: string, input: unknown): Promise<T> => {
      const answer = await faultline.request(`e2e-${Math.random()}`, method, input)
      if (!answer.ok) throw new Error(answer.error.message)
      return answer.value as T
    }
    const { rows } = await ask<{ rows: readonly { taskId: string }[] }>('tasks.list', {})
    const views = rows.map(async ({ taskId }) => {
      const { trials } = await ask<{ trials: readonly { trialId: string }[] }>('tasks.get', { taskId })
      return { taskId, trialId: trials[1]?.trialId ?? '' }
    })
    return Promise.all(views)
  })
}

test('hostile text is text on every screen, and nothing in it is hidden', async ({ app }) => {
  test.setTimeout(180_000)
  const tasks = await openHostile(app)
  expect(tasks).toHaveLength(texts.length)
  expect(await badThings(app)).toEqual([])
  for (const hash of ['/tasks', '/report', '/rules', '/settings']) {
    await go(app, hash)
    expect(await badThings(app), hash).toEqual([])
  }
  for (const { taskId, trialId } of tasks) {
    const places = [
      '',
      `;trial=${trialId};column=1;annotate=yes`,
      `;lens=steps;trial=${trialId}`,
      ';lens=stats',
    ]
    for (const place of places) {
      await go(app, `/task/${taskId}${place}`)
      expect(await badThings(app), `/task/${taskId}${place}`).toEqual([])
    }
  }
})

test('hashes that nobody made lead somewhere', async ({ app }) => {
  await openHostile(app)
  const hashes = [
    '/task/%',
    '/task/%E0%A4%A',
    '/task/__proto__',
    `/task/${'x'.repeat(10_000)}`,
    '/task/a/b/c;lens=__proto__;step=99999999999;column=-1',
    '/tasks;text=%00%1b;suite=__proto__;sort=constructor',
    '/tasks;scope=constructor,,x',
    '/%2e%2e/;=;;=',
    '#'.repeat(50),
  ]
  for (const hash of hashes) {
    await go(app, hash)
    await expect(app.window.locator('#main'), hash.slice(0, 60)).toContainText(
      /Tasks|not in the workspace|No trial in this scope/,
    )
    expect(await badThings(app), hash.slice(0, 60)).toEqual([])
  }
})

test('small windows, as at 200 % and more, keep everything in reach', async ({ app }) => {
  const [first] = await openHostile(app)
  const places = ['/imports', '/tasks', `/task/${first?.taskId}`, '/report', '/rules', '/settings']
  for (const [width, height] of [
    [500, 350],
    [450, 300],
    [320, 400],
  ] as const) {
    await new ImportsPage(app).setSize(width, height)
    for (const place of places) {
      await go(app, place)
      const over = await app.window.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(over, `${place} at ${width}`).toBeLessThanOrEqual(0)
      for (const name of ['Settings', 'Keys'])
        await expect(app.window.getByRole('button', { name, exact: true }).first()).toBeInViewport({
          ratio: 0.9,
        })
    }
    await go(app, `/task/${first?.taskId};trial=${first?.trialId};annotate=yes`)
    const panel = app.window.getByRole('region', { name: 'Annotation' })
    await expect(panel.getByRole('button', { name: 'Save and next failing' })).toBeInViewport({ ratio: 0.9 })
  }
})
