// The app: the frame inside what every part of it shares (answers, copying). Follows the core's and the desktop's
// events for as long as it is mounted.

import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useEffect, type ReactElement } from 'react'
import { copyText, followDesktop } from '../bridge/desktop.ts'
import { followChanges } from '../bridge/queries.ts'
import { CopyContext } from '../kit/States.tsx'
import { Frame } from './Frame.tsx'
import { useLinks } from './links.ts'
import { say, showFault } from './notices.ts'

const copy = (text: string): void => {
  copyText(text).then(
    () => say('Copied'),
    (error: unknown) => showFault('Nothing was copied', error),
  )
}

/** The app on a cache of answers. */
export function App({ client }: { readonly client: QueryClient }): ReactElement {
  useEffect(() => {
    const stops = [followChanges(client), followDesktop(client)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  useLinks()
  return (
    <QueryClientProvider client={client}>
      <CopyContext value={copy}>
        <Frame />
      </CopyContext>
    </QueryClientProvider>
  )
}
