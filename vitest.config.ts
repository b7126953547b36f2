// Unit and integration tests. Two projects: everything runs in Node, except test/renderer/**, which gets a
// DOM (jsdom: no layout, so what needs measured sizes is tested in the real window, see e2e/).
// Time zone and locale are pinned, so that a date or a sort order cannot depend on the machine.

import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

process.env['TZ'] = 'UTC'
process.env['LC_ALL'] = 'C'

const domSetup = 'test/renderer/setup.ts'

export default defineConfig({
  test: {
    env: { TZ: 'UTC', LC_ALL: 'C' },
    maxWorkers: 2,
    testTimeout: 20_000,
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/renderer/**', 'test/bench/**/*.bench.test.ts', 'test/fixtures/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'window',
          environment: 'jsdom',
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          setupFiles: existsSync(domSetup) ? [domSetup] : [],
        },
      },
    ],
  },
})
