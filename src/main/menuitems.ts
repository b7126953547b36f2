// The application menu as data: which commands stand where, under what words and keys. Pure, so that a test can hold
// it against the window's command registry; menu.ts makes the menu out of it.

/** An entry that sends a command to the window. `keys` in Electron's words, shown beside it. */
export type MenuItem = { readonly title: string; readonly command: string; readonly keys?: string }

const item = (title: string, command: string, keys?: string): MenuItem => ({
  title,
  command,
  ...(keys === undefined ? {} : { keys }),
})

/** A line between entries. */
export const LINE = 'line'

/** What the File menu begins with; the recent workspaces follow. */
export const FILE_ITEMS: readonly MenuItem[] = [
  item('New workspace…', 'workspace.new', 'CmdOrCtrl+N'),
  item('Open workspace…', 'workspace.open', 'CmdOrCtrl+Shift+O'),
]

/** What follows the recent workspaces in the File menu. */
export const FILE_ITEMS_AFTER_RECENT: readonly (MenuItem | typeof LINE)[] = [
  item('Open the sample workspace', 'workspace.openSample'),
  item('Save a copy…', 'workspace.saveCopy', 'CmdOrCtrl+Shift+S'),
  LINE,
  item('Import files…', 'import.choose', 'CmdOrCtrl+O'),
  item('Import a folder…', 'import.chooseFolder'),
  item('Attach outcomes…', 'outcomes.attach'),
  item('Conflicts…', 'conflicts.show'),
  LINE,
  item('Delete everything…', 'workspace.deleteAll'),
]

/** What the Edit menu begins with: of a text field when one has the focus, else of what was done last. */
export const UNDO_ITEMS: readonly MenuItem[] = [
  item('Undo', 'edit.undo', 'CmdOrCtrl+Z'),
  item('Redo', 'edit.redo', 'CmdOrCtrl+Shift+Z'),
]

/** What follows the roles of editing in the Edit menu. */
export const EDIT_ITEMS: readonly (MenuItem | typeof LINE)[] = [
  item('Copy a link to this place', 'link.copy', 'CmdOrCtrl+L'),
  LINE,
  item('Find here', 'edit.find', 'CmdOrCtrl+F'),
  item('Search in steps', 'go.search', 'CmdOrCtrl+Shift+F'),
  LINE,
  item('Settings', 'go.settings', 'CmdOrCtrl+,'),
]

/** The Go menu. */
export const GO_ITEMS: readonly (MenuItem | typeof LINE)[] = [
  item('Imports', 'go.imports', 'CmdOrCtrl+1'),
  item('Tasks', 'go.tasks', 'CmdOrCtrl+2'),
  item('Report', 'go.report', 'CmdOrCtrl+4'),
  item('Rules', 'go.rules', 'CmdOrCtrl+5'),
  LINE,
  item('Back', 'go.back', 'Alt+Left'),
  item('Forward', 'go.forward', 'Alt+Right'),
  LINE,
  item('Next part of the window', 'view.nextRegion', 'F6'),
  item('Previous part of the window', 'view.previousRegion', 'Shift+F6'),
]

/** The Task menu: what can be done with the task on screen. Its keys are letters, which act in their region only. */
export const TASK_ITEMS: readonly (MenuItem | typeof LINE)[] = [
  item('Lanes', 'lens.lanes', '1'),
  item('Steps', 'lens.steps', '2'),
  item('Stats', 'lens.stats', '3'),
  LINE,
  item('To the divergence', 'lanes.divergence', 'D'),
  item('Next failing trial', 'lanes.nextFailing', 'N'),
  item('Previous failing trial', 'lanes.previousFailing', 'Shift+N'),
  item('Pin as reference', 'lanes.pin', 'P'),
  item('Fold gaps', 'lanes.gaps', 'G'),
  item('Fold or open the stage', 'lanes.foldStage', 'F'),
  LINE,
  item('Annotate', 'annotation.open', 'A'),
]

/** What the View menu begins with; zoom follows. */
export const VIEW_ITEMS: readonly (MenuItem | typeof LINE)[] = [
  item('Command palette', 'view.palette', 'CmdOrCtrl+K'),
  item('Switch theme', 'view.theme'),
]

/** What the Help menu begins with. */
export const HELP_ITEMS: readonly MenuItem[] = [
  item('Keys', 'help.keys', '?'),
  item('About Faultline', 'help.about'),
]

/** Every command that the menu sends. */
export const MENU_ITEMS: readonly MenuItem[] = [
  ...FILE_ITEMS,
  ...FILE_ITEMS_AFTER_RECENT,
  ...UNDO_ITEMS,
  ...EDIT_ITEMS,
  ...GO_ITEMS,
  ...TASK_ITEMS,
  ...VIEW_ITEMS,
  ...HELP_ITEMS,
].filter((one) => one !== LINE)
