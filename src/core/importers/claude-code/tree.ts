// The lines of a session form a tree by parentUuid: a rewind or an edited prompt starts a branch. Here the chain that
// ends at the last line is found, and what belongs to it although it is no ancestor of that line: the other calls of
// the same API message, and their results. Pure; safe against lines that are their own ancestor.

import { canonicalJson } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import { asText } from '../fields.ts'
import { answeredCalls, isSpoken, madeCalls, promptOf, type Line } from './lines.ts'

/** A part of the session that was left by a rewind. */
export type Branch = {
  readonly firstUuid: string | null
  readonly lines: number
  readonly prompt: string | null
  readonly at: string | null
}

/** What the tree gave. */
export type Chain = {
  readonly lines: readonly Line[]
  readonly branches: readonly Branch[]
  /** Lines whose parent is not in the file. */
  readonly orphans: number
  /** Lines that are in a circle of parents. */
  readonly circles: number
}

/** Lines without those that stand again, word for word, under the same uuid; and how often that was, or was not so. */
export function withoutDuplicates(lines: readonly Line[]): {
  readonly lines: readonly Line[]
  readonly dropped: number
  readonly differing: number
} {
  const seen = new Map<string, Set<string>>()
  const kept: Line[] = []
  let dropped = 0
  let differing = 0
  for (const line of lines) {
    const content =
      line.uuid === null ? null : `${line.type} ${canonicalJson(line.fields['message'] ?? null)}`
    const known = line.uuid === null ? undefined : seen.get(line.uuid)
    if (content !== null && known?.has(content) === true) {
      dropped += 1
      continue
    }
    if (known !== undefined && content !== null) {
      differing += 1
      known.add(content)
    } else if (line.uuid !== null && content !== null) seen.set(line.uuid, new Set([content]))
    kept.push(line)
  }
  return { lines: kept, dropped, differing }
}

/** The parent of every line, by position; -1 for a root. */
function parentsOf(lines: readonly Line[]): { parents: number[]; orphans: number } {
  const all = new Map<string, number[]>()
  lines.forEach((line, i) => {
    const same = line.uuid === null ? [] : all.get(line.uuid)
    if (same !== undefined) same.push(i)
    else if (line.uuid !== null) all.set(line.uuid, [i])
  })
  /** The nearest earlier line of that uuid, else a later one; never the line itself. */
  const find = (uuid: string | null, from: number): number => {
    const places = uuid === null ? [] : (all.get(uuid) ?? [])
    return places.findLast((place) => place < from) ?? places.find((place) => place > from) ?? -1
  }
  const isTree = lines.some((line, i) => find(line.parent, i) >= 0)
  let orphans = 0
  let before = -1
  let hasSpoken = false
  const parents = lines.map((line, i) => {
    const own = find(line.parent, i)
    const logical = own >= 0 ? own : find(asText(line.fields['logicalParentUuid']), i)
    let parent = logical
    if (parent < 0) {
      if (line.parent !== null && line.parent !== line.uuid) orphans += 1
      // A second beginning in a file that is a tree otherwise: the first prompt was edited.
      const isRoot = isTree && hasSpoken && line.parent === null && promptOf(line) !== null
      parent = isRoot ? -1 : before
    }
    if (isSpoken(line)) {
      before = i
      hasSpoken = true
    }
    return parent
  })
  return { parents, orphans }
}

/** The chain that ends at the last line that anybody spoke. */
export function followChain(lines: readonly Line[]): Chain {
  const { parents, orphans } = parentsOf(lines)
  const kept = new Set<number>()
  let circles = 0
  for (let at = lines.findLastIndex(isSpoken); at >= 0; at = parents[at] ?? -1) {
    if (kept.has(at)) {
      circles += 1
      break
    }
    kept.add(at)
  }
  const ids = new Set<string>()
  for (const at of kept) {
    const id = lines[at]?.kind === 'assistant' ? (lines[at]?.messageId ?? null) : null
    if (id !== null) ids.add(id)
  }
  // The lines of one API message hang one below the other, and results beside them.
  lines.forEach((line, i) => {
    if (line.kind === 'assistant' && line.messageId !== null && ids.has(line.messageId)) kept.add(i)
  })
  const open = new Set([...kept].flatMap((at) => madeCalls(lines[at] as Line)))
  for (const at of kept) for (const id of answeredCalls(lines[at] as Line)) open.delete(id)
  lines.forEach((line, i) => {
    const answers = kept.has(i) || line.kind !== 'user' ? [] : answeredCalls(line)
    if (answers.length === 0 || !answers.every((id) => open.has(id))) return
    kept.add(i)
    for (const id of answers) open.delete(id)
  })
  const chain = lines.filter((line, i) => isSpoken(line) && kept.has(i))
  return { lines: chain, branches: branchesOf(lines, parents, kept), orphans, circles }
}

function branchesOf(lines: readonly Line[], parents: readonly number[], kept: ReadonlySet<number>): Branch[] {
  const groups = new Map<number, number[]>()
  const roots: number[] = []
  lines.forEach((line, i) => {
    const parent = parents[i] ?? -1
    const isLeft = isSpoken(line) && !kept.has(i)
    // Quiet lines may stand between two that were left.
    const above = parent < 0 || parent >= i ? i : (roots[parent] ?? i)
    roots[i] = kept.has(i) || parent < 0 || kept.has(parent) ? i : above
    const root = roots[i] as number
    const group = groups.get(root)
    if (isLeft && group !== undefined) group.push(i)
    else if (isLeft) groups.set(root, [i])
  })
  return [...groups.values()].map((members) => {
    const own = members.map((at) => lines[at] as Line)
    const prompt = own.map(promptOf).find((text) => text !== null) ?? null
    return {
      firstUuid: own[0]?.uuid ?? null,
      lines: own.length,
      prompt: prompt === null ? null : oneLine(prompt, 200),
      at: own[0]?.at ?? null,
    }
  })
}
