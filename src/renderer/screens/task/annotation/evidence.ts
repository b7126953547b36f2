// Which step is open, as evidence: the words selected in the step pair with their part and side, else the trial's
// step itself. Reads the selection of the page; changes nothing.

import type { Evidence } from '../../../../model/annotation.ts'
import type { TaskView } from '../../../../contract/rows.ts'
import { consensusLane } from '../laneLayout.ts'
import { pairRefs } from '../pairRefs.ts'
import type { TaskPlace } from '../taskplace.ts'

const PARTS = ['arguments', 'observation', 'said'] as const
const QUOTE_CHARS = 2000

type Selected = {
  readonly quote: string
  readonly part: Evidence['part']
  readonly side: 'left' | 'right' | null
}

/** The words selected inside a compared step, or null. */
function selectedWords(): Selected | null {
  const selection = document.getSelection()
  const quote = selection?.toString().trim() ?? ''
  const node = selection?.anchorNode
  const element = node instanceof Element ? node : (node?.parentElement ?? null)
  const section = element?.closest<HTMLElement>('[data-section]')
  if (quote === '' || section === null || section === undefined) return null
  const side = element?.closest<HTMLElement>('[data-trial]')?.dataset['trial']
  return {
    quote: quote.slice(0, QUOTE_CHARS),
    part: PARTS.find((part) => part === section.dataset['section']) ?? 'step',
    side: side === 'left' || side === 'right' ? side : null,
  }
}

/** What "add evidence" would add at this place; null when no step is open. Called when it is pressed. */
export function evidenceAt(
  view: TaskView,
  place: TaskPlace,
  trialId: string,
): (() => Evidence | undefined) | null {
  const { analysis } = view
  if (place.lens === 'steps') {
    const { step } = place
    if (step === null || place.trial === null) return null
    const trial = place.trial
    return () => {
      const words = selectedWords()
      return { trialId: trial, step, part: words?.part ?? 'step', quote: words?.quote ?? null }
    }
  }
  if (analysis === null || place.column === null) return null
  const reference = place.reference ?? consensusLane(analysis)?.lane.trial ?? null
  const { left, right } = pairRefs(analysis, reference, trialId, place.column)
  if (left === null && right === null) return null
  return () => {
    const words = selectedWords()
    // The step pair draws the reference's words with data-trial="left", whichever side they stand on.
    const ref = words?.side === 'left' ? left : (right ?? left)
    if (ref === null) return undefined
    return { trialId: ref.trialId, step: ref.step, part: words?.part ?? 'step', quote: words?.quote ?? null }
  }
}
