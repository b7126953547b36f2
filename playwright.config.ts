// End-to-end tests: Playwright drives the built app in the real Electron window. One worker: the tests of a
// desktop app share the screen. e2e/setup.ts finds Electron, builds and opens a virtual display when needed.

import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/setup.ts',
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env['CI']),
  // A flaky test is a defect: none is tried twice.
  retries: 0,
  reporter: [['list']],
  projects: [
    { name: 'app', testMatch: '**/*.e2e.ts' },
    { name: 'shots', testMatch: '**/*.shots.ts' },
  ],
})
