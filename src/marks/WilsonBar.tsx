// WilsonBar: a pass rate with its doubt, 96×12: track from 0 to 1, the interval as a line, the estimate as a dot.
// Pure SVG for the window and for reports. Draws what it is given; computes no statistics.

import { INK, twoDecimals } from './ink.ts'

/** What the bar says in words: "6 of 9 passed, 95 % interval 0.35 to 0.88". */
export function wilsonText(passes: number, n: number, low: number | null, high: number | null): string {
  if (n === 0) return 'no trial counts: rate not estimable'
  const interval =
    low === null || high === null
      ? 'no interval'
      : `95 % interval ${twoDecimals(low)} to ${twoDecimals(high)}`
  return `${passes} of ${n} passed, ${interval}`
}

/** A Wilson interval bar. `passes` of `n` counted trials; `low` and `high` in 0..1, null when n is 0. */
export function WilsonBar({
  passes,
  n,
  low,
  high,
  width = 96,
  height = 12,
}: {
  passes: number
  n: number
  low: number | null
  high: number | null
  width?: number
  height?: number
}) {
  const label = wilsonText(passes, n, low, high)
  const edge = 4
  const x = (p: number): number => edge + p * (width - 2 * edge)
  const y = height / 2
  const hasInterval = n > 0 && low !== null && high !== null
  return (
    <svg
      className="mark mark-wilson"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <g stroke={INK.line} strokeWidth={1} opacity={0.6}>
        <line x1={x(0)} x2={x(1)} y1={y} y2={y} />
        {[0, 0.5, 1].map((p) => (
          <line key={p} x1={x(p)} x2={x(p)} y1={y - 3} y2={y + 3} />
        ))}
      </g>
      {hasInterval && (
        <line
          x1={x(low)}
          x2={Math.max(x(high), x(low) + 1)}
          y1={y}
          y2={y}
          stroke={INK.pass}
          strokeWidth={4}
          strokeOpacity={0.45}
        />
      )}
      {n > 0 && (
        <circle cx={x(passes / n)} cy={y} r={3.5} fill={INK.pass} stroke={INK.page} strokeWidth={1} />
      )}
    </svg>
  )
}
