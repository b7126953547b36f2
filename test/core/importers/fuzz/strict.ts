// What a strict reader has of a file's bytes, per format: the records that are JSON by JSON.parse and that the format's
// own definition says are trials or parts of one. Written apart from the importers, so that it can hold them to it.
// A reader that has fewer has lost some.

import { isObject, type Json, type JsonObject } from '../../../../src/base/json.ts'

const parse = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/**
 * The elements of a whole list, the whole object, or (of lines) every line that is JSON by itself. Lines begin in the
 * first column: what is indented below a broken record is a part of it.
 */
export function strictRecords(bytes: Buffer, isLines: boolean): Json[] {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const whole = parse(text)
  const all = Array.isArray(whole)
    ? (whole as Json[])
    : whole !== undefined
      ? [whole]
      : isLines
        ? text
            .split('\n')
            .filter((line) => line.startsWith('{'))
            .map(parse)
        : []
  return all.filter((value): value is Json => isObject(value))
}

const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
const has = (value: JsonObject, ...keys: readonly string[]): boolean =>
  keys.every((key) => Object.hasOwn(value, key))
const objects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? (value as unknown[]).filter((one): one is JsonObject => isObject(one)) : []
const isMessage = (value: JsonObject): boolean =>
  ['user', 'assistant', 'system', 'tool'].includes(String(value['role'])) &&
  typeof value['content'] === 'string'
const isEvent = (value: JsonObject): boolean =>
  typeof value['action'] === 'string' || typeof value['observation'] === 'string'

/** Per importer: what of a record must be found again in the records of its trials. */
const WANTED: Readonly<Record<string, (record: JsonObject) => readonly JsonObject[]>> = {
  'faultline-jsonl': (record) =>
    record['type'] === 'trial' && isId(record['trial_id']) && isId(record['task_id']) ? [record] : [],
  'tau-bench': (record) => (isId(record['task_id']) ? [record] : []),
  tau2: (record) =>
    objects(record['simulations']).filter(
      (simulation) => isId(simulation['task_id']) && isId(simulation['id']) && has(simulation, 'messages'),
    ),
  inspect: (record) =>
    objects(record['samples']).filter((sample) => isId(sample['id']) && has(sample, 'input', 'messages')),
  harbor: () => [],
  atif: (record) => (Array.isArray(record['steps']) ? [record] : []),
  'claude-code': (record) =>
    ['user', 'assistant'].includes(String(record['type'])) &&
    isObject(record['message']) &&
    isId(record['uuid'])
      ? [record]
      : [],
  codex: (record) => (record['type'] === 'response_item' && isObject(record['payload']) ? [record] : []),
  'gemini-cli': (record) => (Array.isArray(record['messages']) ? [record] : []),
  'swe-agent': (record) =>
    objects(record['trajectory']).some((turn) => has(turn, 'action', 'observation')) ? [record] : [],
  'mini-swe-agent': (record) => (isMessage(record) ? [record] : []),
  openhands: (record) =>
    (has(record, 'instance_id') || has(record, 'issue')) && Array.isArray(record['history'])
      ? [record]
      : isEvent(record)
        ? [record]
        : [],
  'chat-messages': (record) =>
    isMessage(record) ||
    (objects(record['messages']).length > 0 && objects(record['messages']).slice(0, 3).every(isMessage))
      ? [record]
      : [],
  'tau-sidecar': (record) => (isId(record['task_id']) ? [record] : []),
}

/** The records that must not be lost, of a file of that format. */
export function wantedRecords(importer: string, strict: readonly Json[]): readonly JsonObject[] {
  const wanted = WANTED[importer]
  return wanted === undefined ? [] : strict.flatMap((record) => wanted(record as JsonObject))
}

/** How many trials at least: where trials are made of members of an object, not of records. */
const COUNTED: Readonly<Record<string, (record: JsonObject) => number>> = {
  'outcome-map': (record) =>
    Object.values(record).every((value) => typeof value === 'boolean')
      ? Object.keys(record).filter((task) => task !== '').length
      : 0,
  'swe-bench-report': (record) =>
    new Set(
      ['resolved_ids', 'unresolved_ids', 'error_ids'].flatMap((list) =>
        Array.isArray(record[list]) ? (record[list] as readonly Json[]).filter(isId).map(String) : [],
      ),
    ).size,
  'swe-bench-instance': (record) =>
    Object.entries(record).filter(
      ([task, value]) => task !== '' && isObject(value) && typeof value['resolved'] === 'boolean',
    ).length,
  agentrial: (record) =>
    objects(record['results'])
      .filter((result) => isObject(result['test_case']) && isId((result['test_case'] as JsonObject)['name']))
      .reduce((sum, result) => sum + objects(result['trials']).filter((one) => has(one, 'passed')).length, 0),
}

/** The least number of trials that a strict reader of these records would have had. */
export function wantedTrials(importer: string, strict: readonly Json[]): number {
  const count = COUNTED[importer]
  return count === undefined ? 0 : strict.reduce<number>((sum, one) => sum + count(one as JsonObject), 0)
}
