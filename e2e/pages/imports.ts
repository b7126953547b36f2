// Page module of Imports and the first run.

import { readFile, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { expect, type Locator } from '@playwright/test'
import { root } from '../fixtures.ts'
import { atRest, Frame } from './frame.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** What a person does on Imports. */
export class ImportsPage extends Frame {
  /** Imports files through the button and the open dialog, and waits for the end. */
  async importByDialog(...paths: readonly string[]): Promise<void> {
    await this.answerOpenDialog(...paths)
    await this.page.getByRole('button', { name: /^Choose files/ }).click()
    await this.finished()
  }

  /** Imports files by a drop and waits for the end. */
  async importByDrop(...paths: readonly string[]): Promise<void> {
    await this.drop(...paths)
    await this.finished()
  }

  /** Waits for the end of the import that was just started. */
  async finished(): Promise<void> {
    await expect(this.heading('Imports')).toBeVisible()
    await expect(this.spoken).toHaveText(/kept|already here|cancelled|failed|not known|Nothing could/i)
    await atRest(this.page)
  }

  /** The line of a file, newest run first. */
  file(name: string): Locator {
    return this.page.getByRole('listitem').filter({ hasText: name }).first()
  }

  /** Opens the problems of a file. */
  async openProblems(name: string): Promise<Locator> {
    await this.file(name)
      .getByRole('button', { name: /problem/ })
      .click()
    const panel = this.page.getByRole('region', { name: `Problems of ${name}` }).first()
    await expect(panel).toBeVisible()
    await atRest(this.page)
    return panel
  }
}

/** The sample's trials, `times` over with ids of this file's own: one that takes a while to read. Gives its path. */
export async function largeExport(path: string, times: number): Promise<string> {
  const lines = (await readFile(sample, 'utf8')).split('\n').filter((line) => line !== '')
  const others = lines.filter((line) => !line.startsWith('{"type":"trial"'))
  const trials = lines.filter((line) => line.startsWith('{"type":"trial"'))
  expect(trials).toHaveLength(160)
  const copies: string[] = []
  for (let time = 0; time < times; time += 1)
    for (const trial of trials)
      copies.push(trial.replace('"trial_id":"', `"trial_id":"${basename(path)}-${time}-`))
  await writeFile(path, `${[...others, ...copies].join('\n')}\n`)
  return path
}
