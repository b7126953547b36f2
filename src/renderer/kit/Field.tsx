// Fields: text, text area, search, checkbox and radio group. Thin over react-aria: label, description and error are
// always tied to the control.

import type { ReactElement, ReactNode, Ref } from 'react'
import {
  Button,
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  Radio,
  RadioGroup as AriaRadioGroup,
  SearchField as AriaSearchField,
  Text as Slot,
  TextArea,
  TextField as AriaTextField,
} from 'react-aria-components'
import { classes } from './classes.ts'
import { CheckIcon, CloseIcon, MinusIcon, SearchIcon } from './icons.ts'
import styles from './Field.module.css'

/** Props of TextField. `lines` above 1 makes it a text area. */
export type TextFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly lines?: number
  readonly placeholder?: string
  readonly description?: string
  readonly error?: string | null
  readonly maxLength?: number
  readonly isDisabled?: boolean
  readonly isLabelHidden?: boolean
  readonly autoFocus?: boolean
  readonly inputRef?: Ref<HTMLInputElement & HTMLTextAreaElement>
}

/** A field for text. */
export function TextField(props: TextFieldProps): ReactElement {
  const { label, lines = 1, description, error, isLabelHidden, placeholder, inputRef, ...rest } = props
  const shared = {
    className: styles.input ?? '',
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(inputRef === undefined ? {} : { ref: inputRef }),
  }
  return (
    <AriaTextField
      {...rest}
      isInvalid={error !== undefined && error !== null}
      className={classes(styles.field, styles.stacked)}
      {...(isLabelHidden === true ? { 'aria-label': label } : {})}
    >
      {isLabelHidden === true ? null : <Label className={styles.label ?? ''}>{label}</Label>}
      {lines > 1 ? <TextArea {...shared} rows={lines} /> : <Input {...shared} />}
      {description === undefined ? null : (
        <Slot slot="description" className={styles.description ?? ''}>
          {description}
        </Slot>
      )}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}

/** Props of SearchField. */
export type SearchFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly inputRef?: Ref<HTMLInputElement>
  readonly onSubmit?: () => void
}

/** A field that filters; Escape empties it. */
export function SearchField(props: SearchFieldProps): ReactElement {
  const { label, placeholder, inputRef, value, onChange, onSubmit } = props
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      {...(onSubmit === undefined ? {} : { onSubmit })}
      className={styles.search ?? ''}
    >
      <SearchIcon size={14} aria-hidden />
      <Input
        className={styles.searchInput ?? ''}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(inputRef === undefined ? {} : { ref: inputRef })}
      />
      <Button className={styles.clear ?? ''} aria-label="Clear search">
        <CloseIcon size={12} aria-hidden />
      </Button>
    </AriaSearchField>
  )
}

/** Props of Checkbox. */
export type CheckboxProps = {
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly children: ReactNode
  readonly hint?: string
  readonly isDisabled?: boolean
  readonly isIndeterminate?: boolean
}

/** One yes or no. */
export function Checkbox({ children, hint, ...rest }: CheckboxProps): ReactElement {
  return (
    <AriaCheckbox {...rest} className={styles.check ?? ''}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box}>
            {isIndeterminate ? <MinusIcon size={12} aria-hidden strokeWidth={3} /> : null}
            {isSelected && !isIndeterminate ? <CheckIcon size={12} aria-hidden strokeWidth={3} /> : null}
          </span>
          <span>
            {children}
            {hint === undefined ? null : <span className={styles.description}> {hint}</span>}
          </span>
        </>
      )}
    </AriaCheckbox>
  )
}

/** Props of RadioGroup. */
export type RadioGroupProps<T extends string> = {
  readonly label: string
  readonly options: readonly {
    readonly id: T
    readonly title: ReactNode
    readonly hint?: string
    readonly isDisabled?: boolean
  }[]
  readonly value: T | null
  readonly onChange: (value: T) => void
  readonly orientation?: 'vertical' | 'horizontal'
  readonly isLabelHidden?: boolean
}

/** One of a few, all of them in sight. */
export function RadioGroup<T extends string>(props: RadioGroupProps<T>): ReactElement {
  const { label, options, value, onChange, orientation = 'vertical', isLabelHidden } = props
  return (
    <AriaRadioGroup
      value={value}
      orientation={orientation}
      onChange={(next) => {
        const chosen = options.find((option) => option.id === next)
        if (chosen !== undefined) onChange(chosen.id)
      }}
      className={classes(styles.field, styles.stacked)}
      {...(isLabelHidden === true ? { 'aria-label': label } : {})}
    >
      {isLabelHidden === true ? null : <Label className={styles.label ?? ''}>{label}</Label>}
      <div className={orientation === 'vertical' ? styles.radios : styles.radiosInline}>
        {options.map((option) => (
          <Radio
            key={option.id}
            value={option.id}
            isDisabled={option.isDisabled ?? false}
            className={styles.check ?? ''}
          >
            <span className={styles.dot} />
            <span>
              {option.title}
              {option.hint === undefined ? null : <span className={styles.description}> {option.hint}</span>}
            </span>
          </Radio>
        ))}
      </div>
    </AriaRadioGroup>
  )
}
