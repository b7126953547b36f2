// The class and the stage of each tool, with the reason. Recorded effects come first, then what a person set, then
// the shell program, then the words of the name. The most important input of the analysis: it is shown and corrected.

import type { ClassCode } from './constants.ts'
import { CHECK, READ, WRITE } from './constants.ts'
import type { Act } from './input.ts'
import type { AnalysisOptions, ToolClass } from './options.ts'
import { classOfProgram } from './shell.ts'
import { classOfName, matchesGlob, stageOfName } from './words.ts'

/** What is believed of a tool. */
export type ToolVerdict = { readonly cls: ClassCode; readonly stage: string; readonly reason: string }

/** The verdicts of one task, by tool name and stage named by the source; made once per pair. */
export class ToolClasses {
  readonly #options: AnalysisOptions
  readonly #withEffects: ReadonlySet<string>
  readonly #behaviour: ReadonlyMap<string, ToolClass>
  readonly #known = new Map<string, ToolVerdict>()

  constructor(
    options: AnalysisOptions,
    withEffects: ReadonlySet<string>,
    behaviour: ReadonlyMap<string, ToolClass>,
  ) {
    this.#options = options
    this.#behaviour = behaviour
    this.#withEffects = withEffects
  }

  /** Class, stage and reason of the tool of an act. */
  of(act: Act): ToolVerdict {
    const key = act.stage === null ? act.tool : `${act.tool}\n${act.stage}`
    let verdict = this.#known.get(key)
    if (verdict === undefined) {
      verdict = this.#judge(act)
      this.#known.set(key, verdict)
    }
    return verdict
  }

  #judge(act: Act): ToolVerdict {
    const set = this.#setByPerson(act)
    const program = act.program === null ? null : classOfProgram(act.program)
    const named = classOfName(act.sourceTool)
    const seen = named.isKnown ? undefined : this.#behaviour.get(act.tool)
    const { isWrite, reason } = this.#withEffects.has(act.tool)
      ? { isWrite: true, reason: 'recorded effects' }
      : set !== null
        ? { isWrite: set === 'write', reason: `set to ${set}` }
        : program !== null
          ? { isWrite: program === 'write', reason: `shell program “${act.program}”` }
          : seen === undefined || seen === 'write'
            ? named
            : { isWrite: false, reason: 'no known verb in the name: its results tell what was not asked' }
    const stage =
      act.stage ?? this.#stageByPerson(act) ?? this.#stageBySelf(act, isWrite, set ?? program ?? seen ?? null)
    const isCheck = !isWrite && (set === 'check' || (set === null && stage === 'check'))
    return { cls: isWrite ? WRITE : isCheck ? CHECK : READ, stage, reason }
  }

  #setByPerson(act: Act): 'read' | 'check' | 'write' | null {
    const classes = this.#options.toolClasses
    if (classes === undefined) return null
    // The most particular name first: an operation of a generic tool, then the tool as a whole.
    for (const name of [act.tool, act.sourceTool, act.tool.split(':', 1)[0] ?? '']) {
      if (Object.hasOwn(classes, name)) return classes[name] ?? null
    }
    return null
  }

  #stageByPerson(act: Act): string | null {
    const rule = this.#options.stages?.find(
      (stage) => matchesGlob(stage.tool, act.tool) || matchesGlob(stage.tool, act.sourceTool),
    )
    return rule?.stage ?? null
  }

  #stageBySelf(act: Act, isWrite: boolean, cls: 'read' | 'check' | 'write' | null): string {
    if (isWrite) return 'act'
    if (cls === 'check') return 'check'
    return act.program === null ? stageOfName(act.sourceTool, false) : 'gather'
  }
}
