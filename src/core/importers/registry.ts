// The importers there are. Adding a format is one line here, beside its file.

import { faultlineJsonl } from './faultline-jsonl.ts'
import type { Importer } from './importer.ts'
import { inspect } from './inspect/inspect.ts'
import { tauBench } from './tau-bench.ts'

/** All importers; the order is only the order of lists. */
export const IMPORTERS: readonly Importer[] = [faultlineJsonl, tauBench, inspect]

/** The importer of that id, or null. */
export function importerById(id: string): Importer | null {
  return IMPORTERS.find((importer) => importer.id === id) ?? null
}
