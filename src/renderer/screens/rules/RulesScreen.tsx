// Rules: what the workspace declares, with what it does, and what is believed of the tools of a suite without being
// told. Everything that is changed here can be undone.

import { useEffect, useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { LearnedSuite } from '../../../contract/rulerows.ts'
import { useAsk, useJob } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Progress } from '../../kit/Progress.tsx'
import { Select } from '../../kit/Select.tsx'
import { ErrorState, Loading } from '../../kit/States.tsx'
import type { Place } from '../../shell/places.ts'
import { Region } from '../../shell/Region.tsx'
import { usePlace } from '../../shell/useplace.ts'
import { LearnedTools } from './LearnedTools.tsx'
import { RuleTable } from './RuleTable.tsx'
import styles from './Rules.module.css'

/** The Rules screen. */
export function RulesScreen({ place }: { readonly place: Extract<Place, { at: 'rules' }> }): ReactElement {
  const { go } = usePlace()
  const { data: list, fault } = useAsk('rules.list', {})
  const suites = list?.suites ?? []
  const suite = place.suite !== null && suites.includes(place.suite) ? place.suite : (suites[0] ?? null)
  return (
    <Region label="Rules" context="app" className={styles.screen}>
      <div className={styles.inner}>
        <h1>Rules</h1>
        {fault !== null ? <ErrorState compact fault={fault} /> : null}
        {list === undefined ? (
          fault === null ? (
            <Loading what="Reading the rules…" />
          ) : null
        ) : (
          <>
            <section aria-label="Rules of this workspace" className={styles.part}>
              {list.rows.length === 0 ? (
                <p className="muted">
                  None yet. A rule says what a pass is, what is harmful, or what a tool does. New ones come
                  from the command line (<code>faultline rules add</code>), from a rules file, or by
                  correcting a tool below.
                </p>
              ) : (
                <RuleTable rows={list.rows} />
              )}
              <Judging waiting={list.waitingTrials} failed={list.failedTrials} />
            </section>
            <section aria-labelledby="learned" className={styles.part}>
              <div className={styles.titleRow}>
                <h2 id="learned">Tools as they are understood</h2>
                {suites.length > 1 ? (
                  <Select
                    label="Suite"
                    value={suite}
                    options={suites.map((id) => ({ id, title: oneLine(id, 60) || '(no suite)' }))}
                    onChange={(id) => go({ at: 'rules', suite: id })}
                  />
                ) : null}
              </div>
              {suite === null ? (
                <p className="muted">Import trials first.</p>
              ) : (
                <Learned suite={suite} rules={list.rows} />
              )}
            </section>
          </>
        )}
      </div>
    </Region>
  )
}

/** Trials that wait to be judged, with the way to hurry or stop it. */
function Judging({
  waiting,
  failed,
}: {
  readonly waiting: number
  readonly failed: number
}): ReactElement | null {
  const job = useJob('rules.apply')
  if (waiting === 0 && failed === 0 && job.fault === null) return null
  const total = job.progress?.total ?? 0
  return (
    <div className={styles.judging}>
      {waiting === 0 ? null : (
        <>
          <span role="status">{plural(waiting, 'trial')} still to be judged by the rules</span>
          {job.isRunning ? (
            <>
              <Progress
                label="Judging trials"
                value={total === 0 ? null : (job.progress?.done ?? 0) / total}
              />
              <Button size="small" onPress={job.cancel}>
                Stop
              </Button>
            </>
          ) : (
            <Button size="small" onPress={() => void job.start({}).catch(() => undefined)}>
              Judge them now
            </Button>
          )}
        </>
      )}
      {failed === 0 ? null : (
        <span>
          {plural(failed, 'trial')} could not be judged (damaged record); they keep what was imported
        </span>
      )}
      {job.fault === null ? null : <ErrorState compact fault={job.fault} />}
    </div>
  )
}

/** What is believed of a suite; read again when a rule changes. The last answer stays meanwhile. */
function Learned({
  suite,
  rules,
}: {
  readonly suite: string
  readonly rules: Parameters<typeof LearnedTools>[0]['rules']
}): ReactElement {
  const job = useJob('rules.learned')
  const [learned, setLearned] = useState<LearnedSuite | null>(null)
  const { start } = job
  const revisions = rules.map(({ rule }) => `${rule.id} ${rule.revision}`).join()
  useEffect(() => {
    let isOld = false
    start({ suite }).then(
      (answer) => (isOld ? undefined : setLearned(answer)),
      // The job shows its fault itself.
      () => undefined,
    )
    return () => {
      isOld = true
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a changed rule changes the answer
  }, [start, suite, revisions])
  if (job.fault !== null) return <ErrorState compact fault={job.fault} />
  if (learned === null || learned.suite !== suite) {
    const { done = 0, total = 0 } = job.progress ?? {}
    return (
      <Loading what={total === 0 ? 'Reading the tools…' : `Reading ${done} of ${plural(total, 'task')}…`} />
    )
  }
  return <LearnedTools learned={learned} rules={rules} />
}
