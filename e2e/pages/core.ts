// The core's own process, for tests that kill it or hold it still.

import type { App } from '../fixtures.ts'

/** The process id of the core, found among the app's children. */
export function corePid(app: App): Promise<number> {
  return app.electron.evaluate(async ({ app: electronApp }) => {
    const utility = electronApp.getAppMetrics().find((metric) => metric.name === 'Faultline core')
    if (utility !== undefined) return utility.pid
    const { readFileSync: read, readdirSync: list } = process.getBuiltinModule('node:fs')
    for (const name of list('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const argv = read(`/proc/${name}/cmdline`, 'utf8')
        const parent = read(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]
        if (argv.includes('out/main/core.js') && parent === String(process.pid)) return Number(name)
      } catch {
        // It ended while it was being looked at.
      }
    }
    throw new Error('no core process')
  })
}
