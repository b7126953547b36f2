// agentrial results: {suite, results[{test_case, trials[{trial_index, passed, failures, …}]}]}. Every trial has an
// outcome and only the names of its steps, so the trials come without steps.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asId, asList, asNumber, asObject, asText, member } from '../fields.ts'
import { readRecords } from '../reader.ts'
import { noObject, problemsOf } from './json.ts'
import { emptyRow } from './record.ts'
import type { OutcomeReader, OutcomeRow, RowPlace } from './row.ts'
import { readValue } from './values.ts'

/** Reads agentrial results. */
export const agentrial: OutcomeReader = {
  id: 'agentrial',
  title: 'agentrial results',
  version: 1,
  status: 'stable',
  suite: 'agentrial',
  sniff: (head) => {
    const file = asObject(head.records[0]?.value)
    const results = asList(file?.['results'])
    const first = asObject(results?.[0])
    const isOne = asObject(file?.['suite']) !== null && first !== null && Object.hasOwn(first, 'test_case')
    return isOne
      ? { confidence: 0.95, reason: 'a suite and results with test_case' }
      : { confidence: 0, reason: 'no results with test_case' }
  },
  async rows(source, _choice, sink, signal) {
    for await (const record of readRecords(source, problemsOf(sink), signal)) {
      const file = asObject(record.value)
      const results = asList(file?.['results'])
      if (file === null || results === null) {
        sink.problem(noObject(record))
        continue
      }
      const suite = asText(member(file['suite'], 'name')) ?? 'agentrial'
      const agent = asText(member(file['suite'], 'agent'))
      let at = 0
      for (const result of results) {
        const task = asId(member(member(result, 'test_case'), 'name'))
        for (const trial of asList(member(result, 'trials')) ?? []) {
          const place: RowPlace = { file: source.name, line: record.line, record: at }
          at += 1
          const fields = asObject(trial)
          if (task === null || fields === null) {
            sink.problem({
              severity: 'error',
              code: 'RECORD_INVALID',
              message: 'A trial without a test case, or that is no object: skipped.',
              record: place.record,
            })
            continue
          }
          await sink.row(trialRow(fields, { suite, agent, task, place }))
        }
      }
    }
  },
}

function trialRow(
  fields: JsonObject,
  about: {
    readonly suite: string
    readonly agent: string | null
    readonly task: string
    readonly place: RowPlace
  },
): OutcomeRow {
  const read = readValue(fields['passed'], null)
  const steps = (asList(fields['steps']) ?? []).flatMap((step) => asText(member(step, 'name')) ?? [])
  const { steps: _steps, passed, cost: _cost, trial_index: _index, ...rest } = fields
  const bare = emptyRow(about.place, JSON.stringify(fields))
  return {
    ...bare,
    suite: about.suite,
    task: about.task,
    trial: asId(fields['trial_index']),
    outcome: read.kind === 'read' ? read.outcome : 'unknown',
    score: read.kind === 'read' ? read.score : null,
    scoreRaw: (passed ?? null) as Json,
    scorer: 'passed',
    costUsd: asNumber(fields['cost']),
    configuration: { ...bare.configuration, agent: about.agent },
    extra: { ...rest, ...(steps.length > 0 ? { stepNames: steps } : {}) },
  }
}
