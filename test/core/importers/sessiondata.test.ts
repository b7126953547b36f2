// Whole real files, where they stand beside the repository: which of them are taken for sessions and chat, and what
// they give. No other format's file may be among them. A clone does not have them; then these tests are skipped.

import { describe, expect, it } from 'vitest'
import { detect } from '../../../src/core/importers/detect.ts'
import { chat } from '../../../src/core/importers/chat/chat.ts'
import { claudeCode } from '../../../src/core/importers/claude-code/claude-code.ts'
import { codex } from '../../../src/core/importers/codex/codex.ts'
import { geminiCli } from '../../../src/core/importers/gemini-cli.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import { hasSharedData, readSource, sharedData } from './readall.ts'

const hasData = hasSharedData('claude-code-fixtures', 'real sessions are')

const OWN = [claudeCode, codex, geminiCli, chat]
type Row = readonly [
  name: string,
  format: string,
  tasks: number,
  trials: number,
  steps: number,
  codes: string,
]

/** Every file that one of the four formats is sure of. Bare lists of mini-swe-agent's first version are chat as well. */
const TABLE: readonly Row[] = [
  ['claude-code-fixtures/ccusage_claude_chat.jsonl', 'claude-code', 1, 1, 3, 'STEP_INVALID'],
  ['claude-code-fixtures/ccusage_codex_session-alpha.jsonl', 'codex', 1, 1, 0, 'FORMAT_BETA STEP_INVALID'],
  [
    'claude-code-fixtures/daaain_edge_cases.jsonl',
    'claude-code',
    2,
    2,
    14,
    'JSON_INVALID JSON_INVALID RECORD_DUPLICATE RECORD_INVALID RECORD_INVALID REFERENCE_MISSING STEP_INVALID',
  ],
  ['claude-code-fixtures/daaain_representative_messages.jsonl', 'claude-code', 1, 1, 11, ''],
  ['claude-code-fixtures/daaain_session_b.jsonl', 'claude-code', 1, 1, 3, ''],
  ['claude-code-fixtures/scout_agent-atest01.jsonl', 'claude-code', 1, 1, 4, ''],
  ['claude-code-fixtures/scout_agent_session.jsonl', 'claude-code', 1, 1, 4, ''],
  ['claude-code-fixtures/scout_clear_split_session.jsonl', 'claude-code', 2, 2, 4, ''],
  ['claude-code-fixtures/scout_simple_conversation.jsonl', 'claude-code', 1, 1, 4, ''],
  ['claude-code-fixtures/scout_tool_call_conversation.jsonl', 'claude-code', 1, 1, 5, ''],
  ['harbor-atif/rfc-native-examples/gemini-cli-trajectory.json', 'gemini-cli', 1, 1, 2, ''],
  ['mini-swe-agent/github_issue.traj.json', 'chat-messages', 1, 1, 22, ''],
  ['mini-swe-agent/local.traj.json', 'chat-messages', 1, 1, 6, ''],
  ['otel-openinference/strands-evals-fixtures/claude_code_skill_tool.json', 'claude-code', 1, 1, 4, ''],
  ['otel-openinference/strands-evals-fixtures/codex_session_rollout.json', 'codex', 1, 1, 3, 'FORMAT_BETA'],
]

describe.skipIf(!hasData)('real sessions and chat (../shared/data)', () => {
  it('no other file is taken for one', async () => {
    const found: string[] = []
    for await (const opened of openSources(sharedData('.'), undefined, OWN)) {
      if (opened.kind !== 'source') continue
      const { importer } = await detect(opened.source, undefined, OWN)
      if (importer !== null) found.push(`${opened.source.name.replace(/^[^/]*\//, '')} ${importer.id}`)
    }
    expect(found).toEqual(TABLE.map(([name, format]) => `${name} ${format}`))
  })
  it.each(TABLE)('%s', async (name, format, tasks, count, steps, codes) => {
    const importer = OWN.find((one) => one.id === format)
    for await (const opened of openSources(sharedData(name), undefined, OWN)) {
      if (opened.kind !== 'source') throw new Error(`${name} is no file`)
      const { trials, codes: met } = await readSource(opened.source, importer)
      expect(new Set(trials.map((trial) => trial.task)).size).toBe(tasks)
      expect(trials).toHaveLength(count)
      expect(trials.map((trial) => trial.outcome)).toEqual(trials.map(() => 'unknown'))
      expect(trials.reduce((sum, trial) => sum + trial.steps.length, 0)).toBe(steps)
      expect(
        met
          .filter((code) => code !== 'OUTCOME_MISSING' && code !== 'FORMAT_UNKNOWN')
          .toSorted()
          .join(' '),
      ).toBe(codes)
    }
  })
})
