// Dialog: a modal sheet with a title, a body that scrolls and a row of actions; and Popover, the small one that
// stays beside its trigger. Focus is trapped and returned by react-aria; Escape closes the topmost.

import type { ReactElement, ReactNode } from 'react'
import {
  Dialog as AriaDialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
} from 'react-aria-components'
import { IconButton } from './Button.tsx'
import { classes } from './classes.ts'
import { CloseIcon } from './icons.ts'
import styles from './Dialog.module.css'

/** Props of Dialog. `alert` is for questions that must be answered: a press outside does not close it. */
export type DialogProps = {
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly actions?: ReactNode
  readonly size?: 'small' | 'normal' | 'large'
  readonly role?: 'dialog' | 'alertdialog'
}

/** A modal dialog. Rendered only while open. */
export function Dialog(props: DialogProps): ReactElement {
  const { title, isOpen, onClose, children, actions, size = 'normal', role = 'dialog' } = props
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable={role === 'dialog'}
      className={styles.veil ?? ''}
    >
      <Modal className={classes(styles.modal, styles[size])}>
        <AriaDialog role={role} className={styles.dialog ?? ''}>
          <header className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon={CloseIcon} label="Close" size="small" onPress={onClose} />
          </header>
          {/* A stop of its own: what is longer than the sheet must scroll by the keyboard, too. */}
          <div className={styles.body} tabIndex={0}>
            {children}
          </div>
          {actions === undefined ? null : <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Props of Popover: its trigger is a kit button. */
export type PopoverProps = {
  readonly trigger: ReactElement
  readonly label: string
  readonly title?: ReactNode
  readonly children: ReactNode
  readonly placement?: AriaPopoverProps['placement']
  readonly width?: 'narrow' | 'wide'
}

/** A popover with its trigger: for "how computed" and other things read beside what they explain. */
export function Popover(props: PopoverProps): ReactElement {
  const { trigger, label, title, children, placement = 'bottom start', width = 'narrow' } = props
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover placement={placement} offset={6} className={classes(styles.popover, styles[width])}>
        <AriaDialog aria-label={label} className={styles.small ?? ''}>
          {title === undefined ? null : (
            <Heading level={3} className={styles.popoverTitle ?? ''}>
              {title}
            </Heading>
          )}
          {children}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  )
}
