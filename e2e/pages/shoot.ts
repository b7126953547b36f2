// Takes the pictures of the screens: one state of the window in both themes and both sizes, into out/shots. They are
// looked at, not compared.

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, type App } from '../fixtures.ts'
import { Frame } from './frame.ts'

const shots = resolve(root, 'out/shots')
const sizes = [
  [1440, 900],
  [1000, 700],
] as const

/** Takes `name-theme-size.png` of the window as it stands, four times, and leaves it at 1440 × 900. */
export async function shoot(app: App, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true })
  const frame = new Frame(app)
  for (const theme of ['light', 'dark'] as const) {
    await frame.setTheme(theme)
    for (const [width, height] of sizes) {
      await frame.setSize(width, height)
      await frame.page.screenshot({ path: join(shots, `${name}-${theme}-${width}x${height}.png`) })
    }
  }
  await frame.setTheme('light')
  await frame.setSize(1440, 900)
}
