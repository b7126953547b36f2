// The rules of the workspace as a plain list: what each says, for which suite, what it does at present; switched on
// and off, removed. Writing new ones is the command line's and a file's business so far.

import type { ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { RuleRow } from '../../../contract/rulerows.ts'
import { Button } from '../../kit/Button.tsx'
import { Checkbox } from '../../kit/Field.tsx'
import { DeleteIcon } from '../../kit/icons.ts'
import { Text } from '../../kit/Text.tsx'
import { removeRule, switchRule } from './changes.ts'
import styles from './Rules.module.css'

/** What a rule does at present, in words. */
export function effectWords({ rule, effect }: RuleRow): string {
  if (!rule.enabled) return 'switched off'
  if (effect.is === 'events') {
    const cost = effect.costUsd === null ? '' : `, $${effect.costUsd.toFixed(2)}`
    return `${plural(effect.events, 'event')} in ${plural(effect.trials, 'trial')}${cost}`
  }
  if (effect.is === 'outcomes')
    return `${plural(effect.trials, 'trial')} judged, ${effect.changed} with another outcome`
  return `bears on ${plural(effect.tasks, 'task')}`
}

/** The list; one line per rule. */
export function RuleTable({ rows }: { readonly rows: readonly RuleRow[] }): ReactElement {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Suite</th>
          <th scope="col">Effect</th>
          <th scope="col">
            <span className="hidden-text">Switch and remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <RuleLine key={row.rule.id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function RuleLine({ row }: { readonly row: RuleRow }): ReactElement {
  const { rule, words } = row
  return (
    <tr className={rule.enabled ? undefined : styles.off}>
      <th scope="row" className={styles.words}>
        <Text value={words} />
        <span className={styles.kind}>
          {'severity' in rule ? `${rule.severity} event ` : rule.kind.replaceAll('-', ' ')}
          {'event' in rule ? <Text value={rule.event} mono /> : null}
          {rule.note === '' ? null : (
            <>
              {' · '}
              <Text value={rule.note} />
            </>
          )}
        </span>
      </th>
      <td>
        {rule.suite === null ? <span className="muted">every suite</span> : <Text value={rule.suite} />}
      </td>
      <td className={styles.effect}>{effectWords(row)}</td>
      <td>
        <div className={styles.lineActions}>
          <Checkbox isSelected={rule.enabled} onChange={(isOn) => void switchRule(rule, isOn)}>
            on<span className="hidden-text">: {oneLine(words, 200)}</span>
          </Checkbox>
          <Button
            size="small"
            variant="quiet"
            icon={DeleteIcon}
            aria-label={`Remove: ${oneLine(words, 200)}`}
            onPress={() => void removeRule(rule)}
          >
            Remove
          </Button>
        </div>
      </td>
    </tr>
  )
}
