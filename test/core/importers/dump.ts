// A readable dump of what an import gave, for golden files: one block per trial, one line per step.

import { visibleText } from '../../../src/base/text.ts'
import type { Step, Trial } from '../../../src/model/trial.ts'
import type { ReadAll } from './readall.ts'

const short = (text: string): string => {
  const flat = visibleText(text).replace(/\n/g, '⏎')
  return flat.length > 120 ? `${flat.slice(0, 119)}…(${text.length})` : flat
}

function dumpStep(step: Step): string {
  const { index, role, kind, text, content, calls, callId, toolName, ...rest } = step
  const parts = [`${String(index).padStart(3)} ${role}/${kind}`]
  if (callId !== undefined) parts.push(`answers ${callId}`)
  if (toolName !== undefined) parts.push(`[${toolName}]`)
  if (text !== null) parts.push(`"${short(text)}"`)
  if (content !== undefined) parts.push(`content ${short(JSON.stringify(content))}`)
  for (const call of calls ?? []) {
    const raw = call.argsRaw === undefined ? '' : ` raw ${short(call.argsRaw)} (${call.parseError})`
    parts.push(`→ ${call.id} ${call.name}(${short(JSON.stringify(call.args))})${raw}`)
  }
  if (Object.keys(rest).length > 0) parts.push(short(JSON.stringify(rest)))
  return parts.join(' ')
}

function dumpTrial(trial: Trial, withConfiguration: boolean): string {
  const { steps, configuration, extra, taskInput, ...facts } = trial
  return [
    `== ${trial.suite} / ${trial.task}: ${trial.outcome}`,
    ...Object.entries(facts).map(([key, value]) => `${key}: ${short(JSON.stringify(value))}`),
    `taskInput: ${taskInput === null ? 'null' : short(taskInput)}`,
    ...(withConfiguration ? [`configuration: ${JSON.stringify(configuration)}`] : []),
    ...Object.entries(extra)
      .filter(([key]) => withConfiguration || key !== 'run')
      .map(([key, value]) => `extra.${key}: ${short(JSON.stringify(value))}`),
    ...steps.map(dumpStep),
  ].join('\n')
}

/** Trials, then problems. Without the configuration where it comes from the file's name. */
export function dump(read: ReadAll, withConfiguration = true): string {
  const problems = read.problems.map(
    ({ severity, code, message, line, byte, record }) =>
      `${severity} ${code} line ${line} byte ${byte} record ${record}: ${short(message)}`,
  )
  const trials = read.trials.map((trial) => dumpTrial(trial, withConfiguration))
  return [
    `importer: ${read.detection.importer?.id ?? 'none'}`,
    ...trials,
    '== problems',
    ...problems,
    '',
  ].join('\n')
}
