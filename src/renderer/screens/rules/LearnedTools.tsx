// What is believed of the tools of one suite, and why: class and stage can be corrected, merges and masks taken back.
// A correction is a rule of the suite; "as learned" removes it again.

import type { ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { LearnedSuite, RuleRow } from '../../../contract/rulerows.ts'
import type { Rule } from '../../../model/rules.ts'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Select.tsx'
import { Text } from '../../kit/Text.tsx'
import { addRule, removeRule, replaceRule } from './changes.ts'
import styles from './Rules.module.css'

const CLASSES = ['read', 'check', 'write'] as const
const STAGES = ['identify', 'gather', 'check', 'compute', 'act']
const AS_LEARNED = 'as learned'
/** Masks shown at once: the commonest come first. */
const SHOWN_MASKS = 60

/** Why a path is not compared. */
const REASONS: Readonly<Record<LearnedSuite['masks'][number]['reason'], string>> = {
  name: 'by its name',
  'random value': 'random values',
  'differs between passing trials': 'differs between passing trials that asked the same',
  'never the same twice': 'never the same in two trials',
}

type Tool = LearnedSuite['tools'][number]

/** The tools of a suite, then merges and masks. */
export function LearnedTools({
  learned,
  rules,
}: {
  readonly learned: LearnedSuite
  readonly rules: readonly RuleRow[]
}): ReactElement {
  const byId = new Map(rules.map(({ rule }) => [rule.id, rule]))
  /** The suite's own rule of that id; one for every suite is not changed from here. */
  const own = (id: string | null): Rule | null => {
    const rule = id === null ? undefined : byId.get(id)
    return rule !== undefined && rule.suite === learned.suite ? rule : null
  }
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Class</th>
            <th scope="col">Stage</th>
            <th scope="col" className="number">
              Calls
            </th>
            <th scope="col" className="number">
              Tasks
            </th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {learned.tools.map((tool) => (
            <ToolLine
              key={tool.tool}
              tool={tool}
              suite={learned.suite}
              classRule={own(tool.classRule)}
              stageRule={own(tool.stageRule)}
            />
          ))}
        </tbody>
      </table>
      <Merges learned={learned} />
      <Masks learned={learned} />
    </>
  )
}

function ToolLine(props: {
  readonly tool: Tool
  readonly suite: string
  readonly classRule: Rule | null
  readonly stageRule: Rule | null
}): ReactElement {
  const { tool, suite, classRule, stageRule } = props
  const name = oneLine(tool.tool, 80)
  const setClass = (to: string): void => {
    const title = `Class of ${name}`
    if (to === AS_LEARNED) {
      if (classRule !== null) void removeRule(classRule, title)
      return
    }
    const chosen = CLASSES.find((one) => one === to)
    if (chosen === undefined) return
    const draft = { kind: 'tool-class', suite, tool: tool.tool, class: chosen } as const
    void (classRule === null ? addRule(draft, title) : replaceRule(classRule, draft, title))
  }
  const setStage = (to: string): void => {
    const title = `Stage of ${name}`
    if (to === AS_LEARNED) {
      if (stageRule !== null) void removeRule(stageRule, title)
      return
    }
    const draft = { kind: 'stage', suite, tool: tool.tool, stage: to } as const
    void (stageRule === null ? addRule(draft, title) : replaceRule(stageRule, draft, title))
  }
  const option = (id: string): { id: string; title: string } => ({ id, title: oneLine(id, 40) })
  const stages = STAGES.includes(tool.stage) ? STAGES : [...STAGES, tool.stage]
  return (
    <tr>
      <th scope="row">
        <Text value={tool.tool} mono />
        {tool.canonical === tool.tool ? null : (
          <span className={styles.kind}>
            counts as <Text value={tool.canonical} mono />
          </span>
        )}
      </th>
      <td>
        <Select
          label={`Class of ${name}`}
          layout="hidden label"
          value={tool.stepClass}
          options={[...CLASSES.map(option), ...(classRule === null ? [] : [option(AS_LEARNED)])]}
          onChange={setClass}
        />
      </td>
      <td>
        <Select
          label={`Stage of ${name}`}
          layout="hidden label"
          value={tool.stage}
          options={[...stages.map(option), ...(stageRule === null ? [] : [option(AS_LEARNED)])]}
          onChange={setStage}
        />
      </td>
      <td className="number">{tool.calls.toLocaleString('en-US')}</td>
      <td className="number">{tool.tasks.toLocaleString('en-US')}</td>
      <td className={styles.why}>
        <Text value={tool.reason} />
        {stageRule === null ? null : <span className="muted"> · stage set by a rule</span>}
      </td>
    </tr>
  )
}

function Merges({ learned }: { readonly learned: LearnedSuite }): ReactElement {
  return (
    <section aria-labelledby="merges" className={styles.part}>
      <h3 id="merges">Taken for one tool</h3>
      {learned.merges.length === 0 ? (
        <p className="muted">No two names gave the same results for the same arguments.</p>
      ) : (
        <ul className={styles.list}>
          {learned.merges.map((merge) => (
            <li key={`${merge.alias} ${merge.tool}`}>
              <span className={styles.grow}>
                <Text value={merge.alias} mono /> is <Text value={merge.tool} mono />
                <span className="muted">
                  {' '}
                  in {plural(merge.tasks, 'task')}
                  {merge.evidence === null
                    ? ''
                    : `: step ${merge.evidence.step} of one trial and step ${merge.evidence.otherStep} of ${merge.evidence.trialId === merge.evidence.otherTrialId ? 'the same' : 'another'} gave ${plural(merge.evidence.values, 'equal value')}`}
                </span>
              </span>
              <Button
                size="small"
                aria-label={`Keep apart: ${oneLine(merge.alias, 80)}`}
                onPress={() =>
                  void addRule(
                    { kind: 'apart', suite: learned.suite, tool: merge.alias },
                    `Kept apart: ${oneLine(merge.alias, 80)}`,
                  )
                }
              >
                Keep apart
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Masks({ learned }: { readonly learned: LearnedSuite }): ReactElement {
  const shown = learned.masks.slice(0, SHOWN_MASKS)
  return (
    <section aria-labelledby="masks" className={styles.part}>
      <h3 id="masks">Not compared in results, because it varies</h3>
      {shown.length === 0 ? <p className="muted">Every value of every result is compared.</p> : null}
      <ul className={styles.list}>
        {shown.map((mask) => (
          <li key={`${mask.tool} ${mask.path}`}>
            <span className={styles.grow}>
              <Text value={mask.tool} mono /> <Text value={mask.path} mono />
              <span className="muted">
                {' '}
                {REASONS[mask.reason]} · {mask.different.toLocaleString('en-US')} values in{' '}
                {plural(mask.seen, 'result')} ·{' '}
              </span>
              <span className={styles.examples}>
                {mask.examples.map((example) => (
                  <Text key={example} value={example} mono line limit={60} />
                ))}
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Compare it: ${oneLine(mask.path, 80)} of ${oneLine(mask.tool, 80)}`}
              onPress={() =>
                void addRule(
                  { kind: 'compared-path', suite: learned.suite, tool: mask.tool, path: mask.path },
                  `Compared: ${oneLine(mask.path, 80)}`,
                )
              }
            >
              Compare it
            </Button>
          </li>
        ))}
      </ul>
      {learned.masks.length > shown.length ? (
        <p className="muted">
          {learned.masks.length - shown.length} more, in fewer tasks: faultline rules learned lists them.
        </p>
      ) : null}
    </section>
  )
}
