// The header: workspace menu, the screens, the palette, keys and theme. 40 px, on every screen.

import type { ReactElement } from 'react'
import type { Settings } from '../../contract/events.ts'
import type { WorkspaceInfo } from '../../contract/workspacerows.ts'
import { oneLine } from '../../base/text.ts'
import { useSetSettings } from '../bridge/desktop.ts'
import { Button, IconButton } from '../kit/Button.tsx'
import {
  AddIcon,
  DarkThemeIcon,
  DeleteIcon,
  FolderIcon,
  KeysIcon,
  LightThemeIcon,
  OpenIcon,
  RecentIcon,
  SaveIcon,
  SearchIcon,
  SettingsIcon,
  SystemThemeIcon,
  WorkspaceIcon,
} from '../kit/icons.ts'
import { Menu, type MenuEntry } from '../kit/Menu.tsx'
import { openWorkspace, type Go } from './actions.ts'
import { runCommand } from './commands.ts'
import { keyOf } from './keynames.ts'
import { useLastPlaces } from './lastplaces.ts'
import { openSheet, showSettingsFault } from './notices.ts'
import type { Place } from './places.ts'
import { nextTheme } from './theme.ts'
import { hrefOf } from './useplace.ts'
import styles from './Frame.module.css'

const themes = {
  light: { icon: LightThemeIcon, title: 'Light theme' },
  dark: { icon: DarkThemeIcon, title: 'Dark theme' },
  system: { icon: SystemThemeIcon, title: 'Theme of the system' },
} as const

/** The header of the frame. */
export function Header(props: {
  readonly info: WorkspaceInfo | undefined
  readonly settings: Settings | undefined
  readonly place: Place
  readonly scope: readonly string[] | null
  readonly go: Go
}): ReactElement {
  const { info, settings, place, scope, go } = props
  const setSettings = useSetSettings()
  const tasksPlace = useLastPlaces((state) => state.tasks)
  const theme = settings?.theme ?? 'system'
  const link = (title: string, to: Place, isHere: boolean): ReactElement => (
    <li>
      <a href={hrefOf(to, scope)} aria-current={isHere ? 'page' : undefined} className={styles.link}>
        {title}
      </a>
    </li>
  )
  return (
    <header className={styles.header} data-f6="">
      <Menu
        label="Workspace"
        items={workspaceEntries(settings)}
        onAction={(id) => {
          if (id.startsWith('recent:')) void openWorkspace({ grant: id.slice('recent:'.length) }, false, go)
          else runCommand(id)
        }}
        trigger={
          <Button variant="quiet" className={styles.workspace}>
            <span className={styles.product}>Faultline</span>
            <span className={styles.file}>
              {info === undefined ? '' : info.isSample ? 'Sample workspace' : oneLine(info.name, 60)}
            </span>
            <OpenIcon size={14} aria-hidden />
          </Button>
        }
      />
      <nav aria-label="Screens">
        <ul className={styles.nav}>
          {link('Imports', { at: 'imports', importId: null }, place.at === 'imports')}
          {link('Tasks', tasksPlace, place.at === 'tasks' || place.at === 'task')}
          {link(
            'Report',
            { at: 'report', taskId: place.at === 'task' ? place.taskId : null, isFiltered: false },
            place.at === 'report',
          )}
          {link('Rules', { at: 'rules', suite: null }, place.at === 'rules')}
        </ul>
      </nav>
      <span className={styles.gap} />
      <Button className={styles.search} icon={SearchIcon} onPress={() => openSheet('palette')}>
        <span className={styles.searchWords}>Search…</span>{' '}
        <kbd className={styles.key}>{keyOf('view.palette')}</kbd>
      </Button>
      <IconButton icon={KeysIcon} label="Keys" keys="?" onPress={() => openSheet('keys')} />
      <IconButton
        icon={themes[theme].icon}
        label={`${themes[theme].title}; switch`}
        onPress={() => void setSettings({ theme: nextTheme(theme) }).catch(showSettingsFault)}
      />
      <IconButton
        icon={SettingsIcon}
        label="Settings"
        keys={keyOf('go.settings')}
        aria-current={place.at === 'settings' ? 'page' : undefined}
        onPress={() => go({ at: 'settings' })}
      />
    </header>
  )
}

function workspaceEntries(settings: Settings | undefined): readonly MenuEntry[] {
  const entry = (id: string, title: string, icon?: MenuEntryIcon): MenuEntry => ({
    id,
    title,
    icon,
    keys: keyOf(id),
  })
  const recent = settings?.recent ?? []
  return [
    entry('workspace.new', 'New workspace…', AddIcon),
    entry('workspace.open', 'Open workspace…', FolderIcon),
    entry('workspace.saveCopy', 'Save a copy…', SaveIcon),
    entry('workspace.openSample', 'Open the sample workspace', WorkspaceIcon),
    ...(recent.length === 0
      ? []
      : [
          {
            section: 'Recent',
            items: recent.slice(0, 8).map(({ name, grant }) => ({
              id: `recent:${grant}`,
              title: oneLine(name, 60),
              icon: RecentIcon,
            })),
          },
        ]),
    { separator: 'before-delete' },
    {
      id: 'workspace.deleteAll',
      title: 'Delete everything…',
      icon: DeleteIcon,
      isDanger: true,
    },
  ]
}

type MenuEntryIcon = Extract<MenuEntry, { readonly id: string }>['icon']
