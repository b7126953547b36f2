// The terminal: where the CLI's text goes. Results to standard output, everything said besides to standard error.
// Colours and the moving progress line are for people at a terminal only. Text of traces must have gone through
// layout.ts before it gets here; nothing else may write to the streams.

import { displayWidth } from './layout.ts'

/** The two streams, as the commands see them. */
export type Terminal = {
  /** A result. A line feed is added when it lacks one. */
  out(text: string): void
  /** Something said besides: not printed when quiet. */
  note(text: string): void
  /** A fault or warning: always printed. */
  warn(text: string): void
  /** Replaces the progress line; null takes it away. Does nothing unless standard error is a terminal. */
  progress(line: string | null): void
  /** Width of the terminal; null when the output goes to a file or another program. */
  readonly columns: number | null
  readonly style: Style
}

/** How a word is set apart; the identity without colours. */
export type Style = {
  bold(text: string): string
  faint(text: string): string
  pass(text: string): string
  fail(text: string): string
  severe(text: string): string
}

/** True unless NO_COLOR is set, the terminal is dumb or the output is not a terminal. */
function hasColour(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

function makeStyle(isOn: boolean): Style {
  const wrap =
    (code: number, end: number) =>
    (text: string): string =>
      isOn && text !== '' ? `\u001b[${code}m${text}\u001b[${end}m` : text
  return {
    bold: wrap(1, 22),
    faint: wrap(2, 22),
    pass: wrap(34, 39),
    fail: wrap(33, 39),
    severe: wrap(31, 39),
  }
}

/** The process's own streams. A reader that went away (`faultline tasks | head`) ends the program quietly. */
export function openTerminal(isQuiet: boolean): Terminal {
  let hasLine = false
  const err = process.stderr
  const clear = (): void => {
    if (hasLine) err.write('\r\u001b[K')
    hasLine = false
  }
  return {
    out(text) {
      clear()
      process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
    },
    note(text) {
      if (isQuiet) return
      clear()
      err.write(`${text}\n`)
    },
    warn(text) {
      clear()
      err.write(`${text}\n`)
    },
    progress(line) {
      if (isQuiet || err.isTTY !== true) return
      clear()
      if (line === null) return
      const columns = err.columns ?? 80
      let shown = line
      while (displayWidth(shown) >= columns) shown = shown.slice(0, -1)
      err.write(shown)
      hasLine = true
    },
    columns: process.stdout.isTTY === true ? (process.stdout.columns ?? 80) : null,
    style: makeStyle(hasColour(process.stdout)),
  }
}

/** What writing says when the pipe's reader, or the terminal, is gone. */
const GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'])

/** Ends quietly when whoever reads the output is gone. */
export function watchPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (GONE.has(error.code ?? '')) process.exit(0)
      throw error
    })
  }
}
