// A conflict of annotations: both texts, and the choice. Nothing is saved until one is chosen, nothing is lost.

import type { ReactElement } from 'react'
import type { Annotation, AnnotationDraft } from '../../../../model/annotation.ts'
import type { Taxonomy } from '../../../../model/taxonomy.ts'
import { Button } from '../../../kit/Button.tsx'
import { Text } from '../../../kit/Text.tsx'
import { causeName } from './causes.ts'
import styles from './Annotation.module.css'

function Words({
  draft,
  taxonomy,
}: {
  readonly draft: AnnotationDraft
  readonly taxonomy: Taxonomy | undefined
}): ReactElement {
  return (
    <dl className={styles.words}>
      <dt>causes</dt>
      <dd>
        <Text value={draft.causes.map((id) => causeName(taxonomy, id)).join(', ') || 'none'} />
      </dd>
      <dt>severity</dt>
      <dd>{draft.severity}</dd>
      <dt>divergence</dt>
      <dd>{draft.verdict ?? 'not judged'}</dd>
      <dt>note</dt>
      <dd>
        <Text as="div" value={draft.note || 'none'} />
      </dd>
    </dl>
  )
}

/** Both sides and two buttons. `theirs` null: it was deleted elsewhere. */
export function Conflict(props: {
  readonly mine: AnnotationDraft
  readonly theirs: Annotation | null
  readonly taxonomy: Taxonomy | undefined
  readonly onResolve: (keep: 'mine' | 'theirs') => void
}): ReactElement {
  const { mine, theirs, taxonomy, onResolve } = props
  return (
    <div role="alert" className={styles.conflict}>
      <p className={styles.conflictTitle}>
        Changed elsewhere since you opened it. Nothing is saved until you choose.
      </p>
      <h3>Yours</h3>
      <Words draft={mine} taxonomy={taxonomy} />
      <Button size="small" onPress={() => onResolve('mine')}>
        Keep mine
      </Button>
      <h3>The other</h3>
      {theirs === null ? <p>deleted</p> : <Words draft={theirs} taxonomy={taxonomy} />}
      <Button size="small" onPress={() => onResolve('theirs')}>
        Take the other
      </Button>
    </div>
  )
}
