// ReliabilityCurve: pass^k (all of k pass) and pass@k (one of k passes) over k, with axes and the values at the
// ends. Pure SVG for the stats lens and for reports. Points that are not estimable are left out, never drawn as 0.

import { INK, twoDecimals } from './ink.ts'

/** One k of the curve; null where the value is not estimable. */
export type CurvePoint = { readonly k: number; readonly hat: number | null; readonly at: number | null }

type Placed = { readonly k: number; readonly value: number }

function placed(points: readonly CurvePoint[], of: 'hat' | 'at'): Placed[] {
  return points.flatMap((point) => {
    const value = point[of]
    return value === null ? [] : [{ k: point.k, value }]
  })
}

/** What the chart says in words. */
export function reliabilityText(points: readonly CurvePoint[]): string {
  const line = (name: string, of: 'hat' | 'at'): string => {
    const known = placed(points, of)
    const first = known[0]
    const last = known.at(-1)
    if (first === undefined || last === undefined) return `${name} not estimable`
    return `${name} from ${twoDecimals(first.value)} at k = ${first.k} to ${twoDecimals(last.value)} at k = ${last.k}`
  }
  return `${line('pass^k', 'hat')}; ${line('pass@k', 'at')}`
}

/** Both curves, 360×180 unless told otherwise. */
export function ReliabilityCurve({
  points,
  width = 360,
  height = 180,
}: {
  points: readonly CurvePoint[]
  width?: number
  height?: number
}) {
  const left = 32
  const right = 96
  const top = 10
  const bottom = 26
  const last = Math.max(2, ...points.map((point) => point.k))
  const x = (k: number): number => left + ((k - 1) / (last - 1)) * (width - left - right)
  const y = (p: number): number => top + (1 - p) * (height - top - bottom)
  const everyK = Math.max(1, Math.ceil(points.length / 10))
  const label = reliabilityText(points)
  const lines = [
    { name: 'pass@k', known: placed(points, 'at'), dash: '4 3', isFilled: false },
    { name: 'pass^k', known: placed(points, 'hat'), dash: undefined, isFilled: true },
  ]
  const ends = lines.map(({ known }) => known.at(-1)?.value)
  // Two end labels closer than a line of text are pushed apart: "at" up, "hat" down.
  const isClose =
    ends[0] !== undefined && ends[1] !== undefined && Math.abs(y(ends[0]) - y(ends[1])) < 13 ? 6.5 : 0
  return (
    <svg
      className="mark mark-reliability"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      fontSize={11}
    >
      <title>{label}</title>
      {[0, 0.5, 1].map((p) => (
        <g key={p}>
          <line x1={left} x2={width - right} y1={y(p)} y2={y(p)} stroke={INK.line} opacity={0.4} />
          <text x={left - 6} y={y(p) + 4} textAnchor="end" fill={INK.muted}>
            {p === 0.5 ? '.5' : p}
          </text>
        </g>
      ))}
      {points
        .filter((_, i) => (i % everyK === 0 && points.length - 1 - i >= everyK) || i === points.length - 1)
        .map(({ k }) => (
          <text key={k} x={x(k)} y={height - 9} textAnchor="middle" fill={INK.muted}>
            {k}
          </text>
        ))}
      <text x={width - right + 10} y={height - 9} fill={INK.muted}>
        k
      </text>
      {lines.map(({ name, known, dash, isFilled }, row) => {
        const end = known.at(-1)
        if (end === undefined) return null
        return (
          <g key={name}>
            <polyline
              points={known.map(({ k, value }) => `${x(k).toFixed(2)},${y(value).toFixed(2)}`).join(' ')}
              fill="none"
              stroke={INK.pass}
              strokeWidth={1.75}
              strokeDasharray={dash}
            />
            {known.length <= 40 &&
              known.map(({ k, value }) => (
                <circle
                  key={k}
                  cx={x(k)}
                  cy={y(value)}
                  r={2.75}
                  fill={isFilled ? INK.pass : INK.page}
                  stroke={INK.pass}
                  strokeWidth={1.25}
                >
                  <title>{`${name} at k = ${k}: ${twoDecimals(value)}`}</title>
                </circle>
              ))}
            <text x={x(end.k) + 8} y={y(end.value) + 4 + (row === 0 ? -isClose : isClose)} fill={INK.ink}>
              {`${name} ${twoDecimals(end.value)}`}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
