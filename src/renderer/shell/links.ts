// Links to the place that is on screen: copied as `faultline://…`, and followed when the app is opened with one. A link
// leads somewhere and does nothing: following it changes no data.

import { useEffect } from 'react'
import { hashOfLink, linkOfHash } from '../../base/link.ts'
import { onWindowEvent } from '../bridge/client.ts'
import { copyText } from '../bridge/desktop.ts'
import { say, showFault } from './notices.ts'
import { formatPlace, parsePlace } from './places.ts'
import { useCommands } from './usecommands.ts'

/** How main hands a link over: this and the link, as a command. */
const FOLLOW = 'link.follow:'

/** Copies the link of the place on screen. */
export async function copyLink(): Promise<void> {
  try {
    await copyText(linkOfHash(formatPlace(parsePlace(window.location.hash))))
    say('Link copied: it leads back here, in this workspace')
  } catch (error) {
    showFault('The link was not copied', error)
  }
}

/** Goes where a link leads; says so when it is none. */
export function followLink(link: string): void {
  const hash = hashOfLink(link)
  if (hash === null) say('That is not a link of Faultline')
  else window.location.hash = formatPlace(parsePlace(hash))
}

/** Follows links that the app is opened with and carries out "copy link". Call once per window. */
export function useLinks(): void {
  useCommands({ 'link.copy': () => void copyLink() })
  useEffect(
    () =>
      onWindowEvent((event) => {
        if (event.type === 'command' && event.command.startsWith(FOLLOW))
          followLink(event.command.slice(FOLLOW.length))
      }),
    [],
  )
}
