// The importers there are. Adding a format is one line here, beside its file.

import { chat } from './chat/chat.ts'
import { claudeCode } from './claude-code/claude-code.ts'
import { codex } from './codex/codex.ts'
import { faultlineJsonl } from './faultline-jsonl.ts'
import { geminiCli } from './gemini-cli.ts'
import { atif } from './harbor/atif.ts'
import { harbor } from './harbor/harbor.ts'
import type { Importer } from './importer.ts'
import { inspect } from './inspect/inspect.ts'
import { miniSweAgent } from './mini-swe-agent/mini-swe-agent.ts'
import { openHands } from './openhands/openhands.ts'
import { OUTCOME_IMPORTERS } from './outcomes/readers.ts'
import { sweAgent } from './swe-agent/swe-agent.ts'
import { tau2 } from './tau2/tau2.ts'
import { tauBench } from './tau-bench.ts'

/** All importers; the order is only the order of lists. */
export const IMPORTERS: readonly Importer[] = [
  faultlineJsonl,
  tauBench,
  tau2,
  inspect,
  harbor,
  atif,
  claudeCode,
  codex,
  geminiCli,
  sweAgent,
  miniSweAgent,
  openHands,
  chat,
  ...OUTCOME_IMPORTERS,
]

/** The importer of that id, or null. */
export function importerById(id: string): Importer | null {
  return IMPORTERS.find((importer) => importer.id === id) ?? null
}
