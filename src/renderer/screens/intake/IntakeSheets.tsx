// The sheets of importing, whichever is open. Drawn once by the frame, over any screen.

import type { ReactElement } from 'react'
import { openIntake, useIntake } from '../../shell/intakes.ts'
import type { Go } from '../../shell/actions.ts'
import { AttachSheet } from './AttachSheet.tsx'
import { ConflictsSheet } from './ConflictsSheet.tsx'
import { LookSheet } from './LookSheet.tsx'

/** The open sheet, or nothing. */
export function IntakeSheets({ go }: { readonly go: Go }): ReactElement | null {
  const open = useIntake((state) => state.open)
  const close = (): void => openIntake(null)
  if (open === null) return null
  if (open.kind === 'look')
    return <LookSheet files={open.files} first={open.preview} go={go} onClose={close} />
  if (open.kind === 'attach') return <AttachSheet wish={open.wish} onClose={close} />
  return <ConflictsSheet onClose={close} />
}
