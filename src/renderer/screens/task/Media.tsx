// Images and other bytes behind the placeholders of a step: named with type and size, opened on demand, and only pictures
// of plain kinds are drawn. Their bytes come from the trial's original record; nothing is loaded from elsewhere.

import { useState, type ReactElement } from 'react'
import { useAsk } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { CopyButton, ErrorState, Loading } from '../../kit/States.tsx'
import styles from './Steps.module.css'

/** What the core writes in place of bytes. */
const PLACEHOLDER =
  /\[(\w{1,20})(?:, ([\w.+-]{1,60}\/[\w.+-]{1,60}))?, ([\d,]{1,20}) bytes, sha256 ([0-9a-f]{8})\]/g
/** Kinds that are drawn: pictures without a language of their own. */
const DRAWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Buttons of one step; the rest is counted. */
const SHOWN = 8

type Found = { readonly hash: string; readonly words: string }

/** The placeholders in texts, each once. */
export function mediaOf(texts: readonly (string | null)[]): readonly Found[] {
  const found = new Map<string, Found>()
  for (const text of texts)
    for (const [, kind, type, bytes, hash] of (text ?? '').matchAll(PLACEHOLDER))
      if (hash !== undefined) found.set(hash, { hash, words: `${type ?? kind ?? 'data'}, ${bytes} bytes` })
  return [...found.values()]
}

/** Buttons for the media of a step; nothing where there is none. */
export function Media({
  trialId,
  texts,
}: {
  readonly trialId: string
  readonly texts: readonly (string | null)[]
}): ReactElement | null {
  const [open, setOpen] = useState<Found | null>(null)
  const found = mediaOf(texts)
  if (found.length === 0) return null
  return (
    <div className={styles.media}>
      {found.slice(0, SHOWN).map((one) => (
        <Button key={one.hash} size="small" onPress={() => setOpen(one)}>
          Show {one.words}
        </Button>
      ))}
      {found.length > SHOWN ? <span className="muted">and {found.length - SHOWN} more</span> : null}
      {open === null ? null : <Medium trialId={trialId} found={open} onClose={() => setOpen(null)} />}
    </div>
  )
}

function Medium({
  trialId,
  found,
  onClose,
}: {
  readonly trialId: string
  readonly found: Found
  readonly onClose: () => void
}): ReactElement {
  const { data, fault } = useAsk('trials.medium', { trialId, hash: found.hash })
  const [isBroken, setBroken] = useState(false)
  const canDraw = data !== undefined && data.type !== null && DRAWN.has(data.type) && !isBroken
  return (
    <Dialog
      title={found.words}
      isOpen
      size="large"
      onClose={onClose}
      actions={
        data === undefined ? undefined : <CopyButton text={() => data.base64} label="Copy as base64" />
      }
    >
      {fault !== null ? (
        <ErrorState fault={fault} title="It cannot be shown" />
      ) : data === undefined ? (
        <Loading what="Reading the bytes…" />
      ) : canDraw ? (
        <img
          className={styles.picture}
          src={`data:${data.type};base64,${data.base64.replaceAll('-', '+').replaceAll('_', '/')}`}
          alt={`What the trial held: ${found.words}`}
          onError={() => setBroken(true)}
        />
      ) : (
        <p>
          {isBroken || (data.type !== null && DRAWN.has(data.type))
            ? 'These bytes begin like a picture and are none that can be drawn.'
            : `These bytes are ${data.type ?? 'of no known kind'}: only PNG, JPEG, GIF and WebP are drawn here.`}
        </p>
      )}
    </Dialog>
  )
}
