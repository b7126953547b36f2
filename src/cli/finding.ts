// A finding as text: the headline, the sentence, how it was computed, and the ranked differences of one failing
// trial. From a TaskView to text; used by `task` and `diagnose`.

import type { FindingText, TaskView } from '../contract/rows.ts'
import type { Divergence } from '../model/analysis.ts'
import {
  countWords,
  effectWords,
  permutationWords,
  probability,
  stateWords,
} from '../core/reports/figures.ts'
import { safe, textTable, wrapped, type Column } from './layout.ts'
import type { Style } from './terminal.ts'

/** Longest sentence shown. */
const SENTENCE = 4000

/** The finding of the task, or of one failing trial; says the state where there is no lead. */
export function findingText(view: TaskView, trialId: string | null, style: Style, width: number): string {
  const text = trialId === null ? view.lead : (view.findings.find((f) => f.trialId === trialId) ?? null)
  const lines = text === null ? [] : words(text, style, width)
  const { analysis } = view
  if (view.analysisState === 'failed')
    return `The comparison could not be computed: ${safe(view.analysisFault?.message ?? '', 400)}`
  if (analysis === null) return `No lead: ${stateWords(view.row.lead.state)}.`
  const divergence =
    trialId === null ? analysis.lead : (analysis.findings.find((f) => f.trial === trialId)?.ranked[0] ?? null)
  if (divergence !== null) {
    lines.push(
      `seen in    ${countWords(divergence.counts)}`,
      `effect     ${effectWords(divergence)}`,
      `weight     ${probability(divergence.probability)} (${divergence.level})`,
    )
  }
  if (analysis.permutation.p !== null) lines.push(`chance     ${permutationWords(analysis.permutation)}`)
  if (analysis.tooFew)
    lines.push('           too few: with these trials no difference can be told from chance at 10 %')
  if (lines.length === 0) return `No lead: ${stateWords(analysis.state)}.`
  return lines.join('\n')
}

function words(text: FindingText, style: Style, width: number): string[] {
  const lines = [
    style.bold(wrapped(safe(text.headline, SENTENCE), width)),
    wrapped(safe(text.sentence, SENTENCE), width),
  ]
  if (!/a lead, not proof/i.test(text.sentence)) lines.push('A lead, not proof.')
  if (text.intervention !== null && !text.sentence.includes(text.intervention))
    lines.push(wrapped(`To test it: ${safe(text.intervention, SENTENCE)}`, width))
  return lines
}

/** The differences of one failing trial, best first. */
export function differencesText(view: TaskView, trialId: string, width: number): string {
  const ranked = view.analysis?.findings.find((finding) => finding.trial === trialId)?.ranked ?? []
  if (ranked.length === 0) return 'No difference was ranked for this trial.'
  const header: Column[] = [
    { title: 'rank', align: 'right' },
    { title: 'column', align: 'right' },
    { title: 'step', align: 'right' },
    { title: 'kind' },
    { title: 'stage: tool' },
    { title: 'failing' },
    { title: 'passing' },
    { title: 'weight', align: 'right' },
    { title: 'level' },
    { title: 'where and what' },
  ]
  return textTable(header, ranked.map(differenceRow), width)
}

function differenceRow(d: Divergence, index: number): readonly string[] {
  return [
    String(index + 1),
    String(d.column + 1),
    d.step === null ? '–' : String(d.step),
    d.kind,
    safe(`${d.stage}: ${d.tool}`, 44),
    `${d.counts.a}/${d.counts.F}`,
    `${d.counts.b}/${d.counts.P}`,
    probability(d.probability),
    d.isConsequence ? 'follows an earlier one' : d.isInert ? 'without effect' : d.level,
    facetText(d),
  ]
}

/** The argument or field in question with both values; one value where the shown parts are alike. */
function facetText(d: Divergence): string {
  if (d.facet === null) return ''
  const failing = safe(d.valueFail ?? 'absent', 40)
  const passing = safe(d.valuePass ?? 'absent', 40)
  return `${safe(d.facet, 30)}: ${failing === passing ? failing : `${failing} instead of ${passing}`}`
}
