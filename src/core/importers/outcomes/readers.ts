// The outcome readers there are, and which of them are importers as well. Adding one is a line here.

import type { Importer } from '../importer.ts'
import { agentrial } from './agentrial.ts'
import { bareImporter } from './bare.ts'
import { instanceReport, rewardFile, sweBenchReport, tauSidecar } from './benchmarks.ts'
import { outcomeCsv } from './csv.ts'
import { outcomeMap, outcomeRows } from './json.ts'
import type { OutcomeReader } from './row.ts'

/** All readers; the order is only the order of lists. */
export const OUTCOME_READERS: readonly OutcomeReader[] = [
  outcomeCsv,
  outcomeMap,
  outcomeRows,
  tauSidecar,
  sweBenchReport,
  instanceReport,
  agentrial,
  rewardFile,
]

/** The readers as importers: an agentrial file is a set of trials; the others speak of trials that lie elsewhere. */
export const OUTCOME_IMPORTERS: readonly Importer[] = OUTCOME_READERS.filter(
  (reader) => reader !== rewardFile,
).map((reader) => bareImporter(reader, { isOutcomes: reader !== agentrial }))
