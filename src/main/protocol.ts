// app://faultline/: serves the built window from out/renderer and nothing else. Every answer carries the content
// security policy. A path that leaves the folder, by dots or by a link, is 404.

import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** The window's origin. */
export const appOrigin = 'app://faultline'

/** The scheme of the window's origin. */
export const appScheme = 'app'

/**
 * Nothing is loaded from elsewhere and nothing inline runs. The two hashes are the style elements that
 * react-aria-components 1.22 (its hidden-content rules) and Observable Plot 0.6 insert.
 */
export const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' 'sha256-jSYQUrW7J0b3jPqhZP9C2Xh1PyJKHKXd4s0fpGGKrww='`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'none'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The answer for a URL out of `folder`; 404 for everything that is not a file of a known kind inside it. */
export async function serveWindow(folder: string, url: string): Promise<Response> {
  const notFound = new Response('Not found', { status: 404, headers: headersFor('text/plain') })
  try {
    const { host, pathname, protocol } = new URL(url)
    if (`${protocol}//${host}` !== appOrigin) return notFound
    const wanted = pathname === '/' ? '/index.html' : decodeURIComponent(pathname)
    const contentType = contentTypes[extname(wanted).toLowerCase()]
    if (contentType === undefined || wanted.includes('\0')) return notFound
    const home = await realpath(folder)
    const file = await realpath(join(home, wanted))
    if (!file.startsWith(home + sep)) return notFound
    return new Response(await readFile(file), { headers: headersFor(contentType) })
  } catch {
    return notFound
  }
}

function headersFor(contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  }
}
