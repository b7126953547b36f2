// Key presses to commands: one listener for the window. Typed keys (a letter, a digit, a sign) act only while the
// focus is inside their region and not in a field; `?` acts outside of fields. Typed keys can be switched off.

import { matchKeybindingPress, parseKeybinding, type KeybindingPress } from 'tinykeys'
import { COMMANDS, isTypedKey, runCommand, type Command } from './commands.ts'

type Binding = { readonly command: Command; readonly press: KeybindingPress; readonly isTyped: boolean }

const bindings: readonly Binding[] = COMMANDS.filter((command) => command.isBuiltIn !== true).flatMap(
  (command) =>
    command.keys.flatMap((key) => {
      const press = parseKeybinding(key)[0]
      return press === undefined ? [] : [{ command, press, isTyped: isTypedKey(key) }]
    }),
)

/** Commands whose key is left to a text field while one has the focus. */
const leaveToFields = new Set(['edit.undo', 'edit.redo', 'go.back', 'go.forward'])

/** True when typing goes into the element. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
}

/** Whether a command's key may act where the focus is. */
export function actsHere(command: Command, isTyped: boolean, target: EventTarget | null): boolean {
  const inField = isField(target)
  if (inField && (isTyped || leaveToFields.has(command.id))) return false
  if (command.context === 'app') return true
  const region = target instanceof Element ? target.closest('[data-region]') : null
  return region !== null && (region.getAttribute('data-region') ?? '').split(' ').includes(command.context)
}

/**
 * Listens on the window and runs what a key press asks for; answers the unsubscribe. A press that ran something is
 * kept from the page and the menu. `typedKeys` says whether single typed keys are on.
 */
export function listenForKeys(typedKeys: () => boolean): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const isModal = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
    for (const { command, press, isTyped } of bindings) {
      if (!matchesPress(event, press, isTyped)) continue
      if (isTyped && !typedKeys()) continue
      // A dialog or an open menu owns the keys: only what stands inside it may act.
      if (isModal && command.context === 'app') continue
      if (!actsHere(command, isTyped, event.target)) continue
      if (runCommand(command.id, event)) {
        event.preventDefault()
        return
      }
    }
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}

/** A sign such as `?` or `/` is matched by what it types: layouts differ in whether Shift is held for it. */
function matchesPress(event: KeyboardEvent, press: KeybindingPress, isTyped: boolean): boolean {
  const [, , key] = press
  if (isTyped && typeof key === 'string' && key.length === 1 && !/[a-z0-9]/i.test(key))
    return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey
  return matchKeybindingPress(event, press)
}
