// What the core's schedulers are before their service has registered itself (context.ts says what they are then): they do
// nothing, so that nobody has to ask whether they are there.

import type { AnalysisHook, RulesHook, SearchHook } from './context.ts'

/** Before services/analysis has registered itself. */
export const NO_ANALYSIS: AnalysisHook = {
  schedule: () => {},
  pending: () => 0,
  run: () => Promise.resolve(null),
  algorithm: 'none',
  workspaceChanged: () => {},
  close: () => Promise.resolve(),
}

/** Before services/rules has registered itself. */
export const NO_RULES: RulesHook = {
  schedule: () => {},
  settle: () => Promise.resolve(),
  workspaceChanged: () => {},
}

/** Before services/search has registered itself. */
export const NO_SEARCH: SearchHook = {
  schedule: () => {},
  pending: () => 0,
  workspaceChanged: () => {},
  close: () => Promise.resolve(),
}
