// Names in outcome files and of outcome files: which column is what, and what a path tells of a trial. Pure.

import { wellFormed } from '../../../base/text.ts'

/** What a column or key can be. */
export type FieldRole =
  'task' | 'trial' | 'id' | 'file' | 'suite' | 'model' | 'agent' | 'label' | 'cost' | 'error'

const ROLES: Readonly<Record<FieldRole, readonly string[]>> = {
  task: 'taskid task instanceid instance testcase testname problemid problem caseid case questionid sampleid taskname'.split(
    ' ',
  ),
  trial:
    'trial trialindex trialnumber trialno run runindex runnumber attempt epoch repetition repeat rep'.split(
      ' ',
    ),
  id: 'trialid runid sessionid traceid trajectoryid sourceid uuid'.split(' '),
  file: 'file filename path trajectory trajectoryfile logfile'.split(' '),
  suite: 'suite domain dataset benchmark'.split(' '),
  model: 'model modelname modelnameorpath'.split(' '),
  agent: 'agent agentname'.split(' '),
  label: 'config configuration configid variant'.split(' '),
  cost: 'costusd cost totalcostusd'.split(' '),
  error: 'errormessage errortype exception'.split(' '),
}
const ROLE_OF = new Map(
  (Object.entries(ROLES) as [FieldRole, readonly string[]][]).flatMap(([role, names]) =>
    names.map((name) => [name, role] as const),
  ),
)

/** Fields that say an outcome, the one that decides by itself first. */
export const OUTCOME_FIELDS: readonly string[] =
  'outcome passed pass success successful resolved isresolved solved correct iscorrect verdict result reward score grade'.split(
    ' ',
  )

/** A column's name without case and signs: `Task ID` → `taskid`. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}^@]/gu, '')
}

/** What a column is by its name; null when the name says nothing. */
export function roleOf(name: string): FieldRole | null {
  return ROLE_OF.get(bareName(name)) ?? null
}

/** Place of a name in the order of outcome fields; -1 when it is none. */
export function outcomeRank(name: string): number {
  return OUTCOME_FIELDS.indexOf(bareName(name))
}

const TRIAL_COLUMN = /^(?:trial|run|attempt|epoch|rep|repetition|seed)[ _-]?#?(\d+)$/i

/** The trial that a matrix column stands for: `Trial_3` → `3`; null for another column. */
export function trialOfColumn(name: string): string | null {
  return TRIAL_COLUMN.exec(name.trim())?.[1] ?? null
}

const DERIVED = /^pass(?:\^|_hat_?|@|_at_?)(\d+)$/i

/** The k of a column `pass^k` (`hat`) or `pass@k` (`at`), which a matrix may carry beside its trials. */
export function derivedColumn(name: string): { readonly kind: 'hat' | 'at'; readonly k: number } | null {
  const found = DERIVED.exec(name.trim())
  // pass^0 is 1 whatever was tried: nothing to compare.
  if (found === null || Number(found[1]) < 1) return null
  return { kind: /[@]|_at/i.test(name) ? 'at' : 'hat', k: Number(found[1]) }
}

const FOLDER_TRIAL = /^(?:trial|run|attempt|repetition|repeat|rep|try|epoch)[-_. ]?(\d+)$/i

/** The trial that a path names by a folder or its file: `run/trial_2/eval.json` → `2`; null when it names none. */
export function trialOfPath(path: string): string | null {
  for (const part of path.split('/').toReversed()) {
    const found = FOLDER_TRIAL.exec(part.replace(/\.[^.]*$/, ''))?.[1] ?? FOLDER_TRIAL.exec(part)?.[1]
    if (found !== undefined) return found
  }
  return null
}

/** A path's last name without its extensions: `a/task_18.jsonl.gz` → `task_18`. */
export function stemOfPath(path: string): string {
  const base = path.split(/[/\\]/).at(-1) ?? ''
  return base.replace(/(?:\.(?:jsonl|ndjson|json|csv|tsv|txt|log|gz|traj|eval))+$/i, '')
}

/** The folder of a path; `''` at the top. */
export function folderOfPath(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

const SAYS_NOTHING =
  /^(?:results?|outcomes?|outputs?|scores?|grades?|rewards?|reports?|labels?|evals?|eval[-_]results?|evaluations?|summary|matrix|table|data|index|file|trials?|runs?)?[-_. \d]*$/i

/**
 * What the trials of an outcome file are told apart by: the telling part of its name, else of the nearest folder that
 * names no trial. Null when nothing tells.
 */
export function labelOfPath(path: string): string | null {
  const parts = wellFormed(path).split('/')
  const own = stemOfPath(path).replace(/[-_.](?:eval_)?(?:results?|outcomes?|report|scores?)$/i, '')
  const candidates = [own, ...parts.slice(0, -1).toReversed()]
  return candidates.find((part) => !SAYS_NOTHING.test(part) && !FOLDER_TRIAL.test(part)) ?? null
}
