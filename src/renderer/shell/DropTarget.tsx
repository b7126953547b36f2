// Files dropped anywhere in the window. While files hang over it, a frame says what will happen; the preload turns
// them into grants. There is always a button that does the same (Imports, Mod+O).

import { useEffect, useState, type ReactElement } from 'react'
import { grantDropped } from '../bridge/desktop.ts'
import { ImportIcon } from '../kit/icons.ts'
import { takeFiles, type Go } from './actions.ts'
import { showFault } from './notices.ts'
import styles from './Frame.module.css'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Listens for drops on the whole window. */
export function DropTarget({ go }: { readonly go: Go }): ReactElement | null {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // dragenter and dragleave come in pairs for every element crossed: the depth tells when the window is left.
    let depth = 0
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth += 1
      setOver(true)
    }
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      event.preventDefault()
      depth = 0
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      grantDropped(files)
        .then((granted) => takeFiles(granted, go))
        .catch((error: unknown) => showFault('Nothing was imported', error))
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [go])
  if (!isOver) return null
  return (
    <div className={styles.dropVeil}>
      <div className={styles.dropWords}>
        <ImportIcon size={28} strokeWidth={1.5} aria-hidden />
        <strong>Drop to import</strong>
        <span>files or folders of trial exports; a .fault file is opened</span>
      </div>
    </div>
  )
}
