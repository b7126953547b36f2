// How a file of an import run ended, and what the person can do about it: choose a format, attach its outcomes.

import type { ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { ImportFileRow, ImportRow } from '../../../contract/rows.ts'
import { folderOf, grantOf } from '../../bridge/imports.ts'
import { useAsk } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { faultWords } from '../../kit/faults.ts'
import { CheckIcon, FaultIcon, InfoIcon, OpenIcon, UnknownFileIcon, WarningIcon } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { takeFiles } from '../../shell/actions.ts'
import { openIntake } from '../../shell/intakes.ts'
import { usePlace } from '../../shell/useplace.ts'
import { fileStateText, isAside } from './formatwords.ts'
import styles from './Imports.module.css'

/** The state of a file. */
export function FileState({
  run,
  file,
}: {
  readonly run: ImportRow
  readonly file: ImportFileRow
}): ReactElement {
  // What lies in a folder and is no export was left out, and is not worth an alarm.
  const isStranger = file.state === 'skipped'
  const canChoose = file.state === 'needs format' || file.fault?.code === 'FORMAT_UNKNOWN'
  if (!isStranger && (canChoose || file.fault !== null))
    return (
      <>
        {canChoose ? (
          <UnknownFileIcon size={14} aria-hidden className={styles.warn ?? ''} />
        ) : (
          <FaultIcon size={14} aria-hidden className={styles.bad ?? ''} />
        )}
        <span className={styles.stateWords}>
          <strong>{file.fault === null ? 'Needs you' : faultWords(file.fault).title}</strong>
          {canChoose ? <ChooseFormat file={file} /> : null}
        </span>
      </>
    )
  if (isAside(file)) return <Aside run={run} file={file} />
  const text = fileStateText(file)
  if (file.state === 'kept' || file.state === 'unchanged')
    return (
      <>
        {file.conflicts > 0 ? (
          <WarningIcon size={14} aria-hidden className={styles.warn ?? ''} />
        ) : (
          <CheckIcon size={14} aria-hidden className={styles.good ?? ''} />
        )}
        <span className={styles.stateWords}>
          {text}
          {file.conflicts > 0 ? `; ${plural(file.conflicts, 'conflict')}` : ''}
        </span>
      </>
    )
  return <span className={styles.stateWords}>{text}</span>
}

/** A file of outcomes that was set aside: it can be attached while its grant is known. */
function Aside({ run, file }: { readonly run: ImportRow; readonly file: ImportFileRow }): ReactElement {
  const own = grantOf(file)
  const grant = own ?? folderOf(file)
  return (
    <>
      <InfoIcon size={14} aria-hidden />
      <span className={styles.stateWords}>
        outcomes, set aside
        {grant === null ? (
          <span className="muted">choose the file to attach them</span>
        ) : (
          <Button
            size="small"
            aria-label={`Attach the outcomes of ${oneLine(file.name, 80)}…`}
            onPress={() =>
              openIntake({
                kind: 'attach',
                wish: { files: [grant], only: own === null ? [file.name] : null, importId: run.importId },
              })
            }
          >
            Attach…
          </Button>
        )}
      </span>
    </>
  )
}

function ChooseFormat({ file }: { readonly file: ImportFileRow }): ReactElement {
  const { go } = usePlace()
  const formats = useAsk('imports.formats', {})
  const grant = grantOf(file)
  if (grant === null) return <span className="muted">drop the file by itself to choose its format</span>
  const likely = new Set(file.candidates.map(({ format }) => format))
  const all = (formats.data ?? []).toSorted(
    (a, b) => Number(likely.has(b.format)) - Number(likely.has(a.format)),
  )
  return (
    <Menu
      label={`Format of ${oneLine(file.name, 80)}`}
      items={all.map(({ format, title }) => ({
        id: format,
        title: oneLine(title, 60),
        hint: likely.has(format) ? 'possible' : undefined,
      }))}
      onAction={(format) => void takeFiles([grant], go, format)}
      trigger={
        <Button size="small">
          Choose format <OpenIcon size={12} aria-hidden />
        </Button>
      }
    />
  )
}
