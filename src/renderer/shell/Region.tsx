// Region: a named landmark in which a context's typed keys act, and one stop of F6.

import type { ReactElement, ReactNode } from 'react'
import type { CommandContext } from './commands.ts'

/** A part of the screen with a name. `context` lists the command contexts whose keys act inside it. */
export function Region({
  label,
  context,
  className,
  children,
}: {
  readonly label: string
  readonly context: CommandContext | readonly CommandContext[]
  readonly className?: string | undefined
  readonly children: ReactNode
}): ReactElement {
  return (
    <section
      aria-label={label}
      data-region={typeof context === 'string' ? context : context.join(' ')}
      className={className}
      tabIndex={-1}
    >
      {children}
    </section>
  )
}
