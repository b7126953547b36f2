// The command registry: everything a person can do, by id, with its title, default key and where the key acts.
// Palette, `?` sheet, settings and the native menu read it; screens bring the handlers while they are on screen.
// Keys are in tinykeys' words; `$mod` is Ctrl, on a Mac Command.

import { create } from 'zustand'

/** Where a key acts: everywhere, or only while the focus is in the region of that name. */
export type CommandContext =
  'app' | 'tasks' | 'search' | 'imports' | 'lanes' | 'steps' | 'pair' | 'annotation'

/** One command. `keys` are alternatives; none means palette and menu only. */
export type Command = {
  readonly id: string
  readonly title: string
  readonly context: CommandContext
  readonly keys: readonly string[]
  /** Listed in the key sheet although it is carried out by the component itself (arrows in a grid). */
  readonly isBuiltIn?: boolean
}

const app = (id: string, title: string, ...keys: string[]): Command => ({ id, title, context: 'app', keys })
const inside =
  (context: CommandContext) =>
  (id: string, title: string, ...keys: string[]): Command => ({ id, title, context, keys })
const builtIn = (context: CommandContext, title: string, ...keys: string[]): Command => ({
  id: `${context}:${title}`,
  title,
  context,
  keys,
  isBuiltIn: true,
})
const tasks = inside('tasks')
const lanes = inside('lanes')
const pair = inside('pair')
const annotation = inside('annotation')

/** Every command, in the order of the key sheet. */
export const COMMANDS: readonly Command[] = [
  app('view.palette', 'Command palette', '$mod+k'),
  app('go.search', 'Search in steps', '$mod+Shift+f'),
  app('help.keys', 'Keys', '?'),
  app('import.choose', 'Import files…', '$mod+o'),
  app('import.chooseFolder', 'Import a folder…'),
  app('outcomes.attach', 'Attach outcomes…'),
  app('conflicts.show', 'Conflicts…'),
  app('link.copy', 'Copy a link to this place', '$mod+l'),
  app('edit.find', 'Find here', '$mod+f'),
  app('edit.undo', 'Undo', '$mod+z'),
  app('edit.redo', 'Redo', '$mod+Shift+z'),
  app('go.imports', 'Go to Imports', '$mod+1'),
  app('go.tasks', 'Go to Tasks', '$mod+2'),
  app('go.report', 'Go to Report', '$mod+4'),
  app('go.rules', 'Go to Rules', '$mod+5'),
  app('go.settings', 'Settings', '$mod+,'),
  app('go.back', 'Back', 'Alt+ArrowLeft'),
  app('go.forward', 'Forward', 'Alt+ArrowRight'),
  app('view.nextRegion', 'Next region', 'F6'),
  app('view.previousRegion', 'Previous region', 'Shift+F6'),
  app('view.theme', 'Switch theme'),
  app('workspace.new', 'New workspace…', '$mod+n'),
  app('workspace.open', 'Open workspace…', '$mod+Shift+o'),
  app('workspace.openSample', 'Open the sample workspace'),
  app('workspace.saveCopy', 'Save a copy…', '$mod+Shift+s'),
  app('workspace.deleteAll', 'Delete everything…'),
  app('help.about', 'About Faultline'),
  builtIn('app', 'Close the topmost thing', 'Escape'),

  builtIn('tasks', 'Row up, row down', 'ArrowUp', 'ArrowDown'),
  builtIn('tasks', 'Open the task', 'Enter'),
  builtIn('tasks', 'Peek', 'Space'),
  tasks('tasks.search', 'Filter by text', '/'),
  tasks('tasks.cycleSort', 'Next order', 's'),

  builtIn('search', 'Line up, line down', 'ArrowUp', 'ArrowDown'),
  builtIn('search', 'Open the step', 'Enter'),
  inside('search')('search.text', 'To the text', '/'),

  builtIn('lanes', 'Move from cell to cell', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'),
  builtIn('lanes', 'Open the step pair', 'Enter'),
  lanes('lanes.divergence', 'To the divergence', 'd'),
  lanes('lanes.nextFailing', 'Next failing trial', 'n'),
  lanes('lanes.previousFailing', 'Previous failing trial', 'Shift+n'),
  lanes('lanes.pin', 'Pin as reference', 'p'),
  lanes('lanes.gaps', 'Fold gaps', 'g'),
  lanes('lanes.foldStage', 'Fold or open the stage', 'f'),
  builtIn('lanes', 'Into the stage headers', 'ArrowUp'),
  lanes('lens.lanes', 'Lanes', '1'),
  lanes('lens.steps', 'Steps', '2'),
  lanes('lens.stats', 'Stats', '3'),
  lanes('annotation.open', 'Annotate', 'a'),

  pair('pair.previous', 'Previous aligned step', ','),
  pair('pair.next', 'Next aligned step', '.'),
  pair('pair.nextDifference', 'Next difference', 'j'),
  pair('pair.previousDifference', 'Previous difference', 'k'),
  pair('pair.swap', 'Swap sides', 'x'),
  pair('pair.split', 'Split or unified', 'u'),
  pair('pair.wrap', 'Wrap long lines', 'w'),
  pair('pair.raw', 'Show raw', 'r'),

  annotation('annotation.severe', 'Severe', 's'),
  annotation('annotation.evidence', 'Add evidence', 'e'),
  builtIn('annotation', 'Recent causes', '1…9'),
  annotation('annotation.next', 'Save and next failing', '$mod+Enter'),
]

/** Names of the contexts, for the key sheet. */
export const CONTEXT_TITLES: { readonly [context in CommandContext]: string } = {
  app: 'Everywhere',
  tasks: 'Tasks',
  search: 'Search',
  imports: 'Imports',
  lanes: 'Lanes',
  steps: 'Steps',
  pair: 'Step pair',
  annotation: 'Annotation',
}

/** What carries a command out. The event is the key press, when it came from one. */
export type Handler = (event?: KeyboardEvent) => void

type HandlerStore = { readonly handlers: { readonly [id: string]: readonly Handler[] } }

/** The handlers of what is on screen; the last one registered for an id is the one that runs. */
export const useHandlers = create<HandlerStore>()(() => ({ handlers: {} }))

/** Registers handlers; answers what takes them away again. Used by useCommands (shell/usecommands.ts). */
export function register(added: { readonly [id: string]: Handler }): () => void {
  useHandlers.setState(({ handlers }) => {
    const next = { ...handlers }
    for (const [id, handler] of Object.entries(added)) next[id] = [...(next[id] ?? []), handler]
    return { handlers: next }
  })
  return () =>
    useHandlers.setState(({ handlers }) => {
      const next = { ...handlers }
      for (const [id, handler] of Object.entries(added))
        next[id] = (next[id] ?? []).filter((one) => one !== handler)
      return { handlers: next }
    })
}

/** Runs a command by id; false when nothing on screen carries it out. */
export function runCommand(id: string, event?: KeyboardEvent): boolean {
  const handler = useHandlers.getState().handlers[id]?.at(-1)
  if (handler === undefined) return false
  handler(event)
  return true
}

/** Whether a key needs its region and may not act while a field has the focus: anything typed without Ctrl or Alt. */
export function isTypedKey(key: string): boolean {
  return !/(\$mod|Control|Meta|Alt)\+/.test(key) && !/^(Shift\+)?F\d+$/.test(key)
}

const SIGNS: { readonly [key: string]: string } = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: 'Enter',
}

/** A key as a person reads it: `$mod+Shift+z` → `Ctrl+Shift+Z`, on a Mac `⌘⇧Z`. */
export function keyText(key: string, isMac: boolean): string {
  const parts = key.split('+').map((part) => {
    if (part === '$mod') return isMac ? '⌘' : 'Ctrl'
    if (part === 'Shift') return isMac ? '⇧' : 'Shift'
    if (part === 'Alt') return isMac ? '⌥' : 'Alt'
    return SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part)
  })
  return parts.join(isMac ? '' : '+')
}
