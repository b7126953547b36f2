// PassCurve: pass^k for k = 1..n as a small column chart, 72×20, one column per k. Pure SVG for the window and
// for reports. The text twin lists the values; the drawing alone is never the only place where they stand.

import { INK, twoDecimals } from './ink.ts'

/** What the curve says in words: "pass^k: 1: 0.67, 2: 0.42"; long curves name their first, some and last values. */
export function curveText(values: readonly number[], name = 'pass^k'): string {
  if (values.length === 0) return `${name} not estimable`
  const listed = values.map((value, i) => `${i + 1}: ${twoDecimals(value)}`)
  const shown = listed.length <= 24 ? listed : [...listed.slice(0, 12), '…', ...listed.slice(-3)]
  return `${name} for k = 1 to ${values.length}. ${shown.join(', ')}`
}

/** A sparkline of pass^k. `values[i]` is the value at k = i + 1, in 0..1; empty draws the baseline only. */
export function PassCurve({
  values,
  width = 72,
  height = 20,
  name = 'pass^k',
}: {
  values: readonly number[]
  width?: number
  height?: number
  name?: string
}) {
  const label = curveText(values, name)
  const floor = height - 1.5
  const full = height - 4
  // A task with few trials keeps narrow columns: 8 px at most, so that n is seen in the width of the drawing.
  const pitch = Math.min(8, values.length === 0 ? 8 : (width - 2) / values.length)
  const gap = pitch >= 4 ? 1 : 0
  return (
    <svg
      className="mark mark-curve"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <line x1={1} x2={width - 1} y1={floor} y2={floor} stroke={INK.line} strokeWidth={1} opacity={0.6} />
      {values.map((value, i) => {
        const h = Math.max(value > 0 ? 1 : 0, full * Math.min(1, Math.max(0, value)))
        return (
          <rect
            key={i}
            x={1 + i * pitch}
            y={floor - h}
            width={Math.max(0.5, pitch - gap)}
            height={h}
            fill={INK.pass}
            fillOpacity={0.85}
          />
        )
      })}
    </svg>
  )
}
