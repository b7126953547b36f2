// Button and IconButton: every press in the window. Thin over react-aria's Button; adds the four looks, the icon
// slot and a tooltip for buttons that show no word.

import type { ReactElement, ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classes } from './classes.ts'
import type { Icon } from './icons.ts'
import { Tooltip } from './Tooltip.tsx'
import styles from './Button.module.css'

type Common = Omit<AriaButtonProps, 'children' | 'className' | 'style'> & {
  readonly variant?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly size?: 'normal' | 'small' | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
}

/** Props of Button. */
export type ButtonProps = Common & { readonly icon?: Icon | undefined; readonly children: ReactNode }

/** A button with words; `primary` at most once per view. */
export function Button({
  variant = 'plain',
  size = 'normal',
  icon: Picture,
  children,
  className,
  ...rest
}: ButtonProps): ReactElement {
  return (
    <AriaButton {...rest} className={classes(styles.button, styles[variant], styles[size], className)}>
      {Picture ? <Picture size={14} aria-hidden /> : null}
      {children}
    </AriaButton>
  )
}

/** Props of IconButton; the label is its name and its tooltip. */
export type IconButtonProps = Common & {
  readonly icon: Icon
  readonly label: string
  readonly keys?: string | undefined
}

/** A button that shows only an icon; its label is spoken and shown in a tooltip. */
export function IconButton({
  icon: Picture,
  label,
  keys,
  variant = 'quiet',
  size = 'normal',
  className,
  ...rest
}: IconButtonProps): ReactElement {
  return (
    <Tooltip text={keys === undefined ? label : `${label} (${keys})`}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={classes(styles.button, styles.icon, styles[variant], styles[size], className)}
      >
        <Picture size={16} aria-hidden />
      </AriaButton>
    </Tooltip>
  )
}
