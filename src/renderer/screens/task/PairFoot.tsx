// The foot of the step pair: how the two steps are looked at, the raw record, and what can be taken along.

import type { ReactElement, ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import { RawIcon, SplitIcon, SwapIcon, UnifiedIcon, WrapIcon } from '../../kit/icons.ts'
import { usePairLook } from './pairlook.ts'
import styles from './Pair.module.css'

/** Props of PairFoot. `raw` names whose record is shown, null the comparison; `said` counts the differences. */
export type PairFootProps = {
  readonly raw: 'reference' | 'trial' | null
  readonly hasReference: boolean
  readonly said: string
  readonly onSwap: () => void
  readonly onRaw: () => void
  readonly onRawSide: () => void
  /** Copies and what else stands at the right. */
  readonly children: ReactNode
}

/** The foot. */
export function PairFoot(props: PairFootProps): ReactElement {
  const { raw, hasReference, said, onSwap, onRaw, onRawSide, children } = props
  const { isUnified, isWrapped, asText, ignoreSpace, set } = usePairLook()
  return (
    <div className={styles.foot}>
      <Button
        size="small"
        variant="quiet"
        icon={isUnified ? UnifiedIcon : SplitIcon}
        onPress={() => set({ isUnified: !isUnified })}
      >
        {isUnified ? 'Unified' : 'Split'}
      </Button>
      <Button
        size="small"
        variant="quiet"
        icon={WrapIcon}
        aria-pressed={isWrapped}
        onPress={() => set({ isWrapped: !isWrapped })}
      >
        Wrap
      </Button>
      <Button
        size="small"
        variant="quiet"
        aria-pressed={ignoreSpace}
        onPress={() => set({ ignoreSpace: !ignoreSpace })}
      >
        Ignore space
      </Button>
      <Button size="small" variant="quiet" onPress={() => set({ asText: !asText })}>
        {asText ? 'As text' : 'As JSON'}
      </Button>
      <Button size="small" variant="quiet" icon={SwapIcon} onPress={onSwap}>
        Swap
      </Button>
      <Button size="small" variant="quiet" icon={RawIcon} aria-pressed={raw !== null} onPress={onRaw}>
        {raw === null ? 'Show raw' : 'Show comparison'}
      </Button>
      {raw === null ? null : (
        <Button size="small" variant="quiet" isDisabled={!hasReference} onPress={onRawSide}>
          raw of the {raw} ⇄
        </Button>
      )}
      <span className={styles.count} role="status">
        {said}
      </span>
      <span className={styles.push} />
      {children}
    </div>
  )
}
