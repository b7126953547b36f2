// The original record of a trial as it stood in its file, in pages. Text only; nothing in it is interpreted.

import { useQueries } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { question } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { CopyButton, ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { toFaultData } from '../../../base/fault.ts'
import styles from './Pair.module.css'

const PAGE_CHARS = 100_000

/** A trial's record, its first page and, on demand, the next ones. */
export function RawPane({ trialId }: { readonly trialId: string }): ReactElement {
  const [pages, setPages] = useState(1)
  const answers = useQueries({
    queries: Array.from({ length: pages }, (_, i) =>
      question('trials.raw', { trialId, offset: i * PAGE_CHARS, limit: PAGE_CHARS }),
    ),
  })
  const failed = answers.find((answer) => answer.error !== null)
  if (failed?.error) return <ErrorState fault={toFaultData(failed.error)} compact />
  const pieces = answers.flatMap((answer) => (answer.data === undefined ? [] : [answer.data]))
  const first = pieces[0]
  if (first === undefined) return <Loading what="Reading the record…" rows={4} />
  const chars = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
  return (
    <>
      <p className={styles.note}>
        <Text value={first.fileName} mono />, record {first.record.toLocaleString('en-US')} ·{' '}
        {chars.toLocaleString('en-US')} of {first.totalChars.toLocaleString('en-US')} characters{' '}
        <CopyButton text={() => pieces.map((piece) => piece.text).join('')} label="Copy what is shown" />
      </p>
      <div className={styles.raw}>
        {pieces.map((piece) => (
          <Text key={piece.offset} value={piece.text} limit={PAGE_CHARS} />
        ))}
      </div>
      {chars < first.totalChars ? (
        <p className={styles.note}>
          <Button
            size="small"
            onPress={() => setPages(pages + 1)}
            isDisabled={answers.some((answer) => answer.isPending)}
          >
            Show the next {Math.min(PAGE_CHARS, first.totalChars - chars).toLocaleString('en-US')} characters
          </Button>
        </p>
      ) : null}
    </>
  )
}
