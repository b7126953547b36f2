// What a tau-bench file does not say inside: domain, configuration, and whether its trial numbers are such. The domain
// is inferred from the policy's title and the tools; the configuration stands in the file name only. Part of the
// tau-bench importer.

import type { JsonObject } from '../../base/json.ts'
import { wellFormed } from '../../base/text.ts'
import { UNKNOWN_CONFIGURATION, type Configuration, type Step } from '../../model/trial.ts'

/** The suite of a file whose domain nothing tells. */
export const UNKNOWN_DOMAIN = 'tau-bench'

const DOMAIN_TOOLS: readonly (readonly [domain: string, tools: RegExp])[] = [
  [
    'airline',
    /^(?:book_reservation|search_(?:direct|onestop)_flight|(?:get|cancel)_reservation(?:_details)?|update_reservation_\w+|list_all_airports|send_certificate)$/,
  ],
  [
    'retail',
    /^(?:find_user_id_by_(?:email|name_zip)|get_(?:order|product)_details|list_all_product_types|(?:exchange|return)_delivered_order_items|modify_pending_order_\w+|modify_user_address|cancel_pending_order)$/,
  ],
]

function domainOfTools(names: Iterable<string>): string | null {
  for (const name of names) for (const [domain, tools] of DOMAIN_TOOLS) if (tools.test(name)) return domain
  return null
}

/** The domain of one row from its policy's title, its calls, or its expected actions; null when none tells. */
export function domainOf(steps: readonly Step[], expectedTools: readonly string[]): string | null {
  const policy = steps.find((step) => step.role === 'system')?.text
  const title = policy === undefined || policy === null ? null : /^\s*#\s*(\w+) agent policy/i.exec(policy)
  if (title !== null) return (title[1] as string).toLowerCase()
  const called = steps.flatMap((step) => (step.calls ?? []).map((call) => call.name))
  return domainOfTools(called) ?? domainOfTools(expectedTools)
}

/** The domain that a file name contains as a word; null when it does not. */
export function domainOfName(name: string): string | null {
  return /(?:^|[^a-z])(airline|retail)(?:[^a-z]|$)/i.exec(name)?.[1]?.toLowerCase() ?? null
}

const SAYS_NOTHING = /^(?:results?|outputs?|data|runs?|trials?|traj(?:ectories|s)?|log|index|file)[-_\d]*$/i

/**
 * What a file is told apart by: its name without folders, `.gz` and `.json`; with its folder when the name alone
 * says nothing (`results`).
 */
export function stemOf(name: string): string {
  const parts = wellFormed(name)
    .replace(/\.gz$/i, '')
    .replace(/\.jsonl?$/i, '')
    .split('/')
  const base = parts.at(-1) ?? ''
  return SAYS_NOTHING.test(base) ? parts.slice(-2).join('/') : base
}

const HARNESS_NAME =
  /^(?<strategy>tool-calling|act|react|few-shot)-(?<model>.+)-(?<temperature>\d+(?:\.\d+)?)_range_(?<start>-?\d+)-(?<end>-?\d+)_user-(?<user>.+)-(?<userStrategy>[a-z_]+)_(?<stamp>\d{10})$/i

/** What a file name tells of a run: its configuration, and facts that are not part of one (range, time stamp). */
export type NamedRun = { readonly configuration: Configuration; readonly about: JsonObject }

/**
 * The configuration in a file name. Three forms: the harness's own
 * (`{strategy}-{model}-{temperature}_range_{a}-{b}_user-{model}-{strategy}_{MMDDHHMMSS}`), the published
 * `{model}-{domain}`, and anything else, which is a label. Files of equal configuration are repeats.
 */
export function runOfName(name: string): NamedRun {
  const stem = stemOf(name)
  const groups = HARNESS_NAME.exec(stem)?.groups
  if (groups !== undefined) {
    const { strategy, model, temperature, start, end, user, userStrategy, stamp } = groups as Record<
      string,
      string
    >
    return {
      configuration: {
        ...UNKNOWN_CONFIGURATION,
        label: `${model} ${strategy}`,
        model: model ?? null,
        agent: strategy ?? null,
        params: {
          temperature: Number(temperature),
          user_model: user ?? null,
          user_strategy: userStrategy ?? null,
        },
      },
      about: { range: `${start}-${end}`, stamp: stamp ?? null },
    }
  }
  const published = /^(?<model>[a-z]+[-.\w]*\d[-.\w]*?)-(?:airline|retail)$/i.exec(stem)?.groups
  const model = published?.['model']
  if (model !== undefined)
    return { configuration: { ...UNKNOWN_CONFIGURATION, label: model, model }, about: {} }
  return { configuration: { ...UNKNOWN_CONFIGURATION, label: stem }, about: {} }
}

/** Rows that decide whether the trial numbers are trial numbers. */
const ROWS_TO_JUDGE = 3

/**
 * Whether the numbers in `trial` count trials. Some forks write the task's index there: then no number is ever
 * shared by two tasks and none of the first rows differs from its task. Such numbers are dropped.
 */
export class TrialNumbers {
  readonly #taskOf = new Map<string, string>()
  #rows = 0
  #isShared = false
  #isTaskIndex = true

  /** Takes one row's task and trial. */
  see(task: string, trial: string | null): void {
    if (this.isDecided(false)) return
    this.#rows += 1
    if (trial === null) return
    if (trial !== task) this.#isTaskIndex = false
    const known = this.#taskOf.get(trial)
    if (known !== undefined && known !== task) this.#isShared = true
    this.#taskOf.set(trial, task)
  }

  /** Whether more rows would tell more. */
  isDecided(isLast: boolean): boolean {
    return isLast || this.#isShared || !this.#isTaskIndex || this.#rows >= ROWS_TO_JUDGE
  }

  /** Whether they count trials. */
  get areReal(): boolean {
    return this.#isShared || !this.#isTaskIndex || this.#taskOf.size < 2
  }
}
