// A process of its own for one figure: how much memory the analysis of the trials in a file takes beyond them, at the
// peak. Started by speed.ts with --expose-gc; prints one JSON line.

import { readFileSync } from 'node:fs'
import { OpenAnalysis } from '../../../src/analysis/divergence/analyse.ts'
import type { TrialInput } from '../../../src/analysis/divergence/options.ts'
import type { Trial } from '../../../src/model/trial.ts'

const inputs = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as TrialInput<Trial>[]
const collect = (globalThis as unknown as { readonly gc?: () => void }).gc
if (collect === undefined) throw new Error('start with --expose-gc')
collect()
collect()
const before = process.memoryUsage.rss()
new OpenAnalysis(inputs).finish()
// maxRSS is in kilobytes; reading the file may have been the peak, then the difference is 0.
const peak = process.resourceUsage().maxRSS * 1024
process.stdout.write(`${JSON.stringify({ mb: Math.max(0, peak - before) / 1e6 })}\n`)
