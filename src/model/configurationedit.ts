// What a person says of a configuration in place of what was imported: its name, model, agent and so on. Pure; the imported
// configuration stays what trials are grouped by.

import * as v from 'valibot'
import type { Configuration } from './trial.ts'

/** The fields of a configuration that can be said otherwise, the most telling first. */
export const EDITABLE = [
  'label',
  'model',
  'agent',
  'agentVersion',
  'promptVersion',
  'toolsVersion',
  'policyVersion',
  'environment',
] as const satisfies readonly (keyof Configuration)[]

const text = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(400)))

/** Fields that were said otherwise, each with its text. A field that is not there is as imported. */
export const configurationEditSchema = v.object({
  label: text,
  model: text,
  agent: text,
  agentVersion: text,
  promptVersion: text,
  toolsVersion: text,
  policyVersion: text,
  environment: text,
})

/** See configurationEditSchema. */
export type ConfigurationEdit = v.InferOutput<typeof configurationEditSchema>

/** The configuration as it reads after an edit. */
export function edited(configuration: Configuration, edit: ConfigurationEdit | undefined): Configuration {
  return edit === undefined ? configuration : { ...configuration, ...edit }
}
