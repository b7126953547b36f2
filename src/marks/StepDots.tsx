// StepDots: how many steps a trial has in a column: up to three dots, above that the number; a faint point for
// none. For the window and for reports. A step that failed is a ring, so that it differs without colour.

import { plural } from '../base/text.ts'
import { INK } from './ink.ts'

/** Dots for `count` steps, of which the last `errors` failed; 36×12. `label` null makes it decorative. */
export function StepDots({
  count,
  errors = 0,
  label,
  width = 36,
  height = 12,
}: {
  count: number
  errors?: number
  label?: string | null
  width?: number
  height?: number
}) {
  const failed = errors > 0 ? `, ${errors} with an error` : ''
  const words = label === undefined ? (count === 0 ? 'no step' : plural(count, 'step') + failed) : label
  const x = width / 2
  const y = height / 2
  const pitch = 9
  return (
    <svg
      className="mark mark-dots"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role={words === null ? undefined : 'img'}
      aria-label={words ?? undefined}
      aria-hidden={words === null ? true : undefined}
    >
      {words !== null && <title>{words}</title>}
      {count === 0 && <circle cx={x} cy={y} r={1} fill={INK.line} />}
      {count > 0 &&
        count <= 3 &&
        Array.from({ length: count }, (_, i) => {
          const isError = i >= count - errors
          return (
            <circle
              key={i}
              cx={x + (i - (count - 1) / 2) * pitch}
              cy={y}
              r={isError ? 2.75 : 3.25}
              fill={isError ? 'none' : INK.muted}
              stroke={isError ? INK.ink : 'none'}
              strokeWidth={1.25}
            />
          )
        })}
      {count > 3 && (
        <text
          x={x}
          y={y + 4}
          textAnchor="middle"
          fontSize={11}
          fill={INK.ink}
          style={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {count}
        </text>
      )}
    </svg>
  )
}
