// Class names joined: the one thing that every component of the kit does with strings.

/** The class names that are not empty, separated by spaces. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
