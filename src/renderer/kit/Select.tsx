// Select: one of a few, shown as a button with the choice on it.

import type { ReactElement } from 'react'
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text as Slot,
} from 'react-aria-components'
import { classes } from './classes.ts'
import { CheckIcon, OpenIcon } from './icons.ts'
import field from './Field.module.css'
import menu from './Menu.module.css'

/** One option; `title` must be safe text. */
export type Option<T extends string = string> = {
  readonly id: T
  readonly title: string
  readonly hint?: string
}

/** Props of Select. `label` is always its name; `inline` puts it before the button as "Label: choice". */
export type SelectProps<T extends string> = {
  readonly label: string
  readonly options: readonly Option<T>[]
  readonly value: T | null
  readonly onChange: (value: T) => void
  readonly placeholder?: string
  readonly isDisabled?: boolean
  readonly layout?: 'stacked' | 'inline' | 'hidden label'
}

/** A choice of one. */
export function Select<T extends string>(props: SelectProps<T>): ReactElement {
  const { label, options, value, onChange, placeholder, isDisabled, layout = 'inline' } = props
  return (
    <AriaSelect
      className={classes(field.field, layout === 'stacked' ? field.stacked : field.inline)}
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.id === key)
        if (chosen !== undefined) onChange(chosen.id)
      }}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(isDisabled === undefined ? {} : { isDisabled })}
      {...(layout === 'hidden label' ? { 'aria-label': label } : {})}
    >
      {layout === 'hidden label' ? null : <Label className={field.label ?? ''}>{label}</Label>}
      <Button className={field.select ?? ''}>
        <SelectValue className={field.value ?? ''}>
          {({ selectedText, isPlaceholder, defaultChildren }) =>
            isPlaceholder ? defaultChildren : selectedText
          }
        </SelectValue>
        <OpenIcon size={14} aria-hidden />
      </Button>
      <Popover className={menu.popover ?? ''} offset={4}>
        <ListBox className={menu.menu ?? ''}>
          {options.map((option) => (
            <ListBoxItem key={option.id} id={option.id} textValue={option.title} className={menu.item ?? ''}>
              {({ isSelected }) => (
                <>
                  <span className={menu.tick}>{isSelected ? <CheckIcon size={14} aria-hidden /> : null}</span>
                  <Slot slot="label" className={menu.label ?? ''}>
                    <span className={menu.title}>{option.title}</span>
                    {option.hint === undefined ? null : (
                      <>
                        {' '}
                        <span className={menu.hint}>{option.hint}</span>
                      </>
                    )}
                  </Slot>
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
